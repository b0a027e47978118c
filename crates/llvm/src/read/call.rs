//! Calls.

use super::Parse;
use super::function::FunctionReader;
use super::metadata::Value;
use super::words;
use crate::ir::{
    Argument, Bundle, Call, CallBranch, ConstantId, ConstantValue, FunctionAttributes, Invoke, Op,
    Operand, ParameterAttributes, TailCall, Type, TypeId,
};
use crate::lexer::{Id, Token};
use auspex_system::Diagnostic;

impl<'t> FunctionReader<'_, 't> {
    pub(super) fn call(&mut self, tail: TailCall) -> Parse<Option<(Op, TypeId)>> {
        self.fast_math()?;
        match self.call_head()? {
            CallHead::Debug(name) => {
                self.debug_intrinsic(name)?;
                Ok(None)
            }
            CallHead::Call(head) => {
                let (call, ty) = self.call_rest(head, tail)?;
                Ok(Some((Op::Call(Box::new(call)), ty)))
            }
        }
    }

    pub(super) fn invoke(&mut self) -> Parse<(Op, TypeId)> {
        let (call, ty) = self.terminator_call()?;
        self.reader.expect_word("to")?;
        let normal = self.block_operand()?;
        self.reader.expect_word("unwind")?;
        let unwind = self.block_operand()?;
        Ok((Op::Invoke(Box::new(Invoke { call, normal, unwind })), ty))
    }

    pub(super) fn call_branch(&mut self) -> Parse<(Op, TypeId)> {
        let (call, ty) = self.terminator_call()?;
        self.reader.expect_word("to")?;
        let fallthrough = self.block_operand()?;
        let indirect = self.block_list()?;
        Ok((Op::CallBranch(Box::new(CallBranch { call, fallthrough, indirect })), ty))
    }

    fn terminator_call(&mut self) -> Parse<(Call, TypeId)> {
        let start = self.reader.start;
        match self.call_head()? {
            CallHead::Call(head) => self.call_rest(head, TailCall::None),
            CallHead::Debug(_) => self.fail(start, "a debug intrinsic cannot be called so"),
        }
    }

    /// Everything up to the callee.
    fn call_head(&mut self) -> Parse<CallHead<'t>> {
        let start = self.reader.start;
        let convention = self.reader.calling_convention()?;
        let mut result = ParameterAttributes::default();
        self.reader.parameter_attributes(&mut result)?;
        let ty = self.reader.ty()?;
        if let Token::Global(Id::Plain(name)) = self.reader.token
            && let Some(kind) = name.strip_prefix("llvm.dbg.")
        {
            self.reader.advance()?;
            return Ok(CallHead::Debug(kind));
        }
        let callee = self.value(TypeId::PTR)?;
        Ok(CallHead::Call(Head { start, convention, result, ty, callee }))
    }

    fn call_rest(&mut self, head: Head, tail: TailCall) -> Parse<(Call, TypeId)> {
        let arguments = self.arguments()?;
        let mut attributes = FunctionAttributes::default();
        let instruction = Some(self.body.instructions.len() as u32);
        loop {
            // A word that is no instruction is an attribute, known or not.
            if let Token::Word(word) = self.reader.token
                && (words::is_opcode(word) || word == "to" || word.starts_with("uselistorder"))
            {
                break;
            }
            if !self.reader.function_attribute(&mut attributes, self.id, instruction)? {
                break;
            }
        }
        let bundles = match self.reader.is(b'[') {
            true => self.bundles()?,
            false => Box::default(),
        };
        let types = &mut self.reader.module.types;
        let (signature, ty) = match &types[head.ty] {
            Type::Function { result, parameters, variadic } => {
                let fits = match variadic {
                    true => arguments.len() >= parameters.len(),
                    false => arguments.len() == parameters.len(),
                };
                let fits = fits && arguments.iter().zip(parameters).all(|(a, ty)| a.ty == *ty);
                let result = *result;
                if !fits {
                    return self
                        .fail(head.start, "the arguments are not those that the type asks for");
                }
                (head.ty, result)
            }
            Type::Label | Type::Metadata => {
                return self.fail(head.start, "no function has such a result");
            }
            _ => {
                let parameters = arguments.iter().map(|argument| argument.ty).collect();
                let signature = Type::Function { result: head.ty, parameters, variadic: false };
                (types.intern(signature), head.ty)
            }
        };
        let call = Call {
            callee: head.callee,
            signature,
            arguments: arguments.into(),
            result: head.result,
            attributes,
            tail,
            convention: head.convention,
            bundles,
        };
        Ok((call, ty))
    }

    fn arguments(&mut self) -> Parse<Vec<Argument>> {
        self.reader.expect(b'(')?;
        let mut arguments = Vec::new();
        while !self.reader.is(b')') {
            // A `musttail` call passes its own variable arguments on.
            if self.reader.token == Token::Ellipsis {
                self.reader.advance()?;
                break;
            }
            let span = self.reader.span();
            let ty = self.reader.ty()?;
            let mut attributes = ParameterAttributes::default();
            let value = if ty == TypeId::METADATA {
                Operand::Constant(self.metadata_argument()?)
            } else {
                if !self.reader.module.types.is_first_class(ty) {
                    return Err(Diagnostic::error(span, "no argument has this type").into());
                }
                self.reader.parameter_attributes(&mut attributes)?;
                self.value(ty)?
            };
            arguments.push(Argument { value, ty, attributes });
            if !self.reader.accept(b',')? {
                break;
            }
        }
        self.reader.expect(b')')?;
        Ok(arguments)
    }

    /// Metadata as a value: of what a node says only a string matters to any intrinsic.
    fn metadata_argument(&mut self) -> Parse<ConstantId> {
        let mut name = None;
        match self.reader.token {
            Token::MetadataNumber(_) | Token::MetadataName(_) | Token::Bang => {
                if let Value::String(text) = self.reader.metadata_value()? {
                    name = Some(self.reader.intern_escaped(text));
                }
            }
            // A value, local or not.
            _ => {
                self.typed_value()?;
            }
        }
        Ok(self.reader.intern(TypeId::METADATA, ConstantValue::Metadata(name)))
    }

    /// `[ "tag"(type value, …), … ]`.
    fn bundles(&mut self) -> Parse<Box<[Bundle]>> {
        self.reader.expect(b'[')?;
        let mut bundles = Vec::new();
        loop {
            let tag = self.reader.string("a bundle's tag")?;
            let tag = self.reader.module.names.intern(&tag);
            let operands = self.arguments()?.iter().map(|argument| argument.value).collect();
            bundles.push(Bundle { tag, operands });
            if !self.reader.accept(b',')? {
                break;
            }
        }
        self.reader.expect(b']')?;
        Ok(bundles.into())
    }
}

/// What comes before the arguments.
struct Head {
    start: usize,
    convention: u32,
    result: ParameterAttributes,
    /// The callee's type, or only that of its result.
    ty: TypeId,
    callee: Operand,
}

enum CallHead<'t> {
    Call(Head),
    /// A call of `llvm.dbg.` and this.
    Debug(&'t str),
}
