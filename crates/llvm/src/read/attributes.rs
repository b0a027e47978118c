//! Attributes of functions, parameters and results: most are passed over.

use super::words;
use super::{Grouped, Parse, Reader};
use crate::ir::{FunctionAttributes, GlobalId, ParameterAttributes};
use crate::lexer::Token;

impl FunctionAttributes {
    pub(super) fn merge(&mut self, other: FunctionAttributes) {
        self.no_return |= other.no_return;
        self.no_unwind |= other.no_unwind;
        self.naked |= other.naked;
        self.returns_twice |= other.returns_twice;
        self.cold |= other.cold;
    }

    fn add(&mut self, word: &str) {
        match word {
            "noreturn" => self.no_return = true,
            "nounwind" => self.no_unwind = true,
            "naked" => self.naked = true,
            "returns_twice" => self.returns_twice = true,
            "cold" => self.cold = true,
            _ => {}
        }
    }
}

impl<'t> Reader<'t> {
    /// `attributes #0 = { … }`.
    pub(super) fn attribute_group(&mut self) -> Parse<()> {
        self.advance()?;
        let Token::AttributeGroup(number) = self.token else {
            return Err(self.expected("a group's number, `#0`").into());
        };
        self.advance()?;
        self.expect(b'=')?;
        self.expect(b'{')?;
        let mut attributes = FunctionAttributes::default();
        while !self.accept(b'}')? {
            match self.token {
                Token::Word(word) => {
                    self.advance()?;
                    attributes.add(word);
                    self.attribute_value()?;
                }
                Token::String(_) => {
                    self.advance()?;
                    self.attribute_value()?;
                }
                _ => return Err(self.expected("an attribute or `}`").into()),
            }
        }
        self.groups.entry(number).or_default().merge(attributes);
        Ok(())
    }

    /// Passes over `=value` or `(…)`.
    fn attribute_value(&mut self) -> Parse<()> {
        if self.accept(b'=')? {
            return match self.token {
                Token::String(_) | Token::Integer(_) => self.advance(),
                _ => Err(self.expected("the attribute's value").into()),
            };
        }
        self.skip_parenthesized()
    }

    /// One attribute of a function at the place where it is used, if there is one: `#0`,
    /// `nounwind`, `"key"="value"`. The caller has seen that a word is nothing else.
    pub(super) fn function_attribute(
        &mut self,
        attributes: &mut FunctionAttributes,
        function: GlobalId,
        instruction: Option<u32>,
    ) -> Parse<bool> {
        match self.token {
            Token::AttributeGroup(group) => {
                self.advance()?;
                self.grouped.push(Grouped { group, function, instruction });
            }
            Token::String(_) => {
                self.advance()?;
                self.attribute_value()?;
            }
            Token::Word(word) => {
                self.advance()?;
                attributes.add(word);
                self.attribute_value()?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The attributes of a parameter, argument or result: every word up to one that begins a type
    /// or a value.
    pub(super) fn parameter_attributes(
        &mut self,
        attributes: &mut ParameterAttributes,
    ) -> Parse<()> {
        loop {
            match self.token {
                Token::String(_) => {
                    self.advance()?;
                    self.attribute_value()?;
                }
                Token::Word(word) => {
                    match word {
                        "noundef" => attributes.noundef = true,
                        "nonnull" => attributes.nonnull = true,
                        "zeroext" => attributes.zero_extend = true,
                        "signext" => attributes.sign_extend = true,
                        "inreg" => attributes.in_register = true,
                        "nest" => attributes.nest = true,
                        "align" => {
                            self.advance()?;
                            attributes.align = self.alignment()?;
                            continue;
                        }
                        "byval" | "sret" => {
                            self.advance()?;
                            self.expect(b'(')?;
                            let ty = self.nested(Self::ty)?;
                            self.expect(b')')?;
                            match word {
                                "byval" => attributes.byval = Some(ty),
                                _ => attributes.sret = Some(ty),
                            }
                            continue;
                        }
                        _ if words::is_constant(word) || super::types::is_type_word(word) => {
                            return Ok(());
                        }
                        _ => {}
                    }
                    self.advance()?;
                    self.attribute_value()?;
                }
                _ => return Ok(()),
            }
        }
    }
}
