//! Temporal properties of known models (`tests/temporal`), whose verdicts were reasoned out: with every
//! algorithm, and with Spin as the second judge.

use auspex_modelgen::{corpus, judge, pairs};
use std::path::Path;
use std::sync::Mutex;

#[test]
fn written_pairs_agree_with_spin() {
    if let Err(why) = judge::available() {
        panic!("this test compares with real Spin: {why}");
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let models = corpus::models(&root.join("tests/temporal"));
    let count = Mutex::new(0);
    let failures = corpus::for_all(&models, 1, |file| {
        let pairs = pairs::verify(Path::new(env!("CARGO_BIN_EXE_auspex")), file)?;
        *count.lock().unwrap() += pairs;
        Ok(())
    });
    for (index, why) in &failures {
        eprintln!("{}: {why}", models[*index].display());
    }
    assert!(failures.is_empty(), "{} of {} models", failures.len(), models.len());
    let count = count.into_inner().unwrap();
    println!("{count} pairs");
    assert!(count >= 60, "only {count} pairs");
}
