//! Globals, constants, types, names.

use crate::{body, read};
use auspex_llvm::ir::*;

/// The initializer of `@x`.
fn value(text: &str) -> (Module, ConstantValue) {
    let module = read(&format!("@y = global i32 0\n@x = global {text}"));
    let variable = module.variable(module.global("x").unwrap()).unwrap();
    let value = module.constants[variable.initializer.unwrap()].value.clone();
    (module, value)
}

fn number(text: &str) -> u128 {
    match value(text).1 {
        ConstantValue::Integer(value) => value,
        other => panic!("{other:?}"),
    }
}

fn float(text: &str) -> u128 {
    match value(text).1 {
        ConstantValue::Float(bits) => bits,
        other => panic!("{other:?}"),
    }
}

#[test]
fn integers() {
    assert_eq!(number("i32 42"), 42);
    assert_eq!(number("i8 -1"), 255);
    assert_eq!(number("i8 -128"), 128);
    assert_eq!(number("i1 true"), 1);
    assert_eq!(number("i128 -1"), u128::MAX);
    assert_eq!(number("i128 170141183460469231731687303715884105728"), 1 << 127);
    assert_eq!(number("i32 u0xFF"), 255);
    assert_eq!(number("i32 s0xFF"), 0xffff_ffff);
    assert_eq!(number("i32 zeroinitializer"), 0);
    let wide = |text| match value(text).1 {
        ConstantValue::WideInteger(words) => words.to_vec(),
        other => panic!("{other:?}"),
    };
    assert_eq!(wide("i200 -1"), [u64::MAX, u64::MAX, u64::MAX, 0xff]);
    assert_eq!(wide("i192 18446744073709551616"), [0, 1, 0]);
    assert_eq!(wide("i192 s0x8000000000000000"), [1 << 63, u64::MAX, u64::MAX]);
}

#[test]
fn floats() {
    assert_eq!(float("double 1.5"), 1.5f64.to_bits() as u128);
    assert_eq!(float("double 1.000000e+10"), 1e10f64.to_bits() as u128);
    assert_eq!(float("double -2.5e-1"), (-0.25f64).to_bits() as u128);
    assert_eq!(float("double 0x7FF8000000000000"), 0x7ff8 << 48);
    assert_eq!(float("float 0x3FB99999A0000000"), 0.1f32.to_bits() as u128);
    assert_eq!(float("half 0xH3C00"), 0x3c00);
    assert_eq!(float("half 1.0"), 0x3c00);
    assert_eq!(float("bfloat 0xR3F80"), 0x3f80);
    assert_eq!(float("x86_fp80 0xK3FFFC000000000000000"), 0x3fff_c000_0000_0000_0000);
    assert_eq!(float("fp128 0xL00000000000000003FFF000000000000"), 0x3fff << 112);
}

#[test]
fn aggregates_and_strings() {
    let (_, bytes) = value(r#"[8 x i8] c"a\22\\b\00\FF\n""#);
    assert_eq!(bytes, ConstantValue::Bytes(b"a\"\\b\x00\xff\\n"[..].into()));
    let (module, parts) =
        value("{i32, [2 x i8], <{ptr}>} {i32 1, [2 x i8] [i8 2, i8 3], <{ptr}> <{ptr @y}>}");
    let ConstantValue::Aggregate(parts) = parts else { panic!() };
    assert_eq!(parts.len(), 3);
    assert!(matches!(module.constants[parts[1]].value, ConstantValue::Aggregate(_)));
    assert!(matches!(value("<4 x i32> splat (i32 7)").1, ConstantValue::Splat(_)));
    assert!(matches!(value("<2 x i32> <i32 7, i32 8>").1, ConstantValue::Aggregate(_)));
    assert_eq!(value("[4 x i32] zeroinitializer").1, ConstantValue::Zero);
    assert_eq!(value("ptr null").1, ConstantValue::Null);
    assert_eq!(value("{i8} undef").1, ConstantValue::Undef);
    assert_eq!(value("i8 poison").1, ConstantValue::Poison);
}

#[test]
fn expressions() {
    for text in [
        "ptr getelementptr inbounds nuw (i8, ptr @y, i64 4)",
        "ptr getelementptr inrange(-16, 8) ({[3 x ptr]}, ptr @y, i32 0, i32 0, i32 2)",
        "i64 ptrtoint (ptr @y to i64)",
        "ptr inttoptr (i64 4 to ptr)",
        "i64 sub (i64 ptrtoint (ptr @y to i64), i64 3)",
        "i64 add nuw nsw (i64 1, i64 2)",
        "i64 xor (i64 ptrtoint (ptr @y to i64), i64 -1)",
        "i32 trunc (i64 ptrtoint (ptr @y to i64) to i32)",
        "i1 icmp eq (ptr @y, ptr null)",
        "i32 select (i1 icmp eq (ptr @y, ptr null), i32 1, i32 2)",
        "<2 x i32> bitcast (i64 5 to <2 x i32>)",
        "ptr addrspace(1) addrspacecast (ptr @y to ptr addrspace(1))",
        "i32 extractelement (<2 x i32> <i32 1, i32 2>, i32 0)",
        "<2 x i32> shufflevector (<2 x i32> undef, <2 x i32> undef, <2 x i32> zeroinitializer)",
        "<2 x ptr> getelementptr (i8, ptr @y, <2 x i64> <i64 1, i64 2>)",
    ] {
        assert!(matches!(value(text).1, ConstantValue::Expression(_)), "{text}");
    }
    assert!(matches!(value("ptr dso_local_equivalent @y").1, ConstantValue::DsoLocalEquivalent(_)));
    assert!(matches!(value("ptr no_cfi @y").1, ConstantValue::NoCfi(_)));
}

#[test]
fn addresses_of_blocks() {
    let module = read(
        "@x = global [2 x ptr] [ptr blockaddress(@f, %there), ptr blockaddress(@f, %2)]
define void @f(ptr %0) {
  %first = getelementptr i8, ptr %0, i64 1
  br label %2
2:
  indirectbr ptr %first, [label %there, label %2]
there:
  ret void
}",
    );
    let blocks: Vec<_> = module
        .constants
        .iter()
        .filter_map(|(_, constant)| match constant.value {
            ConstantValue::BlockAddress { block, .. } => Some(block.0),
            _ => None,
        })
        .collect();
    assert_eq!(blocks, [2, 1]);
}

#[test]
fn everything_about_a_global() {
    let module = read(
        r#"$group = comdat any
@a = internal unnamed_addr constant i32 1, section "some", comdat($group), align 16, !dbg !0
@b = weak_odr hidden thread_local(localexec) global i32 0, comdat
@c = external dso_local local_unnamed_addr addrspace(3) global [0 x i8]
@d = extern_weak dllimport global i8
@e = common global i64 0, partition "p", code_model "large"
@llvm.used = appending global [1 x ptr] [ptr @a], section "llvm.metadata"
@f = alias i32, ptr @a
@part = alias i8, getelementptr (i8, ptr @a, i64 1)
@g = weak ifunc i32 (i32), ptr @resolve
@"\01odd name" = private externally_initialized global i8 0
@0 = private constant i8 1
define ptr @resolve() { ret ptr null }
!0 = !{}"#,
    );
    let get = |name: &str| &module[module.global(name).unwrap_or_else(|| panic!("{name}"))];
    let a = get("a");
    assert_eq!(
        (a.linkage, a.align, a.unnamed_address),
        (Linkage::Internal, 16, UnnamedAddress::Global)
    );
    assert_eq!(&module.names[a.section.unwrap()], "some");
    assert_eq!(&module.names[a.comdat.unwrap()], "group");
    assert!(module.variable(module.global("a").unwrap()).unwrap().constant);
    assert_eq!(get("b").thread_local, Some(ThreadLocal::LocalExec));
    assert_eq!(get("b").visibility, Visibility::Hidden);
    assert_eq!(get("c").address_space, 3);
    assert!(get("c").is_declaration() && get("c").dso_local);
    assert_eq!(get("d").dll_storage, DllStorage::Import);
    assert_eq!(get("e").linkage, Linkage::Common);
    assert_eq!(get("llvm.used").linkage, Linkage::Appending);
    assert!(matches!(get("f").kind, GlobalKind::Alias(_)));
    assert!(matches!(get("g").kind, GlobalKind::Ifunc(_)));
    assert_eq!(get("\u{1}odd name").linkage, Linkage::Private);
    assert_eq!(get("__unnamed_0").linkage, Linkage::Private);
}

#[test]
fn the_head_of_a_module_and_what_is_passed_over() {
    let module = read(
        r#"; a comment
source_filename = "some.c"
target datalayout = "e-m:e-p:32:32"
target triple = "i386-pc-linux-gnu"
module asm ".globl x"
module asm "x: \22"
%opaque = type opaque
%later = type { %pair, ptr }
%pair = type <{ i8, i32 }>
@x = global %later zeroinitializer, !type !5
uselistorder ptr @x, { 1, 0 }
attributes #0 = { noreturn nounwind memory(none) "a"="b" "c" alignstack=4 allocsize(0,1) }
!llvm.module.flags = !{!1, !2}
!llvm.ident = !{!3}
!1 = !{i32 1, !"wchar_size", i32 4}
!2 = !{i32 7, !"PIC Level", !3}
!3 = !{!"clang"}
!5 = distinct !{!5, i64 0, null, !"a \22b\22", ptr @x, !{!{}}}
^0 = module: (path: "x", hash: (0, 0))
^1 = gv: (name: "x")"#,
    );
    assert_eq!(module.target, "i386-pc-linux-gnu");
    assert_eq!(module.units[0].source, "some.c");
    assert_eq!(module.units[0].assembly, ".globl x\nx: \"\n");
    assert_eq!(module.layout.pointer_size(0), 4);
    assert_eq!(module.flags.len(), 2);
    assert_eq!(&module.names[module.flags[0].name], "wchar_size");
    assert_eq!(module.flags[0].value, Some(4));
}

#[test]
fn types_are_interned_and_written_as_in_the_text() {
    let text = "{ i8, <{ ptr, half }>, [3 x <2 x i64>], ptr addrspace(2), x86_fp80, i37 }";
    let module = read(&format!("@x = global {text} zeroinitializer\n@y = global {text} undef"));
    let ty = |name| module.variable(module.global(name).unwrap()).unwrap().ty;
    assert_eq!(ty("x"), ty("y"));
    assert_eq!(module.type_text(ty("x")), text);
    let module = read(
        "declare void @f(ptr, ...)\ndeclare <vscale x 4 x i32> @g(target(\"spirv.Image\", void, 1))",
    );
    let signature = |name| module.function(module.global(name).unwrap()).unwrap().signature;
    assert_eq!(module.type_text(signature("f")), "void (ptr, ...)");
    assert_eq!(module.type_text(signature("g")), "<vscale x 4 x i32> (target(\"spirv.Image\"))");
}

#[test]
fn functions_and_their_attributes() {
    let module = read(
        r#"declare !dbg !4 noundef zeroext i8 @printf(ptr noundef nonnull align 8 dereferenceable(4) captures(none), ...) local_unnamed_addr #1
define linkonce_odr hidden fastcc noundef ptr @f(ptr noalias sret({i32, i32}) align 4 %result, ptr byval(i64) %0, i32 signext range(i32 0, 5) %1, i8 %"odd name") unnamed_addr #0 section ".x" comdat align 32 gc "none" prefix i32 1 prologue i8 2 personality ptr @printf !prof !5 {
  %3 = add i32 %1, 1
  %4 = call i8 (ptr, ...) @printf(ptr noundef %0, i32 %3) #2
  ret ptr %0
}
$f = comdat any
attributes #0 = { noreturn naked }
attributes #1 = { nounwind "x" }
attributes #2 = { cold returns_twice }
!4 = !{}
!5 = !{}"#,
    );
    let id = module.global("f").unwrap();
    let function = module.function(id).unwrap();
    assert!(function.attributes.no_return && function.attributes.naked);
    assert!(!function.attributes.no_unwind);
    assert!(module.function(module.global("printf").unwrap()).unwrap().attributes.no_unwind);
    assert_eq!(function.convention, 8);
    assert_eq!(module[id].align, 32);
    assert!(
        function.personality.is_some() && function.prefix.is_some() && function.prologue.is_some()
    );
    let [result, by_value, number, _] = &*function.parameters else { panic!() };
    assert_eq!(module.type_text(result.sret.unwrap()), "{ i32, i32 }");
    assert_eq!(result.align, 4);
    assert_eq!(by_value.byval, Some(TypeId::I64));
    assert!(number.sign_extend && function.result.noundef);
    let body = body(&module, "f");
    assert_eq!(module.local_text(body, LocalId(1)), "%0");
    assert_eq!(module.local_text(body, LocalId(3)), "%odd name");
    let call = body.instructions[1].op.call().unwrap();
    assert!(call.attributes.cold && call.attributes.returns_twice);
    assert_eq!(module.type_text(call.signature), "i8 (ptr, ...)");
    assert!(call.arguments[0].attributes.noundef);
}
