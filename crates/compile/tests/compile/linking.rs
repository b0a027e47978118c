//! The user's modules, the runtime, and who wins.

use crate::{Outcome, Project};
use auspex_compile::Program;
use auspex_llvm::ir::GlobalId;

fn named(program: &Program, name: &str) -> Result<GlobalId, String> {
    program.module.global(name).ok_or(format!("there is no `{name}`"))
}

const LOCKS: &str = "\
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int main(void) {
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return 0;
}
";

#[test]
fn only_what_is_needed_of_the_runtime() -> Outcome {
    let program = Project::new(&[("a.c", LOCKS)])?.load(&["a.c"])?;
    assert!(program.is_runtime(named(&program, "pthread_mutex_lock")?));
    assert!(!program.is_runtime(named(&program, "main")?));
    assert!(program.module.global("pthread_barrier_wait").is_none());
    let lock = named(&program, "pthread_mutex_lock")?;
    let debug = program.module.function(lock).and_then(|f| f.debug).ok_or("no debug")?;
    let debug = &program.module.debug.functions[debug.0 as usize];
    let file = debug.file.ok_or("no file")?;
    assert!(program.is_runtime_file(file));
    let line = program.sources.line(file, debug.line).ok_or("no text")?;
    assert!(line.contains("pthread_mutex_lock"), "{line}");
    Ok(())
}

#[test]
fn a_function_of_the_user_hides_that_of_the_runtime() -> Outcome {
    let text = format!("{LOCKS}\nint pthread_mutex_lock(pthread_mutex_t *m) {{ return 7; }}\n");
    let program = Project::new(&[("a.c", &text)])?.load(&["a.c"])?;
    assert!(!program.is_runtime(named(&program, "pthread_mutex_lock")?));
    assert!(program.is_runtime(named(&program, "pthread_mutex_unlock")?));
    Ok(())
}

#[test]
fn the_runtime_does_not_call_the_user() -> Outcome {
    // Waiting for a condition locks the mutex again, with the runtime's own function.
    let text = "#include <pthread.h>
static pthread_mutex_t m; static pthread_cond_t c;
int pthread_mutex_lock(pthread_mutex_t *m) { return 7; }
int main(void) { pthread_mutex_lock(&m); pthread_cond_wait(&c, &m); return 0; }
";
    let program = Project::new(&[("a.c", text)])?.load(&["a.c"])?;
    let own = named(&program, "pthread_mutex_lock")?;
    assert!(!program.is_runtime(own));
    for (id, function) in program.module.functions().filter(|(id, _)| program.is_runtime(*id)) {
        for instruction in function.body.iter().flat_map(|body| &body.instructions) {
            let Some(call) = instruction.op.call() else { continue };
            if let auspex_llvm::ir::Operand::Constant(callee) = call.callee {
                let callee = program.module.constants[callee].value.global();
                assert_ne!(callee, Some(own), "{}", program.module.name_of(id));
            }
        }
    }
    Ok(())
}

#[test]
fn roots_of_the_machine_are_kept() -> Outcome {
    let mut project = Project::new(&[("a.c", "int main(void) {}")])?;
    let name = "pthread_mutex_trylock";
    assert!(project.load(&["a.c"])?.module.global(name).is_none());
    project.options.roots = vec![name.to_owned()];
    let program = project.load(&["a.c"])?;
    assert!(program.is_runtime(named(&program, name)?));
    Ok(())
}

#[test]
fn a_body_of_the_user_beats_the_machine() -> Outcome {
    let text = "unsigned long strlen(const char *s) { return 3; }
        int main(int n, char **a) { return strlen(a[0]); }";
    let program = Project::new(&[("a.c", text)])?.load(&["a.c"])?;
    let strlen = named(&program, "strlen")?;
    assert!(!program.module[strlen].is_declaration());
    Ok(())
}

#[test]
fn the_header_and_its_macro() -> Outcome {
    let text = "#include <auspex.h>\n#ifndef __AUSPEX__\n#error\n#endif
        int main(void) { return __auspex_choose(3); }";
    Project::new(&[("a.c", text)])?.load(&["a.c"])?;
    // A header of that name beside the program is the user's.
    let own = [
        ("a.c", "#include \"auspex.h\"\nint main(void) { return MINE; }"),
        ("auspex.h", "#define MINE 1\n"),
    ];
    Project::new(&own)?.load(&["a.c"])?;
    Ok(())
}
