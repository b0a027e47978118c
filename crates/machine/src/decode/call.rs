//! Decoding calls.

use super::function::Builder;
use super::{Target, assembler};
use crate::code::{Arg, Argument, Call, Callee, Code};
use crate::value::Scalar;
use auspex_llvm::ir::{self, ConstantValue, GlobalId, Instruction, Operand, Type};

impl Builder<'_, '_> {
    fn callee_global(&self, callee: Operand) -> Option<GlobalId> {
        let Operand::Constant(id) = callee else { return None };
        match &self.context.module.constants[id].value {
            ConstantValue::Global(id)
            | ConstantValue::DsoLocalEquivalent(id)
            | ConstantValue::NoCfi(id) => Some(*id),
            _ => None,
        }
    }

    pub fn call(
        &mut self,
        instruction: &Instruction,
        call: &ir::Call,
        unwind: Option<u32>,
    ) -> Option<()> {
        let module = self.context.module;
        let global = self.callee_global(call.callee);
        if let Some(id) = global
            && let Some(name) = module.name_of(id).strip_prefix("llvm.")
        {
            let name = name.to_owned();
            if self.intrinsic(instruction, call, &name)? {
                return Some(());
            }
            if crate::native::find(module.name_of(id)).is_none() {
                self.unsupported(format!("`llvm.{name}`"));
                return Some(());
            }
        }
        if let Operand::Constant(id) = call.callee
            && let ConstantValue::InlineAsm(asm) = &module.constants[id].value
        {
            let template = &module.names[asm.template];
            let constraints = &module.names[asm.constraints];
            // All memory is in order here anyway.
            if !(assembler::does_nothing(template)
                && self.pass_through(instruction, call, constraints))
            {
                self.unsupported(format!("inline assembler (`{}`)", template.trim()));
            }
            return Some(());
        }
        let callee = match global.and_then(|id| self.context.functions.get(&id).copied()) {
            Some(function) => Callee::Direct(function),
            None => Callee::Indirect(self.one(call.callee)?),
        };
        let Type::Function { parameters, .. } = &module.types[call.signature] else { return None };
        let (mut arguments, mut fixed) = (Vec::new(), 0);
        for (position, argument) in call.arguments.iter().enumerate() {
            if position == parameters.len() {
                fixed = arguments.len() as u32;
            }
            self.argument(argument, &mut arguments)?;
        }
        if call.arguments.len() <= parameters.len() {
            fixed = arguments.len() as u32;
        }
        let result = self.scalars(instruction.ty)?.into();
        let dst = self.dst(instruction);
        let signature = call.signature;
        let arguments = arguments.into();
        let call = Call { callee, arguments, fixed, dst, result, signature, unwind };
        self.emit(Code::Call(Box::new(call)));
        Some(())
    }

    /// The results of an assembler statement without instructions: each is an argument that was
    /// put into the same register, if there is one.
    fn pass_through(
        &mut self,
        instruction: &Instruction,
        call: &ir::Call,
        constraints: &str,
    ) -> bool {
        let mut copies = Vec::new();
        for input in assembler::tied_inputs(constraints) {
            let Some(argument) = input.and_then(|at| call.arguments.get(at)) else { return false };
            let Some(scalars) = self.scalars(argument.ty) else { return false };
            copies.extend(scalars.into_iter().map(|scalar| (scalar, argument.value)));
        }
        let results: Vec<Scalar> = copies.iter().map(|(scalar, _)| *scalar).collect();
        if instruction.result.is_some() && self.scalars(instruction.ty) != Some(results) {
            return false;
        }
        self.emit(Code::Fence);
        let mut dst = self.dst(instruction);
        for (_, value) in copies {
            for a in self.operand(value) {
                self.emit(Code::Copy { dst, a });
                dst += 1;
            }
        }
        true
    }

    fn argument(&mut self, argument: &ir::Argument, out: &mut Vec<Argument>) -> Option<()> {
        let ty = argument.ty;
        if matches!(self.context.module.types[ty], Type::Metadata | Type::Label | Type::Token) {
            return Some(());
        }
        let copied = match argument.attributes.byval {
            Some(ty) => Some(u32::try_from(self.context.size_of(ty)?).ok()?),
            None => None,
        };
        let values = self.operand(argument.value);
        let module = self.context.module;
        let align = module.abi_align(argument.attributes.byval.unwrap_or(ty)).unwrap_or(1) as u32;
        let mut at = 0;
        for scalar in self.scalars(ty)? {
            // Before LLVM 18 its integers of 128 bits were aligned less than those of C.
            let align = if scalar == Scalar::Wide(128) { align.max(16) } else { align };
            let part = |at: usize, scalar, align| Argument {
                value: values[at],
                scalar,
                copied: None,
                align,
            };
            match scalar.pair() {
                // The first part says what it is: variable arguments need to know.
                Some([_, bits]) if scalar == Scalar::Extended => {
                    out.extend([part(at, scalar, align), part(at + 1, Scalar::Int(bits), 1)]);
                }
                Some([low, high]) => {
                    out.extend([
                        part(at, Scalar::Int(low), align),
                        part(at + 1, Scalar::Int(high), 1),
                    ]);
                }
                None => out.push(Argument { value: values[at], scalar, copied, align }),
            }
            at += scalar.lanes() as usize;
        }
        Some(())
    }

    /// The thread-local variable that an operand names.
    pub fn thread_local_operand(&self, operand: Operand) -> Option<Arg> {
        match self.context.targets.get(&self.callee_global(operand)?) {
            Some(Target::ThreadLocal(index)) => Some(Arg::ThreadLocal(*index)),
            _ => None,
        }
    }
}
