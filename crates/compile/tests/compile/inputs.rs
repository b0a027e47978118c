//! What can be loaded.

use crate::{Outcome, Project, contains, environment, is_native};
use auspex_compile::{Optimise, Options, load};
use auspex_llvm::ir::{GlobalId, Linkage};
use auspex_system::SourceMap;
use std::fs;
use std::process::Command;

const HELLO: &str = "\
#include <stdio.h>
static int twice(int n) {
    return n * 2;
}
int main(void) {
    printf(\"%d\\n\", twice(21));
    return 0;
}
";

#[test]
fn a_small_program_with_positions_and_source_lines() -> Outcome {
    let project = Project::new(&[("hello.c", HELLO)])?;
    let program = project.load(&["hello.c"])?;
    let module = &program.module;
    let main = module.global("main").ok_or("no main")?;
    assert!(!program.is_runtime(main));
    let body = module.function(main).and_then(|f| f.body.as_ref()).ok_or("no body")?;
    let call = body.instructions.iter().find(|i| i.op.call().is_some()).ok_or("no call")?;
    let location = call.location.ok_or("no position")?;
    let place = &module.debug.locations[location.0 as usize];
    assert_eq!((place.line, place.column), (6, 20));
    let file = auspex_compile::file_of(&module.debug, location).ok_or("no file")?;
    assert_eq!(program.sources.name(file), project.path("hello.c").display().to_string());
    assert_eq!(program.sources.line(file, 6), Some("    printf(\"%d\\n\", twice(21));"));
    assert_eq!(program.sources.line(file, 99), None);
    assert!(!program.is_runtime_file(file));
    assert!(program.compiler.is_some_and(|version| version.contains("clang version")));
    Ok(())
}

#[test]
fn inputs_are_the_first_files_of_the_source_map() -> Outcome {
    let project = Project::new(&[("a.c", "int f(void) { return 1; }"), ("main.c", HELLO)])?;
    let (result, sources) = project.attempt(&["a.c", "main.c"]);
    assert!(result.is_ok());
    assert_eq!(sources.text(auspex_system::FileId(0)), "int f(void) { return 1; }");
    assert_eq!(sources.text(auspex_system::FileId(1)), HELLO);
    Ok(())
}

#[test]
fn two_files_with_internal_functions_of_one_name() -> Outcome {
    let project = Project::new(&[
        ("a.c", "static int helper(void) { return 1; } int a(void) { return helper(); }"),
        (
            "main.c",
            "int a(void); static int helper(void) { return 2; }
            int main(void) { return a() + helper(); }",
        ),
    ])?;
    let module = project.load(&["a.c", "main.c"])?.module;
    let is_helper = |id: &GlobalId| &module.names[module[*id].source_name] == "helper";
    assert_eq!(module.ids().filter(is_helper).count(), 2);
    Ok(())
}

#[test]
fn what_nothing_reaches_is_gone() -> Outcome {
    let text = "int nowhere(void); int unused(void) { return nowhere(); } int main(void) {}";
    let module = Project::new(&[("a.c", text)])?.load(&["a.c"])?.module;
    assert!(module.global("unused").is_none());
    assert!(module.global("nowhere").is_none());
    Ok(())
}

#[test]
fn flags_of_the_user() -> Outcome {
    let text = "#include \"n.h\"\nint array[N + M]; int main(void) { return array[0]; }";
    let project = Project::new(&[("a.c", text)])?;
    fs::create_dir(project.path("include"))?;
    fs::write(project.path("include/n.h"), "#define M 4\n")?;
    let include = format!("-I{}", project.path("include").display());
    let project = project.flags(&["-c", "-DN=3", &include, "-o", "x.o", "-lm", "-O0"]);
    let module = project.load(&["a.c"])?.module;
    let array = module.global("array").and_then(|id| module.variable(id)).ok_or("no array")?;
    assert_eq!(module.layout.alloc_size(&module.types, array.ty), Some(28));
    assert!(!project.path("x.o").exists());
    Ok(())
}

#[cfg(target_arch = "x86_64")]
#[test]
fn thirty_two_bits() -> Outcome {
    let text = "#include <pthread.h>\n#include <auspex.h>
        static pthread_mutex_t m; int main(void) { return pthread_mutex_lock(&m); }";
    let project = Project::new(&[("a.c", text)])?.flags(&["-m32"]);
    let module = project.load(&["a.c"])?.module;
    assert_eq!(module.layout.pointer_size(0), 4);
    Ok(())
}

#[test]
fn nothing_is_optimised_unless_asked() -> Outcome {
    let text = "static int f(void) { return 1; } int main(void) { return f(); }";
    let mut project = Project::new(&[("a.c", text)])?;
    assert!(project.load(&["a.c"])?.module.global("f").is_some());
    for level in [Optimise::One, Optimise::Two] {
        project.options.optimise = level;
        assert!(project.load(&["a.c"])?.module.global("f").is_none(), "{level:?}");
    }
    Ok(())
}

#[test]
fn hardening_in_the_flags_is_ignored() -> Outcome {
    let text = "#include <string.h>\n#include <stdio.h>
        int main(int argc, char **argv) { char a[8]; strcpy(a, argv[0]); puts(a); return argc; }";
    let flags = [
        "-O2",
        "-D_FORTIFY_SOURCE=2",
        "-fsanitize=address,undefined",
        "-flto",
        "-fstack-protector-all",
        "-fPIE",
    ];
    Project::new(&[("a.c", text)])?.flags(&flags).load(&["a.c"])?;
    Ok(())
}

#[test]
fn preprocessed_text_and_bitcode() -> Outcome {
    let project = Project::new(&[("hello.c", HELLO)])?;
    // The compiler that is found by itself is on the path under some name; find out which.
    let names =
        ["clang".to_owned()].into_iter().chain((15..=22).rev().map(|n| format!("clang-{n}")));
    let is_new = |name: &String| {
        let output = Command::new(name).arg("--version").output();
        output.is_ok_and(|o| !String::from_utf8_lossy(&o.stdout).contains("version 14"))
    };
    let clang = names.into_iter().find(is_new).ok_or("./test installs clang")?;
    for (flags, output) in [
        (["-E", "-g"].as_slice(), "hello.i"),
        (&["-S", "-emit-llvm", "-g"], "hello.ll"),
        (&["-c", "-emit-llvm", "-g"], "hello.bc"),
    ] {
        let mut command = Command::new(&clang);
        command.args(flags).arg("-o").arg(project.path(output)).arg(project.path("hello.c"));
        assert!(command.status()?.success());
        let program = project.load(&[output])?;
        let main = program.module.global("main").ok_or("no main")?;
        let function = program.module.function(main).ok_or("no function")?;
        let debug = function.debug.map(|id| &program.module.debug.functions[id.0 as usize]);
        assert_eq!(debug.map(|debug| debug.line), Some(5), "{output}");
    }
    // Without llvm-dis, clang does it.
    let only_clang = project.path("bin");
    fs::create_dir(&only_clang)?;
    let found = std::env::split_paths(&project.options.environment.path)
        .map(|directory| directory.join(&clang))
        .find(|path| path.exists())
        .ok_or("no clang")?;
    std::os::unix::fs::symlink(found.canonicalize()?, only_clang.join("clang"))?;
    let mut project = project;
    project.options.environment.path = only_clang.into();
    project.load(&["hello.bc"])?;
    // Text needs no compiler at all, as long as nothing of the runtime is missing.
    project.options.environment.path = project.path("nowhere").into();
    project.load(&["hello.ll"])?;
    contains(&project.fail(&["hello.bc"])?, "`hello.bc` is LLVM bitcode, which needs llvm-dis");
    Ok(())
}

#[test]
fn names_that_look_like_flags() -> Outcome {
    // Relative to the current directory, which is that of the crate.
    let name = format!("-test-{}.c", std::process::id());
    fs::write(&name, "int main(void) {}")?;
    let mut sources = SourceMap::default();
    let options = Options { environment: environment(), ..Options::default() };
    let result = load(&mut sources, &[name.clone().into()], &options, &is_native);
    fs::remove_file(&name)?;
    assert!(result.is_ok());
    Ok(())
}

#[test]
fn nothing_is_left_behind() -> Outcome {
    let project = Project::new(&[("a.c", HELLO), ("b.c", "int x = ;")])?;
    project.load(&["a.c"])?;
    project.fail(&["a.c", "b.c"])?;
    assert_eq!(fs::read_dir(project.path("."))?.count(), 2);
    Ok(())
}

#[test]
fn constructors_are_kept() -> Outcome {
    let text = "int x; __attribute__((constructor)) static void begin(void) { x = 1; }
        int main(void) {}";
    let module = Project::new(&[("a.c", text)])?.load(&["a.c"])?.module;
    let begin = module.global("begin").ok_or("no constructor")?;
    assert_eq!(module[begin].linkage, Linkage::Internal);
    Ok(())
}
