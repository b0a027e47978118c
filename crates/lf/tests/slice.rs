//! A slice that holds says that the program does: tried on known programs, and on many random ones.

use auspex_lf::slice::{Formula, Goal, slice};
use auspex_lf::{EmitOptions, Model, ModelOptions, Source, load_text, print};
use auspex_search::{Control, Limits, Options, Order, StoreKind, explore};
use auspex_system::SourceMap;
use std::fmt::Write;
use std::sync::Arc;

const ALL: Goal = Goal::Assertions { lines: None };

#[derive(Debug, PartialEq, Eq, Clone, Copy)]
enum Verdict {
    Holds,
    Assertion,
    /// Another fault, but no assertion.
    Other,
    Unknown,
}

fn program(text: &str) -> (SourceMap, Source) {
    let mut sources = SourceMap::default();
    match load_text(&mut sources, "test.lf", text) {
        Ok(source) => (sources, source),
        Err(errors) => panic!("{errors:?} in\n{text}"),
    }
}

/// What a search says, and the number of states.
fn verdict(source: &Source, sources: &SourceMap, fine: bool) -> (Verdict, u64) {
    let emit = EmitOptions { fine };
    let object = Arc::new(source.compile(sources, &emit));
    let options = ModelOptions { allow_deadlock: true, ..ModelOptions::default() };
    let model = Model::new(object, options);
    let options = Options {
        workers: 1,
        order: Order::Breadth,
        store: StoreKind::Exact,
        link_bits: Some(Options::ALL_LINK_BITS),
        limits: Limits { time: None, memory: None, states: Some(20_000), depth: None },
        all: true,
        reduce: false,
    };
    let outcome = explore(&&model, &options, &Arc::new(Control::default()));
    let is_assertion = |kind: &str| kind == "assertion";
    let verdict = if outcome.faults.iter().any(|found| is_assertion(found.fault.kind)) {
        Verdict::Assertion
    } else if !outcome.faults.is_empty() {
        Verdict::Other
    } else if outcome.stopped.is_some() {
        Verdict::Unknown
    } else {
        Verdict::Holds
    };
    (verdict, outcome.stats.states)
}

fn printed(source: &Source) -> String {
    source.main().map(|main| print::module(main, &|_| true, &|_| true)).unwrap_or_default()
}

/// The text of a slice.
fn sliced(text: &str, goal: &Goal) -> String {
    let (sources, source) = program(text);
    let slice = slice(&source, &sources, goal, false).unwrap_or_else(|e| panic!("{e:?}"));
    printed(&slice.source)
}

const PRODUCT_SUM: &str = include_str!("../../../examples/lf/productsum.lf");

#[test]
fn the_sum_goes_where_only_the_product_is_asserted() {
    let (sources, source) = program(PRODUCT_SUM);
    let line =
        PRODUCT_SUM.lines().position(|line| line.contains("3628800")).unwrap_or(0) as u32 + 1;
    let goal = Goal::Assertions { lines: Some(vec![line]) };
    let slice = slice(&source, &sources, &goal, false).unwrap_or_else(|e| panic!("{e:?}"));
    let text = printed(&slice.source);
    assert!(!text.contains("sum :="), "{text}");
    assert!(!text.contains("sums"), "{text}");
    assert!(text.contains("products!value(product)"), "{text}");
    let (whole, states) = verdict(&source, &sources, false);
    let (part, fewer) = verdict(&slice.source, &sources, false);
    assert_eq!((whole, part), (Verdict::Holds, Verdict::Holds));
    assert!(fewer < states, "{fewer} of {states}");
    // What is printed is the same program.
    let (sources, again) = program(&text);
    assert_eq!(verdict(&again, &sources, false), (part, fewer));
}

#[test]
fn what_lets_others_run_is_not_lost() {
    // Others see x = 1 only between the two actions.
    let text = "MODULE m;\nTYPE C = [t];\nPORT c: C;\nVAR x: INTEGER;\n\
        PROCESS P(c: C);\nBEGIN x := 1; c!t; x := 0 END P;\n\
        PROCESS Q(c: C);\nBEGIN c?t END Q;\n\
        PROCESS R;\nBEGIN ASSERT(x = 0) END R;\n\
        BEGIN NEW(c); CREATE P(c), Q(c), R END m.";
    let (sources, source) = program(text);
    let slice = slice(&source, &sources, &ALL, false).unwrap_or_else(|e| panic!("{e:?}"));
    assert!(printed(&slice.source).contains("RESCHEDULE"));
    assert_eq!(verdict(&slice.source, &sources, false).0, Verdict::Assertion);
    assert!(!printed(&slice.source).contains("c!t"));
}

#[test]
fn a_select_keeps_all_of_its_clauses_or_none() {
    let text = "MODULE m;\nTYPE C = [a(INTEGER), b];\nPORT c: C;\n\
        PROCESS P(c: C);\nBEGIN c!b; c!a(2) END P;\n\
        PROCESS Q(c: C);\nVAR x: INTEGER;\n\
        BEGIN SELECT WHEN c?a(x) THEN ASSERT(x = 1) WHEN c?b THEN END; c?a(x); ASSERT(x = 1) END Q;\n\
        BEGIN NEW(c); CREATE P(c), Q(c) END m.";
    let (sources, source) = program(text);
    let slice = slice(&source, &sources, &ALL, false).unwrap_or_else(|e| panic!("{e:?}"));
    assert!(printed(&slice.source).contains("c?b"));
    assert_eq!(verdict(&slice.source, &sources, false).0, Verdict::Assertion);
}

#[test]
fn ports_that_are_passed_on_are_the_same_channel() {
    // The reply comes over a channel that was sent itself.
    let text = "MODULE m;\nTYPE R = [v(INTEGER)]; C = [ask(R)];\nPORT c: C; other: R;\n\
        PROCESS S(c: C; o: R);\nVAR r: R;\nBEGIN c?ask(r); r!v(7); o!v(8) END S;\n\
        PROCESS K(c: C; o: R);\nVAR x, y: INTEGER; mine: R;\n\
        BEGIN NEW(mine); c!ask(mine); mine?v(x); ASSERT(x = 7); o?v(y) END K;\n\
        BEGIN NEW(c, other); CREATE S(c, other), K(c, other) END m.";
    let shown = sliced(text, &ALL);
    assert!(shown.contains("r!v(7)") && shown.contains("c!ask(mine)"), "{shown}");
    assert!(!shown.contains("v(8)") && !shown.contains("other"), "{shown}");
    let (sources, again) = program(&shown);
    assert_eq!(verdict(&again, &sources, false).0, Verdict::Holds);
}

#[test]
fn what_is_passed_by_reference_is_followed() {
    let text = "MODULE m;\nVAR a, b: INTEGER;\n\
        PROCESS Set(VAR to: INTEGER; v: INTEGER);\nBEGIN to := v END Set;\n\
        PROCESS Noise(VAR to: INTEGER);\nBEGIN to := 9 END Noise;\n\
        BEGIN Set(a, 3); Noise(b); ASSERT(a = 3) END m.";
    let shown = sliced(text, &ALL);
    assert!(shown.contains("Set(a, 3)") && !shown.contains("Noise"), "{shown}");
}

#[test]
fn a_slice_for_runs_keeps_the_steps() {
    let text = "MODULE m;\nTYPE C = [t];\nPORT c: C;\nVAR x, y: INTEGER;\n\
        PROCESS P;\nVAR n: INTEGER;\nBEGIN LOOP x := 1; n := 5; RESCHEDULE; x := 0; INC(y); c!t END END P;\n\
        PROCESS Q;\nBEGIN LOOP c?t END END Q;\n\
        PROPERTY Stays;\nBEGIN LOOP IF x = 1 THEN ACCEPT END; RESCHEDULE END END Stays;\n\
        BEGIN NEW(c); CREATE P, Q END m.";
    let goal = Goal::Runs { properties: vec!["Stays".into()], formulas: Vec::new() };
    let shown = sliced(text, &goal);
    assert!(!shown.contains("n := 5"), "{shown}");
    // It may be too large one day.
    assert!(shown.contains("INC(y)") && shown.contains("c!t"), "{shown}");
}

#[test]
fn where_a_formula_looks_at_positions_nothing_goes() {
    let text = "MODULE m;\nPROCESS P;\nVAR n: INTEGER;\nBEGIN\nRESCHEDULE;\nn := 5;\nRESCHEDULE\nEND P;\n\
        PROCESS Q;\nVAR n: INTEGER;\nBEGIN n := 6; RESCHEDULE END Q;\nBEGIN CREATE P, Q END m.";
    let (mut sources, mut source) = program(text);
    let file = sources.add("--ltl", "<> P@6");
    let formula =
        Formula::read(&mut source, &sources, file, "<> P@6").unwrap_or_else(|e| panic!("{e:?}"));
    let goal = Goal::Runs { properties: Vec::new(), formulas: vec![formula] };
    let slice = slice(&source, &sources, &goal, false).unwrap_or_else(|e| panic!("{e:?}"));
    let shown = printed(&slice.source);
    assert!(shown.contains("n := 5") && !shown.contains("n := 6"), "{shown}");
}

/// Programs by chance.
struct Maker {
    state: u64,
    text: String,
    /// Of the process that is being written.
    processes: usize,
    open: u32,
    /// Are there assertions other than that of who looks on?
    asserts: bool,
    /// How many counters of loops it has.
    counters: usize,
}

const SHARED: [&str; 3] = ["x", "y", "z"];

impl Maker {
    fn below(&mut self, bound: usize) -> usize {
        self.state = self.state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.state >> 33) as usize) % bound
    }

    fn variable(&mut self) -> &'static str {
        ["x", "y", "z", "a", "b", "a", "b"][self.below(7)]
    }

    fn value(&mut self) -> String {
        let (a, b, c) = (self.variable(), self.variable(), self.below(3));
        match self.below(5) {
            0 => c.to_string(),
            1 => a.to_owned(),
            2 => format!("({a} + {b}) MOD 3"),
            3 => format!("({a} + {c}) MOD 3"),
            _ => format!("({a} * {b}) MOD 3"),
        }
    }

    fn condition(&mut self) -> String {
        let (a, value) = (self.variable(), self.value());
        let op = ["=", "#", "<", "<="][self.below(4)];
        format!("{a} {op} {value}")
    }

    fn communication(&mut self, receives: bool) -> String {
        let port = ["c", "d", "e"][self.below(3)];
        match (receives, self.below(3)) {
            (true, 0) => format!("{port}?t"),
            (true, 1) => format!("{port}?v({})", self.below(2)),
            (true, _) => format!("{port}?v({})", self.variable()),
            (false, 0) => format!("{port}!t"),
            (false, _) => format!("{port}!v({})", self.value()),
        }
    }

    fn block(&mut self, size: usize, exits: bool) -> String {
        let mut parts = Vec::new();
        for _ in 0..1 + self.below(size) {
            parts.push(self.statement(exits));
        }
        parts.join("; ")
    }

    fn statement(&mut self, exits: bool) -> String {
        self.open += 1;
        let kinds = if self.open > 3 { 9 } else { 17 };
        let text = match self.below(kinds) {
            0..=2 => format!("{} := {}", self.variable(), self.value()),
            3 => {
                let receives = self.below(2) == 0;
                self.communication(receives)
            }
            4 => {
                let receives = self.processes.is_multiple_of(2);
                self.communication(receives)
            }
            5 if self.asserts && self.processes == 0 => format!("ASSERT({})", self.likely()),
            5 => format!("{} := {}", self.variable(), self.below(3)),
            6 => "RESCHEDULE".to_owned(),
            7 => match self.below(3) {
                0 => format!("Put({}, {})", self.variable(), self.value()),
                1 => format!("Tell(d, {})", self.value()),
                _ => "Rest".to_owned(),
            },
            8 if exits && self.below(2) == 0 => "EXIT".to_owned(),
            8 => match self.below(4) {
                0 => "RETURN".to_owned(),
                1 => "e := d".to_owned(),
                _ => format!("{} := {}", self.variable(), self.below(3)),
            },
            9 | 10 => {
                let (condition, yes, no) =
                    (self.condition(), self.block(2, exits), self.block(2, exits));
                format!("IF {condition} THEN {yes} ELSE {no} END")
            }
            11 | 12 => format!("CHOICE {}; OR {} END", self.block(2, exits), self.block(2, exits)),
            13 => self.counted(),
            14 => {
                let counter = self.counter();
                let (c, body) = (self.condition(), self.block(2, true));
                format!(
                    "{counter} := 0; LOOP INC({counter}); IF ({c}) OR ({counter} > 2) THEN EXIT END; {body} END"
                )
            }
            15 => {
                let (one, two) = (self.block(2, exits), self.block(2, exits));
                let (first, second) = (self.communication(true), self.below(2) == 0);
                let second = self.communication(second);
                let guard = if self.below(2) == 0 {
                    format!(" & ({})", self.condition())
                } else {
                    String::new()
                };
                format!("SELECT WHEN {first}{guard} THEN {one} WHEN {second} THEN {two} END")
            }
            _ => {
                let (value, one, two) = (self.value(), self.block(2, exits), self.block(2, exits));
                format!("CASE {value} OF 0: {one} | 1..2: {two} ELSE END")
            }
        };
        self.open -= 1;
        text
    }

    fn counter(&mut self) -> String {
        self.counters += 1;
        format!("n{}", self.counters)
    }

    fn counted(&mut self) -> String {
        let counter = self.counter();
        let body = self.block(2, false);
        match self.below(3) {
            0 => format!("FOR {counter} := 0 TO 1 DO {body} END"),
            1 => format!("{counter} := 0; WHILE {counter} < 2 DO INC({counter}); {body} END"),
            _ => format!("{counter} := 0; REPEAT INC({counter}); {body} UNTIL {counter} >= 2"),
        }
    }

    /// An assertion that often holds.
    fn likely(&mut self) -> String {
        let a = self.variable();
        match self.below(4) {
            0 => self.condition(),
            1 => format!("{a} # 2"),
            2 => format!("{a} < 3"),
            _ => format!("({a} # 1) OR ({})", self.condition()),
        }
    }

    fn module(seed: u64) -> String {
        let mut maker = Maker {
            state: seed,
            text: String::new(),
            processes: 0,
            open: 0,
            asserts: seed.is_multiple_of(3),
            counters: 0,
        };
        let shared = SHARED.join(", ");
        maker.text = format!(
            "MODULE m;\nTYPE C = [t, v(INTEGER)];\nPORT p, q, r: C;\nVAR {shared}: INTEGER;\n\
             PROCESS Put(VAR to: INTEGER; v: INTEGER);\nBEGIN to := v END Put;\n\
             PROCESS Tell(to: C; v: INTEGER);\nBEGIN to!v(v); y := y END Tell;\n\
             PROCESS Rest;\nBEGIN RESCHEDULE; z := (z + 1) MOD 3 END Rest;\n"
        );
        let count = 2 + maker.below(2);
        for index in 0..count {
            (maker.processes, maker.counters) = (index, 0);
            let body = maker.block(5, false);
            let last = if index == 0 && maker.asserts {
                format!("; ASSERT({})", maker.likely())
            } else {
                String::new()
            };
            let counters: Vec<String> = (1..=maker.counters).map(|n| format!(", n{n}")).collect();
            let _ = write!(
                maker.text,
                "PROCESS P{index}(c, d: C; VAR s: INTEGER);\nPORT e: C; VAR a, b{}: INTEGER;\n\
                 BEGIN e := c; {body}{last} END P{index};\n",
                counters.concat()
            );
        }
        // It sees every state that others can see.
        let (one, two) = (1 + maker.below(2), maker.below(3));
        let seen = [
            "~((x = {1}) & (y = {2}))",
            "~((x = {1}) & (z = {2}))",
            "y # {1}",
            "(x + y) # {1} + {2}",
        ];
        let seen =
            seen[maker.below(4)].replace("{1}", &one.to_string()).replace("{2}", &two.to_string());
        let _ = writeln!(maker.text, "PROCESS Look;\nBEGIN ASSERT({seen}) END Look;");
        let ports = [("p", "q"), ("q", "p"), ("q", "r")];
        let created = (0..count).map(|index| {
            let (c, d) = ports[maker.below(3)];
            format!("P{index}({c}, {d}, {})", SHARED[index % 3])
        });
        let created: Vec<String> = created.collect();
        let _ =
            write!(maker.text, "BEGIN NEW(p, q, r); CREATE {}, Look END m.", created.join(", "));
        maker.text
    }
}

/// The verdicts of a program and of its slice, and the states of both.
fn compare(text: &str, fine: bool) -> ((Verdict, u64), (Verdict, u64)) {
    let (sources, source) = program(text);
    let slice = slice(&source, &sources, &ALL, fine).unwrap_or_else(|e| panic!("{e:?} in\n{text}"));
    let whole = verdict(&source, &sources, fine);
    let part = verdict(&slice.source, &sources, fine);
    let shown = printed(&slice.source);
    let (again_sources, again) = program(&shown);
    assert_eq!(verdict(&again, &again_sources, fine), part, "printed, it is another one:\n{shown}");
    let wrong = part.0 == Verdict::Holds && whole.0 == Verdict::Assertion;
    assert!(!wrong, "the slice holds, the program does not:\n{text}\n\n{shown}");
    (whole, part)
}

const PROGRAMS: u64 = 900;

#[test]
fn no_slice_of_a_random_program_is_wrong() {
    let (mut violated, mut held, mut spurious, mut smaller) = (0, 0, 0, 0);
    for seed in 0..PROGRAMS {
        let text = Maker::module(seed * 7919 + 1);
        let (whole, part) = compare(&text, seed % 4 == 0);
        match (whole.0, part.0) {
            (Verdict::Assertion, _) => violated += 1,
            (Verdict::Holds, Verdict::Holds) => held += 1,
            (Verdict::Holds, Verdict::Assertion | Verdict::Other) => spurious += 1,
            _ => {}
        }
        smaller += u32::from(part.1 < whole.1);
    }
    println!(
        "violated {violated}, held {held}, spurious {spurious}, smaller {smaller} of {PROGRAMS}"
    );
    assert!(violated >= 50 && held >= 50, "{violated} {held}");
    assert!(spurious * 5 < held, "{spurious} of {held} slices say what the program does not");
}
