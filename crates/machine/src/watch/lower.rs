//! Names and types of a proposition, by the rules of C as far as debug information tells them.

use super::eval::{Base, Expr, Place, Type};
use super::names::{Home, Names, means, text};
use super::parse::{Binary, Kind, Node, Unary, Wrong};
use super::types::{base, common, integer, is_signed, literal, promoted};
use crate::view::types::Types;
use auspex_llvm::debug::{Count, Member, TypeKind, TypeRef};
use std::ops::Range;

type Result<T> = std::result::Result<T, Wrong>;

/// What an expression is.
enum Item {
    Value(Expr, Kinded),
    /// It has a place in memory.
    Place(Spot),
}

/// The type of a value; for a pointer, what it leads to.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Kinded {
    ty: Type,
    to: Option<TypeRef>,
}

const INT: Kinded = Kinded { ty: Type::INT, to: None };

struct Spot {
    place: Place,
    shape: Shape,
    field: Option<(u32, u32)>,
}

enum Shape {
    Plain(Option<TypeRef>),
    /// What is left of an array after some indices.
    Array {
        element: Option<TypeRef>,
        counts: Vec<Option<u64>>,
    },
}

pub struct Lowering<'n, 'p> {
    pub names: &'n Names<'p>,
    /// Global objects that are read.
    pub objects: Vec<u32>,
    /// Memory is read through pointers.
    pub follows: bool,
    /// Some part of it can change.
    pub varies: bool,
}

impl<'p> Lowering<'_, 'p> {
    fn types(&self) -> Types<'p> {
        Types { program: self.names.program }
    }

    /// A proposition: is the value other than 0?
    pub fn condition(&mut self, node: &Node) -> Result<Expr> {
        Ok(self.value(node)?.0)
    }

    fn value(&mut self, node: &Node) -> Result<(Expr, Kinded)> {
        match self.item(node)? {
            Item::Value(expr, kinded) => Ok((expr, kinded)),
            Item::Place(spot) => self.load(spot, &node.range),
        }
    }

    fn item(&mut self, node: &Node) -> Result<Item> {
        let range = &node.range;
        Ok(match &node.kind {
            Kind::Name(name) => return self.name(name, range),
            Kind::Int { value, unsigned, long, decimal } => {
                let kinded = Kinded { ty: literal(*value, *unsigned, *long, *decimal), to: None };
                Item::Value(Expr::Int((*value).into()), kinded)
            }
            Kind::Char(byte) => Item::Value(Expr::Int((*byte as i8).into()), INT),
            Kind::Float { value, single } => {
                let ty = Type::Float { single: *single };
                Item::Value(Expr::Float(*value), Kinded { ty, to: None })
            }
            Kind::Unary(operator, operand) => return self.unary(*operator, operand, range),
            Kind::Binary(operator, a, b) => {
                let (expr, kinded) = self.binary(*operator, a, b, range)?;
                Item::Value(expr, kinded)
            }
            Kind::Index(of, index) => Item::Place(self.index(of, index, range)?),
            Kind::Member { of, name, arrow } => Item::Place(self.member(of, name, *arrow, range)?),
        })
    }

    fn name(&mut self, name: &str, range: &Range<usize>) -> Result<Item> {
        let names = self.names;
        match name {
            "true" | "false" => return Ok(Item::Value(Expr::Int((name == "true").into()), INT)),
            "NULL" | "nullptr" => return Ok(Item::Value(Expr::Int(0), INT)),
            _ => {}
        }
        let variables: Vec<_> = names.variables.iter().filter(|it| means(name, &it.path)).collect();
        // The whole name is meant before the end of a longer one.
        let whole: Vec<_> = variables.iter().filter(|it| text(&it.path) == name).copied().collect();
        let variables = if whole.is_empty() { variables } else { whole };
        let constants: Vec<_> = names.constants.iter().filter(|it| means(name, &it.path)).collect();
        match &variables[..] {
            [] => {}
            [variable] => {
                let Home::Object(object) = variable.home else {
                    return Err(match variable.home {
                        Home::ThreadLocal => Wrong::new(
                            range.clone(),
                            format!("`{name}` is thread-local: each thread has its own"),
                        ),
                        _ => Wrong::new(
                            range.clone(),
                            format!("`{name}` is not in the program that the compiler made"),
                        ),
                    });
                };
                self.objects.push(object);
                self.varies = true;
                let place = Place { base: Base::Global(object), offset: 0, indices: Vec::new() };
                return Ok(Item::Place(Spot {
                    place,
                    shape: self.shape(variable.ty),
                    field: None,
                }));
            }
            several => {
                let all: Vec<String> =
                    several.iter().map(|it| format!("`{}`", text(&it.path))).collect();
                let wrong =
                    Wrong::new(range.clone(), format!("several variables are called `{name}`"));
                return Err(wrong.hint(format!("there are {}", all.join(", "))));
            }
        }
        match constants.first() {
            Some(first) if constants.iter().all(|it| it.value == first.value) => {
                let fits = i32::try_from(first.value).is_ok();
                let ty = if fits { Type::INT } else { Type::Int { bits: 64, signed: true } };
                Ok(Item::Value(Expr::Int(first.value), Kinded { ty, to: None }))
            }
            Some(_) => {
                let all: Vec<String> =
                    constants.iter().map(|it| format!("`{}`", text(&it.path))).collect();
                let wrong =
                    Wrong::new(range.clone(), format!("several constants are called `{name}`"));
                Err(wrong.hint(format!("there are {}", all.join(", "))))
            }
            None => Err(self.unknown(name, range)),
        }
    }

    fn unknown(&self, name: &str, range: &Range<usize>) -> Wrong {
        let names = self.names;
        let wrong = Wrong::new(range.clone(), format!("there is no global variable `{name}`"));
        if !names.functions_of(name).is_empty() {
            return wrong
                .hint(format!("it is a function: `at {name}` says that a thread is in it"));
        }
        let variables = names.variables.iter().map(|it| &it.path);
        let paths = variables.chain(names.constants.iter().map(|it| &it.path));
        let known = paths.filter_map(|path| path.last()).chain(&names.events);
        match Names::similar(name, known.map(String::as_str)) {
            Some(hint) => wrong.hint(hint),
            None => wrong.hint(
                "propositions know global and static variables that are used, constants of \
                 enumerations, and events; no macros and no local variables",
            ),
        }
    }

    fn shape(&self, ty: Option<TypeRef>) -> Shape {
        match self.types().kind(ty) {
            Some(TypeKind::Array { element, dimensions, vector: false }) => {
                let count = |count: &Count| match count {
                    Count::Known(count) => Some(*count),
                    Count::Variable | Count::Unknown => None,
                };
                let counts = dimensions.iter().map(|it| count(&it.count)).collect();
                Shape::Array { element: *element, counts }
            }
            _ => Shape::Plain(ty),
        }
    }

    fn load(&mut self, mut spot: Spot, range: &Range<usize>) -> Result<(Expr, Kinded)> {
        let wrong = |message: String| Wrong::new(range.clone(), message);
        let types = self.types();
        // An atomic of Rust or C++ is a structure around a number.
        for _ in 0..16 {
            let Shape::Plain(ty) = spot.shape else { break };
            let Some(TypeKind::Record(record)) = types.kind(ty) else { break };
            let size = types.size(ty);
            let fields = record.members.iter().filter(|member| !member.is_static);
            let inner: Vec<(Option<TypeRef>, u64)> = fields
                .map(|member| (member.ty, member.offset_bits))
                .chain(record.bases.iter().map(|base| (base.ty, base.offset_bits)))
                .filter(|(ty, _)| types.size(*ty) > 0)
                .collect();
            match &inner[..] {
                [(inner, 0)] if types.size(*inner) == size => spot.shape = self.shape(*inner),
                _ => break,
            }
        }
        let Shape::Plain(ty) = spot.shape else {
            return Err(wrong("this is an array".into()).hint("name one of its elements: a[0]"));
        };
        let size = types.size(ty);
        let (kind, to) = match types.kind(ty) {
            Some(TypeKind::Base(encoding)) => (base(*encoding, size), None),
            Some(TypeKind::Enumeration { underlying, .. }) => {
                let signed = match types.kind(*underlying) {
                    Some(TypeKind::Base(encoding)) => is_signed(*encoding),
                    _ => false,
                };
                (integer(size, signed), None)
            }
            Some(TypeKind::Pointer(to)) => (Some(Type::Pointer), *to),
            Some(TypeKind::Record(record)) => {
                let names = record.members.iter().filter_map(|member| member.name);
                let names: Vec<&str> =
                    names.take(8).map(|name| &self.names.program.module.names[name]).collect();
                return Err(wrong("this is a structure, which is neither true nor false".into())
                    .hint(format!("name one of its members: {}", names.join(", "))));
            }
            _ => (None, None),
        };
        let Some(ty) = kind else {
            let name = ty.map_or("no known type".to_owned(), |ty| types.name(ty));
            return Err(wrong(format!("this has the type `{name}`, which is not supported")));
        };
        let (bytes, field) = match spot.field {
            Some((shift, bits)) => ((shift + bits).div_ceil(8), Some((shift, bits))),
            None => (size, None),
        };
        // A bit-field has its own width.
        let ty = match (ty, field) {
            (Type::Int { signed, .. }, Some((_, bits))) => Type::Int { bits: bits as u8, signed },
            (ty, _) => ty,
        };
        let place = Box::new(spot.place);
        Ok((Expr::Load { place, bytes, ty, field }, Kinded { ty, to }))
    }

    /// A place that a pointer leads to.
    fn target(&mut self, node: &Node) -> Result<Spot> {
        let (pointer, kinded) = self.value(node)?;
        self.led(pointer, kinded, &node.range)
    }

    fn led(&mut self, pointer: Expr, kinded: Kinded, range: &Range<usize>) -> Result<Spot> {
        if kinded.ty != Type::Pointer {
            return Err(Wrong::new(range.clone(), "this is no pointer"));
        }
        if kinded.to.is_none() {
            return Err(Wrong::new(range.clone(), "a `void *` leads to nothing with a type"));
        }
        self.follows = true;
        let place = Place { base: Base::Pointer(pointer), offset: 0, indices: Vec::new() };
        Ok(Spot { place, shape: self.shape(kinded.to), field: None })
    }

    fn spot(&mut self, node: &Node) -> Result<Spot> {
        match self.item(node)? {
            Item::Place(spot) => Ok(spot),
            Item::Value(..) => Err(Wrong::new(node.range.clone(), "this is no variable")),
        }
    }

    fn index(&mut self, of: &Node, index: &Node, range: &Range<usize>) -> Result<Spot> {
        let (number, kinded) = self.value(index)?;
        if !matches!(kinded.ty, Type::Int { .. }) {
            return Err(Wrong::new(index.range.clone(), "an index is an integer"));
        }
        let spot = self.spot(of)?;
        let (mut place, element, counts, field) = match spot {
            Spot { place, shape: Shape::Array { element, counts }, field } => {
                (place, element, counts, field)
            }
            Spot { shape: Shape::Plain(ty), .. } if self.types().is_pointer(ty) => {
                let (pointer, kinded) = self.load(spot, &of.range)?;
                let Spot { mut place, shape, field } = self.led(pointer, kinded, &of.range)?;
                let size = self.size_of(&shape);
                place.indices.push((number, self.sized(size, range)?, None));
                return Ok(Spot { place, shape, field });
            }
            Spot { shape: Shape::Plain(_), .. } => {
                return Err(Wrong::new(of.range.clone(), "this is neither an array nor a pointer"));
            }
        };
        let (count, rest) = counts.split_first().map_or((None, &[][..]), |(a, b)| (*a, b));
        if let (Expr::Int(number), Some(count)) = (&number, count)
            && !(0..i128::from(count)).contains(number)
        {
            let message = format!("the array has {count} elements");
            return Err(Wrong::new(index.range.clone(), message));
        }
        let shape = match rest {
            [] => self.shape(element),
            rest => Shape::Array { element, counts: rest.into() },
        };
        let size = self.size_of(&shape);
        place.indices.push((number, self.sized(size, range)?, count));
        Ok(Spot { place, shape, field })
    }

    fn sized(&self, size: u64, range: &Range<usize>) -> Result<u64> {
        match size {
            0 => Err(Wrong::new(range.clone(), "the size of the elements is not known")),
            size => Ok(size),
        }
    }

    fn size_of(&self, shape: &Shape) -> u64 {
        match shape {
            Shape::Plain(ty) => self.types().size(*ty).into(),
            Shape::Array { element, counts } => {
                let one = u64::from(self.types().size(*element));
                counts.iter().fold(one, |all, count| all.saturating_mul(count.unwrap_or(0)))
            }
        }
    }

    fn member(&mut self, of: &Node, name: &str, arrow: bool, range: &Range<usize>) -> Result<Spot> {
        let mut spot = if arrow { self.target(of)? } else { self.spot(of)? };
        let wrong = |message: String| Wrong::new(range.clone(), message);
        let types = self.types();
        let ty = match spot.shape {
            Shape::Plain(ty) => ty,
            Shape::Array { .. } => return Err(wrong("an array has no members".into())),
        };
        if !arrow && types.is_pointer(ty) {
            return Err(wrong("this is a pointer".into())
                .hint(format!("write `(*p).{name}`, or `p->{name}` in braces: {{ p->{name} }}")));
        }
        if !matches!(types.kind(ty), Some(TypeKind::Record(_))) {
            return Err(wrong("only structures and unions have members".into()));
        }
        let Some((member, at)) = find_member(types, ty, name, 0, 16) else {
            let all = ty.map_or(String::new(), |ty| types.name(ty));
            let known = self.member_names(ty);
            let wrong = wrong(format!("`{all}` has no member `{name}`"));
            return Err(match Names::similar(name, known.iter().copied()) {
                Some(hint) => wrong.hint(hint),
                None => wrong.hint(format!("it has {}", known.join(", "))),
            });
        };
        let bits = at + member.offset_bits;
        spot.place.offset += bits / 8;
        spot.field = None;
        if member.bit_field {
            let (shift, width) = ((bits % 8) as u32, member.size_bits as u32);
            if width == 0 || shift + width > 64 {
                return Err(wrong("a bit-field of this size is not supported".into()));
            }
            spot.field = Some((shift, width));
        }
        spot.shape = self.shape(member.ty);
        Ok(spot)
    }

    fn member_names(&self, ty: Option<TypeRef>) -> Vec<&'p str> {
        let Some(TypeKind::Record(record)) = self.types().kind(ty) else { return Vec::new() };
        let names = record.members.iter().filter_map(|member| member.name);
        names.map(|name| &self.names.program.module.names[name]).collect()
    }

    fn unary(&mut self, operator: Unary, operand: &Node, range: &Range<usize>) -> Result<Item> {
        let wrong = |message: &str| Wrong::new(range.clone(), message);
        match operator {
            Unary::Deref => return Ok(Item::Place(self.target(operand)?)),
            Unary::Address => {
                let Spot { place, shape, field } = self.spot(operand)?;
                if field.is_some() {
                    return Err(wrong("a bit-field has no address"));
                }
                let to = match shape {
                    Shape::Plain(ty) => ty,
                    Shape::Array { .. } => None,
                };
                let kinded = Kinded { ty: Type::Pointer, to };
                return Ok(Item::Value(Expr::Address(place.into()), kinded));
            }
            _ => {}
        }
        let (inner, kinded) = self.value(operand)?;
        if operator == Unary::Not {
            return Ok(Item::Value(Expr::Not(inner.into()), INT));
        }
        let ty = promoted(kinded.ty).ok_or_else(|| wrong("a pointer is no number"))?;
        let inner = Expr::Convert(ty, inner.into());
        let (op, constant) = match (operator, ty) {
            (Unary::Plus, _) => return Ok(Item::Value(inner, Kinded { ty, to: None })),
            (Unary::Minus, Type::Float { .. }) => (Binary::Multiply, Expr::Float(-1.0)),
            (Unary::Minus, _) => (Binary::Subtract, Expr::Int(0)),
            (_, Type::Float { .. }) => return Err(wrong("`~` is for integers")),
            // All bits set, in a type of any width.
            _ => (Binary::BitXor, Expr::Convert(ty, Expr::Int(-1).into())),
        };
        let expr = Expr::Binary(op, ty, constant.into(), inner.into());
        Ok(Item::Value(expr, Kinded { ty, to: None }))
    }

    fn binary(
        &mut self,
        op: Binary,
        left: &Node,
        right: &Node,
        range: &Range<usize>,
    ) -> Result<(Expr, Kinded)> {
        let (a, left_type) = self.value(left)?;
        let (b, right_type) = self.value(right)?;
        let wrong = |message: &str| Wrong::new(range.clone(), message);
        let compares = matches!(
            op,
            Binary::Equal
                | Binary::NotEqual
                | Binary::Less
                | Binary::LessEqual
                | Binary::Greater
                | Binary::GreaterEqual
        );
        let ty = match (op, promoted(left_type.ty), promoted(right_type.ty)) {
            (Binary::And, ..) => return Ok((Expr::Both(a.into(), b.into()), INT)),
            (Binary::Or, ..) => return Ok((Expr::Either(a.into(), b.into()), INT)),
            (Binary::ShiftLeft | Binary::ShiftRight, Some(a), Some(b)) => {
                if [a, b].iter().any(|ty| matches!(ty, Type::Float { .. })) {
                    return Err(wrong("a shift is for integers"));
                }
                a
            }
            (_, Some(a), Some(b)) => common(a, b),
            (Binary::Equal | Binary::NotEqual, x, y) => {
                // Two pointers, or one and 0.
                let zero =
                    |ty: Option<Type>, expr: &Expr| ty.is_none() || matches!(expr, Expr::Int(0));
                if !zero(x, &a) || !zero(y, &b) {
                    return Err(wrong("a pointer is compared with a number"));
                }
                Type::Pointer
            }
            _ => {
                let hint = "pointers can be compared with == and !=; p[1] is what p + 1 leads to";
                return Err(wrong("arithmetic on pointers is not supported").hint(hint));
            }
        };
        let whole =
            matches!(op, Binary::BitOr | Binary::BitXor | Binary::BitAnd | Binary::Remainder);
        if whole && matches!(ty, Type::Float { .. }) {
            return Err(wrong("this operator is for integers"));
        }
        let shift = matches!(op, Binary::ShiftLeft | Binary::ShiftRight);
        let a = Expr::Convert(ty, a.into());
        let b = if shift { b } else { Expr::Convert(ty, b.into()) };
        let kinded = if compares { INT } else { Kinded { ty, to: None } };
        Ok((Expr::Binary(op, ty, a.into(), b.into()), kinded))
    }
}

/// A member by its name, also one of a base class or of a structure without a name; and where what
/// it is in begins, in bits.
fn find_member<'p>(
    types: Types<'p>,
    ty: Option<TypeRef>,
    name: &str,
    at: u64,
    levels: u32,
) -> Option<(&'p Member, u64)> {
    let TypeKind::Record(record) = types.kind(ty)? else { return None };
    let names = &types.program.module.names;
    let fields = || record.members.iter().filter(|member| !member.is_static);
    // Rust calls the members of a tuple `__0`.
    let is = |it: &str| it == name || it.strip_prefix("__") == Some(name);
    let own = fields().find(|member| member.name.is_some_and(|it| is(&names[it])));
    if let Some(own) = own {
        return Some((own, at));
    }
    let levels = levels.checked_sub(1)?;
    let unnamed = fields().filter(|member| member.name.is_none());
    let inner = unnamed.map(|member| (member.ty, member.offset_bits));
    let bases = record.bases.iter().filter(|base| !base.is_virtual);
    let mut all = inner.chain(bases.map(|base| (base.ty, base.offset_bits)));
    all.find_map(|(ty, offset)| find_member(types, ty, name, at + offset, levels))
}
