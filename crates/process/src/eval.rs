//! Evaluating expressions in a state.

use crate::channel::Queue;
use crate::exec::Mode;
use crate::ir::*;
use crate::work::Work;

/// Why an evaluation or a step went wrong. In a box, so that a `Result` with it stays small.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trap(Box<TrapInfo>);

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrapInfo {
    pub kind: &'static str,
    pub message: String,
    /// Where, if that is not the statement that is being tried (inside a `d_step`).
    pub statement: Option<StmtId>,
}

impl Trap {
    #[cold]
    pub fn new(kind: &'static str, message: impl Into<String>) -> Self {
        Trap(Box::new(TrapInfo { kind, message: message.into(), statement: None }))
    }

    /// Says where, unless that is known already.
    pub fn at(mut self, statement: StmtId) -> Self {
        self.0.statement.get_or_insert(statement);
        self
    }

    pub fn into_info(self) -> TrapInfo {
        *self.0
    }
}

pub type Value = Result<i32, Trap>;

/// The point of view of no process, for propositions about a state.
pub const NOBODY: usize = usize::MAX;

/// What an expression sees: a state, from the point of view of one process.
#[derive(Clone, Copy)]
pub struct Env<'a> {
    pub model: &'a Model,
    pub work: &'a Work,
    pub pid: usize,
    /// Is it known that nothing else (and for a proposition, that nothing at all) can move?
    pub timeout: bool,
}

impl<'a> Env<'a> {
    /// The same state, seen by another process.
    pub fn of(self, pid: usize) -> Env<'a> {
        Env { pid, ..self }
    }

    #[inline]
    fn global(&self, offset: u32) -> usize {
        (self.model.globals_at() + offset) as usize
    }

    #[inline]
    fn local(&self, offset: u32) -> usize {
        (self.work.layout.processes[self.pid].offset + self.model.locals_at() + offset) as usize
    }

    pub fn eval(&self, expr: &Expr) -> Value {
        Ok(match expr {
            Expr::Const(value) => *value,
            Expr::Global(ty, offset) => ty.load(&self.work.bytes, self.global(*offset)),
            Expr::Local(ty, offset) => ty.load(&self.work.bytes, self.local(*offset)),
            Expr::Load(place) => self.load(place)?,
            Expr::Unary(op, operand) => unary(*op, self.eval(operand)?),
            Expr::Binary(op, operands) => {
                let (a, b) = (self.eval(&operands.0)?, self.eval(&operands.1)?);
                op.apply(a, b).ok_or_else(division_by_zero)?
            }
            Expr::And(operands) => i32::from(self.test(&operands.0)? && self.test(&operands.1)?),
            Expr::Or(operands) => i32::from(self.test(&operands.0)? || self.test(&operands.1)?),
            Expr::If(parts) => self.eval(if self.test(&parts.0)? { &parts.1 } else { &parts.2 })?,
            Expr::Length(channel) => self.queue(channel)?.len() as i32,
            Expr::Test(test, channel) => i32::from(self.test_channel(*test, channel)?),
            Expr::Poll(receive) => i32::from(self.poll(receive)?),
            Expr::Pid => self.pid as i32,
            Expr::Processes => self.work.process_count() as i32,
            Expr::Last => self.work.last(),
            Expr::Timeout => i32::from(self.timeout),
            Expr::Enabled(pid) => i32::from(self.enabled(pid)?),
            Expr::Position(pid) => self.position(pid)?,
            Expr::Priority(pid) => match self.process(pid)? {
                Some(pid) => i32::from(self.work.priority(self.model, pid)),
                None => 0,
            },
            Expr::At { label, pid } => {
                let label = &self.model.labels[*label as usize];
                let at = self
                    .remote(label.proctype, pid)?
                    .map(|pid| self.work.location(self.model, pid));
                i32::from(at.is_some_and(|at| label.locations.contains(&at)))
            }
            Expr::Remote { proctype, pid, place } => match self.remote(*proctype, pid)? {
                Some(pid) => {
                    let at = self.of(pid).local(place.offset) + self.index(place)?;
                    place.ty.load(&self.work.bytes, at)
                }
                None => 0,
            },
            Expr::Stopped => i32::from(self.timeout),
            Expr::Marked(mark) => i32::from(self.is_marked(*mark)),
        })
    }

    fn is_marked(&self, mark: Mark) -> bool {
        (0..self.work.process_count()).any(|pid| {
            let proctype = self.model.proctype(self.work.proctype(pid));
            let location = &proctype.locations[self.work.location(self.model, pid).0 as usize];
            match mark {
                Mark::Accept => location.is_accept,
                Mark::Progress => location.is_progress,
            }
        })
    }

    #[inline]
    pub fn test(&self, expr: &Expr) -> Result<bool, Trap> {
        Ok(self.eval(expr)? != 0)
    }

    fn load(&self, place: &Place) -> Value {
        let at = self.address(place)?;
        Ok(match place.space {
            Space::Global | Space::Local => place.ty.load(&self.work.bytes, at),
            Space::Hidden => place.ty.load(&self.work.hidden, at),
            Space::Nowhere => 0,
        })
    }

    /// Where a place lies in its space.
    pub fn address(&self, place: &Place) -> Result<usize, Trap> {
        let index = self.index(place)?;
        Ok(index
            + match place.space {
                Space::Global => self.global(place.offset),
                Space::Local => self.local(place.offset),
                Space::Hidden | Space::Nowhere => place.offset as usize,
            })
    }

    /// The part of an address that comes from the indices.
    fn index(&self, place: &Place) -> Result<usize, Trap> {
        let mut sum = 0;
        for index in &place.indices {
            let value = self.eval(&index.expr)?;
            if value < 0 || value as u32 >= index.length {
                let message = format!(
                    "index {value} is out of range: `{}` has {} element{}",
                    place.name,
                    index.length,
                    if index.length == 1 { "" } else { "s" }
                );
                return Err(Trap::new("index", message));
            }
            sum += (value as u32 * index.stride) as usize;
        }
        Ok(sum)
    }

    /// The channel that an expression names.
    pub fn queue(&self, channel: &Expr) -> Result<Queue<'a>, Trap> {
        let id = self.eval(channel)?;
        if id == 0 {
            return Err(Trap::new("channel", "use of an uninitialised channel"));
        }
        match self.work.layout.channels.get((id - 1) as usize) {
            Some(at) => Ok(Queue::new(id, *at, self.model.channel_type(at.ty), &self.work.bytes)),
            None => Err(Trap::new("channel", format!("there is no channel with the number {id}"))),
        }
    }

    fn test_channel(&self, test: ChannelTest, channel: &Expr) -> Result<bool, Trap> {
        let queue = self.queue(channel)?;
        Ok(match test {
            ChannelTest::Full => queue.is_full(),
            ChannelTest::NotFull => !queue.is_full(),
            ChannelTest::Empty => queue.len() == 0,
            ChannelTest::NotEmpty => queue.len() > 0,
        })
    }

    fn poll(&self, receive: &Receive) -> Result<bool, Trap> {
        let queue = self.queue(&receive.channel)?;
        if queue.ty.is_rendezvous() {
            return Err(Trap::new("channel", "a rendezvous channel cannot be polled"));
        }
        Ok(self.find(receive, &queue)?.is_some())
    }

    /// The place of the message that a receive would take from a buffered channel.
    pub fn find(&self, receive: &Receive, queue: &Queue<'_>) -> Result<Option<usize>, Trap> {
        let slots = if receive.anywhere { queue.len() } else { queue.len().min(1) };
        for slot in 0..slots {
            if self.fits(receive, queue.ty, |field| queue.field(slot, field))? {
                return Ok(Some(slot));
            }
        }
        Ok(None)
    }

    /// Does a message with the given fields fit the patterns?
    pub fn fits(
        &self,
        receive: &Receive,
        ty: &ChannelType,
        field: impl Fn(usize) -> i32,
    ) -> Result<bool, Trap> {
        check_arity(receive.fields.len(), ty)?;
        for (i, pattern) in receive.fields.iter().enumerate() {
            if let Pattern::Match(expr) = pattern
                && self.eval(expr)? != field(i)
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The process with the id that `pid` gives, if it exists.
    fn process(&self, pid: &Expr) -> Result<Option<usize>, Trap> {
        let pid = self.eval(pid)?;
        Ok((pid >= 0 && (pid as usize) < self.work.process_count()).then_some(pid as usize))
    }

    fn remote(&self, ty: ProctypeId, pid: &Option<Box<Expr>>) -> Result<Option<usize>, Trap> {
        let is_one = |pid: &usize| self.work.proctype(*pid) == ty;
        match pid {
            Some(pid) => Ok(self.process(pid)?.filter(is_one)),
            None => Ok((0..self.work.process_count()).find(is_one)),
        }
    }

    fn position(&self, pid: &Expr) -> Value {
        Ok(self.process(pid)?.map_or(0, |pid| {
            let proctype = self.model.proctype(self.work.proctype(pid));
            proctype.locations[self.work.location(self.model, pid).0 as usize].number as i32
        }))
    }

    fn enabled(&self, pid: &Expr) -> Result<bool, Trap> {
        match self.process(pid)? {
            Some(pid) if pid == self.pid => {
                Err(Trap::new("enabled", "a process may not ask whether itself is enabled"))
            }
            Some(pid) => self.of(pid).can_move(),
            None => Ok(false),
        }
    }

    /// Could the process take some step? (A rendezvous send counts whether or not there is a
    /// receiver, a rendezvous receive does not count.)
    pub fn can_move(&self) -> Result<bool, Trap> {
        let proctype = self.model.proctype(self.work.proctype(self.pid));
        for transition in proctype.transitions_of(self.work.location(self.model, self.pid)) {
            if self.executable(&transition.action, Mode::Alone)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// May the process move at all, as far as its `provided` clause and the priorities go?
    #[inline]
    pub fn may_run(&self) -> Result<bool, Trap> {
        if let Some(provided) = &self.proctype().provided
            && !self.test(provided)?
        {
            return Ok(false);
        }
        if self.model.has_priorities { self.has_highest_priority() } else { Ok(true) }
    }

    fn proctype(&self) -> &'a Proctype {
        self.model.proctype(self.work.proctype(self.pid))
    }

    fn has_highest_priority(&self) -> Result<bool, Trap> {
        let mine = self.work.priority(self.model, self.pid);
        for other in (0..self.work.process_count()).map(|pid| self.of(pid)) {
            if self.work.priority(self.model, other.pid) <= mine {
                continue;
            }
            let provided = match &other.proctype().provided {
                Some(provided) => other.test(provided)?,
                None => true,
            };
            if provided && other.can_move()? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

pub fn check_arity(given: usize, ty: &ChannelType) -> Result<(), Trap> {
    if given == ty.fields.len() {
        return Ok(());
    }
    let wanted = ty.fields.len();
    Err(Trap::new(
        "channel",
        format!("{given} field{} given, but the channel has {wanted}", plural(given)),
    ))
}

fn plural(n: usize) -> &'static str {
    if n == 1 { "" } else { "s" }
}

pub fn unary(op: UnaryOp, value: i32) -> i32 {
    match op {
        UnaryOp::Not => i32::from(value == 0),
        UnaryOp::Minus => value.wrapping_neg(),
        UnaryOp::Complement => !value,
    }
}

impl BinaryOp {
    /// The result as C computes it, or nothing for a division by zero.
    pub fn apply(self, a: i32, b: i32) -> Option<i32> {
        Some(match self {
            BinaryOp::Add => a.wrapping_add(b),
            BinaryOp::Sub => a.wrapping_sub(b),
            BinaryOp::Mul => a.wrapping_mul(b),
            BinaryOp::Div | BinaryOp::Rem if b == 0 => return None,
            BinaryOp::Div => a.wrapping_div(b),
            BinaryOp::Rem => a.wrapping_rem(b),
            BinaryOp::BitAnd => a & b,
            BinaryOp::BitOr => a | b,
            BinaryOp::BitXor => a ^ b,
            BinaryOp::ShiftLeft => a.wrapping_shl(b as u32),
            BinaryOp::ShiftRight => a.wrapping_shr(b as u32),
            BinaryOp::Less => i32::from(a < b),
            BinaryOp::LessEqual => i32::from(a <= b),
            BinaryOp::Greater => i32::from(a > b),
            BinaryOp::GreaterEqual => i32::from(a >= b),
            BinaryOp::Equal => i32::from(a == b),
            BinaryOp::NotEqual => i32::from(a != b),
        })
    }
}

fn division_by_zero() -> Trap {
    Trap::new("division", "division by zero")
}
