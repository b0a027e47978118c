//! Linking and dropping.

use crate::{body, position, read};
use auspex_llvm::ir::*;
use auspex_llvm::{link, read_text};

fn linked(texts: &[&str]) -> Module {
    let modules: Vec<_> = texts.iter().map(|text| read(text)).collect();
    link(&modules).unwrap_or_else(|diagnostic| panic!("{}", diagnostic.message))
}

/// What `@name` returns or holds: a number.
fn number(module: &Module, name: &str) -> u128 {
    let id = module.global(name).unwrap_or_else(|| panic!("no @{name}"));
    let constant = match &module[id].kind {
        GlobalKind::Variable(variable) => variable.initializer.expect("a definition"),
        GlobalKind::Function(_) => match body(module, name).instructions[0].op {
            Op::Return(Some(Operand::Constant(constant))) => constant,
            ref other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    };
    match module.constants[constant].value {
        ConstantValue::Integer(value) => value,
        ref other => panic!("{other:?}"),
    }
}

#[test]
fn declarations_become_definitions() {
    let module = linked(&[
        "declare i32 @f()\n@v = external global i32\ndefine i32 @main() {\n %x = call i32 @f()\n %y = load i32, ptr @v\n ret i32 %y\n}",
        "define i32 @f() { ret i32 7 }\n@v = global i32 8",
    ]);
    assert_eq!((number(&module, "f"), number(&module, "v")), (7, 8));
    assert_eq!(module.globals.len(), 3);
    let main = body(&module, "main");
    let Operand::Constant(callee) = main.instructions[0].op.call().unwrap().callee else {
        panic!()
    };
    assert_eq!(module.constants[callee].value, ConstantValue::Global(module.global("f").unwrap()));
    assert_eq!(module.units.len(), 2);
    assert_eq!(module[module.global("f").unwrap()].unit, UnitId(1));
}

#[test]
fn undecorated_names_are_the_same_names() {
    let module = linked(&[
        "declare i32 @\"\\01f\"()\ndefine i32 @main() {\n %x = call i32 @\"\\01f\"()\n ret i32 %x\n}",
        "define i32 @f() { ret i32 7 }",
    ]);
    assert_eq!((number(&module, "f"), module.globals.len()), (7, 2));
}

#[test]
fn strong_over_common_over_weak_over_available() {
    for kind in ["weak", "weak_odr", "linkonce", "linkonce_odr", "available_externally"] {
        let weak = format!("define {kind} i32 @f() {{ ret i32 1 }}");
        let strong = "define i32 @f() { ret i32 2 }";
        assert_eq!(number(&linked(&[&weak, strong]), "f"), 2);
        assert_eq!(number(&linked(&[strong, &weak]), "f"), 2);
        // The first of several weak ones.
        let other = weak.replace("ret i32 1", "ret i32 3");
        assert_eq!(number(&linked(&[&weak, &other]), "f"), 1);
    }
    let common = "@v = common global i32 0";
    assert_eq!(number(&linked(&[common, "@v = global i32 5"]), "v"), 5);
    let module = linked(&[common, "@v = common global [4 x i32] zeroinitializer"]);
    let ty = module.variable(module.global("v").unwrap()).unwrap().ty;
    assert_eq!(module.type_text(ty), "[4 x i32]");
    let module = linked(&["declare extern_weak i32 @f()", "declare i32 @f()"]);
    assert_eq!(module[module.global("f").unwrap()].linkage, Linkage::External);
    let module = linked(&["declare extern_weak i32 @f()"]);
    assert_eq!(module[module.global("f").unwrap()].linkage, Linkage::ExternWeak);
}

#[test]
fn internal_ones_are_kept_apart() {
    let text = |value: u32| {
        format!("@v = internal global i32 {value}\ndefine ptr @get{value}() {{ ret ptr @v }}")
    };
    let module = linked(&[&text(1), &text(2), "@v = global i32 3"]);
    assert_eq!(number(&module, "v"), 3);
    let held = |name: &str| {
        let Op::Return(Some(Operand::Constant(constant))) = body(&module, name).instructions[0].op
        else {
            panic!()
        };
        let global = module.constants[constant].value.global().unwrap();
        assert_eq!(&module.names[module[global].source_name], "v");
        number(&module, module.name_of(global))
    };
    assert_eq!((held("get1"), held("get2")), (1, 2));
}

#[test]
fn two_definitions_are_an_error_that_names_both() {
    let first = read_text("one.ll", "define void @f() { ret void }").unwrap();
    let second = read_text("two.ll", "\ndefine void @f() { ret void }").unwrap();
    let diagnostic = link(&[first, second]).unwrap_err();
    assert_eq!(diagnostic.message, "`f` is defined both in one.ll and in two.ll");
    assert_eq!(diagnostic.notes.len(), 1);
    let text = "\ndefine void @f() { ret void }";
    assert!(position(text, &diagnostic).starts_with("2:13:"));
}

#[test]
fn arrays_that_are_appended() {
    let text = |name: &str| {
        format!(
            "@llvm.global_ctors = appending global [1 x {{i32, ptr, ptr}}] [{{i32, ptr, ptr}} {{i32 65535, ptr @{name}, ptr null}}]\ndefine internal void @{name}() {{ ret void }}"
        )
    };
    let module = linked(&[&text("a"), "define void @b() { ret void }", &text("c")]);
    let id = module.global("llvm.global_ctors").unwrap();
    let variable = module.variable(id).unwrap();
    assert_eq!(module.type_text(variable.ty), "[2 x { i32, ptr, ptr }]");
    let ConstantValue::Aggregate(parts) = &module.constants[variable.initializer.unwrap()].value
    else {
        panic!()
    };
    assert_eq!(parts.len(), 2);
}

#[test]
fn named_types_are_one_where_they_are_the_same() {
    let module = linked(&[
        "%s = type {i32, ptr}\n@a = global %s zeroinitializer",
        "%s = type {i32, ptr}\n@b = global %s zeroinitializer",
        "%s = type {i64}\n@c = global %s zeroinitializer",
    ]);
    let ty = |name| module.variable(module.global(name).unwrap()).unwrap().ty;
    assert_eq!(ty("a"), ty("b"));
    assert_ne!(ty("a"), ty("c"));
    assert_eq!(module.layout.size_of(&module.types, ty("c")), Some(8));
}

#[test]
fn machines_must_agree() {
    let text = |pointer: &str| read(&format!("target datalayout = \"e-{pointer}\""));
    assert!(link(&[text("p:32:32"), text("p:32:32-i64:64")]).is_ok());
    let diagnostic = link(&[text("p:32:32"), text("p:64:64")]).unwrap_err();
    assert!(diagnostic.message.contains("different machines"));
}

#[test]
fn what_nothing_reaches_is_dropped() {
    let mut module = read(
        "@used = global ptr @deep
@unused = global ptr @main
@alias = alias i8, ptr @aliased
@aliased = global i8 1
@deep = global [2 x ptr] [ptr getelementptr (i8, ptr @deeper, i64 1), ptr null]
@deeper = global i8 0
@only_debug = global i8 0
@llvm.global_ctors = appending global [1 x {i32, ptr, ptr}] [{i32, ptr, ptr} {i32 65535, ptr @ctor, ptr null}]
define void @ctor() { ret void }
define void @main() personality ptr @person {
  %x = load ptr, ptr @used
  #dbg_value(ptr @only_debug, !1, !DIExpression(), !2)
  call void @callee(ptr @alias)
  ret void
}
define void @callee(ptr %p) { ret void }
define void @dead() {
  call void @callee(ptr @dead_too)
  ret void, !dbg !2
}
@dead_too = global i8 0
declare i32 @person(...)
!1 = !DILocalVariable(name: \"x\", scope: !3)
!2 = !DILocation(line: 1, scope: !3)
!3 = distinct !DISubprogram(name: \"main\")",
    );
    let main = module.global("main").unwrap();
    module.keep_reachable(&[main]);
    let mut names: Vec<_> = module.ids().map(|id| module.name_of(id).to_owned()).collect();
    names.sort_unstable();
    assert_eq!(
        names,
        [
            "alias",
            "aliased",
            "callee",
            "ctor",
            "deep",
            "deeper",
            "llvm.global_ctors",
            "main",
            "person",
            "used"
        ]
    );
    // Every id still means what it meant.
    let deep = module.variable(module.global("deep").unwrap()).unwrap();
    let ConstantValue::Aggregate(parts) = &module.constants[deep.initializer.unwrap()].value else {
        panic!()
    };
    let ConstantValue::Expression(expression) = &module.constants[parts[0]].value else { panic!() };
    let Expression::GetElementPtr { base, .. } = **expression else { panic!() };
    assert_eq!(module.constants[base].value.global(), module.global("deeper"));
    let record = &body(&module, "main").records[0];
    assert!(matches!(
        &record.kind,
        auspex_llvm::debug::RecordKind::Value { value: auspex_llvm::debug::RecordValue::None, .. }
    ));
    assert_eq!(module.debug.variables.len(), 1);
    assert_eq!(module.debug.locations.len(), 1);
}
