//! Types, interned: two equal types have one [`TypeId`].

use super::Name;
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use std::ops::Index;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(pub u32);

/// The types every table begins with, so that they need no search.
impl TypeId {
    pub const VOID: TypeId = TypeId(0);
    pub const I1: TypeId = TypeId(1);
    pub const I8: TypeId = TypeId(2);
    pub const I16: TypeId = TypeId(3);
    pub const I32: TypeId = TypeId(4);
    pub const I64: TypeId = TypeId(5);
    pub const I128: TypeId = TypeId(6);
    /// A pointer in address space 0.
    pub const PTR: TypeId = TypeId(7);
    pub const FLOAT: TypeId = TypeId(8);
    pub const DOUBLE: TypeId = TypeId(9);
    pub const LABEL: TypeId = TypeId(10);
    pub const TOKEN: TypeId = TypeId(11);
    pub const METADATA: TypeId = TypeId(12);

    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A struct type that has a name (`%struct.node`), an index into [`Types::structs`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StructId(pub u32);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    Void,
    /// `iN`.
    Integer(u32),
    Float(FloatKind),
    Pointer {
        address_space: u32,
    },
    Array {
        element: TypeId,
        count: u64,
    },
    Vector {
        element: TypeId,
        /// Of a scalable vector, the least number of elements.
        count: u32,
        scalable: bool,
    },
    /// A literal struct, `{ i32, ptr }` or `<{ i32, ptr }>`.
    Struct {
        fields: Box<[TypeId]>,
        packed: bool,
    },
    /// A struct with a name; its fields are in [`Types::structs`]. See [`Types::fields`].
    Named(StructId),
    Function {
        result: TypeId,
        parameters: Box<[TypeId]>,
        variadic: bool,
    },
    Label,
    Token,
    Metadata,
    X86Mmx,
    X86Amx,
    /// `target("name", …)`: only its name is kept.
    Target(Name),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FloatKind {
    Half,
    BFloat,
    Float,
    Double,
    /// `x86_fp80`.
    Extended,
    /// `fp128`.
    Quad,
    /// `ppc_fp128`.
    DoubleDouble,
}

impl FloatKind {
    /// The bits that carry a value.
    pub fn bits(self) -> u32 {
        match self {
            FloatKind::Half | FloatKind::BFloat => 16,
            FloatKind::Float => 32,
            FloatKind::Double => 64,
            FloatKind::Extended => 80,
            FloatKind::Quad | FloatKind::DoubleDouble => 128,
        }
    }
}

/// A struct type with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedStruct {
    /// `struct.node`; a number's digits for `%0 = type …`.
    pub name: Name,
    /// `None` for an opaque struct: one that has no size.
    pub body: Option<StructBody>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StructBody {
    pub fields: Box<[TypeId]>,
    pub packed: bool,
}

/// All the types of a module. No type contains itself, and none is nested deeper than
/// [`Types::MAXIMUM_DEPTH`]: walking one by recursion is safe.
#[derive(Clone, Debug)]
pub struct Types {
    types: IndexSet<Type, FxBuildHasher>,
    pub structs: Vec<NamedStruct>,
}

impl Default for Types {
    fn default() -> Self {
        let integer = |bits| Type::Integer(bits);
        let types = [
            Type::Void,
            integer(1),
            integer(8),
            integer(16),
            integer(32),
            integer(64),
            integer(128),
            Type::Pointer { address_space: 0 },
            Type::Float(FloatKind::Float),
            Type::Float(FloatKind::Double),
            Type::Label,
            Type::Token,
            Type::Metadata,
        ];
        Types { types: types.into_iter().collect(), structs: Vec::new() }
    }
}

impl Index<TypeId> for Types {
    type Output = Type;

    fn index(&self, id: TypeId) -> &Type {
        &self.types[id.index()]
    }
}

impl Types {
    pub const MAXIMUM_DEPTH: u32 = 512;

    pub fn intern(&mut self, ty: Type) -> TypeId {
        TypeId(self.types.insert_full(ty).0 as u32)
    }

    /// The id of a type that is in the table.
    pub fn find(&self, ty: &Type) -> Option<TypeId> {
        self.types.get_index_of(ty).map(|index| TypeId(index as u32))
    }

    pub fn integer(&mut self, bits: u32) -> TypeId {
        match bits {
            1 => TypeId::I1,
            8 => TypeId::I8,
            16 => TypeId::I16,
            32 => TypeId::I32,
            64 => TypeId::I64,
            128 => TypeId::I128,
            _ => self.intern(Type::Integer(bits)),
        }
    }

    pub fn pointer(&mut self, address_space: u32) -> TypeId {
        match address_space {
            0 => TypeId::PTR,
            _ => self.intern(Type::Pointer { address_space }),
        }
    }

    /// Adds a struct with a name, as yet opaque.
    pub fn add_struct(&mut self, name: Name) -> (StructId, TypeId) {
        let id = StructId(self.structs.len() as u32);
        self.structs.push(NamedStruct { name, body: None });
        (id, self.intern(Type::Named(id)))
    }

    pub fn len(&self) -> usize {
        self.types.len()
    }

    pub fn is_empty(&self) -> bool {
        false
    }

    pub fn iter(&self) -> impl Iterator<Item = (TypeId, &Type)> {
        self.types.iter().enumerate().map(|(index, ty)| (TypeId(index as u32), ty))
    }

    /// The fields of a struct type with or without a name, and whether it is packed.
    pub fn fields(&self, ty: TypeId) -> Option<(&[TypeId], bool)> {
        match &self[ty] {
            Type::Struct { fields, packed } => Some((fields, *packed)),
            Type::Named(id) => {
                let body = self.structs[id.0 as usize].body.as_ref()?;
                Some((&body.fields, body.packed))
            }
            _ => None,
        }
    }

    /// The type of the part of an aggregate (struct, array) or vector with this index; `None`
    /// where there is no such part.
    pub fn part(&self, ty: TypeId, index: u64) -> Option<TypeId> {
        match &self[ty] {
            Type::Array { element, count } => (index < *count).then_some(*element),
            Type::Vector { element, count, .. } => (index < *count as u64).then_some(*element),
            _ => self.fields(ty)?.0.get(usize::try_from(index).ok()?).copied(),
        }
    }

    /// How many parts an aggregate or vector has.
    pub fn part_count(&self, ty: TypeId) -> Option<u64> {
        match &self[ty] {
            Type::Array { count, .. } => Some(*count),
            Type::Vector { count, .. } => Some(*count as u64),
            _ => Some(self.fields(ty)?.0.len() as u64),
        }
    }

    /// A vector's element type; any other type itself.
    pub fn scalar(&self, ty: TypeId) -> TypeId {
        match self[ty] {
            Type::Vector { element, .. } => element,
            _ => ty,
        }
    }

    /// The width of an integer type.
    pub fn integer_bits(&self, ty: TypeId) -> Option<u32> {
        match self[ty] {
            Type::Integer(bits) => Some(bits),
            _ => None,
        }
    }

    pub fn float_kind(&self, ty: TypeId) -> Option<FloatKind> {
        match self[ty] {
            Type::Float(kind) => Some(kind),
            _ => None,
        }
    }

    pub fn is_pointer(&self, ty: TypeId) -> bool {
        matches!(self[ty], Type::Pointer { .. })
    }

    pub fn is_vector(&self, ty: TypeId) -> bool {
        matches!(self[ty], Type::Vector { .. })
    }

    /// Whether values of the type can be loaded, stored and passed: everything but `void`,
    /// functions, labels and metadata.
    pub fn is_first_class(&self, ty: TypeId) -> bool {
        !matches!(self[ty], Type::Void | Type::Function { .. } | Type::Label | Type::Metadata)
    }

    /// The types a type is made of.
    fn for_each_part(&self, ty: TypeId, mut each: impl FnMut(TypeId)) {
        match &self[ty] {
            Type::Array { element, .. } | Type::Vector { element, .. } => each(*element),
            Type::Function { result, parameters, .. } => {
                each(*result);
                parameters.iter().copied().for_each(each);
            }
            _ => {
                if let Some((fields, _)) = self.fields(ty) {
                    fields.iter().copied().for_each(each);
                }
            }
        }
    }

    /// All types, each after those it is made of; or a type for which there is no such order,
    /// and why.
    pub(crate) fn post_order(&self) -> Result<Vec<TypeId>, (TypeId, &'static str)> {
        // A depth of 0 is not known yet; `OPEN` is being computed.
        const OPEN: u32 = u32::MAX;
        let mut depths = vec![0u32; self.len()];
        let mut order = Vec::with_capacity(self.len());
        let mut stack = Vec::new();
        for (root, _) in self.iter() {
            stack.push(root);
            while let Some(&ty) = stack.last() {
                if depths[ty.index()] != 0 && depths[ty.index()] != OPEN {
                    stack.pop();
                    continue;
                }
                depths[ty.index()] = OPEN;
                let (mut deepest, mut waiting, mut cycle) = (0, false, false);
                self.for_each_part(ty, |part| match depths[part.index()] {
                    0 => {
                        stack.push(part);
                        waiting = true;
                    }
                    // What is open is on the way to here.
                    OPEN => cycle = true,
                    depth => deepest = deepest.max(depth),
                });
                if cycle {
                    return Err((ty, "contains itself"));
                }
                if !waiting {
                    if deepest >= Types::MAXIMUM_DEPTH {
                        return Err((ty, "is nested too deep"));
                    }
                    depths[ty.index()] = deepest + 1;
                    order.push(ty);
                    stack.pop();
                }
            }
        }
        Ok(order)
    }
}
