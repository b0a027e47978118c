//! Every kind of instruction.

use crate::{body, function, integer, read};
use auspex_llvm::ir::*;

/// The one instruction of a function before its `ret void`; parameters of some types are there.
fn op(line: &str) -> (Module, Op) {
    let (module, ops) = function(&format!(
        "declare void @h(i32, ...)\ndefine void @f(i32 %i, i64 %l, ptr %p, float %s, double %d, <4 x i32> %v, i1 %c, {{i32, [2 x i8]}} %a) {{\n  {line}\n  ret void\n}}"
    ));
    let op = ops[0].clone();
    (module, op)
}

#[test]
fn arithmetic() {
    for (word, expected) in [
        ("add", BinaryOp::Add),
        ("sub", BinaryOp::Sub),
        ("mul", BinaryOp::Mul),
        ("udiv", BinaryOp::UnsignedDiv),
        ("sdiv", BinaryOp::SignedDiv),
        ("urem", BinaryOp::UnsignedRem),
        ("srem", BinaryOp::SignedRem),
        ("shl", BinaryOp::ShiftLeft),
        ("lshr", BinaryOp::LogicalShiftRight),
        ("ashr", BinaryOp::ArithmeticShiftRight),
        ("and", BinaryOp::And),
        ("or", BinaryOp::Or),
        ("xor", BinaryOp::Xor),
    ] {
        let (module, op) = op(&format!("%x = {word} i32 %i, 7"));
        let Op::Binary { op, right, .. } = op else { panic!() };
        assert_eq!((op, integer(&module, right)), (expected, 7));
    }
    for word in ["fadd", "fsub", "fmul", "fdiv", "frem"] {
        let (_, op) =
            op(&format!("%x = {word} nnan ninf nsz arcp contract afn reassoc fast double %d, 1.0"));
        assert!(matches!(op, Op::Binary { op, .. } if op.is_float()));
    }
    let flags = |line: &str| match op(line).1 {
        Op::Binary { flags, .. } | Op::Cast { flags, .. } => flags,
        other => panic!("{other:?}"),
    };
    assert!(flags("%x = add nuw nsw i32 %i, 1").nsw && flags("%x = add nuw nsw i32 %i, 1").nuw);
    assert!(flags("%x = lshr exact i32 %i, 1").exact);
    assert!(flags("%x = or disjoint i32 %i, 1").disjoint);
    assert!(flags("%x = zext nneg i32 %i to i64").nneg);
    assert!(flags("%x = trunc nuw nsw i64 %l to i8").nuw);
    assert!(matches!(op("%x = fneg fast <2 x float> undef").1, Op::Negate(_)));
    assert!(matches!(op("%x = freeze i32 %i").1, Op::Freeze(_)));
}

#[test]
fn casts_and_comparisons() {
    for line in [
        "trunc i64 %l to i32",
        "zext i32 %i to i64",
        "sext i32 %i to i128",
        "fptrunc double %d to float",
        "fpext float %s to double",
        "fptoui double %d to i8",
        "fptosi double %d to i8",
        "uitofp i32 %i to double",
        "sitofp i32 %i to float",
        "ptrtoint ptr %p to i64",
        "ptrtoaddr ptr %p to i64",
        "inttoptr i64 %l to ptr",
        "bitcast <4 x i32> %v to i128",
        "addrspacecast ptr %p to ptr addrspace(3)",
    ] {
        assert!(matches!(op(&format!("%x = {line}")).1, Op::Cast { .. }), "{line}");
    }
    assert!(matches!(
        op("%x = icmp samesign ult i32 %i, 4").1,
        Op::IntegerCompare { predicate: IntegerPredicate::UnsignedLess, same_sign: true, .. }
    ));
    assert!(matches!(
        op("%x = icmp ne ptr %p, null").1,
        Op::IntegerCompare { predicate: IntegerPredicate::NotEqual, same_sign: false, .. }
    ));
    assert!(matches!(
        op("%x = fcmp fast une double %d, 0.0").1,
        Op::FloatCompare { predicate: FloatPredicate::UnorderedNotEqual, .. }
    ));
    let module = read(
        "define <4 x i1> @f(<4 x i32> %v) {\n %x = icmp eq <4 x i32> %v, zeroinitializer\n ret <4 x i1> %x\n}",
    );
    assert_eq!(module.type_text(body(&module, "f").instructions[0].ty), "<4 x i1>");
    assert!(matches!(op("%x = select i1 %c, i32 %i, i32 7").1, Op::Select { .. }));
    assert!(matches!(
        op("%x = select <4 x i1> undef, <4 x i32> %v, <4 x i32> %v").1,
        Op::Select { .. }
    ));
}

#[test]
fn memory() {
    let (_, alloca) = op("%x = alloca [4 x i8], i64 %l, align 16, addrspace(5)");
    assert!(matches!(alloca, Op::Alloca { count: Some(_), align: 16, .. }));
    assert!(matches!(
        op("%x = alloca inalloca i8").1,
        Op::Alloca { count: None, align: 0, in_alloca: true, .. }
    ));
    let (_, load) = op("%x = load volatile i32, ptr %p, align 4, !tbaa !{}, !noundef !{}");
    assert!(matches!(load, Op::Load { align: 4, volatile: true, atomic: None, .. }));
    let (module, load) =
        op("%x = load atomic i32, ptr %p syncscope(\"singlethread\") acquire, align 4");
    let Op::Load { atomic: Some(atomic), .. } = load else { panic!() };
    assert_eq!(atomic.ordering, Ordering::Acquire);
    assert_eq!(&module.names[atomic.scope.unwrap()], "singlethread");
    let (_, store) = op("store atomic volatile ptr %p, ptr @g seq_cst, align 8");
    assert!(matches!(
        store,
        Op::Store { stored: TypeId::PTR, volatile: true, atomic: Some(_), .. }
    ));
    let (_, exchange) =
        op("%x = cmpxchg weak volatile ptr %p, i32 %i, i32 1 acq_rel monotonic, align 4");
    let Op::CompareExchange(exchange) = exchange else { panic!() };
    assert!(exchange.weak && exchange.volatile);
    assert_eq!(
        (exchange.success, exchange.failure),
        (Ordering::AcquireRelease, Ordering::Monotonic)
    );
    for word in [
        "xchg",
        "add",
        "sub",
        "and",
        "nand",
        "or",
        "xor",
        "max",
        "min",
        "umax",
        "umin",
        "uinc_wrap",
        "udec_wrap",
        "usub_cond",
        "usub_sat",
    ] {
        let (_, update) =
            op(&format!("%x = atomicrmw volatile {word} ptr %p, i32 %i monotonic, align 4"));
        assert!(matches!(update, Op::AtomicUpdate(_)), "{word}");
    }
    for word in ["fadd", "fsub", "fmax", "fmin", "fmaximum", "fminimum", "xchg"] {
        op(&format!("%x = atomicrmw {word} ptr %p, float %s seq_cst"));
    }
    let (_, fence) = op("fence syncscope(\"singlethread\") release");
    assert!(matches!(fence, Op::Fence(Atomic { ordering: Ordering::Release, scope: Some(_) })));
    let (module, gep) =
        op("%x = getelementptr inbounds nuw {i32, [4 x i8]}, ptr %p, i64 %l, i32 1, i64 3");
    let Op::GetElementPtr(gep) = gep else { panic!() };
    assert_eq!(gep.flags, GepFlags { inbounds: true, nusw: true, nuw: true });
    assert_eq!(module.type_text(gep.source), "{ i32, [4 x i8] }");
    assert_eq!(gep.indices.len(), 3);
    assert!(matches!(op("%x = va_arg ptr %p, i32").1, Op::VaArg { .. }));
}

#[test]
fn parts() {
    let (_, extract) = op("%x = extractvalue {i32, [2 x i8]} %a, 1, 0, !prof !{}");
    assert!(matches!(extract, Op::ExtractValue { indices, .. } if *indices == [1, 0]));
    let (_, insert) = op("%x = insertvalue {i32, [2 x i8]} %a, i8 3, 1, 1");
    assert!(matches!(insert, Op::InsertValue { indices, .. } if *indices == [1, 1]));
    assert!(matches!(op("%x = extractelement <4 x i32> %v, i64 %l").1, Op::ExtractElement { .. }));
    assert!(matches!(
        op("%x = insertelement <4 x i32> %v, i32 %i, i32 0").1,
        Op::InsertElement { .. }
    ));
    let (_, shuffle) = op(
        "%x = shufflevector <4 x i32> %v, <4 x i32> poison, <3 x i32> <i32 0, i32 poison, i32 7>",
    );
    assert!(matches!(shuffle, Op::ShuffleVector { mask, .. } if *mask == [Some(0), None, Some(7)]));
    let (_, shuffle) =
        op("%x = shufflevector <4 x i32> %v, <4 x i32> poison, <2 x i32> zeroinitializer");
    assert!(matches!(shuffle, Op::ShuffleVector { mask, .. } if *mask == [Some(0), Some(0)]));
}

#[test]
fn calls() {
    let (module, call) = op(
        "tail call fastcc void (i32, ...) @h(i32 noundef signext 1, ptr byval(i64) align 8 %p, double 2.0) nounwind #7 [ \"deopt\"(i32 1, ptr %p), \"x\"() ]",
    );
    let Op::Call(call) = call else { panic!() };
    assert_eq!(call.tail, TailCall::Tail);
    assert_eq!(call.arguments.len(), 3);
    assert!(call.arguments[0].attributes.sign_extend);
    assert_eq!(call.arguments[1].attributes.byval, Some(TypeId::I64));
    assert!(call.attributes.no_unwind);
    assert_eq!(call.bundles.len(), 2);
    assert_eq!(&module.names[call.bundles[0].tag], "deopt");
    let (_, call) = op("%x = notail call i32 %p(i32 1)");
    assert!(
        matches!(call, Op::Call(call) if matches!(call.callee, Operand::Local(_)) && call.tail == TailCall::NoTail)
    );
    let (module, call) = op(
        "%x = call i32 asm sideeffect alignstack inteldialect unwind \"nop \\0A $0\", \"=r,~{memory}\"() #1",
    );
    let Op::Call(call) = call else { panic!() };
    let Operand::Constant(callee) = call.callee else { panic!() };
    let ConstantValue::InlineAsm(asm) = &module.constants[callee].value else { panic!() };
    assert_eq!(&module.names[asm.template], "nop \n $0");
    assert!(asm.side_effect && asm.align_stack && asm.intel_dialect && asm.may_unwind);
    let (module, call) = op(
        "%x = call double @llvm.x(double %d, metadata !\"round.dynamic\", metadata i32 %i, metadata !{})\n  ret void\n}\ndeclare double @llvm.x(double, metadata, metadata, metadata)\ndefine void @z() {",
    );
    let Op::Call(call) = call else { panic!() };
    let Operand::Constant(metadata) = call.arguments[1].value else { panic!() };
    let ConstantValue::Metadata(Some(name)) = module.constants[metadata].value else { panic!() };
    assert_eq!(&module.names[name], "round.dynamic");
}

#[test]
fn terminators_and_blocks_in_the_order_of_the_text() {
    let module = read(
        "define i32 @f(i32 %0, ptr %p) personality ptr @person {
  %2 = icmp eq i32 %0, 0
  br i1 %2, label %later, label %3

3:
  switch i32 %0, label %later [
    i32 1, label %6
    i32 -2, label %\"a block\"
  ]

later:
  %4 = phi i32 [ 0, %1 ], [ %0, %3 ]
  %5 = invoke i32 @g(i32 %4) to label %6 unwind label %pad

6:
  %7 = phi i32 [ %5, %later ], [ 9, %3 ], [ %12, %8 ]
  ret i32 %7

\"a block\":
  callbr void asm \"\", \"!i\"() to label %8 [label %end]

8:
  %12 = add i32 %0, 1
  br label %6

pad:
  %x = landingpad { ptr, i32 } cleanup catch ptr @t catch ptr null filter [1 x ptr] [ptr @t]
  resume { ptr, i32 } %x

end:
  unreachable
}
declare i32 @g(i32)
declare i32 @person(...)
@t = external constant i8",
    );
    let body = body(&module, "f");
    assert_eq!(body.blocks.len(), 8);
    let successors = |block: u32| {
        let mut list = Vec::new();
        body.terminator(BlockId(block)).op.for_each_successor(|to| list.push(to.0));
        list
    };
    assert_eq!(successors(0), [2, 1]);
    assert_eq!(successors(1), [2, 3, 4]);
    assert_eq!(successors(2), [3, 6]);
    assert_eq!(successors(4), [5, 7]);
    let Op::Phi(entries) = &body.block(BlockId(3))[0].op else { panic!() };
    let from: Vec<_> = entries.iter().map(|(_, block)| block.0).collect();
    assert_eq!(from, [2, 1, 5]);
    let Op::LandingPad(pad) = &body.block(BlockId(6))[0].op else { panic!() };
    assert!(pad.cleanup);
    assert!(matches!(*pad.clauses, [Clause::Catch(_), Clause::Catch(_), Clause::Filter(_)]));
    assert_eq!(body.blocks[4].name, LocalName::Named(module.names.find("a block").unwrap()));
}

#[test]
fn the_funclets_of_windows() {
    let module = read(
        "define void @f() personality ptr @p {
  invoke void @g() to label %done unwind label %dispatch
dispatch:
  %switch = catchswitch within none [label %handler] unwind label %cleanup
handler:
  %pad = catchpad within %switch [ptr null, i32 64, ptr null]
  call void @g() [ \"funclet\"(token %pad) ]
  catchret from %pad to label %done
cleanup:
  %c = cleanuppad within none []
  cleanupret from %c unwind to caller
done:
  ret void
}
declare void @g()
declare i32 @p(...)",
    );
    let body = body(&module, "f");
    let Op::CatchSwitch(switch) = &body.block(BlockId(1))[0].op else { panic!() };
    assert_eq!((switch.handlers.len(), switch.unwind), (1, Some(BlockId(3))));
    assert!(matches!(body.terminator(BlockId(3)).op, Op::CleanupReturn { unwind: None, .. }));
}

#[test]
fn results_without_a_name_take_the_next_number() {
    let module =
        read("define i32 @f(i32, i32 %x) {\n  add i32 %0, %x\n  mul i32 %2, 2\n  ret i32 %3\n}");
    let body = body(&module, "f");
    assert_eq!(body.parameter_count, 2);
    let names: Vec<_> = (0..4).map(|i| module.local_text(body, LocalId(i))).collect();
    assert_eq!(names, ["%0", "%x", "%2", "%3"]);
}
