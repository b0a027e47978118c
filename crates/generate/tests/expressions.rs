//! Random expressions and stores: the program prints what real Spin prints for the same file.

mod common;

use std::fmt::Write;

/// A small generator of numbers, so that a failure can be repeated.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % limit
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }
}

const VARIABLES: &[&str] = &["i", "j", "s", "b", "t", "u", "a[1]", "a[b % 3]", "r.x", "m"];
const OPERATORS: &[&str] =
    &["+", "-", "*", "&", "|", "^", "<", "<=", ">", ">=", "==", "!=", "&&", "||", "+", "-"];

fn expression(random: &mut Random, depth: usize) -> String {
    if depth == 0 || random.below(6) == 0 {
        return match random.below(3) {
            0 => (random.below(300) as i32 - 20).to_string(),
            _ => random.pick(VARIABLES).to_string(),
        };
    }
    let a = expression(random, depth - 1);
    match random.below(14) {
        0 => format!("!({a})"),
        1 => format!("-({a})"),
        2 => format!("~({a})"),
        3 => format!("(({a}) / {})", random.below(9) + 1),
        4 => format!("(({a}) % {})", random.below(9) + 2),
        5 => format!("(({a}) << {})", random.below(9)),
        6 => format!("(({a}) >> ({} & 7))", expression(random, 0).replace('-', "")),
        7 => {
            let (b, c) = (expression(random, depth - 1), expression(random, depth - 1));
            format!("({a} -> {b} : {c})")
        }
        // Without parentheses: both have to agree on what binds how.
        8..=10 => {
            let b = expression(random, depth - 1);
            format!("{a} {} {b}", random.pick(OPERATORS))
        }
        _ => {
            let b = expression(random, depth - 1);
            format!("(({a}) {} ({b}))", random.pick(OPERATORS))
        }
    }
}

fn specification(seed: u64) -> String {
    let mut random = Random(seed);
    let mut text = String::from(
        "mtype = { one, two, three };\ntypedef R { short x };\nactive proctype A()\n{\n\tint i = 5, j = -7;\n\tshort s = \
         -300;\n\tbyte b = 200;\n\tbit t = 1;\n\tunsigned u : 5 = 19;\n\tbyte a[3] = 9;\n\tR r;\n\tmtype m = \
         two;\n\tr.x = 77;\n",
    );
    for number in 0..150 {
        let value = expression(&mut random, 4);
        let target = random.pick(&["i", "j", "s", "b", "t", "u", "a[2]", "r.x"]);
        // `x != 0` is what a condition is: both ways.
        let line = match random.below(3) {
            0 => format!("{target} = {value};\n\tprintf(\"{number} %d\\n\", {target});"),
            1 => format!("printf(\"{number} %d\\n\", {value});"),
            _ => format!(
                "if\n\t:: {value} -> printf(\"{number} yes\\n\")\n\t:: else -> printf(\"{number} no\\n\")\n\tfi;"
            ),
        };
        writeln!(text, "\t{line}").unwrap();
        if number % 10 == 9 {
            writeln!(text, "\ti = {};\n\tj = -i;", random.below(1000)).unwrap();
        }
    }
    text.push_str("\tskip\n}\n");
    text
}

#[test]
fn random_expressions_have_the_values_that_spin_gives_them() {
    for seed in 1..=4 {
        let directory = common::directory(&format!("expressions_{seed}"));
        let path = directory.join("random.pch");
        std::fs::write(&path, specification(seed)).unwrap();
        let Some(text) = common::simulate(&path) else { return };
        let wanted: Vec<&str> = text
            .lines()
            .map(str::trim_end)
            .filter(|line| line.starts_with(|c: char| c.is_ascii_digit()))
            .filter(|line| !line.ends_with(" created"))
            .collect();
        let files = common::generate(&path, true).unwrap();
        let ran = common::run(&directory.join(format!("random_{seed}.pch")), &files).unwrap();
        let printed: Vec<&str> = ran.output.lines().collect();
        assert_eq!(printed, wanted, "seed {seed}: {}", ran.errors);
        assert_eq!((printed.len(), ran.status), (150, 0), "seed {seed}: {}", ran.errors);
    }
}
