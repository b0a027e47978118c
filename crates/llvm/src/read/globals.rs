//! Global variables, aliases, ifuncs, comdats.

use super::tokens::normal;
use super::words;
use super::{GlobalState, Parse, Reader};
use crate::ir::{
    Alias, ConstantValue, DllStorage, Expression, Global, GlobalId, GlobalKind, Linkage,
    ThreadLocal, TypeId, UnitId, UnnamedAddress, Variable, Visibility,
};
use crate::lexer::{Id, Token};
use auspex_system::{Diagnostic, Span};

/// What is said about a global before its type.
#[derive(Default)]
pub(super) struct Header {
    pub linkage: Option<Linkage>,
    pub visibility: Visibility,
    pub dll_storage: DllStorage,
    pub dso_local: bool,
    pub unnamed_address: UnnamedAddress,
    pub thread_local: Option<ThreadLocal>,
}

impl<'t> Reader<'t> {
    /// The global with this name; makes its entry at the first mention.
    pub(super) fn mention_global(&mut self, id: Id<'t>, span: Span) -> Parse<GlobalId> {
        if let Some(global) = self.globals.get(&id) {
            return Ok(*global);
        }
        let name = match id {
            // As LLVM names them in object files.
            Id::Number(number) => self.module.names.intern(&format!("__unnamed_{number}")),
            id => self.name(id),
        };
        let global = GlobalId(self.module.globals.len() as u32);
        if self.module.symbols.insert(name, global).is_some() {
            let message = format!("two globals have the name @{}", &self.module.names[name]);
            return Err(Diagnostic::error(span, message).into());
        }
        let kind = GlobalKind::Variable(Variable {
            ty: TypeId::I8,
            constant: false,
            externally_initialized: false,
            initializer: None,
        });
        self.module.globals.push(Global {
            name,
            source_name: name,
            linkage: Linkage::External,
            visibility: Visibility::Default,
            dll_storage: DllStorage::None,
            dso_local: false,
            unnamed_address: UnnamedAddress::None,
            thread_local: None,
            address_space: 0,
            section: None,
            comdat: None,
            align: 0,
            kind,
            unit: UnitId(0),
            span,
        });
        self.states.push(GlobalState::Mentioned);
        self.globals.insert(id, global);
        Ok(global)
    }

    /// The entry of a global that is now defined or declared.
    pub(super) fn define_global(&mut self, id: Option<Id<'t>>, span: Span) -> Parse<GlobalId> {
        let id = match id {
            Some(id) => normal(id),
            None => Id::Number(self.next_global_number),
        };
        if let Id::Number(number) = id {
            self.next_global_number = self.next_global_number.max(number.saturating_add(1));
        }
        let global = self.mention_global(id, span)?;
        let state = &mut self.states[global.0 as usize];
        if *state == GlobalState::Defined {
            let name = self.module.name_of(global);
            return Err(Diagnostic::error(span, format!("@{name} is defined twice"))
                .label("defined again here")
                .note(self.module[global].span, "first defined here")
                .into());
        }
        *state = GlobalState::Defined;
        self.module.globals[global.0 as usize].span = span;
        Ok(global)
    }

    /// One word of what comes before the type; `false` where the word is none of them.
    pub(super) fn header_word(&mut self, header: &mut Header, word: &str) -> Parse<bool> {
        match word {
            "dso_local" => header.dso_local = true,
            "dso_preemptable" => header.dso_local = false,
            "default" => header.visibility = Visibility::Default,
            "hidden" => header.visibility = Visibility::Hidden,
            "protected" => header.visibility = Visibility::Protected,
            "dllimport" => header.dll_storage = DllStorage::Import,
            "dllexport" => header.dll_storage = DllStorage::Export,
            "unnamed_addr" => header.unnamed_address = UnnamedAddress::Global,
            "local_unnamed_addr" => header.unnamed_address = UnnamedAddress::Local,
            "thread_local" => {
                self.advance()?;
                header.thread_local = Some(ThreadLocal::GeneralDynamic);
                if self.accept(b'(')? {
                    let model = match self.token {
                        Token::Word("localdynamic") => ThreadLocal::LocalDynamic,
                        Token::Word("initialexec") => ThreadLocal::InitialExec,
                        Token::Word("localexec") => ThreadLocal::LocalExec,
                        _ => {
                            return Err(self
                                .expected("`localdynamic`, `initialexec` or `localexec`")
                                .into());
                        }
                    };
                    header.thread_local = Some(model);
                    self.advance()?;
                    self.expect(b')')?;
                }
                return Ok(true);
            }
            _ => match words::linkage(word) {
                Some(linkage) => header.linkage = Some(linkage),
                None => return Ok(false),
            },
        }
        self.advance()?;
        Ok(true)
    }

    pub(super) fn apply_header(&mut self, id: GlobalId, header: Header) -> &mut Global {
        let global = &mut self.module.globals[id.0 as usize];
        global.linkage = header.linkage.unwrap_or_default();
        global.visibility = header.visibility;
        global.dll_storage = header.dll_storage;
        global.dso_local = header.dso_local;
        global.unnamed_address = header.unnamed_address;
        global.thread_local = header.thread_local;
        global
    }

    /// `@name = … global/constant/alias/ifunc …`.
    pub(super) fn global(&mut self, id: Option<Id<'t>>) -> Parse<()> {
        let span = self.span();
        if id.is_some() {
            self.advance()?;
            self.expect(b'=')?;
        }
        let mut header = Header::default();
        let mut address_space = 0;
        let mut externally_initialized = false;
        let keyword = loop {
            let Token::Word(word) = self.token else {
                return Err(self.expected("`global`, `constant`, `alias` or `ifunc`").into());
            };
            match word {
                "global" | "constant" | "alias" | "ifunc" => {
                    self.advance()?;
                    break word;
                }
                "addrspace" => address_space = self.address_space()?,
                "externally_initialized" => {
                    self.advance()?;
                    externally_initialized = true;
                }
                _ => {
                    if !self.header_word(&mut header, word)? {
                        return Err(self
                            .expected("`global`, `constant`, `alias` or `ifunc`")
                            .into());
                    }
                }
            }
        };
        let declared = matches!(header.linkage, Some(Linkage::ExternWeak))
            || header.linkage == Some(Linkage::External);
        let type_span = self.span();
        let ty = self.ty()?;
        let global = self.define_global(id, span)?;
        let entry = self.apply_header(global, header);
        entry.address_space = address_space;
        if matches!(keyword, "alias" | "ifunc") {
            self.expect(b',')?;
            // An expression stands here without its type.
            let target = match self.begins_type() {
                true => self.typed_constant()?,
                false => {
                    let pointer = self.module.types.pointer(address_space);
                    self.constant(pointer)?
                }
            };
            let alias = Alias { ty, target };
            self.module.globals[global.0 as usize].kind = match keyword {
                "alias" => GlobalKind::Alias(alias),
                _ => GlobalKind::Ifunc(alias),
            };
        } else {
            if !self.module.types.is_first_class(ty) || ty == TypeId::TOKEN {
                return Err(Diagnostic::error(type_span, "no variable has this type").into());
            }
            let initializer = match declared {
                true => None,
                false => Some(self.constant(ty)?),
            };
            self.module.globals[global.0 as usize].kind = GlobalKind::Variable(Variable {
                ty,
                constant: keyword == "constant",
                externally_initialized,
                initializer,
            });
        }
        self.global_tail(global)
    }

    /// `, section "…", align 8, !dbg !0`.
    fn global_tail(&mut self, global: GlobalId) -> Parse<()> {
        loop {
            // Attributes come after everything else and without a comma.
            if let Token::AttributeGroup(_) = self.token {
                self.advance()?;
                continue;
            }
            if !self.accept(b',')? {
                return Ok(());
            }
            match self.token {
                Token::MetadataName(name) => self.global_attachment(name, global)?,
                Token::Word(word) => self.placement(word, global)?,
                _ => return Err(self.expected("a section, alignment or metadata").into()),
            }
        }
    }

    /// Where a global is to be placed: a section, partition, comdat, alignment.
    pub(super) fn placement(&mut self, word: &str, global: GlobalId) -> Parse<()> {
        self.advance()?;
        let index = global.0 as usize;
        match word {
            "section" => {
                let name = self.string("a section")?;
                let name = self.module.names.intern(&name);
                self.module.globals[index].section = Some(name);
            }
            "partition" => {
                self.string("a partition")?;
            }
            "code_model"
            | "sanitize_address_dyninit"
            | "no_sanitize_address"
            | "no_sanitize_hwaddress"
            | "sanitize_memtag" => match self.token {
                Token::String(_) => self.advance()?,
                _ => self.skip_parenthesized()?,
            },
            "comdat" => {
                let mut name = self.module.globals[index].name;
                if self.accept(b'(')? {
                    let Token::Comdat(id) = self.token else {
                        return Err(self.expected("a comdat, `$name`").into());
                    };
                    self.advance()?;
                    name = self.name(id);
                    self.expect(b')')?;
                }
                self.module.globals[index].comdat = Some(name);
            }
            "align" => self.module.globals[index].align = self.alignment()?,
            _ => return Err(self.expected("a section, comdat or alignment").into()),
        }
        Ok(())
    }

    /// `$name = comdat any`: which of several is taken does not matter, they are the same.
    pub(super) fn comdat_definition(&mut self) -> Parse<()> {
        self.advance()?;
        self.expect(b'=')?;
        self.expect_word("comdat")?;
        self.word("`any` or another kind of selection")?;
        Ok(())
    }

    /// An alias must lead to something that is none.
    pub(super) fn check_aliases(&self) -> Parse<()> {
        for id in self.module.ids() {
            let (mut at, mut steps) = (Some(id), 0);
            while let Some(global) = at {
                let (GlobalKind::Alias(alias) | GlobalKind::Ifunc(alias)) =
                    &self.module[global].kind
                else {
                    break;
                };
                at = self.base(alias.target);
                steps += 1;
                if steps > 100 {
                    let name = self.module.name_of(id);
                    let message = format!("the alias @{name} leads to itself, or too far");
                    return Err(Diagnostic::error(self.module[id].span, message).into());
                }
            }
        }
        Ok(())
    }

    /// The global an address is in.
    fn base(&self, mut constant: crate::ir::ConstantId) -> Option<GlobalId> {
        loop {
            match &self.module.constants[constant].value {
                ConstantValue::Global(global) => return Some(*global),
                ConstantValue::Expression(expression) => match **expression {
                    Expression::Cast { value, .. } => constant = value,
                    Expression::GetElementPtr { base, .. } => constant = base,
                    _ => return None,
                },
                _ => return None,
            }
        }
    }
}
