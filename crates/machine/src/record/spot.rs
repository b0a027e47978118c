//! Where a step stands, in the eyes of the user.

use crate::code::{Callee, Code, Function, Program};
use crate::names;
use crate::object::{Kind, Object};
use crate::value::{ObjectId, Scalar, Value, sign_extend};
use crate::work::Thread;
use auspex_system::Location;

/// Where the user's code stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Spot {
    pub function: u32,
    pub depth: usize,
    pub location: Option<Location>,
    /// The library runs for this line.
    pub library: bool,
    pub instruction: Option<String>,
    pub busy: bool,
    pub branch: bool,
    /// It comes after a return, or the step begins inside the line.
    pub resumed: bool,
}

impl Spot {
    /// The user's line that a thread stands in.
    pub fn of(program: &Program, thread: &Thread, verbose: bool) -> Option<Spot> {
        let last = thread.frames.len().checked_sub(1)?;
        let user = |frame: &crate::work::Frame| !program.functions[frame.function as usize].runtime;
        let (depth, frame) =
            thread.frames.iter().enumerate().rev().find(|(_, frame)| user(frame))?;
        let pc = if depth == last { frame.pc } else { frame.pc.saturating_sub(1) };
        let location = program.location(frame.function, pc).map(|id| names::location(program, id));
        let location = location.filter(|location| location.line != 0);
        let top = &thread.frames[last];
        let function = &program.functions[top.function as usize];
        let code = function.code.get(top.pc as usize);
        let busy = depth != last || code.is_some_and(|code| is_busy(function, code));
        let branch = matches!(code, Some(Code::Branch { .. }));
        let instruction = (verbose && depth == last).then(|| {
            format!(
                "{}+{}: {}",
                function.name,
                top.pc,
                code.map_or(String::new(), |code| instruction(program, code))
            )
        });
        let library = depth != last;
        Some(Spot {
            function: frame.function,
            depth,
            location,
            library,
            instruction,
            busy,
            branch,
            resumed: false,
        })
    }
}

fn is_busy(function: &Function, code: &Code) -> bool {
    match code {
        Code::SetLocal { dst, .. } => function.locals.iter().any(|local| local.register == *dst),
        Code::Branch { .. }
        | Code::Switch(_)
        | Code::IndirectJump { .. }
        | Code::Call(_)
        | Code::Store { .. }
        | Code::CompareExchange { .. }
        | Code::Update { .. }
        | Code::Unreachable
        | Code::Unsupported(_) => true,
        _ => false,
    }
}

/// Does the instruction before this one belong to the same line?
pub fn begins_inside(program: &Program, thread: &Thread) -> bool {
    let Some(frame) = thread.frames.last() else { return false };
    let function = &program.functions[frame.function as usize];
    if function.runtime {
        return true;
    }
    let line = |pc: u32| {
        let id = program.location(frame.function, pc)?;
        Some(program.module.debug[id].line)
    };
    frame.pc.checked_sub(1).is_some_and(|before| line(before) == line(frame.pc))
}

/// Is it a thing of the library, which the user does not want to know of?
pub fn is_hidden(program: &Program, id: ObjectId, object: &Object) -> bool {
    match object.kind {
        Kind::Runtime | Kind::Freed | Kind::Gone => true,
        Kind::Global | Kind::Constant => {
            program.globals.get((id as usize).wrapping_sub(1)).is_none_or(|data| data.runtime)
        }
        Kind::Stack => match names::thread_local(program, object.site) {
            Some(global) => {
                program.thread_locals.iter().any(|data| data.global.0 == global && data.runtime)
            }
            None => {
                let (function, _) = program.place(object.site);
                program.functions[function as usize].runtime
            }
        },
        Kind::Heap => false,
    }
}

pub fn number(value: Value, scalar: Option<Scalar>, ty: &str) -> String {
    match scalar {
        _ if value.object != 0 || ty.starts_with('p') && value.is_null() => "NULL".to_owned(),
        Some(Scalar::Int(bits))
            if !ty.starts_with('u') && !ty.contains("ool") && ty != "size_t" =>
        {
            sign_extend(value.bits, bits).to_string()
        }
        Some(Scalar::Single) => f32::from_bits(value.bits as u32).to_string(),
        Some(Scalar::Double) => f64::from_bits(value.bits).to_string(),
        _ => value.bits.to_string(),
    }
}

/// An instruction as the machine has it.
fn instruction(program: &Program, code: &Code) -> String {
    match code {
        Code::Call(call) => match call.callee {
            Callee::Direct(function) => {
                format!("Call {}", program.functions[function as usize].name)
            }
            Callee::Indirect(arg) => format!("Call {arg:?}"),
        },
        code => format!("{code:?}"),
    }
}
