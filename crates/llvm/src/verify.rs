//! What whoever walks a module may rely on, beside what the reader has checked while it read.

use crate::ir::{BlockId, Body, GlobalKind, Module, Op, TypeId};
use auspex_system::{Diagnostic, Span};

/// Checks how the blocks of a function hang together.
pub fn body(
    module: &Module,
    result: TypeId,
    body: &Body,
    spans: &[Span],
) -> Result<(), Box<Diagnostic>> {
    let fail = |instruction: usize, message: &str| {
        Err(Box::new(match spans.get(instruction) {
            Some(span) => Diagnostic::error(*span, message),
            None => Diagnostic::general(message),
        }))
    };
    let is_phi = |index: usize| matches!(body.instructions[index].op, Op::Phi(_));
    for block in body.block_ids() {
        let range = body.block_range(block);
        for index in range.clone() {
            let op = &body.instructions[index].op;
            if op.is_terminator() != (index + 1 == range.end) {
                return fail(index, "a block ends with its first terminator, and only there");
            }
            match op {
                Op::Phi(_) if index > range.start && !is_phi(index - 1) => {
                    return fail(index, "a phi stands at the beginning of its block");
                }
                Op::Return(value) => {
                    let ty = value.map_or(TypeId::VOID, |value| module.operand_type(body, value));
                    if ty != result {
                        return fail(index, "this is not the type of the function's result");
                    }
                }
                Op::Invoke(invoke) => {
                    let pad =
                        body.block(invoke.unwind).iter().find(|i| !matches!(i.op, Op::Phi(_)));
                    let lands = pad.is_some_and(|i| {
                        matches!(
                            i.op,
                            Op::LandingPad(_) | Op::CatchSwitch(_) | Op::CleanupPad { .. }
                        )
                    });
                    if !lands {
                        return fail(index, "this unwinds to a block without a landing pad");
                    }
                }
                _ => {}
            }
            let mut to_entry = false;
            op.for_each_successor(|successor| to_entry |= successor == BlockId::ENTRY);
            if to_entry {
                return fail(index, "nothing may lead back to the first block");
            }
        }
    }
    phis(body).or_else(|index| {
        fail(index, "a phi has one entry for each edge into its block, and no other")
    })
}

/// The index of a phi that does not match the edges into its block.
fn phis(body: &Body) -> Result<(), usize> {
    if !body.instructions.iter().any(|instruction| matches!(instruction.op, Op::Phi(_))) {
        return Ok(());
    }
    // Edges by target, in the order of their sources.
    let mut edges = Vec::new();
    for block in body.block_ids() {
        body.terminator(block).op.for_each_successor(|to| edges.push((to, block)));
    }
    edges.sort_unstable();
    let mut entries = Vec::new();
    for block in body.block_ids() {
        let first = edges.partition_point(|edge| edge.0 < block);
        let end = edges.partition_point(|edge| edge.0 <= block);
        for index in body.block_range(block) {
            let Op::Phi(phi) = &body.instructions[index].op else { break };
            entries.clear();
            entries.extend(phi.iter().map(|(_, from)| (block, *from)));
            entries.sort_unstable();
            if entries != edges[first..end] {
                return Err(index);
            }
        }
    }
    Ok(())
}

/// Checks that everything that needs memory has a size. Types are complete only when the whole
/// text has been read.
pub fn sizes(module: &Module) -> Result<(), Box<Diagnostic>> {
    let sized = |ty: TypeId| module.layout.alloc_size(&module.types, ty).is_some();
    let fail = |span: Span, ty: TypeId| {
        let message = format!("the type {} has no size that could be used", module.type_text(ty));
        Err(Box::new(Diagnostic::error(span, message)))
    };
    for global in &module.globals {
        match &global.kind {
            GlobalKind::Variable(variable)
                if variable.initializer.is_some() && !sized(variable.ty) =>
            {
                return fail(global.span, variable.ty);
            }
            GlobalKind::Function(function) => {
                let attributes = function.parameters.iter();
                let mut types = attributes.flat_map(|p| [p.byval, p.sret]).flatten();
                if let Some(ty) = types.find(|ty| !sized(*ty)) {
                    return fail(global.span, ty);
                }
                let Some(body) = &function.body else { continue };
                for instruction in &body.instructions {
                    let used = match &instruction.op {
                        Op::Alloca { allocated, .. } => Some(*allocated),
                        Op::Load { .. } => Some(instruction.ty),
                        Op::Store { stored, .. } => Some(*stored),
                        Op::GetElementPtr(gep) if !gep.indices.is_empty() => Some(gep.source),
                        _ => None,
                    };
                    if let Some(ty) = used.filter(|ty| !sized(*ty)) {
                        return fail(global.span, ty);
                    }
                }
            }
            _ => {}
        }
    }
    Ok(())
}
