//! What a program consists of.

use auspex_system::Diagnostic;

use super::decl::is_basic_type;
use super::{OUTSIDE, Parse, Parser, Reading};
use crate::ast::{Active, ClaimKind, Code, Decl, Expr, Item, Name, Primitive, Proctype, Program};
use crate::token::{Keyword, Kind, Op};
use crate::words::CodeWord;

impl Parser {
    pub(super) fn program(&mut self) -> Program {
        let mut program = Program::default();
        while !self.at_end() {
            let start = self.at;
            match self.item() {
                Ok(item) => program.items.extend(item),
                Err(_) => self.recover_item(start),
            }
        }
        program
    }

    /// The next item, if it leaves something in the program.
    pub(super) fn item(&mut self) -> Parse<Option<Item>> {
        self.brackets = OUTSIDE;
        if self.eat_separator() {
            return Ok(None);
        }
        if let Some(word) = self.code_word() {
            return self.code_item(word).map(Some);
        }
        if self.at_model_only() {
            return self.model_items().map(Some);
        }
        let item = match self.keyword() {
            _ if self.at_environment() => self.proctype()?,
            Some(Keyword::Active | Keyword::Proctype | Keyword::DProctype) => self.proctype()?,
            Some(Keyword::Init) => self.init()?,
            Some(Keyword::Never) => self.claim(ClaimKind::Never)?,
            Some(Keyword::Trace) => self.claim(ClaimKind::Trace)?,
            Some(Keyword::Notrace) => self.claim(ClaimKind::Notrace)?,
            Some(Keyword::Ltl) => self.ltl()?,
            Some(Keyword::Typedef) => self.typedef()?,
            Some(Keyword::Inline) => return self.inline_definition().map(|()| None),
            Some(
                Keyword::CCode
                | Keyword::CDecl
                | Keyword::CExpr
                | Keyword::CState
                | Keyword::CTrack,
            ) => return Err(self.embedded_c()),
            _ if self.at_mtype_names() => self.mtype_names()?,
            _ if self.at_declaration() => Item::Global(self.declaration()?),
            _ => return Err(self.expected("a declaration, a proctype, `init` or a claim")),
        };
        Ok(Some(item))
    }

    /// `active [n] proctype P(parameters) priority n provided (e) { body }`
    fn proctype(&mut self) -> Parse<Item> {
        let mut env = self.environment();
        let active = self.active()?;
        env |= self.environment();
        let deterministic = match self.keyword() {
            Some(Keyword::DProctype) => true,
            Some(Keyword::Proctype) => false,
            _ => return Err(self.expected("`proctype`")),
        };
        self.bump();
        let symbol = self.peek().symbol;
        let name = self.name("a proctype")?;
        if !self.is(Op::OpenParen) {
            let hint = "a proctype has parentheses even without parameters";
            return Err(self.expected_hint("`(`", hint));
        }
        let params = self.parenthesised(Self::parameters)?;
        let priority = self.priority()?;
        let provided = self.provided()?;
        let body = self.block()?;
        let end = self.previous().span;
        self.macros.proctypes.insert(symbol);
        Ok(Item::Proctype(Proctype {
            name,
            is_init: false,
            params,
            active,
            env,
            deterministic,
            priority,
            provided,
            body,
            end,
        }))
    }

    fn environment(&mut self) -> bool {
        let is_env = self.at_environment();
        if is_env {
            self.bump();
        }
        is_env
    }

    fn active(&mut self) -> Parse<Option<Active>> {
        if !self.eat_keyword(Keyword::Active) {
            return Ok(None);
        }
        let count = match self.is(Op::OpenBracket) {
            true => Some(self.enclosed(Op::OpenBracket, Op::CloseBracket, Self::expression)?),
            false => None,
        };
        Ok(Some(Active { count }))
    }

    fn parameters(&mut self) -> Parse<Vec<Decl>> {
        let mut params = Vec::new();
        if self.is(Op::CloseParen) {
            return Ok(params);
        }
        loop {
            params.push(self.parameter()?);
            if !self.eat(Op::Semicolon) {
                return Ok(params);
            }
            while self.eat(Op::Semicolon) {}
        }
    }

    fn parameter(&mut self) -> Parse<Decl> {
        let decl = self.declaration();
        if decl.is_err() && self.previous().is(Op::Comma) && is_basic_type(self.peek()) {
            self.separate_parameters();
        }
        let decl = decl?;
        match decl.vars.iter().find(|var| var.init.is_some()) {
            Some(var) => {
                let message = "a parameter cannot have an initial value";
                Err(self.fail(Diagnostic::error(var.span, message)))
            }
            None => Ok(decl),
        }
    }

    /// Says what to do about the error just reported.
    fn separate_parameters(&mut self) {
        if let Some(last) = self.report.errors.last_mut() {
            let hint =
                "parameters of different types are separated by `;`, as in `(byte a; int b)`";
            last.hint = Some(hint.to_owned());
        }
    }

    fn provided(&mut self) -> Parse<Option<Expr>> {
        match self.eat_keyword(Keyword::Provided) {
            true => self.parenthesised(Self::full_expression).map(Some),
            false => Ok(None),
        }
    }

    fn init(&mut self) -> Parse<Item> {
        let token = self.bump();
        let priority = self.priority()?;
        let body = self.block()?;
        Ok(Item::Proctype(Proctype {
            name: Name { text: "init".to_owned(), span: token.span },
            is_init: true,
            params: Vec::new(),
            active: None,
            env: false,
            deterministic: false,
            priority,
            provided: None,
            body,
            end: self.previous().span,
        }))
    }

    /// `typedef T { declarations }`
    fn typedef(&mut self) -> Parse<Item> {
        self.bump();
        let symbol = self.peek().symbol;
        let name = self.name("a type")?;
        let opening = self.expect(Op::OpenBrace)?;
        let (mut fields, mut code) = (Vec::new(), Vec::new());
        while !self.is(Op::CloseBrace) {
            match self.code_word() {
                Some(word) => code.push((fields.len(), self.typedef_code(word)?)),
                None => fields.push(self.declaration()?),
            }
            while self.eat(Op::Semicolon) {}
            if self.peek().kind == Kind::End || !(self.is(Op::CloseBrace) || self.field_may_begin())
            {
                return Err(self.expected_closing(Op::CloseBrace, opening));
            }
        }
        if fields.is_empty() {
            return Err(self.expected_hint("a field", "a type must have at least one"));
        }
        self.bump();
        if let Some(first) = self.typedefs.insert(symbol, name.span) {
            let message = format!("type `{}` is declared twice", name.text);
            let diagnostic =
                Diagnostic::error(name.span, message).note(first, "first declared here");
            return Err(self.fail(diagnostic));
        }
        Ok(Item::Typedef { name, fields, code })
    }

    /// A field of the implementation only.
    fn typedef_code(&mut self, word: CodeWord) -> Parse<Code> {
        if word.primitive != Primitive::Decl || !word.specific {
            let hint = "only `c_decl_IS { ... }` and `rust_decl_IS { ... }` stand among the fields of a type";
            return Err(self.expected_hint("a field", hint));
        }
        self.code(word)
    }

    /// After a `;`, the brace of a block, or on a new line.
    fn field_may_begin(&self) -> bool {
        let is_block =
            self.reading == Reading::Implementation && self.previous().is(Op::CloseBrace);
        self.previous().is(Op::Semicolon) || is_block || self.peek().first
    }
}
