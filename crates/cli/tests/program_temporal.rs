//! Temporal properties of programs, as a user checks them.
//!
//! Every verdict was reasoned out beforehand. It is asked for with each reduction, from steps of one
//! instruction to the longest: merging instructions must not change what a formula says.

use expect_test::{Expect, expect};
use serde_json::Value;
use std::process::{Command, Stdio};
use tempfile::TempDir;

struct Ran {
    code: i32,
    out: String,
    err: String,
}

fn auspex(directory: &TempDir, arguments: &[&str]) -> Ran {
    let output = Command::new(env!("CARGO_BIN_EXE_auspex"))
        .current_dir(directory.path())
        .env_remove("CLICOLOR_FORCE")
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Ran { code: output.status.code().unwrap(), out: text(output.stdout), err: text(output.stderr) }
}

fn with(name: &str, text: &str) -> TempDir {
    let directory = TempDir::new().unwrap();
    std::fs::write(directory.path().join(name), text).unwrap();
    directory
}

/// The verdict on each property, safety first.
fn verdicts_of(directory: &TempDir, arguments: &[&str]) -> Vec<String> {
    let ran = auspex(directory, arguments);
    let report: Value =
        serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{}{}", ran.out, ran.err));
    let results = report["results"].as_array().unwrap();
    for result in results.iter().filter(|result| result["property"] != "safety") {
        let violated = result["verdict"] == "violated";
        let cycle = result["trace"]["cycle"].as_array();
        assert_eq!(violated, cycle.is_some_and(|cycle| !cycle.is_empty()));
    }
    results.iter().map(|it| it["verdict"].as_str().unwrap().to_owned()).collect()
}

const ALL: &[&str] = &["full", "tau+", "tau", "none"];
/// For programs with many states.
const SOME: &[&str] = &["full", "tau+"];

/// Checks formulas one by one, and a part of them at once.
fn check_with(reductions: &[&str], text: &str, flags: &[&str], formulas: &[(&str, bool)]) {
    let directory = with("p.c", text);
    let asked: Vec<&str> = formulas.iter().flat_map(|(formula, _)| ["--ltl", formula]).collect();
    let expected: Vec<&str> = std::iter::once("holds")
        .chain(formulas.iter().map(|(_, holds)| if *holds { "holds" } else { "violated" }))
        .collect();
    for reduction in reductions {
        let common = ["check", "p.c", "--format", "json", "--workers", "2"];
        let how = ["--reduction", reduction];
        let arguments = [&common[..], &how, flags, &asked].concat();
        assert_eq!(verdicts_of(&directory, &arguments), expected, "{reduction}: {formulas:?}");
    }
    if !flags.contains(&"--fair") {
        for algorithm in ["nested", "cndfs"] {
            let common = ["check", "p.c", "--format", "json", "--algorithm", algorithm];
            let arguments = [&common[..], flags, &asked].concat();
            assert_eq!(verdicts_of(&directory, &arguments), expected, "{algorithm}");
        }
    }
}

fn check(text: &str, formulas: &[(&str, bool)]) {
    check_with(ALL, text, &[], formulas);
}

const THREADS: &str = "#include <pthread.h>
#include <auspex.h>
";

/// A program whose threads are started by `main`, which waits for them.
fn threads(text: &str, names: &[&str]) -> String {
    let create =
        |(index, name): (usize, &&str)| format!("pthread_create(&t[{index}], 0, {name}, 0);\n");
    let creates: String = names.iter().enumerate().map(create).collect();
    let joins: String =
        (0..names.len()).map(|index| format!("pthread_join(t[{index}], 0);\n")).collect();
    let count = names.len();
    format!(
        "{THREADS}{text}\nint main(void) {{\npthread_t t[{count}];\n{creates}{joins}return 0;\n}}\n"
    )
}

#[test]
fn every_write_to_a_mentioned_variable_is_seen() {
    // Nobody else is there, and all of it would be one step.
    let text = "int x, y;\nint main(void) { x = 1; y = 1; x = 2; y = 2; x = 3; return 0; }";
    check(
        text,
        &[
            ("<> (x == 1)", true),
            ("<> (x == 2)", true),
            ("[] (x != 2)", false),
            ("[] (x <= 3)", true),
            ("<> (x == 4)", false),
            ("<> (x == 1 && y == 1)", true),
            ("<> (x == 1 && y == 2)", false),
            ("[] (x == 2 -> <> (x == 3))", true),
            ("(x == 0) U (x == 1)", true),
            ("(x == 0) U (x == 2)", false),
            ("<> [] (x == 3)", true),
            ("[] <> (x == 1)", false),
            // It makes no difference how many steps there are.
            ("[] (x == 0 || X true)", true),
        ],
    );
    // What happens in a section is one change, but not the same as the one before it.
    let text = "#include <auspex.h>\nint x;
        int main(void) {
            x = 1; __auspex_atomic_begin(); x = 2; x = 3; __auspex_atomic_end(); x = 4; return 0;
        }";
    check(text, &[("<> (x == 1)", true), ("[] (x != 2)", true), ("<> (x == 3)", true)]);
}

#[test]
fn constructors_come_before_main() {
    let text = "int x;\n__attribute__((constructor)) static void init(void) { x = 1; }
        int main(void) { x = 2; return 0; }";
    check(
        text,
        &[
            ("!at main && at init", true),
            ("<> (x == 1 && !at main)", true),
            ("<> (x == 1 && at main)", true),
            ("[] (x == 2 -> !at init)", true),
        ],
    );
}

#[test]
fn copies_and_library_functions_write_too() {
    let text = "#include <string.h>\nstruct pair { int a, b; } p, q;\nchar name[8];\n
        int main(void) { q.a = 1; q.b = 2; p = q; strcpy(name, \"ab\"); memset(name, 0, 8); return 0; }";
    check(
        text,
        &[
            ("<> (p.b == 2)", true),
            // A copy is one step.
            ("[] (p.a == 1 -> p.b == 2)", true),
            ("[] (q.a == 1 -> q.b == 2)", false),
            ("<> (name[1] == 'b')", true),
            ("[] (name[0] != 'a')", false),
            ("<> [] (name[0] == 0)", true),
        ],
    );
}

#[test]
fn a_list_of_arguments_is_written_too() {
    let text = "#include <stdarg.h>\nint y; static struct { va_list list; int begun; } s;
        static void f(int n, ...) { y = 1; va_start(s.list, n); y = va_arg(s.list, int); va_end(s.list); s.begun = 1; }
        int main(void) { f(1, 2); return 0; }";
    let counter = "s.list[0].gp_offset";
    // The members of a list are these on x86-64 only.
    if cfg!(target_arch = "x86_64") {
        check(
            text,
            &[
                (&format!("<> (y == 1 && {counter} == 0)"), true),
                (&format!("<> (y == 1 && {counter} > 0)"), true),
            ],
        );
    }
}

#[test]
fn types_are_those_of_c() {
    let text = "
        enum state { IDLE, BUSY = 5, DONE } state;
        enum { LOW = -3, HIGH = 3 };
        static unsigned u = 4294967295u;
        static signed char c = -1;
        unsigned char byte = 255;
        long long wide = -1;
        float f; double d;
        _Bool flag;
        struct { unsigned low : 3; int high : 5; struct { int deep[2][3]; } in; } s;
        static int level = LOW;
        const int limit = 7;
        int main(void) {
            static int calls;
            u = u; c = c; byte = byte; wide = wide; { static const int *keep; keep = &limit; }
            f = 0.1f; d = 0.1; s.low = 7; s.high = -4; s.in.deep[1][2] = 9; calls = 1;
            state = BUSY; flag = 1; state = DONE; level = HIGH; return 0;
        }";
    check(
        text,
        &[
            ("[] (u > 0 && u == -1 && u + 1 == 0)", true),
            // Unsigned and signed are compared as unsigned numbers, smaller types as int.
            ("[] (u > -2 && c < 0 && c != byte && byte == 0xff)", true),
            ("[] (wide < 0 && wide < u)", true),
            ("<> (f == 0.1f && d == 0.1)", true),
            // 0.1 in single precision is another number.
            ("<> (f == 0.1)", false),
            ("<> (d * 2 > 0.15)", true),
            ("<> (s.low == 7 && s.high == -4)", true),
            ("<> (s.in.deep[1][2] == 9)", true),
            ("<> (calls == 1)", true),
            ("<> (main::calls == 1)", true),
            ("[] (state == IDLE || state == BUSY || state == DONE)", true),
            ("[] (state != BUSY)", false),
            ("<> flag && [] (!flag || state >= BUSY)", true),
            ("[] (level == LOW || level == HIGH && state == DONE)", true),
            ("[] ((u & 15) == 15 && (u >> 4) != 1 && { u ^ 1 } && ~c == 0)", true),
            ("[] (limit == 7 && byte / 2 == 127 && byte % 2 == 1)", true),
            // Division by zero has no meaning: the proposition does not hold.
            ("[] (1 / s.low == 0 || s.low == 7)", false),
            ("[] (byte << 4 == 4080 && -byte == -255 && !(c + 1) && wide >> 63 == -1)", true),
        ],
    );
}

#[test]
fn pointers_are_followed_and_may_lead_nowhere() {
    let text = "
        #include <stdlib.h>
        struct node { int value; struct node *next; } *head;
        int *p; int *gone;
        static void local(void) { int x = 5; gone = &x; x = 6; }
        int main(void) {
            struct node *n = malloc(sizeof *n);
            n->value = 1; n->next = 0;
            head = n;
            n->value = 2; n->value = 3;
            p = &head->value;
            local();
            head = 0; p = 0;
            free(n);
            return 0;
        }";
    check(
        text,
        &[
            ("<> ((*head).value == 2)", true),
            ("[] ({ head && head->value == 2 } -> <> (*p == 3))", true),
            ("<> (*p == 2)", false),
            ("<> (p == 0) && <> (p != 0) && [] { p == 0 || !head || p == &head->value }", true),
            // It is never true of a pointer that leads nowhere.
            ("[] (*p == 0 || *p != 0)", false),
            ("<> (*gone == 6)", true),
            ("<> [] !(*gone == 6)", true),
            ("[] (*gone == 5 -> <> (*gone == 6))", true),
            ("[] { !head || !head->next }", true),
            ("[] (head[0].value != 3)", false),
        ],
    );
    // Variables of a block and arrays of variable length end before their function does.
    let text = "int *p, y;
        static void f(int n) { { int x = 5; p = &x; x = 6; } y = 1; { int a[n]; p = a; a[0] = 7; } y = 2; }
        int main(void) { f(1); return 0; }";
    check(
        text,
        &[
            ("<> (*p == 6)", true),
            ("[] (y == 1 -> !(*p == 6))", true),
            ("<> (*p == 7 && y == 1)", true),
            ("[] !(*p == 7 && y == 2)", true),
        ],
    );
    let text = "#include <stdlib.h>\nint *p;
        int main(void) { p = malloc(sizeof *p); *p = 1; *p = 2; free(p); p = 0; return 0; }";
    check(text, &[("<> (*p == 2)", true), ("[] (*p == 1 || *p == 2 || !p)", false)]);
}

#[test]
fn an_endless_loop_is_a_run() {
    let text = "int x, y;\nint main(void) { y = 0; x = 1; while (1) ; y = 1; return 0; }";
    check(text, &[("<> (y == 1)", false), ("<> (x == 1)", true), ("[] (y == 0)", true)]);
    let text = "int x;\nstatic int f(int n) { return !n; }
        int main(void) { int a = x; for (;;) a = f(a); x = 1; return a; }";
    check(text, &[("<> (x == 1)", false), ("[] !(x == 1)", true)]);
    let text = "int x;\nint main(void) { while (!x) ; x = 2; return 0; }";
    check(text, &[("<> (x == 2)", false)]);
    // Not for ever.
    let text = "int x;\nint main(void) { for (int i = 0; i < 5; i++) ; x = 1; return 0; }";
    check(text, &[("<> (x == 1)", true), ("<> [] (x == 1)", true)]);
    // The machine cannot see that this comes back to where it was.
    let text = "#include <setjmp.h>\nint x; static jmp_buf there;
        int main(void) { setjmp(there); if (!x) longjmp(there, 1); return 0; }";
    let directory = with("p.c", text);
    let flags = ["check", "p.c", "--format", "json", "--ltl", "<> (x == 1)"];
    assert_eq!(verdicts_of(&directory, &flags), ["unknown", "unknown"]);
}

#[test]
fn a_program_that_ends_stays_as_it_is() {
    let text = "#include <stdlib.h>\nint x;\nstatic void f(void) { exit(0); }
        int main(void) { x = 1; f(); x = 2; return 0; }";
    check(
        text,
        &[
            ("<> [] (x == 1)", true),
            ("<> (x == 2)", false),
            ("<> main at f", true),
            // With the program its threads end.
            ("<> [] !at f", true),
            ("<> [] !at main", true),
            ("[] (at f -> at main)", true),
        ],
    );
    let text = text.replace("exit(0)", "_Exit(0)");
    check(&text, &[("<> main at f", true), ("<> [] !at f", true)]);
}

#[test]
fn what_is_assumed_away_is_no_run() {
    let text = "#include <auspex.h>\nint x, y;
        int main(void) { x = __auspex_choose(3); __auspex_assume(x != 1); y = 1; return 0; }";
    check(
        text,
        &[
            ("<> (y == 1 || x == 7)", true),
            ("<> (x == 2 || y == 1)", true),
            ("[] !(x == 1 && y == 1)", true),
            // The value is there before the assumption is made.
            ("[] (x != 1)", true),
            ("[] (x != 2)", false),
        ],
    );
}

/// An assumption ends the runs that come to it, but a thread need not come to it: what it did just
/// before is there for the others.
#[test]
fn what_comes_before_a_false_assumption_is_seen() {
    let text = threads(
        "extern _Bool __VERIFIER_nondet_bool(void); void abort(void);
        static int x, y; static void f(void) {}
        static void *endless(void *p) { for (;;) ; return p; }
        static void *doomed(void *p) {
            int c = __auspex_choose(2);
            x = c;
            __auspex_assume(c == 0);
            if (__VERIFIER_nondet_bool()) { f(); abort(); }
            return p;
        }
        static void *reader(void *p) { if (x) y = 1; return p; }",
        &["endless", "doomed", "reader"],
    );
    check_with(
        SOME,
        &text,
        &[],
        &[("[] (x == 0)", false), ("[] (y == 0)", false), ("[] !at f", false), ("<> x", false)],
    );
    // It could move, and end the run: fairness does not let it stand there for ever.
    for fair in [&["--fair"][..], &["--fair", "strong"]] {
        check_with(SOME, &text, fair, &[("[] (y == 0)", true), ("[] (x == 0)", true)]);
    }
    // In a section it is all or nothing.
    let text = text.replace("x = c;", "__auspex_atomic_begin(); x = c;");
    let text = text.replace("(c == 0);", "(c == 0); __auspex_atomic_end();");
    check_with(SOME, &text, &[], &[("[] (x == 0)", true), ("[] (y == 0)", true)]);
    // It is not a matter of properties.
    let text = "#include <assert.h>\n#include <pthread.h>\n#include <auspex.h>\nstatic int x;
        static void *reader(void *p) { assert(x == 0); return p; }
        int main(void) {
            pthread_t t;
            pthread_create(&t, 0, reader, 0);
            int c = __auspex_choose(2);
            x = c;
            __auspex_assume(c == 0);
            pthread_join(t, 0);
            return 0;
        }";
    let directory = with("p.c", text);
    for reduction in ALL {
        let flags = ["check", "p.c", "--format", "json", "--reduction", reduction];
        assert_eq!(verdicts_of(&directory, &flags), ["violated"], "{reduction}");
    }
}

/// All wait for ever, though some of them could be woken for no reason.
#[test]
fn nobody_need_be_woken_for_no_reason() {
    let text = "#include <pthread.h>\nint x;
        static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
        static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
        int main(void) {
            pthread_mutex_lock(&lock);
            pthread_cond_wait(&changed, &lock);
            x = 1;
            pthread_mutex_unlock(&lock);
            return 0;
        }";
    let directory = with("p.c", text);
    for fair in [&[][..], &["--fair"], &["--fair", "strong"]] {
        let flags = ["check", "p.c", "--format", "json", "--property", "ltl"];
        let asked = ["--ltl", "<> (x == 1)"];
        let verdicts = verdicts_of(&directory, &[&flags[..], &asked, fair].concat());
        assert_eq!(verdicts, ["violated"], "{fair:?}");
        let asked = ["--ltl", "[] (x == 0)"];
        let verdicts = verdicts_of(&directory, &[&flags[..], &asked, fair].concat());
        assert_eq!(verdicts, ["violated"], "{fair:?}");
    }
}

#[test]
fn functions_are_entered_and_left() {
    let text = "int x;\nstatic void g(void) { x = 2; }\nstatic void f(void) { x = 1; g(); x = 3; }
        int main(void) { f(); g(); return 0; }";
    check(
        text,
        &[
            ("<> at f", true),
            ("<> at g", true),
            ("[] !at g", false),
            ("[] (at f -> main at f && main[0] at f)", true),
            ("[] !(main[1] at f)", true),
            ("[] !f at f", true),
            ("[] (at f -> <> !at f)", true),
            ("<> (at f && at g)", true),
            ("<> (at g && !at f)", true),
            ("(x != 2) W at g", true),
            ("[] (x == 2 -> at g)", false),
            ("[] (at g -> at f)", false),
            ("[] (at g -> x == 2)", false),
            ("!at g U at f", true),
            ("[] (x == 3 -> at f || at g || <> at g || <> [] !at f)", true),
            ("<> [] !at main", true),
            ("at main", true),
        ],
    );
}

#[test]
fn functions_of_threads() {
    let text = threads(
        // Functions of these names are inlined in the runtime library.
        "static int x;
        static void enter(void) { x++; }
        static void work(void) { enter(); }
        static void *one(void *p) { work(); return p; }
        static void *two(void *p) { if (x == 5) work(); pthread_exit(p); }",
        &["one", "two"],
    );
    check_with(
        SOME,
        &text,
        &[],
        &[
            ("<> one at work", true),
            ("[] !two at work", true),
            ("<> one at enter", true),
            ("[] (at work -> one at work)", true),
            ("<> one at one && <> two at two", true),
            ("<> (one at one && two at two)", false),
            ("[] !(one at one && two at two)", false),
            ("[] (one at work -> one at one)", true),
            ("<> [] !(at one || at two)", true),
            ("[] !one[2] at one", true),
            // When the first one has ended its number is used again.
            ("[] !two[1] at two", false),
        ],
    );
}

#[test]
fn frames_that_a_long_jump_leaves() {
    let text = "#include <setjmp.h>\nstatic jmp_buf there; int x;
        static void g(void) { longjmp(there, 1); }
        static void f(void) { g(); }
        int main(void) { if (!setjmp(there)) f(); x = 1; return 0; }";
    check(
        text,
        &[
            ("<> at g", true),
            ("[] (at g -> <> !at f)", true),
            ("[] (x == 1 -> !at f && !at g)", true),
        ],
    );
}

#[test]
fn events_hold_in_one_state() {
    let text = "#include <auspex.h>\nint x;
        int main(void) { __auspex_event(\"start\"); x = 1; __auspex_event(\"stop\"); return 0; }";
    check(
        text,
        &[
            ("<> start", true),
            ("<> stop", true),
            ("[] !stop", false),
            // The last event is over when the program has ended.
            ("[] <> stop", false),
            ("<> [] !stop", true),
            ("[] (start -> x == 0 && <> stop)", true),
            ("[] (stop -> x == 1)", true),
            ("!stop U start", true),
            ("[] !(start && stop)", true),
            ("<> event start && (x == 0 U stop)", false),
        ],
    );
    // Between two events of a thread there is a state without them.
    let text = "#include <auspex.h>\nint main(void) { for (;;) __auspex_event(\"tick\"); }";
    check(text, &[("[] <> tick", true), ("<> [] tick", false), ("[] <> !tick", true)]);
    // A name that is no constant.
    let text = "#include <auspex.h>\nchar name[] = \"a\";
        int main(void) { __auspex_event(name); name[0] = 'b'; __auspex_event(name); return 0; }";
    check(text, &[("<> event a", true), ("<> event b", true), ("<> event c", false)]);
}

#[test]
fn events_of_atomic_sections() {
    let text = "#include <auspex.h>\n#include <stdlib.h>\nint x;
        int main(void) {
            __auspex_atomic_begin(); __auspex_event(\"a\"); x = 1; __auspex_event(\"b\"); x = 2;
            __auspex_atomic_end();
            x = 3;
            __auspex_atomic_begin(); __auspex_event(\"c\"); _Exit(0);
        }";
    check(
        text,
        &[
            ("<> (a && b && x == 2)", true),
            ("<> a && [] (a <-> b)", true),
            ("[] (x != 1)", true),
            ("<> c", true),
            ("<> [] !c", true),
            ("<> (x == 3)", true),
        ],
    );
}

#[test]
fn events_of_threads() {
    let text = threads(
        "static void *ask(void *p) { __auspex_event(\"request\"); return p; }
        static void *answer(void *p) { __auspex_event(\"reply\"); return p; }",
        &["ask", "answer"],
    );
    check_with(
        SOME,
        &text,
        &[],
        &[
            ("<> request && <> reply", true),
            ("[] (request -> <> reply)", false),
            ("[] (reply -> <> request)", false),
            ("[] !(request && reply)", true),
        ],
    );
}

const PETERSON: &str = "
    static int flag[2], turn;
    static void critical(void) {}
    static void *first(void *p) {
        for (;;) {
            flag[0] = 1; turn = 1;
            while (flag[1] && turn == 1) ;
            critical();
            flag[0] = 0;
        }
        return p;
    }
    static void *second(void *p) {
        for (;;) {
            flag[1] = 1; turn = 0;
            while (flag[0] && turn == 0) ;
            critical();
            flag[1] = 0;
        }
        return p;
    }";

#[test]
fn mutual_exclusion() {
    let right = threads(PETERSON, &["first", "second"]);
    let exclusive = "[] !(first at critical && second at critical)";
    let gets_in = "[] (flag[0] -> <> first at critical)";
    check_with(SOME, &right, &[], &[(exclusive, true), (gets_in, false)]);
    for fair in [&["--fair"][..], &["--fair", "strong"]] {
        check_with(SOME, &right, fair, &[(exclusive, true), (gets_in, true)]);
    }
    let wrong = right.replace("while (flag[0] && turn == 0) ;", "while (flag[0] && turn == 1) ;");
    check_with(SOME, &wrong, &[], &[(exclusive, false)]);
}

#[test]
fn fairness_gives_threads_their_turn() {
    let text = threads(
        "static int x; static volatile int spin;
        static void *one(void *p) { for (;;) spin = !spin; return p; }
        static void *two(void *p) { x = 1; return p; }",
        &["one", "two"],
    );
    check_with(SOME, &text, &[], &[("<> (x == 1)", false), ("[] (x == 0)", false)]);
    check_with(SOME, &text, &["--fair"], &[("<> (x == 1)", true), ("<> (x == 2)", false)]);
    // Where another one raises events all the time.
    let text = text.replace("spin = !spin", "__auspex_event(\"tick\")");
    let formulas = [("<> (x == 1 || tick && x == 1)", true), ("[] <> tick", true)];
    check_with(SOME, &text, &["--fair"], &formulas);
    check_with(SOME, &text, &[], &[("<> (x == 1 || tick && x == 1)", false)]);
}

#[test]
fn a_lock_needs_strong_fairness() {
    let text = threads(
        "static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
        static void inside(void) {}
        static void *one(void *p) {
            for (;;) { pthread_mutex_lock(&lock); inside(); pthread_mutex_unlock(&lock); }
            return p;
        }
        static void *two(void *p) {
            for (;;) { pthread_mutex_lock(&lock); inside(); pthread_mutex_unlock(&lock); }
            return p;
        }",
        &["one", "two"],
    );
    let waits = "<> two at inside";
    check_with(SOME, &text, &[], &[(waits, false)]);
    check_with(SOME, &text, &["--fair"], &[(waits, false)]);
    check_with(SOME, &text, &["--fair", "strong"], &[(waits, true), ("[] <> one at inside", true)]);
    check_with(SOME, &text, &[], &[("[] !(one at inside && two at inside)", true)]);
}

const OFFICE: &str = "
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static pthread_cond_t asked = PTHREAD_COND_INITIALIZER, answered = PTHREAD_COND_INITIALIZER;
    static int request, reply;
    static void *client(void *p) {
        pthread_mutex_lock(&lock);
        request = 1;
        pthread_cond_signal(&asked);
        while (!reply) pthread_cond_wait(&answered, &lock);
        pthread_mutex_unlock(&lock);
        return p;
    }
    static void *server(void *p) {
        pthread_mutex_lock(&lock);
        while (!request) pthread_cond_wait(&asked, &lock);
        reply = 1;
        pthread_cond_signal(&answered);
        pthread_mutex_unlock(&lock);
        return p;
    }";

#[test]
fn request_and_reply() {
    let text = threads(OFFICE, &["client", "server"]);
    let answered = "G(request -> F reply)";
    // One thread may be woken for no reason again and again, and take the lock each time.
    check_with(SOME, &text, &["--fair"], &[(answered, false), ("<> reply", false)]);
    check_with(SOME, &text, &["--fair", "strong"], &[(answered, true), ("<> reply", true)]);
    check_with(SOME, &text, &[], &[("[] (reply -> request)", true), ("<> [] !reply", false)]);
}

/// To be woken for no reason is nothing that a thread can count on.
#[test]
fn fairness_owes_nobody_a_spurious_wake_up() {
    let text = threads(
        "static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
        static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
        static int flag, seen;
        static void *sleeper(void *p) {
            pthread_mutex_lock(&lock);
            while (!flag) pthread_cond_wait(&changed, &lock);
            seen = 1;
            pthread_mutex_unlock(&lock);
            return p;
        }
        static void *forgetful(void *p) {
            pthread_mutex_lock(&lock);
            flag = 1;
            pthread_mutex_unlock(&lock);
            for (;;) ;
            return p;
        }",
        &["sleeper", "forgetful"],
    );
    // The sleeper may be woken again and again, and then it holds the lock now and then.
    check_with(SOME, &text, &["--fair"], &[("<> seen", false), ("<> flag", false)]);
    check_with(SOME, &text, &["--fair", "strong"], &[("<> seen", false), ("<> flag", true)]);
    let woken = text.replace("flag = 1;", "flag = 1; pthread_cond_signal(&changed);");
    check_with(SOME, &woken, &["--fair", "strong"], &[("<> seen", true)]);
}

/// A thread changes a proposition between a read and another thread's write: each order counts.
#[test]
fn what_is_seen_is_ordered_among_threads() {
    let text = threads(
        "static int x, y;
        static void here(void) {}
        static void *reader(void *p) { if (y == 0) here(); return p; }
        static void *writer(void *p) { y = 1; x = 1; return p; }",
        &["reader", "writer"],
    );
    check(
        &text,
        &[
            // It has read y before, and comes there afterwards.
            ("[] (x == 1 -> !at here)", false),
            ("[] (x == 1 -> [] !at here)", false),
            ("[] !(x == 0 && at here)", false),
        ],
    );
    let events = text.replace("here();", "__auspex_event(\"here\");");
    check(&events, &[("[] (x == 1 -> [] !event here)", false), ("<> here", false)]);
}

#[test]
fn the_end_of_the_program_is_ordered_among_threads() {
    let text = "#include <pthread.h>\n#include <unistd.h>\nstatic int x, y;
        static void *other(void *p) { if (x == 1) y = 1; return p; }
        int main(void) { pthread_t t; pthread_create(&t, 0, other, 0); x = 1; _exit(0); }";
    check(text, &[("[] (y == 0)", false), ("<> (y == 1)", false), ("<> (x == 1)", true)]);
}

#[test]
fn a_function_may_begin_with_a_copy_and_a_section() {
    let text = threads(
        "struct pair { long a, b, c; } shared; static int x;
        void __VERIFIER_atomic_take(struct pair p) { x = (int)p.a + 1; }
        static void *one(void *p) { __VERIFIER_atomic_take(shared); return p; }
        static void *two(void *p) { shared.b = 1; return p; }",
        &["one", "two"],
    );
    check_with(SOME, &text, &[], &[("<> (x == 1)", true)]);
    let text = text.replace("__VERIFIER_atomic_take", "take");
    check_with(SOME, &text, &[], &[("<> (x == 1)", true), ("<> one at take", true)]);
}

/// A section that waits in the end has not raised anything yet.
#[test]
fn an_event_of_a_section_that_is_undone() {
    let text = "#include <pthread.h>\n#include <auspex.h>\nstatic int x;
        static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
        static void *other(void *p) {
            __auspex_atomic_begin(); __auspex_event(\"a\"); pthread_mutex_lock(&lock); __auspex_atomic_end();
            pthread_mutex_unlock(&lock);
            return p;
        }
        int main(void) {
            pthread_t t;
            pthread_mutex_lock(&lock);
            pthread_create(&t, 0, other, 0);
            x = 1;
            pthread_mutex_unlock(&lock);
            pthread_join(t, 0);
            return 0;
        }";
    check_with(SOME, text, &[], &[("[] (a -> x == 1)", true), ("<> a", true)]);
}

#[test]
fn numbers_that_are_pointers_are_beyond_a_proposition() {
    let text = "#include <stdint.h>\nint x; uintptr_t bits;
        int main(void) { bits = (uintptr_t)&x; return 0; }";
    let directory = with("p.c", text);
    let common = ["check", "p.c", "--format", "json"];
    let run = |formula| verdicts_of(&directory, &[&common[..], &["--ltl", formula]].concat());
    assert_eq!(run("[] (bits < 5)"), ["holds", "unknown"]);
    assert_eq!(run("<> (bits > 5)"), ["holds", "unknown"]);
    assert_eq!(run("[] (x < 5)"), ["holds", "holds"]);
}

/// What is searched for safety does not depend on formulas.
#[test]
fn formulas_cost_only_their_own_search() {
    let text = "#include <auspex.h>\nint x;
        int main(void) { x = 1; __auspex_event(\"a\"); x = 2; __auspex_event(\"b\"); x = 3; return 0; }";
    let directory = with("p.c", text);
    let flags = ["check", "p.c", "--format", "json", "--ltl", "<> a", "--ltl", "[] (x < 4)"];
    let ran = auspex(&directory, &flags);
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    let states: Vec<u64> = report["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|result| result["states"].as_u64().unwrap())
        .collect();
    assert_eq!(states[0], 2);
    // 0, 1, 2, 3, and the end: events that are not mentioned make no states.
    assert_eq!(states[2], 5);
}

#[test]
fn optimised_code_is_refused() {
    let directory = with("p.c", "int x;\nint main(void) { x = 1; x = 2; return 0; }");
    for flags in [&["-O", "1"][..], &["-O", "2"], &["--", "-O2"]] {
        let ran =
            auspex(&directory, &[&["check", "p.c", "--ltl", "[] (x != 1)"][..], flags].concat());
        assert_eq!(ran.code, 2);
        assert!(ran.err.contains("does not go with optimised code"), "{}", ran.err);
    }
    let ran = auspex(&directory, &["check", "p.c", "--ltl", "[] (x != 1)", "-O", "0"]);
    assert_eq!(ran.code, 1);
}

fn messages(text: &str, formula: &str, expected: &Expect) {
    let directory = with("p.c", text);
    let ran = auspex(&directory, &["check", "p.c", "--ltl", formula]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{}", ran.err);
    expected.assert_eq(&ran.err);
}

#[test]
fn mistakes_are_pointed_at() {
    let text = "#include <auspex.h>
        struct node { int value, rest; } *head, one;
        int counter, array[3]; _Thread_local int own;
        static inline __attribute__((always_inline)) void inlined(void) { counter++; }
        void __VERIFIER_atomic_step(void) {}
        int main(void) {
            head = &one; own = 1; array[0] = 1; inlined(); __VERIFIER_atomic_step();
            __auspex_event(\"counted\");
            return 0;
        }";
    messages(
        text,
        "[] (countr < 3)",
        &expect![[r#"
        error: there is no global variable `countr`
         --> --ltl:1:5
          |
        1 | [] (countr < 3)
          |     ^^^^^^
          |
          = help: is it `counter` or `counted`?

    "#]],
    );
    messages(
        text,
        "[] X (counter < 3)",
        &expect![[r#"
        error: `X` has no meaning for programs
         --> --ltl:1:1
          |
        1 | [] X (counter < 3)
          | ^^^^^^^^^^^^^^^^^^ this depends on how many steps there are
          |
          = help: a step of a program is as long as nothing can be noticed; say it with U, W, [] and <>

    "#]],
    );
    messages(
        text,
        "[] (head->value == 1)",
        &expect![[r#"
        error: there is no global variable `value`
         --> --ltl:1:11
          |
        1 | [] (head->value == 1)
          |           ^^^^^
          |
          = help: `->` is an implication here; put a member of a structure in braces: { p->value == 1 }

    "#]],
    );
    messages(
        text,
        "<> (array[3] == 1 && counter)",
        &expect![[r#"
        error: the array has 3 elements
         --> --ltl:1:11
          |
        1 | <> (array[3] == 1 && counter)
          |           ^

    "#]],
    );
    messages(
        text,
        "<> at inlined",
        &expect![[r#"
            error: `inlined` is inlined where it is called: no thread is ever seen in it
             --> --ltl:1:7
              |
            1 | <> at inlined
              |       ^^^^^^^

        "#]],
    );
    messages(
        text,
        "<> at __VERIFIER_atomic_step",
        &expect![[r#"
        error: `__VERIFIER_atomic_step` is one atomic step: no thread is ever seen in it
         --> --ltl:1:7
          |
        1 | <> at __VERIFIER_atomic_step
          |       ^^^^^^^^^^^^^^^^^^^^^^

    "#]],
    );
    messages(
        text,
        "<> wrker at main",
        &expect![[r#"
            error: the program has no function `wrker`
             --> --ltl:1:4
              |
            1 | <> wrker at main
              |    ^^^^^
              |
              = help: a thread is called as in traces: the function that it begins with, and perhaps its number: `main`, `worker[2]`

        "#]],
    );
    messages(
        text,
        "<> own",
        &expect![[r#"
        error: `own` is thread-local: each thread has its own
         --> --ltl:1:4
          |
        1 | <> own
          |    ^^^

    "#]],
    );
    messages(
        text,
        "<> one",
        &expect![[r#"
        error: this is a structure, which is neither true nor false
         --> --ltl:1:4
          |
        1 | <> one
          |    ^^^
          |
          = help: name one of its members: value, rest

    "#]],
    );
    messages(
        text,
        "<> (counter & 1)",
        &expect![[r#"
        error: a proposition without a variable
         --> --ltl:1:15
          |
        1 | <> (counter & 1)
          |               ^
          |
          = help: `&` and `|` are operators of the logic; put an expression with them in braces: { x & 1 }

    "#]],
    );
    messages(
        text,
        "<> event count",
        &expect![[r#"
        error: the program does not raise an event `count`
         --> --ltl:1:10
          |
        1 | <> event count
          |          ^^^^^
          |
          = help: is it `counted`?

    "#]],
    );
}

#[test]
fn a_sign_of_two_meanings_is_warned_of() {
    let directory = with("p.c", "int x, y;\nint main(void) { x = 1; y = 2; return 0; }");
    let warned = |formula: &str| {
        let ran = auspex(&directory, &["check", "p.c", "--ltl", formula]);
        assert!(ran.code < 2, "{}", ran.err);
        ran.err.contains("is an operator of the logic here")
    };
    assert!(warned("<> (x & y)"));
    assert!(warned("<> (x == 1 | y)"));
    assert!(!warned("<> ((x & y) == 0 && x || { x & y })"));
    assert!(!warned("<> ((x & y) == 0) && [] ((x & y) == 0)"));
}

/// Whatever the bytes, there is an answer and no panic.
#[test]
fn any_text_is_answered() {
    let directory =
        with("p.c", "int x, *p; struct { int a; } s;\nint main(void) { x = 1; return 0; }");
    let deep = "(".repeat(5000);
    let indices = format!("p{}", "[0]".repeat(2000));
    let signs = format!("{{{}x}}", "-".repeat(5000));
    let sum = format!("x{} > 0", " + 1".repeat(900));
    let odd = [
        "é",
        "x == 'é'",
        "{é}",
        "x::",
        "::x",
        "x.",
        "s.a.b",
        "s.é",
        "p[",
        "p[x",
        "*",
        "*x",
        "&x",
        "{&x}",
        "{&1}",
        "{*&x}",
        "0x",
        "{0x}",
        "{1e}",
        "{1.2.3}",
        "{08}",
        "{'}",
        "{''}",
        "{'\\",
        "x at",
        "at",
        "at at",
        "x at at main",
        "[1] at main",
        "main[ at main",
        "main[1 at main",
        "main[-1] at main",
        "event",
        "event event",
        "{ x = 1 }",
        "x++",
        "x ? 1 : 2",
        "{x,x}",
        "{(int)x}",
        "sizeof x",
        "{x == 99999999999999999999}",
        "{x << 99}",
        "{-x % 0}",
        "{1 / 0 == x}",
        "\u{0}",
        "{p + 1}",
        "{p < p}",
        "{p == 1}",
        "{s == s}",
        "{x.a}",
        "{p.a}",
        "{x->a}",
        "{!p}",
        "{~p}",
        "\"x\"",
        "'x'",
        &deep,
        &indices,
        &signs,
        &sum,
    ];
    for formula in odd {
        // An argument cannot hold a zero byte.
        let formula = formula.replace('\u{0}', "\u{1}");
        let ran = auspex(&directory, &["check", "p.c", "--quiet", "--ltl", &formula]);
        assert!((0..=2).contains(&ran.code), "{formula}: {} {}", ran.code, ran.err);
        assert!(!ran.err.contains("panicked"), "{formula}: {}", ran.err);
    }
}

#[test]
fn traces_of_infinite_runs_are_walked_and_drawn() {
    let text = "#include <auspex.h>
#include <pthread.h>
static int request, reply;
static void *server(void *unused)
{
	for (;;) {
		if (request) {
			__auspex_event(\"answers\");
			reply = 1;
		}
	}
	return unused;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, server, 0);
	request = 1;
	pthread_join(t, 0);
	return 0;
}
";
    let directory = with("p.c", text);
    let flags = ["check", "p.c", "--workers", "1", "--property", "ltl"];
    let ran = auspex(&directory, &[&flags[..], &["--ltl", "[] <> (answers && !reply)"]].concat());
    assert_eq!(ran.code, 1);
    let story = ran.out.split_once("\n\n").map_or("", |(_, story)| story);
    expect![[r#"
         1  main[0]    p.c:17  pthread_create(&t, 0, server, 0);  creates server[1]  t = server[1]
         2  main[0]    p.c:18  request = 1;                       request: 0 -> 1
         3  server[1]  p.c:4   (server starts)                    unused = NULL
            server[1]  p.c:7   if (request) {                     (reads request = 1)
         4  server[1]  p.c:8   __auspex_event("answers");         event answers
         5  server[1]  p.c:9   (the event is over)
         6  server[1]  p.c:9   reply = 1;                         reply: 0 -> 1
        and then for ever:
         7  server[1]  p.c:7   if (request) {                     (reads request = 1)
         8  server[1]  p.c:8   __auspex_event("answers");         event answers
         9  server[1]  p.c:9   (the event is over)
        10  server[1]  p.c:9   reply = 1;                         reply stays 1
        ✗ a run violates `ltl`: [] <> (answers && !reply)
        the state then:
              globals    request = 1  reply = 1
              main[0]    p.c:19  t = server[1]
              server[1]  p.c:7"#]]
    .assert_eq(story.split("\n\n").next().unwrap());
    let file = std::fs::read_to_string(directory.path().join("p.c.trace.json")).unwrap();
    let file: Value = serde_json::from_str(&file).unwrap();
    assert_eq!(file["formula"], "[] <> (answers && !reply)");
    assert!(file["cycle_from"].as_u64().unwrap() < file["steps"].as_array().unwrap().len() as u64);
    let ran = auspex(&directory, &["simulate", "p.c", "--trace", "p.c.trace.json"]);
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("repeat for ever: a run violates `ltl`"), "{}", ran.out);
    let ran = auspex(&directory, &["draw", "p.c", "--trace", "p.c.trace.json", "-o", "p.svg"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(std::fs::read_to_string(directory.path().join("p.svg")).unwrap().contains("server[1]"));
}

/// C++ is compiled by the same clang.
#[test]
fn names_of_cpp() {
    let text = "
        namespace office {
            enum class Phase { Idle, Busy, Done };
            static Phase phase;
            struct Base { int n; };
            struct Desk : Base { bool open; void sit() { n++; open = true; } };
            Desk desk;
        }
        int main() {
            office::phase = office::Phase::Busy;
            office::desk.sit();
            office::phase = office::Phase::Done;
            return 0;
        }";
    let flags = ["--", "-x", "c++", "-fno-exceptions"];
    let formulas = [
        ("[] (phase == Phase::Busy -> <> (office::phase == Done))", true),
        ("<> (office::desk.n == 1 && desk.open)", true),
        ("<> at sit && <> main at office::Desk::sit", true),
        ("[] !at Desk::sit", false),
        ("<> (desk.n == 2)", false),
    ];
    let directory = with("p.c", text);
    let asked: Vec<&str> = formulas.iter().flat_map(|(formula, _)| ["--ltl", formula]).collect();
    let common = ["check", "p.c", "--format", "json"];
    let verdicts = verdicts_of(&directory, &[&common[..], &asked, &flags].concat());
    let holds: Vec<bool> = verdicts.iter().skip(1).map(|verdict| verdict == "holds").collect();
    assert_eq!(holds, formulas.map(|(_, holds)| holds));
}

/// Rust, without its library.
#[test]
fn names_of_rust() {
    let text = "#![no_std]
#![no_main]
use core::sync::atomic::{AtomicI32, Ordering::SeqCst};
pub enum Phase { Idle, Busy, Done }
static STATE: AtomicI32 = AtomicI32::new(0);
static mut PHASE: Phase = Phase::Idle;
mod inner { pub static mut PAIR: (u8, i64) = (0, 0); }
#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! { loop {} }
fn work() { STATE.store(2, SeqCst); }
#[unsafe(no_mangle)]
pub extern \"C\" fn main() -> i32 {
    unsafe { PHASE = Phase::Busy; inner::PAIR = (3, -4); }
    STATE.store(1, SeqCst);
    work();
    unsafe { PHASE = Phase::Done; }
    0
}
";
    let directory = with("p.rs", text);
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let made = Command::new(rustc)
        .current_dir(directory.path())
        .args(["--edition", "2024", "--crate-type", "staticlib", "--emit", "llvm-ir", "-g"])
        .args(["-C", "opt-level=0", "-C", "panic=abort", "p.rs", "-o", "p.ll"])
        .status()
        .unwrap();
    assert!(made.success());
    let formulas = [
        ("<> (STATE == 1)", true),
        ("<> (STATE.v.value == 3)", false),
        ("[] (PHASE == Phase::Busy -> <> (PHASE == Done))", true),
        ("<> (PAIR.0 == 3 && inner::PAIR.1 < 0)", true),
        ("<> at work", true),
        ("[] (p::STATE != 2)", false),
    ];
    let asked: Vec<&str> = formulas.iter().flat_map(|(formula, _)| ["--ltl", formula]).collect();
    let common = ["check", "p.ll", "--allow", "undefined", "--format", "json"];
    let verdicts = verdicts_of(&directory, &[&common[..], &asked].concat());
    let holds: Vec<bool> = verdicts.iter().skip(1).map(|verdict| verdict == "holds").collect();
    assert_eq!(holds, formulas.map(|(_, holds)| holds));
}
