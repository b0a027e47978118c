//! Types in the text.

use super::tokens::normal;
use super::{Parse, Reader, TypeEntry};
use crate::ir::{FloatKind, StructBody, Type, TypeId};
use crate::lexer::{Id, Token};
use auspex_system::Diagnostic;

/// The widest integer LLVM knows.
const MAXIMUM_BITS: u32 = 1 << 23;

impl<'t> Reader<'t> {
    /// Whether the token that is next can begin a type.
    pub(super) fn begins_type(&self) -> bool {
        match self.token {
            Token::Word(word) => is_type_word(word),
            Token::Local(_) => true,
            Token::Symbol(symbol) => matches!(symbol, b'{' | b'[' | b'<'),
            _ => false,
        }
    }

    pub(super) fn ty(&mut self) -> Parse<TypeId> {
        let mut ty = match self.token {
            Token::Word(word) => {
                let Some(ty) = self.simple_type(word)? else {
                    return Err(self.expected("a type").into());
                };
                ty
            }
            Token::Local(id) => {
                let span = self.span();
                self.advance()?;
                self.named_type(normal(id), span)
            }
            Token::Symbol(b'{') => self.nested(|reader| reader.struct_type(false))?,
            Token::Symbol(b'[') => self.nested(Self::array_type)?,
            Token::Symbol(b'<') => self.nested(Self::angle_type)?,
            _ => return Err(self.expected("a type").into()),
        };
        loop {
            match self.token {
                Token::Symbol(b'(') => ty = self.nested(|reader| reader.function_type(ty))?,
                Token::Symbol(b'*') => {
                    return Err(self
                        .error("pointers with types are of LLVM before version 15")
                        .label("expected `ptr`")
                        .hint("use clang 15 or newer, which writes `ptr`")
                        .into());
                }
                _ => return Ok(ty),
            }
        }
    }

    /// A type of one word; `None` for a word that is none.
    fn simple_type(&mut self, word: &'t str) -> Parse<Option<TypeId>> {
        let types = &mut self.module.types;
        let ty = match word {
            "ptr" => {
                self.advance()?;
                let space = self.address_space()?;
                return Ok(Some(self.module.types.pointer(space)));
            }
            "void" => TypeId::VOID,
            "float" => TypeId::FLOAT,
            "double" => TypeId::DOUBLE,
            "label" => TypeId::LABEL,
            "token" => TypeId::TOKEN,
            "metadata" => TypeId::METADATA,
            "half" => types.intern(Type::Float(FloatKind::Half)),
            "bfloat" => types.intern(Type::Float(FloatKind::BFloat)),
            "x86_fp80" => types.intern(Type::Float(FloatKind::Extended)),
            "fp128" => types.intern(Type::Float(FloatKind::Quad)),
            "ppc_fp128" => types.intern(Type::Float(FloatKind::DoubleDouble)),
            "x86_mmx" => types.intern(Type::X86Mmx),
            "x86_amx" => types.intern(Type::X86Amx),
            "target" => {
                self.advance()?;
                self.expect(b'(')?;
                let name = self.string("the type's name")?;
                while self.accept(b',')? {
                    match self.begins_type() {
                        true => {
                            self.nested(Self::ty)?;
                        }
                        false => {
                            self.unsigned("a type or number")?;
                        }
                    }
                }
                self.expect(b')')?;
                let name = self.module.names.intern(&name);
                return Ok(Some(self.module.types.intern(Type::Target(name))));
            }
            _ => match word.strip_prefix('i').map(str::parse) {
                Some(Ok(bits)) if (1..=MAXIMUM_BITS).contains(&bits) => types.integer(bits),
                Some(Ok(_)) => {
                    return Err(self
                        .error(format!("integers have from 1 to {MAXIMUM_BITS} bits"))
                        .into());
                }
                _ => return Ok(None),
            },
        };
        self.advance()?;
        Ok(Some(ty))
    }

    /// `addrspace(n)`, where there is one.
    pub(super) fn address_space(&mut self) -> Parse<u32> {
        if !self.accept_word("addrspace")? {
            return Ok(0);
        }
        self.expect(b'(')?;
        // The layout's letters, `addrspace("A")`, or a number.
        let layout = &self.module.layout;
        let space = match self.token {
            Token::String("A") => layout.stack_address_space,
            Token::String("G") => layout.global_address_space,
            Token::String("P") => layout.program_address_space,
            _ => {
                let space = self.unsigned32("an address space")?;
                self.expect(b')')?;
                return Ok(space);
            }
        };
        self.advance()?;
        self.expect(b')')?;
        Ok(space)
    }

    fn named_type(&mut self, id: Id<'t>, span: auspex_system::Span) -> TypeId {
        if let Some(entry) = self.types.get(&id) {
            return entry.ty;
        }
        let name = self.name(id);
        let (_, ty) = self.module.types.add_struct(name);
        self.types.insert(id, TypeEntry { ty, defined: false, first_use: span });
        ty
    }

    fn type_list(&mut self, close: u8) -> Parse<Vec<TypeId>> {
        let mut list = Vec::new();
        if !self.is(close) {
            loop {
                let span = self.span();
                let ty = self.ty()?;
                if !self.can_be_part(ty) {
                    return Err(
                        Diagnostic::error(span, "no value can have a part of this type").into()
                    );
                }
                list.push(ty);
                if !self.accept(b',')? {
                    break;
                }
            }
        }
        self.expect(close)?;
        Ok(list)
    }

    fn can_be_part(&self, ty: TypeId) -> bool {
        self.module.types.is_first_class(ty) && ty != TypeId::TOKEN
    }

    fn struct_type(&mut self, packed: bool) -> Parse<TypeId> {
        self.expect(b'{')?;
        let fields = self.type_list(b'}')?.into();
        Ok(self.module.types.intern(Type::Struct { fields, packed }))
    }

    fn array_type(&mut self) -> Parse<TypeId> {
        self.expect(b'[')?;
        let count = self.unsigned("the number of elements")?;
        self.expect_word("x")?;
        let span = self.span();
        let element = self.ty()?;
        if !self.can_be_part(element) {
            return Err(Diagnostic::error(span, "no array has elements of this type").into());
        }
        self.expect(b']')?;
        Ok(self.module.types.intern(Type::Array { element, count }))
    }

    /// `<4 x i32>`, `<vscale x 4 x i32>` or `<{ … }>`.
    fn angle_type(&mut self) -> Parse<TypeId> {
        self.expect(b'<')?;
        if self.is(b'{') {
            let ty = self.struct_type(true)?;
            self.expect(b'>')?;
            return Ok(ty);
        }
        let scalable = self.accept_word("vscale")?;
        if scalable {
            self.expect_word("x")?;
        }
        let count = self.unsigned32("the number of elements")?;
        if count == 0 {
            return Err(self.error("a vector has at least one element").into());
        }
        self.expect_word("x")?;
        let span = self.span();
        let element = self.ty()?;
        if !matches!(
            self.module.types[element],
            Type::Integer(_) | Type::Float(_) | Type::Pointer { .. } | Type::Target(_)
        ) {
            return Err(
                Diagnostic::error(span, "vectors have numbers or pointers as elements").into()
            );
        }
        self.expect(b'>')?;
        Ok(self.module.types.intern(Type::Vector { element, count, scalable }))
    }

    fn function_type(&mut self, result: TypeId) -> Parse<TypeId> {
        self.expect(b'(')?;
        let (mut parameters, mut variadic) = (Vec::new(), false);
        while !self.is(b')') {
            if self.token == Token::Ellipsis {
                self.advance()?;
                variadic = true;
                break;
            }
            let span = self.span();
            let ty = self.ty()?;
            if matches!(self.module.types[ty], Type::Void | Type::Function { .. }) {
                return Err(Diagnostic::error(span, "no parameter has this type").into());
            }
            parameters.push(ty);
            if !self.accept(b',')? {
                break;
            }
        }
        self.expect(b')')?;
        let parameters = parameters.into();
        Ok(self.module.types.intern(Type::Function { result, parameters, variadic }))
    }

    /// `%name = type …`.
    pub(super) fn type_definition(&mut self, id: Id<'t>) -> Parse<()> {
        let span = self.span();
        let id = normal(id);
        self.advance()?;
        self.expect(b'=')?;
        self.expect_word("type")?;
        let ty = self.named_type(id, span);
        if self.types.get(&id).is_some_and(|entry| entry.defined) {
            let message = format!("the type %{} is defined twice", id.text());
            return Err(Diagnostic::error(span, message).into());
        }
        let body = if self.accept_word("opaque")? {
            None
        } else {
            let packed = self.accept(b'<')?;
            if !self.is(b'{') {
                return Err(self.expected("`{`, `<{` or `opaque`").into());
            }
            self.advance()?;
            let fields = self.type_list(b'}')?.into();
            if packed {
                self.expect(b'>')?;
            }
            Some(StructBody { fields, packed })
        };
        if let Type::Named(id) = self.module.types[ty] {
            self.module.types.structs[id.0 as usize].body = body;
        }
        if let Some(entry) = self.types.get_mut(&id) {
            entry.defined = true;
            entry.first_use = span;
        }
        Ok(())
    }

    /// No type may contain itself or nest too deep: all walks over types recur.
    pub(super) fn finish_types(&mut self) -> Parse<()> {
        match self.module.types.post_order() {
            Ok(order) => {
                self.module.layout.compute(&self.module.types, &order);
                Ok(())
            }
            Err((ty, problem)) => Err(self.nesting_error(ty, problem)),
        }
    }

    fn nesting_error(&self, ty: TypeId, what: &str) -> Box<Diagnostic> {
        // A type without a name gets its problem from one that has a name.
        let named = self.types.iter().find(|(_, entry)| entry.ty == ty);
        let named = named.or_else(|| self.types.iter().next());
        match named {
            Some((id, entry)) => {
                let message = format!("the type %{} {what}", id.text());
                Diagnostic::error(entry.first_use, message).into()
            }
            None => Diagnostic::general(format!("a type {what}")).into(),
        }
    }
}

pub(super) fn is_type_word(word: &str) -> bool {
    match word {
        "ptr" | "void" | "float" | "double" | "label" | "token" | "metadata" | "half"
        | "bfloat" | "x86_fp80" | "fp128" | "ppc_fp128" | "x86_mmx" | "x86_amx" | "target" => true,
        _ => {
            let digits = word.strip_prefix('i').unwrap_or("");
            !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
        }
    }
}
