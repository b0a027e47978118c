//! Functions: the head, the blocks, the instructions one after the other.

use super::globals::Header;
use super::tokens::normal;
use super::words;
use super::{Parse, Reader};
use crate::debug::LocationId;
use crate::ir::{
    Block, BlockId, Body, Function, FunctionAttributes, GlobalId, GlobalKind, Instruction, Linkage,
    LocalId, LocalName, ParameterAttributes, Type, TypeId, UnnamedAddress,
};
use crate::lexer::{Id, Token};
use crate::verify;
use auspex_system::{Diagnostic, Span};
use rustc_hash::FxHashMap;

/// A parameter as its head gives it.
struct Parameter<'t> {
    id: Option<Id<'t>>,
    ty: TypeId,
    span: Span,
    attributes: ParameterAttributes,
}

/// The function that is being read.
pub(super) struct FunctionReader<'r, 't> {
    pub reader: &'r mut Reader<'t>,
    pub id: GlobalId,
    pub result: TypeId,
    pub body: Body,
    pub locals: FxHashMap<Id<'t>, LocalId>,
    /// Of each local: where it is used first, until it is defined.
    pub pending: Vec<Option<Span>>,
    pub blocks: FxHashMap<Id<'t>, BlockId>,
    /// Of each block, in the order of their first mention.
    pub mentions: Vec<Mention<'t>>,
    /// Where each instruction is in the text, for messages.
    pub spans: Vec<Span>,
    /// Values and blocks without a name share this counter.
    pub next_number: u32,
}

pub(super) struct Mention<'t> {
    pub id: Id<'t>,
    pub first_use: Span,
    /// Where it is among the function's blocks.
    pub position: Option<u32>,
}

impl<'t> Reader<'t> {
    /// `define … { … }` or `declare …`.
    pub(super) fn function(&mut self, defined: bool) -> Parse<()> {
        self.advance()?;
        // A declaration has its metadata here.
        let mut early = Vec::new();
        while let Token::MetadataName(name) = self.token {
            self.advance()?;
            match name {
                "dbg" => early.push(self.metadata_node()?),
                _ => self.skip_metadata_node()?,
            }
        }
        let mut header = Header::default();
        while let Token::Word(word) = self.token {
            if !self.header_word(&mut header, word)? {
                break;
            }
        }
        let convention = self.calling_convention()?;
        let mut result_attributes = ParameterAttributes::default();
        self.parameter_attributes(&mut result_attributes)?;
        let result = self.ty()?;
        let span = self.span();
        let id = match self.token {
            Token::Global(id) => id,
            _ => return Err(self.expected("the function's name, `@name`").into()),
        };
        self.advance()?;
        let id = self.define_global(Some(id), span)?;
        let (parameters, variadic) = self.parameters()?;
        let types: Box<[TypeId]> = parameters.iter().map(|parameter| parameter.ty).collect();
        let signature =
            self.module.types.intern(Type::Function { result, parameters: types, variadic });
        if matches!(self.module.types[result], Type::Function { .. } | Type::Label) {
            return Err(Diagnostic::error(span, "no function has such a result").into());
        }
        let linkage = header.linkage;
        self.apply_header(id, header);
        let mut function = Box::new(Function {
            signature,
            attributes: FunctionAttributes::default(),
            result: result_attributes,
            parameters: parameters.iter().map(|parameter| parameter.attributes).collect(),
            convention,
            personality: None,
            prefix: None,
            prologue: None,
            debug: None,
            body: None,
        });
        self.function_tail(id, &mut function)?;
        for node in early {
            self.metadata.function_nodes.push((id, node));
        }
        if defined {
            if linkage == Some(Linkage::ExternWeak) {
                return Err(Diagnostic::error(span, "an `extern_weak` function has no code").into());
            }
            function.body = Some(self.body(id, result, parameters)?);
        }
        self.module.globals[id.0 as usize].kind = GlobalKind::Function(function);
        Ok(())
    }

    /// `fastcc`, `cc 10`; one that is not known passes for an attribute.
    pub(super) fn calling_convention(&mut self) -> Parse<u32> {
        let Token::Word(word) = self.token else { return Ok(0) };
        if word == "cc" {
            self.advance()?;
            return self.unsigned32("a calling convention");
        }
        match words::convention(word) {
            Some(number) => {
                self.advance()?;
                Ok(number)
            }
            None => Ok(0),
        }
    }

    fn parameters(&mut self) -> Parse<(Vec<Parameter<'t>>, bool)> {
        self.expect(b'(')?;
        let mut parameters = Vec::new();
        let mut variadic = false;
        while !self.is(b')') {
            if self.token == Token::Ellipsis {
                self.advance()?;
                variadic = true;
                break;
            }
            let mut span = self.span();
            let ty = self.ty()?;
            if matches!(self.module.types[ty], Type::Void | Type::Function { .. } | Type::Label) {
                return Err(Diagnostic::error(span, "no parameter has this type").into());
            }
            let mut attributes = ParameterAttributes::default();
            self.parameter_attributes(&mut attributes)?;
            let mut id = None;
            if let Token::Local(local) = self.token {
                span = self.span();
                id = Some(normal(local));
                self.advance()?;
            }
            parameters.push(Parameter { id, ty, span, attributes });
            if !self.accept(b',')? {
                break;
            }
        }
        self.expect(b')')?;
        Ok((parameters, variadic))
    }

    /// What is between the parameters and the code.
    fn function_tail(&mut self, id: GlobalId, function: &mut Function) -> Parse<()> {
        loop {
            match self.token {
                Token::MetadataName(name) => {
                    // After a declaration this may be the next thing in the file.
                    let mut ahead = self.lexer.clone();
                    if matches!(ahead.next(), Ok((_, Token::Symbol(b'=')))) {
                        return Ok(());
                    }
                    self.function_attachment(name, id)?;
                }
                Token::Word(word) => match word {
                    _ if words::begins_entity(word) => return Ok(()),
                    "unnamed_addr" | "local_unnamed_addr" => {
                        self.advance()?;
                        self.module.globals[id.0 as usize].unnamed_address = match word {
                            "unnamed_addr" => UnnamedAddress::Global,
                            _ => UnnamedAddress::Local,
                        };
                    }
                    "addrspace" => {
                        let space = self.address_space()?;
                        self.module.globals[id.0 as usize].address_space = space;
                    }
                    "section" | "partition" | "comdat" | "align" => self.placement(word, id)?,
                    "gc" => {
                        self.advance()?;
                        self.string("a garbage collector")?;
                    }
                    "prefix" | "prologue" | "personality" => {
                        self.advance()?;
                        let constant = Some(self.typed_constant()?);
                        match word {
                            "prefix" => function.prefix = constant,
                            "prologue" => function.prologue = constant,
                            _ => function.personality = constant,
                        }
                    }
                    _ => {
                        self.function_attribute(&mut function.attributes, id, None)?;
                    }
                },
                _ => {
                    if !self.function_attribute(&mut function.attributes, id, None)? {
                        return Ok(());
                    }
                }
            }
        }
    }

    fn body(
        &mut self,
        id: GlobalId,
        result: TypeId,
        parameters: Vec<Parameter<'t>>,
    ) -> Parse<Body> {
        let mut function = FunctionReader {
            reader: self,
            id,
            result,
            body: Body { parameter_count: parameters.len() as u32, ..Body::default() },
            locals: FxHashMap::default(),
            pending: Vec::new(),
            blocks: FxHashMap::default(),
            mentions: Vec::new(),
            spans: Vec::new(),
            next_number: 0,
        };
        for parameter in parameters {
            function.define_local(parameter.id, parameter.ty, parameter.span)?;
        }
        function.read()
    }
}

impl<'t> FunctionReader<'_, 't> {
    fn read(mut self) -> Parse<Body> {
        let open = self.reader.span();
        self.reader.expect(b'{')?;
        loop {
            match self.reader.token {
                Token::Symbol(b'}') => break,
                Token::Label(id) => self.label(id)?,
                Token::Record(name) => {
                    self.need_block()?;
                    self.debug_record(name)?;
                }
                Token::Word("uselistorder" | "uselistorder_bb") => {
                    self.reader.lexer.skip_line();
                    self.reader.advance()?;
                }
                Token::End => {
                    return Err(self
                        .reader
                        .expected("an instruction or `}`")
                        .note(open, "this function is not closed")
                        .into());
                }
                _ => {
                    self.need_block()?;
                    self.instruction()?;
                }
            }
        }
        if self.body.blocks.is_empty() {
            return Err(self.reader.expected("an instruction: a function has at least one").into());
        }
        self.close_block()?;
        self.reader.advance()?;
        if let Some(local) = self.pending.iter().position(Option::is_some) {
            let span = self.pending[local].unwrap_or(open);
            let name = match self.body.locals[local].name {
                LocalName::Named(name) => self.reader.module.names[name].to_owned(),
                LocalName::Number(number) => number.to_string(),
            };
            return Err(Diagnostic::error(span, format!("%{name} is not defined"))
                .label("used here")
                .into());
        }
        self.order_blocks()?;
        verify::body(&self.reader.module, self.result, &self.body, &self.spans)?;
        self.body.instructions.shrink_to_fit();
        self.body.locals.shrink_to_fit();
        Ok(self.body)
    }

    /// `name:` begins a block.
    fn label(&mut self, id: Id<'t>) -> Parse<()> {
        self.close_block()?;
        let span = self.reader.span();
        self.reader.advance()?;
        self.begin_block(normal(id), span)
    }

    /// Begins a block without a label where the last one has ended, or at the beginning.
    fn need_block(&mut self) -> Parse<()> {
        let open = self.body.blocks.last().is_some_and(|block| {
            block.first as usize == self.body.instructions.len()
                || self.body.instructions.last().is_some_and(|last| !last.op.is_terminator())
        });
        match open {
            true => Ok(()),
            false => {
                self.close_block()?;
                let span = self.reader.span();
                self.begin_block(Id::Number(self.next_number), span)
            }
        }
    }

    fn begin_block(&mut self, id: Id<'t>, span: Span) -> Parse<()> {
        if let Id::Number(number) = id {
            self.take_number(number, span)?;
        }
        let block = self.mention_block(id, span);
        let position = self.body.blocks.len() as u32;
        let mention = &mut self.mentions[block.0 as usize];
        if mention.position.is_some() {
            let message = format!("the block %{} is defined twice", id.text());
            return Err(Diagnostic::error(span, message).into());
        }
        mention.position = Some(position);
        let name = self.local_name(id);
        let first = self.body.instructions.len() as u32;
        self.body.blocks.push(Block { name, first, end: first });
        Ok(())
    }

    fn close_block(&mut self) -> Parse<()> {
        let end = self.body.instructions.len() as u32;
        let Some(block) = self.body.blocks.last_mut() else { return Ok(()) };
        block.end = end;
        let terminated = block.first < end
            && self.body.instructions.last().is_some_and(|last| last.op.is_terminator());
        match terminated {
            true => Ok(()),
            false => Err(self
                .reader
                .expected("an instruction that ends the block (`br`, `ret`, …)")
                .into()),
        }
    }

    fn instruction(&mut self) -> Parse<()> {
        let start = self.reader.start;
        let mut result = None;
        if let Token::Local(id) = self.reader.token {
            result = Some((id, self.reader.span()));
            self.reader.advance()?;
            self.reader.expect(b'=')?;
        }
        let Token::Word(word) = self.reader.token else {
            return Err(self.reader.expected("an instruction").into());
        };
        let Some((op, ty)) = self.op(word)? else { return Ok(()) };
        let span = self.reader.span_from(start);
        let location = self.attachments()?;
        let result = if ty == TypeId::VOID {
            if let Some((id, span)) = result {
                let message = format!("this has no result that could be %{}", id.text());
                return Err(Diagnostic::error(span, message).into());
            }
            None
        } else {
            let (id, span) = match result {
                Some((id, span)) => (Some(id), span),
                None => (None, span),
            };
            Some(self.define_local(id, ty, span)?)
        };
        self.push(Instruction { op, ty, result, location }, span);
        Ok(())
    }

    fn push(&mut self, instruction: Instruction, span: Span) {
        self.body.instructions.push(instruction);
        self.spans.push(span);
    }

    /// `, !dbg !5, !tbaa !7`: the location.
    pub(super) fn attachments(&mut self) -> Parse<Option<LocationId>> {
        let mut location = None;
        while self.reader.accept(b',')? {
            let Token::MetadataName(name) = self.reader.token else {
                return Err(self.reader.expected("metadata, `!dbg`").into());
            };
            self.reader.advance()?;
            if name == "dbg" {
                let node = self.reader.metadata_node()?;
                location = Some(self.reader.metadata.locations.index(node));
            } else {
                self.reader.skip_metadata_node()?;
            }
        }
        Ok(location)
    }
}
