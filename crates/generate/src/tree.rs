//! A specification in its implementation reading, with names and types known: what every generator prints.
//!
//! What stands in `promela_MS` is left out, but for its variables, which implementation code may define under the same
//! name, and for a mark where it stood. What can only be said of a model (`enabled`, `P@label`, ...) does not get here.

use auspex_promela::ast::{ChanTest, Code, PlainOp, UnaryOp};
use auspex_system::Span;

#[derive(Clone, Debug, Default)]
pub struct Spec {
    /// Of the file, without its ending.
    pub name: String,
    /// The sets of `mtype`; the first is the one without a name, possibly empty.
    pub sets: Vec<Set>,
    pub records: Vec<Record>,
    /// All of them, globals, parameters and locals; a [`VarId`] is an index.
    pub variables: Vec<Variable>,
    /// What stands among the globals, in order.
    pub globals: Vec<Global>,
    /// In the order of the text, `init` where it stands. `env` ones too, so that `run` finds them.
    pub processes: Vec<Process>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VarId(pub usize);

#[derive(Clone, Debug, Default)]
pub struct Set {
    pub name: Option<String>,
    /// The names of 1, 2, ...
    pub names: Vec<String>,
}

#[derive(Clone, Debug)]
pub struct Record {
    pub name: String,
    /// Declared in `promela_MS`.
    pub model_only: bool,
    pub items: Vec<RecordItem>,
}

#[derive(Clone, Debug)]
pub enum RecordItem {
    Field(Field),
    Code(Code),
}

#[derive(Clone, Debug)]
pub struct Field {
    pub name: String,
    pub ty: Type,
    /// Of an array.
    pub length: Option<u32>,
    pub initial: Initial,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    Bit,
    Bool,
    Byte,
    Short,
    Int,
    /// With so many bits.
    Unsigned(u8),
    Pid,
    /// An index into [`Spec::sets`].
    Mtype(usize),
    Chan,
    /// An index into [`Spec::records`].
    Record(usize),
}

#[derive(Clone, Debug)]
pub struct Variable {
    /// As written.
    pub name: String,
    /// Different from those of all others of its process and of all globals: the name, with a number behind it
    /// where sibling blocks use it twice. (Code in other languages that stands here uses it, too.)
    pub ident: String,
    pub ty: Type,
    /// Of an array.
    pub length: Option<u32>,
    pub initial: Initial,
    /// A local that is declared after the first statement: 0 until its [`Kind::Initialise`], fields included.
    pub is_late: bool,
    /// The process that it belongs to: an index into [`Spec::processes`].
    pub owner: Option<usize>,
    pub is_parameter: bool,
    /// Declared in `promela_MS`: if the implementation has it, then by its own code.
    pub model_only: bool,
    /// `hidden`, `show` and `local` make no difference here.
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum Initial {
    Zero,
    /// Of each element, if it is an array.
    Value(Expr),
    List(Vec<Expr>),
    /// A channel, or one for each element.
    Channel(ChannelType),
}

/// `[capacity] of { fields }`, the fields of records one after the other.
#[derive(Clone, Debug)]
pub struct ChannelType {
    pub capacity: u32,
    pub fields: Vec<Type>,
}

#[derive(Clone, Debug)]
pub enum Global {
    Variable(VarId),
    Code(Code),
}

#[derive(Clone, Debug)]
pub struct Process {
    pub name: String,
    pub is_init: bool,
    /// Part of the environment: never generated.
    pub is_env: bool,
    /// How many there are at the start.
    pub active: u32,
    /// That they have.
    pub priority: u8,
    pub provided: Option<Expr>,
    pub params: Vec<VarId>,
    /// In the order of the text, those of inner blocks too; parameters are not among them.
    pub locals: Vec<VarId>,
    pub body: Block,
    pub span: Span,
    /// The closing brace.
    pub end: Span,
}

impl Spec {
    pub fn variable(&self, id: VarId) -> &Variable {
        &self.variables[id.0]
    }

    /// All scalars of a variable that is no array: itself, or the fields of a record one after the other.
    pub fn scalars(&self, id: VarId) -> Vec<Place> {
        let variable = self.variable(id);
        let place = Place { var: id, path: Vec::new(), ty: variable.ty, span: variable.span };
        self.fields(place)
    }

    /// The scalars of a place: the fields of a record one after the other, arrays element by element.
    pub fn fields(&self, place: Place) -> Vec<Place> {
        let Type::Record(record) = place.ty else { return vec![place] };
        let mut places = Vec::new();
        for (item, field) in self.records[record].items.iter().enumerate() {
            let RecordItem::Field(field) = field else { continue };
            let name = field.name.clone();
            let mut part = Place { ty: field.ty.stored(field.length), ..place.clone() };
            part.path.push(Selector::Field { record, item, name });
            let Some(length) = field.length else {
                places.extend(self.fields(part));
                continue;
            };
            for i in 0..length {
                let mut element = part.clone();
                element.path.push(Selector::Index(Box::new(Expr::Number(i as i32)), length));
                places.extend(self.fields(element));
            }
        }
        places
    }

    /// Where the arguments of a process go, in the order of those of [`Expr::Run`].
    pub fn parameter_places(&self, process: usize) -> Vec<Place> {
        self.processes[process].params.iter().flat_map(|id| self.scalars(*id)).collect()
    }
}

impl Type {
    /// How a variable of this type is kept: in an array, a bit is a whole byte.
    pub fn stored(self, length: Option<u32>) -> Type {
        match (self, length) {
            (Type::Bit | Type::Bool, Some(_)) => Type::Byte,
            _ => self,
        }
    }

    /// What is left of a value after it was stored, in the model.
    pub fn cut(self, value: i32) -> i32 {
        match self {
            Type::Bit | Type::Bool => value & 1,
            Type::Byte | Type::Pid | Type::Mtype(_) | Type::Chan => value & 0xff,
            Type::Short => i32::from(value as i16),
            Type::Int | Type::Unsigned(32..) | Type::Record(_) => value,
            Type::Unsigned(width) => value & ((1u32 << width) - 1) as i32,
        }
    }
}

/// Statements one after the other.
pub type Block = Vec<Stmt>;

#[derive(Clone, Debug)]
pub struct Stmt {
    pub labels: Vec<String>,
    pub kind: Kind,
    pub span: Span,
    /// As written, in one line.
    pub text: String,
}

#[derive(Clone, Debug)]
pub enum Kind {
    /// A declaration after the first statement: sets the variable to [`Variable::initial`], each time anew; of an
    /// array the first element, of a record nothing at all. Those before it are set when the process begins, in the
    /// order of [`Process::locals`], and are no statements.
    Initialise(VarId),
    /// Each option is a sequence whose first statement is its guard.
    If(Vec<Block>),
    Do(Vec<Block>),
    For {
        var: Place,
        range: Range,
        body: Block,
    },
    Select {
        var: Place,
        low: Expr,
        high: Expr,
    },
    Atomic(Block),
    DStep(Block),
    /// Braces, or an inline that was called.
    Block(Block),
    Unless {
        main: Block,
        escape: Block,
    },
    /// Values for the fields, records taken apart.
    Send {
        chan: Place,
        args: Vec<Expr>,
        sorted: bool,
    },
    Receive {
        chan: Place,
        args: Vec<Arg>,
        /// `??`
        random: bool,
        /// `?<...>`
        keep: bool,
    },
    Assign {
        target: Place,
        value: Expr,
    },
    Increment {
        target: Place,
        by: i32,
    },
    Assert(Expr),
    /// `printf` or `printm`.
    Print(Vec<PrintPart>),
    Break,
    Goto(String),
    Else,
    /// Waits until it is not 0. `run P()` alone is one, too.
    Condition(Expr),
    Skip,
    /// The process with this number gets this priority.
    SetPriority(Expr, Expr),
    Code(Code),
    /// Where a `promela_MS` stood.
    ModelOnly,
}

impl Kind {
    /// The sequences inside.
    pub fn blocks(&self) -> Vec<&Block> {
        match self {
            Kind::If(options) | Kind::Do(options) => options.iter().collect(),
            Kind::For { body, .. } | Kind::Atomic(body) | Kind::DStep(body) | Kind::Block(body) => {
                vec![body]
            }
            Kind::Unless { main, escape } => vec![main, escape],
            _ => Vec::new(),
        }
    }

    pub fn blocks_mut(&mut self) -> Vec<&mut Block> {
        match self {
            Kind::If(options) | Kind::Do(options) => options.iter_mut().collect(),
            Kind::For { body, .. } | Kind::Atomic(body) | Kind::DStep(body) | Kind::Block(body) => {
                vec![body]
            }
            Kind::Unless { main, escape } => vec![main, escape],
            _ => Vec::new(),
        }
    }
}

impl Kind {
    /// Goes through the expressions of the statement, not of those in it.
    pub fn visit(&self, see: &mut impl FnMut(&Expr)) {
        match self {
            Kind::For { var, range, .. } => {
                var.visit(see);
                if let Range::Between(low, high) = range {
                    [low, high].iter().for_each(|expr| expr.visit(see));
                }
            }
            Kind::Select { var, low, high } => {
                var.visit(see);
                [low, high].iter().for_each(|expr| expr.visit(see));
            }
            Kind::Send { chan, args, .. } => {
                chan.visit(see);
                args.iter().for_each(|arg| arg.visit(see));
            }
            Kind::Receive { chan, args, .. } => {
                chan.visit(see);
                args.iter().for_each(|arg| arg.visit(see));
            }
            Kind::Assign { target, value } => {
                target.visit(see);
                value.visit(see);
            }
            Kind::Increment { target, .. } => target.visit(see),
            Kind::Assert(expr) | Kind::Condition(expr) => expr.visit(see),
            Kind::SetPriority(pid, priority) => {
                [pid, priority].iter().for_each(|expr| expr.visit(see));
            }
            Kind::Print(parts) => {
                parts.iter().filter_map(PrintPart::value).for_each(|expr| expr.visit(see));
            }
            _ => {}
        }
    }
}

/// A piece of what is printed; its value as the format asks for it.
#[derive(Clone, Debug)]
pub enum PrintPart {
    /// The characters themselves: escapes are resolved, and `%%` is `%`.
    Text(String),
    Decimal(Expr),
    Unsigned(Expr),
    Hex(Expr),
    Octal(Expr),
    Character(Expr),
    /// The name of a constant of this set: an index into [`Spec::sets`]. A value without a name is printed as a number.
    Symbol(Expr, usize),
}

impl PrintPart {
    pub fn value(&self) -> Option<&Expr> {
        match self {
            PrintPart::Text(_) => None,
            PrintPart::Decimal(expr)
            | PrintPart::Unsigned(expr)
            | PrintPart::Hex(expr)
            | PrintPart::Octal(expr)
            | PrintPart::Character(expr)
            | PrintPart::Symbol(expr, _) => Some(expr),
        }
    }
}

#[derive(Clone, Debug)]
pub enum Range {
    Between(Expr, Expr),
    /// The indices of an array of this length.
    Indices(u32),
    /// The messages of a channel, received into the fields of a record and sent again.
    Messages {
        chan: Place,
        fields: Vec<Place>,
    },
}

#[derive(Clone, Debug)]
pub enum Arg {
    Store(Place),
    /// `_`
    Ignore,
    /// A constant or `eval(...)`: the field has to have this value.
    Match(Expr),
}

/// A variable or a part of one.
#[derive(Clone, Debug)]
pub struct Place {
    pub var: VarId,
    pub path: Vec<Selector>,
    /// Of what is selected, as it is kept ([`Type::stored`]).
    pub ty: Type,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum Selector {
    /// An element of an array with so many of them.
    Index(Box<Expr>, u32),
    /// An item of a record: the indices of both, and the field's name.
    Field { record: usize, item: usize, name: String },
}

#[derive(Clone, Debug)]
pub enum Expr {
    Number(i32),
    /// A name of a set.
    Constant {
        set: usize,
        value: i32,
    },
    Place(Place),
    Unary(UnaryOp, Box<Expr>),
    Binary(PlainOp, Box<Expr>, Box<Expr>),
    And(Box<Expr>, Box<Expr>),
    Or(Box<Expr>, Box<Expr>),
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    Len(Place),
    Test(ChanTest, Place),
    /// `q?[...]` or `q??[...]`
    Poll {
        chan: Place,
        args: Vec<Arg>,
        random: bool,
    },
    /// An index into [`Spec::processes`]; a value for each of [`Spec::parameter_places`]. Stands alone, or is all
    /// that is assigned.
    Run {
        process: usize,
        args: Vec<Expr>,
        /// 1, if nothing is said.
        priority: u8,
    },
    /// Of the process with this number.
    Priority(Box<Expr>),
    Timeout,
    /// `_pid`
    Pid,
    /// `_nr_pr`
    Processes,
    Code(Code),
}

impl Expr {
    /// The value, if it is known now.
    pub fn constant(&self) -> Option<i32> {
        match self {
            Expr::Number(value) | Expr::Constant { value, .. } => Some(*value),
            Expr::Unary(op, a) => {
                let a = a.constant()?;
                Some(match op {
                    UnaryOp::Not => i32::from(a == 0),
                    UnaryOp::Minus => a.wrapping_neg(),
                    UnaryOp::Complement => !a,
                })
            }
            Expr::Binary(op, a, b) => op.apply(a.constant()?, b.constant()?),
            Expr::And(a, b) => Some(i32::from(a.constant()? != 0 && b.constant()? != 0)),
            Expr::Or(a, b) => Some(i32::from(a.constant()? != 0 || b.constant()? != 0)),
            Expr::Conditional(c, a, b) => {
                let (c, a, b) = (c.constant()?, a.constant()?, b.constant()?);
                Some(if c != 0 { a } else { b })
            }
            _ => None,
        }
    }

    /// Goes through the expression and all in it.
    pub fn visit(&self, see: &mut impl FnMut(&Expr)) {
        see(self);
        match self {
            Expr::Unary(_, a) | Expr::Priority(a) => a.visit(see),
            Expr::Binary(_, a, b) | Expr::And(a, b) | Expr::Or(a, b) => {
                a.visit(see);
                b.visit(see);
            }
            Expr::Conditional(c, a, b) => [c, a, b].iter().for_each(|e| e.visit(see)),
            Expr::Place(place) | Expr::Len(place) | Expr::Test(_, place) => place.visit(see),
            Expr::Poll { chan, args, .. } => {
                chan.visit(see);
                args.iter().for_each(|arg| arg.visit(see));
            }
            Expr::Run { args, .. } => args.iter().for_each(|arg| arg.visit(see)),
            _ => {}
        }
    }
}

impl Arg {
    fn visit(&self, see: &mut impl FnMut(&Expr)) {
        match self {
            Arg::Store(place) => place.visit(see),
            Arg::Match(expr) => expr.visit(see),
            Arg::Ignore => {}
        }
    }
}

impl Place {
    /// Goes through the indices.
    pub fn visit(&self, see: &mut impl FnMut(&Expr)) {
        for selector in &self.path {
            if let Selector::Index(index, _) = selector {
                index.visit(see);
            }
        }
    }
}
