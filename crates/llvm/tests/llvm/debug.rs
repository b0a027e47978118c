//! Debug information.

use crate::compilers::{clangs, compile};
use crate::{body, read};
use auspex_llvm::debug::*;
use auspex_llvm::ir::{Module, Operand};

const TEXT: &str = r#"
@table = global [2 x i32] zeroinitializer, !dbg !20
define i32 @f(i32 %x) !dbg !4 {
  %p = alloca i32
  RECORDS
  ret i32 %x, !dbg !8
}
declare void @llvm.dbg.declare(metadata, metadata, metadata)
declare void @llvm.dbg.value(metadata, metadata, metadata)
declare void @llvm.dbg.label(metadata)
declare void @llvm.dbg.assign(metadata, metadata, metadata, metadata, metadata, metadata)
!llvm.dbg.cu = !{!0}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, producer: "clang \22x\22", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, globals: !{!20, !23})
!1 = !DIFile(filename: "a.c", directory: "/src", checksumkind: CSK_MD5, checksum: "00")
!2 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!3 = !DISubroutineType(types: !{!2, !2})
!4 = distinct !DISubprogram(name: "f", linkageName: "_f", scope: !1, file: !1, line: 3, type: !3, scopeLine: 4, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!5 = !DILocalVariable(name: "x", arg: 1, scope: !4, file: !1, line: 3, type: !2)
!6 = distinct !DILexicalBlock(scope: !4, file: !1, line: 5, column: 2)
!7 = !DILocation(line: 3, column: 9, scope: !4)
!8 = !DILocation(line: 6, column: 3, scope: !6, inlinedAt: !9)
!9 = distinct !DILocation(line: 70, scope: !4)
!10 = !DILabel(scope: !6, name: "again", file: !1, line: 5)
!11 = distinct !DIAssignID()
!20 = !DIGlobalVariableExpression(var: !21, expr: !DIExpression(DW_OP_plus_uconst, 4))
!21 = distinct !DIGlobalVariable(name: "table", scope: !0, file: !1, line: 1, type: !22, isLocal: false, isDefinition: true)
!22 = !DICompositeType(tag: DW_TAG_array_type, baseType: !2, size: 64, elements: !{!DISubrange(count: 2)})
!23 = !DIGlobalVariableExpression(var: !24, expr: !DIExpression(DW_OP_constu, 5, DW_OP_stack_value))
!24 = distinct !DIGlobalVariable(name: "gone", scope: !0, file: !1, line: 2, type: !2, isLocal: true, isDefinition: true)
"#;

fn name(module: &Module, name: Option<auspex_llvm::ir::Name>) -> &str {
    name.map_or("", |name| &module.names[name])
}

#[test]
fn functions_scopes_and_locations() {
    let module = read(&TEXT.replace("RECORDS", ""));
    let debug = &module.debug;
    let id = module.global("f").unwrap();
    let function = &debug.functions[module.function(id).unwrap().debug.unwrap().0 as usize];
    assert_eq!(name(&module, function.name), "f");
    assert_eq!(name(&module, function.linkage_name), "_f");
    assert_eq!((function.line, function.scope_line, function.function), (3, 4, Some(id)));
    let file = &debug.files[function.file.unwrap().0 as usize];
    assert_eq!((&module.names[file.directory], &module.names[file.name]), ("/src", "a.c"));
    let location = body(&module, "f").instructions[1].location.unwrap();
    let location = &debug.locations[location.0 as usize];
    assert_eq!((location.line, location.column), (6, 3));
    let scope = &debug.scopes[location.scope.unwrap().0 as usize];
    assert_eq!((scope.kind, scope.line, scope.column), (ScopeKind::LexicalBlock, 5, 2));
    let parent = &debug.scopes[scope.parent.unwrap().0 as usize];
    assert!(matches!(parent.kind, ScopeKind::Function(_)));
    assert_eq!(debug.locations[location.inlined_at.unwrap().0 as usize].line, 70);
    assert!(debug.units[0].optimized);
    assert_eq!(name(&module, debug.units[0].producer), "clang \"x\"");
}

#[test]
fn globals_and_those_that_are_gone() {
    let module = read(&TEXT.replace("RECORDS", ""));
    let [table, gone] = &*module.debug.globals else { panic!() };
    assert_eq!((name(&module, table.name), table.line), ("table", 1));
    assert_eq!(table.global, module.global("table"));
    assert_eq!(module.type_name(table.ty.unwrap()), "int [2]");
    let expression = |variable: &GlobalVariable| {
        module.debug.expressions[variable.expression.unwrap().0 as usize].ops.to_vec()
    };
    assert_eq!(expression(table), [ExpressionOp::PlusConstant(4)]);
    assert_eq!(gone.global, None);
    assert_eq!(expression(gone), [ExpressionOp::Constant(5), ExpressionOp::StackValue]);
}

#[test]
fn records_in_both_forms() {
    let new = "
  #dbg_declare(ptr %p, !5, !DIExpression(DW_OP_deref), !7)
  #dbg_value(i32 %x, !5, !DIExpression(DW_OP_LLVM_fragment, 8, 16), !7)
  #dbg_value(!DIArgList(i32 %x, i32 7), !5, !DIExpression(DW_OP_LLVM_arg, 0, DW_OP_LLVM_arg, 1, DW_OP_plus, DW_OP_stack_value), !7)
  #dbg_value(i32 poison, !5, !DIExpression(), !7)
  #dbg_value(!{}, !5, !DIExpression(), !7)
  #dbg_label(!10, !7)
  #dbg_assign(i32 %x, !5, !DIExpression(), !11, ptr %p, !DIExpression(DW_OP_LLVM_convert, 32, DW_ATE_signed), !7)";
    let old = "
  call void @llvm.dbg.declare(metadata ptr %p, metadata !5, metadata !DIExpression(DW_OP_deref)), !dbg !7
  call void @llvm.dbg.value(metadata i32 %x, metadata !5, metadata !DIExpression(DW_OP_LLVM_fragment, 8, 16)), !dbg !7
  tail call void @llvm.dbg.value(metadata !DIArgList(i32 %x, i32 7), metadata !5, metadata !DIExpression(DW_OP_LLVM_arg, 0, DW_OP_LLVM_arg, 1, DW_OP_plus, DW_OP_stack_value)) #3, !dbg !7
  call void @llvm.dbg.value(metadata i32 undef, metadata !5, metadata !DIExpression()), !dbg !7
  call void @llvm.dbg.value(metadata !{}, metadata !5, metadata !DIExpression()), !dbg !7
  call void @llvm.dbg.label(metadata !10), !dbg !7
  call void @llvm.dbg.assign(metadata i32 %x, metadata !5, metadata !DIExpression(), metadata !11, metadata ptr %p, metadata !DIExpression(DW_OP_LLVM_convert, 32, DW_ATE_signed)), !dbg !7";
    for text in [new, old] {
        let module = read(&TEXT.replace("RECORDS", text));
        let body = body(&module, "f");
        assert_eq!(body.instructions.len(), 2);
        assert_eq!(body.records_before(1).len(), 7);
        assert_eq!(body.records_before(0).len(), 0);
        let ops = |id: ExpressionId| module.debug.expressions[id.0 as usize].ops.to_vec();
        let RecordKind::Declare { variable, value, expression } = &body.records[0].kind else {
            panic!()
        };
        let variable = &module.debug.variables[variable.0 as usize];
        assert_eq!((name(&module, variable.name), variable.argument, variable.line), ("x", 1, 3));
        assert!(matches!(value, RecordValue::Operand(Operand::Local(_))));
        assert_eq!(ops(*expression), [ExpressionOp::Deref]);
        let RecordKind::Value { expression, .. } = &body.records[1].kind else { panic!() };
        assert_eq!(ops(*expression), [ExpressionOp::Fragment { offset_bits: 8, size_bits: 16 }]);
        let RecordKind::Value { value: RecordValue::List(list), expression, .. } =
            &body.records[2].kind
        else {
            panic!()
        };
        assert_eq!(list.len(), 2);
        assert_eq!(ops(*expression)[1], ExpressionOp::Argument(1));
        for index in [3, 4] {
            assert!(matches!(
                &body.records[index].kind,
                RecordKind::Value { value: RecordValue::None, .. }
            ));
        }
        let RecordKind::Label(label) = &body.records[5].kind else { panic!() };
        assert_eq!(name(&module, module.debug.labels[label.0 as usize].name), "again");
        let RecordKind::Assign { address, address_expression, .. } = &body.records[6].kind else {
            panic!()
        };
        assert!(matches!(address, RecordValue::Operand(_)));
        assert!(
            matches!(&ops(*address_expression)[0], ExpressionOp::Other(_, operands) if operands.len() == 2)
        );
        assert!(body.records.iter().all(|record| record.location.is_some()));
    }
    let module =
        read(&TEXT.replace("RECORDS", "#dbg_declare_value(i32 %x, !5, !DIExpression(), !7)"));
    assert!(matches!(body(&module, "f").records[0].kind, RecordKind::DeclareValue { .. }));
}

/// The type of a local variable of `@show`.
fn type_of<'m>(module: &'m Module, variable: &str) -> (&'m DebugType, String) {
    let found = module.debug.variables.iter().find(|v| name(module, v.name) == variable);
    let ty = found.unwrap_or_else(|| panic!("no {variable}")).ty.unwrap();
    (&module.debug.types[ty.0 as usize], module.type_name(ty))
}

#[test]
fn types_as_c_writes_them() {
    let clang = clangs().pop().unwrap();
    let module = read(&compile(&clang, &["-O0", "-g"], "types.c").expect("types.c"));
    let text = |variable: &str| type_of(&module, variable).1;
    assert_eq!(text("number"), "int");
    assert_eq!(text("text"), "const char *");
    assert_eq!(text("fixed"), "char *const");
    assert_eq!(text("four"), "int [4]");
    assert_eq!(text("grid"), "int [2][3]");
    assert_eq!(text("pointers"), "int *[3]");
    assert_eq!(text("to_array"), "int (*)[3]");
    assert_eq!(text("callback"), "void (*)(int, ...)");
    assert_eq!(text("list"), "struct node *");
    assert_eq!(text("shade"), "enum color");
    assert_eq!(text("either"), "union both");
    assert_eq!(text("length"), "size");
    assert_eq!(text("anything"), "void *");
    assert_eq!(text("handlers"), "int (*[2])(struct node *)");
    assert_eq!(text("shared"), "_Atomic int");
    assert_eq!(text("watched"), "volatile int");
    assert_eq!(text("hidden"), "struct hidden *");
    assert!(text("variable").starts_with("int [*]"), "{}", text("variable"));

    let (list, _) = type_of(&module, "list");
    let TypeKind::Pointer(Some(node)) = list.kind else { panic!() };
    let node = &module.debug.types[node.0 as usize];
    let TypeKind::Record(record) = &node.kind else { panic!() };
    let members: Vec<_> = record
        .members
        .iter()
        .map(|m| (name(&module, m.name), m.offset_bits, m.size_bits, m.bit_field))
        .collect();
    assert_eq!(
        members,
        [
            ("value", 0, 32, false),
            ("low", 32, 3, true),
            ("high", 35, 5, true),
            ("next", 64, 64, false),
            ("", 128, 64, false)
        ]
    );
    assert_eq!(node.size_bits, 192);
    let (shade, _) = type_of(&module, "shade");
    let TypeKind::Enumeration { enumerators, .. } = &shade.kind else { panic!() };
    let values: Vec<_> = enumerators.iter().map(|e| (name(&module, e.name), e.value)).collect();
    assert_eq!(values, [("RED", 0), ("GREEN", 5), ("BLUE", -1)]);
    let (hidden, _) = type_of(&module, "hidden");
    let TypeKind::Pointer(Some(hidden)) = hidden.kind else { panic!() };
    let TypeKind::Record(hidden) = &module.debug.types[hidden.0 as usize].kind else { panic!() };
    assert!(hidden.declaration);
    let (number, _) = type_of(&module, "number");
    assert!(matches!(number.kind, TypeKind::Base(Encoding::Signed)));
}

#[test]
fn variants_of_rust_enums() {
    let flags = ["-Copt-level=0", "--edition=2021", "--crate-name=threads", "-g"];
    let module = read(&compile("rustc", &flags, "threads.rs").expect("rustc"));
    let shape = module.debug.types.iter().find(|ty| {
        name(&module, ty.name) == "Shape"
            && matches!(&ty.kind, TypeKind::Record(r) if r.variants.is_some())
    });
    let TypeKind::Record(record) = &shape.expect("Shape").kind else { panic!() };
    let part = record.variants.as_ref().unwrap();
    let names: Vec<_> = part.variants.iter().map(|v| name(&module, v.member.name)).collect();
    assert_eq!(names, ["Circle", "Rectangle", "Nothing"]);
    assert!(part.discriminator.is_some());
    assert_eq!(part.variants[1].discriminant, Some(1));
}

#[test]
fn rings_are_cut() {
    let module = read(
        "define void @f() {\n ret void, !dbg !0\n}
!0 = !DILocation(line: 1, scope: !1, inlinedAt: !0)
!1 = distinct !DILexicalBlock(scope: !2, line: 1)
!2 = distinct !DILexicalBlock(scope: !1, line: 2)",
    );
    let mut scope = module.debug.locations[0].scope;
    let mut steps = 0;
    while let Some(id) = scope {
        scope = module.debug.scopes[id.0 as usize].parent;
        steps += 1;
        assert!(steps < 10);
    }
    assert_eq!(module.debug.locations[0].inlined_at, None);
    // A function that takes itself twice has a name, though an endless one.
    let text = TEXT.replace("RECORDS", "").replace("!{!2, !2}", "!{!2, !3, !3, !3}");
    let module = read(&text);
    for index in 0..module.debug.types.len() as u32 {
        assert!(module.type_name(index.into()).len() < 2000);
    }
}
