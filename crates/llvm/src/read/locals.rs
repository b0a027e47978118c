//! The names of a function's values and blocks: either may be used before it is defined.

use super::Parse;
use super::function::{FunctionReader, Mention};
use super::tokens::normal;
use crate::ir::{BlockId, Local, LocalId, LocalName, Operand, TypeId};
use crate::lexer::{Id, Token};
use auspex_system::{Diagnostic, Span};

impl<'t> FunctionReader<'_, 't> {
    pub(super) fn take_number(&mut self, number: u32, span: Span) -> Parse<()> {
        if number < self.next_number {
            let message = format!("this must be %{} or higher", self.next_number);
            return Err(Diagnostic::error(span, message)
                .label("the number is already passed")
                .into());
        }
        self.next_number = number.saturating_add(1);
        Ok(())
    }

    pub(super) fn local_name(&mut self, id: Id<'t>) -> LocalName {
        match id {
            Id::Number(number) => LocalName::Number(number),
            id => LocalName::Named(self.reader.name(id)),
        }
    }

    /// A block by its label; its number changes when all are known (`order_blocks`).
    pub(super) fn mention_block(&mut self, id: Id<'t>, span: Span) -> BlockId {
        let next = BlockId(self.mentions.len() as u32);
        let block = *self.blocks.entry(id).or_insert(next);
        if block == next {
            self.mentions.push(Mention { id, first_use: span, position: None });
        }
        block
    }

    /// `label %name`.
    pub(super) fn block_operand(&mut self) -> Parse<BlockId> {
        self.reader.expect_word("label")?;
        self.bare_block()
    }

    /// `%name`, of a block.
    pub(super) fn bare_block(&mut self) -> Parse<BlockId> {
        let Token::Local(id) = self.reader.token else {
            return Err(self.reader.expected("a block, `%name`").into());
        };
        let span = self.reader.span();
        self.reader.advance()?;
        Ok(self.mention_block(normal(id), span))
    }

    /// Numbers the blocks in the order of the text.
    pub(super) fn order_blocks(&mut self) -> Parse<()> {
        for mention in &self.mentions {
            if mention.position.is_none() {
                let message = format!("there is no block %{}", mention.id.text());
                return Err(Diagnostic::error(mention.first_use, message)
                    .label("used here")
                    .into());
            }
        }
        let positions: Vec<_> =
            self.mentions.iter().map(|mention| BlockId(mention.position.unwrap_or(0))).collect();
        for instruction in &mut self.body.instructions {
            instruction.op.for_each_block_mut(|block| *block = positions[block.0 as usize]);
        }
        Ok(())
    }

    /// A local that is used; makes its entry at the first mention.
    fn use_local(&mut self, id: Id<'t>, ty: TypeId) -> Parse<LocalId> {
        if let Some(local) = self.locals.get(&id) {
            let known = self.body.locals[local.0 as usize].ty;
            if known != ty {
                let span = self.reader.span();
                return Err(self.type_conflict(id, span, known, ty));
            }
            return Ok(*local);
        }
        if !self.reader.module.types.is_first_class(ty) {
            return Err(self.reader.error("a local value cannot have this type").into());
        }
        let span = self.reader.span();
        Ok(self.add_local(id, ty, Some(span)))
    }

    fn add_local(&mut self, id: Id<'t>, ty: TypeId, pending: Option<Span>) -> LocalId {
        let local = LocalId(self.body.locals.len() as u32);
        let name = self.local_name(id);
        self.body.locals.push(Local { ty, name });
        self.pending.push(pending);
        self.locals.insert(id, local);
        local
    }

    fn type_conflict(
        &self,
        id: Id<'t>,
        span: Span,
        known: TypeId,
        wanted: TypeId,
    ) -> Box<Diagnostic> {
        let module = &self.reader.module;
        let message = format!(
            "%{} has the type {}, not {}",
            id.text(),
            module.type_text(known),
            module.type_text(wanted)
        );
        Diagnostic::error(span, message).into()
    }

    pub(super) fn define_local(
        &mut self,
        id: Option<Id<'t>>,
        ty: TypeId,
        span: Span,
    ) -> Parse<LocalId> {
        let id = match id {
            Some(id) => normal(id),
            None => Id::Number(self.next_number),
        };
        if let Id::Number(number) = id {
            self.take_number(number, span)?;
        }
        let Some(local) = self.locals.get(&id).copied() else {
            return Ok(self.add_local(id, ty, None));
        };
        let known = self.body.locals[local.0 as usize].ty;
        match self.pending[local.0 as usize].take() {
            None => {
                let message = format!("%{} is defined twice", id.text());
                Err(Diagnostic::error(span, message).into())
            }
            Some(first) if known != ty => {
                let mut diagnostic = self.type_conflict(id, first, ty, known);
                diagnostic.notes.push((span, "defined here".to_owned()));
                Err(diagnostic)
            }
            Some(_) => Ok(local),
        }
    }

    /// A value of a type that is known.
    pub(super) fn value(&mut self, ty: TypeId) -> Parse<Operand> {
        if let Token::Local(id) = self.reader.token {
            let local = self.use_local(normal(id), ty)?;
            self.reader.advance()?;
            return Ok(Operand::Local(local));
        }
        Ok(Operand::Constant(self.reader.constant(ty)?))
    }

    pub(super) fn typed_value(&mut self) -> Parse<(Operand, TypeId)> {
        let ty = self.reader.ty()?;
        Ok((self.value(ty)?, ty))
    }

    /// A type and a value, which must be a pointer.
    pub(super) fn pointer_value(&mut self) -> Parse<Operand> {
        let span = self.reader.span();
        let ty = self.reader.ty()?;
        if !self.reader.module.types.is_pointer(ty) {
            return Err(Diagnostic::error(span, "this must be a pointer").into());
        }
        self.value(ty)
    }
}
