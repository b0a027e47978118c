//! Modules, processes and what they declare.

use auspex_system::{Diagnostic, Span};

use super::{Parsed, Parser, Separators};
use crate::ast::{
    Declaration, Export, Ident, IdentDef, Import, Module, Process, Section, Statement,
};
use crate::token::{Keyword, Kind, Symbol};

impl Parser<'_> {
    pub(super) fn module(&mut self) -> Parsed<Module> {
        let start = self.expect_keyword(Keyword::Module)?;
        let name = self.expect_ident("the name of the module")?;
        self.open.push(name.clone());
        self.semicolon("the name of the module");
        let imports = match self.at_keyword(Keyword::Import) {
            true => self.imports(),
            false => Vec::new(),
        };
        let declarations = self.declarations();
        let body = self.body();
        self.unit_end(&name, "module")?;
        self.full_stop(&name);
        Ok(Module { name, imports, declarations, body, span: self.since(start) })
    }

    fn full_stop(&mut self, name: &Ident) {
        if !self.eat(Symbol::Dot) {
            let error = self.expected("`.`");
            self.report(
                error.hint(format!("a module ends with a full stop: `END {}.`", name.text)),
            );
            if !self.eat(Symbol::Semicolon) {
                return;
            }
        }
        if !self.at_end() {
            let error = Diagnostic::error(self.peek().span, "text behind the end of the module")
                .label("expected nothing more")
                .note(self.previous().span, "the module ends here");
            self.report(error);
        }
    }

    fn imports(&mut self) -> Vec<Import> {
        let start = self.at;
        self.bump();
        let imports = self.list(Self::import);
        match imports.is_ok() && self.semicolon_or_fail("the imports").is_ok() {
            true => imports.unwrap_or_default(),
            false => {
                self.recover_item(start);
                Vec::new()
            }
        }
    }

    fn import(&mut self) -> Parsed<Import> {
        let alias = self.expect_ident("the name of a module")?;
        let module = match self.eat(Symbol::Assign) {
            true => self.expect_ident("the name of a module")?,
            false => alias.clone(),
        };
        Ok(Import { alias, module })
    }

    /// The `;` behind something that is complete without it: there is no need to skip anything.
    fn semicolon(&mut self, behind: &str) {
        let _ = self.semicolon_or_fail(behind);
    }

    fn semicolon_or_fail(&mut self, behind: &str) -> Parsed<()> {
        if self.eat(Symbol::Semicolon) {
            return Ok(());
        }
        let end = self.previous().span;
        let error = self.expected(&format!("`;` behind {behind}"));
        let error = error.note(Span { start: end.end, ..end }, "`;` is missing here");
        Err(self.report(error))
    }

    /// All declarations, up to `BEGIN` or `END`.
    fn declarations(&mut self) -> Vec<Declaration> {
        let mut list = Vec::new();
        loop {
            let start = self.at;
            self.declaration_in_lower_case();
            match self.peek().kind {
                Kind::End | Kind::Keyword(Keyword::Begin | Keyword::End) => return list,
                Kind::Keyword(keyword) if keyword.begins_declaration() => {
                    self.declaration(keyword, true, &mut list);
                }
                _ if self.looks_like_statement() => return list,
                _ => {
                    self.unexpected("a declaration, `BEGIN` or `END`");
                    self.recover_declaration(start);
                }
            }
        }
    }

    /// Names never stand where a declaration begins.
    fn declaration_in_lower_case(&mut self) {
        let token = self.peek();
        if token.kind != Kind::Ident || self.looks_like_statement() {
            return;
        }
        if self.text_of(token).eq_ignore_ascii_case("PROCEDURE") {
            let error = self.expected("`PROCESS`");
            self.replace_by_keyword(error, Keyword::Process);
            return;
        }
        let keyword = Keyword::meant_by(self.text_of(token)).filter(|keyword| {
            keyword.begins_declaration() || matches!(keyword, Keyword::Begin | Keyword::End)
        });
        if let Some(keyword) = keyword {
            self.take_for_keyword(keyword);
        }
    }

    /// One section, or one process. What is not `strict` is a section that stands among statements, where another
    /// name need not be another variable.
    fn declaration(&mut self, keyword: Keyword, strict: bool, list: &mut Vec<Declaration>) {
        let start = self.at;
        if matches!(keyword, Keyword::Process | Keyword::Property) {
            match self.nested(Self::process) {
                Ok(process) => {
                    let behind = format!("`END {}`", process.name.name.text);
                    self.semicolon(&behind);
                    list.push(Declaration::Process(process));
                }
                Err(_) => self.recover_declaration(start),
            }
            return;
        }
        if keyword == Keyword::Import {
            let error = Diagnostic::error(self.peek().span, "`IMPORT` in the wrong place");
            self.report(error.label("not here").hint("it stands first in the module, once"));
            self.imports();
            return;
        }
        self.bump();
        let mut is_first = true;
        while self.at_item() || (strict && self.at_wrong_item(keyword, is_first)) {
            let start = self.at;
            match self.item(keyword) {
                Ok(item) => list.push(item),
                Err(_) => self.recover_item(start),
            }
            is_first = false;
        }
    }

    /// Whether another constant, type or variable of a section follows.
    fn at_item(&self) -> bool {
        use Symbol::*;
        let next = self.peek_at(1).kind;
        self.at_ident() && matches!(next, Kind::Symbol(Star | Minus | Comma | Colon | Equal))
    }

    /// Whether something follows that must have been meant to be one.
    fn at_wrong_item(&self, keyword: Keyword, is_first: bool) -> bool {
        // `N := 1` is a constant, or a variable where there can be nothing else; otherwise `BEGIN` was forgotten.
        let is_assignment = self.peek_at(1).kind == Kind::Symbol(Symbol::Assign);
        let is_item = match is_assignment {
            true => is_first || matches!(keyword, Keyword::Const | Keyword::Type),
            false => !self.looks_like_statement(),
        };
        self.at_ident() && is_item && Keyword::meant_by(self.text_of(self.peek())).is_none()
    }

    fn item(&mut self, keyword: Keyword) -> Parsed<Declaration> {
        let item = match keyword {
            Keyword::Const => {
                let name = self.ident_def()?;
                self.defined_as()?;
                Declaration::Constant { name, value: self.expr()? }
            }
            Keyword::Type => {
                let name = self.ident_def()?;
                self.defined_as()?;
                Declaration::Type { name, ty: self.type_expr()? }
            }
            _ => {
                let names = self.list(Self::ident_def)?;
                self.colon()?;
                let ty = self.type_expr()?;
                Declaration::Variables { names, ty, is_port: keyword == Keyword::Port }
            }
        };
        self.semicolon_or_fail("a declaration")?;
        Ok(item)
    }

    fn defined_as(&mut self) -> Parsed<()> {
        if self.at_symbol(Symbol::Assign) {
            let error = self.expected("`=`").hint("a definition is written `=`");
            self.report(error);
            self.bump();
            return Ok(());
        }
        self.expect(Symbol::Equal).map(|_| ())
    }

    fn colon(&mut self) -> Parsed<()> {
        if self.at_symbol(Symbol::Assign) {
            let hint =
                "a variable is declared `x: INTEGER`; if this is a statement, `BEGIN` is missing";
            let error = self.expected("`:`").hint(hint);
            return Err(self.report(error));
        }
        self.expect(Symbol::Colon).map(|_| ())
    }

    fn ident_def(&mut self) -> Parsed<IdentDef> {
        let name = self.expect_ident("a name")?;
        let export = match self.peek().kind {
            Kind::Symbol(Symbol::Star) => Export::Full,
            Kind::Symbol(Symbol::Minus) => Export::ReadOnly,
            _ => return Ok(IdentDef { name, export: Export::None }),
        };
        self.bump();
        Ok(IdentDef { name, export })
    }

    fn process(&mut self) -> Parsed<Process> {
        let token = self.bump();
        let is_property = token.kind == Kind::Keyword(Keyword::Property);
        let what = if is_property { "property" } else { "process" };
        if is_property && self.open.len() > 1 {
            let error = Diagnostic::error(token.span, "a property inside a process")
                .label("not here")
                .hint("properties are declared in the module itself");
            self.report(error);
        }
        let name = self.ident_def_of(is_property)?;
        self.open.push(name.name.clone());
        let parameters = self.formals(is_property);
        if parameters.is_ok() {
            self.semicolon(&format!("the head of the {what}"));
        } else {
            self.recover_formals();
        }
        // A process may stand, by mistake, among the statements of a `CHOICE`.
        let (declarations, body) =
            self.separated(Separators::default(), |parser| (parser.declarations(), parser.body()));
        let end = self.unit_end(&name.name, what);
        self.open.pop();
        let (end, parameters) = (end?, parameters?);
        let span = self.since(token.span);
        Ok(Process { name, is_property, parameters, declarations, body, end, span })
    }

    fn ident_def_of(&mut self, is_property: bool) -> Parsed<IdentDef> {
        let what = if is_property { "the name of the property" } else { "the name of the process" };
        if !self.at_ident() {
            return Err(self.unexpected(what));
        }
        let name = self.ident_def()?;
        if is_property && name.export != Export::None {
            let span = self.previous().span;
            let error = Diagnostic::error(span, "a property cannot be exported");
            self.report(error.label("not here"));
        }
        Ok(name)
    }

    fn formals(&mut self, is_property: bool) -> Parsed<Vec<Section>> {
        let mut sections = Vec::new();
        if !self.at_symbol(Symbol::OpenParen) {
            return Ok(sections);
        }
        if is_property {
            let error = Diagnostic::error(self.peek().span, "a property has no parameters");
            self.report(error.label("expected `;`"));
        }
        let open = self.bump().span;
        if self.eat(Symbol::CloseParen) {
            return Ok(sections);
        }
        loop {
            sections.push(self.section()?);
            if !self.eat(Symbol::Semicolon) {
                break;
            }
        }
        if !self.eat(Symbol::CloseParen) {
            let error = self.expected("`;` or `)`").note(open, "opened here");
            return Err(self.report(error));
        }
        Ok(sections)
    }

    fn section(&mut self) -> Parsed<Section> {
        let by_reference = self.eat_keyword(Keyword::Var);
        let names = self.list(|parser| parser.expect_ident("the name of a parameter"))?;
        self.expect(Symbol::Colon)?;
        Ok(Section { by_reference, names, ty: self.type_expr()? })
    }

    /// The statements of a module or process, if it has any.
    fn body(&mut self) -> Vec<Statement> {
        let mut list = Vec::new();
        if self.looks_like_statement() {
            let error = Diagnostic::error(self.peek().span, "a statement among declarations");
            self.report(error.label("expected `BEGIN`").hint("statements begin behind `BEGIN`"));
        } else if !self.eat_keyword(Keyword::Begin) {
            return list;
        }
        loop {
            list.extend(self.statements());
            if self.at_end() || self.at_keyword(Keyword::Begin) {
                return list;
            }
            if self.at_keyword(Keyword::End) {
                if !self.at_surplus_end() {
                    return list;
                }
                let error = Diagnostic::error(self.peek().span, "there is nothing to end here");
                self.report(error.label("one `END` too many"));
            } else {
                self.unexpected("a statement or `END`");
            }
            self.bump();
        }
    }

    /// At an `END` that cannot be the end of a process, since its statements go on behind it.
    fn at_surplus_end(&self) -> bool {
        let mut ahead = 1;
        match self.peek_at(1).kind {
            Kind::Symbol(Symbol::Semicolon) => ahead = 2,
            // `END P` without a `;` is the end; `END x := 1` is not.
            Kind::Ident => return !self.ends_unit(2) && !self.is_same_line(1),
            _ => {}
        }
        match self.peek_at(ahead).kind {
            Kind::Ident => true,
            Kind::Keyword(keyword) => keyword.begins_statement() || keyword == Keyword::End,
            _ => false,
        }
    }

    /// `END` and the name; gives where the name stands.
    fn unit_end(&mut self, name: &Ident, what: &str) -> Parsed<Span> {
        let text = &name.text;
        // Somebody else's end: ours is missing.
        let is_outer = self.named_end().is_some_and(|open| self.open[open].text != *text);
        if is_outer || !self.at_keyword(Keyword::End) {
            let (found, span) = self.found_end();
            let message = format!("expected `END {text}`, found {found}");
            let error = Diagnostic::error(span, message)
                .label(format!("expected the end of this {what}"))
                .note(name.span, format!("`{text}` begins here"));
            return Err(self.report(error));
        }
        self.bump();
        if !self.at_ident() {
            let error = self.expected(&format!("the name `{text}` behind `END`"));
            let error = error.note(name.span, format!("the {what} begins here"));
            self.report(error);
            return Ok(self.previous().span);
        }
        let end = self.bump();
        if self.text_of(end) != text {
            let found = crate::lexer::shortened(self.text_of(end));
            let message = format!("`END {found}` where {what} `{text}` ends");
            let error = Diagnostic::error(end.span, message)
                .label(format!("expected `{text}`"))
                .note(name.span, format!("`{text}` begins here"));
            self.report(error);
        }
        Ok(end.span)
    }

    /// Declarations behind `BEGIN`: read, so that the statements behind them are seen, and forgotten.
    pub(super) fn declaration_among_statements(&mut self) {
        let Kind::Keyword(keyword) = self.peek().kind else { return };
        let what = match keyword {
            Keyword::Process => "a process",
            Keyword::Property => "a property",
            Keyword::Import => "an import",
            _ => "a declaration",
        };
        let inside = self.open.last().map_or("", |name| name.text.as_str());
        let hint = format!(
            "declarations stand before `BEGIN`; if the statements of `{inside}` end here, `END {inside}` is missing"
        );
        let error = Diagnostic::error(self.peek().span, format!("{what} among statements"));
        self.report(error.label("expected a statement").hint(hint));
        let mut forgotten = Vec::new();
        self.declaration(keyword, false, &mut forgotten);
    }
}
