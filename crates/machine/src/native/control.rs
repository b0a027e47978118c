//! The end of the program, assertions, and jumps out of functions.

use super::{Operand, Table, arg, number};
use crate::arith::{Trap, trap};
use crate::code::Code;
use crate::exec::{Cpu, Result, Stop};
use crate::object::{Kind, Object};
use crate::value::{ObjectId, Scalar, Value};

pub(super) const TABLE: Table = &[
    ("abort", abort),
    ("__assert_fail", assert_fail),
    ("__assert", assert_fail),
    ("__assert_rtn", assert_fail_rtn),
    ("reach_error", error),
    ("__VERIFIER_error", error),
    ("__auspex_fault", fault),
    ("__auspex_exit", exit),
    ("_exit", exit_at_once),
    ("_Exit", exit_at_once),
    ("llvm.trap", trapped),
    ("llvm.debugtrap", trapped),
    ("llvm.ubsantrap", checked),
    ("llvm.assume", llvm_assume),
    ("llvm.stacksave", save_stack),
    ("llvm.stackrestore", restore_stack),
    ("setjmp", set_jump),
    ("_setjmp", set_jump),
    ("__sigsetjmp", set_jump),
    ("sigsetjmp", set_jump),
    ("longjmp", long_jump),
    ("_longjmp", long_jump),
    ("siglongjmp", long_jump),
    ("__longjmp_chk", long_jump),
];

type Outcome = Result<Option<Value>>;

/// In programs written for SV-COMP, `abort` is how an assumption ends a run.
fn abort(cpu: &mut Cpu<'_>, _: &[Operand]) -> Outcome {
    if cpu.program.for_competition {
        return Err(cpu.prune());
    }
    Err(trap("abort", "abort() was called").into())
}

fn assert_fail(cpu: &mut Cpu<'_>, operands: &[Operand]) -> Outcome {
    let text = cpu.string(arg(operands, 0), "assert")?;
    Err(trap("assertion", format!("assert({})", String::from_utf8_lossy(&text))).into())
}

/// The order of arguments on other systems: function, file, line, text.
fn assert_fail_rtn(cpu: &mut Cpu<'_>, operands: &[Operand]) -> Outcome {
    let text = cpu.string(arg(operands, 3), "assert")?;
    Err(trap("assertion", format!("assert({})", String::from_utf8_lossy(&text))).into())
}

fn error(_: &mut Cpu<'_>, _: &[Operand]) -> Outcome {
    Err(trap("error", "an error location is reached").into())
}

/// Kinds of faults that the runtime library reports.
const KINDS: &[&str] = &[
    "misuse",
    "deadlock",
    "abort",
    "bounds",
    "uninitialised",
    "null",
    "overflow",
    "error",
    "unsupported",
    "invalid-free",
    "assertion",
    "trap",
    "leak",
    "division",
    "stack",
    "signature",
];

fn fault(cpu: &mut Cpu<'_>, operands: &[Operand]) -> Outcome {
    let kind = String::from_utf8_lossy(&cpu.string(arg(operands, 0), "a fault")?).into_owned();
    let message = String::from_utf8_lossy(&cpu.string(arg(operands, 1), "a fault")?).into_owned();
    let kind = KINDS.iter().find(|known| **known == kind).copied().unwrap_or("misuse");
    Err(Stop::Fault(Trap { kind, message }))
}

/// Others may move between what this thread did last and the end of all.
fn exit_at_once(cpu: &mut Cpu<'_>, operands: &[Operand]) -> Outcome {
    cpu.act_if(!cpu.alone())?;
    exit(cpu, operands)
}

fn exit(cpu: &mut Cpu<'_>, operands: &[Operand]) -> Outcome {
    let status = number(operands, 0, "exit")?;
    cpu.act_if(cpu.watch.sees_ends())?;
    Err(Stop::Exited(status as u32 as i32))
}

fn trapped(_: &mut Cpu<'_>, _: &[Operand]) -> Outcome {
    Err(trap("trap", "a trap is executed").into())
}

/// A check of clang's fails: Auspex asks for that of signed `<<`, which looks like any other in
/// LLVM IR. Numbers of the checks: SanitizerHandler in clang.
fn checked(_: &mut Cpu<'_>, operands: &[Operand]) -> Outcome {
    const SHIFT: u64 = 20;
    Err(match arg(operands, 0).bits {
        SHIFT => trap(
            "overflow",
            "signed overflow: the result of `<<` does not fit, or the number is negative",
        ),
        _ => trap("trap", "a trap is executed"),
    }
    .into())
}

/// A promise of the compiler or of `__builtin_assume`.
fn llvm_assume(_: &mut Cpu<'_>, operands: &[Operand]) -> Outcome {
    let value = arg(operands, 0);
    if value.undef & 1 != 0 || value.bits & 1 != 0 {
        return Ok(None);
    }
    Err(trap("unreachable", "what the program promises (__builtin_assume) does not hold").into())
}

/// A mark: what is made on the stack from now on ends when it is gone back to.
fn save_stack(cpu: &mut Cpu<'_>, _: &[Operand]) -> Outcome {
    let site = cpu.site();
    let mark = cpu.work.add_object(Object::new(Kind::Stack, 0, site));
    cpu.own(mark);
    Ok(Some(Value::pointer(mark, 0)))
}

/// Arrays of variable length end with their block.
fn restore_stack(cpu: &mut Cpu<'_>, operands: &[Operand]) -> Outcome {
    let mark = arg(operands, 0).object;
    let site = cpu.site();
    let owned = &cpu.frame().owned;
    let since = owned.iter().position(|id| *id == mark).map_or(owned.len(), |at| at + 1);
    let made: Vec<ObjectId> = owned[since..].into();
    cpu.act_if(cpu.sees_end_of(&made))?;
    for id in made {
        let Some(object) = cpu.work.object(id) else { continue };
        let (function, pc) = cpu.program.place(object.site);
        let made_by = cpu.program.functions[function as usize].code.get(pc as usize);
        let variable_length = matches!(made_by, Some(Code::Alloca { count: Some(_), .. }));
        if object.kind == Kind::Stack
            && variable_length
            && let Some(object) = cpu.work.object_mut(id)
        {
            object.die(Kind::Gone, site);
        }
    }
    Ok(None)
}

/// Notes where the call stands: the depth of the stack, the function and the place.
fn set_jump(cpu: &mut Cpu<'_>, operands: &[Operand]) -> Outcome {
    let place = cpu.resolve(arg(operands, 0), 16, true)?;
    cpu.touch(place, 16, true, false)?;
    let depth = cpu.thread.frames.len() as u64;
    let site = u64::from(cpu.site());
    let half = |value| [Value::number(value), Value::NULL];
    cpu.write(place, Scalar::Int(64), half(depth | u64::from(cpu.thread.id) << 32));
    let next = crate::exec::Place { at: place.at + 8, ..place };
    cpu.write(next, Scalar::Int(64), half(site));
    Ok(Some(Value::number(0)))
}

fn long_jump(cpu: &mut Cpu<'_>, operands: &[Operand]) -> Outcome {
    cpu.work.reads.note_frame(0);
    let place = cpu.resolve(arg(operands, 0), 16, false)?;
    let before = cpu.step.acted;
    cpu.touch(place, 16, false, false)?;
    cpu.act_once(before, cpu.watch.sees_ends())?;
    let [where_, _] = cpu.read(place, Scalar::Int(64))?;
    let [site, _] = cpu.read(crate::exec::Place { at: place.at + 8, ..place }, Scalar::Int(64))?;
    if where_.undef | site.undef != 0 {
        return Err(
            trap("uninitialised", "longjmp with a buffer that setjmp has not filled").into()
        );
    }
    let value = number(operands, 1, "longjmp")?;
    let (depth, thread) = ((where_.bits & 0xffff_ffff) as usize, (where_.bits >> 32) as u8);
    let (function, pc) = cpu.program.place(site.bits as u32);
    let there = depth >= 1
        && thread == cpu.thread.id
        && cpu.thread.frames.get(depth - 1).is_some_and(|frame| frame.function == function);
    if !there {
        return Err(trap("misuse", "longjmp to a function that has returned").into());
    }
    let here = cpu.site();
    while cpu.thread.frames.len() > depth {
        if let Some(frame) = cpu.thread.frames.pop() {
            cpu.work.end_frame(&frame, here);
        }
    }
    let code = &cpu.program.functions[function as usize].code;
    let result = Value::number(if value == 0 { 1 } else { value });
    if let (Some(frame), Some(crate::code::Code::Call(call))) =
        (cpu.thread.frames.last_mut(), code.get(pc as usize))
    {
        let frame = std::rc::Rc::make_mut(frame);
        if !call.result.is_empty() {
            frame.registers[call.dst as usize] = result;
        }
        frame.pc = pc + 1;
    }
    Ok(None)
}
