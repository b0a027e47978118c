//! The syntax tree of one module: as written, nothing resolved.

use auspex_system::Span;

/// A name and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ident {
    pub text: String,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Module {
    pub name: Ident,
    pub imports: Vec<Import>,
    pub declarations: Vec<Declaration>,
    pub body: Vec<Statement>,
    /// From `MODULE` to the final full stop.
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Import {
    /// The name in this module; the same as `module` unless there is another one.
    pub alias: Ident,
    pub module: Ident,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Export {
    None,
    /// `*`
    Full,
    /// `-`
    ReadOnly,
}

/// A name that is being declared.
#[derive(Clone, Debug)]
pub struct IdentDef {
    pub name: Ident,
    pub export: Export,
}

#[derive(Clone, Debug)]
pub enum Declaration {
    Constant {
        name: IdentDef,
        value: Expr,
    },
    Type {
        name: IdentDef,
        ty: TypeExpr,
    },
    /// `VAR`, or `PORT` where `is_port`.
    Variables {
        names: Vec<IdentDef>,
        ty: TypeExpr,
        is_port: bool,
    },
    Process(Process),
}

/// A process or a property.
#[derive(Clone, Debug)]
pub struct Process {
    pub name: IdentDef,
    pub is_property: bool,
    pub parameters: Vec<Section>,
    pub declarations: Vec<Declaration>,
    pub body: Vec<Statement>,
    /// The name behind its `END`.
    pub end: Span,
    /// From `PROCESS` to the name behind `END`.
    pub span: Span,
}

/// Parameters of one type.
#[derive(Clone, Debug)]
pub struct Section {
    pub by_reference: bool,
    pub names: Vec<Ident>,
    pub ty: TypeExpr,
}

#[derive(Clone, Debug)]
pub struct TypeExpr {
    pub kind: TypeKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum TypeKind {
    Name(Qualident),
    /// No lengths: an open array.
    Array {
        lengths: Vec<Expr>,
        element: Box<TypeExpr>,
    },
    Record {
        fields: Vec<(Vec<Ident>, TypeExpr)>,
    },
    Channel {
        messages: Vec<Message>,
    },
}

#[derive(Clone, Debug)]
pub struct Message {
    pub name: Ident,
    pub fields: Vec<TypeExpr>,
}

#[derive(Clone, Debug)]
pub struct Qualident {
    pub module: Option<Ident>,
    pub name: Ident,
}

/// Number of a statement, counted in the order of the text through a whole module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StatementId(pub u32);

#[derive(Clone, Debug)]
pub struct Statement {
    pub id: StatementId,
    pub kind: StatementKind,
    /// The whole statement.
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum StatementKind {
    Assign {
        target: Designator,
        value: Expr,
    },
    /// A call of a process, or of something predeclared (`INC(x)`, `RESCHEDULE`, `NEW(q)`).
    Call {
        callee: Designator,
        arguments: Vec<Expr>,
    },
    Create(Vec<Creation>),
    Communicate(Communication),
    Select(Vec<When>),
    /// `IF` and its `ELSIF`s, and `ELSE` where there is one.
    If {
        arms: Vec<(Expr, Vec<Statement>)>,
        otherwise: Option<Vec<Statement>>,
    },
    While {
        condition: Expr,
        body: Vec<Statement>,
    },
    Repeat {
        body: Vec<Statement>,
        until: Expr,
    },
    For {
        variable: Ident,
        from: Expr,
        to: Expr,
        by: Option<Expr>,
        body: Vec<Statement>,
    },
    Loop {
        body: Vec<Statement>,
    },
    Exit,
    Return,
    Case {
        value: Expr,
        arms: Vec<Arm>,
        otherwise: Option<Vec<Statement>>,
    },
    Choice(Vec<Vec<Statement>>),
}

#[derive(Clone, Debug)]
pub struct Creation {
    pub callee: Designator,
    pub arguments: Vec<Expr>,
    pub deadline: Option<Expr>,
    pub period: Option<Expr>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Communication {
    pub port: Designator,
    pub direction: Direction,
    pub message: Ident,
    /// What is sent, or where to (designators, or constants to be matched).
    pub arguments: Vec<Expr>,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// `!`
    Send,
    /// `?`
    Receive,
}

#[derive(Clone, Debug)]
pub struct When {
    /// A clause counts as a statement: it can be stood at, and cut out.
    pub id: StatementId,
    pub communication: Communication,
    pub guard: Option<Expr>,
    pub body: Vec<Statement>,
    /// From `WHEN` to the end of its body.
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Arm {
    pub labels: Vec<(Expr, Option<Expr>)>,
    pub body: Vec<Statement>,
}

#[derive(Clone, Debug)]
pub struct Designator {
    pub name: Ident,
    pub selectors: Vec<Selector>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum Selector {
    /// A field, or a name in a module.
    Field(Ident),
    /// `a[i, j]`; the span covers the brackets.
    Index(Vec<Expr>, Span),
}

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    Integer(i64),
    /// One that was written in hexadecimal: an address, or bits.
    Hex(i64),
    Char(u8),
    /// Without its quotes.
    String(String),
    Set(Vec<(Expr, Option<Expr>)>),
    Designator(Designator),
    /// A predeclared function, or a cast.
    Call {
        callee: Designator,
        arguments: Vec<Expr>,
    },
    Unary {
        op: UnaryOp,
        operand: Box<Expr>,
    },
    Binary {
        op: BinaryOp,
        left: Box<Expr>,
        right: Box<Expr>,
        op_span: Span,
    },
    /// In parentheses; kept so that text can be written back.
    Paren(Box<Expr>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    Plus,
    Minus,
    Not,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    Add,
    Subtract,
    Multiply,
    /// `/`, which is for sets only.
    Slash,
    Div,
    Mod,
    And,
    Or,
    Equal,
    Unequal,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    In,
}

impl BinaryOp {
    /// As it is written.
    pub fn sign(self) -> &'static str {
        match self {
            BinaryOp::Add => "+",
            BinaryOp::Subtract => "-",
            BinaryOp::Multiply => "*",
            BinaryOp::Slash => "/",
            BinaryOp::Div => "DIV",
            BinaryOp::Mod => "MOD",
            BinaryOp::And => "&",
            BinaryOp::Or => "OR",
            BinaryOp::Equal => "=",
            BinaryOp::Unequal => "#",
            BinaryOp::Less => "<",
            BinaryOp::LessEqual => "<=",
            BinaryOp::Greater => ">",
            BinaryOp::GreaterEqual => ">=",
            BinaryOp::In => "IN",
        }
    }
}
