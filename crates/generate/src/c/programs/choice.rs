//! Selection and repetition.

use super::body::{Body, Construct, declares, ends_with_jump};
use super::guard::{Guard, any_code, contains_code, guard, heads, option_heads};
use crate::tree::*;
use auspex_promela::ast::PlainOp;

/// A branch of a choice.
struct Branch<'a> {
    when: When<'a>,
    what: What<'a>,
}

enum When<'a> {
    Always,
    Else,
    /// One of these holds.
    Any(Vec<&'a Expr>),
}

#[derive(Clone)]
enum What<'a> {
    Option(&'a Block),
    /// Behind a guard inside of an option: who comes first writes the option, all jump to the label in it.
    Inside(String, &'a Block),
}

/// What happens when no branch can be taken.
#[derive(Clone, PartialEq)]
enum Otherwise {
    /// The process is blocked for ever.
    Block,
    /// Things may change: the loop tries again, after it has slept.
    Retry(String),
    /// The same in a loop of the specification.
    Sleep(String),
}

impl<'a> Body<'a> {
    pub fn choice(&mut self, stmt: &'a Stmt, options: &'a [Block], is_loop: bool) {
        let all = heads(options);
        let may_change = any_code(&all) || self.escapes_may_change();
        let is_open = all.iter().all(|head| matches!(head.guard, Guard::When(_)));
        let otherwise = match may_change && is_open {
            false => Otherwise::Block,
            true if is_loop => Otherwise::Sleep(self.new_turns()),
            true => Otherwise::Retry(self.new_turns()),
        };
        let branches = self.branches(options);
        let line = self.line_of(stmt);
        if is_loop {
            self.out.open(format!("while (1) {{ /* line {line} */"));
            self.enter_loop("do");
        } else if let Otherwise::Retry(turns) = &otherwise {
            self.out.open(format!("for ({turns} = 0;; model_wait(&{turns})) {{ /* line {line} */"));
            self.constructs.push(Construct::Other);
        }
        self.check_escapes();
        let comment = match is_loop || matches!(otherwise, Otherwise::Retry(_)) {
            true => String::new(),
            false => format!(" /* line {line} */"),
        };
        self.branch_off(branches, &otherwise, stmt, &comment);
        if is_loop {
            self.close_loop();
        } else if let Otherwise::Retry(_) = otherwise {
            self.constructs.pop();
            self.out.close("}");
        }
    }

    fn branches(&mut self, options: &'a [Block]) -> Vec<Branch<'a>> {
        let mut branches = Vec::new();
        for option in options {
            let (decides, stmt) = guard(option);
            match decides {
                Guard::Choice(_) => self.inner_branches(option, &mut branches),
                _ => {
                    // Who jumps to the block around a guard has to test it: then it is tested twice.
                    let again = matches!(decides, Guard::When(expr) if !contains_code(expr));
                    if let Some(stmt) = stmt
                        && !(again && self.leads_into(option, stmt))
                    {
                        self.tested.insert(std::ptr::from_ref(stmt));
                    }
                    let when = match decides {
                        Guard::When(expr) => When::Any(vec![expr]),
                        Guard::Else => When::Else,
                        _ => When::Always,
                    };
                    branches.push(Branch { when, what: What::Option(option) });
                }
            }
        }
        branches
    }

    /// An option that begins with a choice of its own. Where guards can be tested twice, a branch is taken if one of
    /// them holds. Otherwise each is a branch of its own that jumps behind the guard.
    fn inner_branches(&mut self, option: &'a Block, branches: &mut Vec<Branch<'a>>) {
        let inner = option_heads(option);
        let is_else = |guard: &Guard<'_>| matches!(guard, Guard::Else);
        if !any_code(&inner) && !inner.iter().any(|head| is_else(&head.guard)) {
            let mut guards = Vec::new();
            for head in &inner {
                match head.guard {
                    Guard::When(expr) => guards.push(expr),
                    _ => {
                        let what = What::Option(option);
                        return branches.push(Branch { when: When::Always, what });
                    }
                }
            }
            return branches.push(Branch { when: When::Any(guards), what: What::Option(option) });
        }
        for head in &inner {
            let label = self.new_label("option", "");
            self.entries.insert(std::ptr::from_ref(head.option), label.clone());
            let when = match head.guard {
                Guard::When(expr) => When::Any(vec![expr]),
                Guard::Else => When::Else,
                _ => When::Always,
            };
            branches.push(Branch { when, what: What::Inside(label, option) });
        }
    }

    fn branch_off(
        &mut self,
        branches: Vec<Branch<'a>>,
        otherwise: &Otherwise,
        stmt: &'a Stmt,
        comment: &str,
    ) {
        let (mut tests, mut last, mut never) = (Vec::new(), None, Vec::new());
        let always = branches.iter().position(|branch| matches!(branch.when, When::Always));
        for (number, branch) in branches.into_iter().enumerate() {
            match (&branch.when, always) {
                (_, Some(always)) if number > always => never.push(branch.what),
                (When::Else, Some(_)) => never.push(branch.what),
                (When::Any(_), _) => tests.push(branch),
                _ => last = Some(branch.what),
            }
        }
        self.entries.retain(|_, label| {
            !never.iter().any(|what| matches!(what, What::Inside(unused, _) if unused == label))
        });
        match switched(&tests).filter(|_| *otherwise == Otherwise::Block) {
            Some((place, values)) => self.switch(place, &values, &tests, last, stmt, comment),
            None => self.chain(&tests, last, otherwise, stmt, comment),
        }
        self.unreachable(never);
    }

    fn chain(
        &mut self,
        tests: &[Branch<'a>],
        last: Option<What<'a>>,
        otherwise: &Otherwise,
        stmt: &'a Stmt,
        comment: &str,
    ) {
        for (number, branch) in tests.iter().enumerate() {
            let condition = self.any_of(&branch.when);
            match number {
                0 => self.out.open(format!("if ({condition}) {{{comment}")),
                _ => self.out.outdented(format!("}} else if ({condition}) {{")),
            }
            if let Otherwise::Sleep(turns) = otherwise {
                self.out.line(format!("{turns} = 0;"));
            }
            let jumps = self.what(&branch.what);
            if matches!(otherwise, Otherwise::Retry(_)) && !jumps {
                self.out.line("break;");
            }
        }
        if tests.is_empty() {
            match last {
                // A loop has braces already.
                Some(What::Option(option)) if !matches!(stmt.kind, Kind::Do(_)) => {
                    self.scoped(option);
                }
                Some(what) => drop(self.what(&what)),
                None => self.blocked(stmt),
            }
            return;
        }
        match (last, otherwise) {
            (None, Otherwise::Retry(_)) => {}
            (Some(What::Option(option)), _) if is_nothing(option) => {}
            (last, otherwise) => {
                self.out.outdented("} else {");
                match (last, otherwise) {
                    (Some(what), _) => drop(self.what(&what)),
                    (None, Otherwise::Sleep(turns)) => {
                        self.out.line(format!("model_wait(&{turns});"))
                    }
                    (None, _) => self.blocked(stmt),
                }
            }
        }
        self.out.close("}");
    }

    fn any_of(&self, when: &When<'_>) -> String {
        let When::Any(guards) = when else { return "1".to_string() };
        let mut guards = guards.iter().map(|expr| Box::new((*expr).clone()));
        let Some(first) = guards.next() else { return "0".to_string() };
        let any = guards.fold(first, |all, next| Box::new(Expr::Or(all, next)));
        self.printer.condition(&any)
    }

    /// Tells if control does not come to the end.
    fn what(&mut self, what: &What<'a>) -> bool {
        match what {
            What::Option(option) => {
                self.option(option);
                ends_with_jump(option)
            }
            What::Inside(label, option) => {
                self.out.line(format!("goto {label};"));
                if !self.written.insert(std::ptr::from_ref(*option)) {
                    return true;
                }
                self.option(option);
                ends_with_jump(option)
            }
        }
    }

    fn switch(
        &mut self,
        place: &Place,
        values: &[&Expr],
        tests: &[Branch<'a>],
        last: Option<What<'a>>,
        stmt: &'a Stmt,
        comment: &str,
    ) {
        self.out.open(format!("switch ({}) {{{comment}", self.printer.place(place)));
        self.constructs.push(Construct::Other);
        for (branch, value) in tests.iter().zip(values) {
            let label = format!("case {}:", self.printer.expr(value));
            self.case(&label, &branch.what);
        }
        match last {
            Some(what) => self.case("default:", &what),
            None => {
                self.out.outdented("default:");
                self.blocked(stmt);
            }
        }
        self.constructs.pop();
        self.out.close("}");
    }

    fn case(&mut self, label: &str, what: &What<'a>) {
        let braces = matches!(what, What::Option(option) if declares(option));
        match braces {
            true => self.out.outdented(format!("{label} {{")),
            false => self.out.outdented(label),
        }
        if !self.what(what) {
            self.out.line("break;");
        }
        if braces {
            self.out.outdented("}");
        }
    }

    /// Options behind one that can always be taken. Only jumps get there.
    fn unreachable(&mut self, never: Vec<What<'a>>) {
        for what in never {
            let (What::Option(option) | What::Inside(_, option)) = what;
            if !self.written.insert(std::ptr::from_ref(option)) {
                continue;
            }
            if self.has_target(option) {
                self.out.open("if (0) {");
                self.option(option);
                self.out.close("}");
            } else {
                self.dropped.insert(std::ptr::from_ref(option));
                if let Some(first) = option.first() {
                    let line = self.line_of(first);
                    self.out.line(format!("/* Never taken: the option of line {line}. */"));
                }
            }
        }
    }
}

/// The variable that all branches compare with different constants, and the constants.
fn switched<'b>(tests: &'b [Branch<'_>]) -> Option<(&'b Place, Vec<&'b Expr>)> {
    let mut place: Option<&Place> = None;
    let mut values: Vec<&Expr> = Vec::new();
    for branch in tests {
        let When::Any(guards) = &branch.when else { return None };
        let [guard] = guards.as_slice() else { return None };
        let (variable, value) = comparison(guard)?;
        let known = *place.get_or_insert(variable);
        if !is_same(known, variable) || !matches!(branch.what, What::Option(_)) {
            return None;
        }
        if values.iter().any(|other| other.constant() == value.constant()) {
            return None;
        }
        values.push(value);
    }
    place.filter(|_| values.len() >= 2).map(|place| (place, values))
}

fn comparison(expr: &Expr) -> Option<(&Place, &Expr)> {
    let Expr::Binary(PlainOp::Equal, a, b) = expr else { return None };
    match (a.as_ref(), b.as_ref()) {
        (Expr::Place(place), value) | (value, Expr::Place(place)) => {
            value.constant().map(|_| (place, value))
        }
        _ => None,
    }
}

/// The same place, with indices that are constants: others might be out of bounds at different times.
fn is_same(a: &Place, b: &Place) -> bool {
    a.var == b.var
        && a.path.len() == b.path.len()
        && a.path.iter().zip(&b.path).all(|(a, b)| match (a, b) {
            (Selector::Index(a, _), Selector::Index(b, _)) => {
                a.constant().is_some() && a.constant() == b.constant()
            }
            (Selector::Field { item: a, .. }, Selector::Field { item: b, .. }) => a == b,
            _ => false,
        })
}

/// Does an option do nothing at all?
fn is_nothing(option: &Block) -> bool {
    option.iter().all(|stmt| {
        stmt.labels.is_empty() && matches!(stmt.kind, Kind::Else | Kind::Skip | Kind::ModelOnly)
    })
}
