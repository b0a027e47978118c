//! With a runtime of a few lines: the real one takes a second or two to compile.

use super::*;
use crate::clang;
use crate::environment::Environment;

type Outcome = Result<(), String>;

const TINY: &Files =
    &[("a.c", "#include \"a.h\"\nint f(void) { return A; }\n"), ("a.h", "#define A 1\n")];
const OTHER: &Files =
    &[("a.c", "#include \"a.h\"\nint f(void) { return A; }\n"), ("a.h", "#define A 2\n")];

fn tool() -> Result<Clang, String> {
    let environment = Environment { clang: None, ..Environment::default() };
    clang::find(None, &environment, &Cache::new(None)).map_err(|problem| problem.message)
}

/// Gets the library, and looks at what is in the cache afterwards.
fn get(files: &Files, flags: &[&str], directory: &Path) -> Result<Vec<PathBuf>, String> {
    let flags: Vec<_> = flags.iter().map(|&flag| flag.to_owned()).collect();
    let cache = Cache::new(Some(directory.to_owned()));
    let library = Library::get(files, &tool()?, &flags, &cache).map_err(|p| p.message)?;
    assert_eq!(library.find("f"), Some(0));
    assert_eq!(library.find("g"), None);
    assert!(library.read(0).is_ok_and(|module| module.global("f").is_some()));
    let entries = fs::read_dir(directory).map_err(|problem| problem.to_string())?;
    Ok(entries.flatten().map(|entry| entry.path()).collect())
}

#[test]
fn a_library_survives_being_written_down() {
    let member = |name: &str, symbols: &[&str], text: &str| Member {
        name: name.to_owned(),
        symbols: symbols.iter().map(|&symbol| symbol.to_owned()).collect(),
        text: text.to_owned(),
    };
    let members = vec![member("a.c", &["f", "g"], "; a\n\nb"), member("b.c", &[], "")];
    let text = Library { members }.print();
    let library = Library::parse(&text).map(|library| library.members).unwrap_or_default();
    assert_eq!(library.len(), 2);
    assert_eq!(library[0].symbols, ["f", "g"]);
    assert_eq!(library[0].text, "; a\n\nb");
    assert!(library[1].symbols.is_empty());
    assert!(Library::parse(&text[..text.len() - 1]).is_none());
    assert!(Library::parse("").is_none());
}

#[test]
fn each_text_and_machine_has_its_own() -> Outcome {
    let directory = temporary_directory().map_err(|problem| problem.message)?;
    assert_eq!(get(TINY, &[], directory.path())?.len(), 1);
    assert_eq!(get(TINY, &[], directory.path())?.len(), 1);
    assert_eq!(get(OTHER, &[], directory.path())?.len(), 2);
    if cfg!(target_arch = "x86_64") {
        assert_eq!(get(TINY, &["-m32"], directory.path())?.len(), 3);
    }
    Ok(())
}

#[test]
fn what_is_damaged_is_made_again() -> Outcome {
    let io = |problem: std::io::Error| problem.to_string();
    let directory = temporary_directory().map_err(|problem| problem.message)?;
    let path = get(TINY, &[], directory.path())?.pop().ok_or("nothing was written")?;
    let whole = fs::read(&path).map_err(io)?;
    let mut changed = whole.clone();
    changed[whole.len() / 2] ^= 1;
    for damaged in [&whole[..whole.len() / 2], &[], &changed, &[255; 100]] {
        fs::write(&path, damaged).map_err(io)?;
        assert_eq!(get(TINY, &[], directory.path())?.len(), 1);
        assert!(fs::read(&path).map_err(io)? == whole);
    }
    Ok(())
}

#[test]
fn several_processes_may_write_the_same() -> Outcome {
    let directory = temporary_directory().map_err(|problem| problem.message)?;
    let results = in_parallel(&[(); 8], |()| get(TINY, &[], directory.path()).map(|_| ()));
    results.into_iter().collect::<Result<(), _>>()?;
    assert_eq!(get(TINY, &[], directory.path())?.len(), 1);
    Ok(())
}

#[test]
fn temporary_names_leave_no_trace() -> Outcome {
    let make = || Library::get(TINY, &tool()?, &[], &Cache::new(None)).map_err(|p| p.message);
    let (first, second) = (make()?, make()?);
    assert_eq!(first.members[0].text, second.members[0].text);
    assert!(first.members[0].text.contains(DIRECTORY));
    Ok(())
}

#[test]
fn a_runtime_that_does_not_compile_is_told() -> Outcome {
    let result = Library::get(&[("a.c", "int x = ;\n")], &tool()?, &[], &Cache::new(None));
    let message = result.err().map(|problem| problem.message).unwrap_or_default();
    assert!(message.contains("`<runtime>/a.c` does not compile"), "{message}");
    Ok(())
}
