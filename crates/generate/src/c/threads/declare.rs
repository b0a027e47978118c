//! Variables and their first values.

use super::super::{Printer, names, text, types};
use super::is_c;
use crate::tree::*;
use auspex_promela::ast::{Code, Primitive};
use std::collections::HashSet;
use text::Writer;

/// All the types of channels that are created anywhere.
pub fn channel_types(spec: &Spec) -> impl Iterator<Item = &ChannelType> {
    let fields =
        spec.records.iter().flat_map(|record| &record.items).filter_map(|item| match item {
            RecordItem::Field(field) => Some(&field.initial),
            RecordItem::Code(_) => None,
        });
    let initials = spec.variables.iter().map(|variable| &variable.initial).chain(fields);
    initials.filter_map(|initial| match initial {
        Initial::Channel(channel) => Some(channel),
        _ => None,
    })
}

/// The channel of a type, as an expression.
fn channel(ty: &ChannelType) -> String {
    let width = |ty: &Type| match ty {
        Type::Bit | Type::Bool => 1,
        Type::Short => -16,
        Type::Int | Type::Record(_) => -32,
        Type::Unsigned(width) => i32::from(*width),
        Type::Byte | Type::Pid | Type::Mtype(_) | Type::Chan => 8,
    };
    let widths: Vec<String> = ty.fields.iter().map(|ty| width(ty).to_string()).collect();
    format!("ax_channel({}, ax_types({}))", ty.capacity, widths.join(", "))
}

/// `= value` for what C can set at the start of a program; `None` where there is nothing to set.
fn constant(printer: &Printer<'_>, variable: &Variable) -> Option<String> {
    let ty = variable.ty.stored(variable.length);
    match (&variable.initial, variable.length) {
        (Initial::Value(value), None) => value.constant().map(|_| printer.cut(ty, value)),
        (Initial::Value(value), Some(length)) => {
            value.constant()?;
            let all = vec![printer.cut(ty, value); length as usize];
            Some(format!("{{{}}}", all.join(", ")))
        }
        (Initial::List(items), Some(length)) => {
            items.iter().try_for_each(|item| item.constant().map(drop))?;
            Some(format!("{{{}}}", repeated(printer, ty, items, length).join(", ")))
        }
        _ => None,
    }
}

/// Spin repeats the last value for the elements that a list leaves out.
fn repeated(printer: &Printer<'_>, ty: Type, items: &[Expr], length: u32) -> Vec<String> {
    let item = |i: usize| items.get(i).or(items.last());
    let text = |i| item(i).map_or_else(|| "0".to_string(), |value| printer.cut(ty, value));
    (0..length as usize).map(text).collect()
}

pub fn globals(printer: &Printer<'_>, out: &mut Writer) {
    let spec = printer.spec;
    for global in &spec.globals {
        match global {
            Global::Variable(id) => {
                let variable = spec.variable(*id);
                if variable.model_only {
                    continue;
                }
                let name = names::variable(spec, *id);
                let declarator = types::declarator(spec, variable.ty, &name, variable.length);
                let value =
                    constant(printer, variable).map_or_else(String::new, |v| format!(" = {v}"));
                out.line(format!("{declarator}{value};{}", types::remark(spec, variable.ty)));
            }
            Global::Code(code) if is_c(code) => code_lines(code, out),
            Global::Code(_) => {}
        }
    }
    out.line("");
}

fn code_lines(code: &Code, out: &mut Writer) {
    if code.primitive != Primitive::State {
        out.lines(code.text.trim_matches('\n'));
        return;
    }
    // `"int x" "Global" "3"`: what it is, whose it is, its first value.
    let strings: Vec<&str> = code.text.split('"').skip(1).step_by(2).collect();
    match strings.as_slice() {
        [declaration, _, value] => out.line(format!("{} = {value};", declaration.trim())),
        [declaration, ..] => out.line(format!("{};", declaration.trim())),
        [] => {}
    }
}

/// What has to be computed before the first process starts: channels, and values that are no constants.
pub fn initialise_globals(printer: &Printer<'_>, out: &mut Writer) {
    out.line("/* First values that are no constants. */");
    out.line("void ax_globals(void)");
    out.open("{");
    for global in &printer.spec.globals {
        let Global::Variable(id) = global else { continue };
        let variable = printer.spec.variable(*id);
        if !variable.model_only && constant(printer, variable).is_none() {
            initialise(printer, *id, out);
        }
    }
    out.close("}");
    out.line("");
}

/// Statements that give a variable its first value.
fn initialise(printer: &Printer<'_>, id: VarId, out: &mut Writer) {
    let (spec, variable) = (printer.spec, printer.spec.variable(id));
    let ty = variable.ty.stored(variable.length);
    let name = names::variable(spec, id);
    let element = |i: u32| match variable.length {
        Some(_) => format!("{name}[{i}]"),
        None => name.clone(),
    };
    let length = variable.length.unwrap_or(1);
    match &variable.initial {
        Initial::Zero => {
            for i in 0..length {
                fields(printer, ty, &element(i), out);
            }
        }
        Initial::Value(value) => {
            for i in 0..length {
                out.line(format!("{} = {};", element(i), printer.cut(ty, value)));
            }
        }
        Initial::List(items) => {
            for (i, value) in repeated(printer, ty, items, length).iter().enumerate() {
                out.line(format!("{} = {value};", element(i as u32)));
            }
        }
        Initial::Channel(ty) => {
            for i in 0..length {
                out.line(format!("{} = {};", element(i), channel(ty)));
            }
        }
    }
}

/// The first values that a record gives to its fields.
fn fields(printer: &Printer<'_>, ty: Type, prefix: &str, out: &mut Writer) {
    let Type::Record(record) = ty else { return };
    for item in &printer.spec.records[record].items {
        let RecordItem::Field(field) = item else { continue };
        let stored = field.ty.stored(field.length);
        for i in 0..field.length.unwrap_or(1) {
            let mut name = format!("{prefix}.{}", names::safe(&field.name));
            if field.length.is_some() {
                name = format!("{name}[{i}]");
            }
            match &field.initial {
                Initial::Zero => fields(printer, field.ty, &name, out),
                Initial::Value(value) => {
                    out.line(format!("{name} = {};", printer.cut(stored, value)));
                }
                Initial::List(items) => {
                    let value = items.get(i as usize).or(items.last());
                    let value = value.map_or_else(|| "0".into(), |v| printer.cut(stored, v));
                    out.line(format!("{name} = {value};"));
                }
                Initial::Channel(ty) => out.line(format!("{name} = {};", channel(ty))),
            }
        }
    }
}

/// The parameters and locals of a process, with their first values.
pub fn locals(printer: &Printer<'_>, process: &Process, out: &mut Writer) {
    let spec = printer.spec;
    let mut argument = 0;
    for id in &process.params {
        let variable = spec.variable(*id);
        let declarator =
            types::declarator(spec, variable.ty, &names::variable(spec, *id), variable.length);
        let places = spec.scalars(*id);
        let is_record = matches!(variable.ty, Type::Record(_));
        if is_record {
            out.line(format!("{declarator} = {{0}};"));
        }
        for place in places {
            let value = masked(printer, place.ty, &format!("ax->arguments[{argument}]"));
            argument += 1;
            let target = if is_record { printer.place(&place) } else { declarator.clone() };
            out.line(format!("{target} = {value};"));
        }
    }
    for id in process.locals.iter().filter(|id| !spec.variable(**id).model_only) {
        local(printer, *id, out);
    }
    let read = read_in(spec, process);
    for id in process.params.iter().chain(&process.locals) {
        if !read.contains(id) && !spec.variable(*id).model_only {
            out.line(format!("(void){};", names::variable(spec, *id)));
        }
    }
}

fn local(printer: &Printer<'_>, id: VarId, out: &mut Writer) {
    let (spec, variable) = (printer.spec, printer.spec.variable(id));
    let declarator =
        types::declarator(spec, variable.ty, &names::variable(spec, id), variable.length);
    let remark = types::remark(spec, variable.ty);
    let is_scalar = variable.length.is_none() && !matches!(variable.ty, Type::Record(_));
    let zero = if is_scalar { "0" } else { "{0}" };
    if variable.is_late {
        out.line(format!("{declarator} = {zero};{remark}"));
        return;
    }
    let value = match (&variable.initial, constant(printer, variable)) {
        (_, Some(value)) => value,
        (Initial::Value(value), None) if is_scalar => printer.cut(variable.ty, value),
        (Initial::Channel(ty), None) if is_scalar => channel(ty),
        _ => {
            out.line(format!("{declarator} = {zero};{remark}"));
            return initialise(printer, id, out);
        }
    };
    out.line(format!("{declarator} = {value};{remark}"));
}

/// Text with a value, cut to a type where C does not do it.
pub fn masked(printer: &Printer<'_>, ty: Type, value: &str) -> String {
    match printer.dialect.mask(ty) {
        Some(mask) => format!("{value} & {mask}"),
        None => value.to_string(),
    }
}

/// The variables that something is done with, other than to set them.
fn read_in(spec: &Spec, process: &Process) -> HashSet<VarId> {
    let mut read = HashSet::new();
    let mut codes = Vec::new();
    let mut see = |expr: &Expr| match expr {
        Expr::Place(place) | Expr::Len(place) | Expr::Test(_, place) => {
            read.extend([place.var]);
        }
        Expr::Poll { chan, .. } => read.extend([chan.var]),
        Expr::Code(code) => codes.push(code.text.clone()),
        _ => {}
    };
    if let Some(provided) = &process.provided {
        provided.visit(&mut see);
    }
    for id in &process.locals {
        match &spec.variable(*id).initial {
            Initial::Value(value) => value.visit(&mut see),
            Initial::List(values) => values.iter().for_each(|value| value.visit(&mut see)),
            _ => {}
        }
    }
    let mut channels = Vec::new();
    expressions(&process.body, &mut see, &mut channels);
    read.extend(channels);
    let mut all = process.params.iter().chain(&process.locals);
    let mut code_of = Vec::new();
    collect_code(&process.body, &mut code_of);
    codes.extend(code_of);
    read.extend(all.by_ref().filter(|id| {
        let ident = &spec.variable(**id).ident;
        codes.iter().any(|code| code.contains(ident.as_str()))
    }));
    read
}

fn collect_code(block: &Block, out: &mut Vec<String>) {
    for stmt in block {
        if let Kind::Code(code) = &stmt.kind {
            out.push(code.text.clone());
        }
        stmt.kind.blocks().into_iter().for_each(|block| collect_code(block, out));
    }
}

/// Shows all expressions of a block, and names the variables that are used beside them: channels, and
/// what a `for` counts with. (`x++` alone is no use of `x`, say compilers.)
fn expressions(block: &Block, see: &mut impl FnMut(&Expr), used: &mut Vec<VarId>) {
    for stmt in block {
        match &stmt.kind {
            Kind::Send { chan, .. } | Kind::Receive { chan, .. } => used.push(chan.var),
            Kind::For { var, range, .. } => {
                used.push(var.var);
                if let Range::Messages { chan, fields } = range {
                    used.extend(fields.iter().chain([chan]).map(|place| place.var));
                }
            }
            _ => {}
        }
        stmt.kind.visit(see);
        stmt.kind.blocks().into_iter().for_each(|block| expressions(block, see, used));
    }
}
