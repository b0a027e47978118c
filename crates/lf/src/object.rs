//! Compiled programs in files.

use crate::code::{Object, Op};
use sha2::{Digest, Sha256};

const MAGIC: &[u8; 8] = b"AUSPEXLF";
/// Counts up with every change of the code or of what surrounds it.
const VERSION: u32 = 2;
const DIGEST: usize = 32;
/// The most bytes that variables may take; a compiler makes no more.
const MOST_BYTES: u32 = 1 << 24;

/// A program as the bytes of a file.
pub fn write(object: &Object) -> Vec<u8> {
    // Nothing in an object is without a representation.
    let body = postcard::to_allocvec(object).unwrap_or_default();
    let mut bytes = MAGIC.to_vec();
    bytes.extend_from_slice(&VERSION.to_le_bytes());
    bytes.extend_from_slice(&Sha256::digest(&body));
    bytes.extend_from_slice(&body);
    bytes
}

/// The program in the bytes of a file; or why there is none.
pub fn read(bytes: &[u8]) -> Result<Object, String> {
    let rest = bytes.strip_prefix(MAGIC).ok_or("it does not begin like one")?;
    let (version, rest) = rest.split_at_checked(4).ok_or("it is cut off")?;
    let version = version.try_into().map_or(0, u32::from_le_bytes);
    if version != VERSION {
        return Err(format!(
            "it has version {version}, this Auspex reads {VERSION}: compile it again"
        ));
    }
    let (digest, body) = rest.split_at_checked(DIGEST).ok_or("it is cut off")?;
    if digest != Sha256::digest(body).as_slice() {
        return Err("it is damaged".to_owned());
    }
    let object: Object = postcard::from_bytes(body).map_err(|error| error.to_string())?;
    verify(&object)?;
    Ok(object)
}

/// What the kernel relies on.
fn verify(object: &Object) -> Result<(), String> {
    let end = object.code.len() as u32;
    let jumps = object.code.iter().all(|op| match op {
        Op::Jump(to) | Op::JumpIf(to) | Op::JumpIfNot(to) | Op::JumpCompare { to, .. } => *to < end,
        Op::LoadLocal(offset, _)
        | Op::StoreLocal(offset, _)
        | Op::IncrementLocal(offset, ..)
        | Op::LocalReference(offset) => *offset < MOST_BYTES,
        Op::Copy(count) | Op::FieldBytes(count) | Op::FieldIntoBytes(count) => *count < MOST_BYTES,
        Op::CopyText { room, .. } | Op::FieldText { room, .. } => *room < MOST_BYTES,
        Op::Argument(offset, _)
        | Op::ArgumentBytes { offset, .. }
        | Op::ArgumentText { offset, .. } => *offset < MOST_BYTES,
        _ => true,
    });
    let records = object.processes.iter().all(|code| code.entry < end && code.size <= MOST_BYTES);
    let whole = records
        && jumps
        && object.globals.size <= MOST_BYTES
        && object.debug.ops.len() == object.code.len()
        && (object.main as usize) < object.processes.len()
        && object.processes.len() < usize::from(u16::MAX) - 3;
    if whole { Ok(()) } else { Err("it is not what a compiler makes".to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use auspex_system::SourceMap;

    fn object() -> Object {
        let text = "MODULE M; VAR x: INTEGER; BEGIN x := 1; ASSERT(x = 1) END M.";
        let mut sources = SourceMap::default();
        let source = crate::load::load_text(&mut sources, "m.lf", text).expect("it is right");
        source.compile(&sources, &crate::emit::Options::default())
    }

    #[test]
    fn what_was_written_is_read() {
        let object = object();
        let bytes = write(&object);
        let again = read(&bytes).expect("it was just written");
        assert_eq!(again.code, object.code);
        assert_eq!(write(&again), bytes);
    }

    #[test]
    fn any_other_bytes_are_refused() {
        let bytes = write(&object());
        for length in 0..bytes.len() {
            assert!(read(&bytes[..length]).is_err());
        }
        for index in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[index] ^= 1;
            assert!(read(&changed).is_err(), "byte {index}");
        }
    }
}
