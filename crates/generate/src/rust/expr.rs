//! Expressions.
//!
//! Values are `i32` and wrap around. Where the types of the operands show that nothing can overflow, the plain operators
//! of Rust say the same and are easier to read.

use super::emit::Flavour;
use super::fit::fit;
use super::names::name;
use crate::tree::*;
use auspex_promela::ast::{ChanTest, Language, PlainOp, UnaryOp};

/// How tightly an expression holds together: the higher, the tighter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Bond {
    Or,
    And,
    Compare,
    BitOr,
    BitXor,
    BitAnd,
    Shift,
    Sum,
    Product,
    Prefix,
    Atom,
}

type Printed = (String, Bond);

fn inside(printed: Printed, least: Bond) -> String {
    match printed.1 < least {
        true => format!("({})", printed.0),
        false => printed.0,
    }
}

fn atom(text: impl Into<String>) -> Printed {
    (text.into(), Bond::Atom)
}

/// The values that an expression can have.
type Bounds = (i64, i64);

const ALL: Bounds = (i32::MIN as i64, i32::MAX as i64);

fn fits(bounds: Bounds) -> bool {
    bounds.0 >= ALL.0 && bounds.1 <= ALL.1
}

pub fn type_bounds(ty: Type) -> Bounds {
    match ty {
        Type::Bit | Type::Bool => (0, 1),
        Type::Byte | Type::Pid | Type::Mtype(_) | Type::Chan => (0, 255),
        Type::Short => (i64::from(i16::MIN), i64::from(i16::MAX)),
        Type::Unsigned(width @ 0..=31) => (0, (1 << width) - 1),
        Type::Int | Type::Unsigned(_) | Type::Record(_) => ALL,
    }
}

pub struct Exprs<'s> {
    pub spec: &'s Spec,
    pub flavour: Flavour,
}

impl Exprs<'_> {
    /// A value, to stand alone.
    pub fn value(&self, expr: &Expr) -> String {
        self.printed(expr).0
    }

    /// A condition, to stand alone.
    pub fn condition(&self, expr: &Expr) -> String {
        self.truth(expr).0
    }

    /// A value that is stored: cut to the type if need be.
    pub fn cut(&self, expr: &Expr, ty: Type) -> String {
        self.cut_text(self.value(expr), self.bounds(expr), ty)
    }

    /// The same for a value that was received or passed.
    pub fn cut_text(&self, value: String, bounds: Bounds, ty: Type) -> String {
        let kept = self.type_bounds(ty);
        if bounds.0 >= kept.0 && bounds.1 <= kept.1 {
            return value;
        }
        match ty {
            Type::Bit | Type::Bool => format!("bit({value})"),
            Type::Byte | Type::Pid | Type::Mtype(_) | Type::Chan => format!("byte({value})"),
            Type::Short => format!("short({value})"),
            Type::Unsigned(width) => format!("unsigned({value}, {width})"),
            Type::Int | Type::Record(_) => value,
        }
    }

    /// The ids of programs are those of the system, which are larger than the model's.
    fn type_bounds(&self, ty: Type) -> Bounds {
        match (ty, self.flavour) {
            (Type::Pid, Flavour::Programs) => ALL,
            _ => type_bounds(ty),
        }
    }

    pub fn values(&self, exprs: &[Expr]) -> String {
        exprs.iter().map(|expr| self.value(expr)).collect::<Vec<_>>().join(", ")
    }

    /// The name of a variable, where it is.
    pub fn variable(&self, id: VarId) -> String {
        let variable = self.spec.variable(id);
        match variable.owner {
            // What is of the model only, code has to define.
            _ if variable.model_only => name(&variable.ident),
            Some(_) => name(&variable.ident),
            None => format!("g.{}", name(&variable.ident)),
        }
    }

    pub fn place(&self, place: &Place) -> String {
        self.place_with(place, &mut |index, length| self.index(index, length))
    }

    /// A place whose indices are printed by `print`.
    pub fn place_with(&self, place: &Place, print: &mut dyn FnMut(&Expr, u32) -> String) -> String {
        let mut text = self.variable(place.var);
        for selector in &place.path {
            match selector {
                Selector::Index(index, length) => {
                    text = format!("{text}[{}]", print(index, *length));
                }
                Selector::Field { name: field, .. } => text = format!("{text}.{}", name(field)),
            }
        }
        text
    }

    /// An index that was checked, or need not be.
    pub fn index(&self, index: &Expr, length: u32) -> String {
        let (low, high) = self.bounds(index);
        if low < 0 || high >= i64::from(length) {
            return format!("index({}, {length})", self.value(index));
        }
        match index.constant() {
            Some(value) => value.to_string(),
            None => format!("{} as usize", inside(self.printed(index), Bond::Prefix)),
        }
    }

    fn printed(&self, expr: &Expr) -> Printed {
        match expr {
            Expr::Number(value) if *value < 0 => (value.to_string(), Bond::Prefix),
            Expr::Number(value) => atom(value.to_string()),
            Expr::Constant { set, value } => {
                let names = &self.spec.sets[*set].names;
                let known = names.get((*value as usize).wrapping_sub(1));
                known.map_or_else(|| atom(value.to_string()), |known| atom(name(known)))
            }
            Expr::Place(place) => atom(self.place(place)),
            Expr::Unary(UnaryOp::Minus, a) if fits(negative(self.bounds(a))) => {
                (format!("-{}", inside(self.printed(a), Bond::Atom)), Bond::Prefix)
            }
            Expr::Unary(UnaryOp::Minus, a) => self.method(a, "wrapping_neg", ""),
            Expr::Unary(UnaryOp::Complement, a) => {
                (format!("!{}", inside(self.printed(a), Bond::Prefix)), Bond::Prefix)
            }
            Expr::Unary(UnaryOp::Not, _)
            | Expr::And(..)
            | Expr::Or(..)
            | Expr::Test(..)
            | Expr::Poll { .. }
            | Expr::Timeout => atom(format!("i32::from({})", self.condition(expr))),
            Expr::Binary(op, ..) if comparison(*op).is_some() => {
                atom(format!("i32::from({})", self.condition(expr)))
            }
            Expr::Binary(op, a, b) => self.binary(expr, *op, a, b),
            Expr::Conditional(c, a, b) => {
                let (c, a, b) = (self.condition(c), self.value(a), self.value(b));
                // Braces at the beginning of a statement would be read as one.
                (format!("if {c} {{ {a} }} else {{ {b} }}"), Bond::Or)
            }
            Expr::Len(chan) => atom(format!("g.len({})", self.place(chan))),
            Expr::Pid => atom("g.pid()"),
            Expr::Processes => atom("g.processes()"),
            // A statement of its own, or all that is assigned.
            Expr::Run { .. } => atom("0"),
            // Of programs that decide themselves who moves.
            Expr::Priority(_) => atom("1"),
            Expr::Code(code) if code.language == Language::Rust => {
                atom(format!("i32::from({})", fit(self.spec, &code.text)))
            }
            Expr::Code(_) => atom("1"),
        }
    }

    /// A call of a method of a number.
    fn method(&self, of: &Expr, method: &str, argument: &str) -> Printed {
        atom(match of.constant() {
            Some(value) if value < 0 => format!("({value}_i32).{method}({argument})"),
            Some(value) if is_untyped(of) => format!("{value}_i32.{method}({argument})"),
            _ if is_untyped(of) => {
                let comma = if argument.is_empty() { "" } else { ", " };
                format!("i32::{method}({}{comma}{argument})", self.value(of))
            }
            _ => format!("{}.{method}({argument})", inside(self.printed(of), Bond::Atom)),
        })
    }

    fn binary(&self, whole: &Expr, op: PlainOp, a: &Expr, b: &Expr) -> Printed {
        if let (Some(value), false) = (whole.constant(), fits(self.exact(op, a, b))) {
            return (value.to_string(), if value < 0 { Bond::Prefix } else { Bond::Atom });
        }
        let (sign, bond, wrapping) = match op {
            PlainOp::Add => ("+", Bond::Sum, "add"),
            PlainOp::Sub => ("-", Bond::Sum, "sub"),
            PlainOp::Mul => ("*", Bond::Product, "mul"),
            PlainOp::Div => ("/", Bond::Product, ""),
            PlainOp::Rem => ("%", Bond::Product, ""),
            PlainOp::BitAnd => ("&", Bond::BitAnd, ""),
            PlainOp::BitOr => ("|", Bond::BitOr, ""),
            PlainOp::BitXor => ("^", Bond::BitXor, ""),
            PlainOp::ShiftLeft => ("<<", Bond::Shift, "shl"),
            PlainOp::ShiftRight => (">>", Bond::Shift, "shr"),
            _ => ("==", Bond::Compare, ""),
        };
        let divisor = b.constant();
        let is_plain = match op {
            PlainOp::Add | PlainOp::Sub | PlainOp::Mul => fits(self.exact(op, a, b)),
            PlainOp::Div | PlainOp::Rem => divisor.is_some_and(|d| d != 0 && d != -1),
            PlainOp::ShiftLeft | PlainOp::ShiftRight => {
                divisor.is_some_and(|d| (0..32).contains(&d))
            }
            _ => true,
        };
        match (is_plain, op) {
            (true, _) => {
                // Few know how shifts and bits bind.
                let (left, right) = match bond {
                    Bond::Sum => (Bond::Sum, Bond::Product),
                    Bond::Product => (Bond::Product, Bond::Prefix),
                    _ => (Bond::Prefix, Bond::Prefix),
                };
                let left = inside(self.printed(a), left);
                (format!("{left} {sign} {}", inside(self.printed(b), right)), bond)
            }
            (false, PlainOp::Div) => atom(format!("divide({}, {})", self.value(a), self.value(b))),
            (false, PlainOp::Rem) => {
                atom(format!("remainder({}, {})", self.value(a), self.value(b)))
            }
            (false, PlainOp::ShiftLeft | PlainOp::ShiftRight) => {
                let by = inside(self.printed(b), Bond::Prefix);
                self.method(a, &format!("wrapping_{wrapping}"), &format!("{by} as u32"))
            }
            (false, _) => self.method(a, &format!("wrapping_{wrapping}"), &self.value(b)),
        }
    }

    fn truth(&self, expr: &Expr) -> Printed {
        match expr {
            Expr::Number(0) => atom("false"),
            Expr::Number(_) => atom("true"),
            Expr::Binary(op, a, b) => match comparison(*op) {
                Some(sign) => self.compare(a, sign, b),
                None => self.not_zero(expr),
            },
            Expr::Unary(UnaryOp::Not, a) => self.negation(a),
            Expr::And(a, b) => {
                let (a, b) =
                    (inside(self.truth(a), Bond::And), inside(self.truth(b), Bond::Compare));
                (format!("{a} && {b}"), Bond::And)
            }
            Expr::Or(a, b) => {
                let (a, b) = (inside(self.truth(a), Bond::And), inside(self.truth(b), Bond::And));
                (format!("{a} || {b}"), Bond::Or)
            }
            Expr::Conditional(c, a, b) => {
                let (c, a, b) = (self.condition(c), self.condition(a), self.condition(b));
                (format!("if {c} {{ {a} }} else {{ {b} }}"), Bond::Or)
            }
            Expr::Test(test, chan) => {
                let chan = self.place(chan);
                match test {
                    ChanTest::Full => atom(format!("g.full({chan})")),
                    ChanTest::Empty => atom(format!("g.empty({chan})")),
                    ChanTest::NotFull => (format!("!g.full({chan})"), Bond::Prefix),
                    ChanTest::NotEmpty => (format!("!g.empty({chan})"), Bond::Prefix),
                }
            }
            Expr::Poll { chan, args, random } => {
                let method = if *random { "poll_any" } else { "poll" };
                let (chan, patterns) = (self.place(chan), self.patterns(args));
                atom(format!("g.{method}({chan}, &[{patterns}])"))
            }
            Expr::Timeout => atom("g.timeout()"),
            Expr::Code(code) if code.language == Language::Rust => {
                atom(format!("truth({})", fit(self.spec, &code.text)))
            }
            Expr::Code(_) => atom("true"),
            _ => self.not_zero(expr),
        }
    }

    fn compare(&self, a: &Expr, sign: &str, b: &Expr) -> Printed {
        let (a, b) = (self.printed(a), self.printed(b));
        (format!("{} {sign} {}", inside(a, Bond::BitOr), inside(b, Bond::BitOr)), Bond::Compare)
    }

    fn not_zero(&self, expr: &Expr) -> Printed {
        (format!("{} != 0", inside(self.printed(expr), Bond::BitOr)), Bond::Compare)
    }

    fn negation(&self, expr: &Expr) -> Printed {
        let opposite = |op: PlainOp| {
            Some(match op {
                PlainOp::Less => ">=",
                PlainOp::LessEqual => ">",
                PlainOp::Greater => "<=",
                PlainOp::GreaterEqual => "<",
                PlainOp::Equal => "!=",
                PlainOp::NotEqual => "==",
                _ => return None,
            })
        };
        match expr {
            Expr::Binary(op, a, b) if opposite(*op).is_some() => {
                self.compare(a, opposite(*op).unwrap_or_default(), b)
            }
            Expr::Unary(UnaryOp::Not, a) => self.truth(a),
            Expr::And(..)
            | Expr::Or(..)
            | Expr::Test(..)
            | Expr::Poll { .. }
            | Expr::Timeout
            | Expr::Number(_)
            | Expr::Code(_)
            | Expr::Conditional(..) => {
                let text = inside(self.truth(expr), Bond::Prefix);
                match text.strip_prefix('!') {
                    Some(rest) => atom(rest),
                    None => (format!("!{text}"), Bond::Prefix),
                }
            }
            _ => (format!("{} == 0", inside(self.printed(expr), Bond::BitOr)), Bond::Compare),
        }
    }

    pub fn patterns(&self, args: &[Arg]) -> String {
        let pattern = |arg: &Arg| match arg {
            Arg::Store(_) | Arg::Ignore => "Any".to_string(),
            Arg::Match(expr) => format!("Is({})", self.value(expr)),
        };
        args.iter().map(pattern).collect::<Vec<_>>().join(", ")
    }

    /// The result of an operator before it wraps around.
    fn exact(&self, op: PlainOp, a: &Expr, b: &Expr) -> Bounds {
        let ((a, b), (c, d)) = (self.bounds(a), self.bounds(b));
        match op {
            PlainOp::Add => (a + c, b + d),
            PlainOp::Sub => (a - d, b - c),
            PlainOp::Mul => {
                let all = [a * c, a * d, b * c, b * d];
                all.iter().fold((all[0], all[0]), |(low, high), v| (low.min(*v), high.max(*v)))
            }
            _ => ALL,
        }
    }

    pub fn bounds(&self, expr: &Expr) -> Bounds {
        if let Some(value) = expr.constant() {
            return (value.into(), value.into());
        }
        let bounds = match expr {
            Expr::Place(place) => self.type_bounds(place.ty),
            Expr::Unary(UnaryOp::Minus, a) => negative(self.bounds(a)),
            Expr::Unary(UnaryOp::Not, _) | Expr::And(..) | Expr::Or(..) | Expr::Test(..) => (0, 1),
            Expr::Poll { .. } | Expr::Timeout => (0, 1),
            Expr::Binary(op, ..) if comparison(*op).is_some() => (0, 1),
            Expr::Binary(op @ (PlainOp::Add | PlainOp::Sub | PlainOp::Mul), a, b) => {
                self.exact(*op, a, b)
            }
            Expr::Binary(PlainOp::Rem, a, b) => match b.constant() {
                Some(by) if by != 0 && by != i32::MIN => {
                    let most = i64::from(by.abs()) - 1;
                    (if self.bounds(a).0 >= 0 { 0 } else { -most }, most)
                }
                _ => ALL,
            },
            Expr::Binary(PlainOp::Div, a, b) => match (self.bounds(a), b.constant()) {
                ((low, high), Some(by)) if low >= 0 && by > 0 => (low, high),
                _ => ALL,
            },
            Expr::Binary(PlainOp::BitAnd, a, b) => match (self.bounds(a), self.bounds(b)) {
                ((0.., high), (0.., other)) => (0, high.min(other)),
                ((0.., high), _) | (_, (0.., high)) => (0, high),
                _ => ALL,
            },
            Expr::Conditional(_, a, b) => {
                let ((a, b), (c, d)) = (self.bounds(a), self.bounds(b));
                (a.min(c), b.max(d))
            }
            Expr::Len(_) => (0, i64::from(u16::MAX)),
            Expr::Pid => self.type_bounds(Type::Pid),
            Expr::Processes => (0, 255),
            _ => ALL,
        };
        if fits(bounds) { bounds } else { ALL }
    }
}

/// Is it written with nothing but literals, so that Rust cannot know which integers are meant?
fn is_untyped(expr: &Expr) -> bool {
    match expr {
        Expr::Number(_) => true,
        Expr::Unary(UnaryOp::Minus | UnaryOp::Complement, a) => is_untyped(a),
        Expr::Binary(PlainOp::ShiftLeft | PlainOp::ShiftRight, a, _) => is_untyped(a),
        Expr::Binary(op, a, b) => comparison(*op).is_none() && is_untyped(a) && is_untyped(b),
        Expr::Conditional(_, a, b) => is_untyped(a) && is_untyped(b),
        _ => false,
    }
}

fn negative((low, high): Bounds) -> Bounds {
    (-high, -low)
}

fn comparison(op: PlainOp) -> Option<&'static str> {
    Some(match op {
        PlainOp::Less => "<",
        PlainOp::LessEqual => "<=",
        PlainOp::Greater => ">",
        PlainOp::GreaterEqual => ">=",
        PlainOp::Equal => "==",
        PlainOp::NotEqual => "!=",
        _ => return None,
    })
}
