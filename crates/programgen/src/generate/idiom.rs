//! Pieces of C that a grammar of expressions and statements would hardly come upon.
//!
//! A piece is text with holes: `$i`, `$u`, `$l`, `$U` are random expressions of type int, unsigned,
//! long and unsigned long, `$c` of type unsigned char, `$w` of 128 bits, `$f` and `$d` a float and a
//! double that is a number, `$n` is a constant from 1 to 6, and `$s` a short string.

use super::Writer;
use super::library::LIBRARY;

impl Writer {
    pub(super) fn idiom(&mut self) {
        if !self.affordable(20) {
            return;
        }
        self.spend(15);
        let library = if self.style.library { LIBRARY.len() } else { 0 };
        let all = LANGUAGE.len() + library;
        let index = self.rng.usize(0..all);
        let piece =
            if index < LANGUAGE.len() { LANGUAGE[index] } else { LIBRARY[index - LANGUAGE.len()] };
        self.block("", "}", |w| {
            for line in piece.lines() {
                let line = w.filled(line.trim());
                w.line(line);
            }
        });
    }

    /// The line with its holes filled.
    fn filled(&mut self, line: &str) -> String {
        let mut text = String::new();
        let mut parts = line.split('$');
        text.push_str(parts.next().unwrap_or_default());
        for part in parts {
            let mut rest = part.chars();
            let hole = rest.next().unwrap_or('$');
            text.push_str(&self.hole(hole));
            text.push_str(rest.as_str());
        }
        text
    }

    fn hole(&mut self, hole: char) -> String {
        let of = match hole {
            'i' => "int",
            'u' => "unsigned",
            'l' => "long",
            'U' => "unsigned long",
            'c' => "unsigned char",
            'w' => "__int128",
            'f' => return format!("((float)a_number({}))", self.float(1).text),
            'd' => return format!("a_number({})", self.float(1).text),
            'n' => return self.rng.u32(1..7).to_string(),
            's' => return self.string(),
            other => return other.to_string(),
        };
        let value = self.integer(1).text;
        format!("(({of})({value}))")
    }

    fn string(&mut self) -> String {
        let length = self.rng.usize(0..10);
        let letters: String = (0..length).map(|_| self.rng.char('a'..='e')).collect();
        format!("\"{letters}\"")
    }
}

/// The language itself.
const LANGUAGE: [&str; 31] = [
    // Unions: the whole is written, parts are read.
    "union { unsigned long all; unsigned char bytes[8]; struct { unsigned low, high; } half; double real; } z_u;
    z_u.all = $U;
    for (unsigned z_i = 0; z_i < 8; z_i++) {
    out(z_u.bytes[z_i]);
    }
    z_u.bytes[$u % 8] = $c;
    z_u.half.low ^= $u;
    out(z_u.all);
    z_u.real = $d;
    out(z_u.half.high);",
    "union { float real; unsigned bits; unsigned short halves[2]; } z_u = { .bits = $u };
    out(z_u.halves[0]);
    z_u.real = $f;
    out(z_u.bits);",
    // Bytes of numbers.
    "long z_x = $l;
    unsigned char *z_b = (unsigned char *)&z_x;
    for (int z_i = 0; z_i < (int)sizeof z_x; z_i++) {
    out(z_b[z_i]);
    }
    z_b[$n] = $c;
    out(z_x);",
    "__int128 z_x = $w;
    short z_s[8];
    memcpy(z_s, &z_x, sizeof z_x);
    z_s[$n] += 3;
    memcpy(&z_x, z_s, sizeof z_x);
    out_wide(z_x);",
    // Variable arguments.
    "out_all(\"iludU\", $i, $l, $u, $d, $U);",
    "out_all(\"dddidddddddddi\", $d, $d, $d, $i, $d, $d, $d, $d, $d, $d, $d, $d, $d, $i);",
    "out_all(\"iiiiiiiilsw\", $i, $i, $i, $i, $i, $i, $i, $i, $l, $s, $w);",
    "out_all(\"rir\", (struct out_pair){ $i, $d }, $i, (struct out_pair){ $i, $d });",
    "out_all(\"RlRd\", (struct out_large){ { $l, $l, $l } }, $l, (struct out_large){ { $l, $l, $l } }, $d);",
    "out_all(\"Ld\", (long double)$d, $d);",
    // Atomics.
    "_Atomic int z_a = $i;
    out(atomic_fetch_add(&z_a, $i));
    out(atomic_fetch_sub(&z_a, $i));
    out(atomic_fetch_xor(&z_a, $i));
    out(atomic_exchange(&z_a, $i));
    int z_e = $i;
    out(atomic_compare_exchange_strong(&z_a, &z_e, $i));
    out(z_e);
    z_a |= 5;
    out(z_a);",
    "unsigned char z_a = $c;
    out(__atomic_fetch_nand(&z_a, $c, __ATOMIC_SEQ_CST));
    out(__atomic_add_fetch(&z_a, $c, __ATOMIC_RELAXED));
    out(__sync_val_compare_and_swap(&z_a, z_a, $c));
    unsigned long z_l = $U;
    out(__atomic_or_fetch(&z_l, $U, __ATOMIC_ACQ_REL));
    out(__sync_fetch_and_and(&z_l, $U));
    out(z_a);
    out(z_l);",
    "_Atomic unsigned short z_a = (unsigned short)$u;
    z_a++;
    z_a *= 3;
    out(z_a--);
    _Atomic double z_d = $d;
    z_d += 1.5;
    out_double(z_d);",
    // Jumps to places that are computed.
    "__label__ z_one, z_two, z_three;
    static void *z_to[] = { &&z_one, &&z_two, &&z_three };
    unsigned z_k = $u % 3, z_n = 0;
    goto *z_to[z_k];
    z_one: z_n += 1;
    z_two: z_n += 10;
    z_three: z_n += 100;
    out(z_n);",
    // Vectors.
    "typedef int z_v __attribute__((vector_size(16)));
    typedef unsigned z_w __attribute__((vector_size(16)));
    z_w z_a = { $u, $u, $u, $u }, z_b = { $u, 2, $u, 4 };
    z_w z_c = z_a * z_b + (z_a ^ z_b) - (z_a >> 3) + (z_b << 1u);
    z_v z_l = z_a < z_b;
    z_c = __builtin_shufflevector(z_c, z_a, 3, 0, 5, 2);
    z_c[$u % 4] += $u;
    for (int z_i = 0; z_i < 4; z_i++) {
    out(z_c[z_i]);
    out(z_l[z_i]);
    }",
    "typedef double z_v __attribute__((vector_size(32)));
    z_v z_a = { $d, $d, $d, $d }, z_b = z_a * z_a - 1.5;
    z_b = z_b / 3.0 + z_a;
    for (int z_i = 0; z_i < 4; z_i++) {
    out_double(z_b[z_i]);
    }",
    "typedef unsigned char z_v __attribute__((vector_size(8)));
    typedef unsigned short z_w __attribute__((vector_size(16)));
    z_v z_a = { $c, $c, $c, $c, 1, 2, 3, 255 };
    z_w z_b = __builtin_convertvector(z_a, z_w) * (unsigned short)257;
    z_a = ~z_a + z_a * z_a;
    for (int z_i = 0; z_i < 8; z_i++) {
    out(z_a[z_i] + z_b[z_i]);
    }",
    // Arrays of arrays, of a length known only here.
    "unsigned z_m[$n][$n + 1];
    for (unsigned z_i = 0; z_i < sizeof z_m / sizeof *z_m; z_i++) {
    for (unsigned z_k = 0; z_k < sizeof *z_m / sizeof **z_m; z_k++) {
    z_m[z_i][z_k] = $u + z_i * z_k;
    }
    }
    out(z_m[sizeof z_m / sizeof *z_m - 1][0]);
    out(sizeof z_m);",
    "int z_n = ($i & 7) + 1;
    unsigned z_a[z_n], z_b[2][z_n];
    for (int z_i = 0; z_i < z_n; z_i++) {
    z_a[z_i] = z_b[1][z_i] = $u * (unsigned)z_i;
    }
    out(sizeof z_a + sizeof z_b);
    out(z_a[z_n / 2] + z_b[1][z_n - 1]);",
    // Far jumps.
    "jmp_buf z_j;
    volatile int z_n = 0;
    int z_k = setjmp(z_j);
    z_n = z_n + 1 + z_k;
    if (z_n < 20) {
    longjmp(z_j, $n);
    }
    out(z_n);",
    // Pointers: differences, comparisons, casts.
    "int z_a[10] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 };
    int *z_p = z_a + $u % 10, *z_q = &z_a[$u % 10];
    out(z_p - z_q);
    out(z_p < z_q);
    out(z_p == z_q);
    out((char *)z_p - (char *)z_q);
    uintptr_t z_n = (uintptr_t)z_p;
    out(*(int *)(z_n));
    out((z_n & 3) == 0);
    while (z_p > z_a) {
    z_p--;
    }
    out(*z_p);",
    "struct z_s { char a; struct { short b; long c[3]; } d; } z_x = { 1, { 2, { 3, 4, 5 } } };
    long *z_p = &z_x.d.c[$u % 3];
    struct z_s *z_q = (struct z_s *)((char *)&z_x.d.c[1] - offsetof(struct z_s, d.c[1]));
    out(*z_p + z_q->a + z_q->d.b);
    out(sizeof(struct z_s));
    out(offsetof(struct z_s, d.c));",
    "void *z_p[3] = { &z_p[1], 0, z_p };
    out(*(void **)z_p[0] == 0);
    out(z_p[2] == (void *)z_p);
    memcpy(&z_p[1], &z_p[2], sizeof *z_p);
    out(z_p[1] == z_p[2]);
    unsigned char z_b[sizeof(void *)];
    for (unsigned z_i = 0; z_i < sizeof z_b; z_i++) {
    z_b[z_i] = ((unsigned char *)&z_p[0])[z_i];
    }
    void *z_q;
    memcpy(&z_q, z_b, sizeof z_q);
    out(z_q == z_p[0]);",
    // Functions.
    "out(out_twice(out_square, $i & 63));
    unsigned (*z_f[])(unsigned) = { out_square, out_next_prime, out_square };
    out(z_f[$u % 3]($u & 127));",
    "out(out_ackermann($u % 3, $u % 4));
    out(out_gcd($U, $U));",
    "out_wide(out_power($w, $u % 20));",
    "struct out_large z_a = out_make($l, $l), z_b = z_a;
    z_b.part[1] ^= $l;
    out(out_sum(z_a) ^ out_sum(z_b));
    struct out_pair z_p = out_swap((struct out_pair){ $i, $d });
    out(z_p.number);
    out_double(z_p.real);",
    // Enumerations, compound literals, statements in expressions, conversions of characters.
    "enum z_e { z_red = -3, z_green, z_blue = 200 } z_x = ($i & 1) ? z_blue : z_green;
    out(z_x + (unsigned long)sizeof z_x);
    switch (z_x) {
    case z_red: out(1); break;
    case z_green: out(2); break;
    case z_blue: out(3); break;
    }
    int *z_p = (int[]){ $i, $i, [4] = $i };
    out(z_p[$u % 5]);
    out(({ unsigned z_q = $u; z_q * z_q; }));
    out('\\xff' + L'x');",
    "double _Complex z_a = __builtin_complex($d, $d), z_b = z_a + z_a;
    z_b = z_b - 1.5;
    out_double(__real__ z_b);
    out_double(__imag__ z_b);",
    "static unsigned z_count;
    static const char *z_names[] = { \"zero\", \"one\", \"two\", 0 };
    z_count += $u & 3;
    out(z_count);
    for (const char **z_p = z_names; *z_p; z_p++) {
    out((*z_p)[z_count & 1]);
    }",
    "struct { unsigned a : 3; int b : 5; unsigned long c : 40; _Bool d : 1; unsigned : 0; short e : 9; } z_s = { 0 };
    z_s.a = $u;
    z_s.b = $i;
    z_s.c = $U;
    z_s.d = $i;
    z_s.e = $i;
    z_s.a++;
    z_s.b ^= z_s.a;
    out(z_s.a);
    out(z_s.b);
    out(z_s.c);
    out(z_s.d);
    out(z_s.e);
    out(sizeof z_s);",
];
