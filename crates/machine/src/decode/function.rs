//! Decoding one function.

use super::constant::cast_of;
use super::promote::promoted;
use super::{Context, Target, inner};
use crate::code::{Arg, Cast, Code, Flags, Function, LocalVariable, Recast, Reg, Switch};
use crate::value::{Scalar, Value, mask};
use auspex_llvm::debug::{LocationId, RecordKind, RecordValue, VariableId};
use auspex_llvm::ir::{
    BinaryOp, BlockId, Body, ConstantId, ConstantValue, Expression, GetElementPtr, Instruction,
    IntegerPredicate, LocalId, Op, Operand, Type, TypeId,
};
use rustc_hash::FxHashMap;

/// Registers and what they get.
type Copies = Box<[(Reg, Arg)]>;

pub(super) struct Builder<'c, 'm> {
    pub context: &'c mut Context<'m>,
    pub body: &'c Body,
    pub function: &'c mut Function,
    /// Where each local's registers begin.
    pub registers: Vec<Reg>,
    pub promoted: Vec<Option<Scalar>>,
    pub location: Option<LocationId>,
    block: BlockId,
    /// Stubs for edges into blocks that begin with a phi: the copies, and the block.
    stubs: Vec<(Copies, BlockId)>,
    edges: FxHashMap<(BlockId, BlockId), u32>,
    /// Variables that live in objects, by their alloca.
    variables: FxHashMap<LocalId, VariableId>,
    /// Where the objects of local variables are made.
    allocas: FxHashMap<LocalId, u32>,
    pub only_accessed: Vec<bool>,
    pub definitions: Vec<Option<u32>>,
}

/// Fills in the code of a function.
pub fn decode(context: &mut Context<'_>, function: &mut Function, body: &Body) {
    let promoted = promoted(context, body);
    let mut builder = Builder {
        context,
        body,
        function,
        registers: Vec::new(),
        promoted,
        location: None,
        block: BlockId::ENTRY,
        stubs: Vec::new(),
        edges: FxHashMap::default(),
        variables: FxHashMap::default(),
        allocas: FxHashMap::default(),
        only_accessed: inner::only_accessed(body),
        definitions: inner::definitions(body),
    };
    builder.assign_registers();
    builder.name_variables();
    for block in body.block_ids() {
        builder.block(block);
    }
    builder.finish();
}

impl Builder<'_, '_> {
    fn assign_registers(&mut self) {
        for (index, local) in self.body.locals.iter().enumerate() {
            if index as u32 == self.body.parameter_count {
                self.function.parameters = self.function.registers.len() as u32;
            }
            self.registers.push(self.function.registers.len() as Reg);
            let lanes = match self.promoted[index] {
                Some(scalar) => vec![(scalar, 0)],
                None => self.context.lanes(local.ty).unwrap_or_default(),
            };
            lanes.iter().for_each(|(scalar, _)| self.add_scalar(*scalar));
        }
        if self.body.locals.len() as u32 == self.body.parameter_count {
            self.function.parameters = self.function.registers.len() as u32;
        }
    }

    fn add_scalar(&mut self, scalar: Scalar) {
        match scalar.pair() {
            Some(pair) => self.function.registers.extend(pair.map(Scalar::Int)),
            None => self.function.registers.push(scalar),
        }
    }

    pub fn temporary(&mut self, scalar: Scalar) -> Reg {
        self.add_scalar(scalar);
        self.function.registers.len() as Reg - scalar.lanes()
    }

    fn name_variables(&mut self) {
        for record in &self.body.records {
            let RecordKind::Declare {
                variable,
                value: RecordValue::Operand(Operand::Local(local)),
                expression,
            } = &record.kind
            else {
                continue;
            };
            if !self.context.module.debug.expressions[expression.0 as usize].ops.is_empty() {
                continue;
            }
            self.variables.insert(*local, *variable);
            let promoted = self.promoted[local.0 as usize];
            let (address, lanes) = (promoted.is_none(), promoted.map_or(1, Scalar::lanes));
            let (register, variable) = (self.registers[local.0 as usize], *variable);
            self.function.locals.push(LocalVariable { register, lanes, variable, address });
        }
    }

    pub fn emit(&mut self, code: Code) {
        self.function.code.push(code);
        self.function.locations.push(self.location);
    }

    pub fn unsupported(&mut self, what: impl Into<Box<str>>) {
        self.emit(Code::Unsupported(what.into()));
    }

    fn block(&mut self, block: BlockId) {
        self.block = block;
        self.function.blocks.push(self.function.code.len() as u32);
        for instruction in self.body.block(block) {
            self.location = instruction.location;
            let start = self.function.code.len();
            let known = self.instruction(instruction);
            if self.context.obscured.take() {
                self.function.code.truncate(start);
                self.function.locations.truncate(start);
                self.unsupported("a constant that is made of the bits of a pointer");
            } else if known.is_none() {
                let ty = self.context.module.type_text(instruction.ty);
                self.unsupported(format!(
                    "an instruction on a type that the machine does not have ({ty})"
                ));
            }
        }
    }

    /// Stubs follow the blocks; then block numbers become places.
    fn finish(&mut self) {
        let blocks = self.body.blocks.len() as u32;
        self.location = None;
        for (copies, to) in std::mem::take(&mut self.stubs) {
            self.function.blocks.push(self.function.code.len() as u32);
            self.emit(Code::Parallel(copies));
            self.emit(Code::Jump(to.0));
        }
        let starts = self.function.blocks.clone();
        debug_assert!(starts.len() as u32 >= blocks);
        let place = |target: &mut u32| *target = starts[*target as usize];
        for code in &mut self.function.code {
            match code {
                Code::Jump(to) => place(to),
                Code::Branch { then, otherwise, .. } => {
                    place(then);
                    place(otherwise);
                }
                Code::Switch(switch) => {
                    switch.cases.iter_mut().for_each(|case| place(&mut case.1));
                    place(&mut switch.default);
                }
                Code::IndirectJump { targets, .. } => {
                    targets.iter_mut().for_each(|target| place(&mut target.1));
                }
                Code::Call(call) => call.unwind.iter_mut().for_each(place),
                _ => {}
            }
        }
    }

    /// Where an edge leads: to the block, or to a stub that gives its phis their values.
    pub fn edge(&mut self, to: BlockId) -> u32 {
        let from = self.block;
        if let Some(known) = self.edges.get(&(from, to)) {
            return *known;
        }
        let mut copies = Vec::new();
        for instruction in self.body.block(to) {
            let (Op::Phi(entries), Some(local)) = (&instruction.op, instruction.result) else {
                break;
            };
            if let Some((value, _)) = entries.iter().find(|(_, block)| *block == from) {
                let first = self.registers[local.0 as usize];
                // A value that depends on the thread cannot be computed on an edge; none is in use.
                for (lane, arg) in self.plain_operand(*value).into_iter().enumerate() {
                    copies.push((first + lane as u32, arg));
                }
            }
        }
        let target = match copies.is_empty() {
            true => to.0,
            false => {
                self.stubs.push((copies.into(), to));
                (self.body.blocks.len() + self.stubs.len() - 1) as u32
            }
        };
        self.edges.insert((from, to), target);
        target
    }

    fn plain_operand(&mut self, operand: Operand) -> Vec<Arg> {
        match operand {
            Operand::Local(local) => self.local(local),
            Operand::Constant(id) => match self.thread_local(id) {
                Some(index) => vec![Arg::ThreadLocal(index)],
                None => self.constant(id),
            },
        }
    }

    fn constant(&mut self, id: ConstantId) -> Vec<Arg> {
        let values = self.context.constant(id);
        values.into_iter().map(|value| Arg::Const(self.context.pooled(value))).collect()
    }

    fn thread_local(&self, id: ConstantId) -> Option<u32> {
        match self.context.module.constants[id].value {
            ConstantValue::Global(global) => match self.context.targets.get(&global) {
                Some(Target::ThreadLocal(index)) => Some(*index),
                _ => None,
            },
            _ => None,
        }
    }

    fn local(&self, local: LocalId) -> Vec<Arg> {
        let first = self.registers[local.0 as usize];
        let lanes = self.context.lanes(self.body.locals[local.0 as usize].ty).unwrap_or_default();
        let count: u32 = lanes.iter().map(|(scalar, _)| scalar.lanes()).sum();
        (first..first + count).map(Arg::Reg).collect()
    }

    /// The lanes of an operand. What has to be computed first is.
    pub fn operand(&mut self, operand: Operand) -> Vec<Arg> {
        let Operand::Constant(id) = operand else { return self.plain_operand(operand) };
        if let ConstantValue::Expression(expression) = &self.context.module.constants[id].value {
            match &**expression {
                Expression::GetElementPtr { source, base, indices, .. } => {
                    let base_arg = self.operand(Operand::Constant(*base));
                    if let [a @ (Arg::ThreadLocal(_) | Arg::Reg(_))] = base_arg[..] {
                        let module = self.context.module;
                        let offset = module.layout.gep_offset(
                            &module.types,
                            &module.constants,
                            *source,
                            indices,
                        );
                        return vec![Arg::Reg(self.address(a, offset.unwrap_or(0)))];
                    }
                }
                Expression::Cast { value, .. } => {
                    let inner = self.operand(Operand::Constant(*value));
                    if matches!(inner[..], [Arg::ThreadLocal(_) | Arg::Reg(_)]) {
                        return inner;
                    }
                }
                _ => {}
            }
        }
        self.plain_operand(operand)
    }

    fn undefine(&mut self, first: Reg, scalar: Scalar) {
        let pair = scalar.pair().unwrap_or([scalar.bits(self.context.pointer), 0]);
        for lane in 0..scalar.lanes() {
            let undefined = Value::undefined(pair[lane as usize]);
            let a = Arg::Const(self.context.pooled(undefined));
            self.emit(Code::Copy { dst: first + lane, a });
        }
    }

    /// Was it changed by the compiler's optimiser?
    pub fn is_optimised(&self) -> bool {
        self.function.runtime || self.context.optimised
    }

    /// The block of a variable begins or ends. In optimised code the marks have been moved about: an
    /// address may be computed before its variable begins.
    pub fn lifetime(&mut self, variable: Operand, begins: bool) {
        if self.is_optimised() {
            return;
        }
        if let Some((register, scalar)) = self.promoted_register(variable) {
            return self.undefine(register, scalar);
        }
        let Operand::Local(local) = variable else { return };
        if let Some(alloca) = self.allocas.get(&local).copied() {
            let dst = self.registers[local.0 as usize];
            self.emit(match begins {
                true => Code::Begin { dst, alloca },
                false => Code::End { variable: Arg::Reg(dst) },
            });
        }
    }

    fn address(&mut self, a: Arg, offset: i64) -> Reg {
        let dst = self.temporary(Scalar::Pointer);
        let index = self.number(0);
        self.emit(Code::Address { dst, a, index, bits: 64, scale: 0, offset, inbounds: true });
        dst
    }

    pub fn number(&mut self, value: u64) -> Arg {
        Arg::Const(self.context.pooled(Value::number(value)))
    }

    pub fn one(&mut self, operand: Operand) -> Option<Arg> {
        self.operand(operand).first().copied()
    }

    /// The registers of a scalar; where it has one, that one twice.
    fn lanes_of(&mut self, operand: Operand, scalar: Scalar) -> Option<[Arg; 2]> {
        let lanes = self.operand(operand);
        Some([*lanes.first()?, *lanes.get(scalar.lanes() as usize - 1)?])
    }

    pub fn dst(&self, instruction: &Instruction) -> Reg {
        instruction.result.map_or(0, |local| self.registers[local.0 as usize])
    }

    pub fn type_of(&self, operand: Operand) -> TypeId {
        self.context.module.operand_type(self.body, operand)
    }

    pub fn scalars(&self, ty: TypeId) -> Option<Vec<Scalar>> {
        Some(self.context.lanes(ty)?.into_iter().map(|lane| lane.0).collect())
    }

    fn promoted_register(&self, pointer: Operand) -> Option<(Reg, Scalar)> {
        let Operand::Local(local) = pointer else { return None };
        let scalar = self.promoted[local.0 as usize]?;
        Some((self.registers[local.0 as usize], scalar))
    }

    /// `None`: on a type that the machine does not have.
    fn instruction(&mut self, instruction: &Instruction) -> Option<()> {
        let dst = self.dst(instruction);
        match &instruction.op {
            Op::Return(value) => {
                let lanes = value.map(|value| self.operand(value)).unwrap_or_default();
                self.emit(Code::Return(lanes.into()));
            }
            Op::Jump(to) => {
                let to = self.edge(*to);
                self.emit(Code::Jump(to));
            }
            Op::Branch { condition, then, otherwise } => {
                let condition = self.one(*condition)?;
                let (then, otherwise) = (self.edge(*then), self.edge(*otherwise));
                self.emit(Code::Branch { condition, then, otherwise });
            }
            Op::Switch(switch) => self.switch(switch)?,
            Op::IndirectBranch { address, targets } => {
                let address = self.one(*address)?;
                let targets = targets.iter().map(|to| (to.0, self.edge(*to))).collect();
                self.emit(Code::IndirectJump { address, targets });
            }
            Op::Unreachable => self.emit(Code::Unreachable),
            Op::Call(call) => self.call(instruction, call, None)?,
            Op::Invoke(invoke) => {
                let unwind = self.edge(invoke.unwind);
                self.call(instruction, &invoke.call, Some(unwind))?;
                let normal = self.edge(invoke.normal);
                self.emit(Code::Jump(normal));
            }
            Op::CallBranch(_) => self.unsupported("`asm goto`"),
            Op::Resume(_) | Op::LandingPad(_) => self.unsupported("exceptions come with C++"),
            Op::CatchSwitch(_)
            | Op::CatchReturn { .. }
            | Op::CleanupReturn { .. }
            | Op::CatchPad { .. }
            | Op::CleanupPad { .. } => self.unsupported("exceptions of Windows"),
            Op::Binary { op, flags, left, right } => {
                let flags = Flags { nsw: flags.nsw, nuw: flags.nuw, exact: flags.exact };
                let scalars = self.scalars(instruction.ty)?;
                let (a, b) = (self.operand(*left), self.operand(*right));
                self.note_constants(*op, &a, &b);
                self.binary(*op, flags, &scalars, dst, &a, &b);
            }
            Op::Negate(value) => {
                let (a, mut at) = (self.operand(*value), 0);
                for scalar in self.scalars(instruction.ty)? {
                    self.negate(scalar, dst + at as u32, &a[at..]);
                    at += scalar.lanes() as usize;
                }
            }
            Op::IntegerCompare { predicate, left, right, .. } => {
                let scalars = self.scalars(self.type_of(*left))?;
                let (a, b) = (self.operand(*left), self.operand(*right));
                self.interesting(&a);
                self.interesting(&b);
                let mut at = 0;
                for (lane, scalar) in scalars.into_iter().enumerate() {
                    let (dst, predicate) = (dst + lane as u32, *predicate);
                    match scalar {
                        Scalar::Wide(bits) => {
                            let (a, b) = ([a[at], a[at + 1]], [b[at], b[at + 1]]);
                            self.emit(Code::WideCompare { predicate, bits, dst, a, b });
                        }
                        _ => {
                            let bits = scalar.bits(self.context.pointer);
                            self.emit(Code::Compare { predicate, bits, dst, a: a[at], b: b[at] });
                        }
                    }
                    at += scalar.lanes() as usize;
                }
            }
            Op::FloatCompare { predicate, left, right } => {
                let scalars = self.scalars(self.type_of(*left))?;
                let (a, b) = (self.operand(*left), self.operand(*right));
                let mut at = 0;
                for (lane, scalar) in scalars.into_iter().enumerate() {
                    let (dst, predicate) = (dst + lane as u32, *predicate);
                    self.emit(match scalar {
                        Scalar::Extended => {
                            let (a, b) = ([a[at], a[at + 1]], [b[at], b[at + 1]]);
                            Code::ExtendedCompare { predicate, dst, a, b }
                        }
                        _ => {
                            let (single, a, b) = (scalar == Scalar::Single, a[at], b[at]);
                            Code::FloatCompare { predicate, single, dst, a, b }
                        }
                    });
                    at += scalar.lanes() as usize;
                }
            }
            Op::Cast { op, value, from, .. } => {
                let (from, to) = (self.scalars(*from)?, self.scalars(instruction.ty)?);
                let a = self.operand(*value);
                self.cast(cast_of(*op), &from, &to, dst, &a);
            }
            Op::Select { condition, then, otherwise } => {
                let condition = self.operand(*condition);
                let (a, b) = (self.operand(*then), self.operand(*otherwise));
                for lane in 0..a.len() {
                    // One condition for all lanes, or one for each element.
                    let condition = condition[if condition.len() == 1 { 0 } else { lane }];
                    self.emit(Code::Select {
                        dst: dst + lane as u32,
                        condition,
                        a: a[lane],
                        b: b[lane],
                    });
                }
            }
            Op::Freeze(value) => {
                let a = self.operand(*value);
                for (lane, a) in a.into_iter().enumerate() {
                    self.emit(Code::Freeze { dst: dst + lane as u32, a });
                }
            }
            Op::Phi(_) => {}
            Op::Alloca { allocated, count, .. } => {
                let local = instruction.result?;
                if let Some(scalar) = self.promoted[local.0 as usize] {
                    // Each time round, a new variable.
                    self.undefine(dst, scalar);
                    return Some(());
                }
                let size = self.context.size_of(*allocated)?;
                let count = match count {
                    Some(count) => Some(self.one(*count)?),
                    None => None,
                };
                let variable = self.variables.get(&local).copied();
                if count.is_none() {
                    self.allocas.insert(local, self.function.code.len() as u32);
                }
                self.emit(Code::Alloca { dst, size, count, variable });
            }
            Op::Load { pointer, atomic, .. } => {
                if let Some((register, scalar)) = self.promoted_register(*pointer) {
                    for lane in 0..scalar.lanes() {
                        self.emit(Code::Copy { dst: dst + lane, a: Arg::Reg(register + lane) });
                    }
                    return Some(());
                }
                if self.context.is_bit_vector(instruction.ty) {
                    return None;
                }
                let pointer = self.one(*pointer)?;
                let mut dst = dst;
                for (scalar, offset) in self.context.lanes(instruction.ty)? {
                    self.emit(Code::Load {
                        dst,
                        pointer,
                        offset,
                        scalar,
                        atomic: atomic.is_some(),
                    });
                    dst += scalar.lanes();
                }
            }
            Op::Store { value, stored, pointer, atomic, .. } => {
                let values = self.operand(*value);
                if let Some((register, scalar)) = self.promoted_register(*pointer) {
                    for lane in 0..scalar.lanes() {
                        self.emit(Code::SetLocal {
                            dst: register + lane,
                            a: values[lane as usize],
                        });
                    }
                    return Some(());
                }
                if self.context.is_bit_vector(*stored) {
                    return None;
                }
                let pointer = self.one(*pointer)?;
                let mut at = 0;
                for (scalar, offset) in self.context.lanes(*stored)? {
                    let value = [values[at], values[at + scalar.lanes() as usize - 1]];
                    self.emit(Code::Store {
                        value,
                        pointer,
                        offset,
                        scalar,
                        atomic: atomic.is_some(),
                    });
                    at += scalar.lanes() as usize;
                }
            }
            Op::CompareExchange(exchange) => {
                let pointer = self.one(exchange.pointer)?;
                let [scalar] = self.scalars(exchange.ty)?[..] else { return None };
                let expected = self.lanes_of(exchange.expected, scalar)?;
                let new = self.lanes_of(exchange.replacement, scalar)?;
                self.interesting(&expected[..scalar.lanes() as usize]);
                let weak = exchange.weak;
                self.emit(Code::CompareExchange { dst, pointer, scalar, expected, new, weak });
            }
            Op::AtomicUpdate(update) => {
                let pointer = self.one(update.pointer)?;
                let [scalar] = self.scalars(update.ty)?[..] else { return None };
                let value = self.lanes_of(update.value, scalar)?;
                self.emit(Code::Update { op: update.op, dst, pointer, scalar, value });
            }
            Op::Fence(_) => self.emit(Code::Fence),
            Op::GetElementPtr(gep) => self.element_pointer(gep, instruction.result, dst)?,
            Op::ExtractElement { vector, index } => {
                let (lanes, width) = (self.operand(*vector), self.element_lanes(*vector)?);
                let index = self.one(*index)?;
                let at = self.constant_number(index);
                for part in 0..width {
                    let dst = dst + part as u32;
                    match at {
                        Some(at) => {
                            let a = *lanes.get(at as usize * width + part)?;
                            self.emit(Code::Copy { dst, a });
                        }
                        None => {
                            let lanes = lanes.iter().copied().skip(part).step_by(width).collect();
                            self.emit(Code::Pick { dst, lanes, index });
                        }
                    }
                }
            }
            Op::InsertElement { vector, element, index } => {
                let (lanes, width) = (self.operand(*vector), self.element_lanes(*vector)?);
                let (element, index) = (self.operand(*element), self.one(*index)?);
                let at = self.constant_number(index);
                for (lane, a) in lanes.iter().enumerate() {
                    let here = at == Some((lane / width) as u64);
                    let a = if here { *element.get(lane % width)? } else { *a };
                    self.emit(Code::Copy { dst: dst + lane as u32, a });
                }
                match (at, &element[..]) {
                    (Some(_), _) => {}
                    (None, &[element]) => {
                        self.emit(Code::Put { dst, count: lanes.len() as u32, element, index });
                    }
                    _ => return None,
                }
            }
            Op::ShuffleVector { left, right, mask } => {
                let (mut lanes, width) = (self.operand(*left), self.element_lanes(*left)?);
                lanes.extend(self.operand(*right));
                let scalar = *self.scalars(self.type_of(*left))?.first()?;
                let pair = scalar.pair().unwrap_or([scalar.bits(self.context.pointer), 0]);
                for (lane, from) in mask.iter().enumerate() {
                    for (part, bits) in pair.iter().enumerate().take(width) {
                        let a = match from {
                            Some(from) => *lanes.get(*from as usize * width + part)?,
                            None => Arg::Const(self.context.pooled(Value::undefined(*bits))),
                        };
                        self.emit(Code::Copy { dst: dst + (lane * width + part) as u32, a });
                    }
                }
            }
            Op::ExtractValue { aggregate, indices } => {
                let lanes = self.operand(*aggregate);
                let (first, count) = self.part(self.type_of(*aggregate), indices)?;
                for lane in 0..count {
                    self.emit(Code::Copy { dst: dst + lane, a: lanes[(first + lane) as usize] });
                }
            }
            Op::InsertValue { aggregate, element, indices } => {
                let mut lanes = self.operand(*aggregate);
                let (first, count) = self.part(self.type_of(*aggregate), indices)?;
                let element = self.operand(*element);
                lanes.splice(first as usize..(first + count) as usize, element);
                for (lane, a) in lanes.into_iter().enumerate() {
                    self.emit(Code::Copy { dst: dst + lane as u32, a });
                }
            }
            Op::VaArg { .. } => self.unsupported("the instruction va_arg"),
        }
        Some(())
    }

    /// Which lanes a part of an aggregate has.
    fn part(&self, ty: TypeId, indices: &[u32]) -> Option<(u32, u32)> {
        let lanes_of = |ty: TypeId| -> Option<u32> {
            Some(self.scalars(ty)?.iter().map(|scalar| scalar.lanes()).sum())
        };
        let (mut ty, mut first) = (ty, 0);
        for index in indices {
            for before in 0..*index {
                first += lanes_of(self.context.module.types.part(ty, u64::from(before))?)?;
            }
            ty = self.context.module.types.part(ty, u64::from(*index))?;
        }
        Some((first, lanes_of(ty)?))
    }

    pub fn constant_number(&self, arg: Arg) -> Option<u64> {
        match arg {
            Arg::Const(index) => {
                let value = self.context.pool[index as usize];
                (value.object == 0 && value.undef == 0).then_some(value.bits)
            }
            _ => None,
        }
    }

    /// Constants that the program compares with are worth trying as inputs.
    fn interesting(&mut self, args: &[Arg]) {
        for arg in args {
            self.context.interesting.extend(self.constant_number(*arg));
        }
    }

    fn note_constants(&mut self, op: BinaryOp, a: &[Arg], b: &[Arg]) {
        if matches!(op, BinaryOp::UnsignedRem | BinaryOp::SignedRem | BinaryOp::Sub | BinaryOp::Add)
        {
            self.interesting(a);
            self.interesting(b);
        }
    }

    pub fn binary(
        &mut self,
        op: BinaryOp,
        flags: Flags,
        scalars: &[Scalar],
        dst: Reg,
        a: &[Arg],
        b: &[Arg],
    ) {
        let mut at = 0;
        for scalar in scalars {
            let to = dst + at as u32;
            match scalar {
                Scalar::Int(bits) => {
                    self.emit(Code::Binary { op, bits: *bits, flags, dst: to, a: a[at], b: b[at] });
                }
                Scalar::Wide(bits) => {
                    let (a, b) = ([a[at], a[at + 1]], [b[at], b[at + 1]]);
                    self.emit(Code::WideBinary { op, bits: *bits, flags, dst: to, a, b });
                }
                Scalar::Extended => {
                    let (a, b) = ([a[at], a[at + 1]], [b[at], b[at + 1]]);
                    self.emit(Code::ExtendedBinary { op, dst: to, a, b });
                }
                scalar => {
                    let single = *scalar == Scalar::Single;
                    self.emit(Code::Float { op, single, dst: to, a: a[at], b: b[at] });
                }
            }
            at += scalar.lanes() as usize;
        }
    }

    fn negate(&mut self, scalar: Scalar, dst: Reg, a: &[Arg]) {
        if scalar != Scalar::Extended {
            let single = scalar == Scalar::Single;
            return self.emit(Code::FloatNegate { single, dst, a: a[0] });
        }
        // The sign is a bit of the second register.
        self.emit(Code::Copy { dst, a: a[0] });
        let (op, flags, sign) = (BinaryOp::Xor, Flags::default(), self.number(0x8000));
        self.emit(Code::Binary { op, bits: 16, flags, dst: dst + 1, a: a[1], b: sign });
    }

    fn cast(&mut self, op: Cast, from: &[Scalar], to: &[Scalar], dst: Reg, a: &[Arg]) {
        if op == Cast::Bits && from.len() != to.len() {
            let bits = |scalars: &[Scalar], pointer| -> Vec<u8> {
                let mut all = Vec::new();
                for scalar in scalars {
                    match scalar.pair() {
                        Some(pair) => all.extend(pair),
                        None => all.push(scalar.bits(pointer)),
                    }
                }
                all
            };
            let from = bits(from, self.context.pointer);
            let to = bits(to, self.context.pointer).into();
            let from = a.iter().copied().zip(from).collect();
            return self.emit(Code::Recast(Box::new(Recast { dst, from, to })));
        }
        let (mut at, mut dst) = (0, dst);
        for (from, to) in from.iter().zip(to) {
            let pair = [a[at], a[at + from.lanes() as usize - 1]];
            self.emit(Code::Cast { op, from: *from, to: *to, dst, a: pair });
            at += from.lanes() as usize;
            dst += to.lanes();
        }
    }

    fn switch(&mut self, switch: &auspex_llvm::ir::Switch) -> Option<()> {
        let mut value = self.one(switch.value)?;
        let bits = self.context.module.types.integer_bits(switch.ty)?;
        let mut cases = Vec::new();
        if bits > 64 {
            // On the number of the case instead, found by comparing with each.
            let scalar = *self.scalars(switch.ty)?.first()?;
            value = self.number(0);
            for (index, (constant, to)) in switch.cases.iter().enumerate() {
                let number = self.number(index as u64 + 1);
                value = self.chosen_case(switch.value, scalar, *constant, number, value)?;
                cases.push((index as u64 + 1, self.edge(*to)));
            }
        } else {
            for (constant, to) in &switch.cases {
                let number = self.context.constant(*constant).first()?.bits & mask(bits as u8);
                self.context.interesting.push(number);
                cases.push((number, self.edge(*to)));
            }
        }
        cases.sort_unstable();
        let default = self.edge(switch.default);
        let switch = Switch { value, cases: cases.into(), default };
        self.emit(Code::Switch(Box::new(switch)));
        Some(())
    }

    /// How many registers an element of a vector takes.
    fn element_lanes(&self, vector: Operand) -> Option<usize> {
        Some(self.scalars(self.type_of(vector))?.first()?.lanes() as usize)
    }

    /// `number` if `value` is `constant`, else `otherwise`.
    fn chosen_case(
        &mut self,
        value: Operand,
        scalar: Scalar,
        constant: ConstantId,
        number: Arg,
        otherwise: Arg,
    ) -> Option<Arg> {
        let Scalar::Wide(bits) = scalar else { return None };
        let (&[a, b], &[c, d]) = (&self.operand(value)[..], &self.constant(constant)[..]) else {
            return None;
        };
        let condition = self.temporary(Scalar::Int(1));
        let predicate = IntegerPredicate::Equal;
        self.emit(Code::WideCompare { predicate, bits, dst: condition, a: [a, b], b: [c, d] });
        let dst = self.temporary(Scalar::Int(32));
        self.emit(Code::Select { dst, condition: Arg::Reg(condition), a: number, b: otherwise });
        Some(Arg::Reg(dst))
    }

    /// A chain of additions to a pointer, constants joined.
    fn element_pointer(
        &mut self,
        gep: &GetElementPtr,
        result: Option<LocalId>,
        dst: Reg,
    ) -> Option<()> {
        let module = self.context.module;
        if module.types.is_vector(self.type_of(gep.base))
            || gep.indices.iter().any(|index| module.types.is_vector(self.type_of(*index)))
        {
            return None;
        }
        let mut base = self.one(gep.base)?;
        let inbounds = gep.flags.inbounds;
        let (mut ty, mut offset) = (gep.source, 0i64);
        let mut pending: Option<(Arg, u8, i64)> = None;
        for (position, index) in gep.indices.iter().enumerate() {
            let arg = self.one(*index)?;
            let bits = module.types.integer_bits(self.type_of(*index))?.min(64) as u8;
            let number = self.constant_number(arg).map(|n| crate::value::sign_extend(n, bits));
            let scale = match (position, &module.types[ty]) {
                (0, _) => self.context.size_of(ty)? as i64,
                (_, Type::Array { element, count }) => {
                    if position == 1 {
                        self.check_index(gep, result, (arg, bits), *count);
                    }
                    ty = *element;
                    self.context.size_of(ty)? as i64
                }
                (_, Type::Vector { element, .. }) => {
                    ty = *element;
                    self.context.size_of(ty)? as i64
                }
                _ => {
                    let field = u64::try_from(number?).ok()?;
                    offset += module.layout.part_offset(&module.types, ty, field)? as i64;
                    ty = module.types.part(ty, field)?;
                    continue;
                }
            };
            match number {
                Some(number) => offset = offset.wrapping_add(number.wrapping_mul(scale)),
                None => {
                    if let Some((index, bits, scale)) = pending.take() {
                        let dst = self.temporary(Scalar::Pointer);
                        self.emit(Code::Address {
                            dst,
                            a: base,
                            index,
                            bits,
                            scale,
                            offset: 0,
                            inbounds,
                        });
                        base = Arg::Reg(dst);
                    }
                    pending = Some((arg, bits, scale));
                }
            }
        }
        let zero = self.number(0);
        let (index, bits, scale) = pending.unwrap_or((zero, 64, 0));
        self.emit(Code::Address { dst, a: base, index, bits, scale, offset, inbounds });
        Some(())
    }
}
