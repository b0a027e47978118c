//! One object of the memory: bytes, which bits of them are undefined, and where pointers are.

use crate::value::{ObjectId, Scalar, Value, mask};

/// What an object is, which decides what may be done with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Global,
    /// A global that is never written.
    Constant,
    /// From `malloc`: must be freed.
    Heap,
    /// Memory of the runtime library, which is never reported as a leak.
    Runtime,
    /// A local variable, a copy of a structure that is passed, the variable arguments.
    Stack,
    /// Freed: only remembered because something still points to it.
    Freed,
    /// A local variable of a function that has returned.
    Gone,
}

impl Kind {
    const ALL: [Kind; 7] = [
        Kind::Global,
        Kind::Constant,
        Kind::Heap,
        Kind::Runtime,
        Kind::Stack,
        Kind::Freed,
        Kind::Gone,
    ];

    pub fn from_byte(byte: u8) -> Kind {
        Self::ALL[usize::from(byte) % Self::ALL.len()]
    }

    pub fn is_dead(self) -> bool {
        matches!(self, Kind::Freed | Kind::Gone)
    }
}

/// A pointer in memory, or one byte of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointerAt {
    pub at: u32,
    pub object: ObjectId,
    /// 0: a whole pointer; otherwise one more than which byte of it.
    pub piece: u8,
}

#[derive(Debug, PartialEq, Eq)]
pub struct Object {
    pub kind: Kind,
    /// May another thread reach it?
    pub shared: bool,
    /// Where it was made: a site, or the number of a global variable.
    pub site: u32,
    /// Where it was freed.
    pub freed: u32,
    pub bytes: Vec<u8>,
    /// One for each undefined bit; empty where all are defined.
    pub undef: Vec<u8>,
    /// In the order of `at`.
    pub pointers: Vec<PointerAt>,
}

/// The number in up to eight bytes. Most have one of the usual lengths, which are faster when they are
/// known.
#[inline]
fn word(bytes: &[u8]) -> u64 {
    match *bytes {
        [a, b, c, d, e, f, g, h] => u64::from_le_bytes([a, b, c, d, e, f, g, h]),
        [a, b, c, d] => u32::from_le_bytes([a, b, c, d]).into(),
        [a] => a.into(),
        _ => bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)),
    }
}

#[inline]
fn put_word(bytes: &mut [u8], word: u64) {
    let word = word.to_le_bytes();
    match bytes.len() {
        8 => bytes.copy_from_slice(&word),
        4 => bytes.copy_from_slice(&word[..4]),
        1 => bytes.copy_from_slice(&word[..1]),
        len => bytes.copy_from_slice(&word[..len]),
    }
}

impl Clone for Object {
    fn clone(&self) -> Object {
        let (bytes, undef) = (self.bytes.clone(), self.undef.clone());
        Object { bytes, undef, pointers: self.pointers.clone(), ..*self }
    }

    /// Without new allocations.
    fn clone_from(&mut self, other: &Object) {
        self.bytes.clone_from(&other.bytes);
        self.undef.clone_from(&other.undef);
        self.pointers.clone_from(&other.pointers);
        (self.kind, self.shared) = (other.kind, other.shared);
        (self.site, self.freed) = (other.site, other.freed);
    }
}

impl Object {
    pub fn new(kind: Kind, size: usize, site: u32) -> Object {
        let bytes = vec![0; size];
        Object {
            kind,
            shared: false,
            site,
            freed: 0,
            undef: Vec::new(),
            bytes,
            pointers: Vec::new(),
        }
    }

    /// As `malloc` gives it.
    pub fn undefined(kind: Kind, size: usize, site: u32) -> Object {
        Object { undef: vec![0xff; size], ..Object::new(kind, size, site) }
    }

    /// Was nothing written to it yet?
    pub fn is_undefined(&self) -> bool {
        self.undef.len() == self.bytes.len() && self.undef.iter().all(|byte| *byte == 0xff)
    }

    pub fn size(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// Forgets the contents; pointers to it are dangling from now on.
    pub fn die(&mut self, kind: Kind, freed: u32) {
        self.kind = kind;
        self.freed = freed;
        self.bytes = Vec::new();
        self.undef = Vec::new();
        self.pointers = Vec::new();
    }

    fn first_pointer(&self, at: u32) -> usize {
        self.pointers.partition_point(|pointer| pointer.at < at)
    }

    /// Are there pointers, or parts of them, in these bytes?
    #[inline]
    fn touches_pointer(&self, at: u32, len: u32, width: u32) -> bool {
        !self.pointers.is_empty()
            && self.pointers[self.first_pointer(at.saturating_sub(width - 1))..]
                .iter()
                .take_while(|pointer| pointer.at < at + len)
                .any(|pointer| pointer.piece == 0 || pointer.at >= at)
    }

    /// Reads up to eight bytes; the caller has checked the range. `None`: a part of a pointer that
    /// is neither the whole nor one byte.
    pub fn load(&self, at: u32, len: u32, width: u32) -> Option<Value> {
        let range = at as usize..(at + len) as usize;
        let mut value = Value::number(word(&self.bytes[range.clone()]));
        if !self.undef.is_empty() {
            value.undef = word(&self.undef[range]);
        }
        if !self.touches_pointer(at, len, width) {
            return Some(value);
        }
        let first = self.first_pointer(at);
        match self.pointers.get(first) {
            Some(pointer) if pointer.at == at && pointer.piece == 0 && len == width => {
                // The bytes hold the offset, sign-extended where a pointer has four bytes.
                let bits =
                    if width == 4 { value.bits as u32 as i32 as i64 as u64 } else { value.bits };
                Some(Value { bits, object: pointer.object, ..value })
            }
            Some(pointer) if pointer.at == at && pointer.piece != 0 && len == 1 => {
                Some(Value { object: pointer.object, piece: pointer.piece, ..value })
            }
            found if len == 1 => {
                // One byte out of a whole pointer.
                let whole = self.pointers[..first].last().filter(|whole| at < whole.at + width);
                let whole = found.filter(|pointer| pointer.at == at).or(whole)?;
                let piece = (at - whole.at) as u8 + 1;
                Some(Value { object: whole.object, piece, ..value })
            }
            _ => None,
        }
    }

    /// Writes up to eight bytes; the caller has checked the range.
    pub fn store(&mut self, at: u32, len: u32, width: u32, value: Value) {
        let range = at as usize..(at + len) as usize;
        put_word(&mut self.bytes[range.clone()], value.bits);
        if value.undef & mask(len as u8 * 8) != 0 && self.undef.is_empty() {
            self.undef = vec![0; self.bytes.len()];
        }
        if !self.undef.is_empty() {
            put_word(&mut self.undef[range], value.undef);
        }
        if !self.pointers.is_empty() {
            self.forget_pointers(at, len, width);
        }
        if value.object != 0 {
            let pointer = PointerAt { at, object: value.object, piece: value.piece };
            let place = self.first_pointer(at);
            self.pointers.insert(place, pointer);
            if value.piece != 0 {
                self.join_pieces(at, value, width);
            }
        }
    }

    pub fn set_undef(&mut self, range: std::ops::Range<usize>, undef: &[u8]) {
        if self.undef.is_empty() {
            if undef.iter().all(|byte| *byte == 0) {
                return;
            }
            self.undef = vec![0; self.bytes.len()];
        }
        self.undef[range].copy_from_slice(undef);
    }

    /// Drops an undefinedness map that says nothing any more: equal objects have equal fields.
    pub fn tidy(&mut self) {
        if self.undef.iter().all(|byte| *byte == 0) {
            self.undef = Vec::new();
        }
    }

    /// Pointers in these bytes are overwritten; what is left of a whole one becomes pieces.
    pub fn forget_pointers(&mut self, at: u32, len: u32, width: u32) {
        let mut first = self.first_pointer(at.saturating_sub(width - 1));
        while let Some(pointer) = self.pointers.get(first).copied() {
            if pointer.at >= at + len {
                break;
            }
            let end = pointer.at + if pointer.piece == 0 { width } else { 1 };
            if end <= at {
                first += 1;
                continue;
            }
            self.pointers.remove(first);
            if pointer.piece == 0 {
                for byte in (0..width).filter(|byte| !(at..at + len).contains(&(pointer.at + byte)))
                {
                    let piece = PointerAt {
                        at: pointer.at + byte,
                        object: pointer.object,
                        piece: byte as u8 + 1,
                    };
                    let place = self.first_pointer(piece.at);
                    self.pointers.insert(place, piece);
                    first = first.max(place + 1);
                }
            }
        }
        self.pointers.sort_by_key(|pointer| pointer.at);
    }

    /// All bytes of one pointer in a row are a pointer again.
    fn join_pieces(&mut self, at: u32, value: Value, width: u32) {
        let Some(start) = at.checked_sub(u32::from(value.piece) - 1) else { return };
        let first = self.first_pointer(start);
        let Some(pieces) = self.pointers.get(first..first + width as usize) else { return };
        let whole = pieces.iter().enumerate().all(|(byte, piece)| {
            *piece
                == PointerAt {
                    at: start + byte as u32,
                    object: value.object,
                    piece: byte as u8 + 1,
                }
        });
        if whole {
            self.pointers.drain(first + 1..first + width as usize);
            self.pointers[first].piece = 0;
        }
    }

    /// Copies bytes with everything that is known about them.
    pub fn copy_in(&mut self, at: u32, from: &Object, from_at: u32, len: u32, width: u32) {
        if len == 0 {
            return;
        }
        let range = at as usize..(at + len) as usize;
        let source = from_at as usize..(from_at + len) as usize;
        self.bytes[range.clone()].copy_from_slice(&from.bytes[source.clone()]);
        match from.undef.is_empty() {
            true => self.set_undef(range, &vec![0; len as usize]),
            false => self.set_undef(range, &from.undef[source]),
        }
        self.forget_pointers(at, len, width);
        for pointer in &from.pointers {
            let end = pointer.at + if pointer.piece == 0 { width } else { 1 };
            if end <= from_at || pointer.at >= from_at + len {
                continue;
            }
            if pointer.at >= from_at && end <= from_at + len {
                self.pointers.push(PointerAt { at: pointer.at - from_at + at, ..*pointer });
                continue;
            }
            // Only a part of it is copied.
            for byte in (0..width).filter(|b| (from_at..from_at + len).contains(&(pointer.at + b)))
            {
                let at = pointer.at + byte - from_at + at;
                let piece = PointerAt { at, object: pointer.object, piece: byte as u8 + 1 };
                self.pointers.push(piece);
            }
        }
        self.pointers.sort_by_key(|pointer| pointer.at);
    }

    /// Reads a scalar into its registers.
    pub fn load_lanes(&self, at: u32, scalar: Scalar, width: u32) -> Option<[Value; 2]> {
        match scalar.pair() {
            Some([_, bits]) => {
                let rest = u32::from(bits).div_ceil(8);
                Some([self.load(at, 8, width)?, self.load(at + 8, rest, width)?])
            }
            None => Some([self.load_scalar(at, scalar, width)?, Value::NULL]),
        }
    }

    /// Writes a scalar from its registers.
    pub fn store_lanes(&mut self, at: u32, scalar: Scalar, width: u32, values: [Value; 2]) {
        let bytes = scalar.bytes(width as u8);
        match scalar.lanes() {
            2 => {
                self.store(at, 8, width, values[0]);
                self.store(at + 8, bytes - 8, width, values[1]);
            }
            _ => self.store(at, bytes, width, values[0]),
        }
    }

    /// Reads a scalar of one register.
    pub fn load_scalar(&self, at: u32, scalar: Scalar, width: u32) -> Option<Value> {
        match scalar {
            Scalar::Int(bits) => {
                let mut value = self.load(at, u32::from(bits).div_ceil(8), width)?;
                if value.object == 0 {
                    value.bits &= mask(bits);
                    value.undef &= mask(bits);
                }
                Some(value)
            }
            _ => self.load(at, scalar.bytes(width as u8), width),
        }
    }
}
