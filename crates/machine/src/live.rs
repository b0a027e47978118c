//! Which registers are read later: the others are left out of a state.

use crate::code::{Arg, Callee, Code, Reg};

/// For each instruction of a function, the registers that are live before it, in order.
#[derive(Clone, Debug, Default)]
pub struct Liveness {
    /// Rows are shared: most instructions of a block have a row of their own, but few states stop there.
    rows: Vec<std::sync::OnceLock<Box<[Reg]>>>,
    blocks: Vec<BlockLive>,
    /// A jump back into the function may read any register: none is dead.
    all: bool,
}

#[derive(Clone, Debug)]
struct BlockLive {
    first: u32,
    end: u32,
    /// Live at the end, a bit each.
    out: Vec<u64>,
}

struct Bits<'a>(&'a mut [u64]);

impl Bits<'_> {
    fn set(&mut self, reg: Reg) {
        self.0[reg as usize / 64] |= 1 << (reg % 64);
    }

    fn clear(&mut self, reg: Reg) {
        self.0[reg as usize / 64] &= !(1 << (reg % 64));
    }
}

impl Code {
    /// Calls `each` for every operand.
    pub fn each_arg(&self, mut each: impl FnMut(Arg)) {
        match self {
            Code::Binary { a, b, .. }
            | Code::Float { a, b, .. }
            | Code::Compare { a, b, .. }
            | Code::FloatCompare { a, b, .. } => {
                each(*a);
                each(*b);
            }
            Code::WideBinary { a, b, .. }
            | Code::WideCompare { a, b, .. }
            | Code::ExtendedBinary { a, b, .. }
            | Code::ExtendedCompare { a, b, .. } => {
                a.iter().chain(b).for_each(|arg| each(*arg));
            }
            Code::Cast { a, .. } => a.iter().for_each(|arg| each(*arg)),
            Code::FloatNegate { a, .. }
            | Code::Copy { a, .. }
            | Code::SetLocal { a, .. }
            | Code::Freeze { a, .. } => each(*a),
            Code::Select { condition, a, b, .. } => {
                each(*condition);
                each(*a);
                each(*b);
            }
            Code::Parallel(copies) => copies.iter().for_each(|(_, arg)| each(*arg)),
            Code::Recast(recast) => recast.from.iter().for_each(|(arg, _)| each(*arg)),
            Code::Pick { lanes, index, .. } => {
                lanes.iter().for_each(|arg| each(*arg));
                each(*index);
            }
            Code::Put { dst, count, element, index } => {
                (*dst..*dst + *count).for_each(|reg| each(Arg::Reg(reg)));
                each(*element);
                each(*index);
            }
            Code::Load { pointer, .. } => each(*pointer),
            Code::Store { value, pointer, .. } => {
                value.iter().for_each(|arg| each(*arg));
                each(*pointer);
            }
            Code::CompareExchange { pointer, expected, new, .. } => {
                each(*pointer);
                expected.iter().chain(new).for_each(|arg| each(*arg));
            }
            Code::Update { pointer, value, .. } => {
                each(*pointer);
                value.iter().for_each(|arg| each(*arg));
            }
            Code::Address { a, index, .. } => {
                each(*a);
                each(*index);
            }
            Code::CheckIndex { index, .. } => each(*index),
            Code::Begin { .. } => {}
            Code::End { variable } => each(*variable),
            Code::Alloca { count, .. } => count.iter().for_each(|arg| each(*arg)),
            Code::Call(call) => {
                if let Callee::Indirect(arg) = call.callee {
                    each(arg);
                }
                call.arguments.iter().for_each(|argument| each(argument.value));
            }
            Code::Intrinsic(intrinsic) => intrinsic.arguments.iter().for_each(|arg| each(*arg)),
            Code::Return(values) => values.iter().for_each(|arg| each(*arg)),
            Code::Branch { condition, .. } => each(*condition),
            Code::Switch(switch) => each(switch.value),
            Code::IndirectJump { address, .. } => each(*address),
            Code::Fence | Code::Jump(_) | Code::Unreachable | Code::Unsupported(_) => {}
        }
    }

    /// The registers that it writes: a first one, and how many. (`Parallel` is a case of its own.)
    pub fn written(&self) -> (Reg, u32) {
        match self {
            Code::Binary { dst, .. }
            | Code::Float { dst, .. }
            | Code::FloatNegate { dst, .. }
            | Code::Compare { dst, .. }
            | Code::WideCompare { dst, .. }
            | Code::FloatCompare { dst, .. }
            | Code::ExtendedCompare { dst, .. }
            | Code::Select { dst, .. }
            | Code::Copy { dst, .. }
            | Code::SetLocal { dst, .. }
            | Code::Freeze { dst, .. }
            | Code::Pick { dst, .. }
            | Code::Address { dst, .. }
            | Code::Begin { dst, .. }
            | Code::Alloca { dst, .. } => (*dst, 1),
            Code::WideBinary { dst, .. } | Code::ExtendedBinary { dst, .. } => (*dst, 2),
            Code::CompareExchange { dst, scalar, .. } => (*dst, scalar.lanes() + 1),
            Code::Cast { dst, to, .. } => (*dst, to.lanes()),
            Code::Load { dst, scalar, .. } | Code::Update { dst, scalar, .. } => {
                (*dst, scalar.lanes())
            }
            Code::Recast(recast) => (recast.dst, recast.to.len() as u32),
            Code::Put { dst, count, .. } => (*dst, *count),
            Code::Call(call) => (call.dst, call.result.iter().map(|s| s.lanes()).sum()),
            Code::Intrinsic(intrinsic) => (intrinsic.dst, intrinsic.results()),
            _ => (0, 0),
        }
    }

    /// Where control may go other than to the next instruction; `None` where it goes on.
    fn targets(&self) -> Option<Vec<u32>> {
        Some(match self {
            Code::Jump(to) => vec![*to],
            Code::Branch { then, otherwise, .. } => vec![*then, *otherwise],
            Code::Switch(switch) => {
                switch.cases.iter().map(|case| case.1).chain([switch.default]).collect()
            }
            Code::IndirectJump { targets, .. } => targets.iter().map(|target| target.1).collect(),
            Code::Return(_) | Code::Unreachable | Code::Unsupported(_) => Vec::new(),
            _ => return None,
        })
    }

    fn step_back(&self, live: &mut Bits<'_>) {
        match self {
            Code::Parallel(copies) => copies.iter().for_each(|(dst, _)| live.clear(*dst)),
            _ => {
                let (first, count) = self.written();
                (first..first + count).for_each(|reg| live.clear(reg));
            }
        }
        self.each_arg(|arg| {
            if let Arg::Reg(reg) = arg {
                live.set(reg);
            }
        });
    }
}

impl crate::code::Intrinsic {
    pub fn results(&self) -> u32 {
        use crate::code::IntrinsicOp::*;
        let lanes = self.scalar.lanes();
        match self.op {
            AddOverflow { .. } | SubOverflow { .. } | MulOverflow { .. } => lanes + 1,
            SplitWhole | SineCosine => 2 * lanes,
            SplitExponent => lanes + 1,
            IsClass | Compare { .. } => 1,
            _ => lanes,
        }
    }
}

impl Liveness {
    pub fn of(code: &[Code], registers: u32, blocks: &[u32], returns_twice: bool) -> Liveness {
        let words = (registers as usize).div_ceil(64);
        let ends = blocks.iter().skip(1).copied().chain([code.len() as u32]);
        let mut all: Vec<BlockLive> = blocks
            .iter()
            .zip(ends)
            .map(|(first, end)| BlockLive { first: *first, end, out: vec![0; words] })
            .collect();
        let rows = vec![std::sync::OnceLock::new(); code.len()];
        if returns_twice {
            return Liveness { rows, blocks: all, all: true };
        }
        let block_at = |pc: u32| blocks.partition_point(|first| *first <= pc) - 1;
        let mut ins: Vec<Vec<u64>> = vec![vec![0; words]; all.len()];
        let mut changed = true;
        while changed {
            changed = false;
            for index in (0..all.len()).rev() {
                let block = &all[index];
                let last = &code[block.end as usize - 1];
                let mut targets = last.targets().unwrap_or_else(|| vec![block.end]);
                for pc in block.first..block.end {
                    if let Code::Call(call) = &code[pc as usize] {
                        targets.extend(call.unwind);
                    }
                }
                let mut out = vec![0; words];
                for target in targets.into_iter().filter(|target| (*target as usize) < code.len()) {
                    let live = &ins[block_at(target)];
                    out.iter_mut().zip(live).for_each(|(out, live)| *out |= live);
                }
                let mut live = out.clone();
                for pc in (block.first..block.end).rev() {
                    code[pc as usize].step_back(&mut Bits(&mut live));
                }
                if live != ins[index] || out != all[index].out {
                    changed = true;
                    ins[index] = live;
                    all[index].out = out;
                }
            }
        }
        Liveness { rows, blocks: all, all: false }
    }

    /// The registers that are live before an instruction.
    pub fn before(&self, code: &[Code], registers: u32, pc: u32) -> &[Reg] {
        self.rows[pc as usize].get_or_init(|| {
            if self.all {
                return (0..registers).collect();
            }
            let at = self.blocks.partition_point(|block| block.first <= pc) - 1;
            let block = &self.blocks[at];
            let mut live = block.out.clone();
            for pc in (pc..block.end).rev() {
                code[pc as usize].step_back(&mut Bits(&mut live));
            }
            (0..registers).filter(|r| live[*r as usize / 64] >> (r % 64) & 1 == 1).collect()
        })
    }
}
