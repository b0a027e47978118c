//! What is clean is the same model, whatever the layout: its tree is that of the specification.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use auspex_generate::clean::{Layout, clean_text};
use auspex_promela::parser::{Options, parse_text};
use auspex_promela::{Reading, ast};
use auspex_system::SourceMap;

#[allow(dead_code)] // Only the mutations are wanted.
#[path = "../../promela/tests/parse/mutate.rs"]
mod mutate;

const LAYOUTS: [Layout; 3] = [
    Layout { keep_comments: false, tidy: false },
    Layout { keep_comments: true, tidy: false },
    Layout { keep_comments: true, tidy: true },
];

fn options(reading: Reading) -> Options {
    let front = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/generate/front");
    let plain = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/promela/front");
    Options { reading, include_dirs: vec![front, plain], ..Options::default() }
}

/// The tree without places and white space.
fn tree(program: &ast::Program) -> String {
    let text = format!("{program:?}");
    let mut rest = text.as_str();
    let mut tree = String::new();
    while let Some(at) = rest.find("Span {") {
        tree.push_str(&rest[..at]);
        rest = rest[at..].split_once('}').map_or("", |(_, behind)| behind);
    }
    tree.push_str(rest);
    tree.retain(|c| !c.is_whitespace());
    // Where white space was kept in a statement's text, it was between tokens.
    tree
}

fn parsed(text: &str, reading: Reading) -> Result<String, String> {
    let mut map = SourceMap::default();
    match parse_text(&mut map, "a.pch", text, &options(reading)) {
        Ok(parsed) => Ok(tree(&parsed.program)),
        Err(errors) => Err(errors.first().map_or(String::new(), |error| error.message.clone())),
    }
}

/// Says what is wrong with the clean text of a model that is right.
fn examine(text: &str, reading: Reading) -> Result<bool, String> {
    let clean = |layout| {
        let mut map = SourceMap::default();
        clean_text(&mut map, "a.pch", text, &options(reading), layout)
    };
    let Ok(expected) = parsed(text, reading) else {
        // Whatever comes of it, it must come back.
        LAYOUTS.iter().for_each(|layout| drop(clean(*layout)));
        return Ok(false);
    };
    for layout in LAYOUTS {
        let text = clean(layout).map_err(|errors| format!("{layout:?}: {}", errors[0].message))?;
        match parsed(&text, Reading::Plain) {
            Ok(found) if found == expected => {}
            Ok(found) => return Err(format!("{layout:?}:\n{text}\n{found}\n{expected}")),
            Err(why) => return Err(format!("{layout:?}: {why}:\n{text}")),
        }
    }
    Ok(true)
}

fn collect(dir: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(dir).expect("a directory").flatten().map(|entry| entry.path()).collect();
    entries.sort();
    for path in entries {
        match path.is_dir() {
            true => collect(&path, found),
            false => found.push(path),
        }
    }
}

fn corpus() -> Vec<(PathBuf, String, Reading)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Vec::new();
    for dir in ["tests/promela", "tests/temporal", "tests/generate/front"] {
        collect(&root.join(dir), &mut files);
    }
    files
        .into_iter()
        .filter_map(|path| {
            let reading = match path.extension()?.to_str()? {
                "pml" => Reading::Plain,
                "pch" => Reading::Model,
                _ => return None,
            };
            let text = std::fs::read_to_string(&path).ok()?;
            Some((path, text, reading))
        })
        .collect()
}

#[test]
fn all_models_stay_what_they_are() {
    let mut count = 0;
    for (path, text, reading) in corpus() {
        match examine(&text, reading) {
            Ok(accepted) => count += usize::from(accepted),
            Err(fault) => panic!("{}: {fault}", path.display()),
        }
    }
    assert!(count > 300, "only {count} models");
}

#[test]
fn so_do_models_that_were_changed_at_random() {
    let corpus = corpus();
    let texts: Vec<String> = corpus
        .into_iter()
        .filter(|(_, text, _)| text.len() < 2000)
        .map(|(_, text, _)| text)
        .collect();
    let start = Instant::now();
    let mut accepted = 0;
    for seed in 0.. {
        if start.elapsed() > Duration::from_secs(4) {
            println!("{accepted} of {seed} models");
            break;
        }
        let text = mutate::mutated(&texts, &mut mutate::Random(seed));
        match std::panic::catch_unwind(|| examine(&text, Reading::Model)) {
            Ok(Ok(good)) => accepted += usize::from(good),
            Ok(Err(fault)) => panic!("seed {seed}: {fault}:\n{text}"),
            Err(_) => panic!("seed {seed} panics:\n{text}"),
        }
    }
    assert!(accepted > 50, "only {accepted} models");
}
