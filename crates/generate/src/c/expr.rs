//! Expressions and places.

use super::{Printer, names, text, types};
use crate::tree::*;
use auspex_promela::ast::{Code, PlainOp, UnaryOp};

/// How tightly the outermost operator of a piece of C binds. What compilers warn about gets parentheses, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Conditional,
    Or,
    And,
    /// `&`, `|`, `^`, `<<`, `>>`: always in parentheses beside others.
    Bits,
    Comparison,
    Sum,
    Product,
    Unary,
    Primary,
}

impl Printer<'_> {
    /// An expression as a value, without parentheses around.
    pub fn expr(&self, expr: &Expr) -> String {
        self.leveled(expr).0
    }

    /// An expression of which only counts whether it is 0.
    pub fn condition(&self, expr: &Expr) -> String {
        self.truth(expr).0
    }

    /// The opposite.
    pub fn negation(&self, expr: &Expr) -> String {
        if let Expr::Unary(UnaryOp::Not, inner) = expr {
            return self.condition(inner);
        }
        if let Expr::Binary(op, a, b) = expr
            && let Some(opposite) = opposite(*op)
        {
            return self.condition(&Expr::Binary(opposite, a.clone(), b.clone()));
        }
        format!("!{}", self.wrap(self.truth(expr), Level::Primary))
    }

    pub fn place(&self, place: &Place) -> String {
        let mut out = self.dialect.variable(self.spec, place.var);
        for selector in &place.path {
            match selector {
                Selector::Field { name, .. } => {
                    out.push('.');
                    out.push_str(&names::safe(name));
                }
                Selector::Index(index, length) => {
                    out.push('[');
                    out.push_str(&self.index(index, *length, place));
                    out.push(']');
                }
            }
        }
        out
    }

    fn index(&self, index: &Expr, length: u32, place: &Place) -> String {
        let text = self.expr(index);
        match is_below(index, length) {
            true => text,
            false => format!("model_index({text}, {length}, {})", self.location_string(place.span)),
        }
    }

    /// The value that a variable of a type has after `expr` was stored in it.
    pub fn cut(&self, ty: Type, expr: &Expr) -> String {
        let constant = expr.constant();
        match (constant, self.dialect.mask(ty)) {
            (Some(value), mask)
                if ty.cut(value) != value
                    && (mask.is_some() || !matches!(ty, Type::Pid | Type::Chan)) =>
            {
                number(ty.cut(value)).0
            }
            (Some(_), _) => self.expr(expr),
            (None, Some(mask)) if !fits(expr, mask) => {
                format!("{} & {mask}", self.wrap(self.leveled(expr), Level::Unary))
            }
            _ if has_large_constant(ty, expr) => {
                let value = self.wrap(self.leveled(expr), Level::Unary);
                format!("({}){value}", types::c_type(self.spec, ty))
            }
            _ => self.expr(expr),
        }
    }

    /// An assignment, without `;`.
    pub fn store(&self, target: &Place, value: &Expr) -> String {
        format!("{} = {}", self.place(target), self.cut(target.ty, value))
    }

    /// `x++` or `x--`, without `;`.
    pub fn increment(&self, target: &Place, by: i32) -> String {
        let place = self.place(target);
        match (self.dialect.mask(target.ty), by) {
            (None, 1) => format!("{place}++"),
            (None, -1) => format!("{place}--"),
            _ => {
                let op = if by < 0 { PlainOp::Sub } else { PlainOp::Add };
                let amount = Box::new(Expr::Number(by.wrapping_abs()));
                let sum = Expr::Binary(op, Box::new(Expr::Place(target.clone())), amount);
                self.store(target, &sum)
            }
        }
    }

    /// Text of the specification as an expression.
    pub fn code(&self, code: &Code) -> String {
        self.code_leveled(code).0
    }

    fn code_leveled(&self, code: &Code) -> (String, Level) {
        let text = expression_text(code);
        match &code.guard {
            Some(guard) => (format!("(assert({}), {text})", guard.trim()), Level::Primary),
            None if is_call_or_name(&text) => (text, Level::Primary),
            None => (format!("({text})"), Level::Primary),
        }
    }

    fn leveled(&self, expr: &Expr) -> (String, Level) {
        match expr {
            _ if wraps_around(expr) => number(expr.constant().unwrap_or_default()),
            Expr::Number(value) => number(*value),
            Expr::Constant { set, value } => {
                match self.spec.sets[*set].names.get(*value as usize - 1) {
                    Some(name) => (names::safe(name), Level::Primary),
                    None => number(*value),
                }
            }
            Expr::Place(place) => (self.place(place), Level::Primary),
            Expr::Unary(UnaryOp::Not, a) => {
                (format!("!{}", self.wrap(self.truth(a), Level::Unary)), Level::Unary)
            }
            Expr::Unary(op, a) => {
                let sign = if *op == UnaryOp::Minus { "-" } else { "~" };
                (format!("{sign}{}", self.wrap(self.leveled(a), Level::Primary)), Level::Unary)
            }
            Expr::Binary(op, a, b) => self.binary(*op, a, b, expr),
            Expr::And(a, b) => {
                let (a, b) = (self.truth(a), self.truth(b));
                let (a, b) = (self.beside(a, Level::And), self.beside(b, Level::And));
                (format!("{a} && {b}"), Level::And)
            }
            Expr::Or(a, b) => {
                let (a, b) = (self.truth(a), self.truth(b));
                let (a, b) = (self.beside(a, Level::Or), self.beside(b, Level::Or));
                (format!("{a} || {b}"), Level::Or)
            }
            Expr::Conditional(c, a, b) => {
                let c = self.wrap(self.truth(c), Level::Or);
                let (a, b) = (self.leveled(a), self.leveled(b));
                let (a, b) = (self.wrap(a, Level::Or), self.wrap(b, Level::Or));
                (format!("{c} ? {a} : {b}"), Level::Conditional)
            }
            Expr::Code(code) => self.code_leveled(code),
            Expr::Len(_)
            | Expr::Test(..)
            | Expr::Poll { .. }
            | Expr::Run { .. }
            | Expr::Priority(_)
            | Expr::Timeout
            | Expr::Pid
            | Expr::Processes => (self.dialect.special(self, expr), Level::Primary),
        }
    }

    fn binary(&self, op: PlainOp, a: &Expr, b: &Expr, whole: &Expr) -> (String, Level) {
        let (left, right) = (self.leveled(a), self.leveled(b));
        // `!a == b` and `!a & b` are taken for mistakes.
        let lowest = |e: &Expr, otherwise: Level| match e {
            Expr::Unary(UnaryOp::Not, _) => Level::Primary,
            _ => otherwise,
        };
        let pair = |left: String, sign: &str, right: String| format!("{left} {sign} {right}");
        match op {
            PlainOp::Add => (
                pair(self.wrap(left, Level::Sum), "+", self.wrap(right, Level::Product)),
                Level::Sum,
            ),
            PlainOp::Sub => (
                pair(self.wrap(left, Level::Sum), "-", self.wrap(right, Level::Product)),
                Level::Sum,
            ),
            PlainOp::Mul => {
                let left = self.wrap(left, Level::Product);
                (pair(left, "*", self.wrap(right, Level::Unary)), Level::Product)
            }
            PlainOp::Div | PlainOp::Rem => {
                let sign = if op == PlainOp::Div { "/" } else { "%" };
                if b.constant().is_some_and(|b| b != 0 && b != -1) {
                    let left = self.wrap(left, Level::Product);
                    return (pair(left, sign, self.wrap(right, Level::Unary)), Level::Product);
                }
                let name = if op == PlainOp::Div { "model_divide" } else { "model_remainder" };
                let at = self.where_is(whole);
                (format!("{name}({}, {}, {at})", left.0, right.0), Level::Primary)
            }
            PlainOp::ShiftLeft | PlainOp::ShiftRight => {
                let is_left = op == PlainOp::ShiftLeft;
                if largest(b).is_some_and(|most| most < 32) {
                    let sign = if is_left { "<<" } else { ">>" };
                    let left = self.wrap(left, Level::Unary);
                    return (pair(left, sign, self.wrap(right, Level::Unary)), Level::Bits);
                }
                let name = if is_left { "model_shift_left" } else { "model_shift_right" };
                (format!("{name}({}, {})", left.0, right.0), Level::Primary)
            }
            PlainOp::BitAnd | PlainOp::BitOr | PlainOp::BitXor => {
                let sign = match op {
                    PlainOp::BitAnd => "&",
                    PlainOp::BitOr => "|",
                    _ => "^",
                };
                let left = self.wrap(left, lowest(a, Level::Unary));
                (pair(left, sign, self.wrap(right, lowest(b, Level::Unary))), Level::Bits)
            }
            _ => {
                let left = self.wrap(left, lowest(a, Level::Sum));
                (
                    pair(left, comparison(op), self.wrap(right, lowest(b, Level::Sum))),
                    Level::Comparison,
                )
            }
        }
    }

    /// As a condition: where C could take a number for a mistake it is compared with 0.
    fn truth(&self, expr: &Expr) -> (String, Level) {
        match expr {
            Expr::Code(code) if code.guard.is_none() => {
                let text = expression_text(code);
                match has_assignment(&text) || text.contains([',', '?']) {
                    true => (format!("({text})"), Level::Primary),
                    false if is_call_or_name(&text) => (text, Level::Primary),
                    // Nobody knows what is in it.
                    false => (text, Level::Conditional),
                }
            }
            Expr::Binary(op, ..) if opposite(*op).is_none() => {
                let level = self.leveled(expr);
                (format!("{} != 0", self.wrap(level, Level::Sum)), Level::Comparison)
            }
            Expr::Unary(UnaryOp::Minus | UnaryOp::Complement, _) | Expr::Conditional(..) => {
                let level = self.leveled(expr);
                (format!("{} != 0", self.wrap(level, Level::Sum)), Level::Comparison)
            }
            _ => self.leveled(expr),
        }
    }

    /// An operand of `&&` or `||`.
    fn beside(&self, (text, level): (String, Level), operator: Level) -> String {
        match level {
            _ if level == operator => text,
            Level::Or | Level::And | Level::Conditional | Level::Bits => format!("({text})"),
            _ => text,
        }
    }

    fn wrap(&self, (text, level): (String, Level), lowest: Level) -> String {
        match level >= lowest {
            true => text,
            false => format!("({text})"),
        }
    }

    /// Where the first variable of an expression stands.
    fn where_is(&self, expr: &Expr) -> String {
        let mut span = None;
        expr.visit(&mut |inner| {
            if let Expr::Place(place) = inner {
                span.get_or_insert(place.span);
            }
        });
        span.map_or_else(|| text::quoted(&self.spec.name), |span| self.location_string(span))
    }
}

fn number(value: i32) -> (String, Level) {
    match value {
        i32::MIN => ("(-2147483647 - 1)".to_string(), Level::Primary),
        0.. => (value.to_string(), Level::Primary),
        _ => (value.to_string(), Level::Unary),
    }
}

fn comparison(op: PlainOp) -> &'static str {
    match op {
        PlainOp::Less => "<",
        PlainOp::LessEqual => "<=",
        PlainOp::Greater => ">",
        PlainOp::GreaterEqual => ">=",
        PlainOp::NotEqual => "!=",
        _ => "==",
    }
}

fn opposite(op: PlainOp) -> Option<PlainOp> {
    Some(match op {
        PlainOp::Less => PlainOp::GreaterEqual,
        PlainOp::LessEqual => PlainOp::Greater,
        PlainOp::Greater => PlainOp::LessEqual,
        PlainOp::GreaterEqual => PlainOp::Less,
        PlainOp::Equal => PlainOp::NotEqual,
        PlainOp::NotEqual => PlainOp::Equal,
        _ => return None,
    })
}

/// Is an index surely within an array?
fn is_below(index: &Expr, length: u32) -> bool {
    match (index, index.constant()) {
        (_, Some(value)) => value >= 0 && (value as u32) < length,
        (Expr::Binary(PlainOp::Rem, a, b), _) => {
            let small = b.constant().is_some_and(|b| b > 0 && b as u32 <= length);
            small && largest(a).is_some()
        }
        _ => largest(index).is_some_and(|most| most < length),
    }
}

/// The largest value that an expression can have, if it is never below 0 and that is easily seen.
fn largest(expr: &Expr) -> Option<u32> {
    match expr {
        Expr::Number(value) | Expr::Constant { value, .. } => u32::try_from(*value).ok(),
        Expr::Place(place) => match place.ty {
            Type::Bit | Type::Bool => Some(1),
            Type::Byte | Type::Mtype(_) => Some(255),
            Type::Unsigned(width @ ..32) => Some((1 << width) - 1),
            _ => None,
        },
        Expr::Unary(UnaryOp::Not, _) | Expr::And(..) | Expr::Or(..) | Expr::Test(..) => Some(1),
        Expr::Poll { .. } => Some(1),
        Expr::Binary(op, ..) if opposite(*op).is_some() => Some(1),
        Expr::Binary(PlainOp::Add, a, b) => {
            let sum = largest(a)?.checked_add(largest(b)?)?;
            (sum <= i32::MAX as u32).then_some(sum)
        }
        Expr::Binary(PlainOp::BitAnd, a, b) => match (largest(a), largest(b)) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        },
        Expr::Binary(PlainOp::Rem, a, b) => {
            let divisor = b.constant().filter(|b| *b > 0)?;
            largest(a).map(|most| most.min(divisor as u32 - 1))
        }
        Expr::Conditional(_, a, b) => Some(largest(a)?.max(largest(b)?)),
        _ => None,
    }
}

/// Is it a calculation with constants whose result does not fit? Compilers would tell.
fn wraps_around(expr: &Expr) -> bool {
    let Some(value) = expr.constant() else { return false };
    let exact = match expr {
        Expr::Unary(UnaryOp::Minus, a) => a.constant().map(|a| -i64::from(a)),
        Expr::Binary(op, a, b) => {
            let (a, b) = (a.constant().map(i64::from), b.constant().map(i64::from));
            a.zip(b).and_then(|(a, b)| match op {
                PlainOp::Add => Some(a + b),
                PlainOp::Sub => Some(a - b),
                PlainOp::Mul => Some(a * b),
                PlainOp::ShiftLeft => (0..32).contains(&b).then(|| a << b),
                _ => None,
            })
        }
        _ => None,
    };
    exact.is_some_and(|exact| exact != i64::from(value))
}

/// Compilers ask about constants that are cut when they are stored.
fn has_large_constant(ty: Type, expr: &Expr) -> bool {
    if !matches!(ty, Type::Byte | Type::Short | Type::Mtype(_)) {
        return false;
    }
    let mut found = false;
    expr.visit(&mut |inner| found |= inner.constant().is_some_and(|value| ty.cut(value) != value));
    found
}

fn fits(expr: &Expr, mask: u32) -> bool {
    largest(expr).is_some_and(|most| most <= mask)
}

/// The text of an expression without what ends a statement. A comment at its end must not swallow more.
fn expression_text(code: &Code) -> String {
    let text = code.text.trim().trim_end_matches(';').trim_end();
    match text.lines().last().is_some_and(|line| line.contains("//")) {
        true => format!("{text}\n"),
        false => text.to_string(),
    }
}

/// `f(x, y)`, `x` or `p->x`: needs no parentheses.
fn is_call_or_name(text: &str) -> bool {
    let is_plain = |s: &str| {
        let s = s.replace("->", ".");
        !s.is_empty() && s.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '.')
    };
    if is_plain(text) {
        return true;
    }
    let Some((head, inside)) = text.split_once('(') else { return false };
    let Some(inside) = inside.strip_suffix(')') else { return false };
    // The last parenthesis has to be that of the first.
    let mut depth = 0_i32;
    let balanced = inside.chars().all(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth >= 0
    });
    is_plain(head) && balanced && depth == 0 && !inside.contains('"')
}

/// Is there a `=` that assigns?
fn has_assignment(text: &str) -> bool {
    let bytes = text.as_bytes();
    (0..bytes.len()).any(|i| {
        let before = i.checked_sub(1).map_or(b' ', |i| bytes[i]);
        let behind = bytes.get(i + 1).copied().unwrap_or(b' ');
        bytes[i] == b'=' && behind != b'=' && !matches!(before, b'=' | b'!' | b'<' | b'>')
    })
}
