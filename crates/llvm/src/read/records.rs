//! Debug records and the calls of intrinsics that older compilers write instead.

use super::Parse;
use super::function::FunctionReader;
use super::metadata::NodeId;
use super::words;
use crate::debug::{DebugRecord, ExpressionId, RecordKind, RecordValue, VariableId};
use crate::ir::{ConstantValue, FunctionAttributes, Operand};
use crate::lexer::Token;

impl<'t> FunctionReader<'_, 't> {
    /// `#dbg_value(i32 %x, !1, !DIExpression(), !2)`.
    pub(super) fn debug_record(&mut self, name: &'t str) -> Parse<()> {
        let Some(kind) = name.strip_prefix("dbg_") else {
            return Err(self.reader.expected("a debug record, `#dbg_value(…)`").into());
        };
        self.reader.advance()?;
        self.reader.expect(b'(')?;
        let Some(kind) = self.record_kind(kind, false)? else {
            return Err(self.reader.error("there is no such debug record").into());
        };
        self.reader.expect(b',')?;
        let node = self.reader.metadata_node()?;
        let location = Some(self.reader.metadata.locations.index(node));
        self.reader.expect(b')')?;
        let before = self.body.instructions.len() as u32;
        self.body.records.push(DebugRecord { before, kind, location });
        Ok(())
    }

    /// The arguments of `llvm.dbg.value` and its like; the callee has been read.
    pub(super) fn debug_intrinsic(&mut self, kind: &'t str) -> Parse<()> {
        if !self.reader.is(b'(') {
            return Err(self.reader.expected("`(`").into());
        }
        let start = self.reader.start;
        self.reader.advance()?;
        let kind = self.record_kind(kind, true)?;
        if kind.is_some() {
            self.reader.expect(b')')?;
        } else {
            // An intrinsic of another version: nothing is known about it.
            return self.fail(start, "the arguments of this debug intrinsic are not known");
        }
        // Attributes of the call mean nothing: there is no call.
        let mut attributes = FunctionAttributes::default();
        loop {
            match self.reader.token {
                Token::AttributeGroup(_) => self.reader.advance()?,
                Token::Word(word) if !words::is_opcode(word) => {
                    self.reader.function_attribute(&mut attributes, self.id, None)?;
                }
                _ => break,
            }
        }
        let location = self.attachments()?;
        let before = self.body.instructions.len() as u32;
        if let Some(kind) = kind {
            self.body.records.push(DebugRecord { before, kind, location });
        }
        Ok(())
    }

    /// What both forms have between their parentheses; calls say `metadata` before everything.
    fn record_kind(&mut self, kind: &str, call: bool) -> Parse<Option<RecordKind>> {
        if kind == "label" {
            let node = self.record_node(call)?;
            return Ok(Some(RecordKind::Label(self.reader.metadata.labels.index(node))));
        }
        // `llvm.dbg.addr` is a `declare` that ends with the next one.
        if !matches!(kind, "declare" | "value" | "assign" | "declare_value" | "addr") {
            return Ok(None);
        }
        let value = self.record_value(call)?;
        let (variable, expression) = self.variable_and_expression(call)?;
        Ok(Some(match kind {
            "declare" | "addr" => RecordKind::Declare { variable, value, expression },
            "declare_value" => RecordKind::DeclareValue { variable, value, expression },
            "value" => RecordKind::Value { variable, value, expression },
            _ => {
                // The store it belongs to is named by an otherwise empty node.
                self.reader.expect(b',')?;
                self.record_node(call)?;
                self.reader.expect(b',')?;
                let address = self.record_value(call)?;
                self.reader.expect(b',')?;
                let node = self.record_node(call)?;
                let address_expression = self.reader.metadata.expressions.index(node);
                RecordKind::Assign { variable, value, expression, address, address_expression }
            }
        }))
    }

    fn variable_and_expression(&mut self, call: bool) -> Parse<(VariableId, ExpressionId)> {
        self.reader.expect(b',')?;
        let variable = self.record_node(call)?;
        self.reader.expect(b',')?;
        let expression = self.record_node(call)?;
        let metadata = &mut self.reader.metadata;
        Ok((metadata.variables.index(variable), metadata.expressions.index(expression)))
    }

    fn record_node(&mut self, call: bool) -> Parse<NodeId> {
        if call {
            self.reader.expect_word("metadata")?;
        }
        self.reader.metadata_node()
    }

    /// A value, a list of values, or a node that says that there is none.
    fn record_value(&mut self, call: bool) -> Parse<RecordValue> {
        if call {
            self.reader.expect_word("metadata")?;
        }
        match self.reader.token {
            Token::MetadataName("DIArgList") => {
                self.reader.advance()?;
                self.reader.expect(b'(')?;
                let mut values = Vec::new();
                if !self.reader.is(b')') {
                    loop {
                        values.push(self.typed_value()?.0);
                        if !self.reader.accept(b',')? {
                            break;
                        }
                    }
                }
                self.reader.expect(b')')?;
                Ok(RecordValue::List(values.into()))
            }
            Token::MetadataNumber(_) | Token::MetadataName(_) | Token::Bang => {
                self.reader.skip_metadata_node()?;
                Ok(RecordValue::None)
            }
            _ => {
                let operand = self.typed_value()?.0;
                if let Operand::Constant(constant) = operand
                    && matches!(
                        self.reader.module.constants[constant].value,
                        ConstantValue::Undef | ConstantValue::Poison
                    )
                {
                    return Ok(RecordValue::None);
                }
                Ok(RecordValue::Operand(operand))
            }
        }
    }
}
