//! Types written as C writes them.

use super::{Count, Dimension, Qualifier, RecordKeyword, ScopeKind, TypeKind, TypeRef};
use crate::ir::{Module, Name};
use std::fmt::Write;

/// Types that refer to themselves (a function that takes itself) have names without end: after
/// this many parts they are cut off.
const MAXIMUM_PARTS: u32 = 64;

impl Module {
    /// The type as C would declare it: `struct node *`, `int [4]`, `void (*)(int)`.
    pub fn type_name(&self, ty: TypeRef) -> String {
        self.declaration(Some(ty), "")
    }

    /// The declaration of something with this name: `int (*callback)(void)`.
    pub fn declaration(&self, ty: Option<TypeRef>, declarator: &str) -> String {
        self.declare(ty, declarator.to_owned(), &mut { MAXIMUM_PARTS })
    }

    /// What stands around a declarator, from the inside out: pointers before it, arrays and
    /// parameters after it, the innermost type in front of everything.
    fn declare(&self, ty: Option<TypeRef>, declarator: String, parts: &mut u32) -> String {
        let Some(reference) = ty else { return join("void", &declarator) };
        let ty = &self.debug[reference];
        if *parts == 0 {
            return join("…", &declarator);
        }
        *parts -= 1;
        match &ty.kind {
            TypeKind::Pointer(to) => match ty.name {
                // Rust names its pointers (`&u32`), C does not.
                Some(name) => join(&self.names[name], &declarator),
                None => self.prefix("*", *to, declarator, parts),
            },
            TypeKind::Reference { to, rvalue } => {
                self.prefix(if *rvalue { "&&" } else { "&" }, *to, declarator, parts)
            }
            TypeKind::MemberPointer { to, class } => {
                let class = self.declare(*class, String::new(), parts);
                self.prefix(&format!("{class}::*"), *to, declarator, parts)
            }
            TypeKind::Qualified(qualifier, to) => {
                let word = qualifier_word(*qualifier);
                // The qualifier of a pointer stands after its star.
                match self.is_pointer(*to) {
                    true => {
                        let declarator = match declarator.as_str() {
                            "" => word.to_owned(),
                            declarator => format!("{word} {declarator}"),
                        };
                        self.declare(*to, declarator, parts)
                    }
                    false => format!("{word} {}", self.declare(*to, declarator, parts)),
                }
            }
            TypeKind::Array { element, dimensions, vector } => {
                let mut declarator = declarator;
                if *vector {
                    let _ = write!(declarator, " __attribute__((vector))");
                }
                for dimension in dimensions {
                    let _ = write!(declarator, "[{}]", length(dimension));
                }
                self.declare(*element, declarator, parts)
            }
            TypeKind::Subroutine { result, parameters, variadic } => {
                let mut list: Vec<_> = parameters
                    .iter()
                    .map(|parameter| self.declare(Some(*parameter), String::new(), parts))
                    .collect();
                if *variadic {
                    list.push("...".to_owned());
                }
                if list.is_empty() {
                    list.push("void".to_owned());
                }
                let declarator = format!("{declarator}({})", list.join(", "));
                self.declare(*result, declarator, parts)
            }
            TypeKind::Record(record) => {
                let keyword = match record.kind {
                    RecordKeyword::Struct => "struct",
                    RecordKeyword::Class => "class",
                    RecordKeyword::Union => "union",
                };
                join(&self.tagged(keyword, ty.name, ty.scope), &declarator)
            }
            TypeKind::Enumeration { .. } => {
                join(&self.tagged("enum", ty.name, ty.scope), &declarator)
            }
            TypeKind::Base(_) | TypeKind::Typedef(_) | TypeKind::Unspecified => {
                let name = ty.name.map_or("?", |name| &self.names[name]);
                join(name, &declarator)
            }
            TypeKind::Unknown => join(ty.name.map_or("?", |name| &self.names[name]), &declarator),
        }
    }

    /// A pointer's star, with the parentheses it needs before an array or a function.
    fn prefix(
        &self,
        star: &str,
        to: Option<TypeRef>,
        declarator: String,
        parts: &mut u32,
    ) -> String {
        let wrapped = to.is_some_and(|to| {
            matches!(self.debug[to].kind, TypeKind::Array { .. } | TypeKind::Subroutine { .. })
        });
        let space = match declarator.as_bytes().first() {
            Some(first) if first.is_ascii_alphabetic() && star.len() > 2 => " ",
            _ => "",
        };
        let declarator = match wrapped {
            true => format!("({star}{space}{declarator})"),
            false => format!("{star}{space}{declarator}"),
        };
        self.declare(to, declarator, parts)
    }

    fn is_pointer(&self, ty: Option<TypeRef>) -> bool {
        let kind = ty.map(|ty| &self.debug[ty].kind);
        matches!(kind, Some(TypeKind::Pointer(_) | TypeKind::MemberPointer { .. }))
    }

    /// `struct node`; in a language with namespaces the full name and no keyword.
    fn tagged(&self, keyword: &str, name: Option<Name>, scope: Option<super::ScopeId>) -> String {
        let Some(name) = name else { return format!("{keyword} {{…}}") };
        let (prefix, name) = (self.qualified_prefix(scope), &self.names[name]);
        // `Vec<u8>`, `&str`, `(i32, u8)`: not C.
        let in_c =
            prefix.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        match in_c {
            true => format!("{keyword} {name}"),
            false => format!("{prefix}{name}"),
        }
    }

    /// `std::vector::` for something in that scope; empty at the top.
    fn qualified_prefix(&self, scope: Option<super::ScopeId>) -> String {
        let text = |name: Option<Name>| name.map_or("(anonymous)", |name| &self.names[name]);
        let parts: Vec<_> = self
            .debug
            .enclosing(scope)
            .filter_map(|scope| match scope.kind {
                ScopeKind::Namespace(name) => Some(text(name)),
                ScopeKind::Type(ty) => Some(text(self.debug[ty].name)),
                _ => None,
            })
            .collect();
        parts.iter().rev().map(|part| format!("{part}::")).collect()
    }
}

fn qualifier_word(qualifier: Qualifier) -> &'static str {
    match qualifier {
        Qualifier::Const => "const",
        Qualifier::Volatile => "volatile",
        Qualifier::Restrict => "restrict",
        Qualifier::Atomic => "_Atomic",
    }
}

fn length(dimension: &Dimension) -> String {
    match dimension.count {
        Count::Known(count) => count.to_string(),
        Count::Variable => "*".to_owned(),
        Count::Unknown => String::new(),
    }
}

/// `int` and `*p` are `int *p`.
fn join(base: &str, declarator: &str) -> String {
    match declarator {
        "" => base.to_owned(),
        declarator => format!("{base} {declarator}"),
    }
}
