//! Would `auspex generate --threads --check` notice if the library of generated programs were wrong? And can a program do all that
//! its model can?

use auspex_compile::{Environment, Optimise};
use auspex_generate::c::threads;
use auspex_generate::inclusion::Inclusion;
use auspex_machine::Machine;
use auspex_process::Model;
use auspex_promela::{Options as Reading, parser};
use auspex_search::{Control, Limits, Options, Order, StoreKind, explore};
use auspex_system::{SourceMap, System};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;

/// More states of what says what may be printed are not looked at.
const MOST_STATES: usize = 200_000;

fn path(name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/generate/threads");
    root.join(name).with_extension("pml")
}

fn model(name: &str) -> Model {
    let loaded = auspex_promela::load(&mut SourceMap::default(), &path(name), &Reading::default());
    loaded.unwrap_or_else(|errors| panic!("{name}: {}", errors[0].message)).model
}

/// A change of a file of the library: the text that stands there, and what it becomes.
type Change<'a> = (&'a str, &'a str, &'a str);

/// The program of a model, with a change of its library.
fn program(name: &str, change: Option<Change<'_>>) -> Machine {
    let (dir, mut map) = (TempDir::new().expect("a directory"), SourceMap::default());
    let parsed = parser::parse_file(&mut map, &path(name), &Reading::default());
    let parsed = parsed.unwrap_or_else(|errors| panic!("{name}: {}", errors[0].message));
    let (spec, _) = auspex_generate::resolve_with_priorities(&parsed.program, name)
        .unwrap_or_else(|errors| panic!("{name}: {}", errors[0].message));
    let library = dir.path().join(threads::LIBRARY);
    std::fs::create_dir(&library).expect("a directory");
    let mut sources = Vec::new();
    for file in threads::generate(&spec, &map).expect("a program") {
        let (path, mut text) = (dir.path().join(&file.path), file.contents);
        if let Some((file, from, to)) = change
            && path.ends_with(file)
        {
            assert_eq!(text.matches(from).count(), 1, "{file}: {from}");
            text = text.replace(from, to);
        }
        std::fs::write(&path, text).expect("a file");
        if path.extension().is_some_and(|extension| extension == "c") {
            sources.push(path);
        }
    }
    let include = format!("-I{}", library.display());
    let options = auspex_compile::Options {
        clang: None,
        optimise: Optimise::None,
        flags: [include.as_str(), "-std=c11", "-fwrapv"].map(String::from).to_vec(),
        allow_undefined: false,
        roots: auspex_machine::REQUIRED.iter().map(|name| name.to_string()).collect(),
        environment: Environment::default(),
    };
    let mut map = SourceMap::default();
    let native = auspex_machine::is_native;
    let compiled = auspex_compile::load(&mut map, &sources, &options, &native)
        .unwrap_or_else(|errors| panic!("{name}: {}", errors[0].message));
    let runtime: Vec<bool> = compiled.module.ids().map(|id| compiled.is_runtime(id)).collect();
    let decoded =
        auspex_machine::decode(compiled.module, |id| runtime[id.0 as usize], false).expect("code");
    Machine::new(decoded, auspex_machine::Options::default()).with_output()
}

/// The kind of fault that is found in a product, if any is.
fn fault<S: System, M: System + Send>(product: &Inclusion<S, M>) -> Option<&'static str> {
    let options = Options {
        workers: 1,
        order: Order::Breadth,
        store: StoreKind::Exact,
        link_bits: Some(Options::ALL_LINK_BITS),
        limits: Limits::default(),
        all: false,
        reduce: false,
    };
    let outcome = explore(product, &options, &Arc::new(Control::default()));
    assert!(outcome.stopped.is_none() && !product.is_at_its_limit());
    outcome.faults.first().map(|found| found.fault.kind)
}

/// The kind of fault of a program whose library was changed.
fn changed(name: &str, change: Change<'_>) -> Option<&'static str> {
    fault(&Inclusion::new(program(name, Some(change)), model(name), MOST_STATES))
}

#[test]
fn a_wrong_library_is_noticed() {
    let wrong: [(&str, Change<'_>, &str); 13] = [
        // Others come in between the statements of an atomic.
        ("atomic-blocks", ("turns.c", "me->shown.atomic && may_move(me)", "0"), "output"),
        // The receiver of a handshake does not go on at once.
        (
            "rendezvous-atomic",
            ("turns.c", "ax_the.partner = partner;", "ax_the.partner = 0;"),
            "output",
        ),
        (
            "timeout-order",
            ("turns.c", "    if (p)\n        return p;\n    ax_the", "    ax_the"),
            "output",
        ),
        ("timeout-order", ("turns.c", "    ax_the.timeout = 1;\n", ""), "deadlock"),
        (
            "priorities",
            ("turns.c", "->priority > p->priority", "->priority < p->priority"),
            "output",
        ),
        ("wrong-deadlock", ("turns.c", "            ax_deadlock();", "            break;"), "end"),
        // Last in, first out.
        (
            "sorted-random",
            ("channels.c", "int slot = q->length;\n    if", "int slot = 0;\n    if"),
            "output",
        ),
        (
            "sorted-random",
            ("channels.c", "message[i] > than[i]", "message[i] < than[i]"),
            "deadlock",
        ),
        // Whoever wants to ends.
        (
            "death-order",
            ("looks.c", "me->pid == ax_the.count - 1", "me->pid >= 0"),
            "use-after-free",
        ),
        (
            "unless-all",
            ("looks.c", "look->count && look->enabled_group != look->group", "0"),
            "output",
        ),
        (
            "rendezvous-else",
            ("looks.c", "    if (!ax_the.look->count)\n        ax_can", "        ax_can"),
            "output",
        ),
        // Messages that do not fit are received.
        (
            "rendezvous-moving-match",
            (
                "looks.c",
                "            return 0;\n    return 1;",
                "            return 1;\n    return 1;",
            ),
            "output",
        ),
        (
            "d-step-receives",
            ("looks.c", "(look->only_first && look->count > look->before)", "0"),
            "assertion",
        ),
    ];
    let mut unnoticed = Vec::new();
    for (name, change, kind) in wrong {
        let found = changed(name, change);
        if found != Some(kind) {
            unnoticed.push((name, change, found));
        }
    }
    assert!(unnoticed.is_empty(), "{unnoticed:#?}");
}

/// The other direction: what the model can print, the program can.
#[test]
fn a_program_can_print_all_that_its_model_can() {
    let names = [
        "atomic-blocks",
        "d-step-messages",
        "d-step-receives",
        "d-steps",
        "death-order",
        "end-states",
        "gotos",
        "polls",
        "priorities",
        "provided-turns",
        "rendezvous-at-once",
        "rendezvous-atomic",
        "rendezvous-both-sides",
        "rendezvous-chain",
        "rendezvous-else",
        "rendezvous-else-receiver",
        "rendezvous-moving-match",
        "rendezvous-three",
        "run-and-pids",
        "sorted-random",
        "timeout-order",
        "timeout-rendezvous",
        "unless-all",
        "unless-nested",
    ];
    let can_less = |name: &&str| {
        fault(&Inclusion::new(model(name), program(name, None), MOST_STATES)).is_some()
    };
    let less: Vec<&str> = names.into_iter().filter(can_less).collect();
    // In the model a process may still be before a statement on its own variables when another one wants to send to it.
    assert_eq!(less, ["rendezvous-else"]);
}

/// What is not there is missed: a program without choices.
#[test]
fn a_program_that_can_do_less_is_noticed() {
    let change = ("turns.c", "int chosen = ax_choose(count);", "int chosen = 0;");
    let product = Inclusion::new(
        model("nested-choices"),
        program("nested-choices", Some(change)),
        MOST_STATES,
    );
    assert_eq!(fault(&product), Some("output"));
}
