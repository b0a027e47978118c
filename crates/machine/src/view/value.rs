//! Values as C writes them.

use super::scene::{Known, Scene};
use super::types::{Base, Leaf, Opaque, Walk};
use crate::extended;
use crate::names;
use crate::object::{Kind, Object};
use crate::value::{FUNCTION, ObjectId, Scalar, Value, mask, sign_extend};
use auspex_llvm::debug::{Count, Dimension, Encoding, TypeKind, TypeRef};
use std::ops::Range;

/// No value.
pub const UNDEFINED: &str = "?";
const LONGEST_STRING: usize = 40;
const MOST_ELEMENTS: usize = 8;

impl Scene<'_> {
    /// A scalar of a type.
    pub fn scalar(&self, value: Value, ty: Option<TypeRef>) -> String {
        let types = self.types();
        let bits = types.size(ty).saturating_mul(8).clamp(1, 64) as u8;
        let number = Value { undef: value.undef & mask(bits), ..value };
        if number.undef != 0 {
            return UNDEFINED.to_owned();
        }
        let bits = if ty.is_none() { 64 } else { bits };
        match types.kind(ty) {
            Some(TypeKind::Pointer(to) | TypeKind::Reference { to, .. }) => {
                self.pointer(value, *to)
            }
            _ if value.object != 0 => self.pointer(value, None),
            Some(TypeKind::Base(encoding)) => match encoding {
                Encoding::Boolean => (value.bits & 1 != 0).to_string(),
                _ if types.is_char(ty) => character(value.bits as u8),
                Encoding::Signed | Encoding::SignedCharacter => {
                    sign_extend(value.bits, bits).to_string()
                }
                Encoding::Float if bits == 32 => f32::from_bits(value.bits as u32).to_string(),
                Encoding::Float => f64::from_bits(value.bits).to_string(),
                _ => (value.bits & mask(bits)).to_string(),
            },
            Some(TypeKind::Enumeration { enumerators, .. }) => {
                let is = |wanted: i128| wanted as u64 & mask(bits) == value.bits & mask(bits);
                let name = enumerators.iter().find(|it| is(it.value)).and_then(|it| it.name);
                match name {
                    Some(name) => self.program.module.names[name].to_owned(),
                    None => sign_extend(value.bits, bits).to_string(),
                }
            }
            _ => sign_extend(value.bits, bits).to_string(),
        }
    }

    /// A variable in registers.
    pub fn lanes(&self, lanes: [Value; 2], ty: Option<TypeRef>) -> String {
        let types = self.types();
        let float = matches!(types.kind(ty), Some(TypeKind::Base(Encoding::Float)));
        match types.size(ty) {
            0..=8 => self.scalar(lanes[0], ty),
            _ if float => extended_text(lanes),
            16 if lanes.iter().all(|lane| lane.object == 0) => match crate::arith::wide(lanes) {
                Some(number) => (number as i128).to_string(),
                None => UNDEFINED.to_owned(),
            },
            _ => self.scalar(lanes[0], ty),
        }
    }

    /// Where a pointer points to.
    pub fn pointer(&self, value: Value, to: Option<TypeRef>) -> String {
        if value.is_null() {
            return "NULL".to_owned();
        }
        if value.object & FUNCTION != 0 {
            let function = (value.object & !FUNCTION) as usize;
            return self.program.functions[function].name.clone();
        }
        let Some(object) = self.object(value.object) else { return format!("{:#x}", value.bits) };
        let at = value.bits as i64;
        if let Some(text) = self.text_constant(object, at) {
            return text;
        }
        match object.kind {
            Kind::Runtime => match self.thread_object(value) {
                Some(thread) => thread,
                None => "...".to_owned(),
            },
            Kind::Gone => match self.named(value.object, object) {
                Some(known) => format!("&{} (gone)", known.base.text()),
                None => "a local variable that is gone".to_owned(),
            },
            Kind::Freed if names::is_of_runtime(self.program, object) => {
                "a thread that is gone".to_owned()
            }
            Kind::Freed => format!("freed {}", self.heap_name(value.object, object, to)),
            Kind::Heap => self.on_heap(value.object, object, at, to),
            Kind::Global | Kind::Constant | Kind::Stack => {
                match (self.thread_object(value), self.named(value.object, object)) {
                    (Some(thread), _) => thread,
                    (None, Some(known)) => self.address(&known, object, at, to),
                    (None, None) => format!("{}+{at}", names::short(self.program, object)),
                }
            }
        }
    }

    fn on_heap(&self, id: ObjectId, object: &Object, at: i64, to: Option<TypeRef>) -> String {
        let known = self.known(id, object).and_then(|known| known.ty);
        let name = self.heap_name(id, object, if at == 0 { to } else { known });
        if at == 0 {
            return name;
        }
        let (types, end) = (self.types(), object.size() as i64);
        let size = i64::from(types.size(known));
        if size == 0 || at < 0 || at >= end {
            let unit = i64::from(types.size(to)).max(1);
            return match at % unit {
                0 if types.size(to) > 0 => format!("{name} + {}", at / unit),
                _ => format!("{name} + {at} bytes"),
            };
        }
        let base = match types.is_flexible(known) || end < 2 * size {
            true => Base::Value(name),
            false if at % size == 0 => return format!("{name} + {}", at / size),
            false => Base::Value(name).element((at / size) as u64),
        };
        let inside = Known { base, ty: known };
        let offset = if types.is_flexible(known) { at } else { at % size };
        self.address(&inside, object, offset, to)
    }

    /// `&x`, `&q.items[2]`.
    fn address(&self, known: &Known, object: &Object, at: i64, to: Option<TypeRef>) -> String {
        let types = self.types();
        let whole = known.base.text();
        let array = matches!(types.kind(known.ty), Some(TypeKind::Array { .. }));
        if at == 0 && !(array && to.is_some()) {
            let inner = types.strip(to) != types.strip(known.ty)
                && matches!(types.kind(known.ty), Some(TypeKind::Record(_)))
                && !matches!(types.kind(to), None | Some(TypeKind::Record(_)));
            if array {
                return whole;
            }
            if !inner {
                return format!("&{whole}");
            }
        }
        let size = object.size() as i64;
        if at < 0 || at >= size {
            let unit = i64::from(types.size(to)).max(1);
            let sign = if array { "" } else { "&" };
            return match at % unit {
                0 => format!("{sign}{whole} + {}", at / unit),
                _ => format!("{sign}{whole} + {at} bytes"),
            };
        }
        let (from, len) = (at as u32, types.size(to).max(1));
        let mut walk = Walk { types, from, to: from + 1, most: 2, opaque: true, found: Vec::new() };
        walk.visit(&known.base, known.ty, 0, size as u32);
        let Some(leaf) = walk.found.first() else { return format!("&{whole} + {at} bytes") };
        // A pointer to a record inside is one to its first member too: leave that name out.
        let mut name = leaf.name.as_str();
        if leaf.at == from && len > leaf.len && leaf.name.len() > whole.len() {
            name = name.rsplit_once(['.', '[']).map_or(name, |(outer, _)| outer);
            if array && name == whole {
                return format!("&{name}[0]");
            }
        }
        if leaf.string {
            return format!("&{name}[{}]", from - leaf.at);
        }
        match from - leaf.at {
            0 => format!("&{name}"),
            more => format!("&{name} + {more} bytes"),
        }
    }

    /// The text of a string constant.
    fn text_constant(&self, object: &Object, at: i64) -> Option<String> {
        let is = match object.kind {
            Kind::Constant => names::is_string(self.program, object),
            // The arguments of `main`.
            Kind::Runtime => object.site == 0 && object.pointers.is_empty() && object.size() > 0,
            _ => false,
        };
        let at = usize::try_from(at).ok().filter(|at| is && *at < object.bytes.len())?;
        Some(string(&object.bytes[at..], &[]))
    }

    /// The value of a part of an object.
    pub fn leaf(&self, object: &Object, leaf: &Leaf) -> String {
        let end = (leaf.at + leaf.len) as usize;
        if end > object.bytes.len() {
            return UNDEFINED.to_owned();
        }
        if leaf.string {
            let undef = object.undef.get(leaf.at as usize..end).unwrap_or(&[]);
            return string(&object.bytes[leaf.at as usize..end], undef);
        }
        if let Some(opaque) = self.types().opaque(leaf.ty) {
            return self.opaque(object, leaf.at, opaque);
        }
        if let Some(TypeKind::Record(_)) = self.types().kind(leaf.ty) {
            return self.whole(object, leaf.ty, leaf.at, leaf.at + leaf.len);
        }
        let width = u32::from(self.program.pointer);
        let float = matches!(self.types().kind(leaf.ty), Some(TypeKind::Base(Encoding::Float)));
        if float && leaf.len > 8 {
            let lanes = object.load_lanes(leaf.at, Scalar::Extended, width);
            return lanes.map_or_else(|| UNDEFINED.to_owned(), extended_text);
        }
        if leaf.len > 8 {
            return wide(object, leaf);
        }
        let Some(value) = object.load(leaf.at, leaf.len, width) else {
            return "a part of a pointer".to_owned();
        };
        match leaf.bits {
            Some((shift, count)) => self.bit_field(value, leaf.ty, shift, count as u8),
            None if leaf.ty.is_none() && value.object == 0 && value.undef == 0 => {
                sign_extend(value.bits, (leaf.len * 8) as u8).to_string()
            }
            None => self.scalar(value, leaf.ty),
        }
    }

    fn bit_field(&self, value: Value, ty: Option<TypeRef>, shift: u32, count: u8) -> String {
        let part = |bits: u64| bits >> shift & mask(count);
        let mut number = Value::with_undef(part(value.bits), part(value.undef));
        let signed = matches!(self.types().kind(ty), Some(TypeKind::Base(Encoding::Signed)));
        if signed && number.undef == 0 {
            number.bits = sign_extend(number.bits, count) as u64;
        }
        self.scalar(number, ty)
    }

    /// A whole object, or a part of one: `{a = 1, b = {2, 3}}`.
    pub fn whole(&self, object: &Object, ty: Option<TypeRef>, at: u32, end: u32) -> String {
        let types = self.types();
        let leaf = Leaf { name: String::new(), ty, at, len: end - at, bits: None, string: false };
        if types.opaque(ty).is_some() {
            return self.leaf(object, &leaf);
        }
        match types.kind(ty) {
            Some(TypeKind::Record(record)) => {
                let names = &self.program.module.names;
                let mut parts = Vec::new();
                for member in record.members.iter().filter(|member| !member.is_static) {
                    let start = at + (member.offset_bits / 8) as u32;
                    let size = types.size(member.ty);
                    let stop = if size == 0 { end } else { (start + size).min(end) };
                    if start >= end {
                        continue;
                    }
                    let name = member.name.map_or("", |name| &names[name]);
                    let value = match member.bit_field {
                        true => {
                            let shift = (member.offset_bits % 8) as u32;
                            let count = member.size_bits as u32;
                            let len = (shift + count).div_ceil(8).min(8);
                            let bits = Some((shift, count));
                            let ty = member.ty;
                            let leaf = Leaf { ty, at: start, len, bits, ..leaf.clone() };
                            self.leaf(object, &leaf)
                        }
                        false => self.whole(object, member.ty, start, stop),
                    };
                    parts.push(if name.is_empty() { value } else { format!("{name} = {value}") });
                }
                match parts.iter().all(|part| part.ends_with(" = ?") || part == UNDEFINED) {
                    true if !parts.is_empty() => UNDEFINED.to_owned(),
                    _ => format!("{{{}}}", parts.join(", ")),
                }
            }
            Some(TypeKind::Array { element, dimensions, .. }) => {
                self.array(object, *element, dimensions, at..end)
            }
            _ => self.leaf(object, &leaf),
        }
    }

    fn array(
        &self,
        object: &Object,
        element: Option<TypeRef>,
        dimensions: &[Dimension],
        bytes: Range<u32>,
    ) -> String {
        match dimensions {
            [Dimension { count: Count::Known(count @ 1..), .. }, rest @ ..] if !rest.is_empty() => {
                let size = (u64::from(bytes.end - bytes.start) / count) as u32;
                let rows = bytes.clone().step_by(size.max(1) as usize);
                let rows = rows.map(|at| at..(at + size).min(bytes.end));
                list(rows.map(|row| self.array(object, element, rest, row)))
            }
            _ if self.types().is_char(element) => {
                let (at, len) = (bytes.start, bytes.end - bytes.start);
                let leaf =
                    Leaf { name: String::new(), ty: None, at, len, bits: None, string: true };
                self.leaf(object, &leaf)
            }
            _ => self.elements(object, element, bytes.start, bytes.end),
        }
    }

    pub fn elements(&self, object: &Object, element: Option<TypeRef>, at: u32, end: u32) -> String {
        let size = self.types().size(element).max(1);
        let starts = (at..end).step_by(size as usize).filter(|start| start + size <= end);
        list(starts.map(|start| self.whole(object, element, start, start + size)))
    }

    /// A mutex and the like: what it does, not what it consists of.
    fn opaque(&self, object: &Object, at: u32, opaque: Opaque) -> String {
        let field = |kind: &str, members: &[&str], name: &str| {
            let types = self.types();
            let ty = types.of_runtime(kind, members)?;
            let member = types.member(ty, name)?;
            let start = at + (member.offset_bits / 8) as u32;
            let (size, width) = (types.size(member.ty), u32::from(self.program.pointer));
            (u64::from(start + size) <= object.size()).then(|| object.load(start, size, width))?
        };
        let thread =
            |value: Value| self.thread_object(value).unwrap_or_else(|| "a thread".to_owned());
        let text = match opaque {
            Opaque::Mutex => {
                let of = |name| field("mutex", &["owner", "robustness"], name);
                of("owner").map(|owner| match owner.is_null() {
                    true if of("kind").is_some_and(|kind| kind.bits as u32 == u32::MAX) => {
                        "destroyed".to_owned()
                    }
                    true => "unlocked".to_owned(),
                    false => format!("locked by {}", thread(owner)),
                })
            }
            Opaque::Condition => {
                field("cond", &["waiters", "mutex"], "waiters").map(|first| self.waiters(first))
            }
            Opaque::Semaphore => {
                field("semaphore", &["value"], "value").map(|value| value.bits.to_string())
            }
            Opaque::Lock => {
                let of = |name| field("rwlock", &["writer", "readers"], name);
                of("writer").zip(of("readers")).map(|(writer, readers)| match readers.bits {
                    _ if !writer.is_null() => format!("locked for writing by {}", thread(writer)),
                    0 => "unlocked".to_owned(),
                    count => format!("locked for reading by {count}"),
                })
            }
            Opaque::Barrier => {
                let of = |name| field("barrier", &["count", "arrived"], name);
                of("arrived")
                    .zip(of("count"))
                    .map(|(arrived, count)| format!("{} of {} arrived", arrived.bits, count.bits))
            }
            Opaque::Other => None,
        };
        text.unwrap_or_else(|| "...".to_owned())
    }

    fn waiters(&self, first: Value) -> String {
        let types = self.types();
        let width = u32::from(self.program.pointer);
        let mut names = Vec::new();
        let mut next = first;
        while !next.is_null() && names.len() < 64 {
            names.extend(self.thread_object(next));
            let link = types.of_runtime("thread", &["waiter", "number"]);
            let link = link.and_then(|ty| types.member(ty, "waiter"));
            let at = link.map(|member| (member.offset_bits / 8) as u32);
            let loaded = at.zip(self.object(next.object)).and_then(|(at, object)| {
                (u64::from(at + width) <= object.size()).then(|| object.load(at, width, width))?
            });
            next = loaded.unwrap_or(Value::NULL);
        }
        match names.is_empty() {
            true => "nobody waits".to_owned(),
            false if names.len() == 1 => format!("{} waits", names[0]),
            false => format!("{} wait", names.join(", ")),
        }
    }

    /// The thread that an object of the library stands for.
    pub fn thread_object(&self, value: Value) -> Option<String> {
        let object = self.object(value.object).filter(|_| value.bits == 0)?;
        let of_runtime = match object.kind {
            Kind::Runtime => true,
            Kind::Global => self.global(auspex_llvm::ir::GlobalId(object.site)).0 == "__rt_main",
            _ => false,
        };
        if !of_runtime {
            return None;
        }
        let types = self.types();
        let ty = types.of_runtime("thread", &["number", "finished", "waiter"])?;
        if object.size() != u64::from(types.size(Some(ty))) {
            return None;
        }
        let width = u32::from(self.program.pointer);
        let byte = |name, len| {
            let at = (types.member(ty, name)?.offset_bits / 8) as u32;
            object.load(at, len, width)
        };
        let (number, finished) = (byte("number", 4)?, byte("finished", 1)?);
        if finished.bits == 0 {
            return Some(self.thread_name(number.bits as u8));
        }
        let start = byte("start", width).and_then(Value::function);
        let name = start.map_or("main", |start| &self.program.functions[start as usize].name);
        Some(format!("{name}[{}]", number.bits as u8))
    }

    /// `inc[1]`.
    pub fn thread_name(&self, id: u8) -> String {
        let thread = self.thread.filter(|thread| thread.id == id).or_else(|| {
            self.work.threads.iter().map(|thread| &**thread).find(|thread| thread.id == id)
        });
        match thread {
            Some(thread) => format!("{}[{id}]", names::thread(self.program, thread)),
            None => format!("thread {id}"),
        }
    }
}

fn list(items: impl Iterator<Item = String>) -> String {
    let mut items: Vec<String> = items.collect();
    if !items.is_empty() && items.iter().all(|item| item == UNDEFINED) {
        return UNDEFINED.to_owned();
    }
    if let [first, rest @ ..] = &items[..]
        && rest.len() >= MOST_ELEMENTS
        && rest.iter().all(|item| item == first)
    {
        return format!("{{{first}, ...}}");
    }
    if items.len() > MOST_ELEMENTS {
        items.truncate(MOST_ELEMENTS);
        items.push("...".to_owned());
    }
    format!("{{{}}}", items.join(", "))
}

fn extended_text(lanes: [Value; 2]) -> String {
    match extended::number(lanes) {
        Ok(Some(number)) => extended::text(number),
        _ => UNDEFINED.to_owned(),
    }
}

/// 16 bytes.
fn wide(object: &Object, leaf: &Leaf) -> String {
    let range = leaf.at as usize..(leaf.at + leaf.len.min(16)) as usize;
    if object.undef.get(range.clone()).is_some_and(|undef| undef.iter().any(|byte| *byte != 0)) {
        return UNDEFINED.to_owned();
    }
    let mut raw = [0; 16];
    raw[..range.len()].copy_from_slice(&object.bytes[range]);
    i128::from_le_bytes(raw).to_string()
}

fn character(byte: u8) -> String {
    match byte {
        b'\'' => "'\\''".to_owned(),
        0 => "'\\0'".to_owned(),
        b'"' => "'\"'".to_owned(),
        0x20..=0x7e | b'\n' | b'\t' | b'\r' => format!("'{}'", byte.escape_ascii()),
        byte => (byte as i8).to_string(),
    }
}

/// A string up to its end.
fn string(bytes: &[u8], undef: &[u8]) -> String {
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    let known = undef.iter().position(|byte| *byte != 0).unwrap_or(bytes.len());
    if known == 0 && !bytes.is_empty() {
        return UNDEFINED.to_owned();
    }
    let shown = end.min(known).min(LONGEST_STRING);
    let text = String::from_utf8_lossy(&bytes[..shown]);
    let text =
        text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('\t', "\\t");
    let more = if shown < end { "..." } else { "" };
    format!("\"{text}\"{more}")
}
