//! Types.

use super::{Parsed, Parser};
use crate::ast::{Ident, Message, Qualident, TypeExpr, TypeKind};
use crate::token::{Keyword, Kind, Symbol};

impl Parser<'_> {
    pub(super) fn type_expr(&mut self) -> Parsed<TypeExpr> {
        self.nested(Self::type_here)
    }

    fn type_here(&mut self) -> Parsed<TypeExpr> {
        let start = self.peek().span;
        self.keyword_type_in_lower_case();
        let kind = match self.peek().kind {
            Kind::Ident => TypeKind::Name(self.qualident()?),
            Kind::Keyword(Keyword::Array) => self.array()?,
            Kind::Keyword(Keyword::Record) => self.record()?,
            Kind::Symbol(Symbol::OpenBracket) => self.channel()?,
            _ => return Err(self.unexpected("a type")),
        };
        Ok(TypeExpr { kind, span: self.since(start) })
    }

    /// `array` and `record` can be names of types, but then nothing that is in a type follows.
    fn keyword_type_in_lower_case(&mut self) {
        let next = self.peek_at(1).kind;
        let ends = [Symbol::Semicolon, Symbol::Comma, Symbol::CloseParen, Symbol::Dot];
        if ends.map(Kind::Symbol).contains(&next) || matches!(next, Kind::Keyword(Keyword::End)) {
            return;
        }
        let _ = self.take_for_keyword(Keyword::Array) || self.take_for_keyword(Keyword::Record);
    }

    fn qualident(&mut self) -> Parsed<Qualident> {
        let name = self.ident();
        match self.eat(Symbol::Dot) {
            true => Ok(Qualident { module: Some(name), name: self.expect_ident("a name")? }),
            false => Ok(Qualident { module: None, name }),
        }
    }

    fn array(&mut self) -> Parsed<TypeKind> {
        self.bump();
        let lengths = match self.at_keyword(Keyword::Of) {
            true => Vec::new(),
            false => self.list(Self::expr)?,
        };
        self.expect_keyword(Keyword::Of)?;
        Ok(TypeKind::Array { lengths, element: Box::new(self.type_expr()?) })
    }

    fn record(&mut self) -> Parsed<TypeKind> {
        self.bump();
        let mut fields = Vec::new();
        loop {
            if self.at_ident() {
                let names = self.list(|parser| parser.expect_ident("the name of a field"))?;
                self.expect(Symbol::Colon)?;
                fields.push((names, self.type_expr()?));
            }
            if !self.eat(Symbol::Semicolon) {
                break;
            }
        }
        if !self.at_keyword(Keyword::End) && !self.take_for_keyword(Keyword::End) {
            return Err(self.unexpected("`;` or `END`"));
        }
        self.bump();
        Ok(TypeKind::Record { fields })
    }

    fn channel(&mut self) -> Parsed<TypeKind> {
        self.bump();
        let messages = self.list(Self::message)?;
        if !self.eat(Symbol::CloseBracket) {
            return Err(self.unexpected("`,` or `]`"));
        }
        Ok(TypeKind::Channel { messages })
    }

    fn message(&mut self) -> Parsed<Message> {
        let name: Ident = self.expect_ident("the name of a message")?;
        let mut fields = Vec::new();
        if self.eat(Symbol::OpenParen) {
            fields = self.list(Self::type_expr)?;
            if !self.eat(Symbol::CloseParen) {
                return Err(self.unexpected("`,` or `)`"));
            }
        }
        Ok(Message { name, fields })
    }
}
