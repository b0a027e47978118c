//! The translations that the thesis shows, as they are now: for people to look at. `UPDATE_EXPECT=1` writes them anew.

mod common;

use expect_test::expect_file;
use std::path::Path;

/// The texts of some files of a specification, one after the other, and the proof that they compile.
fn check(name: &str, files: &[&str]) {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/generate/figures");
    let generated = common::generate(&directory.join(format!("{name}.pch")), true).unwrap();
    let mut text = String::new();
    for file in files {
        let found = generated.iter().find(|f| f.path == Path::new(file)).unwrap();
        text.push_str(&format!("==> {file}\n{}\n", found.contents));
    }
    expect_file![directory.join(format!("{name}.txt"))].assert_eq(&text);
    common::compile(name, &generated).unwrap();
}

#[test]
fn figure_4_mtype() {
    check("figure04_mtype", &["init.h"]);
}

#[test]
fn figure_5_a_minimal_process() {
    check("figure05_minimal", &["A.c", "init.c", "Makefile"]);
}

#[test]
fn figure_6_parameters() {
    check("figure06_parameters", &["add.c"]);
}

#[test]
fn figure_7_active_processes() {
    check("figure07_active", &["init.c"]);
}

#[test]
fn figure_8_types() {
    check("figure08_types", &["init.h", "A.c"]);
}

#[test]
fn figure_9_selection() {
    check("figure09_selection", &["A.c"]);
}

#[test]
fn figure_10_else() {
    check("figure10_else", &["A.c"]);
}

#[test]
fn figure_11_switch() {
    check("figure11_switch", &["A.c"]);
}

#[test]
fn figure_12_switch_with_else() {
    check("figure12_switch_else", &["A.c"]);
}

#[test]
fn figure_13_repetition() {
    check("figure13_repetition", &["A.c"]);
}

#[test]
fn figure_14_selection_in_repetition() {
    check("figure14_combined", &["A.c"]);
}

#[test]
fn figure_15_abstraction() {
    check("figure15_abstraction", &["A.c"]);
}
