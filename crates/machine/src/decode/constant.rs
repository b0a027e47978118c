//! Constants: as values in registers, and as the first contents of globals.

use super::{Context, Target};
use crate::arith;
use crate::code::{Cast, Flags};
use crate::object::Object;
use crate::value::{FUNCTION, Scalar, Value};
use auspex_llvm::ir::{CastOp, ConstantId, ConstantValue, Expression, Type, TypeId};

impl Context<'_> {
    /// The lanes of a constant. What depends on the thread is none, see `Builder::operand`.
    pub fn constant(&self, id: ConstantId) -> Vec<Value> {
        let constant = &self.module.constants[id];
        let scalars = || self.lanes(constant.ty).unwrap_or_default();
        let fill = |value: fn(u8) -> Value| -> Vec<Value> {
            let mut values = Vec::new();
            for (scalar, _) in scalars() {
                match scalar.pair() {
                    Some(pair) => values.extend(pair.map(value)),
                    None => values.push(value(scalar.bits(self.pointer))),
                }
            }
            values
        };
        match &constant.value {
            ConstantValue::Integer(value) => match self.module.types.integer_bits(constant.ty) {
                Some(bits @ 65..) => arith::halves(*value, bits.min(128) as u8).to_vec(),
                _ => vec![Value::number(*value as u64)],
            },
            ConstantValue::Float(bits) => match scalars().first() {
                Some((Scalar::Extended, _)) => arith::halves(*bits, 80).to_vec(),
                _ => vec![Value::number(*bits as u64)],
            },
            ConstantValue::Null | ConstantValue::Zero | ConstantValue::None => {
                fill(|_| Value::NULL)
            }
            ConstantValue::Undef | ConstantValue::Poison => fill(Value::undefined),
            ConstantValue::Bytes(bytes) => {
                bytes.iter().map(|byte| Value::number(u64::from(*byte))).collect()
            }
            ConstantValue::Aggregate(parts) => {
                parts.iter().flat_map(|part| self.constant(*part)).collect()
            }
            ConstantValue::Splat(element) => {
                let count = self.module.types.part_count(constant.ty).unwrap_or(0);
                (0..count).flat_map(|_| self.constant(*element)).collect()
            }
            ConstantValue::Global(id)
            | ConstantValue::DsoLocalEquivalent(id)
            | ConstantValue::NoCfi(id) => match self.targets.get(id) {
                Some(Target::Value(value)) => vec![*value],
                Some(Target::ThreadLocal(_)) => {
                    self.obscured.set(true);
                    vec![Value::NULL]
                }
                None => vec![Value::NULL],
            },
            ConstantValue::BlockAddress { function, block } => {
                let index = self.functions.get(function).copied().unwrap_or(0);
                vec![Value::pointer(FUNCTION | index, u64::from(block.0) + 1)]
            }
            ConstantValue::Expression(expression) => self.expression(constant.ty, expression),
            ConstantValue::WideInteger(_)
            | ConstantValue::InlineAsm(_)
            | ConstantValue::Metadata(_) => fill(Value::undefined),
        }
    }

    fn expression(&self, ty: TypeId, expression: &Expression) -> Vec<Value> {
        let obscured = || {
            self.obscured.set(true);
            self.lanes(ty).unwrap_or_default().iter().map(|_| Value::NULL).collect()
        };
        let first = |id: &ConstantId| self.constant(*id).first().copied().unwrap_or(Value::NULL);
        let scalar_of =
            |ty: TypeId| self.lanes(ty).and_then(|lanes| lanes.first().map(|lane| lane.0));
        match expression {
            Expression::GetElementPtr { source, base, indices, .. } => {
                let base = first(base);
                let (types, constants) = (&self.module.types, &self.module.constants);
                match self.module.layout.gep_offset(types, constants, *source, indices) {
                    Some(offset) => {
                        vec![Value { bits: base.bits.wrapping_add(offset as u64), ..base }]
                    }
                    None => obscured(),
                }
            }
            Expression::Cast { op, value } => {
                let operands = self.constant(*value);
                let from = self.module.constants[*value].ty;
                let (Some(from), Some(to)) = (scalar_of(from), scalar_of(ty)) else {
                    return operands;
                };
                let pair = [
                    operands.first().copied().unwrap_or(Value::NULL),
                    operands.get(1).copied().unwrap_or(Value::NULL),
                ];
                match arith::cast(cast_of(*op), from, to, self.pointer, pair) {
                    Ok(value) => value[..to.lanes() as usize].to_vec(),
                    Err(_) => obscured(),
                }
            }
            Expression::Binary { op, left, right } => {
                let bits = self.module.types.integer_bits(ty).unwrap_or(64).min(64) as u8;
                let result = arith::binary(*op, bits, Flags::default(), first(left), first(right));
                result.map_or_else(|_| obscured(), |value| vec![value])
            }
            Expression::IntegerCompare { predicate, left, right } => {
                let bits =
                    self.module.types.integer_bits(self.module.constants[*left].ty).unwrap_or(64);
                let bits = bits.min(64) as u8;
                let (left, right) = (first(left), first(right));
                let result = arith::compare(*predicate, bits, self.globals, left, right);
                result.map_or_else(|_| obscured(), |value| vec![value])
            }
            Expression::Select { condition, then, otherwise } => {
                self.constant(if first(condition).bits != 0 { *then } else { *otherwise })
            }
            _ => obscured(),
        }
    }

    /// Writes a constant into an object.
    pub fn write_constant(&self, object: &mut Object, at: u64, id: ConstantId) {
        let constant = &self.module.constants[id];
        let (types, layout) = (&self.module.types, &self.module.layout);
        match &constant.value {
            ConstantValue::Zero | ConstantValue::Null => {}
            ConstantValue::Undef | ConstantValue::Poison => {
                let size = layout.size_of(types, constant.ty).unwrap_or(0);
                let (start, end) = (at as usize, (at + size) as usize);
                if end <= object.bytes.len() {
                    object.set_undef(start..end, &vec![0xff; end - start]);
                }
            }
            ConstantValue::Bytes(bytes) => {
                let start = at as usize;
                if let Some(place) = object.bytes.get_mut(start..start + bytes.len()) {
                    place.copy_from_slice(bytes);
                }
            }
            ConstantValue::Aggregate(parts) => {
                let vector = matches!(types[constant.ty], Type::Vector { .. });
                for (index, part) in parts.iter().enumerate() {
                    let offset = match vector {
                        true => layout
                            .size_of(types, types.scalar(constant.ty))
                            .map(|s| s * index as u64),
                        false => layout.part_offset(types, constant.ty, index as u64),
                    };
                    if let Some(offset) = offset {
                        self.write_constant(object, at + offset, *part);
                    }
                }
            }
            _ => {
                let lanes = self.lanes(constant.ty).unwrap_or_default();
                let mut values = self.constant(id).into_iter();
                for (scalar, offset) in lanes {
                    self.write_scalar(object, at + u64::from(offset), scalar, &mut values);
                }
            }
        }
    }

    fn write_scalar(
        &self,
        object: &mut Object,
        at: u64,
        scalar: Scalar,
        values: &mut impl Iterator<Item = Value>,
    ) {
        let width = u32::from(self.pointer);
        let bytes = scalar.bytes(self.pointer);
        if at + u64::from(bytes) > object.size() {
            return;
        }
        let at = at as u32;
        let mut next = || values.next().unwrap_or(Value::NULL);
        let low = next();
        let high = if scalar.lanes() == 2 { next() } else { Value::NULL };
        object.store_lanes(at, scalar, width, [low, high]);
    }
}

pub(super) fn cast_of(op: CastOp) -> Cast {
    match op {
        CastOp::Truncate => Cast::Truncate,
        CastOp::ZeroExtend => Cast::ZeroExtend,
        CastOp::SignExtend => Cast::SignExtend,
        CastOp::FloatTruncate | CastOp::FloatExtend => Cast::Float,
        CastOp::FloatToUnsigned => Cast::ToUnsigned,
        CastOp::FloatToSigned => Cast::ToSigned,
        CastOp::UnsignedToFloat => Cast::FromUnsigned,
        CastOp::SignedToFloat => Cast::FromSigned,
        CastOp::PointerToInteger | CastOp::PointerToAddress => Cast::ToInteger,
        CastOp::IntegerToPointer => Cast::ToPointer,
        CastOp::Bitcast | CastOp::AddressSpaceCast => Cast::Bits,
    }
}
