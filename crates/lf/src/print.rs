//! The syntax tree as tidy text. What it writes is read back as the same tree.

use auspex_system::Span;

use crate::ast::{
    Arm, BinaryOp, Communication, Creation, Declaration, Designator, Direction, Export, Expr,
    ExprKind, Ident, IdentDef, Module, Process, Section, Selector, Statement, StatementId,
    StatementKind, TypeExpr, TypeKind, UnaryOp, When,
};
use crate::lexer::char_literal;

/// Writes what is kept of a module. A statement or clause that is not kept is left out with all that is in it, and so
/// is a declared name (given by where it is declared). A `SELECT` none of whose clauses is kept is left out too: there
/// is no such thing in the language.
pub fn module(
    module: &Module,
    keep: &dyn Fn(StatementId) -> bool,
    keep_name: &dyn Fn(Span) -> bool,
) -> String {
    let mut printer = Printer { out: String::new(), indent: 0, in_choice: false, keep, keep_name };
    printer.module(module);
    printer.out
}

/// How tightly an expression binds; what binds less tightly than its place needs is put in parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Relation,
    Sum,
    Term,
    Factor,
}

struct Printer<'a> {
    out: String,
    indent: usize,
    /// Directly in an alternative of a `CHOICE`, where an `OR` would begin the next one.
    in_choice: bool,
    keep: &'a dyn Fn(StatementId) -> bool,
    keep_name: &'a dyn Fn(Span) -> bool,
}

/// Modules, processes and what they declare.
impl Printer<'_> {
    fn module(&mut self, module: &Module) {
        self.line(&format!("MODULE {};", module.name.text));
        if !module.imports.is_empty() {
            let imports =
                module.imports.iter().map(|import| match import.alias.text == import.module.text {
                    true => import.alias.text.clone(),
                    false => format!("{} := {}", import.alias.text, import.module.text),
                });
            let imports: Vec<_> = imports.collect();
            self.line(&format!("IMPORT {};", imports.join(", ")));
        }
        self.declarations(&module.declarations, true);
        self.out.push('\n');
        self.body(&module.body);
        self.line(&format!("END {}.", module.name.text));
    }

    /// With an empty line before each section if they are `apart`.
    fn declarations(&mut self, declarations: &[Declaration], apart: bool) {
        let mut section = "";
        for declaration in declarations {
            let (keyword, line) = match declaration {
                Declaration::Process(process) => {
                    if self.is_kept(&process.name) {
                        self.out.push('\n');
                        self.process(process);
                        section = "PROCESS";
                    }
                    continue;
                }
                other => match self.item(other) {
                    Some(item) => item,
                    None => continue,
                },
            };
            if section != keyword {
                // Behind a process there is an empty line everywhere.
                if apart || section == "PROCESS" {
                    self.out.push('\n');
                }
                self.line(keyword);
                section = keyword;
            }
            self.indented(|printer| printer.line(&format!("{line};")));
        }
        if section == "PROCESS" && !apart {
            self.out.push('\n');
        }
    }

    fn is_kept(&self, name: &IdentDef) -> bool {
        (self.keep_name)(name.name.span)
    }

    /// The keyword of its section and the text of what is kept of a declaration.
    fn item(&self, declaration: &Declaration) -> Option<(&'static str, String)> {
        match declaration {
            Declaration::Constant { name, value } => self.is_kept(name).then(|| {
                ("CONST", format!("{} = {}", ident_def(name), expr(value, Level::Relation)))
            }),
            Declaration::Type { name, ty } => self
                .is_kept(name)
                .then(|| ("TYPE", format!("{} = {}", ident_def(name), type_expr(ty)))),
            Declaration::Variables { names, ty, is_port } => {
                let kept: Vec<_> =
                    names.iter().filter(|name| self.is_kept(name)).map(ident_def).collect();
                let keyword = if *is_port { "PORT" } else { "VAR" };
                let line = format!("{}: {}", kept.join(", "), type_expr(ty));
                (!kept.is_empty()).then_some((keyword, line))
            }
            Declaration::Process(_) => None,
        }
    }

    fn process(&mut self, process: &Process) {
        let keyword = if process.is_property { "PROPERTY" } else { "PROCESS" };
        let parameters: Vec<_> = process.parameters.iter().map(section).collect();
        let parameters = match parameters.is_empty() {
            true => String::new(),
            false => format!("({})", parameters.join("; ")),
        };
        self.line(&format!("{keyword} {}{parameters};", ident_def(&process.name)));
        // What a process declares stands below it, its own processes further to the right.
        self.nested_declarations(&process.declarations);
        self.body(&process.body);
        self.line(&format!("END {};", process.name.name.text));
    }

    fn nested_declarations(&mut self, declarations: &[Declaration]) {
        let has_process = declarations
            .iter()
            .any(|it| matches!(it, Declaration::Process(process) if self.is_kept(&process.name)));
        match has_process {
            true => self.indented(|printer| printer.declarations(declarations, false)),
            false => self.declarations(declarations, false),
        }
    }

    fn body(&mut self, body: &[Statement]) {
        if self.kept(body).next().is_some() {
            self.line("BEGIN");
            self.statements(body);
        }
    }
}

/// Statements.
impl Printer<'_> {
    fn line(&mut self, text: &str) {
        for _ in 0..self.indent {
            self.out.push_str("  ");
        }
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn indented(&mut self, print: impl FnOnce(&mut Self)) {
        self.indent += 1;
        print(self);
        self.indent -= 1;
    }

    fn kept<'s>(&self, statements: &'s [Statement]) -> impl Iterator<Item = &'s Statement> {
        let keep = self.keep;
        statements.iter().filter(move |statement| {
            let has_clause = match &statement.kind {
                StatementKind::Select(clauses) => clauses.iter().any(|clause| keep(clause.id)),
                _ => true,
            };
            keep(statement.id) && has_clause
        })
    }

    fn statements(&mut self, statements: &[Statement]) {
        let kept: Vec<_> = self.kept(statements).collect();
        self.indented(|printer| {
            for (index, statement) in kept.iter().enumerate() {
                printer.statement(statement);
                if index + 1 < kept.len() {
                    // Behind the statement, not on a line of its own.
                    printer.out.pop();
                    printer.out.push_str(";\n");
                }
            }
        });
    }

    fn statement(&mut self, statement: &Statement) {
        if let Some(text) = self.simple_statement(&statement.kind) {
            self.line(&text);
            return;
        }
        let outer = std::mem::replace(&mut self.in_choice, false);
        self.structured_statement(&statement.kind);
        self.in_choice = outer;
    }

    /// A statement that has no others in it.
    fn simple_statement(&self, kind: &StatementKind) -> Option<String> {
        Some(match kind {
            StatementKind::Assign { target, value } => {
                format!("{} := {}", designator(target), self.expr(value))
            }
            StatementKind::Call { callee, arguments } => {
                format!("{}{}", designator(callee), optional_arguments(arguments))
            }
            StatementKind::Create(creations) => {
                let creations: Vec<_> = creations.iter().map(|it| self.creation(it)).collect();
                format!("CREATE {}", creations.join(", "))
            }
            StatementKind::Communicate(it) => communication(it),
            StatementKind::Exit => "EXIT".to_string(),
            StatementKind::Return => "RETURN".to_string(),
            _ => return None,
        })
    }

    fn creation(&self, creation: &Creation) -> String {
        let mut text =
            format!("{}{}", designator(&creation.callee), optional_arguments(&creation.arguments));
        let attributes = [("DEADLINE", &creation.deadline), ("PERIOD", &creation.period)];
        for (word, value) in attributes {
            if let Some(value) = value {
                text += &format!(" {word} {}", self.expr(value));
            }
        }
        text
    }

    /// An expression at the end of a statement: an `OR` in it could be taken for the next alternative.
    fn expr(&self, value: &Expr) -> String {
        match self.in_choice && has_open_or(value) {
            true => format!("({})", expr(value, Level::Relation)),
            false => expr(value, Level::Relation),
        }
    }

    fn structured_statement(&mut self, kind: &StatementKind) {
        match kind {
            StatementKind::Select(clauses) => self.select(clauses),
            StatementKind::If { arms, otherwise } => {
                for (index, (condition, body)) in arms.iter().enumerate() {
                    let keyword = if index == 0 { "IF" } else { "ELSIF" };
                    self.line(&format!("{keyword} {} THEN", self.expr(condition)));
                    self.statements(body);
                }
                self.otherwise(otherwise);
            }
            StatementKind::While { condition, body } => {
                self.line(&format!("WHILE {} DO", self.expr(condition)));
                self.statements(body);
                self.line("END");
            }
            StatementKind::Repeat { body, until } => {
                self.line("REPEAT");
                self.statements(body);
                self.line(&format!("UNTIL {}", self.expr(until)));
            }
            StatementKind::For { variable, from, to, by, body } => {
                let by = by.as_ref().map_or(String::new(), |by| format!(" BY {}", self.expr(by)));
                let range = format!("{} TO {}", self.expr(from), self.expr(to));
                self.line(&format!("FOR {} := {range}{by} DO", variable.text));
                self.statements(body);
                self.line("END");
            }
            StatementKind::Loop { body } => {
                self.line("LOOP");
                self.statements(body);
                self.line("END");
            }
            StatementKind::Case { value, arms, otherwise } => self.case(value, arms, otherwise),
            StatementKind::Choice(alternatives) => self.choice(alternatives),
            // The others are simple.
            _ => {}
        }
    }

    fn otherwise(&mut self, otherwise: &Option<Vec<Statement>>) {
        if let Some(body) = otherwise {
            self.line("ELSE");
            self.statements(body);
        }
        self.line("END");
    }

    fn select(&mut self, clauses: &[When]) {
        self.line("SELECT");
        self.indented(|printer| {
            for clause in clauses.iter().filter(|clause| (printer.keep)(clause.id)) {
                let guard = clause.guard.as_ref();
                let guard = guard.map_or(String::new(), |it| format!(" & {}", printer.expr(it)));
                printer.line(&format!("WHEN {}{guard} THEN", communication(&clause.communication)));
                printer.statements(&clause.body);
            }
        });
        self.line("END");
    }

    fn case(&mut self, value: &Expr, arms: &[Arm], otherwise: &Option<Vec<Statement>>) {
        self.line(&format!("CASE {} OF", self.expr(value)));
        for (index, arm) in arms.iter().enumerate() {
            let bar = if index == 0 { "  " } else { "| " };
            self.line(&format!("{bar}{}:", ranges(&arm.labels)));
            self.indented(|printer| printer.statements(&arm.body));
        }
        self.otherwise(otherwise);
    }

    fn choice(&mut self, alternatives: &[Vec<Statement>]) {
        self.in_choice = true;
        for (index, alternative) in alternatives.iter().enumerate() {
            self.line(if index == 0 { "CHOICE" } else { "OR" });
            self.statements(alternative);
            // The condition of an `UNTIL` would go on with the `OR`.
            let is_open = self
                .kept(alternative)
                .last()
                .is_some_and(|last| matches!(last.kind, StatementKind::Repeat { .. }));
            if is_open && index + 1 < alternatives.len() {
                self.out.pop();
                self.out.push_str(";\n");
            }
        }
        self.line("END");
    }
}

fn ident_def(name: &IdentDef) -> String {
    let mark = match name.export {
        Export::None => "",
        Export::Full => "*",
        Export::ReadOnly => "-",
    };
    format!("{}{mark}", name.name.text)
}

fn names(names: &[Ident]) -> String {
    let names: Vec<_> = names.iter().map(|name| name.text.as_str()).collect();
    names.join(", ")
}

fn section(section: &Section) -> String {
    let var = if section.by_reference { "VAR " } else { "" };
    format!("{var}{}: {}", names(&section.names), type_expr(&section.ty))
}

fn type_expr(ty: &TypeExpr) -> String {
    match &ty.kind {
        TypeKind::Name(name) => match &name.module {
            Some(module) => format!("{}.{}", module.text, name.name.text),
            None => name.name.text.clone(),
        },
        TypeKind::Array { lengths, element } => match lengths.is_empty() {
            true => format!("ARRAY OF {}", type_expr(element)),
            false => format!("ARRAY {} OF {}", list(lengths), type_expr(element)),
        },
        TypeKind::Record { fields } => {
            let fields = fields.iter().map(|(it, ty)| format!("{}: {}", names(it), type_expr(ty)));
            let fields: Vec<_> = fields.collect();
            match fields.is_empty() {
                true => "RECORD END".to_string(),
                false => format!("RECORD {} END", fields.join("; ")),
            }
        }
        TypeKind::Channel { messages } => {
            let messages = messages.iter().map(|message| {
                let fields: Vec<_> = message.fields.iter().map(type_expr).collect();
                match fields.is_empty() {
                    true => message.name.text.clone(),
                    false => format!("{}({})", message.name.text, fields.join(", ")),
                }
            });
            let messages: Vec<_> = messages.collect();
            format!("[{}]", messages.join(", "))
        }
    }
}

fn communication(communication: &Communication) -> String {
    let mark = match communication.direction {
        Direction::Send => '!',
        Direction::Receive => '?',
    };
    let arguments = optional_arguments(&communication.arguments);
    format!("{}{mark}{}{arguments}", designator(&communication.port), communication.message.text)
}

fn designator(designator: &Designator) -> String {
    let mut text = designator.name.text.clone();
    for selector in &designator.selectors {
        match selector {
            Selector::Field(name) => text += &format!(".{}", name.text),
            Selector::Index(indices, _) => text += &format!("[{}]", list(indices)),
        }
    }
    text
}

fn optional_arguments(arguments: &[Expr]) -> String {
    match arguments.is_empty() {
        true => String::new(),
        false => format!("({})", list(arguments)),
    }
}

fn list(list: &[Expr]) -> String {
    let list: Vec<_> = list.iter().map(|it| expr(it, Level::Relation)).collect();
    list.join(", ")
}

fn ranges(ranges: &[(Expr, Option<Expr>)]) -> String {
    let text = |(from, to): &(Expr, Option<Expr>)| match to {
        Some(to) => format!("{}..{}", expr(from, Level::Relation), expr(to, Level::Relation)),
        None => expr(from, Level::Relation),
    };
    let ranges: Vec<_> = ranges.iter().map(text).collect();
    ranges.join(", ")
}

/// An expression in a place for something of a level.
fn expr(it: &Expr, place: Level) -> String {
    let (text, level) = match &it.kind {
        ExprKind::Integer(value) => integer(*value),
        ExprKind::Hex(value) => (hex(*value), Level::Factor),
        ExprKind::Char(code) => (char_literal(*code), Level::Factor),
        ExprKind::String(text) => {
            let quote = if text.contains('"') { '\'' } else { '"' };
            (format!("{quote}{text}{quote}"), Level::Factor)
        }
        ExprKind::Set(elements) => (format!("{{{}}}", ranges(elements)), Level::Factor),
        ExprKind::Designator(it) => (designator(it), Level::Factor),
        ExprKind::Call { callee, arguments } => {
            (format!("{}({})", designator(callee), list(arguments)), Level::Factor)
        }
        ExprKind::Paren(inner) => (format!("({})", expr(inner, Level::Relation)), Level::Factor),
        ExprKind::Unary { op, operand } => match op {
            UnaryOp::Plus => (format!("+{}", expr(operand, Level::Term)), Level::Sum),
            UnaryOp::Minus => (format!("-{}", expr(operand, Level::Term)), Level::Sum),
            UnaryOp::Not => (format!("~{}", expr(operand, Level::Factor)), Level::Factor),
        },
        ExprKind::Binary { op, left, right, .. } => {
            let level = level(*op);
            // Operators bind to the left, and comparisons not at all.
            let (before, behind) = match level {
                Level::Relation => (Level::Sum, Level::Sum),
                Level::Sum => (Level::Sum, Level::Term),
                _ => (Level::Term, Level::Factor),
            };
            (format!("{} {} {}", expr(left, before), op.sign(), expr(right, behind)), level)
        }
    };
    match level < place {
        true => format!("({text})"),
        false => text,
    }
}

/// A tree that was read has no negative numbers in it, but one that was made may.
fn integer(value: i64) -> (String, Level) {
    match value {
        i64::MIN => (format!("-{} - 1", i64::MAX), Level::Sum),
        _ if value < 0 => (value.to_string(), Level::Sum),
        _ => (value.to_string(), Level::Factor),
    }
}

/// It begins with a digit. What was read is not negative.
pub(crate) fn hex(value: i64) -> String {
    let digits = format!("{value:X}H");
    if digits.starts_with(|c: char| c.is_ascii_digit()) { digits } else { format!("0{digits}") }
}

/// Whether there is an `OR` in no parentheses.
fn has_open_or(it: &Expr) -> bool {
    match &it.kind {
        ExprKind::Binary { op: BinaryOp::Or, .. } => true,
        ExprKind::Binary { op, left, right, .. } => {
            level(*op) == Level::Relation && (has_open_or(left) || has_open_or(right))
                || level(*op) == Level::Sum && has_open_or(left)
        }
        _ => false,
    }
}

fn level(op: BinaryOp) -> Level {
    use BinaryOp::*;
    match op {
        Equal | Unequal | Less | LessEqual | Greater | GreaterEqual | In => Level::Relation,
        Add | Subtract | Or => Level::Sum,
        Multiply | Slash | Div | Mod | And => Level::Term,
    }
}
