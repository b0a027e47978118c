//! Sizes, alignments, offsets.

use crate::read;
use auspex_llvm::ir::{ConstantValue, Expression, Module, TypeId};

const X86_64: &str =
    "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128";
const I386: &str =
    "e-m:e-p:32:32-p270:32:32-p271:32:32-p272:64:64-i128:128-f64:32:64-f80:32-n8:16:32-S128";

fn of(layout: &str, ty: &str) -> (Module, TypeId) {
    let module =
        read(&format!("target datalayout = \"{layout}\"\n@x = global {ty} zeroinitializer"));
    let id = module.variable(module.global("x").unwrap()).unwrap().ty;
    (module, id)
}

/// The bytes a value has, those from one element to the next, and the alignment.
fn sizes(layout: &str, ty: &str) -> (u64, u64, u64) {
    let (module, id) = of(layout, ty);
    let (layout, types) = (&module.layout, &module.types);
    (
        layout.size_of(types, id).unwrap(),
        layout.alloc_size(types, id).unwrap(),
        layout.abi_align(types, id).unwrap(),
    )
}

#[test]
fn numbers_and_pointers() {
    assert_eq!(sizes(X86_64, "i1"), (1, 1, 1));
    assert_eq!(sizes(X86_64, "i24"), (3, 4, 4));
    assert_eq!(sizes(X86_64, "i37"), (5, 8, 8));
    assert_eq!(sizes(X86_64, "i64"), (8, 8, 8));
    assert_eq!(sizes(X86_64, "i128"), (16, 16, 16));
    assert_eq!(sizes(X86_64, "i256"), (32, 32, 16));
    assert_eq!(sizes(X86_64, "x86_fp80"), (10, 16, 16));
    assert_eq!(sizes(X86_64, "ptr"), (8, 8, 8));
    assert_eq!(sizes(X86_64, "ptr addrspace(270)"), (4, 4, 4));
    assert_eq!(sizes(I386, "ptr"), (4, 4, 4));
    assert_eq!(sizes(I386, "i64"), (8, 8, 4));
    assert_eq!(sizes(I386, "double"), (8, 8, 4));
    assert_eq!(sizes(I386, "x86_fp80"), (10, 12, 4));
    assert_eq!(sizes("", "double"), (8, 8, 8));
    assert_eq!(sizes("", "i64"), (8, 8, 4));
}

#[test]
fn aggregates_and_vectors() {
    assert_eq!(sizes(X86_64, "{i8, i32, i8}"), (12, 12, 4));
    assert_eq!(sizes(X86_64, "<{i8, i32, i8}>"), (6, 6, 1));
    assert_eq!(sizes(X86_64, "{}"), (0, 0, 1));
    assert_eq!(sizes(X86_64, "[3 x {i8, i16}]"), (12, 12, 2));
    assert_eq!(sizes(X86_64, "<4 x float>"), (16, 16, 16));
    assert_eq!(sizes(X86_64, "<3 x float>"), (12, 16, 16));
    assert_eq!(sizes(X86_64, "<8 x i1>"), (1, 1, 1));
    let (module, ty) = of(X86_64, "{i8, ptr, i16, [2 x i32]}");
    let layout = module.layout.struct_layout(&module.types, ty).unwrap();
    assert_eq!(layout.offsets, [0, 8, 16, 20]);
    assert_eq!((layout.size, layout.align), (32, 8));
    assert_eq!(module.layout.part_offset(&module.types, ty, 3), Some(20));
    let (module, ty) = of(I386, "{i8, i64}");
    assert_eq!(module.layout.part_offset(&module.types, ty, 1), Some(4));
}

#[test]
fn offsets_of_constant_addresses() {
    let module = read(&format!(
        "target datalayout = \"{X86_64}\"\n%s = type {{i8, [4 x {{i16, i64}}]}}\n@a = global [3 x %s] zeroinitializer\n@x = global ptr getelementptr inbounds ([3 x %s], ptr @a, i64 0, i32 2, i32 1, i64 -1, i32 1)"
    ));
    let value = module.variable(module.global("x").unwrap()).unwrap().initializer.unwrap();
    let ConstantValue::Expression(expression) = &module.constants[value].value else { panic!() };
    let Expression::GetElementPtr { source, indices, inbounds, .. } = &**expression else {
        panic!()
    };
    let offset = module.layout.gep_offset(&module.types, &module.constants, *source, indices);
    assert_eq!(offset, Some(2 * 72 + 8 - 16 + 8));
    assert!(inbounds);
}

#[test]
fn malformed_layouts_are_refused() {
    for layout in ["x", "p", "i8", "i:8", "p:0:8", "i8:99999999999"] {
        let error = crate::error(&format!("target datalayout = \"{layout}\""));
        assert!(error.contains("malformed data layout"), "{layout}: {error}");
    }
}
