//! What clang and rustc write is read, and is what the source says.

use crate::compilers::{clangs, compile};
use crate::{body, read};
use auspex_llvm::ir::{ConstantId, Module, Op, Type};

/// Reads it, links it with itself's parts, and drops the unreachable: nothing may go wrong.
fn exercise(what: &str, text: &str) -> Module {
    let module = match auspex_llvm::read_text(what, text) {
        Ok(module) => module,
        Err(diagnostic) => panic!("{what}: {}", crate::position(text, &diagnostic)),
    };
    let mut linked = auspex_llvm::link(std::slice::from_ref(&module)).expect(what);
    assert_eq!(linked.globals.len(), module.globals.len(), "{what}");
    assert_eq!(count(&linked), count(&module), "{what}");
    for (id, function) in module.functions() {
        let same = linked.global(module.name_of(id)).expect("the same names");
        let other = linked.function(same).expect("a function");
        let length = |body: Option<&auspex_llvm::ir::Body>| body.map(|b| b.instructions.len());
        assert_eq!(length(function.body.as_ref()), length(other.body.as_ref()));
    }
    check(&linked);
    let main = linked.global("main").expect("main");
    linked.keep_reachable(&[main]);
    check(&linked);
    assert!(linked.global("main").is_some(), "{what}");
    // Every type can be written.
    for index in 0..linked.debug.types.len() as u32 {
        assert!(!linked.type_name(index.into()).is_empty());
    }
    module
}

/// Every id leads to something, and to something of the right kind.
fn check(module: &Module) {
    let constant = |id: ConstantId| {
        let constant = &module.constants[id];
        let _ = &module.types[constant.ty];
        if let Some(global) = constant.value.global() {
            let _ = &module[global];
        }
        constant.value.for_each_operand(|operand| assert!(operand < id));
    };
    (0..module.constants.len() as u32).for_each(|id| constant(ConstantId(id)));
    let debug = &module.debug;
    for (id, function) in module.functions() {
        assert_eq!(module.global(module.name_of(id)), Some(id));
        let Type::Function { parameters, .. } = &module.types[function.signature] else { panic!() };
        assert_eq!(parameters.len(), function.parameters.len());
        let Some(body) = &function.body else { continue };
        for (parameter, ty) in body.parameters().zip(parameters) {
            assert_eq!(body.locals[parameter.0 as usize].ty, *ty);
        }
        for instruction in &body.instructions {
            if let Some(result) = instruction.result {
                assert_eq!(body.locals[result.0 as usize].ty, instruction.ty);
            }
            instruction.op.for_each_operand(|operand| {
                let _ = &module.types[module.operand_type(body, operand)];
            });
            instruction.op.for_each_successor(|to| assert!((to.0 as usize) < body.blocks.len()));
            if let Some(location) = instruction.location {
                let scope = debug.locations[location.0 as usize].scope.expect("a scope");
                let _ = &debug.scopes[scope.0 as usize];
            }
            match &instruction.op {
                Op::Binary { left, right, .. } => {
                    assert_eq!(module.operand_type(body, *left), instruction.ty);
                    assert_eq!(module.operand_type(body, *right), instruction.ty);
                }
                Op::Store { value, stored, .. } => {
                    assert_eq!(module.operand_type(body, *value), *stored);
                }
                Op::GetElementPtr(gep) => {
                    assert!(module.layout.alloc_size(&module.types, gep.source).is_some());
                }
                _ => {}
            }
        }
    }
    for variable in &debug.variables {
        let _ = &debug.scopes[variable.scope.expect("a scope").0 as usize];
        let _ = module.type_name(variable.ty.expect("a type"));
    }
    for scope in &debug.scopes {
        assert!(scope.parent.is_none_or(|parent| (parent.0 as usize) < debug.scopes.len()));
    }
}

fn count(module: &Module) -> (usize, usize) {
    (module.functions().count(), module.variables().count())
}

#[test]
fn c_of_every_clang_at_every_level() {
    for clang in clangs() {
        let mut read = 0;
        for flags in [
            &["-O0", "-g"][..],
            &["-O1"],
            &["-O2"],
            &["-O2", "-g"],
            &["-O0", "-g", "-m32"],
            &["-O2", "-mavx2"],
            &["-O1", "-fsanitize=undefined"],
        ] {
            let Some(text) = compile(&clang, flags, "everything.c") else { continue };
            exercise(&format!("{clang} {flags:?}"), &text);
            read += 1;
        }
        assert!(read >= 5, "{clang} compiled only {read} variants");
    }
}

#[test]
fn cpp_of_every_clang() {
    for clang in clangs() {
        let clang = clang.replace("clang", "clang++");
        for flags in [&["-std=c++17", "-O0", "-g"][..], &["-std=c++17", "-O2"]] {
            let Some(text) = compile(&clang, flags, "classes.cpp") else { continue };
            let module = exercise(&format!("{clang} {flags:?}"), &text);
            let main = body(&module, "main");
            let invokes = main.instructions.iter().filter(|i| matches!(i.op, Op::Invoke(_)));
            assert!(invokes.count() > 3);
        }
    }
}

/// Other machines have other layouts, calling conventions, exceptions and vectors.
#[test]
fn other_targets() {
    for clang in clangs() {
        for target in [
            "x86_64-pc-windows-msvc",
            "i686-linux-gnu",
            "aarch64-linux-gnu",
            "riscv64-linux-gnu",
            "powerpc64le-linux-gnu",
            "s390x-linux-gnu",
            "wasm32",
        ] {
            let target = format!("--target={target}");
            for level in ["-O0", "-O2"] {
                let flags = [&target, level, "-g", "-fexceptions", "-fcxx-exceptions"];
                // A clang can be built without some of them.
                if let Some(text) = compile(&clang, &flags, "exceptions.cpp") {
                    read(&text);
                }
            }
        }
    }
}

#[test]
fn rust_at_every_level() {
    for level in ["0", "1", "2", "3"] {
        let option = format!("-Copt-level={level}");
        for debug in ["-g", "-Cdebuginfo=0"] {
            let flags = [option.as_str(), "--edition=2021", "--crate-name=threads", debug];
            let text = compile("rustc", &flags, "threads.rs").expect("rustc");
            exercise(&format!("rustc -O{level} {debug}"), &text);
        }
    }
}

#[test]
fn both_forms_of_debug_records_are_one() {
    for clang in clangs() {
        let Some(text) = compile(&clang, &["-O0", "-g"], "everything.c") else { continue };
        let module = read(&text);
        let main = body(&module, "main");
        let mut names: Vec<_> = main
            .records
            .iter()
            .filter_map(|record| match &record.kind {
                auspex_llvm::debug::RecordKind::Declare { variable, .. } => {
                    module.debug.variables[variable.0 as usize].name
                }
                _ => None,
            })
            .map(|name| &module.names[name])
            .collect();
        names.sort_unstable();
        let expected = ["argc", "argv", "b", "f", "n", "narrow", "shifted", "single"];
        assert_eq!(names, expected, "{clang}");
        let called = module.functions().any(|(id, _)| {
            module.name_of(id).starts_with("llvm.dbg")
                && module.constants.iter().any(|(_, c)| c.value.global() == Some(id))
        });
        assert!(!called, "{clang}: no call of a debug intrinsic is left");
    }
}

/// Says how fast a module of 15 MB is read; `cargo test --release -- --ignored --nocapture speed`.
#[test]
#[ignore = "a measurement"]
fn speed() {
    let clang = clangs().pop().expect("a clang");
    let text =
        compile(&clang.replace("clang", "clang++"), &["-std=c++17", "-O0", "-g"], "classes.cpp")
            .expect("a C++ library");
    // The functions twice under other names, until there are 15 MB.
    let mut big = text.clone();
    let mut copy = 0;
    while big.len() < 15_000_000 {
        copy += 1;
        for definition in text.split("\ndefine ").skip(1) {
            let Some((head, rest)) = definition.split_once('@') else { continue };
            let Some(end) = rest.find("\n}\n") else { continue };
            let (name, rest) = match rest.strip_prefix('"') {
                Some(_) => continue,
                None => rest[..end].split_once('(').expect("parameters"),
            };
            if head.contains("comdat") || rest.contains("blockaddress") {
                continue;
            }
            let rest = rest.replacen("comdat ", "", 1);
            let rest = rest.replace("!dbg !", "!other !");
            big.push_str(&format!("\ndefine {head}@{name}.copy{copy}({rest}\n}}\n"));
        }
    }
    let mut sources = auspex_system::SourceMap::default();
    let file = sources.add("big.ll", &big);
    let mut best = f64::MAX;
    for _ in 0..3 {
        let start = std::time::Instant::now();
        let module = auspex_llvm::read(&sources, file);
        best = best.min(start.elapsed().as_secs_f64());
        if let Err(diagnostic) = module {
            panic!("{}", crate::position(&big, &diagnostic));
        }
    }
    let megabytes = big.len() as f64 / 1e6;
    println!("{megabytes:.1} MB in {best:.3} s, {:.0} MB/s", megabytes / best);
    assert!(best < 2.0);
}
