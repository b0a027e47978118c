//! Walking over what instructions and constants refer to.

use super::{
    Block, BlockId, Body, Call, Clause, ConstantId, ConstantValue, Expression, GlobalId,
    Instruction, Name, Op, Operand, TypeId,
};

impl Op {
    pub fn is_terminator(&self) -> bool {
        matches!(
            self,
            Op::Return(_)
                | Op::Jump(_)
                | Op::Branch { .. }
                | Op::Switch(_)
                | Op::IndirectBranch { .. }
                | Op::Invoke(_)
                | Op::CallBranch(_)
                | Op::Resume(_)
                | Op::Unreachable
                | Op::CatchSwitch(_)
                | Op::CatchReturn { .. }
                | Op::CleanupReturn { .. }
        )
    }

    /// The call in a `call`, `invoke` or `callbr`.
    pub fn call(&self) -> Option<&Call> {
        match self {
            Op::Call(call) => Some(call),
            Op::Invoke(invoke) => Some(&invoke.call),
            Op::CallBranch(branch) => Some(&branch.call),
            _ => None,
        }
    }

    pub fn call_mut(&mut self) -> Option<&mut Call> {
        match self {
            Op::Call(call) => Some(call),
            Op::Invoke(invoke) => Some(&mut invoke.call),
            Op::CallBranch(branch) => Some(&mut branch.call),
            _ => None,
        }
    }

    /// Every block the instruction names: where a terminator leads, and where a phi's values
    /// come from.
    pub fn for_each_block_mut(&mut self, mut each: impl FnMut(&mut BlockId)) {
        match self {
            Op::Jump(to) | Op::CatchReturn { to, .. } => each(to),
            Op::Branch { then, otherwise, .. } => {
                each(then);
                each(otherwise);
            }
            Op::Switch(switch) => {
                each(&mut switch.default);
                switch.cases.iter_mut().for_each(|(_, block)| each(block));
            }
            Op::IndirectBranch { targets, .. } => targets.iter_mut().for_each(each),
            Op::Invoke(invoke) => {
                each(&mut invoke.normal);
                each(&mut invoke.unwind);
            }
            Op::CallBranch(branch) => {
                each(&mut branch.fallthrough);
                branch.indirect.iter_mut().for_each(each);
            }
            Op::CatchSwitch(switch) => {
                switch.handlers.iter_mut().for_each(&mut each);
                switch.unwind.iter_mut().for_each(each);
            }
            Op::CleanupReturn { unwind, .. } => unwind.iter_mut().for_each(each),
            Op::Phi(entries) => entries.iter_mut().for_each(|(_, block)| each(block)),
            _ => {}
        }
    }

    /// Where a terminator can lead, in order and with repetitions.
    pub fn for_each_successor(&self, mut each: impl FnMut(BlockId)) {
        match self {
            Op::Jump(to) | Op::CatchReturn { to, .. } => each(*to),
            Op::Branch { then, otherwise, .. } => {
                each(*then);
                each(*otherwise);
            }
            Op::Switch(switch) => {
                each(switch.default);
                switch.cases.iter().for_each(|(_, block)| each(*block));
            }
            Op::IndirectBranch { targets, .. } => targets.iter().copied().for_each(each),
            Op::Invoke(invoke) => {
                each(invoke.normal);
                each(invoke.unwind);
            }
            Op::CallBranch(branch) => {
                each(branch.fallthrough);
                branch.indirect.iter().copied().for_each(each);
            }
            Op::CatchSwitch(switch) => {
                switch.handlers.iter().copied().for_each(&mut each);
                switch.unwind.iter().copied().for_each(each);
            }
            Op::CleanupReturn { unwind, .. } => unwind.iter().copied().for_each(each),
            _ => {}
        }
    }

    /// Every operand, in order.
    pub fn for_each_operand(&self, mut each: impl FnMut(Operand)) {
        match self {
            Op::Phi(entries) => entries.iter().for_each(|(value, _)| each(*value)),
            Op::Call(_) | Op::Invoke(_) | Op::CallBranch(_) => {
                if let Some(call) = self.call() {
                    each(call.callee);
                    call.arguments.iter().for_each(|argument| each(argument.value));
                    for bundle in &call.bundles {
                        bundle.operands.iter().copied().for_each(&mut each);
                    }
                }
            }
            Op::Switch(switch) => {
                each(switch.value);
                switch.cases.iter().for_each(|(case, _)| each(Operand::Constant(*case)));
            }
            Op::GetElementPtr(gep) => {
                each(gep.base);
                gep.indices.iter().copied().for_each(each);
            }
            Op::LandingPad(pad) => pad.clauses.iter().for_each(|clause| match clause {
                Clause::Catch(value) | Clause::Filter(value) => each(*value),
            }),
            Op::CatchPad { within, arguments } | Op::CleanupPad { within, arguments } => {
                each(*within);
                arguments.iter().copied().for_each(each);
            }
            Op::Return(value) => value.iter().copied().for_each(each),
            Op::Alloca { count, .. } => count.iter().copied().for_each(each),
            Op::Jump(_) | Op::Unreachable | Op::Fence(_) => {}
            Op::Branch { condition: value, .. }
            | Op::IndirectBranch { address: value, .. }
            | Op::CatchReturn { from: value, .. }
            | Op::CleanupReturn { from: value, .. }
            | Op::Resume(value)
            | Op::Negate(value)
            | Op::Cast { value, .. }
            | Op::Freeze(value)
            | Op::Load { pointer: value, .. }
            | Op::ExtractValue { aggregate: value, .. }
            | Op::VaArg { list: value } => each(*value),
            Op::CatchSwitch(switch) => each(switch.within),
            Op::Binary { left, right, .. }
            | Op::IntegerCompare { left, right, .. }
            | Op::FloatCompare { left, right, .. }
            | Op::ShuffleVector { left, right, .. } => {
                each(*left);
                each(*right);
            }
            Op::Store { value, pointer, .. } => {
                each(*value);
                each(*pointer);
            }
            Op::ExtractElement { vector, index } => {
                each(*vector);
                each(*index);
            }
            Op::InsertValue { aggregate, element, .. } => {
                each(*aggregate);
                each(*element);
            }
            Op::Select { condition, then, otherwise } => {
                each(*condition);
                each(*then);
                each(*otherwise);
            }
            Op::InsertElement { vector, element, index } => {
                each(*vector);
                each(*element);
                each(*index);
            }
            Op::CompareExchange(exchange) => {
                each(exchange.pointer);
                each(exchange.expected);
                each(exchange.replacement);
            }
            Op::AtomicUpdate(update) => {
                each(update.pointer);
                each(update.value);
            }
        }
    }

    pub fn for_each_operand_mut(&mut self, mut each: impl FnMut(&mut Operand)) {
        match self {
            Op::Phi(entries) => entries.iter_mut().for_each(|(value, _)| each(value)),
            Op::Call(_) | Op::Invoke(_) | Op::CallBranch(_) => {
                if let Some(call) = self.call_mut() {
                    each(&mut call.callee);
                    call.arguments.iter_mut().for_each(|argument| each(&mut argument.value));
                    for bundle in &mut call.bundles {
                        bundle.operands.iter_mut().for_each(&mut each);
                    }
                }
            }
            Op::Switch(switch) => {
                each(&mut switch.value);
                for (case, _) in &mut switch.cases {
                    let mut operand = Operand::Constant(*case);
                    each(&mut operand);
                    if let Operand::Constant(constant) = operand {
                        *case = constant;
                    }
                }
            }
            Op::GetElementPtr(gep) => {
                each(&mut gep.base);
                gep.indices.iter_mut().for_each(each);
            }
            Op::LandingPad(pad) => pad.clauses.iter_mut().for_each(|clause| match clause {
                Clause::Catch(value) | Clause::Filter(value) => each(value),
            }),
            Op::CatchPad { within, arguments } | Op::CleanupPad { within, arguments } => {
                each(within);
                arguments.iter_mut().for_each(each);
            }
            Op::Return(value) => value.iter_mut().for_each(each),
            Op::Alloca { count, .. } => count.iter_mut().for_each(each),
            Op::Jump(_) | Op::Unreachable | Op::Fence(_) => {}
            Op::Branch { condition: value, .. }
            | Op::IndirectBranch { address: value, .. }
            | Op::CatchReturn { from: value, .. }
            | Op::CleanupReturn { from: value, .. }
            | Op::Resume(value)
            | Op::Negate(value)
            | Op::Cast { value, .. }
            | Op::Freeze(value)
            | Op::Load { pointer: value, .. }
            | Op::ExtractValue { aggregate: value, .. }
            | Op::VaArg { list: value } => each(value),
            Op::CatchSwitch(switch) => each(&mut switch.within),
            Op::Binary { left, right, .. }
            | Op::IntegerCompare { left, right, .. }
            | Op::FloatCompare { left, right, .. }
            | Op::ShuffleVector { left, right, .. } => {
                each(left);
                each(right);
            }
            Op::Store { value, pointer, .. } => {
                each(value);
                each(pointer);
            }
            Op::ExtractElement { vector, index } => {
                each(vector);
                each(index);
            }
            Op::InsertValue { aggregate, element, .. } => {
                each(aggregate);
                each(element);
            }
            Op::Select { condition, then, otherwise } => {
                each(condition);
                each(then);
                each(otherwise);
            }
            Op::InsertElement { vector, element, index } => {
                each(vector);
                each(element);
                each(index);
            }
            Op::CompareExchange(exchange) => {
                each(&mut exchange.pointer);
                each(&mut exchange.expected);
                each(&mut exchange.replacement);
            }
            Op::AtomicUpdate(update) => {
                each(&mut update.pointer);
                each(&mut update.value);
            }
        }
    }

    /// Every type the instruction names beside that of its result.
    pub(crate) fn for_each_type_mut(&mut self, mut each: impl FnMut(&mut TypeId)) {
        if let Some(call) = self.call_mut() {
            each(&mut call.signature);
            call.result.for_each_type_mut(&mut each);
            for argument in &mut call.arguments {
                each(&mut argument.ty);
                argument.attributes.for_each_type_mut(&mut each);
            }
            return;
        }
        match self {
            Op::Switch(switch) => each(&mut switch.ty),
            Op::Cast { from: ty, .. }
            | Op::Alloca { allocated: ty, .. }
            | Op::Store { stored: ty, .. } => each(ty),
            Op::CompareExchange(exchange) => each(&mut exchange.ty),
            Op::AtomicUpdate(update) => each(&mut update.ty),
            Op::GetElementPtr(gep) => each(&mut gep.source),
            _ => {}
        }
    }
}

impl Op {
    /// Every name the instruction has: scopes of atomics, tags of bundles.
    pub(crate) fn for_each_name_mut(&mut self, mut each: impl FnMut(&mut Name)) {
        if let Some(call) = self.call_mut() {
            call.bundles.iter_mut().for_each(|bundle| each(&mut bundle.tag));
            return;
        }
        match self {
            Op::Load { atomic: Some(atomic), .. }
            | Op::Store { atomic: Some(atomic), .. }
            | Op::Fence(atomic) => atomic.scope.iter_mut().for_each(each),
            Op::CompareExchange(exchange) => exchange.scope.iter_mut().for_each(each),
            Op::AtomicUpdate(update) => update.atomic.scope.iter_mut().for_each(each),
            _ => {}
        }
    }
}

impl super::ParameterAttributes {
    pub(crate) fn for_each_type_mut(&mut self, mut each: impl FnMut(&mut TypeId)) {
        self.byval.iter_mut().for_each(&mut each);
        self.sret.iter_mut().for_each(each);
    }
}

impl ConstantValue {
    /// The constants this one is made of.
    pub fn for_each_operand(&self, mut each: impl FnMut(ConstantId)) {
        match self {
            ConstantValue::Aggregate(parts) => parts.iter().copied().for_each(each),
            ConstantValue::Splat(element) => each(*element),
            ConstantValue::Expression(expression) => {
                // The walk that changes them is the only list of an expression's operands.
                expression.clone().for_each_operand_mut(|operand| each(*operand));
            }
            _ => {}
        }
    }

    /// The global whose address this is.
    pub fn global(&self) -> Option<GlobalId> {
        match self {
            ConstantValue::Global(global)
            | ConstantValue::DsoLocalEquivalent(global)
            | ConstantValue::NoCfi(global)
            | ConstantValue::BlockAddress { function: global, .. } => Some(*global),
            _ => None,
        }
    }
}

impl Expression {
    pub(crate) fn for_each_operand_mut(&mut self, mut each: impl FnMut(&mut ConstantId)) {
        match self {
            Expression::Binary { left, right, .. }
            | Expression::IntegerCompare { left, right, .. }
            | Expression::FloatCompare { left, right, .. } => {
                each(left);
                each(right);
            }
            Expression::Cast { value, .. }
            | Expression::Negate(value)
            | Expression::ExtractValue { aggregate: value, .. } => each(value),
            Expression::GetElementPtr { base, indices, .. } => {
                each(base);
                indices.iter_mut().for_each(each);
            }
            Expression::Select { condition, then, otherwise } => {
                each(condition);
                each(then);
                each(otherwise);
            }
            Expression::ExtractElement { vector, index } => {
                each(vector);
                each(index);
            }
            Expression::InsertElement { vector, element, index } => {
                each(vector);
                each(element);
                each(index);
            }
            Expression::ShuffleVector { left, right, mask } => {
                each(left);
                each(right);
                each(mask);
            }
            Expression::InsertValue { aggregate, element, .. } => {
                each(aggregate);
                each(element);
            }
        }
    }
}

impl Body {
    /// The last instruction of a block.
    pub fn terminator(&self, block: BlockId) -> &Instruction {
        let Block { end, .. } = self.blocks[block.0 as usize];
        &self.instructions[end as usize - 1]
    }
}
