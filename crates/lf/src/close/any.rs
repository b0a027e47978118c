//! Processes that give a variable any value of its type.

use crate::ast::Declaration;
use crate::load::Source;
use crate::types::{Field, Scalar, Type, TypeId};
use std::collections::HashMap;
use std::fmt::Write;

pub struct AnyValues<'s> {
    source: &'s Source,
    /// The processes that were written.
    pub text: String,
    names: HashMap<TypeId, String>,
}

impl<'s> AnyValues<'s> {
    pub fn new(source: &'s Source) -> Self {
        AnyValues { source, text: String::new(), names: HashMap::new() }
    }

    /// How a type is written in another module; `None`: it cannot be.
    pub fn type_name(&self, ty: TypeId) -> Option<String> {
        let types = &self.source.program.types;
        match types.get(ty) {
            Type::Scalar(_) => Some(types.show(ty)),
            Type::Channel { messages } => {
                let mut shown = Vec::new();
                for message in messages {
                    let fields: Option<Vec<String>> =
                        message.fields.iter().map(|field| self.type_name(*field)).collect();
                    let fields = fields?;
                    let list = if fields.is_empty() {
                        String::new()
                    } else {
                        format!("({})", fields.join(", "))
                    };
                    shown.push(format!("{}{list}", message.name));
                }
                Some(format!("[{}]", shown.join(", ")))
            }
            // Only by its name is it the same type.
            _ => self.declared(&types.show(ty)),
        }
    }

    fn declared(&self, name: &str) -> Option<String> {
        let declares = |declarations: &[Declaration]| {
            declarations.iter().any(
                |it| matches!(it, Declaration::Type { name: own, .. } if own.name.text == name),
            )
        };
        let mut modules = self.source.modules.iter();
        let module = modules.find(|module| declares(&module.declarations))?;
        Some(format!("{}.{name}", module.name.text))
    }

    /// Statements after which a variable that is of no use any more does not tell states apart.
    pub fn clear(&self, ty: TypeId, place: &str) -> Vec<String> {
        let zero = match self.source.program.types.get(ty) {
            Type::Scalar(Scalar::Boolean) => "FALSE",
            Type::Scalar(Scalar::Char) => "0X",
            Type::Scalar(Scalar::Set) => "{}",
            Type::Scalar(_) => "0",
            Type::Record { fields } => {
                let clear =
                    |field: &Field| self.clear(field.ty, &format!("{place}.{}", field.name));
                return fields.iter().flat_map(clear).collect();
            }
            _ => return Vec::new(),
        };
        vec![format!("{place} := {zero}")]
    }

    /// The name of the process for a type; it is written where it is new.
    pub fn process(&mut self, ty: TypeId) -> String {
        if let Some(known) = self.names.get(&ty) {
            return known.clone();
        }
        let own = self.type_name(ty).unwrap_or_default();
        let plain: String = own.chars().filter(|c| c.is_alphanumeric() || *c == '_').collect();
        let name = format!("Any{plain}");
        self.names.insert(ty, name.clone());
        let body = self.body(ty);
        let _ = write!(self.text, "\nPROCESS {name}(VAR x: {own});\n{body}END {name};\n");
        name
    }

    fn body(&mut self, ty: TypeId) -> String {
        match self.source.program.types.get(ty).clone() {
            Type::Scalar(Scalar::Boolean) => {
                "BEGIN\n  CHOICE x := FALSE OR x := TRUE END\n".to_owned()
            }
            Type::Scalar(Scalar::Char) => {
                "BEGIN\n  x := FirstChar;\n  LOOP\n    IF x >= LastChar THEN EXIT END;\n    \
                CHOICE EXIT OR x := CHR(ORD(x) + 1) END\n  END\n"
                    .to_owned()
            }
            Type::Scalar(Scalar::Set) => {
                "VAR i: INTEGER;\nBEGIN\n  x := {};\n  FOR i := 0 TO LastElement DO\n    \
                CHOICE INCL(x, i) OR RESCHEDULE END\n  END\n"
                    .to_owned()
            }
            Type::Scalar(_) => "BEGIN\n  x := Low;\n  LOOP\n    IF x >= High THEN EXIT END;\n    \
                CHOICE EXIT OR INC(x) END\n  END\n"
                .to_owned(),
            Type::Array { length, element } => {
                let each = self.element(element, "x[i]");
                let last = length.saturating_sub(1);
                format!("VAR i: INTEGER;\nBEGIN\n  FOR i := 0 TO {last} DO {each} END\n")
            }
            Type::Record { fields } => {
                let all: Vec<String> = fields
                    .iter()
                    .map(|field| self.element(field.ty, &format!("x.{}", field.name)))
                    .collect();
                format!("BEGIN\n  {}\n", all.join(";\n  "))
            }
            _ => String::new(),
        }
    }

    /// What gives a part of a variable any value; one without a name of its own is filled in on the spot.
    fn element(&mut self, ty: TypeId, place: &str) -> String {
        match self.source.program.types.get(ty) {
            Type::Channel { .. } => format!("NEW({place})"),
            _ if self.type_name(ty).is_some() => format!("{}({place})", self.process(ty)),
            _ => "(* a type without a name: it stays as it is *)".to_owned(),
        }
    }

    /// What values there are.
    pub fn constants(&self) -> String {
        let mut text = String::new();
        let uses = |word: &str| self.text.contains(word);
        if uses("Low") || uses("FirstChar") || uses("LastElement") {
            text += "\n(* The values that are tried: more of them, more states. *)\nCONST\n";
        }
        if uses("Low") {
            text += "  Low = 0; High = 1;                      (* numbers *)\n";
        }
        if uses("FirstChar") {
            text += "  FirstChar = \"a\"; LastChar = \"b\";        (* characters *)\n";
        }
        if uses("LastElement") {
            text += "  LastElement = 1;                        (* sets of 0 .. LastElement *)\n";
        }
        text
    }
}
