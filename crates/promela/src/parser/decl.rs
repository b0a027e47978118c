//! Declarations of variables, channels and mtypes.

use auspex_system::Diagnostic;

use super::{Parse, Parser};
use crate::ast::{Decl, Init, Item, Name, TypeName, VarDecl, Visibility};
use crate::token::{Keyword, Kind, Op, Token, join};

impl Parser {
    /// Does a declaration begin here?
    pub(super) fn at_declaration(&self) -> bool {
        let token = self.peek();
        let is_visibility = visibility(token).is_some();
        is_visibility || is_basic_type(token) || self.at_user_type()
    }

    /// A known type, or two names side by side, which can be nothing else (and not a good one).
    fn at_user_type(&self) -> bool {
        let (token, next) = (self.peek(), self.ahead(1));
        let is_name = |t: Token| t.kind == Kind::Name && t.keyword().is_none();
        is_name(token)
            && (self.typedefs.contains_key(&token.symbol) || (is_name(next) && !next.first))
    }

    /// At `mtype = {`, `mtype : set = {` or either without the `=`.
    pub(super) fn at_mtype_names(&self) -> bool {
        let start = usize::from(visibility(self.peek()).is_some());
        if !self.ahead(start).is_keyword(Keyword::Mtype) {
            return false;
        }
        let has_set = self.ahead(start + 1).is(Op::Colon);
        let next = start + if has_set { 3 } else { 1 };
        let has_equals = self.ahead(next).is(Op::Assign);
        self.ahead(next + usize::from(has_equals)).is(Op::OpenBrace)
    }

    pub(super) fn mtype_names(&mut self) -> Parse<Item> {
        if visibility(self.peek()).is_some() {
            let token = self.bump();
            let message = format!("`{}` means nothing for the names of an mtype", self.text(token));
            self.report.warning(Diagnostic::warning(token.span, message));
        }
        self.bump();
        let set = self.mtype_set()?;
        self.eat(Op::Assign);
        let names = self.enclosed(Op::OpenBrace, Op::CloseBrace, |parser| {
            let mut names = vec![parser.mtype_name()?];
            while !parser.is(Op::CloseBrace) && !parser.is(Op::Semicolon) {
                // Commas are optional, and Spin takes several of them.
                if !parser.eat(Op::Comma) {
                    names.push(parser.mtype_name()?);
                }
            }
            Ok(names)
        })?;
        Ok(Item::Mtype { set, names })
    }

    fn mtype_name(&mut self) -> Parse<Name> {
        let symbol = self.peek().symbol;
        let name = self.name("an mtype")?;
        match self.mtypes.insert(symbol, name.span) {
            None => Ok(name),
            Some(first) => {
                let message = format!("the mtype name `{}` is declared twice", name.text);
                let diagnostic =
                    Diagnostic::error(name.span, message).note(first, "first declared here");
                Err(self.fail(diagnostic))
            }
        }
    }

    /// `: set`, if it is there.
    fn mtype_set(&mut self) -> Parse<Option<Name>> {
        match self.eat(Op::Colon) {
            true => self.name("a set of mtypes").map(Some),
            false => Ok(None),
        }
    }

    /// One declaration, without the separator behind it.
    pub(super) fn declaration(&mut self) -> Parse<Decl> {
        let start = self.at;
        let visibility = visibility(self.peek()).inspect(|_| {
            self.bump();
        });
        let type_start = self.at;
        let ty = self.type_name()?;
        let type_text = self.text_from(type_start);
        let vars = self.list(|parser| parser.variable(&ty, &type_text))?;
        let visibility = visibility.unwrap_or(Visibility::Plain);
        Ok(Decl { visibility, ty, vars, span: self.span_from(start) })
    }

    pub(super) fn type_name(&mut self) -> Parse<TypeName> {
        let token = self.peek();
        let Some(keyword) = token.keyword() else { return self.user_type() };
        let ty = match keyword {
            Keyword::Bit => TypeName::Bit,
            Keyword::Bool => TypeName::Bool,
            Keyword::Byte => TypeName::Byte,
            Keyword::Short => TypeName::Short,
            Keyword::Int => TypeName::Int,
            Keyword::Unsigned => TypeName::Unsigned,
            Keyword::Pid => TypeName::Pid,
            Keyword::Chan => TypeName::Chan,
            Keyword::Mtype => {
                self.bump();
                return Ok(TypeName::Mtype(self.mtype_set()?));
            }
            _ => return Err(self.expected("a type")),
        };
        self.bump();
        if self.is(Op::Colon) {
            return Err(self.expected_hint("a name", "only `mtype` has named sets (`mtype:set`)"));
        }
        Ok(ty)
    }

    fn user_type(&mut self) -> Parse<TypeName> {
        let token = self.peek();
        if token.kind != Kind::Name {
            return Err(self.expected("a type"));
        }
        if !self.typedefs.contains_key(&token.symbol) {
            return Err(self.unknown_type(token));
        }
        self.bump();
        Ok(TypeName::User(self.named(token)))
    }

    fn variable(&mut self, ty: &TypeName, type_text: &str) -> Parse<VarDecl> {
        let start = self.at;
        let name = self.name("a variable")?;
        let mut width = None;
        if self.is(Op::Colon) {
            width = Some(self.width(ty)?);
        }
        let array = match self.is(Op::OpenBracket) {
            true => Some(self.enclosed(Op::OpenBracket, Op::CloseBracket, Self::expression)?),
            false => None,
        };
        let init = match self.eat(Op::Assign) {
            true => Some(self.initialiser()?),
            false => None,
        };
        let tokens = &self.tokens[start..self.at];
        let text = format!("{type_text} {}", join(tokens, &self.macros.interner));
        Ok(VarDecl { name, width, array, init, span: self.span_from(start), text })
    }

    fn width(&mut self, ty: &TypeName) -> Parse<crate::ast::Expr> {
        if !matches!(ty, TypeName::Unsigned) {
            return Err(self.expected_hint("`=`, `,` or `;`", "only an `unsigned` has a width"));
        }
        self.bump();
        match self.peek().kind {
            Kind::Number => self.expression(),
            _ => Err(self.expected("the number of bits")),
        }
    }

    fn initialiser(&mut self) -> Parse<Init> {
        match self.peek().kind {
            Kind::Op(Op::OpenBracket) => self.channel_initialiser(),
            Kind::Op(Op::OpenBrace) => {
                let list = |parser: &mut Self| parser.list(Self::expression);
                Ok(Init::List(self.enclosed(Op::OpenBrace, Op::CloseBrace, list)?))
            }
            _ => Ok(Init::Expr(self.expression()?)),
        }
    }

    /// `[capacity] of { types }`
    fn channel_initialiser(&mut self) -> Parse<Init> {
        let start = self.at;
        let capacity = self.enclosed(Op::OpenBracket, Op::CloseBracket, Self::expression)?;
        if !self.eat_keyword(Keyword::Of) {
            return Err(self.expected_hint("`of`", "a channel is written `[2] of { byte, mtype }`"));
        }
        let fields =
            self.enclosed(Op::OpenBrace, Op::CloseBrace, |parser| parser.list(Self::field_type))?;
        Ok(Init::Chan { capacity, fields, span: self.span_from(start) })
    }

    fn field_type(&mut self) -> Parse<TypeName> {
        if self.peek().is_keyword(Keyword::Unsigned) {
            let hint = "use `byte`, `short` or `int`";
            return Err(self.expected_hint("a type that a message can carry", hint));
        }
        self.type_name()
    }
}

pub(super) fn visibility(token: Token) -> Option<Visibility> {
    Some(match token.keyword()? {
        Keyword::Hidden => Visibility::Hidden,
        Keyword::Show => Visibility::Show,
        Keyword::Local => Visibility::Local,
        _ => return None,
    })
}

pub(super) fn is_basic_type(token: Token) -> bool {
    matches!(
        token.keyword(),
        Some(
            Keyword::Bit
                | Keyword::Bool
                | Keyword::Byte
                | Keyword::Short
                | Keyword::Int
                | Keyword::Unsigned
                | Keyword::Pid
                | Keyword::Chan
                | Keyword::Mtype
        )
    )
}
