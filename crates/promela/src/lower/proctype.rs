//! Proctypes and `init`.

use super::decl::Site;
use super::scope::Symbol;
use super::{Body, Context, Lowerer};
use crate::ast;
use crate::flow::Flow;
use auspex_process::ir::*;
use auspex_system::Diagnostic;

impl Lowerer<'_> {
    pub fn proctype(&mut self, proctype: &ast::Proctype) {
        let Some(id) = self.symbols.proctypes.get(&proctype.name.text).copied() else { return };
        self.check_name(&proctype.name);
        self.context = Some(Context {
            name: proctype.name.text.clone(),
            frame: Frame::default(),
            at_top: true,
            inline_depth: 0,
        });
        let global_channels = self.channel_fields.clone();
        self.flow = Flow::default();
        self.symbols.scopes.enter();
        let parameters = self.parameters(&proctype.params);
        let provided = proctype.provided.as_ref().map(|expr| self.value(expr));
        let priority = proctype.priority.as_ref().map_or(1, |expr| self.priority(expr));
        let seq = self.body(proctype);
        let mut locals = self.symbols.scopes.leave();
        locals.extend(std::mem::take(&mut self.inner_locals));
        self.symbols.locals.insert(id, locals);
        self.channel_fields = global_channels;
        let frame = self.context.take().map(|c| c.frame).unwrap_or_default();
        let flow = std::mem::take(&mut self.flow);
        self.bodies.push(Body { id, flow, seq });
        self.model.proctypes.push(Proctype {
            name: proctype.name.text.clone(),
            parameters,
            locals: frame,
            provided,
            deterministic: proctype.deterministic,
            start: LocId(0),
            locations: Vec::new(),
            transitions: Vec::new(),
        });
        self.activate(proctype, id, priority);
    }

    fn check_name(&mut self, name: &ast::Name) {
        if let Some(symbol) = self.symbols.scopes.lookup(&name.text) {
            let error = Diagnostic::error(name.span, format!("redeclaration of `{}`", name.text))
                .note(symbol.span(), "first declared here");
            self.errors.push(error);
        }
    }

    fn body(&mut self, proctype: &ast::Proctype) -> Option<crate::flow::Seq> {
        self.flow.open();
        self.sequence(&proctype.body);
        let end = self.statement(proctype.end, "-end-", false);
        self.flow.add_basic(Action::End, end, proctype.end);
        self.flow.close()
    }

    fn parameters(&mut self, params: &[ast::Decl]) -> Vec<Place> {
        let mut places = Vec::new();
        for decl in params {
            for var in &decl.vars {
                if var.array.is_some() || var.init.is_some() {
                    self.error(var.span, "a parameter is a plain variable");
                    continue;
                }
                self.variable(decl, var, Site::Creation);
                let Some(Symbol::Variable(info)) =
                    self.symbols.scopes.lookup(&var.name.text).cloned()
                else {
                    continue;
                };
                // Nobody wonders about a parameter that is not used.
                info.used.set(true);
                self.symbols.scopes.mark_used(&var.name.text);
                match info.ty {
                    VarType::Scalar(_) => places.extend(self.element_places(var, &info)),
                    VarType::Struct(id) => {
                        let ty = auspex_process::Scalar::Int;
                        let name = &var.name.text;
                        let base = super::scope::simple_place(info.space, info.offset, ty, name);
                        places.extend(self.struct_places(&base, id));
                    }
                }
            }
        }
        places
    }

    /// Processes that exist from the start.
    fn activate(&mut self, proctype: &ast::Proctype, id: ProctypeId, priority: u8) {
        let count = match &proctype.active {
            Some(ast::Active { count: Some(count) }) => match self.constant(count) {
                Some(n @ 0..=255) => n,
                _ => {
                    self.error(count.span, "at most 255 processes can be active");
                    0
                }
            },
            Some(ast::Active { count: None }) => 1,
            None => i32::from(proctype.is_init),
        };
        self.model.start.extend((0..count).map(|_| Start { proctype: id, priority }));
    }
}
