//! Metadata nodes: kept as pieces of the text until all of it is read, then decoded.

use super::{Parse, Reader};
use crate::ir::{ConstantId, GlobalId};
use crate::lexer::Token;
use auspex_system::Diagnostic;
use rustc_hash::FxHashMap;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct NodeId(u32);

/// What a field of a node, or an element of a tuple, can be.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Value<'t> {
    Null,
    Node(NodeId),
    /// Between quotes, with escapes.
    String(&'t str),
    Constant(ConstantId),
    Integer(&'t str),
    /// `DW_TAG_member`, `DIFlagPublic | DIFlagVirtual`, `true`.
    Word(&'t str),
}

#[derive(Clone, Copy, Debug)]
struct Node<'t> {
    /// `DILocation`; empty for a tuple.
    kind: &'t str,
    /// Its fields are `Metadata::fields[first..first + count]`.
    first: u32,
    count: u32,
    defined: bool,
    /// Where it was first mentioned, in the text.
    at: u32,
}

/// A table of decoded things that grows while it is used: the first mention of a node gives it
/// the next index, and the nodes are decoded in that order.
#[derive(Default)]
pub(crate) struct Reserved {
    indices: Vec<u32>,
    nodes: Vec<NodeId>,
}

impl Reserved {
    pub fn index<I: From<u32>>(&mut self, node: NodeId) -> I {
        let at = node.0 as usize;
        if at >= self.indices.len() {
            self.indices.resize(at + 1, u32::MAX);
        }
        if self.indices[at] == u32::MAX {
            self.indices[at] = self.nodes.len() as u32;
            self.nodes.push(node);
        }
        I::from(self.indices[at])
    }

    /// The node that has this index.
    pub fn node(&self, index: usize) -> Option<NodeId> {
        self.nodes.get(index).copied()
    }
}

#[derive(Default)]
pub(crate) struct Metadata<'t> {
    nodes: Vec<Node<'t>>,
    fields: Vec<(&'t str, Value<'t>)>,
    /// The fields of the nodes that are being read.
    scratch: Vec<(&'t str, Value<'t>)>,
    numbers: FxHashMap<u32, NodeId>,
    /// Expressions are written where they are used, again and again.
    expression_texts: FxHashMap<&'t str, NodeId>,
    pub locations: Reserved,
    pub variables: Reserved,
    pub labels: Reserved,
    pub expressions: Reserved,
    /// `!dbg` of functions and global variables.
    pub function_nodes: Vec<(GlobalId, NodeId)>,
    pub global_nodes: Vec<(GlobalId, NodeId)>,
    pub compile_units: Vec<NodeId>,
    pub flags: Vec<NodeId>,
}

impl<'t> Metadata<'t> {
    pub fn kind(&self, node: NodeId) -> &'t str {
        self.nodes[node.0 as usize].kind
    }

    pub fn fields(&self, node: NodeId) -> &[(&'t str, Value<'t>)] {
        let node = &self.nodes[node.0 as usize];
        &self.fields[node.first as usize..(node.first + node.count) as usize]
    }

    pub fn field_count(&self) -> usize {
        self.fields.len()
    }

    /// A field of a node; `Null` where there is none.
    pub fn field(&self, node: NodeId, key: &str) -> Value<'t> {
        let fields = self.fields(node);
        fields.iter().find(|field| field.0 == key).map_or(Value::Null, |field| field.1)
    }

    pub fn node(&self, node: NodeId, key: &str) -> Option<NodeId> {
        match self.field(node, key) {
            Value::Node(node) => Some(node),
            _ => None,
        }
    }

    pub fn integer(&self, node: NodeId, key: &str) -> Option<i128> {
        match self.field(node, key) {
            Value::Integer(text) => text.parse().ok(),
            _ => None,
        }
    }

    /// A field that is not negative and defaults to 0.
    pub fn unsigned(&self, node: NodeId, key: &str) -> u64 {
        self.integer(node, key).and_then(|value| u64::try_from(value).ok()).unwrap_or(0)
    }

    pub fn unsigned32(&self, node: NodeId, key: &str) -> u32 {
        self.unsigned(node, key).try_into().unwrap_or(0)
    }

    pub fn word(&self, node: NodeId, key: &str) -> &'t str {
        match self.field(node, key) {
            Value::Word(word) => word,
            _ => "",
        }
    }

    fn add(&mut self, at: usize) -> NodeId {
        let at = at as u32;
        self.nodes.push(Node { kind: "", first: 0, count: 0, defined: false, at });
        NodeId(self.nodes.len() as u32 - 1)
    }

    fn number(&mut self, number: u32, at: usize) -> NodeId {
        if let Some(node) = self.numbers.get(&number) {
            return *node;
        }
        let node = self.add(at);
        self.numbers.insert(number, node);
        node
    }

    /// Fills a node with the fields from `base` on.
    fn define(&mut self, node: NodeId, kind: &'t str, base: usize) {
        let first = self.fields.len() as u32;
        self.fields.extend(self.scratch.drain(base..));
        let entry = &mut self.nodes[node.0 as usize];
        entry.kind = kind;
        entry.first = first;
        entry.count = self.fields.len() as u32 - first;
        entry.defined = true;
    }
}

impl<'t> Reader<'t> {
    /// `!5 = [distinct] …`.
    pub(super) fn metadata_definition(&mut self, number: u32) -> Parse<()> {
        let (span, start) = (self.span(), self.start);
        self.advance()?;
        self.expect(b'=')?;
        self.accept_word("distinct")?;
        let node = self.metadata.number(number, start);
        if self.metadata.nodes[node.0 as usize].defined {
            return Err(Diagnostic::error(span, format!("!{number} is defined twice")).into());
        }
        match self.token {
            Token::MetadataName(kind) => self.nested(|reader| reader.special(node, kind)),
            Token::Bang => {
                self.advance()?;
                self.nested(|reader| reader.tuple(node))
            }
            _ => Err(self.expected("a node: `!{…}` or `!DI…(…)`").into()),
        }
    }

    /// `!llvm.dbg.cu = !{!0, !1}`.
    pub(super) fn named_metadata(&mut self, name: &'t str) -> Parse<()> {
        let start = self.start;
        self.advance()?;
        self.expect(b'=')?;
        if self.token != Token::Bang {
            return Err(self.expected("`!{`").into());
        }
        self.advance()?;
        let node = self.metadata.add(start);
        self.nested(|reader| reader.tuple(node))?;
        let elements = self.metadata.fields(node);
        let nodes = elements.iter().filter_map(|(_, value)| match value {
            Value::Node(node) => Some(*node),
            _ => None,
        });
        match name {
            "llvm.dbg.cu" => self.metadata.compile_units = nodes.collect(),
            "llvm.module.flags" => self.metadata.flags = nodes.collect(),
            _ => {}
        }
        Ok(())
    }

    /// `{ …, … }`.
    fn tuple(&mut self, node: NodeId) -> Parse<()> {
        self.expect(b'{')?;
        let base = self.metadata.scratch.len();
        if !self.is(b'}') {
            loop {
                let value = self.metadata_value()?;
                self.metadata.scratch.push(("", value));
                if !self.accept(b',')? {
                    break;
                }
            }
        }
        self.expect(b'}')?;
        self.metadata.define(node, "", base);
        Ok(())
    }

    /// `!DIFile(filename: "…", …)`.
    fn special(&mut self, node: NodeId, kind: &'t str) -> Parse<()> {
        self.advance()?;
        self.expect(b'(')?;
        let base = self.metadata.scratch.len();
        if !self.is(b')') {
            loop {
                let key = match self.token {
                    Token::Label(crate::lexer::Id::Plain(key)) => {
                        self.advance()?;
                        key
                    }
                    _ => "",
                };
                let value = self.metadata_value()?;
                self.metadata.scratch.push((key, value));
                if !self.accept(b',')? {
                    break;
                }
            }
        }
        self.expect(b')')?;
        self.metadata.define(node, kind, base);
        Ok(())
    }

    pub(super) fn metadata_value(&mut self) -> Parse<Value<'t>> {
        let start = self.start;
        let value = match self.token {
            Token::MetadataNumber(_) | Token::MetadataName(_) => {
                return Ok(Value::Node(self.metadata_node()?));
            }
            Token::Bang => {
                self.advance()?;
                if let Token::String(text) = self.token {
                    self.advance()?;
                    return Ok(Value::String(text));
                }
                let node = self.metadata.add(start);
                self.nested(|reader| reader.tuple(node))?;
                return Ok(Value::Node(node));
            }
            Token::Word("null") => Value::Null,
            Token::String(text) => Value::String(text),
            Token::Integer(text) => Value::Integer(text),
            // A list without its exclamation mark: the operands of a `GenericDINode`.
            Token::Symbol(b'{') => {
                let node = self.metadata.add(start);
                self.nested(|reader| reader.tuple(node))?;
                return Ok(Value::Node(node));
            }
            _ if self.begins_type() => {
                return Ok(Value::Constant(self.nested(Self::typed_constant)?));
            }
            Token::Word(_) => {
                self.advance()?;
                while self.accept(b'|')? {
                    self.word("a flag")?;
                }
                let text = self.text.get(start..self.previous_end).unwrap_or("");
                return Ok(Value::Word(text));
            }
            _ => return Err(self.expected("metadata").into()),
        };
        self.advance()?;
        Ok(value)
    }

    /// A node: a number, or written out.
    pub(super) fn metadata_node(&mut self) -> Parse<NodeId> {
        let start = self.start;
        match self.token {
            Token::MetadataNumber(number) => {
                self.advance()?;
                Ok(self.metadata.number(number, start))
            }
            Token::MetadataName(kind) => {
                let node = self.metadata.add(start);
                self.nested(|reader| reader.special(node, kind))?;
                if kind != "DIExpression" {
                    return Ok(node);
                }
                let text = self.text.get(start..self.previous_end).unwrap_or("");
                Ok(*self.metadata.expression_texts.entry(text).or_insert(node))
            }
            Token::Bang => match self.metadata_value()? {
                Value::Node(node) => Ok(node),
                _ => Err(self.expected("a metadata node").into()),
            },
            _ => Err(self.expected("a metadata node, `!0`").into()),
        }
    }

    /// Passes over the node of an attachment that means nothing here.
    pub(super) fn skip_metadata_node(&mut self) -> Parse<()> {
        match self.token {
            Token::MetadataNumber(_) => self.advance(),
            _ => self.metadata_node().map(|_| ()),
        }
    }

    /// `!dbg !0` of a global variable.
    pub(super) fn global_attachment(&mut self, name: &str, global: GlobalId) -> Parse<()> {
        self.advance()?;
        if name != "dbg" {
            return self.skip_metadata_node();
        }
        let node = self.metadata_node()?;
        self.metadata.global_nodes.push((global, node));
        Ok(())
    }

    /// `!dbg !0` of a function.
    pub(super) fn function_attachment(&mut self, name: &str, function: GlobalId) -> Parse<()> {
        self.advance()?;
        if name != "dbg" {
            return self.skip_metadata_node();
        }
        let node = self.metadata_node()?;
        self.metadata.function_nodes.push((function, node));
        Ok(())
    }

    pub(super) fn check_metadata(&self) -> Parse<()> {
        match self.metadata.nodes.iter().find(|node| !node.defined) {
            None => Ok(()),
            Some(node) => {
                let start = node.at as usize;
                let mut lexer = self.lexer.clone();
                let end = lexer.token_end(start);
                let message = "this metadata is not defined";
                Err(Diagnostic::error(self.span_of(start, end), message).into())
            }
        }
    }
}
