//! Random floating-point expressions.
//!
//! Arithmetic follows IEEE 754 and is always defined; only conversions to integers are not. There is
//! no arithmetic on long double, which does not exist everywhere in this form.

use super::Writer;
use super::types::{Expression, Type, expression};

type Real = Expression<Type>;

impl Writer {
    pub(super) fn float(&mut self, depth: usize) -> Real {
        if depth == 0 {
            return self.float_atom();
        }
        let deeper = depth - 1;
        match self.draw(&[25, 40, 8, 8, 8, 6]) {
            0 => self.float_atom(),
            1 => self.float_arithmetic(deeper),
            2 => {
                let value = self.float(deeper);
                expression(format!("(-{})", value.text), value.of)
            }
            3 => {
                let of = self.floating_type();
                expression(format!("(({}){})", of.name(), self.float(deeper).text), of)
            }
            4 if self.style.library => self.library_float(deeper),
            _ => {
                let condition = self.condition(deeper);
                let (yes, no) = (self.float(deeper), self.float(deeper));
                let of = common(yes.of, no.of);
                expression(format!("({condition} ? {} : {})", yes.text, no.text), of)
            }
        }
    }

    fn floating_type(&mut self) -> Type {
        [Type::Float, Type::Double][self.draw(&[40, 60])]
    }

    fn float_atom(&mut self) -> Real {
        let of = self.floating_type();
        match (self.draw(&[60, 25, 15]), self.readable_float()) {
            (0, Some(read)) => read,
            (2, _) => {
                // Through double, which holds the largest number of 128 bits.
                let value = self.integer(1).text;
                expression(format!("(({})(double){value})", of.name()), of)
            }
            _ => expression(self.float_literal(of), of),
        }
    }

    pub(super) fn float_literal(&mut self, of: Type) -> String {
        let suffix = match of {
            Type::Float => "f",
            _ => "",
        };
        let number = match self.draw(&[30, 30, 20, 10, 10]) {
            0 => format!("{}.0", self.rng.u32(0..20)),
            1 => format!("{}.{}", self.rng.u32(0..1000), self.rng.u32(0..1000)),
            2 => format!("{}e{}", self.rng.u32(1..100), self.rng.i32(-30..30)),
            3 => format!("0x1.{:x}p{}", self.rng.u32(0..0x100000), self.rng.i32(-140..120)),
            _ => "0.0".to_string(),
        };
        match self.chance(30) {
            true => format!("(-{number}{suffix})"),
            false => format!("{number}{suffix}"),
        }
    }

    fn float_arithmetic(&mut self, depth: usize) -> Real {
        let operator = ["+", "-", "*", "/"][self.draw(&[4, 4, 4, 2])];
        let left = self.float(depth);
        if self.chance(20) {
            let right = self.readable_integer();
            if let Some(right) = right.filter(|right| right.of.bits <= 64) {
                return expression(format!("({} {operator} {})", left.text, right.text), left.of);
            }
        }
        let right = self.float(depth);
        let of = common(left.of, right.of);
        expression(format!("({} {operator} {})", left.text, right.text), of)
    }

    pub(super) fn float_comparison(&mut self, depth: usize) -> String {
        let operator = self.comparison();
        format!("({} {operator} {})", self.float(depth).text, self.float(depth).text)
    }

    /// Functions whose results IEEE 754 fixes to the last bit.
    fn library_float(&mut self, depth: usize) -> Real {
        let (left, right) = (self.float(depth).text, self.float(depth).text);
        const ONE: [&str; 9] = [
            "fabs",
            "floor",
            "ceil",
            "trunc",
            "round",
            "rint",
            "sqrt",
            "nearbyint",
            "__builtin_fabs",
        ];
        match self.draw(&[60, 20, 20]) {
            0 => {
                let name = ONE[self.rng.usize(0..9)];
                expression(format!("{name}({left})"), Type::Double)
            }
            1 => {
                let name = ["fabsf", "floorf", "ceilf", "truncf", "sqrtf"][self.rng.usize(0..5)];
                expression(format!("{name}({left})"), Type::Float)
            }
            _ => {
                // Which of two zeros is the smaller one is open: no result may depend on it.
                let name = ["fmin", "fmax", "fmod"][self.rng.usize(0..3)];
                let text = format!("({name}({left}, a_number({right})) + 0.0)");
                expression(text, Type::Double)
            }
        }
    }

    /// A number that was converted from floating point, as text of some integer type.
    pub(super) fn out_of_float(&mut self, depth: usize) -> String {
        const NAMES: [&str; 11] = [
            "to_schar",
            "to_uchar",
            "to_short",
            "to_ushort",
            "to_int",
            "to_unsigned",
            "to_long",
            "to_ulong",
            "to_wide",
            "to_uwide",
            "from_float",
        ];
        let name = NAMES[self.rng.usize(0..NAMES.len())];
        let value = self.float(depth.min(2)).text;
        match self.chance(10) {
            true => format!("((_Bool){value})"),
            false => format!("{name}({value})"),
        }
    }
}

fn common(left: Type, right: Type) -> Type {
    match (left, right) {
        (Type::Double, _) | (_, Type::Double) => Type::Double,
        _ => Type::Float,
    }
}
