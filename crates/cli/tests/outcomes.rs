//! The outcome table: every exit code and every reason of the contract, run as a user would.

use serde_json::Value;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;
use tempfile::TempDir;

const GOOD: &str = "byte x;\nactive proctype p() { x = 1; assert(x == 1) }\n";
const BAD: &str = "byte x;\nactive [2] proctype p() {\n  x = x + 1;\n  assert(x == 1)\n}\n";
const TWO_FAULTS: &str = "byte x;\nactive proctype p() {\n  if\n  :: assert(false)\n  :: x = 1; assert(x == 2)\n  fi\n}\n";
const DEADLOCK: &str = "chan q = [0] of { byte };\nactive proctype p() { q!1 }\n";
const MESSAGES: &str = "mtype = { data, ack };\nchan q = [1] of { mtype, byte };\nchan r = [0] of { mtype };\nactive proctype left() {\n  q!data,7;\n  r?ack;\n  printf(\"done %d\\n\", 7);\n  assert(false)\n}\nactive proctype right() {\n  byte x;\n  q?data,x;\n  r!ack\n}\n";
/// Many millions of states: no test waits for its end.
const ENDLESS: &str = "int a, b;\nactive proctype p() { do :: a++ :: a = a - 3 od }\nactive proctype q() { do :: b++ :: b = b - 5 od }\n";
/// One step that takes minutes, in which a search cannot stop in order.
const ONE_LONG_STEP: &str =
    "int a;\nactive proctype p() { d_step { do :: a < 2000000000 -> a++ :: else -> break od } }\n";
/// An atomic run of billions of steps.
const LONG_ATOMIC: &str = "int x;\ninit { atomic { do :: x++ :: x < 0 -> break od }; x = 1 }\n";
/// A claim that does more than look.
const BUSY_CLAIM: &str = "byte x;\nactive proctype p() { x = 1 }\nnever { x = 2 }\n";

struct Scratch(TempDir);

impl Scratch {
    fn new(text: &str) -> Self {
        let scratch = Scratch(tempfile::tempdir().unwrap());
        std::fs::write(scratch.path("m.pml"), text).unwrap();
        scratch
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.0.path().join(name)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_auspex"));
        command.current_dir(self.0.path()).args(arguments);
        command.env_remove("CLICOLOR_FORCE").stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn run(&self, arguments: &[&str]) -> Ran {
        Ran::from(self.command(arguments).output().unwrap())
    }

    /// `check m.pml --format json` and more.
    fn json(&self, arguments: &[&str]) -> (i32, Value) {
        let ran = self.run(&[&["check", "m.pml", "--format", "json"], arguments].concat());
        let value = serde_json::from_str(&ran.out).unwrap_or_else(|e| panic!("{e}: {ran:?}"));
        (ran.code, value)
    }

    fn piped(&self, arguments: &[&str], input: &str) -> Ran {
        let mut child = self.command(arguments).stdin(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        Ran::from(child.wait_with_output().unwrap())
    }
}

#[derive(Debug)]
struct Ran {
    code: i32,
    out: String,
    err: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        Ran {
            code: output.status.code().unwrap_or(-1),
            out: text(output.stdout),
            err: text(output.stderr),
        }
    }
}

fn check(text: &str, arguments: &[&str]) -> Ran {
    Scratch::new(text).run(&[&["check", "m.pml"], arguments].concat())
}

#[test]
fn exit_0_holds() {
    let (code, report) = Scratch::new(GOOD).json(&[]);
    let result = &report["results"][0];
    assert_eq!(code, 0);
    assert_eq!(report["tool"], "auspex");
    assert_eq!(report["input"][0], "m.pml");
    assert_eq!(report["exit_code"], 0);
    assert_eq!((&result["property"], &result["verdict"]), (&"safety".into(), &"holds".into()));
    assert_eq!(result["reason"], Value::Null);
    assert_eq!(result["complete"], true);
    assert_eq!(result["states"], 4);
    assert!(check(GOOD, &[]).out.starts_with("holds: no fault in any of the 4 states"));
}

#[test]
fn exit_1_violated() {
    let scratch = Scratch::new(BAD);
    let (code, report) = scratch.json(&["--shortest"]);
    let result = &report["results"][0];
    assert_eq!(code, 1);
    assert_eq!(result["verdict"], "violated");
    assert_eq!(result["reason"], Value::Null);
    assert_eq!(result["fault"]["kind"], "assertion");
    assert_eq!(result["fault"]["location"]["line"], 4);
    assert_eq!(result["fault"]["location"]["file"], "m.pml");
    let step = &result["trace"]["prefix"][0];
    assert_eq!(step["process"]["name"], "p");
    assert_eq!(step["location"]["line"], 3);
    assert_eq!(step["text"], "x = x + 1");
    let change = &step["changes"][0];
    assert_eq!(
        (&change["name"], &change["before"], &change["after"]),
        (&"x".into(), &"0".into(), &"1".into())
    );
    assert_eq!(result["trace"]["cycle"], Value::Array(vec![]));
    assert_eq!(result["trace_file"], "m.pml.trace.json");
    assert!(scratch.path("m.pml.trace.json").is_file());
}

#[test]
fn exit_2_input_or_call_is_wrong() {
    let scratch = Scratch::new("active proctype p() { x = }\n");
    let wrong: [(&[&str], &str); 14] = [
        (&["check", "m.pml"], "m.pml:1:"),
        (&["check", "none.pml"], "cannot read `none.pml`: No such file"),
        (&["check", "."], "it is a directory"),
        (&["check", "empty.pml"], "the file is empty"),
        (&["check", "m.txt"], "known extensions are .pml"),
        (&["check"], "required arguments"),
        (&["frobnicate"], "unrecognized subcommand"),
        (&["check", "good.pml", "--property", "live"], "no property `live`; this file has: safety"),
        (&["check", "good.pml", "--ltl", "[] ("], "expected"),
        (&["check", "good.pml", "--memory", "lots"], "no unit of memory"),
        (&["check", "good.pml", "--workers", "0"], "0 is not in"),
        (&["check", "good.pml", "--watch", "nothing + 1"], "nothing"),
        (&["draw", "good.pml", "-o", "x.png"], "cannot draw `.png`"),
        (&["simulate", "good.pml", "--trace", "good.pml"], "is no trace of Auspex"),
    ];
    std::fs::write(scratch.path("empty.pml"), " \n").unwrap();
    std::fs::write(scratch.path("m.txt"), "x").unwrap();
    std::fs::write(scratch.path("good.pml"), GOOD).unwrap();
    for (arguments, message) in wrong {
        let ran = scratch.run(arguments);
        assert_eq!(ran.code, 2, "{arguments:?} {ran:?}");
        assert!(ran.err.contains(message), "{arguments:?} {ran:?}");
        assert_eq!(ran.out, "", "{arguments:?}");
    }
}

#[test]
fn bytes_that_are_no_text_are_exit_2() {
    let scratch = Scratch::new("");
    std::fs::write(scratch.path("m.pml"), [0xff, 0xfe, 0x00, 0x80]).unwrap();
    assert_eq!(scratch.run(&["check", "m.pml"]).code, 2);
}

#[test]
fn a_limit_holds_inside_an_atomic_run() {
    for (arguments, reason) in [
        (["--time", "0.5", "--quiet", "--all"], "time"),
        (["--memory", "100M", "--quiet", "--all"], "memory"),
    ] {
        let (code, report) = Scratch::new(LONG_ATOMIC).json(&arguments);
        assert_eq!((code, &report["results"][0]["reason"]), (3, &Value::from(reason)));
    }
}

#[test]
fn exit_3_each_limit_has_its_reason() {
    let limits: [(&[&str], &str); 5] = [
        (&["--time", "0.2"], "time"),
        (&["--max-states", "1000"], "states"),
        (&["--max-depth", "10"], "depth"),
        (&["--memory", "64M", "--time", "60"], "memory"),
        (&["--store", "bitstate", "--bitstate-memory", "1M", "--max-depth", "50"], "depth"),
    ];
    for (arguments, reason) in limits {
        let (code, report) = Scratch::new(ENDLESS).json(arguments);
        let result = &report["results"][0];
        assert_eq!(code, 3, "{arguments:?}");
        assert_eq!(result["verdict"], "unknown", "{arguments:?}");
        assert_eq!(result["reason"], reason, "{arguments:?}");
        assert_eq!(result["complete"], false);
        assert_eq!(report["exit_code"], 3);
    }
}

#[test]
fn exit_3_lossy_stores_never_say_holds() {
    for store in ["compact", "bitstate"] {
        let (code, report) = Scratch::new(GOOD).json(&["--store", store]);
        let result = &report["results"][0];
        assert_eq!((code, &result["verdict"]), (3, &"unknown".into()), "{store}");
        assert_eq!(result["reason"], "lossy", "{store}");
        assert_eq!(result["store"], *store);
        assert!(result["loss"].is_number(), "{store}");
        assert_eq!(check(BAD, &["--store", store]).code, 1, "{store}");
    }
}

#[test]
fn exit_3_what_cannot_be_checked_yet_is_unsupported() {
    let scratch = Scratch::new(BUSY_CLAIM);
    let (code, report) = scratch.json(&[]);
    assert_eq!(code, 3);
    assert_eq!(report["results"][0]["verdict"], "holds");
    assert_eq!(report["results"][1]["property"], "never");
    assert_eq!(report["results"][1]["verdict"], "unknown");
    assert_eq!(report["results"][1]["reason"], "unsupported");
    assert_eq!(scratch.json(&["--property", "safety"]).0, 0);
    let (code, report) = scratch.json(&["--property", "never"]);
    assert_eq!((code, report["results"].as_array().unwrap().len()), (3, 1));
    let ran = scratch.run(&["check", "m.pml"]);
    assert!(ran.out.contains("never: unknown: not checked"), "{ran:?}");
}

#[test]
fn a_violation_outweighs_what_was_not_checked() {
    let (code, report) = Scratch::new(&format!("{BAD}ltl l {{ [] true }}")).json(&[]);
    assert_eq!((code, report["results"].as_array().unwrap().len()), (1, 2));
}

#[test]
fn all_reports_every_distinct_fault_with_its_own_trace() {
    let scratch = Scratch::new(TWO_FAULTS);
    let (code, report) = scratch.json(&["--all"]);
    let result = &report["results"][0];
    let mut lines: Vec<i64> = Vec::new();
    for fault in result["faults"].as_array().unwrap() {
        lines.push(fault["location"]["line"].as_i64().unwrap());
        assert_eq!(fault["replayed"], true);
        let file = fault["trace_file"].as_str().unwrap();
        let ran = scratch.run(&["simulate", "m.pml", "--trace", file]);
        assert_eq!(ran.code, 1, "{ran:?}");
    }
    lines.sort_unstable();
    assert_eq!((code, lines), (1, vec![4, 5]));
    assert_eq!(result["complete"], true);
}

/// How a fault comes about is then found by a second search: nothing else is different.
#[test]
fn without_links_everything_is_as_with_them() {
    for text in [GOOD, BAD, TWO_FAULTS, DEADLOCK, MESSAGES] {
        for more in [&[][..], &["--all"], &["--shortest"], &["--no-reduction"]] {
            let scratch = Scratch::new(text);
            let arguments = [more, &["--workers", "1"]].concat();
            let (code, mut with) = scratch.json(&arguments);
            let (other_code, mut without) =
                scratch.json(&[&arguments[..], &["--no-links"]].concat());
            for report in [&mut with, &mut without] {
                let result = report["results"][0].as_object_mut().unwrap();
                for measured in ["seconds", "memory_bytes"] {
                    result.remove(measured);
                }
            }
            assert_eq!((code, with), (other_code, without), "{text}");
        }
    }
    let scratch = Scratch::new(BAD);
    let (code, _) = scratch.json(&["--no-links", "--store", "compact"]);
    assert_eq!(code, 1);
    let limit = scratch.json(&["--no-links", "--max-states", "1"]);
    assert_eq!(limit.1["results"][0]["reason"], "states");
}

#[test]
fn a_limit_that_is_hit_while_faults_are_open_leaves_the_violation() {
    let text = format!("{ENDLESS}active proctype r() {{ assert(false) }}\n");
    let (code, report) = Scratch::new(&text).json(&["--all", "--max-states", "2000"]);
    let result = &report["results"][0];
    assert_eq!((code, &result["verdict"]), (1, &"violated".into()));
    assert_eq!((&result["complete"], &result["stopped"]), (&false.into(), &"states".into()));
    assert_eq!(result["unreached"], Value::Null);
}

#[test]
fn unreached_statements_are_known_after_a_complete_search() {
    let text = "byte x;\nactive proctype p() {\n  if\n  :: x == 0\n  :: x == 5 -> x = 6\n  fi\n}\n";
    let (_, report) = Scratch::new(text).json(&[]);
    let unreached = report["results"][0]["unreached"].as_array().unwrap();
    assert!(unreached.iter().any(|place| place["location"]["line"] == 5), "{unreached:?}");
    let ran = check(text, &[]);
    assert!(ran.out.contains("never executed, on any run:"), "{ran:?}");
}

fn interrupt(child: &Child) {
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
}

/// Long enough for the search to run and the handler to be there.
fn settle() {
    std::thread::sleep(Duration::from_millis(600));
}

#[test]
fn one_interrupt_stops_in_order() {
    let scratch = Scratch::new(ENDLESS);
    let child = scratch.command(&["check", "m.pml", "--format", "json"]).spawn().unwrap();
    settle();
    interrupt(&child);
    let ran = Ran::from(child.wait_with_output().unwrap());
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((ran.code, &report["results"][0]["reason"]), (3, &"interrupted".into()));
}

#[test]
fn two_interrupts_end_at_once() {
    let scratch = Scratch::new(ONE_LONG_STEP);
    let mut child = scratch.command(&["check", "m.pml"]).spawn().unwrap();
    settle();
    interrupt(&child);
    // The second one counts only once the first has been dealt with.
    let mut said = [0; 8];
    child.stderr.as_mut().unwrap().read_exact(&mut said).unwrap();
    interrupt(&child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[test]
fn a_closed_pipe_changes_nothing() {
    for (text, code) in [(GOOD, 0), (BAD, 1)] {
        let scratch = Scratch::new(text);
        let mut child = scratch.command(&["check", "m.pml"]).spawn().unwrap();
        drop(child.stdout.take());
        let mut errors = String::new();
        child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(code), "{errors}");
        assert_eq!(errors, "");
    }
}

#[test]
fn a_trace_that_cannot_be_written_leaves_the_verdict() {
    let ran = check(BAD, &["--trace", "no/such/directory/t.json"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("cannot write the trace"), "{ran:?}");
    if Path::new("/dev/full").exists() {
        let ran = check(BAD, &["--trace", "/dev/full"]);
        assert_eq!(ran.code, 1);
        assert!(ran.err.contains("No space left"), "{ran:?}");
        assert!(!std::fs::metadata("/dev/full").unwrap().is_file());
    }
}

#[test]
fn quiet_is_one_line() {
    let ran = check(BAD, &["--quiet"]);
    assert_eq!((ran.code, ran.out.lines().count(), ran.err.as_str()), (1, 1, ""));
}

#[test]
fn the_human_report_reads_well() {
    let ran = check(MESSAGES, &["--shortest", "--workers", "1"]);
    assert_eq!(ran.code, 1);
    // Times, sizes and counts differ from run to run.
    let story: String = ran.out.split("\n\n").take(3).collect::<Vec<_>>().join("\n\n");
    expect_test::expect![[r#"
        violated: assertion failed: assert(false) (m.pml:8) after 5 steps
        |
        | 1  left[0]   m.pml:5   q!data,7                sends data,7 to q, now [data,7]
        | 2  right[1]  m.pml:12  q?data,x                receives data,7 from q, now []  x: 0 -> 7
        | 3  right[1]  m.pml:13  r!ack                   sends ack to r
        |    left[0]   m.pml:6   r?ack                   receives ack from r
        | 4  left[0]   m.pml:7   printf("done %d\n", 7)
        |                        │ done 7
        | 5  left[0]   m.pml:8   assert(false)
        |✗ assertion failed: assert(false)
        | --> m.pml:8:3
        |  |
        |8 |   assert(false)
        |  |   ^^^^^^^^^^^^^ is false here
        |
        |      left[0]       right[1]
        |   1     ├── data,7 ─╮  │
        |   2     │           ╰─►│
        |   3     │◄──── ack ────┤
        |         ✗ assertion failed: assert(false)"#]]
    .assert_eq(&story.replace('\n', "\n|"));
    let ran = check(DEADLOCK, &[]);
    assert!(ran.out.contains("deadlock"), "{ran:?}");
    assert!(ran.out.contains("  p[0]  m.pml:2"), "{ran:?}");
}

#[test]
fn watched_expressions_and_whole_states_are_shown() {
    let ran = check(BAD, &["--shortest", "--watch", "x * 10", "--workers", "1"]);
    assert!(ran.out.contains("(x * 10): 0 -> 10"), "{ran:?}");
    let ran = check(BAD, &["--shortest", "--full", "--workers", "1"]);
    assert!(ran.out.contains("globals"), "{ran:?}");
}

#[test]
fn a_trace_made_with_watch_and_defines_replays() {
    let scratch = Scratch::new("byte x;\nactive proctype p() { x = N; assert(x == 1) }\n");
    let ran = scratch.run(&["check", "m.pml", "-D", "N=2", "--watch", "x", "--trace", "t.json"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    let ran = scratch.run(&["simulate", "m.pml", "--trace", "t.json"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.out.contains("violated: assertion failed: assert(x == 1) (m.pml:2)"), "{ran:?}");
}

#[test]
fn a_trace_of_other_text_does_not_fit() {
    let scratch = Scratch::new(BAD);
    scratch.run(&["check", "m.pml", "--trace", "t.json"]);
    std::fs::write(scratch.path("m.pml"), GOOD).unwrap();
    for verb in ["simulate", "draw"] {
        let ran = scratch.run(&[verb, "m.pml", "--trace", "t.json"]);
        assert_eq!(ran.code, 2, "{ran:?}");
        assert!(ran.err.contains("does not fit"), "{ran:?}");
    }
}

#[test]
fn a_doctored_trace_is_an_error_of_the_user() {
    let scratch = Scratch::new(BAD);
    scratch.run(&["check", "m.pml", "--trace", "t.json"]);
    let text = std::fs::read_to_string(scratch.path("t.json")).unwrap();
    let mut trace: Value = serde_json::from_str(&text).unwrap();
    for steps in [serde_json::json!([99]), serde_json::json!([]), serde_json::json!([0])] {
        trace["steps"] = steps;
        std::fs::write(scratch.path("u.json"), trace.to_string()).unwrap();
        let ran = scratch.run(&["simulate", "m.pml", "--trace", "u.json"]);
        assert_eq!(ran.code, 2, "{ran:?}");
        assert!(ran.err.contains("does not fit"), "{ran:?}");
    }
}

#[test]
fn simulate_takes_commands_from_a_pipe() {
    let scratch = Scratch::new(BAD);
    let ran = scratch.piped(&["simulate", "m.pml"], "1\ns\nb\nb\n7\nhm\n?\nw x+1\nt\nq\n");
    assert_eq!(ran.code, 0, "{ran:?}");
    for text in [
        "x: 0 -> 1",
        "globals",
        "this is the beginning",
        "there are steps 1 to 2",
        "what?",
        "take step number N",
        "(x+1) = 1",
    ] {
        assert!(ran.out.contains(text), "{text}: {}", ran.out);
    }
    let ran = scratch.piped(&["simulate", "m.pml"], "r 99\n");
    assert!(ran.out.contains("✗ assertion failed") || ran.out.contains("the run ends here"));
    scratch.run(&["check", "m.pml", "--trace", "t.json"]);
    let ran = scratch.piped(&["simulate", "m.pml", "--trace", "t.json", "-i"], "\ne\n");
    assert_eq!(ran.code, 1, "{ran:?}");
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let scratch = Scratch::new(ENDLESS);
    let run = || scratch.run(&["simulate", "m.pml", "--random", "--seed", "5", "--steps", "40"]);
    let (first, second) = (run(), run());
    assert_eq!(first.code, 0);
    assert_eq!(first.out, second.out);
    assert!(first.out.contains("stopped after 40 steps (--steps); seed 5"));
}

#[test]
fn pictures_are_well_formed() {
    let scratch = Scratch::new(MESSAGES);
    scratch.run(&["check", "m.pml", "--trace", "t.json"]);
    let pictures: [&[&str]; 3] = [&[], &["--what", "automata"], &["--trace", "t.json"]];
    for arguments in pictures {
        let ran = scratch.run(&[&["draw", "m.pml"], arguments].concat());
        assert_eq!(ran.code, 0, "{ran:?}");
        let picture = roxmltree::Document::parse(&ran.out).unwrap();
        assert_eq!(picture.root_element().tag_name().name(), "svg");
        assert!(picture.descendants().filter(|node| node.has_tag_name("rect")).count() > 3);
    }
    let ran = scratch.run(&["draw", "m.pml", "-o", "g.dot"]);
    assert_eq!((ran.code, ran.out.as_str()), (0, ""));
    let dot = std::fs::read_to_string(scratch.path("g.dot")).unwrap();
    assert!(dot.starts_with("digraph"));
}

#[test]
fn help_completions_and_the_manual_are_there() {
    let scratch = Scratch::new(GOOD);
    for verb in ["check", "simulate", "draw", "completions", "man"] {
        let ran = scratch.run(&[verb, "--help"]);
        assert_eq!(ran.code, 0);
        assert!(ran.out.contains("Examples:"), "{verb}");
    }
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(scratch.run(&["completions", shell]).out.contains("auspex"), "{shell}");
    }
    assert!(scratch.run(&["man"]).out.contains(".TH auspex"));
    scratch.run(&["man", "--dir", "man1"]);
    assert!(scratch.path("man1/auspex-check.1").is_file());
}

/// What is looked at before the search, to learn how states are best stored, keeps to the limit as well.
#[test]
fn large_states_are_searched_in_little_memory() {
    let writer = |name: &str, from: usize| {
        format!(
            "byte {name};\nactive proctype P{name}() {{ do :: {name} < 20 -> {name}++; a[{name} * 100 + {from}] = {name} od }}\n"
        )
    };
    let text = format!("byte a[30000];\n{}{}{}", writer("i", 0), writer("j", 7), writer("k", 9));
    let (code, value) = Scratch::new(&text).json(&["--memory", "100M", "--workers", "2"]);
    assert_eq!((code, value["results"][0]["verdict"].as_str()), (1, Some("violated")), "{value}");
}
