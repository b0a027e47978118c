//! Metadata nodes to debug structures.
//!
//! Only what is mentioned is decoded: each table is filled in the order in which its nodes were
//! first mentioned, until no table has a node left. So nothing recurs, and cycles are no trouble.

use super::*;
use crate::ir::{ConstantValue, GlobalId, GlobalKind, ModuleFlag, Name};
use crate::lexer::unescape_name;
use crate::read::Reader;
use crate::read::metadata::{Metadata, NodeId, Reserved, Value};
use rustc_hash::FxHashSet;

pub(crate) fn decode(reader: &mut Reader<'_>) {
    let metadata = std::mem::take(&mut reader.metadata);
    let mut decoder = Decoder::new(reader, metadata);
    decoder.roots();
    decoder.run();
    decoder.flags();
    let mut debug = decoder.debug;
    cut_cycles(&mut debug.scopes, |scope| &mut scope.parent);
    cut_cycles(&mut debug.locations, |location| &mut location.inlined_at);
    reader.module.debug = debug;
}

/// Chains of scopes end: where a malformed file ties one into a ring, it is cut.
fn cut_cycles<T, I: Copy + Into<u32>>(table: &mut [T], next: impl Fn(&mut T) -> &mut Option<I>) {
    // The walk that came by first; walks are numbered from 1.
    let mut walks = vec![0u32; table.len()];
    for start in 0..table.len() {
        let mut at = start;
        while walks[at] == 0 {
            walks[at] = start as u32 + 1;
            let link = next(&mut table[at]);
            let Some(to) = link.map(|to| to.into() as usize) else { break };
            if walks[to] == start as u32 + 1 {
                *link = None;
                break;
            }
            at = to;
        }
    }
}

pub(super) struct Decoder<'r, 't> {
    pub(super) reader: &'r mut Reader<'t>,
    pub(super) metadata: Metadata<'t>,
    pub(super) debug: DebugInfo,
    files: Reserved,
    scopes: Reserved,
    functions: Reserved,
    pub(super) types: Reserved,
    function_of: Vec<(NodeId, GlobalId)>,
    /// How many elements of lists may still be decoded. Many types can share one list: without a
    /// limit, a small file could ask for more memory than there is.
    budget: usize,
}

impl<'r, 't> Decoder<'r, 't> {
    fn new(reader: &'r mut Reader<'t>, metadata: Metadata<'t>) -> Self {
        let budget = 10_000 + 16 * metadata.field_count();
        Decoder {
            reader,
            metadata,
            debug: DebugInfo::default(),
            files: Reserved::default(),
            scopes: Reserved::default(),
            functions: Reserved::default(),
            types: Reserved::default(),
            function_of: Vec::new(),
            budget,
        }
    }

    /// Everything the module names directly that is not in the tables yet.
    fn roots(&mut self) {
        self.function_of = self.metadata.function_nodes.iter().map(|(f, n)| (*n, *f)).collect();
        for (node, function) in self.function_of.clone() {
            if self.metadata.kind(node) != "DISubprogram" {
                continue;
            }
            let id: DebugFunctionId = self.functions.index(node);
            let global = &mut self.reader.module.globals[function.0 as usize];
            if let GlobalKind::Function(function) = &mut global.kind {
                function.debug = Some(id);
            }
        }
        let mut seen = FxHashSet::default();
        for (global, node) in self.metadata.global_nodes.clone() {
            seen.insert(node);
            self.global_variable(node, Some(global));
        }
        for unit in self.metadata.compile_units.clone() {
            let file = self.file(unit);
            let producer = self.string(unit, "producer");
            let language = self.metadata.word(unit, "language");
            let language =
                (!language.is_empty()).then(|| self.reader.module.names.intern(language));
            let optimized = self.metadata.word(unit, "isOptimized") == "true";
            let list = self.metadata.node(unit, "enums");
            let nodes = list.map_or(Vec::new(), |list| self.elements(list));
            let enumerations = nodes.into_iter().map(|node| self.types.index(node)).collect();
            let unit_entry = CompileUnit { file, producer, language, optimized, enumerations };
            self.debug.units.push(unit_entry);
            // The variables that no longer exist have only these entries.
            let Some(list) = self.metadata.node(unit, "globals") else { continue };
            for node in self.elements(list) {
                if !seen.contains(&node) {
                    self.global_variable(node, None);
                }
            }
        }
    }

    /// Decodes until every table is complete.
    fn run(&mut self) {
        let mut progress = true;
        while progress {
            progress = false;
            macro_rules! drain {
                ($reserved:expr, $table:ident, $decode:ident) => {
                    while let Some(node) = $reserved.node(self.debug.$table.len()) {
                        let decoded = self.$decode(node);
                        self.debug.$table.push(decoded);
                        progress = true;
                    }
                };
            }
            drain!(self.metadata.locations, locations, location);
            drain!(self.metadata.variables, variables, variable);
            drain!(self.metadata.labels, labels, label);
            drain!(self.metadata.expressions, expressions, expression);
            drain!(self.functions, functions, function);
            drain!(self.scopes, scopes, scope);
            drain!(self.types, types, ty);
            drain!(self.files, files, file_entry);
        }
        for (node, function) in &self.function_of {
            if self.metadata.kind(*node) == "DISubprogram" {
                let id: DebugFunctionId = self.functions.index(*node);
                let entry = &mut self.debug.functions[id.0 as usize];
                // A declaration and its definition have nodes of their own.
                entry.function.get_or_insert(*function);
            }
        }
    }

    fn flags(&mut self) {
        for node in self.metadata.flags.clone() {
            let [(_, behaviour), (_, name), (_, value)] = *self.metadata.fields(node) else {
                continue;
            };
            let (Value::Constant(behaviour), Value::String(name)) = (behaviour, name) else {
                continue;
            };
            let behaviour = self.reader.module.constants.as_u64(behaviour).unwrap_or(0) as u32;
            let name = self.reader.intern_escaped(name);
            let value = match value {
                Value::Constant(constant) => self.reader.module.constants.as_u64(constant),
                _ => None,
            };
            self.reader.module.flags.push(ModuleFlag { behaviour, name, value });
        }
    }

    /// The nodes in a list.
    pub(super) fn elements(&mut self, list: NodeId) -> Vec<NodeId> {
        let values = self.values(list).into_iter();
        values
            .filter_map(|value| match value {
                Value::Node(node) => Some(node),
                _ => None,
            })
            .collect()
    }

    /// The elements of a list; none once too many have been asked for.
    pub(super) fn values(&mut self, list: NodeId) -> Vec<Value<'t>> {
        let fields = self.metadata.fields(list);
        match self.budget.checked_sub(fields.len()) {
            Some(left) => {
                self.budget = left;
                fields.iter().map(|field| field.1).collect()
            }
            None => Vec::new(),
        }
    }

    pub(super) fn string(&mut self, node: NodeId, key: &str) -> Option<Name> {
        match self.metadata.field(node, key) {
            Value::String("") => None,
            Value::String(text) => Some(self.reader.module.names.intern(&unescape_name(text))),
            _ => None,
        }
    }

    pub(super) fn file(&mut self, node: NodeId) -> Option<DebugFileId> {
        let file = self.metadata.node(node, "file")?;
        (self.metadata.kind(file) == "DIFile").then(|| self.files.index(file))
    }

    pub(super) fn scope_of(&mut self, node: NodeId) -> Option<ScopeId> {
        Some(self.scopes.index(self.metadata.node(node, "scope")?))
    }

    pub(super) fn type_of(&mut self, node: NodeId, key: &str) -> Option<TypeRef> {
        Some(self.types.index(self.metadata.node(node, key)?))
    }

    fn file_entry(&mut self, node: NodeId) -> DebugFile {
        let empty = self.reader.module.names.intern("");
        DebugFile {
            directory: self.string(node, "directory").unwrap_or(empty),
            name: self.string(node, "filename").unwrap_or(empty),
        }
    }

    fn location(&mut self, node: NodeId) -> SourceLocation {
        let inlined_at = self.metadata.node(node, "inlinedAt");
        SourceLocation {
            line: self.metadata.unsigned32(node, "line"),
            column: self.metadata.unsigned32(node, "column"),
            scope: self.scope_of(node),
            inlined_at: inlined_at.map(|node| self.metadata.locations.index(node)),
        }
    }

    fn scope(&mut self, node: NodeId) -> Scope {
        let kind = match self.metadata.kind(node) {
            "DISubprogram" => ScopeKind::Function(self.functions.index(node)),
            "DILexicalBlock" => ScopeKind::LexicalBlock,
            "DILexicalBlockFile" => ScopeKind::BlockFile,
            "DINamespace" => ScopeKind::Namespace(self.string(node, "name")),
            "DIFile" => ScopeKind::File,
            "DICompileUnit" => ScopeKind::CompileUnit,
            "DICompositeType" | "DIDerivedType" => ScopeKind::Type(self.types.index(node)),
            _ => ScopeKind::Other,
        };
        let file = match kind {
            ScopeKind::File => Some(self.files.index(node)),
            _ => self.file(node),
        };
        Scope {
            kind,
            parent: self.scope_of(node),
            file,
            line: self.metadata.unsigned32(node, "line"),
            column: self.metadata.unsigned32(node, "column"),
        }
    }

    fn function(&mut self, node: NodeId) -> DebugFunction {
        DebugFunction {
            name: self.string(node, "name"),
            linkage_name: self.string(node, "linkageName"),
            file: self.file(node),
            line: self.metadata.unsigned32(node, "line"),
            parent: self.scope_of(node),
            scope_line: self.metadata.unsigned32(node, "scopeLine"),
            ty: self.type_of(node, "type"),
            function: None,
        }
    }

    fn variable(&mut self, node: NodeId) -> LocalVariable {
        LocalVariable {
            name: self.string(node, "name"),
            argument: self.metadata.unsigned32(node, "arg"),
            scope: self.scope_of(node),
            file: self.file(node),
            line: self.metadata.unsigned32(node, "line"),
            ty: self.type_of(node, "type"),
            artificial: self.has_flag(node, "DIFlagArtificial"),
        }
    }

    fn label(&mut self, node: NodeId) -> SourceLabel {
        SourceLabel {
            name: self.string(node, "name"),
            scope: self.scope_of(node),
            file: self.file(node),
            line: self.metadata.unsigned32(node, "line"),
        }
    }

    pub(super) fn has_flag(&self, node: NodeId, flag: &str) -> bool {
        self.metadata.word(node, "flags").split('|').any(|part| part.trim() == flag)
    }

    /// `!DIGlobalVariableExpression(var: …, expr: …)`, or only the variable.
    fn global_variable(&mut self, node: NodeId, global: Option<GlobalId>) {
        let (variable, expression) = match self.metadata.kind(node) {
            "DIGlobalVariableExpression" => {
                (self.metadata.node(node, "var"), self.metadata.node(node, "expr"))
            }
            "DIGlobalVariable" => (Some(node), None),
            _ => return,
        };
        let Some(variable) = variable else { return };
        let entry = GlobalVariable {
            name: self.string(variable, "name"),
            linkage_name: self.string(variable, "linkageName"),
            scope: self.scope_of(variable),
            file: self.file(variable),
            line: self.metadata.unsigned32(variable, "line"),
            ty: self.type_of(variable, "type"),
            global,
            expression: expression.map(|node| self.metadata.expressions.index(node)),
        };
        self.debug.globals.push(entry);
    }

    /// The operators of a `DIExpression` with the numbers that follow each.
    fn expression(&mut self, node: NodeId) -> DebugExpression {
        let fields: Vec<_> = self.metadata.fields(node).iter().map(|field| field.1).collect();
        let mut ops = Vec::new();
        let mut at = 0;
        while let Some(value) = fields.get(at) {
            at += 1;
            let Value::Word(op) = *value else { continue };
            let mut operands = Vec::new();
            loop {
                match fields.get(at) {
                    Some(Value::Integer(text)) => operands.push(number(text)),
                    // An encoding is an operand by its name.
                    Some(Value::Word(word)) if word.starts_with("DW_ATE_") => operands.push(0),
                    _ => break,
                }
                at += 1;
            }
            ops.push(self.expression_op(op, &operands));
        }
        DebugExpression { ops: ops.into() }
    }

    fn expression_op(&mut self, op: &str, operands: &[u64]) -> ExpressionOp {
        match (op, operands) {
            ("DW_OP_deref", []) => ExpressionOp::Deref,
            ("DW_OP_plus_uconst", [value]) => ExpressionOp::PlusConstant(*value),
            ("DW_OP_plus", []) => ExpressionOp::Plus,
            ("DW_OP_minus", []) => ExpressionOp::Minus,
            ("DW_OP_mul", []) => ExpressionOp::Multiply,
            ("DW_OP_constu", [value]) => ExpressionOp::Constant(*value),
            ("DW_OP_consts", [value]) => ExpressionOp::SignedConstant(*value as i64),
            ("DW_OP_stack_value", []) => ExpressionOp::StackValue,
            ("DW_OP_LLVM_arg", [index]) => ExpressionOp::Argument(*index),
            ("DW_OP_LLVM_fragment", [offset, size]) => {
                ExpressionOp::Fragment { offset_bits: *offset, size_bits: *size }
            }
            _ => match op.strip_prefix("DW_OP_lit").map(str::parse) {
                Some(Ok(value)) if operands.is_empty() => ExpressionOp::Constant(value),
                _ => ExpressionOp::Other(self.reader.module.names.intern(op), operands.into()),
            },
        }
    }

    /// The value of a constant in metadata, such as a discriminant.
    pub(super) fn constant(&self, value: Value<'t>) -> Option<u128> {
        match value {
            Value::Constant(constant) => match self.reader.module.constants[constant].value {
                ConstantValue::Integer(value) => Some(value),
                _ => None,
            },
            Value::Integer(text) => text.parse::<i128>().ok().map(|value| value as u128),
            _ => None,
        }
    }
}

/// Negative numbers are written as such by some versions and as large ones by others.
fn number(text: &str) -> u64 {
    text.parse::<i128>().map_or(0, |value| value as u64)
}
