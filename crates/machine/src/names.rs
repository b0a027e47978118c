//! Objects, places and values in the words of the source.

use crate::arith::{Trap, trap};
use crate::code::{Callee, Code, Program};
use crate::decode::THREAD_LOCAL_SITES;
use crate::object::{Kind, Object};
use crate::value::{FUNCTION, Value};
use crate::view::types::Types;
use crate::work::{Thread, Work};
use auspex_llvm::debug::{DebugFileId, LocationId, TypeKind, TypeRef};
use auspex_llvm::ir::{GlobalId, TypeId};
use auspex_system::Location;
use std::sync::Arc;

/// `file.c:12`.
pub fn site(program: &Program, site: u32) -> String {
    let (function, pc) = program.place(site);
    match program.location(function, pc) {
        Some(id) => {
            let location = location(program, id);
            // The fault itself has the whole path.
            let name = location.file.rsplit('/').next().unwrap_or_default();
            format!("{name}:{}", location.line)
        }
        None => format!("`{}`", program.functions[function as usize].name),
    }
}

/// A position of the debug information as one for people.
pub fn location(program: &Program, id: LocationId) -> Location {
    let debug = &program.module.debug;
    let place = &debug.locations[id.0 as usize];
    let mut scope = place.scope;
    while let Some(id) = scope {
        let it = &debug.scopes[id.0 as usize];
        if let Some(file) = it.file {
            let file = self::file(program, file);
            return Location { file, line: place.line, column: place.column };
        }
        scope = it.parent;
    }
    Location::unknown()
}

/// The name of a file of the debug information.
pub fn file(program: &Program, id: DebugFileId) -> Arc<str> {
    let file = &program.module.debug[id];
    path(&program.module.names[file.directory], &program.module.names[file.name]).into()
}

/// A file's name as the user gave it: relative to where the compiler ran, which is here.
fn path(directory: &str, name: &str) -> String {
    if name.starts_with('/') || directory.is_empty() {
        return name.to_owned();
    }
    let here = std::env::current_dir().unwrap_or_default();
    match here.to_str() == Some(directory) {
        true => name.to_owned(),
        false => format!("{directory}/{name}"),
    }
}

/// `\`buffer\` (40 bytes)`, `memory from malloc at x.c:12 (8 bytes)`.
pub fn object(program: &Program, object: &Object) -> String {
    let size = object.size();
    let bytes = if size == 1 { "byte" } else { "bytes" };
    format!("{} ({size} {bytes})", short(program, object))
}

/// Without the size.
pub fn short(program: &Program, object: &Object) -> String {
    match object.kind {
        Kind::Global | Kind::Constant => {
            let name = &program.module.names[program.module[GlobalId(object.site)].source_name];
            if name.starts_with(".str") {
                "a string constant".to_owned()
            } else {
                format!("`{name}`")
            }
        }
        Kind::Heap | Kind::Freed => format!("memory allocated at {}", site(program, object.site)),
        Kind::Runtime => "an object of the runtime library".to_owned(),
        Kind::Stack | Kind::Gone => local(program, object.site),
    }
}

/// The number of the global variable that a site stands for, if that is thread-local.
pub fn thread_local(program: &Program, site: u32) -> Option<u32> {
    let index = site.checked_sub(THREAD_LOCAL_SITES)?;
    program.thread_locals.get(index as usize).map(|data| data.global.0)
}

/// Is it a string in the text of the program?
pub fn is_string(program: &Program, object: &Object) -> bool {
    let name = &program.module.names[program.module[GlobalId(object.site)].source_name];
    name.starts_with(".str")
}

/// Was it made by the runtime library for itself?
pub fn is_of_runtime(program: &Program, object: &Object) -> bool {
    program.functions[program.place(object.site).0 as usize].runtime
}

/// What a thread is called: `main`, or its first function.
pub fn thread<'p>(program: &'p Program, thread: &Thread) -> &'p str {
    &program.functions[usize::from(thread.start)].name
}

fn local(program: &Program, site: u32) -> String {
    if let Some(global) = thread_local(program, site) {
        return format!(
            "`{}`",
            &program.module.names[program.module[GlobalId(global)].source_name]
        );
    }
    let (function, pc) = program.place(site);
    let function = &program.functions[function as usize];
    let variable = match function.code.get(pc as usize) {
        Some(Code::Alloca { variable: Some(variable), .. }) => {
            program.module.debug.variables[variable.0 as usize].name
        }
        _ => None,
    };
    match variable {
        Some(name) => format!("`{}` of `{}`", &program.module.names[name], function.name),
        None => format!("a local object of `{}`", function.name),
    }
}

/// An access that is not wholly inside its object.
pub fn outside(program: &Program, object: &Object, at: i64, len: u64, doing: &str) -> Trap {
    let types = Types { program };
    let size = object.size() as i64;
    let bytes =
        |count: u64| if count == 1 { "1 byte".to_owned() } else { format!("{count} bytes") };
    let array = match declared(program, object) {
        Some((name, ty)) => match types.kind(ty) {
            Some(TypeKind::Array { element, dimensions, .. }) if dimensions.len() == 1 => {
                Some((name, ty, i64::from(types.size(*element))))
            }
            _ => None,
        },
        None => None,
    };
    let message = match array {
        Some((name, ty, unit)) if unit > 0 && at.rem_euclid(unit) == 0 && len as i64 <= unit => {
            let declaration = program.module.declaration(ty, name);
            format!(
                "a {doing} of `{name}[{}]`, which is outside `{declaration}`",
                at.div_euclid(unit)
            )
        }
        _ => {
            let (name, len) = (self::object(program, object), bytes(len));
            match (at, at - size) {
                (..0, _) => {
                    format!("a {doing} of {len}, {} before {name}", bytes(at.unsigned_abs()))
                }
                (_, 0) => format!("a {doing} of {len} at the end of {name}"),
                (_, 1..) => format!(
                    "a {doing} of {len}, {} beyond the end of {name}",
                    bytes((at - size) as u64)
                ),
                _ => format!("a {doing} of {len} at offset {at} of {name}"),
            }
        }
    };
    trap("bounds", message)
}

/// The name and type of a variable that an object is.
fn declared<'p>(program: &'p Program, object: &Object) -> Option<(&'p str, Option<TypeRef>)> {
    let debug = &program.module.debug;
    let global = match object.kind {
        Kind::Global | Kind::Constant => Some(object.site),
        Kind::Stack | Kind::Gone => thread_local(program, object.site),
        Kind::Heap | Kind::Freed | Kind::Runtime => return None,
    };
    let (name, ty) = match global {
        Some(id) => {
            let known = debug.globals.iter().find(|it| it.global == Some(GlobalId(id)))?;
            (known.name, known.ty)
        }
        None => {
            let (function, pc) = program.place(object.site);
            let code = program.functions[function as usize].code.get(pc as usize);
            let Some(Code::Alloca { variable: Some(variable), .. }) = code else { return None };
            (debug[*variable].name, debug[*variable].ty)
        }
    };
    Some((&program.module.names[name?], ty))
}

pub fn dead_access(program: &Program, object: &Object, doing: &str) -> Trap {
    let name = short(program, object);
    match object.kind {
        Kind::Freed => {
            let freed = site(program, object.freed);
            trap("use-after-free", format!("a {doing} of {name}, which was freed at {freed}"))
        }
        _ => {
            let message = match end_of_life(program, object) {
                End::Block => format!("a {doing} of {name} after its block has ended"),
                End::Function => format!("a {doing} of {name}, a function that has returned"),
                End::Thread => format!("a {doing} of {name} of a thread that has ended"),
            };
            trap("dangling", message)
        }
    }
}

/// What ended together with a variable.
enum End {
    Block,
    Function,
    Thread,
}

fn end_of_life(program: &Program, object: &Object) -> End {
    if thread_local(program, object.site).is_some() {
        return End::Thread;
    }
    let (function, pc) = program.place(object.freed);
    match program.functions[function as usize].code.get(pc as usize) {
        Some(Code::End { .. }) => End::Block,
        // An array of variable length.
        Some(Code::Call(call)) => match call.callee {
            Callee::Direct(callee)
                if program.functions[callee as usize].name.starts_with("llvm.stackrestore") =>
            {
                End::Block
            }
            _ => End::Function,
        },
        _ => End::Function,
    }
}

pub fn double_free(program: &Program, object: &Object) -> Trap {
    let (name, freed) = (short(program, object), site(program, object.freed));
    trap("double-free", format!("{name} is freed again; it was freed at {freed}"))
}

/// What a pointer points to.
pub fn pointer(program: &Program, work: &Work, value: Value) -> String {
    if value.is_null() {
        return "NULL".to_owned();
    }
    if value.object & FUNCTION != 0 {
        return format!("`{}`", program.functions[(value.object & !FUNCTION) as usize].name);
    }
    let globals = program.globals.len() as u32;
    let object = match value.object > program.variable_globals && value.object <= globals {
        true => Some(&program.globals[value.object as usize - 1].object),
        false => work.object(value.object),
    };
    match object {
        Some(object) if value.bits == 0 => short(program, object),
        Some(object) => format!("{}+{}", short(program, object), value.bits as i64),
        None => format!("{:#x}", value.bits),
    }
}

pub fn signature(program: &Program, wanted: TypeId, is: TypeId) -> String {
    let text = |ty| program.module.type_text(ty);
    format!("called as {}, defined as {}", text(wanted), text(is))
}
