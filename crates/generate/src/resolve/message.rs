//! What goes through channels, and to processes that start.

use super::Resolver;
use super::scope::Symbol;
use crate::tree::*;
use auspex_promela::ast::{self, VarRef};

impl Resolver {
    pub fn values(&mut self, args: &[ast::Expr]) -> Vec<Expr> {
        args.iter().flat_map(|arg| self.message_values(arg)).collect()
    }

    /// A whole record stands for all its fields.
    fn message_values(&mut self, arg: &ast::Expr) -> Vec<Expr> {
        if let ast::ExprKind::Name(var) = &arg.kind
            && let Some(place) = self.whole_record(var)
        {
            return self.spec.fields(place).into_iter().map(Expr::Place).collect();
        }
        vec![self.expr(arg)]
    }

    /// The place, if the name means a whole record.
    pub fn whole_record(&mut self, var: &VarRef) -> Option<Place> {
        let Some(Symbol::Variable(_)) = self.meaning(&var.name.text) else { return None };
        // Whatever is wrong with it is reported when it is used otherwise.
        let errors = self.errors.len();
        let place = self.any_place(var);
        self.errors.truncate(errors);
        place.filter(|place| matches!(place.ty, Type::Record(_)))
    }

    pub fn patterns(&mut self, args: &[ast::RecvArg]) -> Vec<Arg> {
        let mut out = Vec::new();
        for arg in args {
            match arg {
                ast::RecvArg::Constant(expr) | ast::RecvArg::Eval(expr) => {
                    out.push(Arg::Match(self.expr(expr)));
                }
                ast::RecvArg::Name(var) if var.name.text == "_" => out.push(Arg::Ignore),
                ast::RecvArg::Name(var) => match self.meaning(&var.name.text) {
                    Some(Symbol::Constant { set, value }) => {
                        out.push(Arg::Match(Expr::Constant { set, value }));
                    }
                    _ => match self.whole_record(var) {
                        Some(place) => {
                            out.extend(self.spec.fields(place).into_iter().map(Arg::Store))
                        }
                        None => out.extend(self.place(var).map(Arg::Store)),
                    },
                },
            }
        }
        out
    }

    pub fn run(
        &mut self,
        name: &ast::Name,
        args: &[ast::Expr],
        priority: Option<&ast::Expr>,
    ) -> Expr {
        let priority = self.priority(priority);
        let Some(process) = self.processes.get(&name.text).copied() else {
            self.error(name.span, format!("there is no proctype `{}`", name.text));
            return Expr::Number(0);
        };
        if self.spec.processes[process].is_env {
            let message = format!("`{}` is of the environment: it cannot run here", name.text);
            let error = auspex_system::Diagnostic::error(name.span, message)
                .note(self.spec.processes[process].span, "declared as `env` here")
                .hint("put the `run` into `promela_MS { ... }`");
            self.errors.push(error);
        }
        let mut args = self.values(args);
        // Arguments that are missing are 0.
        args.resize(self.spec.parameter_places(process).len(), Expr::Number(0));
        Expr::Run { process, args, priority }
    }
}
