//! Local variables whose address goes nowhere become registers.

use super::Context;
use crate::value::Scalar;
use auspex_llvm::ir::{Body, ConstantValue, LocalId, Op, Operand};

/// For each local of a function: the scalar that lives in a register instead of in memory.
pub fn promoted(context: &Context<'_>, body: &Body) -> Vec<Option<Scalar>> {
    let mut result: Vec<Option<Scalar>> = vec![None; body.locals.len()];
    for instruction in &body.instructions {
        if let (Op::Alloca { allocated, count: None, .. }, Some(local)) =
            (&instruction.op, instruction.result)
        {
            let lanes = context.lanes(*allocated).unwrap_or_default();
            if let [(scalar, 0)] = lanes[..]
                && context.module.types.part_count(*allocated).is_none()
            {
                result[local.0 as usize] = Some(scalar);
            }
        }
    }
    for instruction in &body.instructions {
        match &instruction.op {
            Op::Load { pointer, .. } => {
                let same = context
                    .lanes(instruction.ty)
                    .is_some_and(|lanes| fits(context, &result, *pointer, &lanes));
                keep(&mut result, *pointer, same);
            }
            Op::Store { value, stored, pointer, .. } => {
                keep(&mut result, *value, false);
                let same = context
                    .lanes(*stored)
                    .is_some_and(|lanes| fits(context, &result, *pointer, &lanes));
                keep(&mut result, *pointer, same);
            }
            Op::Call(call) if is_lifetime(context, call.callee) => {}
            op => op.for_each_operand(|operand| keep(&mut result, operand, false)),
        }
    }
    result
}

/// Does what is read or written have the type of the variable? Or is one a pointer and the other a number of its
/// width, as atomic instructions want them: a register holds the same for both.
fn fits(
    context: &Context<'_>,
    result: &[Option<Scalar>],
    pointer: Operand,
    lanes: &[(Scalar, u32)],
) -> bool {
    let (Operand::Local(LocalId(local)), [(scalar, 0)]) = (pointer, lanes) else { return false };
    match (result[local as usize], *scalar) {
        (Some(Scalar::Pointer), Scalar::Int(64)) | (Some(Scalar::Int(64)), Scalar::Pointer) => {
            context.pointer == 8
        }
        (known, scalar) => known == Some(scalar),
    }
}

fn keep(result: &mut [Option<Scalar>], operand: Operand, may: bool) {
    if let Operand::Local(LocalId(local)) = operand
        && !may
    {
        result[local as usize] = None;
    }
}

pub fn is_lifetime(context: &Context<'_>, callee: Operand) -> bool {
    let Operand::Constant(id) = callee else { return false };
    match context.module.constants[id].value {
        ConstantValue::Global(global) => {
            context.module.name_of(global).starts_with("llvm.lifetime.")
        }
        _ => false,
    }
}
