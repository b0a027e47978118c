//! Sizes, alignments and offsets, as the target lays types out.

use crate::ir::{ConstantId, ConstantValue, Constants, FloatKind, Type, TypeId, Types};

/// What `target datalayout` says. All sizes and alignments given out are in bytes.
#[derive(Clone, Debug)]
pub struct DataLayout {
    /// The text it was read from.
    pub text: String,
    pub big_endian: bool,
    /// Pairs of a width and an alignment in bits, by width.
    integers: Vec<(u32, u32)>,
    floats: Vec<(u32, u32)>,
    vectors: Vec<(u32, u32)>,
    /// In bits; the least alignment of any struct.
    aggregate: u32,
    /// By address space.
    pointers: Vec<PointerLayout>,
    pub stack_address_space: u32,
    pub global_address_space: u32,
    pub program_address_space: u32,
    /// The size in bits and the alignment in bytes of each type of the module: without them,
    /// types that share their parts would be walked through again and again.
    known: Vec<Option<(u64, u64)>>,
}

/// In bits.
#[derive(Clone, Copy, Debug)]
struct PointerLayout {
    address_space: u32,
    size: u32,
    align: u32,
    index: u32,
}

impl Default for DataLayout {
    fn default() -> Self {
        DataLayout {
            text: String::new(),
            big_endian: false,
            // `i64` has 4 bytes as its alignment unless the text says otherwise: so it has on i386.
            integers: vec![(1, 8), (8, 8), (16, 16), (32, 32), (64, 32)],
            floats: vec![(16, 16), (32, 32), (64, 64), (128, 128)],
            vectors: vec![(64, 64), (128, 128)],
            aggregate: 8,
            pointers: vec![PointerLayout { address_space: 0, size: 64, align: 64, index: 64 }],
            stack_address_space: 0,
            global_address_space: 0,
            program_address_space: 0,
            known: Vec::new(),
        }
    }
}

/// Where the fields of a struct are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StructLayout {
    pub size: u64,
    pub align: u64,
    pub offsets: Vec<u64>,
}

impl DataLayout {
    /// Reads the text of `target datalayout`. The error says which part is wrong.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut layout = DataLayout { text: text.to_owned(), ..Default::default() };
        for part in text.split('-').filter(|part| !part.is_empty()) {
            layout.part(part).ok_or_else(|| format!("`{part}` is not understood"))?;
        }
        Ok(layout)
    }

    fn part(&mut self, part: &str) -> Option<()> {
        let (head, rest) = part.split_at_checked(1)?;
        let mut fields = rest.split(':');
        let first = fields.next()?;
        let mut number = || fields.next().map(bits);
        match head {
            "e" => self.big_endian = false,
            "E" => self.big_endian = true,
            "i" => set(&mut self.integers, bits(first)?, number()??),
            "f" => set(&mut self.floats, bits(first)?, number()??),
            "v" => set(&mut self.vectors, bits(first)?, number()??),
            "a" => self.aggregate = number()??.max(8),
            "p" => {
                let address_space = first.trim_start_matches(|c: char| c.is_ascii_lowercase());
                let address_space =
                    if address_space.is_empty() { 0 } else { address_space.parse().ok()? };
                let (size, align) = (number()??, number()??);
                // The third number is the preferred alignment.
                let index = match (number(), number()) {
                    (_, Some(index)) => index?,
                    _ => size,
                };
                // Wider ones are only of machines' special address spaces.
                let too_wide = size > 1024 || address_space == 0 && size > 64;
                if size == 0 || too_wide || !size.is_multiple_of(8) || index > size || align == 0 {
                    return None;
                }
                let pointer = PointerLayout { address_space, size, align, index };
                self.pointers.retain(|p| p.address_space != address_space);
                self.pointers.push(pointer);
            }
            "A" => self.stack_address_space = first.parse().ok()?,
            "G" => self.global_address_space = first.parse().ok()?,
            "P" => self.program_address_space = first.parse().ok()?,
            // Native integers, mangling, stack alignment, non-integral pointers, function
            // pointers: they do not change how anything is laid out.
            "n" | "m" | "S" | "F" | "s" => {}
            _ => return None,
        }
        Some(())
    }

    fn pointer(&self, address_space: u32) -> PointerLayout {
        let of = |wanted| self.pointers.iter().find(|p| p.address_space == wanted);
        *of(address_space).or_else(|| of(0)).unwrap_or(&self.pointers[0])
    }

    pub fn pointer_size(&self, address_space: u32) -> u64 {
        self.pointer(address_space).size as u64 / 8
    }

    /// The width of the integers that offset a pointer.
    pub fn index_bits(&self, address_space: u32) -> u32 {
        self.pointer(address_space).index
    }

    /// The bits a value of the type has; `None` for a type without a size, or one so large that
    /// its size has no number.
    pub fn size_in_bits(&self, types: &Types, ty: TypeId) -> Option<u64> {
        match self.known.get(ty.index()) {
            Some(known) => known.map(|(bits, _)| bits),
            None => self.compute_bits(types, ty),
        }
    }

    /// The alignment a value of the type has in memory.
    pub fn abi_align(&self, types: &Types, ty: TypeId) -> Option<u64> {
        match self.known.get(ty.index()) {
            Some(known) => known.map(|(_, align)| align),
            None => self.compute_align(types, ty),
        }
    }

    /// Computes the sizes of all types, given in an order in which each comes after its parts.
    pub(crate) fn compute(&mut self, types: &Types, order: &[TypeId]) {
        self.known = vec![None; types.len()];
        for ty in order {
            self.known[ty.index()] =
                self.compute_bits(types, *ty).zip(self.compute_align(types, *ty));
        }
    }

    fn compute_bits(&self, types: &Types, ty: TypeId) -> Option<u64> {
        Some(match &types[ty] {
            Type::Integer(bits) => *bits as u64,
            Type::Float(kind) => kind.bits() as u64,
            Type::Pointer { address_space } => self.pointer(*address_space).size as u64,
            Type::Array { element, count } => {
                self.alloc_size(types, *element)?.checked_mul(*count)?.checked_mul(8)?
            }
            // The elements of a vector touch: `<8 x i1>` is one byte.
            Type::Vector { element, count, .. } => {
                self.size_in_bits(types, *element)?.checked_mul(*count as u64)?
            }
            Type::Struct { .. } | Type::Named(_) => {
                self.struct_walk(types, ty, |_| {})?.0.checked_mul(8)?
            }
            Type::X86Mmx => 64,
            Type::X86Amx => 8192,
            Type::Void
            | Type::Function { .. }
            | Type::Label
            | Type::Token
            | Type::Metadata
            | Type::Target(_) => return None,
        })
    }

    /// The bytes that loading or storing a value touches: 3 for `i24`, 10 for `x86_fp80`.
    pub fn size_of(&self, types: &Types, ty: TypeId) -> Option<u64> {
        Some(self.size_in_bits(types, ty)?.div_ceil(8))
    }

    /// The bytes from one element of an array to the next: 4 for `i24`, 16 for `x86_fp80` (12 on
    /// 32-bit x86).
    pub fn alloc_size(&self, types: &Types, ty: TypeId) -> Option<u64> {
        self.size_of(types, ty)?.checked_next_multiple_of(self.abi_align(types, ty)?)
    }

    fn compute_align(&self, types: &Types, ty: TypeId) -> Option<u64> {
        let bits = match &types[ty] {
            Type::Integer(width) => self.integer_align(*width),
            Type::Float(kind) => self.float_align(*kind),
            Type::Pointer { address_space } => self.pointer(*address_space).align,
            Type::Array { element, .. } => return self.abi_align(types, *element),
            Type::Vector { .. } => {
                let width = u32::try_from(self.compute_bits(types, ty)?).ok()?;
                match self.vectors.iter().find(|(bits, _)| *bits == width) {
                    Some((_, align)) => *align,
                    None => width.div_ceil(8).checked_next_power_of_two()?.checked_mul(8)?,
                }
            }
            Type::Struct { .. } | Type::Named(_) => {
                let (fields, packed) = types.fields(ty)?;
                if packed {
                    return Some(1);
                }
                let mut align = self.aggregate as u64 / 8;
                for field in fields {
                    align = align.max(self.abi_align(types, *field)?);
                }
                return Some(align.max(1));
            }
            Type::X86Mmx => 64,
            Type::X86Amx => 512,
            Type::Void
            | Type::Function { .. }
            | Type::Label
            | Type::Token
            | Type::Metadata
            | Type::Target(_) => return None,
        };
        Some((bits as u64 / 8).max(1))
    }

    fn integer_align(&self, width: u32) -> u32 {
        // The next wider integer's alignment; of integers wider than all, the widest's.
        let wider = self.integers.iter().find(|(bits, _)| *bits >= width);
        wider.or(self.integers.last()).map_or(8, |(_, align)| *align)
    }

    fn float_align(&self, kind: FloatKind) -> u32 {
        match self.floats.iter().find(|(bits, _)| *bits == kind.bits()) {
            Some((_, align)) => *align,
            None => kind.bits().next_power_of_two(),
        }
    }

    /// Walks the fields' offsets; gives the size and the alignment.
    fn struct_walk(
        &self,
        types: &Types,
        ty: TypeId,
        mut at: impl FnMut(u64),
    ) -> Option<(u64, u64)> {
        let (fields, packed) = types.fields(ty)?;
        let mut size = 0u64;
        let mut align = if packed { 1 } else { (self.aggregate as u64 / 8).max(1) };
        for field in fields {
            if !packed {
                let field_align = self.abi_align(types, *field)?;
                align = align.max(field_align);
                size = size.checked_next_multiple_of(field_align)?;
            }
            at(size);
            size = size.checked_add(self.alloc_size(types, *field)?)?;
        }
        Some((size.checked_next_multiple_of(align)?, align))
    }

    pub fn struct_layout(&self, types: &Types, ty: TypeId) -> Option<StructLayout> {
        let mut offsets = Vec::new();
        let (size, align) = self.struct_walk(types, ty, |offset| offsets.push(offset))?;
        Some(StructLayout { size, align, offsets })
    }

    /// The offset of a part of a struct, array or vector from its beginning.
    pub fn part_offset(&self, types: &Types, ty: TypeId, index: u64) -> Option<u64> {
        match &types[ty] {
            Type::Array { element, .. } | Type::Vector { element, .. } => {
                self.alloc_size(types, *element)?.checked_mul(index)
            }
            _ => {
                let wanted = usize::try_from(index).ok()?;
                let (mut seen, mut found) = (0, None);
                self.struct_walk(types, ty, |offset| {
                    if seen == wanted {
                        found = Some(offset);
                    }
                    seen += 1;
                })?;
                found
            }
        }
    }

    /// What a `getelementptr` with constant indices adds to its base, in bytes, wrapped to 64
    /// bits. `None` where an index is not a constant integer or a type has no size.
    pub fn gep_offset(
        &self,
        types: &Types,
        constants: &Constants,
        source: TypeId,
        indices: &[ConstantId],
    ) -> Option<i64> {
        let mut ty = source;
        let mut offset = 0i64;
        for (position, index) in indices.iter().enumerate() {
            let index = signed(types, constants, *index)?;
            if position == 0 {
                let size = self.alloc_size(types, source)? as i64;
                offset = offset.wrapping_add(size.wrapping_mul(index));
                continue;
            }
            match types[ty] {
                Type::Array { element, .. } | Type::Vector { element, .. } => {
                    let size = self.alloc_size(types, element)? as i64;
                    offset = offset.wrapping_add(size.wrapping_mul(index));
                    ty = element;
                }
                _ => {
                    let index = u64::try_from(index).ok()?;
                    offset = offset.wrapping_add(self.part_offset(types, ty, index)? as i64);
                    ty = types.part(ty, index)?;
                }
            }
        }
        Some(offset)
    }
}

/// A constant integer, sign-extended, wrapped to 64 bits; of a vector, what all elements are.
fn signed(types: &Types, constants: &Constants, id: ConstantId) -> Option<i64> {
    let constant = &constants[id];
    match &constant.value {
        ConstantValue::Zero => Some(0),
        ConstantValue::Splat(element) => signed(types, constants, *element),
        ConstantValue::Aggregate(parts) => {
            let first = *parts.first()?;
            parts.iter().all(|part| *part == first).then(|| signed(types, constants, first))?
        }
        ConstantValue::Integer(value) => {
            let unused = 128 - types.integer_bits(constant.ty)?.clamp(1, 128);
            Some((((*value << unused) as i128) >> unused) as i64)
        }
        _ => None,
    }
}

/// A width or alignment in bits.
fn bits(text: &str) -> Option<u32> {
    text.parse().ok().filter(|bits| *bits < 1 << 24)
}

fn set(table: &mut Vec<(u32, u32)>, width: u32, align: u32) {
    match table.binary_search_by_key(&width, |entry| entry.0) {
        Ok(at) => table[at].1 = align,
        Err(at) => table.insert(at, (width, align)),
    }
}
