//! Objects taken apart by the types of the source: members, elements, scalars.

use crate::code::Program;
use auspex_llvm::debug::{
    Count, DebugType, Dimension, Encoding, Member, RecordKeyword, TypeKind, TypeRef,
};

/// A scalar, or a string, inside an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// `q.items[2]`.
    pub name: String,
    pub ty: Option<TypeRef>,
    pub at: u32,
    pub len: u32,
    /// Of a bit-field: where it begins in the bytes, and how many bits there are.
    pub bits: Option<(u32, u32)>,
    /// An array of characters.
    pub string: bool,
}

/// An expression for a place, to which a member or an index can be added.
#[derive(Clone, Debug)]
pub enum Base {
    Value(String),
    /// An expression for the address of the place.
    Pointer(String),
}

impl Base {
    pub fn member(&self, name: &str) -> Base {
        Base::Value(match self {
            Base::Value(text) => format!("{text}.{name}"),
            Base::Pointer(text) => format!("{}->{name}", postfix(text)),
        })
    }

    pub fn element(&self, index: u64) -> Base {
        let (Base::Value(text) | Base::Pointer(text)) = self;
        Base::Value(format!("{}[{index}]", postfix(text)))
    }

    pub fn text(&self) -> String {
        match self {
            Base::Value(text) => text.clone(),
            Base::Pointer(text) => format!("*{text}"),
        }
    }
}

fn postfix(text: &str) -> String {
    if text.starts_with(['*', '&']) { format!("({text})") } else { text.to_owned() }
}

/// Types whose insides belong to the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opaque {
    Mutex,
    Condition,
    Lock,
    Semaphore,
    Barrier,
    Other,
}

const OPAQUE: &[(&str, Opaque)] = &[
    ("pthread_mutex_t", Opaque::Mutex),
    ("mtx_t", Opaque::Mutex),
    ("pthread_cond_t", Opaque::Condition),
    ("cnd_t", Opaque::Condition),
    ("pthread_rwlock_t", Opaque::Lock),
    ("sem_t", Opaque::Semaphore),
    ("pthread_barrier_t", Opaque::Barrier),
    ("pthread_spinlock_t", Opaque::Other),
    ("pthread_once_t", Opaque::Other),
    ("once_flag", Opaque::Other),
    ("pthread_attr_t", Opaque::Other),
    ("pthread_mutexattr_t", Opaque::Other),
    ("pthread_condattr_t", Opaque::Other),
    ("pthread_rwlockattr_t", Opaque::Other),
    ("pthread_barrierattr_t", Opaque::Other),
    ("jmp_buf", Opaque::Other),
    ("sigjmp_buf", Opaque::Other),
    ("va_list", Opaque::Other),
    ("__builtin_va_list", Opaque::Other),
];

/// The types of a program.
#[derive(Clone, Copy, Debug)]
pub struct Types<'p> {
    pub program: &'p Program,
}

impl<'p> Types<'p> {
    pub fn get(self, ty: TypeRef) -> &'p DebugType {
        &self.program.module.debug[ty]
    }

    /// Without the names and qualifiers around it.
    pub fn strip(self, ty: Option<TypeRef>) -> Option<TypeRef> {
        let mut ty = ty?;
        // A type cannot be its own name, but the input may say so.
        for _ in 0..64 {
            match &self.get(ty).kind {
                TypeKind::Typedef(to) | TypeKind::Qualified(_, to) => ty = (*to)?,
                _ => break,
            }
        }
        Some(ty)
    }

    pub fn kind(self, ty: Option<TypeRef>) -> Option<&'p TypeKind> {
        self.strip(ty).map(|ty| &self.get(ty).kind)
    }

    pub fn opaque(self, ty: Option<TypeRef>) -> Option<Opaque> {
        let mut ty = ty?;
        for _ in 0..64 {
            let this = self.get(ty);
            if let Some(name) = this.name {
                let name = &self.program.module.names[name];
                if let Some((_, opaque)) = OPAQUE.iter().find(|(known, _)| *known == name) {
                    return Some(*opaque);
                }
            }
            match &this.kind {
                TypeKind::Typedef(to) | TypeKind::Qualified(_, to) => ty = (*to)?,
                _ => return None,
            }
        }
        None
    }

    /// In bytes.
    pub fn size(self, ty: Option<TypeRef>) -> u32 {
        let Some(ty) = self.strip(ty) else { return 0 };
        let this = self.get(ty);
        match &this.kind {
            TypeKind::Array { element, dimensions, .. } if this.size_bits == 0 => {
                let known = dimensions.iter().map(|dimension| match dimension.count {
                    Count::Known(count) => count,
                    Count::Variable | Count::Unknown => 0,
                });
                let count = known.fold(1u64, u64::saturating_mul);
                u32::try_from(count.saturating_mul(self.size(*element).into())).unwrap_or(u32::MAX)
            }
            TypeKind::Enumeration { underlying, .. } if this.size_bits == 0 => {
                self.size(*underlying)
            }
            _ => u32::try_from(this.size_bits.div_ceil(8)).unwrap_or(u32::MAX),
        }
    }

    /// What a pointer of this type points to; `None` for `void *` and for what is no pointer.
    pub fn pointee(self, ty: Option<TypeRef>) -> Option<TypeRef> {
        match self.kind(ty)? {
            TypeKind::Pointer(to) | TypeKind::Reference { to, .. } => *to,
            _ => None,
        }
    }

    pub fn is_pointer(self, ty: Option<TypeRef>) -> bool {
        matches!(self.kind(ty), Some(TypeKind::Pointer(_) | TypeKind::Reference { .. }))
    }

    /// `char` itself: other types of one byte are numbers.
    pub fn is_char(self, ty: Option<TypeRef>) -> bool {
        self.strip(ty).is_some_and(|ty| {
            let this = self.get(ty);
            let name = this.name.map(|name| &self.program.module.names[name]);
            matches!(
                this.kind,
                TypeKind::Base(Encoding::SignedCharacter | Encoding::UnsignedCharacter)
            ) && name == Some("char")
        })
    }

    /// `struct node`, `int`.
    pub fn name(self, ty: TypeRef) -> String {
        self.program.module.type_name(ty)
    }

    /// Does an object of this type go on beyond its size (`char name[]` at the end)?
    pub fn is_flexible(self, ty: Option<TypeRef>) -> bool {
        let Some(TypeKind::Record(record)) = self.kind(ty) else { return false };
        let last = record.members.last();
        last.is_some_and(|member| match self.kind(member.ty) {
            Some(TypeKind::Array { .. }) => self.size(member.ty) == 0,
            _ => false,
        })
    }

    /// A member of a record, by name.
    pub fn member(self, ty: TypeRef, name: &str) -> Option<&'p Member> {
        let TypeKind::Record(record) = self.kind(Some(ty))? else { return None };
        let names = &self.program.module.names;
        record.members.iter().find(|member| member.name.is_some_and(|it| &names[it] == name))
    }

    /// A structure of the runtime library: one that has these members.
    pub fn of_runtime(self, name: &str, members: &[&str]) -> Option<TypeRef> {
        let (debug, names) = (&self.program.module.debug, &self.program.module.names);
        (0..debug.types.len() as u32).map(TypeRef).find(|ty| {
            debug[*ty].name.is_some_and(|it| &names[it] == name)
                && members.iter().all(|member| self.member(*ty, member).is_some())
        })
    }
}

/// Collects the scalars that overlap some bytes of an object.
pub struct Walk<'p> {
    pub types: Types<'p>,
    /// The bytes of interest.
    pub from: u32,
    pub to: u32,
    /// No more leaves than this, and one more that says that there are.
    pub most: usize,
    /// Mutexes and the like as a whole; else not at all.
    pub opaque: bool,
    pub found: Vec<Leaf>,
}

impl Walk<'_> {
    fn leaf(&mut self, base: &Base, ty: Option<TypeRef>, at: u32, len: u32) {
        self.found.push(Leaf { name: base.text(), ty, at, len, bits: None, string: false });
    }

    pub fn visit(&mut self, base: &Base, ty: Option<TypeRef>, at: u32, end: u32) {
        if at >= self.to || end <= self.from || self.found.len() > self.most {
            return;
        }
        if self.types.opaque(ty).is_some() {
            if self.opaque {
                self.leaf(base, ty, at, end - at);
            }
            return;
        }
        match self.types.kind(ty) {
            Some(TypeKind::Record(record)) if record.kind == RecordKeyword::Union => {
                let plain = |member: &Member| {
                    let kind = self.types.kind(member.ty);
                    !matches!(kind, Some(TypeKind::Record(_) | TypeKind::Array { .. }))
                };
                // Which of its scalars is meant is not known: all are shown.
                match record.members.iter().all(plain) {
                    true => self.leaf(base, ty, at, end - at),
                    false => self.union(base, &record.members, at, end),
                }
            }
            Some(TypeKind::Record(record)) => {
                record.members.iter().for_each(|member| self.member(base, member, at, end));
            }
            Some(TypeKind::Array { element, dimensions, .. }) => {
                self.array(base, *element, dimensions, at, end);
            }
            _ => {
                let size = self.types.size(ty).min(end - at);
                self.leaf(base, ty, at, if size == 0 { end - at } else { size });
            }
        }
    }

    fn member(&mut self, base: &Base, member: &Member, at: u32, end: u32) {
        if member.is_static {
            return;
        }
        let start = at.saturating_add((member.offset_bits / 8) as u32);
        let inner = match member.name {
            Some(name) => base.member(&self.types.program.module.names[name]),
            None => base.clone(),
        };
        if member.bit_field {
            let shift = (member.offset_bits % 8) as u32;
            let len = (shift + member.size_bits as u32).div_ceil(8);
            if start < self.to && start + len > self.from && start + len <= end && len <= 8 {
                let bits = Some((shift, member.size_bits as u32));
                let name = inner.text();
                self.found.push(Leaf { name, ty: member.ty, at: start, len, bits, string: false });
            }
            return;
        }
        let size = self.types.size(member.ty);
        // An array without a length goes to the end of the object.
        let stop = if size == 0 { end } else { start.saturating_add(size).min(end) };
        if start < stop {
            self.visit(&inner, member.ty, start, stop);
        }
    }

    /// The member that fits the bytes best: the one with a scalar of exactly this size.
    fn union(&mut self, base: &Base, members: &[Member], at: u32, end: u32) {
        let before = self.found.len();
        let mut first = None;
        for member in members {
            self.member(base, member, at, end);
            let new: Vec<Leaf> = self.found.drain(before..).collect();
            if let [only] = &new[..]
                && (only.at, only.at + only.len) == (self.from, self.to)
            {
                return self.found.extend(new);
            }
            if first.is_none() && !new.is_empty() {
                first = Some(new);
            }
        }
        self.found.extend(first.into_iter().flatten());
    }

    fn array(
        &mut self,
        base: &Base,
        element: Option<TypeRef>,
        dimensions: &[Dimension],
        at: u32,
        end: u32,
    ) {
        let rest = dimensions.get(1..).unwrap_or(&[]);
        if self.types.is_char(element)
            && rest.is_empty()
            && self.to.min(end) - self.from.max(at) > 1
        {
            let name = base.text();
            let leaf = Leaf { name, ty: None, at, len: end - at, bits: None, string: true };
            return self.found.push(leaf);
        }
        let inner = rest.iter().fold(1u64, |all, dimension| match dimension.count {
            Count::Known(count) => all.saturating_mul(count.max(1)),
            Count::Variable | Count::Unknown => all,
        });
        let size = u64::from(self.types.size(element).max(1)).saturating_mul(inner);
        let Ok(size) = u32::try_from(size) else { return };
        let mut index = self.from.saturating_sub(at) / size;
        while self.found.len() <= self.most {
            let start = at.saturating_add(index.saturating_mul(size));
            if start >= end || start >= self.to {
                break;
            }
            let stop = start.saturating_add(size).min(end);
            let inside = base.element(index.into());
            match rest {
                [] => self.visit(&inside, element, start, stop),
                rest => self.array(&inside, element, rest, start, stop),
            }
            index += 1;
        }
    }
}
