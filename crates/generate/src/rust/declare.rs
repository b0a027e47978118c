//! Constants, types, variables and what they begin with.

use super::emit::{Emitter, Flavour, names_of};
use super::expr::{Exprs, type_bounds};
use super::fit::fit;
use super::names::name;
use super::text::{Text, literal};
use crate::tree::*;
use auspex_promela::ast::{Language, Primitive};

/// The names of a program: constants, records, globals.
pub fn declarations(spec: &Spec, text: &mut Text) {
    for (number, set) in spec.sets.iter().enumerate() {
        if set.names.is_empty() {
            continue;
        }
        for (value, constant) in set.names.iter().enumerate() {
            text.line(format!("const {}: i32 = {};", name(constant), value + 1));
        }
        let names: Vec<String> = set.names.iter().map(|name| literal(name)).collect();
        text.line(format!("const {}: &[&str] = &[{}];", names_of(spec, number), names.join(", ")));
        text.line("");
    }
    for record in spec.records.iter().filter(|record| !record.model_only) {
        self::record(spec, record, text);
        text.line("");
    }
    for global in &spec.globals {
        if let Global::Code(code) = global
            && code.language == Language::Rust
        {
            text.paste(&code.text);
            text.line("");
        }
    }
    globals(spec, text);
}

fn record(spec: &Spec, record: &Record, text: &mut Text) {
    let own =
        |item: &RecordItem| matches!(item, RecordItem::Code(c) if c.language == Language::Rust);
    if !record.items.iter().any(own) {
        text.line("#[derive(Clone, Debug)]");
    }
    let title = name(&record.name);
    text.line(format!("struct {title} {{"));
    for item in &record.items {
        match item {
            RecordItem::Field(field) => {
                text.line(format!(
                    "{}: {},",
                    name(&field.name),
                    rust_type(spec, field.ty, field.length)
                ));
            }
            RecordItem::Code(code) if code.language == Language::Rust => {
                text.paste(code.text.trim().trim_end_matches(','));
                text.line(",");
            }
            RecordItem::Code(_) => {}
        }
    }
    text.line("}");
    text.line("");
    text.line(format!("impl {title} {{"));
    text.line(format!("fn new() -> {title} {{"));
    text.line(format!("{title} {{"));
    for item in &record.items {
        match item {
            RecordItem::Field(field) => {
                let first = first_value(spec, field.ty, field.length, &field.initial);
                text.line(format!("{}: {first},", name(&field.name)));
            }
            RecordItem::Code(code) if code.language == Language::Rust => {
                for field in field_names(&code.text) {
                    text.line(format!("{field}: Default::default(),"));
                }
            }
            RecordItem::Code(_) => {}
        }
    }
    text.line("}");
    text.line("}");
    text.line("}");
}

/// The names in `a: Type, b: Other<Type, Type>`.
fn field_names(code: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut depth = 0;
    let mut field = String::new();
    for c in code.chars().chain([',']) {
        match c {
            '<' | '(' | '[' | '{' => depth += 1,
            '>' | ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        if c != ',' || depth > 0 {
            field.push(c);
            continue;
        }
        if let Some((name, _)) = field.split_once(':') {
            names.extend(name.split_whitespace().last().map(str::to_string));
        }
        field.clear();
    }
    names
}

fn globals(spec: &Spec, text: &mut Text) {
    let variables: Vec<&Variable> = global_variables(spec).map(|id| spec.variable(id)).collect();
    text.line("/// What all processes share.");
    match variables.is_empty() {
        true => text.line("struct Globals;"),
        false => text.line("struct Globals {"),
    }
    for variable in &variables {
        let ty = rust_type(spec, variable.ty, variable.length);
        text.line(format!("{}: {ty},", name(&variable.ident)));
    }
    if !variables.is_empty() {
        text.line("}");
    }
    text.line("");
    text.line("impl Globals {");
    text.line("fn new() -> Globals {");
    match variables.is_empty() {
        true => text.line("Globals"),
        false => text.line("Globals {"),
    }
    for variable in &variables {
        let first = first_value(spec, variable.ty, variable.length, &variable.initial);
        text.line(format!("{}: {first},", name(&variable.ident)));
    }
    if !variables.is_empty() {
        text.line("}");
    }
    text.line("}");
    text.line("}");
}

pub fn global_variables(spec: &Spec) -> impl Iterator<Item = VarId> + '_ {
    spec.globals.iter().filter_map(|global| match global {
        Global::Variable(id) if !spec.variable(*id).model_only => Some(*id),
        _ => None,
    })
}

pub fn rust_type(spec: &Spec, ty: Type, length: Option<u32>) -> String {
    let one = match ty {
        Type::Record(record) => name(&spec.records[record].name),
        _ => "i32".to_string(),
    };
    match length {
        Some(length) => format!("[{one}; {length}]"),
        None => one,
    }
}

/// The first value as far as it can be written down; the rest comes with [`initialise`].
fn first_value(spec: &Spec, ty: Type, length: Option<u32>, initial: &Initial) -> String {
    let stored = ty.stored(length);
    let constant = |expr: &Expr| {
        expr.constant().map(|value| {
            Exprs { spec, flavour: Flavour::Threads }.cut(&simple(expr, stored.cut(value)), stored)
        })
    };
    let one = match (ty, initial) {
        (Type::Record(record), _) => format!("{}::new()", name(&spec.records[record].name)),
        (_, Initial::Value(value)) => constant(value).unwrap_or_else(|| "0".to_string()),
        _ => "0".to_string(),
    };
    match (length, ty, initial) {
        (None, ..) => one,
        (Some(length), _, Initial::List(list)) if list.iter().all(|e| e.constant().is_some()) => {
            let mut values: Vec<String> = list.iter().filter_map(constant).collect();
            // The last one stands for all that are left out.
            let last = values.last().cloned().unwrap_or_else(|| "0".to_string());
            values.resize(length as usize, last);
            format!("[{}]", values.join(", "))
        }
        (Some(_), Type::Record(_), _) => format!("std::array::from_fn(|_| {one})"),
        (Some(length), ..) => format!("[{one}; {length}]"),
    }
}

/// A constant by its name, or else its value.
fn simple(expr: &Expr, value: i32) -> Expr {
    match expr {
        Expr::Constant { .. } => expr.clone(),
        _ => Expr::Number(value),
    }
}

/// Statements that give a variable what [`first_value`] could not.
fn initialise(
    emitter: &mut Emitter<'_>,
    target: &str,
    ty: Type,
    length: Option<u32>,
    initial: &Initial,
) {
    let stored = ty.stored(length);
    match (ty, length, initial) {
        (Type::Record(record), _, _) => {
            let elements: Vec<String> = match length {
                None => vec![target.to_string()],
                Some(length) => (0..length).map(|i| format!("{target}[{i}]")).collect(),
            };
            let spec = emitter.spec;
            for element in elements {
                for item in &spec.records[record].items {
                    if let RecordItem::Field(field) = item {
                        let target = format!("{element}.{}", name(&field.name));
                        initialise(emitter, &target, field.ty, field.length, &field.initial);
                    }
                }
            }
        }
        (_, _, Initial::Zero) => {}
        (_, _, Initial::Value(value)) if value.constant().is_some() => {}
        (_, None, Initial::Value(value)) => {
            let value = emitter.exprs.cut(value, stored);
            emitter.line(format!("{target} = {value};"));
        }
        (_, Some(length), Initial::Value(value)) => {
            let value = emitter.exprs.cut(value, stored);
            emitter.line(format!("{target} = [{value}; {length}];"));
        }
        (_, _, Initial::List(list)) if list.iter().all(|e| e.constant().is_some()) => {}
        (_, length, Initial::List(list)) => {
            let last = list.last().into_iter().cycle();
            let values = list.iter().chain(last).take(length.unwrap_or(1) as usize);
            for (number, value) in values.enumerate() {
                let value = emitter.exprs.cut(value, stored);
                emitter.line(format!("{target}[{number}] = {value};"));
            }
        }
        (_, length, Initial::Channel(channel)) => {
            let create = format!("g.channel({}, &[{}])", channel.capacity, fields(channel));
            match length {
                None => emitter.line(format!("{target} = {create};")),
                Some(length) => {
                    for number in 0..length {
                        emitter.line(format!("{target}[{number}] = {create};"));
                    }
                }
            }
        }
    }
}

/// The types of the fields of a message. The only one is kept whole, as in Spin.
fn fields(channel: &ChannelType) -> String {
    let is_only = channel.fields.len() == 1;
    let field = |ty: &Type| match ty {
        Type::Bit | Type::Bool if !is_only => "Bit".to_string(),
        Type::Short => "Short".to_string(),
        Type::Int | Type::Record(_) => "Int".to_string(),
        Type::Unsigned(width) => format!("Unsigned({width})"),
        _ => "Byte".to_string(),
    };
    channel.fields.iter().map(field).collect::<Vec<_>>().join(", ")
}

/// The values of globals that are not constants.
pub fn initialise_globals(emitter: &mut Emitter<'_>) {
    let spec = emitter.spec;
    for id in global_variables(spec) {
        let variable = spec.variable(id);
        let target = emitter.exprs.variable(id);
        initialise(emitter, &target, variable.ty, variable.length, &variable.initial);
    }
}

/// The parameters of a process, as they are passed: one number each.
pub fn parameters(spec: &Spec, process: usize) -> Vec<String> {
    let places = spec.parameter_places(process);
    places.iter().map(|place| flat_name(spec, place)).collect()
}

/// `r.a[2]` as a parameter: `r_a_2`.
fn flat_name(spec: &Spec, place: &Place) -> String {
    let mut flat = name(&spec.variable(place.var).ident);
    for selector in &place.path {
        match selector {
            Selector::Index(index, _) => {
                flat = format!("{flat}_{}", index.constant().unwrap_or_default());
            }
            Selector::Field { name, .. } => flat = format!("{flat}_{name}"),
        }
    }
    flat
}

/// Parameters and locals, at the beginning of a process.
pub fn locals(emitter: &mut Emitter<'_>, process: usize) {
    let spec = emitter.spec;
    let this = &spec.processes[process];
    let is_program = emitter.flavour == Flavour::Programs;
    for id in &this.params {
        let variable = spec.variable(*id);
        if let Type::Record(record) = variable.ty {
            let (own, title) = (name(&variable.ident), name(&spec.records[record].name));
            emitter.line(format!("let mut {own} = {title}::new();"));
        }
    }
    for (number, place) in spec.parameter_places(process).into_iter().enumerate() {
        let flat = flat_name(spec, &place);
        let given = if is_program { format!("g.argument({number})") } else { flat.clone() };
        let value = emitter.exprs.cut_text(given, type_bounds(Type::Int), place.ty);
        match place.path.is_empty() {
            true => emitter.line(format!("let mut {flat} = {value};")),
            false => {
                let target = emitter.exprs.place(&place);
                emitter.line(format!("{target} = {value};"));
            }
        }
    }
    for id in &this.locals {
        let variable = spec.variable(*id);
        if variable.model_only || variable.is_parameter {
            continue;
        }
        let target = emitter.exprs.variable(*id);
        let initial = if variable.is_late { &Initial::Zero } else { &variable.initial };
        let is_simple = variable.length.is_none() && !matches!(variable.ty, Type::Record(_));
        match initial {
            Initial::Value(value) if is_simple => {
                let value = emitter.exprs.cut(value, variable.ty);
                emitter.line(format!("let mut {target}: i32 = {value};"));
            }
            Initial::Channel(channel) if is_simple => {
                let create = format!("g.channel({}, &[{}])", channel.capacity, fields(channel));
                emitter.line(format!("let mut {target} = {create};"));
            }
            _ => {
                let first = first_value(spec, variable.ty, variable.length, initial);
                emitter.line(format!(
                    "let mut {target}: {} = {first};",
                    rust_type(spec, variable.ty, variable.length)
                ));
                if !variable.is_late {
                    initialise(emitter, &target, variable.ty, variable.length, initial);
                }
            }
        }
    }
    own_declarations(emitter, &this.body);
}

/// `rust_decl_IS` inside of a process.
fn own_declarations(emitter: &mut Emitter<'_>, block: &Block) {
    for stmt in block {
        if let Kind::Code(code) = &stmt.kind
            && code.primitive == Primitive::Decl
        {
            emitter.text.paste(&fit(emitter.spec, &code.text));
        }
        for block in stmt.kind.blocks() {
            own_declarations(emitter, block);
        }
    }
}
