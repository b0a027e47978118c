//! Types and locals as the text writes them, for messages.

use super::{Body, FloatKind, LocalId, LocalName, Module, Type, TypeId};
use std::fmt::Write;

/// A message with a type that is longer than this helps nobody.
const MAXIMUM_LENGTH: usize = 200;

impl Module {
    /// The type as it is written in the text, cut off where it becomes long.
    pub fn type_text(&self, ty: TypeId) -> String {
        let mut text = String::new();
        self.write_type(&mut text, ty);
        text
    }

    fn write_list(&self, out: &mut String, list: &[TypeId]) {
        for (index, ty) in list.iter().enumerate() {
            if index > 0 {
                out.push_str(", ");
            }
            if out.len() > MAXIMUM_LENGTH {
                out.push('…');
                return;
            }
            self.write_type(out, *ty);
        }
    }

    fn write_type(&self, out: &mut String, ty: TypeId) {
        if out.len() > MAXIMUM_LENGTH {
            out.push('…');
            return;
        }
        // Writing to a string cannot fail.
        let _ = match &self.types[ty] {
            Type::Void => write!(out, "void"),
            Type::Integer(bits) => write!(out, "i{bits}"),
            Type::Float(kind) => write!(out, "{}", float_name(*kind)),
            Type::Pointer { address_space: 0 } => write!(out, "ptr"),
            Type::Pointer { address_space } => write!(out, "ptr addrspace({address_space})"),
            Type::Label => write!(out, "label"),
            Type::Token => write!(out, "token"),
            Type::Metadata => write!(out, "metadata"),
            Type::X86Mmx => write!(out, "x86_mmx"),
            Type::X86Amx => write!(out, "x86_amx"),
            Type::Target(name) => write!(out, "target(\"{}\")", &self.names[*name]),
            Type::Named(id) => {
                let name = &self.names[self.types.structs[id.0 as usize].name];
                write!(out, "%{name}")
            }
            Type::Array { element, count } => {
                let _ = write!(out, "[{count} x ");
                self.write_type(out, *element);
                write!(out, "]")
            }
            Type::Vector { element, count, scalable } => {
                let _ = write!(out, "<{}{count} x ", if *scalable { "vscale x " } else { "" });
                self.write_type(out, *element);
                write!(out, ">")
            }
            Type::Struct { fields, packed } => {
                out.push_str(if *packed { "<{ " } else { "{ " });
                self.write_list(out, fields);
                write!(out, "{}", if *packed { " }>" } else { " }" })
            }
            Type::Function { result, parameters, variadic } => {
                self.write_type(out, *result);
                out.push_str(" (");
                self.write_list(out, parameters);
                if *variadic {
                    out.push_str(if parameters.is_empty() { "..." } else { ", ..." });
                }
                write!(out, ")")
            }
        };
    }

    /// `%x` or `%5`.
    pub fn local_text(&self, body: &Body, local: LocalId) -> String {
        match body.locals[local.0 as usize].name {
            LocalName::Named(name) => format!("%{}", &self.names[name]),
            LocalName::Number(number) => format!("%{number}"),
        }
    }
}

fn float_name(kind: FloatKind) -> &'static str {
    match kind {
        FloatKind::Half => "half",
        FloatKind::BFloat => "bfloat",
        FloatKind::Float => "float",
        FloatKind::Double => "double",
        FloatKind::Extended => "x86_fp80",
        FloatKind::Quad => "fp128",
        FloatKind::DoubleDouble => "ppc_fp128",
    }
}
