//! The types of the source.

use super::decode::Decoder;
use super::*;
use crate::read::metadata::{NodeId, Value};

impl<'t> Decoder<'_, 't> {
    pub(super) fn ty(&mut self, node: NodeId) -> DebugType {
        let kind = match self.metadata.kind(node) {
            "DIBasicType" | "DIFixedPointType" | "DIStringType" => self.base_type(node),
            "DIDerivedType" => self.derived_type(node),
            "DICompositeType" => self.composite_type(node),
            "DISubroutineType" => self.subroutine_type(node),
            "DISubrangeType" => TypeKind::Typedef(self.type_of(node, "baseType")),
            _ => TypeKind::Unknown,
        };
        DebugType {
            name: self.string(node, "name"),
            file: self.file(node),
            line: self.metadata.unsigned32(node, "line"),
            size_bits: self.metadata.unsigned(node, "size"),
            scope: self.scope_of(node),
            kind,
        }
    }

    fn base_type(&self, node: NodeId) -> TypeKind {
        if self.metadata.word(node, "tag") == "DW_TAG_unspecified_type" {
            return TypeKind::Unspecified;
        }
        TypeKind::Base(match self.metadata.word(node, "encoding") {
            "DW_ATE_boolean" => Encoding::Boolean,
            "DW_ATE_signed" => Encoding::Signed,
            "DW_ATE_unsigned" => Encoding::Unsigned,
            "DW_ATE_signed_char" => Encoding::SignedCharacter,
            "DW_ATE_unsigned_char" => Encoding::UnsignedCharacter,
            "DW_ATE_UTF" => Encoding::Unicode,
            "DW_ATE_float" => Encoding::Float,
            "DW_ATE_complex_float" => Encoding::ComplexFloat,
            "DW_ATE_address" => Encoding::Address,
            _ => Encoding::Other,
        })
    }

    fn derived_type(&mut self, node: NodeId) -> TypeKind {
        let to = self.type_of(node, "baseType");
        match self.metadata.word(node, "tag") {
            "DW_TAG_pointer_type" => TypeKind::Pointer(to),
            "DW_TAG_reference_type" => TypeKind::Reference { to, rvalue: false },
            "DW_TAG_rvalue_reference_type" => TypeKind::Reference { to, rvalue: true },
            "DW_TAG_ptr_to_member_type" => {
                TypeKind::MemberPointer { to, class: self.type_of(node, "extraData") }
            }
            "DW_TAG_typedef" | "DW_TAG_template_alias" => TypeKind::Typedef(to),
            "DW_TAG_const_type" => TypeKind::Qualified(Qualifier::Const, to),
            "DW_TAG_volatile_type" => TypeKind::Qualified(Qualifier::Volatile, to),
            "DW_TAG_restrict_type" => TypeKind::Qualified(Qualifier::Restrict, to),
            "DW_TAG_atomic_type" => TypeKind::Qualified(Qualifier::Atomic, to),
            _ => TypeKind::Unknown,
        }
    }

    fn composite_type(&mut self, node: NodeId) -> TypeKind {
        let declaration = self.has_flag(node, "DIFlagFwdDecl");
        let elements =
            self.metadata.node(node, "elements").map_or(Vec::new(), |list| self.elements(list));
        match self.metadata.word(node, "tag") {
            "DW_TAG_structure_type" => self.record(RecordKeyword::Struct, declaration, &elements),
            "DW_TAG_class_type" => self.record(RecordKeyword::Class, declaration, &elements),
            "DW_TAG_union_type" => self.record(RecordKeyword::Union, declaration, &elements),
            "DW_TAG_array_type" => {
                let dimensions = elements.iter().map(|node| self.dimension(*node)).collect();
                TypeKind::Array {
                    element: self.type_of(node, "baseType"),
                    dimensions,
                    vector: self.has_flag(node, "DIFlagVector"),
                }
            }
            "DW_TAG_enumeration_type" => {
                let enumerators = elements.iter().map(|node| self.enumerator(*node)).collect();
                TypeKind::Enumeration {
                    underlying: self.type_of(node, "baseType"),
                    enumerators,
                    declaration,
                }
            }
            // Only ever a part of a Rust enum; by itself, a struct of that part.
            "DW_TAG_variant_part" => {
                let variants = Some(self.variant_part(node, &elements));
                TypeKind::Record(Box::new(Record {
                    kind: RecordKeyword::Union,
                    declaration,
                    members: Box::default(),
                    bases: Box::default(),
                    variants,
                }))
            }
            _ => TypeKind::Unknown,
        }
    }

    fn record(&mut self, kind: RecordKeyword, declaration: bool, elements: &[NodeId]) -> TypeKind {
        let (mut members, mut bases, mut variants) = (Vec::new(), Vec::new(), None);
        for element in elements {
            match self.metadata.word(*element, "tag") {
                "DW_TAG_member" | "DW_TAG_variable" => members.push(self.member(*element)),
                "DW_TAG_inheritance" => bases.push(Base {
                    ty: self.type_of(*element, "baseType"),
                    offset_bits: self.metadata.unsigned(*element, "offset"),
                    is_virtual: self.has_flag(*element, "DIFlagVirtual"),
                }),
                "DW_TAG_variant_part" => {
                    let parts = self.metadata.node(*element, "elements");
                    let parts = parts.map_or(Vec::new(), |list| self.elements(list));
                    variants = Some(self.variant_part(*element, &parts));
                }
                // Methods are functions, and types declared inside have entries of their own.
                _ => {}
            }
        }
        let (members, bases) = (members.into(), bases.into());
        TypeKind::Record(Box::new(Record { kind, declaration, members, bases, variants }))
    }

    fn member(&mut self, node: NodeId) -> Member {
        let is_static = self.has_flag(node, "DIFlagStaticMember")
            || self.metadata.word(node, "tag") == "DW_TAG_variable";
        Member {
            name: self.string(node, "name"),
            ty: self.type_of(node, "baseType"),
            offset_bits: self.metadata.unsigned(node, "offset"),
            size_bits: self.metadata.unsigned(node, "size"),
            bit_field: self.has_flag(node, "DIFlagBitField"),
            is_static,
            artificial: self.has_flag(node, "DIFlagArtificial"),
        }
    }

    fn variant_part(&mut self, node: NodeId, elements: &[NodeId]) -> VariantPart {
        let discriminator = self.metadata.node(node, "discriminator");
        let discriminator = discriminator.map(|node| self.member(node));
        let variants = elements.iter().map(|element| Variant {
            discriminant: self.constant(self.metadata.field(*element, "extraData")),
            member: self.member(*element),
        });
        VariantPart { discriminator, variants: variants.collect() }
    }

    fn dimension(&mut self, node: NodeId) -> Dimension {
        let bound = |value: Value<'t>| match self.constant(value) {
            Some(value) => i64::try_from(value as i128).ok(),
            None => None,
        };
        let lower = bound(self.metadata.field(node, "lowerBound")).unwrap_or(0);
        let count = self.metadata.field(node, "count");
        let upper = self.metadata.field(node, "upperBound");
        let count = match (count, upper) {
            (Value::Node(_), _) | (Value::Null, Value::Node(_)) => Count::Variable,
            (Value::Null, Value::Null) => Count::Unknown,
            (Value::Null, upper) => match bound(upper) {
                Some(upper) => Count::Known(upper.wrapping_sub(lower).wrapping_add(1) as u64),
                None => Count::Unknown,
            },
            // -1 is written for an array of unknown length.
            (count, _) => match bound(count).map(u64::try_from) {
                Some(Ok(count)) => Count::Known(count),
                _ => Count::Unknown,
            },
        };
        Dimension { lower, count }
    }

    fn enumerator(&mut self, node: NodeId) -> Enumerator {
        Enumerator {
            name: self.string(node, "name"),
            value: self.metadata.integer(node, "value").unwrap_or(0),
            unsigned: self.metadata.word(node, "isUnsigned") == "true",
        }
    }

    fn subroutine_type(&mut self, node: NodeId) -> TypeKind {
        let Some(list) = self.metadata.node(node, "types") else {
            return TypeKind::Subroutine {
                result: None,
                parameters: Box::default(),
                variadic: false,
            };
        };
        let mut result = None;
        let (mut parameters, mut variadic) = (Vec::new(), false);
        for (index, value) in self.values(list).into_iter().enumerate() {
            match (index, value) {
                (0, Value::Node(node)) => result = Some(self.types.index(node)),
                (0, _) => {}
                (_, Value::Node(node)) => parameters.push(self.types.index(node)),
                // A null after the result stands for `...`.
                _ => variadic = true,
            }
        }
        TypeKind::Subroutine { result, parameters: parameters.into(), variadic }
    }
}
