//! Promela as written: names unresolved, macros and inlines already expanded.

pub use auspex_process::ir::{BinaryOp as PlainOp, ChannelTest as ChanTest, UnaryOp};
use auspex_system::Span;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    pub text: String,
    pub span: Span,
}

#[derive(Clone, Debug, Default)]
pub struct Program {
    pub items: Vec<Item>,
}

#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant)] // a program has few items
pub enum Item {
    Typedef {
        name: Name,
        fields: Vec<Decl>,
        /// Fields of the implementation only, each with the number of the field that it stands before.
        code: Vec<(usize, Code)>,
    },
    /// `mtype = { a, b }` or `mtype:set = { a, b }`.
    Mtype {
        set: Option<Name>,
        names: Vec<Name>,
    },
    Global(Decl),
    Proctype(Proctype),
    Claim(Claim),
    Ltl(Ltl),
    Code(Code),
    /// `promela_MS { ... }` outside of processes.
    ModelOnly(Vec<Item>),
}

/// Text in another language: `c_code { ... }`, `rust_expr_IS { ... }`, ...
#[derive(Clone, Debug)]
pub struct Code {
    pub primitive: Primitive,
    pub language: Language,
    /// `_IS`: of the implementation only.
    pub specific: bool,
    /// `[ expression ]` before the braces.
    pub guard: Option<String>,
    /// What stands between the braces, macros expanded, without the indentation that all lines share.
    /// Of `c_state` and `c_track`: the strings as written, one per line.
    pub text: String,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Primitive {
    Code,
    Expr,
    Decl,
    State,
    Track,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    C,
    Rust,
}

/// `proctype`, `D_proctype` or `init`.
#[derive(Clone, Debug)]
pub struct Proctype {
    pub name: Name,
    pub is_init: bool,
    pub params: Vec<Decl>,
    pub active: Option<Active>,
    /// `env`: a part of the environment, which is in the model only.
    pub env: bool,
    /// `D_proctype`
    pub deterministic: bool,
    pub priority: Option<Expr>,
    pub provided: Option<Expr>,
    pub body: Sequence,
    /// The closing brace: where the process ends.
    pub end: Span,
}

/// `active` or `active [count]`.
#[derive(Clone, Debug)]
pub struct Active {
    pub count: Option<Expr>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimKind {
    Never,
    Trace,
    Notrace,
}

#[derive(Clone, Debug)]
pub struct Claim {
    pub kind: ClaimKind,
    pub name: Option<Name>,
    pub body: Sequence,
    pub span: Span,
}

/// An `ltl` block.
#[derive(Clone, Debug)]
pub struct Ltl {
    pub name: Option<Name>,
    /// The formula as text, macros expanded.
    pub text: String,
    /// Its atoms are the propositions, by number.
    pub formula: auspex_ltl::Formula,
    pub propositions: Vec<Proposition>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Proposition {
    pub text: String,
    pub expr: Expr,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visibility {
    Plain,
    Hidden,
    Show,
    Local,
}

/// One declaration: a type and the variables of that type.
#[derive(Clone, Debug)]
pub struct Decl {
    pub visibility: Visibility,
    pub ty: TypeName,
    pub vars: Vec<VarDecl>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum TypeName {
    Bit,
    Bool,
    Byte,
    Short,
    Int,
    Unsigned,
    Pid,
    Mtype(Option<Name>),
    Chan,
    User(Name),
}

#[derive(Clone, Debug)]
pub struct VarDecl {
    pub name: Name,
    /// `unsigned x : width`
    pub width: Option<Expr>,
    pub array: Option<Expr>,
    pub init: Option<Init>,
    pub span: Span,
    /// The declaration as written, for traces of those that are steps: `int x = 3`.
    pub text: String,
}

#[derive(Clone, Debug)]
pub enum Init {
    Expr(Expr),
    /// `{ 1, 2, 3 }`
    List(Vec<Expr>),
    /// `[capacity] of { fields }`
    Chan {
        capacity: Expr,
        fields: Vec<TypeName>,
        span: Span,
    },
}

#[derive(Clone, Debug)]
pub struct Sequence {
    pub stmts: Vec<Stmt>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Stmt {
    pub labels: Vec<Name>,
    pub kind: StmtKind,
    /// Where it stands in the user's file: for a statement out of a macro, where the macro is used; for one out
    /// of an inline, its place in the inline's body.
    pub span: Span,
    /// The statement as written, in one line.
    pub text: String,
}

#[derive(Clone, Debug)]
pub enum StmtKind {
    Decl(Decl),
    /// `xr q1, q2` (`sends` false) or `xs`.
    Exclusive {
        sends: bool,
        chans: Vec<VarRef>,
    },
    If(Vec<Sequence>),
    Do(Vec<Sequence>),
    For {
        var: VarRef,
        range: ForRange,
        body: Sequence,
    },
    Select {
        var: VarRef,
        low: Expr,
        high: Expr,
    },
    Atomic(Sequence),
    DStep(Sequence),
    Block(Sequence),
    /// The call of an inline: its body, in a scope of its own.
    Inline {
        name: Name,
        body: Sequence,
    },
    Unless {
        main: Box<Stmt>,
        escape: Box<Stmt>,
    },
    Send {
        chan: VarRef,
        args: Vec<Expr>,
        /// `!!`
        sorted: bool,
    },
    Receive {
        chan: VarRef,
        args: Vec<RecvArg>,
        /// `??`
        random: bool,
        /// `?<...>`: the message stays.
        keep: bool,
    },
    Assign {
        target: VarRef,
        value: Expr,
    },
    /// `x++` (`by` is 1) or `x--` (`by` is -1).
    Increment {
        target: VarRef,
        by: i32,
    },
    Assert(Expr),
    Printf {
        format: String,
        args: Vec<Expr>,
    },
    Printm(Expr),
    Break,
    Goto(Name),
    Else,
    /// A condition, `skip`, or `run` alone.
    Expr(Expr),
    /// A label before a closing brace or a lone `;`.
    Empty,
    Code(Code),
    /// `promela_MS { ... }`: no scope of its own, what it declares is known behind it.
    ModelOnly(Sequence),
}

#[derive(Clone, Debug)]
pub enum ForRange {
    /// `for (i : low .. high)`
    Between(Expr, Expr),
    /// `for (i in name)`
    In(VarRef),
}

#[derive(Clone, Debug)]
pub enum RecvArg {
    /// A variable, `_`, or the name of an mtype constant.
    Name(VarRef),
    /// A literal number, possibly negative, `true`, `false`.
    Constant(Expr),
    Eval(Expr),
}

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    Number(i32),
    /// A variable, an mtype constant, or one of `_pid`, `_nr_pr`, `_last`.
    Name(VarRef),
    Unary(UnaryOp, Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `(c -> a : b)`
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    Len(VarRef),
    Test(ChanTest, VarRef),
    /// `q?[...]` or `q??[...]`
    Poll {
        chan: VarRef,
        args: Vec<RecvArg>,
        random: bool,
    },
    Run {
        proctype: Name,
        args: Vec<Expr>,
        priority: Option<Box<Expr>>,
    },
    Timeout,
    /// `np_`
    NonProgress,
    Enabled(Box<Expr>),
    PcValue(Box<Expr>),
    GetPriority(Box<Expr>),
    SetPriority(Box<Expr>, Box<Expr>),
    /// `P[pid]@label` or `P@label`
    RemoteLabel {
        proctype: Name,
        pid: Option<Box<Expr>>,
        label: Name,
    },
    /// `P[pid]:var` or `P:var`
    RemoteVar {
        proctype: Name,
        pid: Option<Box<Expr>>,
        var: VarRef,
    },
    /// `c_expr { ... }` and its like.
    Code(Code),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    And,
    Or,
    /// One that evaluates both sides.
    Plain(PlainOp),
}

/// `name`, `name[index]`, `name[index].field...`
#[derive(Clone, Debug)]
pub struct VarRef {
    pub name: Name,
    pub index: Option<Box<Expr>>,
    pub field: Option<Box<VarRef>>,
    pub span: Span,
}
