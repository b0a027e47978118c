//! `printf` and `printm`.

use super::{Printer, text};
use crate::tree::*;

impl Printer<'_> {
    /// A call of `printf`, without `;`; nothing if there is nothing to print.
    pub fn print(&self, parts: &[PrintPart]) -> Option<String> {
        let mut format = String::new();
        let mut args = String::new();
        let mut add = |format: &mut String, conversion: &str, arg: String| {
            format.push_str(conversion);
            args.push_str(", ");
            args.push_str(&arg);
        };
        for part in parts {
            match part {
                PrintPart::Text(part) => format.push_str(&text::escaped(part).replace('%', "%%")),
                PrintPart::Decimal(e) => add(&mut format, "%d", self.expr(e)),
                PrintPart::Character(e) => add(&mut format, "%c", self.expr(e)),
                PrintPart::Unsigned(e) => add(&mut format, "%u", unsigned(&self.expr(e))),
                PrintPart::Hex(e) => add(&mut format, "%x", unsigned(&self.expr(e))),
                PrintPart::Octal(e) => add(&mut format, "%o", unsigned(&self.expr(e))),
                PrintPart::Symbol(e, set) => {
                    let name = name_function(self.spec, *set);
                    add(&mut format, "%s", format!("{name}({})", self.expr(e)));
                }
            }
        }
        (!format.is_empty()).then(|| format!("printf(\"{format}\"{args})"))
    }
}

fn unsigned(value: &str) -> String {
    format!("(unsigned)({value})")
}

/// The function that knows the names of a set.
pub fn name_function(spec: &Spec, set: usize) -> String {
    match &spec.sets[set].name {
        None => "mtype_name".to_string(),
        Some(name) => format!("mtype_{name}_name"),
    }
}
