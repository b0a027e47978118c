//! The reader: one pass over the text, into a [`Module`].
//!
//! Globals, types and metadata may be used before they are defined. The first mention of one
//! makes its entry; the definition fills it in; what has none at the end is reported.

mod attributes;
mod call;
mod constants;
mod expressions;
mod function;
mod globals;
mod instruction;
mod locals;
mod memory;
pub(crate) mod metadata;
mod records;
mod tokens;
mod types;
mod words;

use crate::debug::decode;
use crate::ir::{BlockId, ConstantValue, FunctionAttributes, GlobalId, GlobalKind, LocalName};
use crate::ir::{Module, Name, TypeId, Unit};
use crate::layout::DataLayout;
use crate::lexer::{Id, Lexer, Token, unescape_name};
use auspex_system::{Diagnostic, FileId, SourceMap, Span};
use metadata::Metadata;
use rustc_hash::FxHashMap;

/// Boxed, since nearly every function of the reader returns one.
pub(crate) type Parse<T> = Result<T, Box<Diagnostic>>;

/// How deep types, constants and metadata may be nested in the text.
const MAXIMUM_NESTING: u32 = 200;

/// Reads one module from a file of the source map.
pub fn read(sources: &SourceMap, file: FileId) -> Result<Module, Diagnostic> {
    let text = sources.text(file);
    if u32::try_from(text.len()).is_err() {
        return Err(Diagnostic::general(format!(
            "{} is larger than 4 GiB, which is more than is read",
            sources.name(file)
        )));
    }
    let unit = Unit {
        file: sources.name(file).to_owned(),
        source: String::new(),
        assembly: String::new(),
    };
    let mut module = Module::default();
    module.units.push(unit);
    let mut reader = Reader {
        lexer: Lexer::new(text),
        text,
        token: Token::End,
        start: 0,
        previous_end: 0,
        file,
        depth: 0,
        module,
        types: FxHashMap::default(),
        globals: FxHashMap::default(),
        states: Vec::new(),
        next_global_number: 0,
        groups: FxHashMap::default(),
        grouped: Vec::new(),
        block_addresses: BlockAddresses::default(),
        metadata: Metadata::default(),
    };
    reader.module().map_err(|diagnostic| *diagnostic)?;
    Ok(reader.module)
}

/// Reads one module from text that is in no source map. Spans are in `FileId(0)`.
pub fn read_text(name: &str, text: &str) -> Result<Module, Diagnostic> {
    let mut sources = SourceMap::default();
    let file = sources.add(name, text);
    read(&sources, file)
}

pub(crate) struct Reader<'t> {
    lexer: Lexer<'t>,
    text: &'t str,
    /// The token that is next.
    token: Token<'t>,
    /// Where `token` begins, and where the one before it ended.
    start: usize,
    previous_end: usize,
    file: FileId,
    depth: u32,
    pub(crate) module: Module,
    types: FxHashMap<Id<'t>, TypeEntry>,
    globals: FxHashMap<Id<'t>, GlobalId>,
    /// Of each global.
    states: Vec<GlobalState>,
    next_global_number: u32,
    /// Attribute groups, which come after what uses them.
    groups: FxHashMap<u32, FunctionAttributes>,
    grouped: Vec<Grouped>,
    block_addresses: BlockAddresses<'t>,
    pub(crate) metadata: Metadata<'t>,
}

struct TypeEntry {
    ty: TypeId,
    defined: bool,
    first_use: Span,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum GlobalState {
    /// Used but not defined so far.
    Mentioned,
    Defined,
}

/// Something that has the attributes of a group.
struct Grouped {
    group: u32,
    function: GlobalId,
    /// The index of the call; `None` for the function itself.
    instruction: Option<u32>,
}

/// Addresses of blocks. Until all functions are read, the block of a
/// `ConstantValue::BlockAddress` is an index into `wanted`.
#[derive(Default)]
struct BlockAddresses<'t> {
    wanted: Vec<(GlobalId, Id<'t>, Span)>,
    index: FxHashMap<(GlobalId, Id<'t>), u32>,
}

impl<'t> Reader<'t> {
    fn module(&mut self) -> Parse<()> {
        self.advance()?;
        while self.token != Token::End {
            self.entity()?;
        }
        self.finish()
    }

    fn entity(&mut self) -> Parse<()> {
        match self.token {
            Token::Word("define") => self.function(true),
            Token::Word("declare") => self.function(false),
            Token::Global(id) => self.global(Some(id)),
            Token::Local(id) => self.type_definition(id),
            Token::MetadataNumber(number) => self.metadata_definition(number),
            Token::MetadataName(name) => self.named_metadata(name),
            Token::Comdat(_) => self.comdat_definition(),
            Token::Word("attributes") => self.attribute_group(),
            Token::Word("target") => self.target(),
            Token::Word("source_filename") => {
                self.advance()?;
                self.expect(b'=')?;
                self.module.units[0].source = self.string("the source file's name")?.into_owned();
                Ok(())
            }
            Token::Word("module") => {
                self.advance()?;
                self.expect_word("asm")?;
                let line = self.string("assembler text")?;
                let assembly = &mut self.module.units[0].assembly;
                assembly.push_str(&line);
                assembly.push('\n');
                Ok(())
            }
            // Orders of use lists and summaries, one to a line, mean nothing here.
            Token::Word("uselistorder" | "uselistorder_bb") | Token::Summary => {
                self.lexer.skip_line();
                self.advance()
            }
            // A global without a name: `private constant …`.
            Token::Word(word) if words::begins_unnamed_global(word) => self.global(None),
            _ => Err(self
                .expected("a definition: `define`, `declare`, `@name = …`, `!0 = …`")
                .hint("is this textual LLVM IR (clang -S -emit-llvm)?")
                .into()),
        }
    }

    fn target(&mut self) -> Parse<()> {
        self.advance()?;
        match self.token {
            Token::Word("triple") => {
                self.advance()?;
                self.expect(b'=')?;
                self.module.target = self.string("the target")?.into_owned();
            }
            Token::Word("datalayout") => {
                self.advance()?;
                self.expect(b'=')?;
                let span = self.span();
                let text = self.string("the data layout")?;
                self.module.layout = DataLayout::parse(&text).map_err(|problem| {
                    Diagnostic::error(span, format!("malformed data layout: {problem}"))
                        .label("in this text")
                })?;
            }
            _ => return Err(self.expected("`triple` or `datalayout`").into()),
        }
        Ok(())
    }

    /// What can only be done when everything has been read.
    fn finish(&mut self) -> Parse<()> {
        for (id, entry) in &self.types {
            if !entry.defined {
                let name = id.text();
                return Err(Diagnostic::error(
                    entry.first_use,
                    format!("the type %{name} is not defined"),
                )
                .label("used here")
                .into());
            }
        }
        let undefined = self.states.iter().position(|state| *state == GlobalState::Mentioned);
        if let Some(index) = undefined {
            let global = &self.module.globals[index];
            let name = &self.module.names[global.name];
            return Err(Diagnostic::error(global.span, format!("@{name} is not defined"))
                .label("used here")
                .hint("every function and variable needs a `define`, `declare` or `= external`")
                .into());
        }
        self.finish_types()?;
        self.check_aliases()?;
        self.apply_groups();
        self.resolve_block_addresses()?;
        crate::verify::sizes(&self.module)?;
        self.check_metadata()?;
        decode::decode(self);
        Ok(())
    }

    fn apply_groups(&mut self) {
        for Grouped { group, function, instruction } in std::mem::take(&mut self.grouped) {
            // An undefined group is an empty one; nothing depends on it.
            let Some(attributes) = self.groups.get(&group).copied() else { continue };
            let GlobalKind::Function(function) = &mut self.module.globals[function.0 as usize].kind
            else {
                continue;
            };
            match instruction {
                None => function.attributes.merge(attributes),
                Some(index) => {
                    let body = function.body.as_mut();
                    let instruction = body.and_then(|b| b.instructions.get_mut(index as usize));
                    if let Some(call) = instruction.and_then(|i| i.op.call_mut()) {
                        call.attributes.merge(attributes);
                    }
                }
            }
        }
    }

    fn resolve_block_addresses(&mut self) -> Parse<()> {
        if self.block_addresses.wanted.is_empty() {
            return Ok(());
        }
        // By the function and the label: a function can have many of both.
        let mut labels = FxHashMap::default();
        let mut resolved = Vec::new();
        for (function, label, span) in &self.block_addresses.wanted {
            let body = self.module.function(*function).and_then(|f| f.body.as_ref());
            let Some(body) = body else {
                let name = self.module.name_of(*function);
                let message = format!("@{name} is not a function with blocks");
                return Err(Diagnostic::error(*span, message).into());
            };
            let blocks: &FxHashMap<LocalName, BlockId> =
                labels.entry(*function).or_insert_with(|| {
                    let names = body.blocks.iter().map(|block| block.name);
                    names.zip(body.block_ids()).collect()
                });
            let name = match label {
                Id::Number(number) => Some(LocalName::Number(*number)),
                label => self.module.names.find(&label.text()).map(LocalName::Named),
            };
            let Some(block) = name.and_then(|name| blocks.get(&name)) else {
                let name = self.module.name_of(*function);
                let message = format!("@{name} has no block %{}", label.text());
                return Err(Diagnostic::error(*span, message).into());
            };
            resolved.push(*block);
        }
        self.module.constants.rewrite(|value| {
            if let ConstantValue::BlockAddress { block, .. } = value {
                *block = resolved[block.0 as usize];
            }
        });
        Ok(())
    }

    /// The name of a decoded or plain identifier, in the module's table.
    fn name(&mut self, id: Id<'t>) -> Name {
        self.module.names.intern(&id.text())
    }

    pub(crate) fn intern_escaped(&mut self, text: &str) -> Name {
        self.module.names.intern(&unescape_name(text))
    }
}
