//! Arrays inside larger objects. An index that leaves such an array may stay within the object, so
//! the check of the access itself would not see it.

use super::function::Builder;
use crate::code::{Arg, Code};
use auspex_llvm::ir::{Body, GetElementPtr, LocalId, Op, Operand, Type, TypeId};

/// For each local: is it an address that is used for nothing but access to what is there?
pub fn only_accessed(body: &Body) -> Vec<bool> {
    let mut only = vec![true; body.locals.len()];
    let mut escapes = |operand: Operand| {
        if let Operand::Local(local) = operand {
            only[local.0 as usize] = false;
        }
    };
    for instruction in &body.instructions {
        match &instruction.op {
            Op::Load { .. } => {}
            Op::Store { value, .. } => escapes(*value),
            op => op.for_each_operand(&mut escapes),
        }
    }
    only
}

/// For each local: which instruction it is the result of.
pub fn definitions(body: &Body) -> Vec<Option<u32>> {
    let mut definitions = vec![None; body.locals.len()];
    for (index, instruction) in body.instructions.iter().enumerate() {
        if let Some(local) = instruction.result {
            definitions[local.0 as usize] = Some(index as u32);
        }
    }
    definitions
}

impl Builder<'_, '_> {
    /// An index into an array of `count` elements: checked if the array is part of something.
    pub fn check_index(
        &mut self,
        gep: &GetElementPtr,
        result: Option<LocalId>,
        (index, bits): (Arg, u8),
        count: u64,
    ) {
        if count == 0 || self.is_optimised() || !self.is_inner(gep) {
            return;
        }
        // The address just behind an array is one, as long as nobody looks there.
        let accessed = result.is_some_and(|local| self.only_accessed[local.0 as usize]);
        let limit = if accessed { count } else { count + 1 };
        match self.constant_number(index) {
            Some(number) if number < limit => {}
            _ => self.emit(Code::CheckIndex { index, bits, count, limit }),
        }
    }

    /// Is the array that is indexed an element of another, or a member of a structure that others
    /// follow? (A last member is often meant to have as many elements as memory was allocated.)
    fn is_inner(&self, gep: &GetElementPtr) -> bool {
        let Operand::Local(base) = gep.base else { return false };
        let Some(definition) = self.definitions[base.0 as usize] else { return false };
        let Op::GetElementPtr(outer) = &self.body.instructions[definition as usize].op else {
            return false;
        };
        let types = &self.context.module.types;
        let Some((last, inside)) = outer.indices.split_last() else { return false };
        if inside.is_empty() {
            return false;
        }
        let mut ty: TypeId = outer.source;
        for index in &inside[1..] {
            ty = match &types[ty] {
                Type::Array { element, .. } => *element,
                _ => match self.field(*index).and_then(|field| types.part(ty, field)) {
                    Some(part) => part,
                    None => return false,
                },
            };
        }
        match &types[ty] {
            Type::Array { .. } => true,
            _ => match (self.field(*last), types.part_count(ty)) {
                (Some(field), Some(count)) => field + 1 < count,
                _ => false,
            },
        }
    }

    fn field(&self, index: Operand) -> Option<u64> {
        let Operand::Constant(id) = index else { return None };
        self.context.constant(id).first().map(|value| value.bits)
    }
}
