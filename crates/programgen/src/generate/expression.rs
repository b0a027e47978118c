//! Random integer expressions that never do what C leaves undefined.

use super::Writer;
use super::types::{Expression, INT, Integer, LONG, Type, ULONG, UNSIGNED, expression};

type Int = Expression<Integer>;

const COMPARISONS: [&str; 6] = ["==", "!=", "<", "<=", ">", ">="];

impl Writer {
    /// Any integer.
    pub(super) fn integer(&mut self, depth: usize) -> Int {
        if depth == 0 {
            return self.atom();
        }
        let deeper = depth - 1;
        match self.draw(&[20, 30, 10, 8, 6, 6, 8, 5, 3, 4]) {
            0 => self.atom(),
            1 => self.arithmetic(deeper),
            2 => self.bitwise(deeper),
            3 => self.shift(deeper),
            4 => self.division(deeper),
            5 => self.negation(deeper),
            6 => self.cast(deeper),
            7 => expression(self.condition(deeper), INT),
            8 => self.choice(deeper),
            _ => self.builtin(deeper),
        }
    }

    /// A value to be stored in something of this type.
    pub(super) fn value(&mut self, of: Type, depth: usize) -> String {
        match of {
            Type::Integer(_) => match self.chance(12) {
                true => self.out_of_float(depth),
                false => self.integer(depth).text,
            },
            _ => self.float(depth).text,
        }
    }

    fn atom(&mut self) -> Int {
        let call = if self.chance(6) { self.integer_call() } else { None };
        if let Some(call) = call {
            return call;
        }
        match (self.chance(70), self.readable_integer()) {
            (true, Some(read)) => read,
            _ => {
                let of = self.some_integer();
                self.literal(of)
            }
        }
    }

    /// A constant: small, at a limit, or anything. It fits in `of`, and is of a type that does not
    /// change what it is.
    pub(super) fn literal(&mut self, of: Integer) -> Int {
        if of.bits == 128 {
            return self.wide_literal(of);
        }
        let bits = of.bits;
        let all = u64::MAX >> (64 - bits);
        let value = match self.draw(&[30, 10, 10, 25, 25]) {
            0 => self.rng.u64(0..10) & all,
            1 => all,
            2 => all >> 1,
            3 => self.rng.u64(..) & all,
            _ => (self.rng.u64(..) >> self.rng.u32(0..64)) & all,
        };
        if !of.signed {
            let suffix = if bits <= 32 { "u" } else { "ul" };
            let text = if self.chance(50) {
                format!("{value:#x}{suffix}")
            } else {
                format!("{value}{suffix}")
            };
            return expression(text, if bits <= 32 { UNSIGNED } else { ULONG });
        }
        let (suffix, of) = if bits <= 32 { ("", INT) } else { ("l", LONG) };
        let magnitude = value & (all >> 1);
        let text = match self.draw(&[60, 25, 15]) {
            0 => format!("{magnitude}{suffix}"),
            1 => format!("(-{magnitude}{suffix})"),
            // The most negative number has no literal of its own.
            _ => format!("(-{}{suffix} - 1)", all >> 1),
        };
        expression(text, of)
    }

    fn wide_literal(&mut self, of: Integer) -> Int {
        let (high, low) = (self.rng.u64(..) >> self.rng.u32(0..64), self.rng.u64(..));
        let high = if self.chance(30) { 0 } else { high };
        let high = if self.chance(15) { u64::MAX } else { high };
        let text = format!("(((unsigned __int128){high:#x}ul << 64) | {low:#x}ul)");
        expression(format!("(({}){text})", of.name), of)
    }

    /// A positive constant of at most `bits` bits, of a type no wider than `of`.
    fn positive(&mut self, bits: u32, of: Integer) -> String {
        let bits = self.rng.u32(1..=bits.min(62));
        let value = (self.rng.u64(..) & ((1 << bits) - 1)).max(1);
        format!("{value}{}", if of.bits > 32 { "l" } else { "" })
    }

    /// `value`, brought between -2^bits and 2^bits; its type is signed.
    fn limited(&mut self, value: &Int, bits: u32) -> String {
        let of = value.of.promoted();
        let limit = self.positive(bits, of);
        match self.chance(60) {
            true => format!("({} % {limit})", value.text),
            false => format!("({} & {limit})", value.text),
        }
    }

    fn arithmetic(&mut self, depth: usize) -> Int {
        let (left, right) = (self.integer(depth), self.integer(depth));
        let operator = ["+", "-", "*"][self.draw(&[4, 4, 3])];
        let of = left.of.common(right.of);
        if !of.signed {
            return expression(format!("({} {operator} {})", left.text, right.text), of);
        }
        if self.chance(50) {
            let through = of.unsigned().name;
            let text = format!("(({through}){} {operator} ({through}){})", left.text, right.text);
            return expression(format!("(({}){text})", of.name), of);
        }
        let room = of.bits - 2;
        let first = if operator == "*" { self.rng.u32(1..room) } else { room };
        let second = if operator == "*" { room - first } else { room };
        let (left, right) = (as_signed(&left, of), as_signed(&right, of));
        let (left, right) = (self.limited(&left, first), self.limited(&right, second));
        expression(format!("({left} {operator} {right})"), of)
    }

    fn bitwise(&mut self, depth: usize) -> Int {
        let (left, right) = (self.integer(depth), self.integer(depth));
        let operator = ["&", "|", "^"][self.rng.usize(0..3)];
        let of = left.of.common(right.of);
        expression(format!("({} {operator} {})", left.text, right.text), of)
    }

    fn shift(&mut self, depth: usize) -> Int {
        let (left, right) = (self.integer(depth), self.integer(depth));
        let of = left.of.promoted();
        let distance = match self.chance(50) {
            true => self.rng.u32(0..of.bits).to_string(),
            false => format!("({} & {})", right.text, of.bits - 1),
        };
        if self.chance(50) {
            return expression(format!("({} >> {distance})", left.text), of);
        }
        if of.signed {
            // The bits that are shifted must not reach the sign.
            let half = of.bits / 2;
            let low = format!("({} & {})", left.text, (1u64 << (half - 1)) - 1);
            return expression(format!("({low} << ({} & {}))", right.text, half - 1), of);
        }
        expression(format!("({} << {distance})", left.text), of)
    }

    fn division(&mut self, depth: usize) -> Int {
        let (left, right) = (self.integer(depth), self.integer(depth));
        let operator = if self.chance(50) { "/" } else { "%" };
        let of = left.of.common(right.of);
        let divisor = format!("({} | 1)", right.text);
        if !of.signed {
            return expression(format!("({} {operator} {divisor})", left.text), of);
        }
        // The most negative number by -1 does not fit: halve it before.
        let dividend = format!("((({}){}) >> 1)", of.name, left.text);
        expression(format!("({dividend} {operator} {divisor})"), of)
    }

    fn negation(&mut self, depth: usize) -> Int {
        let value = self.integer(depth);
        let of = value.of.promoted();
        match self.draw(&[4, 2, 4]) {
            0 => expression(format!("(~{})", value.text), of),
            1 => expression(format!("(!{})", value.text), INT),
            _ if !of.signed => expression(format!("(-{})", value.text), of),
            _ => {
                let limited = self.limited(&value, of.bits - 2);
                expression(format!("(-{limited})"), of)
            }
        }
    }

    fn cast(&mut self, depth: usize) -> Int {
        let of = self.some_integer();
        let value = self.integer(depth);
        expression(format!("(({}){})", of.name, value.text), of)
    }

    fn choice(&mut self, depth: usize) -> Int {
        let condition = self.condition(depth);
        let (yes, no) = (self.integer(depth), self.integer(depth));
        let of = yes.of.common(no.of);
        expression(format!("({condition} ? {} : {})", yes.text, no.text), of)
    }

    /// A truth value: an `int` that is 0 or 1.
    pub(super) fn condition(&mut self, depth: usize) -> String {
        let deeper = depth.saturating_sub(1);
        match self.draw(&[60, 10, 10, 10, 10]) {
            1 if depth > 0 => format!("({} && {})", self.condition(deeper), self.condition(deeper)),
            2 if depth > 0 => format!("({} || {})", self.condition(deeper), self.condition(deeper)),
            3 if depth > 0 => self.float_comparison(deeper),
            4 => format!("(({}) != 0)", self.integer(deeper).text),
            _ => {
                let operator = COMPARISONS[self.rng.usize(0..COMPARISONS.len())];
                format!("({} {operator} {})", self.integer(deeper).text, self.integer(deeper).text)
            }
        }
    }

    pub(super) fn comparison(&mut self) -> &'static str {
        COMPARISONS[self.rng.usize(0..COMPARISONS.len())]
    }

    /// What compilers have instructions for.
    fn builtin(&mut self, depth: usize) -> Int {
        let value = self.integer(depth).text;
        match self.draw(&[2, 2, 2, 2, 2, 2, 2, 1, 1, 2, if self.style.library { 2 } else { 0 }]) {
            0 => expression(format!("__builtin_popcount({value})"), INT),
            1 => expression(format!("__builtin_popcountll({value})"), INT),
            2 => expression(format!("__builtin_clz(({value}) | 1)"), INT),
            3 => expression(format!("__builtin_ctzl(({value}) | (1l << 62))"), INT),
            4 => expression(format!("__builtin_bswap32({value})"), UNSIGNED),
            5 => expression(format!("__builtin_bswap64({value})"), ULONG),
            6 => expression(format!("__builtin_parity({value})"), INT),
            7 => expression(format!("__builtin_ffs({value})"), INT),
            8 => expression(format!("((unsigned)__builtin_bswap16({value}))"), UNSIGNED),
            9 => {
                let name = ["32", "64"][self.rng.usize(0..2)];
                let of = if name == "32" { UNSIGNED } else { ULONG };
                let distance = self.rng.u32(0..of.bits);
                let side = ["left", "right"][self.rng.usize(0..2)];
                expression(format!("__builtin_rotate{side}{name}({value}, {distance})"), of)
            }
            _ => {
                let limited = expression(format!("((int)({value}))"), INT);
                let limited = self.limited(&limited, 30);
                expression(format!("abs({limited})"), INT)
            }
        }
    }
}

/// An operand that is of type `of` after the conversions of an operator.
fn as_signed(value: &Int, of: Integer) -> Int {
    match value.of.promoted() == of {
        true => value.clone(),
        false => expression(format!("(({}){})", of.name, value.text), of),
    }
}
