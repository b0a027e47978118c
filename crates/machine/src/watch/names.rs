//! The names that a proposition may use: variables, constants of enumerations, functions, events.

use crate::code::{Callee, Code, Program};
use crate::value::ObjectId;
use auspex_llvm::debug::{DebugFileId, ScopeId, ScopeKind, TypeKind, TypeRef};
use auspex_llvm::ir::GlobalId;

/// What a name of the source may stand for.
pub struct Names<'p> {
    pub program: &'p Program,
    pub variables: Vec<Variable>,
    pub constants: Vec<Constant>,
    pub functions: Vec<SourceFunction>,
    /// Those raised with a name that stands in the text.
    pub events: Vec<String>,
    /// Some event is raised with a name that is computed.
    pub unknown_events: bool,
}

/// A name with what it is inside of, the outermost first: `["module", "f", "count"]`.
pub type Path = Vec<String>;

#[derive(Clone, Debug)]
pub struct Variable {
    pub path: Path,
    pub home: Home,
    pub ty: Option<TypeRef>,
}

/// Where a variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Home {
    Object(ObjectId),
    ThreadLocal,
    /// The compiler did not keep it.
    Nowhere,
}

#[derive(Clone, Debug)]
pub struct Constant {
    pub path: Path,
    pub value: i128,
}

#[derive(Clone, Debug)]
pub struct SourceFunction {
    pub path: Path,
    /// The name in the module, where that is another.
    pub symbol: String,
    pub index: u32,
}

/// Does a name mean a path: all of it, or its end?
pub fn means(name: &str, path: &Path) -> bool {
    let parts: Vec<&str> = name.split("::").collect();
    path.len() >= parts.len() && path[path.len() - parts.len()..].iter().eq(parts)
}

pub fn text(path: &Path) -> String {
    path.join("::")
}

impl<'p> Names<'p> {
    pub fn new(program: &'p Program) -> Names<'p> {
        let mut names = Names {
            program,
            variables: Vec::new(),
            constants: Vec::new(),
            functions: Vec::new(),
            events: Vec::new(),
            unknown_events: false,
        };
        names.add_variables();
        names.add_functions();
        names.add_constants();
        names.add_events();
        names
    }

    fn name(&self, name: auspex_llvm::ir::Name) -> &'p str {
        &self.program.module.names[name]
    }

    /// The namespaces, classes and functions that a scope is in.
    fn path(&self, scope: Option<ScopeId>, own: &str) -> Path {
        let debug = &self.program.module.debug;
        let mut path: Path = debug
            .enclosing(scope)
            .filter_map(|scope| match scope.kind {
                ScopeKind::Namespace(name) => name,
                ScopeKind::Type(ty) => debug[ty].name,
                ScopeKind::Function(function) => debug[function].name,
                _ => None,
            })
            .map(|name| self.name(name).to_owned())
            .collect();
        path.reverse();
        path.push(own.to_owned());
        path
    }

    fn home(&self, global: Option<GlobalId>) -> Home {
        let program = self.program;
        let Some(global) = global else { return Home::Nowhere };
        if program.thread_locals.iter().any(|data| data.global == global) {
            return Home::ThreadLocal;
        }
        let place = program.globals.iter().position(|data| data.global == global);
        place.map_or(Home::Nowhere, |place| Home::Object(place as ObjectId + 1))
    }

    fn is_runtime(&self, global: Option<GlobalId>) -> bool {
        let program = self.program;
        let mut all = program.globals.iter().chain(&program.thread_locals);
        all.any(|data| Some(data.global) == global && data.runtime)
    }

    fn add_variables(&mut self) {
        for variable in &self.program.module.debug.globals {
            let Some(name) = variable.name else { continue };
            if self.is_runtime(variable.global) {
                continue;
            }
            let home = self.home(variable.global);
            let path = self.path(variable.scope, self.name(name));
            // A variable of a header is described in each file that includes it.
            if !self.variables.iter().any(|it| (&it.path, it.home) == (&path, home)) {
                self.variables.push(Variable { path, home, ty: variable.ty });
            }
        }
        // What was optimised away in one file may be there in another.
        let all = self.variables.clone();
        let is_elsewhere = |it: &Variable| {
            let same = |other: &Variable| other.path == it.path && other.home != Home::Nowhere;
            it.home == Home::Nowhere && all.iter().any(same)
        };
        self.variables.retain(|variable| !is_elsewhere(variable));
    }

    fn add_functions(&mut self) {
        let module = &self.program.module;
        for (index, function) in self.program.functions.iter().enumerate() {
            if !function.defined || function.native.is_some() || function.runtime {
                continue;
            }
            let debug = module.function(function.global).and_then(|function| function.debug);
            let path = match debug.map(|id| &module.debug[id]) {
                Some(known) => {
                    let own = known.name.map_or(function.name.as_str(), |name| self.name(name));
                    self.path(known.parent, own)
                }
                None => vec![function.name.clone()],
            };
            let symbol = function.name.clone();
            self.functions.push(SourceFunction { path, symbol, index: index as u32 });
        }
    }

    /// The directory of a file, if that is known.
    fn directory(&self, file: DebugFileId) -> Option<&'p str> {
        let file = &self.program.module.debug[file];
        let own = self.name(file.name).rsplit_once('/').map(|(directory, _)| directory);
        Some(own.unwrap_or(self.name(file.directory))).filter(|directory| !directory.is_empty())
    }

    /// Where the functions of the library come from: its enumerations are its own affair.
    fn runtime_directories(&self) -> Vec<&'p str> {
        let module = &self.program.module;
        let functions = self.program.functions.iter().filter(|function| function.runtime);
        let debug = functions.filter_map(|it| module.function(it.global)?.debug);
        debug.filter_map(|id| self.directory(module.debug[id].file?)).collect()
    }

    fn add_constants(&mut self) {
        let library = self.runtime_directories();
        for ty in &self.program.module.debug.types {
            let TypeKind::Enumeration { enumerators, .. } = &ty.kind else { continue };
            let directory = ty.file.and_then(|file| self.directory(file));
            if directory.is_some_and(|directory| library.contains(&directory)) {
                continue;
            }
            for enumerator in enumerators {
                let Some(name) = enumerator.name else { continue };
                let mut path = self.path(ty.scope, self.name(name));
                if let Some(ty) = ty.name {
                    path.insert(path.len() - 1, self.name(ty).to_owned());
                }
                self.constants.push(Constant { path, value: enumerator.value });
            }
        }
    }

    /// The names of events: strings that are given to `__auspex_event`.
    fn add_events(&mut self) {
        let program = self.program;
        let event = program.functions.iter().position(|it| it.name == "__auspex_event");
        let Some(event) = event else { return };
        for code in program.functions.iter().flat_map(|function| &function.code) {
            let Code::Call(call) = code else { continue };
            if !matches!(call.callee, Callee::Direct(callee) if callee as usize == event) {
                continue;
            }
            let name = call.arguments.first().and_then(|argument| self.string(argument.value));
            match name {
                Some(name) => self.events.push(name),
                None => self.unknown_events = true,
            }
        }
        self.events.sort();
        self.events.dedup();
    }

    /// A constant of the text.
    fn string(&self, arg: crate::code::Arg) -> Option<String> {
        let crate::code::Arg::Const(index) = arg else { return None };
        let value = self.program.pool[index as usize];
        let is_constant = value.object > self.program.variable_globals;
        let data = self.program.globals.get((value.object as usize).checked_sub(1)?)?;
        let bytes = data.object.bytes.get(value.bits as usize..).filter(|_| is_constant)?;
        let end = bytes.iter().position(|byte| *byte == 0)?;
        String::from_utf8(bytes[..end].to_vec()).ok()
    }

    /// Is the code of a function also elsewhere, so that being in it does not show?
    pub fn is_inlined(&self, name: &str) -> bool {
        let (debug, library) = (&self.program.module.debug, self.runtime_directories());
        let mut inlined = debug.locations.iter().filter(|at| at.inlined_at.is_some());
        inlined.any(|at| {
            let function = at.scope.and_then(|scope| debug.function_of(scope));
            let Some(function) = function.map(|id| &debug[id]) else { return false };
            let directory = function.file.and_then(|file| self.directory(file));
            if directory.is_some_and(|directory| library.contains(&directory)) {
                return false;
            }
            let own = function.name.map(|own| self.path(function.parent, self.name(own)));
            own.is_some_and(|path| means(name, &path))
                || function.linkage_name.is_some_and(|it| self.name(it) == name)
        })
    }

    /// Functions of this name.
    pub fn functions_of(&self, name: &str) -> Vec<&SourceFunction> {
        let named = |it: &&SourceFunction| it.symbol == name || means(name, &it.path);
        self.functions.iter().filter(named).collect()
    }

    /// What a name was perhaps meant to be.
    pub fn similar<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<String> {
        let mut best: Vec<(usize, &str)> =
            known.map(|it| (distance(name, it), it)).filter(|(by, _)| *by <= 2).collect();
        best.sort();
        best.dedup();
        let best: Vec<String> = best.iter().take(3).map(|(_, it)| format!("`{it}`")).collect();
        (!best.is_empty()).then(|| format!("is it {}?", best.join(" or ")))
    }
}

/// How many letters must be added, left out or changed; a difference of case counts half, and
/// large ones are not computed.
fn distance(a: &str, b: &str) -> usize {
    if a.eq_ignore_ascii_case(b) {
        return 0;
    }
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    // Of short names everything is similar to everything.
    if a.len().abs_diff(b.len()) > 2 || a.len().min(b.len()) < 3 || a.len() > 100 {
        return usize::MAX;
    }
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let changed = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}
