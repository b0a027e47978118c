//! The hypercalls: threads, atomic sections, waiting.

use super::{Operand, Table, arg};
use crate::arith::trap;
use crate::exec::{Cpu, Result, Stop, Waiting};
use crate::value::{ObjectId, Value};
use crate::work::{MAX_THREADS, Thread};
use std::rc::Rc;

pub(super) const TABLE: Table = &[
    ("__auspex_atomic_begin", atomic_begin),
    ("__auspex_atomic_end", atomic_end),
    ("__VERIFIER_atomic_begin", atomic_begin),
    ("__VERIFIER_atomic_end", atomic_end),
    ("__auspex_block", block),
    ("__auspex_block_weakly", block_weakly),
    ("__auspex_thread_create", create),
    ("__auspex_thread_self", thread_self),
    ("__auspex_thread_exit", thread_exit),
    ("__auspex_note", note),
    ("__auspex_event", event),
];

type Outcome = Result<Option<Value>>;

fn atomic_begin(cpu: &mut Cpu<'_>, _: &[Operand]) -> Outcome {
    cpu.enter_section()?;
    Ok(None)
}

fn atomic_end(cpu: &mut Cpu<'_>, _: &[Operand]) -> Outcome {
    cpu.leave_section();
    Ok(None)
}

fn waiting(operands: &[Operand]) -> Waiting {
    let thread = if operands.len() > 2 { arg(operands, 2).bits as u32 as i32 } else { -1 };
    Waiting { kind: arg(operands, 0).bits as i32, object: arg(operands, 1), thread }
}

fn block(_: &mut Cpu<'_>, operands: &[Operand]) -> Outcome {
    Err(Stop::Blocked(waiting(operands)))
}

fn block_weakly(cpu: &mut Cpu<'_>, operands: &[Operand]) -> Outcome {
    // Where the step ends before the section anyway, going on is for later.
    if cpu.step.before_section.is_some() || cpu.choose(2)? == 0 {
        return Err(Stop::Blocked(waiting(operands)));
    }
    cpu.step.weak = true;
    Ok(None)
}

fn create(cpu: &mut Cpu<'_>, operands: &[Operand]) -> Outcome {
    let function = cpu.function_at(arg(operands, 0))?;
    cpu.step.created = true;
    if cpu.work.threads.len() >= MAX_THREADS {
        return Err(trap("threads", format!("more than {MAX_THREADS} threads at a time")).into());
    }
    let used =
        |id: u8| id == cpu.thread.id || cpu.work.threads.iter().any(|thread| thread.id == id);
    let id = (0..=u8::MAX).find(|id| !used(*id)).unwrap_or(u8::MAX);
    let mut frame = cpu.new_frame(function)?;
    cpu.act_if(cpu.watch.sees_function(function))?;
    if let Some(first) = Rc::make_mut(&mut frame).registers.first_mut() {
        *first = arg(operands, 1);
    }
    // From here on, whatever this thread does next may come after what the new one does.
    cpu.step.acted = true;
    cpu.step.changed = true;
    let start = user_function(cpu, function, arg(operands, 1).object);
    let thread = Thread { id, start, frames: vec![frame], ..Thread::default() };
    cpu.work.threads.push(Rc::new(thread));
    cpu.work.share(arg(operands, 1).object);
    // What both can reach is shared: the new thread has one pointer only, but so may others.
    Ok(Some(Value::number(id.into())))
}

/// The function to name a thread after: the library begins with one of its own, and passes the
/// user's in its argument.
fn user_function(cpu: &Cpu<'_>, entry: u32, argument: ObjectId) -> u16 {
    let runtime = cpu.program.functions[entry as usize].runtime;
    let passed = cpu.work.object(argument).filter(|_| runtime).and_then(|object| {
        object.pointers.iter().find_map(|pointer| Value::pointer(pointer.object, 0).function())
    });
    passed.unwrap_or(entry) as u16
}

fn thread_self(cpu: &mut Cpu<'_>, _: &[Operand]) -> Outcome {
    Ok(Some(Value::number(cpu.thread.id.into())))
}

fn thread_exit(cpu: &mut Cpu<'_>, _: &[Operand]) -> Outcome {
    cpu.act_if(cpu.watch.sees_ends())?;
    Err(Stop::Ended)
}

/// What the library tells a trace.
fn note(cpu: &mut Cpu<'_>, operands: &[Operand]) -> Outcome {
    if cpu.recorder.is_none() {
        return Ok(None);
    }
    let what = String::from_utf8_lossy(&cpu.string(arg(operands, 2), "an event")?).into_owned();
    let object = arg(operands, 1);
    if let Some(recorder) = &mut cpu.recorder {
        recorder.event(cpu.program, &cpu.work, &cpu.thread, &what, object);
    }
    Ok(None)
}

/// For properties: it is there in the state that this step leads to.
fn event(cpu: &mut Cpu<'_>, operands: &[Operand]) -> Outcome {
    let before = cpu.step.acted;
    let name = cpu.string(arg(operands, 0), "an event")?;
    if let Some(number) = cpu.watch.event_number(&name) {
        cpu.act_once(before, true)?;
        cpu.step.events |= 1 << number;
    }
    if let Some(recorder) = &mut cpu.recorder {
        recorder.note(format!("event {}", String::from_utf8_lossy(&name)));
    }
    Ok(None)
}
