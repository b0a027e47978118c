//! The case studies of `auspex generate`: their models hold, a seeded bug is found, and Spin agrees.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/generate")
}

/// Property and verdict, of all that a file asks for.
fn verdicts(file: &str, arguments: &[&str]) -> Vec<(String, String)> {
    verdicts_of(&examples().join(file), arguments)
}

fn verdicts_of(file: &Path, arguments: &[&str]) -> Vec<(String, String)> {
    let directory = TempDir::new().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_auspex"))
        .current_dir(directory.path())
        .args(["check", "--format", "json"])
        .arg(file)
        .args(arguments)
        .output()
        .unwrap();
    let report: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    let results = report["results"].as_array().unwrap().iter();
    let text = |result: &Value, key: &str| result[key].as_str().unwrap_or("?").to_owned();
    results.map(|result| (text(result, "property"), text(result, "verdict"))).collect()
}

/// How many errors `pan` finds in the clean model, for each property.
fn errors_of_spin(file: &str, properties: &[(&str, &[&str])]) -> Vec<u32> {
    let directory = TempDir::new().unwrap();
    let at = directory.path();
    let run = |command: &mut Command| {
        let output = command.current_dir(at).output().unwrap();
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8_lossy(&said).into_owned();
        assert!(output.status.success(), "{command:?}: {said}");
        said
    };
    run(Command::new(env!("CARGO_BIN_EXE_auspex"))
        .args(["generate", "--strict", "-o", "out"])
        .arg(examples().join(file)));
    let model = Path::new("out").join(Path::new(file).file_name().unwrap()).with_extension("prom");
    run(Command::new("spin").arg("-a").arg(model));
    run(Command::new("gcc").args(["-O2", "-DNOREDUCE", "-DNFAIR=3", "-w", "-o", "pan", "pan.c"]));
    let count = |(name, options): &(&str, &[&str])| {
        let mut pan = Command::new("./pan");
        let said = run(pan.args(["-a", "-m3000000", "-N", name]).args(*options));
        let count = said.split("errors: ").nth(1).and_then(|rest| rest.split_whitespace().next());
        count.and_then(|count| count.parse().ok()).unwrap_or_else(|| panic!("{said}"))
    };
    properties.iter().map(count).collect()
}

fn expect(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(property, verdict)| (property.to_string(), verdict.to_string())).collect()
}

#[test]
fn alternating_bit_delivers_once_in_order_and_always() {
    let properties = [("once_and_in_order", &[][..]), ("every_message_arrives", &[][..])];
    let good =
        [("safety", "holds"), ("once_and_in_order", "holds"), ("every_message_arrives", "holds")];
    assert_eq!(verdicts("altbit.pch", &[]), expect(&good));
    assert_eq!(errors_of_spin("altbit.pch", &properties), [0, 0]);
    let bad = [
        ("safety", "holds"),
        ("once_and_in_order", "violated"),
        ("every_message_arrives", "violated"),
    ];
    assert_eq!(verdicts("altbit_broken.pch", &[]), expect(&bad));
    assert_eq!(errors_of_spin("altbit_broken.pch", &properties), [1, 1]);
}

#[test]
fn ftp_server_accepts_answers_and_asks_for_a_password() {
    let names = [
        "safety",
        "accepts_again",
        "retrieved_or_refused",
        "no_transfer_before_login",
        "every_command_is_answered",
    ];
    let expected: Vec<_> = names.iter().map(|name| (*name, "holds")).collect();
    assert_eq!(verdicts("ftp/ftpd.pch", &["--fair"]), expect(&expected));
    let fair: Vec<_> = names[1..].iter().map(|name| (*name, &["-f"][..])).collect();
    assert_eq!(errors_of_spin("ftp/ftpd.pch", &fair), [0; 4]);
}

/// Each property is there for something: servers that are wrong in one place violate it.
#[test]
fn ftp_servers_with_a_mistake_are_found_out() {
    let text = std::fs::read_to_string(examples().join("ftp/ftpd.pch")).unwrap();
    let mistakes = [
        // Any password will do.
        ("no_transfer_before_login", ":: (code == 230) ->", ":: (code != 0) ->"),
        // A command without a reply.
        ("safety", "REPLY(451, \"The file could not be read or written\")", "skip"),
        ("safety", "REPLY(530, \"You are logged in\")", "skip"),
        // Files without an end.
        ("retrieved_or_refused", ":: blocks < MAX_BLOCKS -> blocks++;", ":: true ->"),
        ("every_command_is_answered", ":: blocks < MAX_BLOCKS -> blocks++;", ":: true ->"),
        // One session after the other.
        ("accepts_again", "run handler(control_sock);", "run handler(control_sock); (_nr_pr < 5);"),
        // Success, though the file was cut.
        (
            "safety",
            ":: (outcome != STEP_MORE) -> break",
            ":: (outcome != STEP_MORE) -> outcome = STEP_DONE; break",
        ),
    ];
    for (property, right, wrong) in mistakes {
        let directory = TempDir::new().unwrap();
        let file = directory.path().join("ftpd.pch");
        assert_eq!(text.matches(right).count(), 1, "{right}");
        std::fs::write(&file, text.replace(right, wrong)).unwrap();
        let constants = examples().join("ftp/ftp_constants.h");
        std::fs::copy(constants, directory.path().join("ftp_constants.h")).unwrap();
        let found = verdicts_of(&file, &["--fair", "--property", property]);
        assert_eq!(found, expect(&[(property, "violated")]), "{wrong}");
    }
}
