//! What plain statements do.

use super::super::text::quoted;
use super::body::Body;
use super::declare::masked;
use crate::tree::*;
use auspex_promela::ast::{Language, Primitive};

impl<'a> Body<'a> {
    pub fn store_message(&mut self, args: &[Arg]) {
        for (i, arg) in args.iter().enumerate() {
            if let Arg::Store(place) = arg {
                let value = masked(&self.printer, place.ty, &format!("ax->message[{i}]"));
                self.out.line(format!("{} = {value};", self.printer.place(place)));
            }
        }
    }

    /// What a statement does.
    pub fn effect(&mut self, stmt: &'a Stmt) {
        let printer = self.printer;
        match &stmt.kind {
            Kind::Assign { target, value: value @ Expr::Run { .. } } => {
                let value = masked(&printer, target.ty, &printer.expr(value));
                self.out.line(format!("{} = {value};", printer.place(target)));
            }
            Kind::Assign { target, value } => {
                self.out.line(format!("{};", printer.store(target, value)));
            }
            Kind::Increment { target, by } => {
                self.out.line(format!("{};", printer.increment(target, *by)));
            }
            Kind::Initialise(id) => self.initialise(*id),
            Kind::Assert(condition) => {
                let (text, at) = (quoted(&stmt.text), printer.location_string(stmt.span));
                self.out
                    .line(format!("ax_assert({}, {at}, {text});", printer.condition(condition)));
            }
            Kind::Print(parts) => {
                if let Some(call) = printer.print(parts) {
                    self.out.line(format!("{call};"));
                }
            }
            Kind::Receive { args, .. } => self.store_message(args),
            Kind::Condition(run @ Expr::Run { .. }) => {
                self.out.line(format!("{};", printer.expr(run)));
            }
            Kind::Select { var, low, high } => {
                let call = format!("ax_select({}, {})", printer.expr(low), printer.expr(high));
                let value = masked(&printer, var.ty, &call);
                self.out.line(format!("{} = {value};", printer.place(var)));
            }
            Kind::SetPriority(pid, priority) => {
                let (pid, priority) = (printer.expr(pid), printer.expr(priority));
                let at = printer.location_string(stmt.span);
                self.out.line(format!("ax_set_priority({at}, {pid}, {priority});"));
            }
            Kind::Code(code) if code.language == Language::C => match code.primitive {
                Primitive::Code => {
                    self.out.open("{");
                    if let Some(guard) = &code.guard {
                        self.out.line(format!("assert({});", guard.trim()));
                    }
                    self.out.lines(code.text.trim_matches('\n'));
                    self.out.close("}");
                }
                Primitive::Decl => self.out.lines(code.text.trim_matches('\n')),
                _ => {}
            },
            _ => {}
        }
    }

    pub fn initialise(&mut self, id: VarId) {
        let printer = self.printer;
        let variable = printer.spec.variable(id);
        if let Type::Record(_) = variable.ty {
            return;
        }
        let mut place = Place { var: id, path: Vec::new(), ty: variable.ty, span: variable.span };
        if let Some(length) = variable.length {
            place.ty = variable.ty.stored(Some(length));
            place.path.push(Selector::Index(Box::new(Expr::Number(0)), length));
        }
        let zero = Expr::Number(0);
        let value = if let Initial::Value(value) = &variable.initial { value } else { &zero };
        self.out.line(format!("{};", printer.store(&place, value)));
    }
}
