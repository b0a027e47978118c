//! Names and types: from the syntax trees of all modules to one program.

mod constant;
mod declare;
mod designator;
mod effects;
mod expr;
mod operand;
mod predeclared;
mod scope;
mod standard;
mod statement;

use crate::ast;
use crate::tree::{
    Module, ModuleId, Owner, ProcessId, Program, Role, StatementKey, Variable, VariableId,
};
use crate::types::{TypeId, Types};
use auspex_system::{Diagnostic, Span};
pub use effects::Effects;
pub use scope::Standard;
use scope::{Entry, Scope, Symbol};

/// A module that was read, in the order in which they can be checked.
pub struct Unit<'a> {
    pub module: &'a ast::Module,
    /// It closes the program: it may use all ports of the main module.
    pub is_environment: bool,
}

/// The most bytes that the variables of a module or of a process may take.
const MOST_BYTES: u32 = 1 << 24;

/// Checks modules, each after those that it imports; `order` tells in which order their bodies are executed.
pub fn check(
    units: &[Unit<'_>],
    order: &[usize],
    main: usize,
) -> Result<(Program, Names, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut checker = Checker::default();
    for (index, unit) in units.iter().enumerate() {
        checker.module(ModuleId(index as u32), unit);
    }
    if checker.errors.is_empty() {
        effects::mark_shared(&mut checker.program, &mut checker.errors);
    }
    if !checker.errors.is_empty() {
        checker.errors.sort_by_key(|error| error.span);
        return Err(checker.errors);
    }
    let mut modules: Vec<Option<Module>> =
        std::mem::take(&mut checker.program.modules).into_iter().map(Some).collect();
    let ordered: Vec<Module> =
        order.iter().filter_map(|index| modules.get_mut(*index)?.take()).collect();
    let main_id = ModuleId(main as u32);
    checker.program.main = ordered.iter().position(|module| module.id == main_id).unwrap_or(0);
    checker.program.modules = ordered;
    let names = Names { scopes: checker.modules, main: main_id, system: checker.system };
    Ok((checker.program, names, checker.warnings))
}

/// The names of all modules, for expressions that come later (formulas, what is watched).
#[derive(Clone)]
pub struct Names {
    scopes: Vec<Scope>,
    main: ModuleId,
    system: standard::System,
}

impl Names {
    /// An expression about the variables of the modules: names are those of the main module, `Module.name` is any.
    pub fn expression(
        &self,
        program: &mut Program,
        expr: &ast::Expr,
    ) -> Result<crate::tree::Expr, Vec<Diagnostic>> {
        let mut checker = Checker {
            program: std::mem::take(program),
            modules: self.scopes.clone(),
            module: self.main,
            sees_all: true,
            system: self.system.clone(),
            ..Checker::default()
        };
        checker.scopes.push(Level::new(Scope::universe(), None));
        let own = self.scopes.get(self.main.0 as usize).cloned().unwrap_or_default();
        checker.scopes.push(Level::new(own, None));
        let mut known = Scope::default();
        for module in &checker.program.modules {
            let entry =
                Entry { symbol: Symbol::Module(module.id), span: None, export: ast::Export::None };
            known.names.insert(module.name.clone(), entry);
        }
        // What a module declares hides the names of modules.
        checker.scopes.insert(1, Level::new(known, None));
        let result = checker.value(expr);
        *program = std::mem::take(&mut checker.program);
        if checker.errors.is_empty() { Ok(result) } else { Err(checker.errors) }
    }
}

/// A block whose names are known.
struct Level {
    scope: Scope,
    process: Option<ProcessId>,
}

impl Level {
    fn new(scope: Scope, process: Option<ProcessId>) -> Self {
        Level { scope, process }
    }
}

#[derive(Default)]
struct Checker {
    program: Program,
    /// The names of each module that was checked.
    modules: Vec<Scope>,
    /// From what is known everywhere to the innermost block.
    scopes: Vec<Level>,
    module: ModuleId,
    /// The module that environments close.
    is_environment: bool,
    /// For formulas: all names of all modules.
    sees_all: bool,
    process: Option<ProcessId>,
    /// How many LOOPs are open.
    loops: u32,
    system: standard::System,
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
}

impl Checker {
    fn error(&mut self, diagnostic: Diagnostic) {
        // One mistake can have many effects; whoever mends fifty sees the rest next time.
        if self.errors.len() < 50 {
            self.errors.push(diagnostic);
        }
    }

    fn module(&mut self, id: ModuleId, unit: &Unit<'_>) {
        let module = unit.module;
        self.module = id;
        self.is_environment = unit.is_environment;
        self.process = None;
        self.loops = 0;
        self.scopes = vec![Level::new(Scope::universe(), None), Level::new(Scope::default(), None)];
        self.program.modules.push(Module {
            id,
            name: module.name.text.clone(),
            body: Vec::new(),
            variables: Vec::new(),
            processes: Vec::new(),
            end: Span { start: module.span.end.saturating_sub(1), ..module.span },
        });
        for import in &module.imports {
            self.import(import);
        }
        self.declarations(&module.declarations);
        let body = self.statements(&module.body);
        if let Some(own) = self.program.modules.last_mut() {
            own.body = body;
        }
        self.check_size(Owner::Module(id), module.name.span);
        let scope = self.scopes.pop().map(|level| level.scope).unwrap_or_default();
        self.modules.push(scope);
    }

    fn import(&mut self, import: &ast::Import) {
        let name = &import.module.text;
        let module = self.program.modules.iter().rev().skip(1).find(|m| m.name == *name);
        let symbol = match (Standard::named(name), module) {
            (Some(standard), _) => Symbol::Standard(standard),
            (None, Some(module)) => Symbol::Module(module.id),
            // The loader has told.
            (None, None) => Symbol::Invalid,
        };
        self.declare(&import.alias, ast::Export::None, symbol);
    }

    fn declare(&mut self, name: &ast::Ident, export: ast::Export, symbol: Symbol) {
        let Some(level) = self.scopes.last_mut() else { return };
        if let Some(before) = level.scope.declare(name, export, symbol) {
            self.error(
                Diagnostic::error(name.span, format!("`{}` is declared twice", name.text))
                    .label("declared again here")
                    .note(before, "first declared here"),
            );
        }
    }

    fn new_variable(
        &mut self,
        name: &ast::Ident,
        ty: TypeId,
        owner: Owner,
        role: Role,
    ) -> VariableId {
        let id = VariableId(self.program.variables.len() as u32);
        let (name, span) = (name.text.clone(), name.span);
        self.program.variables.push(Variable { name, span, ty, owner, role, shared: false });
        match owner {
            Owner::Process(process) => {
                self.program.processes[process.0 as usize].variables.push(id);
            }
            Owner::Module(module) => {
                if let Some(module) = self.program.modules.get_mut(module.0 as usize) {
                    module.variables.push(id);
                }
            }
        }
        id
    }

    /// Who owns what is declared here.
    fn owner(&self) -> Owner {
        self.process.map_or(Owner::Module(self.module), Owner::Process)
    }

    fn check_size(&mut self, owner: Owner, span: Span) {
        let variables = match owner {
            Owner::Process(process) => &self.program.process(process).variables,
            Owner::Module(module) => &self.program.modules[module.0 as usize].variables,
        };
        let sizes = variables.iter().map(|id| {
            let variable = self.program.variable(*id);
            match variable.role {
                Role::Reference => Some(12),
                _ => self.program.types.size(variable.ty),
            }
        });
        let total = sizes.into_iter().try_fold(0u32, |sum, size| sum.checked_add(size?));
        if total.is_none_or(|total| total > MOST_BYTES) {
            let message = format!("the variables take more than {} MiB", MOST_BYTES >> 20);
            self.error(Diagnostic::error(span, message).label("declared in here"));
        }
    }

    fn key(&self, id: ast::StatementId) -> StatementKey {
        StatementKey { module: self.module, id }
    }

    fn find(&self, name: &str) -> Option<&Entry> {
        self.scopes.iter().rev().find_map(|level| level.scope.names.get(name))
    }

    /// Finds a name, or says that there is none.
    fn lookup(&mut self, name: &ast::Ident) -> Symbol {
        if let Some(entry) = self.find(&name.text) {
            return entry.symbol.clone();
        }
        if let Some(symbol) = self.system_type(name) {
            return symbol;
        }
        let names = self.scopes.iter().flat_map(|level| level.scope.names.keys());
        let meant = scope::similar(&name.text, names.map(String::as_str)).map(str::to_owned);
        let mut error = Diagnostic::error(name.span, format!("`{}` is not declared", name.text))
            .label("not known here");
        if let Some(meant) = meant {
            error = error.hint(format!("did you mean `{meant}`?"));
        } else if Standard::named(&name.text).is_some() {
            error = error.hint(format!("add `IMPORT {};` at the top of the module", name.text));
        }
        self.error(error);
        // Once is enough.
        if let Some(level) = self.scopes.last_mut() {
            let entry = Entry { symbol: Symbol::Invalid, span: None, export: ast::Export::None };
            level.scope.names.insert(name.text.clone(), entry);
        }
        Symbol::Invalid
    }

    /// A name of another module.
    fn imported(&mut self, module: ModuleId, name: &ast::Ident) -> (Symbol, ast::Export) {
        let owner = self.program.modules.iter().find(|m| m.id == module);
        let module_name = owner.map_or_else(String::new, |m| m.name.clone());
        let scope = self.modules.get(module.0 as usize);
        let found = scope.and_then(|scope| scope.names.get(&name.text)).cloned();
        match found {
            Some(Entry { symbol, export, span }) => {
                if export != ast::Export::None || self.may_see(&symbol) {
                    return (symbol, export);
                }
                let message = format!("`{}` is not exported by `{module_name}`", name.text);
                let mut error = Diagnostic::error(name.span, message).label("private");
                if let Some(span) = span {
                    error = error
                        .note(span, "declared here")
                        .hint(format!("export it there: `{}*`", name.text));
                }
                self.error(error);
            }
            None => {
                let message = format!("there is no `{}` in `{module_name}`", name.text);
                let mut error = Diagnostic::error(name.span, message).label("not declared there");
                let names = scope.into_iter().flat_map(|scope| scope.names.keys());
                if let Some(meant) = scope::similar(&name.text, names.map(String::as_str)) {
                    error = error.hint(format!("did you mean `{meant}`?"));
                }
                self.error(error);
            }
        }
        (Symbol::Invalid, ast::Export::Full)
    }

    /// An environment may use all ports, a formula everything.
    fn may_see(&self, symbol: &Symbol) -> bool {
        let is_port = |id: &VariableId| {
            let mut ports = Vec::new();
            self.program.types.ports(self.program.variable(*id).ty, 0, &mut ports);
            !ports.is_empty()
        };
        match symbol {
            _ if self.sees_all => true,
            Symbol::Variable(id) => self.is_environment && is_port(id),
            Symbol::Type(_) | Symbol::Constant { .. } => self.is_environment,
            _ => false,
        }
    }

    fn show(&self, ty: TypeId) -> String {
        self.program.types.show(ty)
    }

    /// What follows from an error.
    fn invalid(span: Span) -> crate::tree::Expr {
        crate::tree::Expr { kind: crate::tree::ExprKind::Constant(0), ty: Types::INVALID, span }
    }
}
