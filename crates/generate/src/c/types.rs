//! Types, and the declarations that all of a specification's programs share.

use super::text::Writer;
use super::{names, print};
use crate::tree::*;

/// The type that holds all values of one of Promela. What is above its range is cut when it is stored.
pub fn c_type(spec: &Spec, ty: Type) -> String {
    match ty {
        Type::Bit | Type::Bool | Type::Byte => "unsigned char".to_string(),
        Type::Mtype(0) => "mtype".to_string(),
        Type::Mtype(_) => "unsigned char".to_string(),
        Type::Short => "short".to_string(),
        // Arithmetic is that of `int`: `unsigned` of C would change what is below 0.
        Type::Int | Type::Unsigned(_) | Type::Pid | Type::Chan => "int".to_string(),
        Type::Record(record) => names::safe(&spec.records[record].name),
    }
}

/// What the reader of a declaration should know that C's type does not say.
pub fn remark(spec: &Spec, ty: Type) -> String {
    match ty {
        Type::Bit => " /* bit */".to_string(),
        Type::Bool => " /* bool */".to_string(),
        Type::Unsigned(width) => format!(" /* unsigned : {width} */"),
        Type::Chan => " /* chan */".to_string(),
        Type::Pid => " /* pid */".to_string(),
        Type::Mtype(set) if set != 0 => {
            format!(" /* mtype:{} */", spec.sets[set].name.as_deref().unwrap_or_default())
        }
        _ => String::new(),
    }
}

/// `unsigned char x[4]`, without an initial value.
pub fn declarator(spec: &Spec, ty: Type, name: &str, length: Option<u32>) -> String {
    let length = length.map_or_else(String::new, |length| format!("[{length}]"));
    format!("{} {name}{length}", c_type(spec, ty))
}

/// The constants of all sets, with Spin's numbers, and functions that give their names.
pub fn sets(spec: &Spec, out: &mut Writer) {
    for (number, set) in spec.sets.iter().enumerate() {
        let tag = match &set.name {
            None => "mtype".to_string(),
            Some(name) => format!("mtype_{name}"),
        };
        if number == 0 {
            let used = !set.names.is_empty() || uses_plain_mtype(spec);
            if used {
                out.line("typedef unsigned char mtype;");
                out.line("");
            }
        }
        if !set.names.is_empty() {
            out.open(format!("enum {tag} {{"));
            for (i, name) in set.names.iter().enumerate() {
                let start = if i == 0 { " = 1" } else { "" };
                let comma = if i + 1 < set.names.len() { "," } else { "" };
                out.line(format!("{}{start}{comma}", names::safe(name)));
            }
            out.close("};");
            out.line("");
        }
        if prints_names(spec, number) {
            name_function(spec, number, out);
        }
    }
}

fn name_function(spec: &Spec, set: usize, out: &mut Writer) {
    let known: Vec<String> =
        spec.sets[set].names.iter().map(|name| format!("\"{name}\"")).collect();
    out.line(format!("static inline const char *{}(int value)", print::name_function(spec, set)));
    out.open("{");
    if known.is_empty() {
        out.line("return model_name(value, NULL, 0);");
    } else {
        out.line(format!("static const char *const names[] = {{{}}};", known.join(", ")));
        out.line(format!("return model_name(value, names, {});", known.len()));
    }
    out.close("}");
    out.line("");
}

fn uses_plain_mtype(spec: &Spec) -> bool {
    let is_plain = |ty: Type| ty == Type::Mtype(0);
    spec.variables.iter().any(|v| is_plain(v.ty))
        || spec.records.iter().flat_map(|r| &r.items).any(|item| match item {
            RecordItem::Field(field) => is_plain(field.ty),
            RecordItem::Code(_) => false,
        })
}

/// Is a name of this set ever printed?
pub fn prints_names(spec: &Spec, set: usize) -> bool {
    fn in_block(block: &Block, set: usize) -> bool {
        block.iter().any(|stmt| match &stmt.kind {
            Kind::Print(parts) => {
                parts.iter().any(|part| matches!(part, PrintPart::Symbol(_, s) if *s == set))
            }
            kind => kind.blocks().into_iter().any(|block| in_block(block, set)),
        })
    }
    spec.processes.iter().any(|process| in_block(&process.body, set))
}

/// `typedef struct ... name;` for each record.
pub fn records(spec: &Spec, out: &mut Writer) {
    for record in spec.records.iter().filter(|record| !record.model_only) {
        let name = names::safe(&record.name);
        out.open(format!("typedef struct {name} {{"));
        for item in &record.items {
            match item {
                RecordItem::Field(field) => {
                    let declarator =
                        declarator(spec, field.ty, &names::safe(&field.name), field.length);
                    out.line(format!("{declarator};{}", remark(spec, field.ty)));
                }
                RecordItem::Code(code) => out.lines(code.text.trim_matches('\n')),
            }
        }
        out.close(format!("}} {name};"));
        out.line("");
    }
}
