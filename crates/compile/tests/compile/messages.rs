//! What the user is told.

use crate::{Outcome, Project, contains, script};
use std::fs;

#[test]
fn a_compile_error_is_what_clang_says() -> Outcome {
    let project = Project::new(&[("a.c", "int main(void) {\n    return x;\n}\n")])?;
    let text = project.fail(&["a.c"])?;
    contains(&text, "error: `a.c` does not compile");
    contains(&text, "a.c:2:12: error: use of undeclared identifier 'x'");
    let caret = text.lines().find(|line| line.trim_end().ends_with('^')).ok_or("no caret")?;
    let code = text.lines().find(|line| line.ends_with("return x;")).ok_or("no line")?;
    assert_eq!(caret.find('^'), code.find("x;"), "{text}");
    Ok(())
}

#[test]
fn all_files_that_do_not_compile_are_told() -> Outcome {
    let project =
        Project::new(&[("a.c", "int x = ;"), ("b.c", "int main(void) {}"), ("c.c", "y")])?;
    let text = project.fail(&["a.c", "b.c", "c.c"])?;
    contains(&text, "`a.c` does not compile");
    contains(&text, "`c.c` does not compile");
    Ok(())
}

#[test]
fn warnings_have_their_places() -> Outcome {
    let text = "int main(void) {\n    int x;\n    return x;\n}\n";
    let project = Project::new(&[("a.c", text)])?.flags(&["-Wall"]);
    let (result, sources) = project.attempt(&["a.c"]);
    let warnings = result.map_err(|_| "does not load")?.warnings;
    let [warning] = warnings.as_slice() else { return Err("not one warning".into()) };
    contains(&warning.message, "uninitialized");
    let location = warning.span.map(|span| sources.location(span)).ok_or("no place")?;
    assert_eq!((location.line, location.column), (3, 12));
    Ok(())
}

#[test]
fn an_undefined_function_and_its_callers() -> Outcome {
    let text = "int missing(int);
int also(int);
int main(void) {
    int n = missing(1);
    return n + also(missing(2));
}
int (*table[])(int) = { also };
";
    let project = Project::new(&[
        ("a.c", text),
        ("b.c", "int missing(int); int b(void) { return missing(3); }"),
    ])?;
    let text = project.fail(&["a.c"])?;
    contains(&text, "error: nothing defines the function `missing`");
    contains(&text, "--> a.c:4:13");
    contains(&text, "4 |     int n = missing(1);");
    contains(&text, "called by `main`");
    contains(&text, "5 |     return n + also(missing(2));");
    contains(&text, "error: nothing defines the function `also`");
    // Nothing reaches the call in b.c.
    assert!(!project.fail(&["a.c", "b.c"])?.contains("b.c:1"));
    let mut project = project;
    project.options.allow_undefined = true;
    let module = project.load(&["a.c"])?.module;
    assert!(module.global("missing").is_some_and(|id| module[id].is_declaration()));
    Ok(())
}

#[test]
fn undefined_data_and_its_users() -> Outcome {
    let text = "extern int x; extern int y[]; int *p = &y[1];
int weak(void) __attribute__((weak));
int main(void) { return x + *p + (weak ? weak() : 0); }\n";
    let text = Project::new(&[("a.c", text)])?.fail(&["a.c"])?;
    contains(&text, "nothing defines the variable `x`");
    contains(&text, "a.c:3:25");
    contains(&text, "used by `main`");
    contains(&text, "nothing defines the variable `y`, which is used by `p`");
    assert!(!text.contains("`weak`"));
    Ok(())
}

#[test]
fn many_undefined_functions_are_a_list_in_the_end() -> Outcome {
    let names: Vec<_> = (10..40).map(|n| format!("f{n}")).collect();
    let calls: String = names.iter().map(|name| format!("{name}();")).collect();
    let declarations: String = names.iter().map(|name| format!("void {name}(void);")).collect();
    let text = format!("{declarations}\nint main(void) {{ {calls} }}");
    let text = Project::new(&[("a.c", &text)])?.fail(&["a.c"])?;
    contains(&text, "function `f21`");
    contains(&text, "nothing defines 18 more: f22, f23,");
    Ok(())
}

#[test]
fn main_is_missing_or_there_twice() -> Outcome {
    let main = "int x;\nint main(void) { return x; }\n";
    let project = Project::new(&[
        ("a.c", main),
        ("b.c", "\n\nint main(void) { return 1; }"),
        ("c.c", "int y;"),
    ])?;
    contains(&project.fail(&["c.c"])?, "there is no `main` in c.c");
    let text = project.fail(&["a.c", "b.c"])?;
    contains(&text, "`main` is defined both in a.c and in b.c");
    contains(&text, "--> b.c:3:1");
    contains(&text, "a.c:2:1");
    contains(&text, "first defined here");
    Ok(())
}

#[test]
fn files_that_cannot_be_loaded() -> Outcome {
    let files = ["d.cpp", "e.rs", "f.h", "g.o", "h", "i.ll"].map(|name| (name, "nonsense"));
    let project = Project::new(&files)?;
    fs::create_dir(project.path("k.c"))?;
    let text = project.fail(&["nowhere.c", "k.c", "d.cpp", "e.rs", "f.h", "g.o", "h"])?;
    contains(&text, "cannot read `nowhere.c`: No such file");
    contains(&text, "cannot read `k.c`: it is a directory");
    contains(&text, "`d.cpp` is C++, which Auspex can not check yet");
    contains(&text, "`e.rs` is Rust, which Auspex can not check yet");
    contains(&text, "`f.h` is a header");
    contains(&text, "`g.o` is compiled already");
    contains(&text, "cannot tell what `h` is");
    contains(&project.fail(&["i.ll"])?, "--> i.ll:1:1");
    contains(&project.fail(&[])?, "no program is given");
    Ok(())
}

#[test]
fn no_clang() -> Outcome {
    let mut project = Project::new(&[("a.c", "int main(void) {}")])?;
    project.options.environment.path = project.path("").into();
    let text = project.fail(&["a.c"])?;
    contains(&text, "C programs need clang 15 or newer, and there is none here");
    contains(&text, "`apt install clang`");
    contains(&text, "--clang PATH");
    project.options.clang = Some(project.path("nowhere"));
    contains(&project.fail(&["a.c"])?, "there is no program `nowhere`, which --clang asks for");
    project.options.clang = None;
    project.options.environment.clang = Some("nowhere".into());
    contains(&project.fail(&["a.c"])?, "`nowhere`, which AUSPEX_CLANG asks for");
    Ok(())
}

#[test]
fn a_clang_that_is_too_old_or_none() -> Outcome {
    let mut project = Project::new(&[("a.c", "int main(void) {}")])?;
    let path = project.options.environment.path.clone();
    fs::create_dir(project.path("bin"))?;
    script(&project.path("bin/clang"), "#!/bin/sh\necho 'Debian clang version 14.0.6'\n")?;
    script(&project.path("bin/gcc"), "#!/bin/sh\necho 'gcc (Debian 12.2.0) 12.2.0'\n")?;
    script(&project.path("bin/broken"), "#!/bin/sh\nexit 3\n")?;
    project.options.environment.path = project.path("bin").into();
    let text = project.fail(&["a.c"])?;
    contains(&text, "`bin/clang` is clang 14, and C programs need clang 15 or newer");
    for (name, message) in [
        ("clang", "is clang 14, and C programs need"),
        ("gcc", "is not clang: it says it is `gcc (Debian 12.2.0) 12.2.0`"),
        ("broken", "cannot run `broken`: `--version` ends with exit status: 3"),
    ] {
        project.options.clang = Some(name.into());
        contains(&project.fail(&["a.c"])?, message);
    }
    // Another that is new enough is found behind it, unless one is asked for.
    project.options.clang = None;
    let both = std::env::join_paths(
        [project.path("bin")].into_iter().chain(std::env::split_paths(&path)),
    )?;
    project.options.environment.path = both;
    project.load(&["a.c"])?;
    Ok(())
}

#[test]
fn flags_that_make_no_sense() -> Outcome {
    let project = Project::new(&[("a.c", "int main(void) {}")])?;
    contains(&project.flags(&["-E"]).fail(&["a.c"])?, "`-E` asks for no compilation");
    let project = Project::new(&[("a.c", "int main(void) {}")])?;
    contains(&project.flags(&["-fnonsense"]).fail(&["a.c"])?, "unknown argument: '-fnonsense'");
    Ok(())
}
