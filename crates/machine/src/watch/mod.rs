//! What a temporal property looks at.
//!
//! A step of the machine is one thing that others can notice, with much around it that nobody can.
//! For a property, whatever may change one of its propositions is such a thing too: then a step
//! changes them at most once, and the order in which threads change them is any that is possible.
//! [`Watch`] knows which actions these are; `exec` asks it before it carries one out.

mod eval;
mod lower;
mod names;
mod parse;
mod types;

use crate::code::Program;
use crate::value::ObjectId;
use crate::work::{Thread, Work};
use auspex_system::{Diagnostic, FileId, Span};
use eval::{Expr, Lack, State};
use lower::Lowering;
use names::Names;
use parse::{Token, Wrong};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// More events than this are not told apart.
const MOST_EVENTS: usize = 64;

/// The propositions of a property, and what can change them.
#[derive(Debug, Default)]
pub struct Watch {
    propositions: Vec<Proposition>,
    /// By the numbers of global objects: is it mentioned?
    objects: Vec<bool>,
    /// By the numbers of functions.
    functions: Vec<bool>,
    events: Vec<String>,
    /// Pointers are followed: all memory that globals lead to is looked at.
    follows: bool,
    /// Set where a proposition has a value that the machine does not know.
    pub at_a_loss: AtomicBool,
}

#[derive(Debug)]
enum Proposition {
    Expression(Expr),
    At { who: Option<Who>, functions: Vec<u32> },
    Event(usize),
}

/// A thread as traces name it: `worker[2]`.
#[derive(Debug)]
struct Who {
    /// What it began with.
    starts: Vec<u32>,
    number: Option<u8>,
}

/// A proposition as text, and where it begins in the formula.
#[derive(Clone, Copy, Debug)]
pub struct Atom<'t> {
    pub text: &'t str,
    pub start: usize,
}

impl Watch {
    /// The propositions of a formula, which is the file that diagnostics point into.
    pub fn new(
        program: &Program,
        file: FileId,
        formula: &str,
        atoms: &[Atom<'_>],
    ) -> Result<Watch, Vec<Diagnostic>> {
        let names = Names::new(program);
        let mut watch = Watch {
            objects: vec![false; program.globals.len() + 1],
            functions: vec![false; program.functions.len()],
            ..Watch::default()
        };
        let mut problems = Vec::new();
        for atom in atoms {
            match watch.proposition(&names, atom.text) {
                Ok(proposition) => watch.propositions.push(proposition),
                Err(wrong) => problems.push(diagnostic(&names, wrong, file, formula, *atom)),
            }
        }
        if problems.is_empty() { Ok(watch) } else { Err(problems) }
    }

    fn proposition(&mut self, names: &Names<'_>, text: &str) -> Result<Proposition, Wrong> {
        let tokens = parse::tokens(text)?;
        if let Some(at) = tokens.iter().position(|(token, _)| is_word(token, "at"))
            && matches!(tokens.get(at + 1), Some((Token::Word(_), _)))
        {
            return self.at(names, &tokens, at, text.len());
        }
        if let [(first, _), (Token::Word(name), range)] = &tokens[..]
            && is_word(first, "event")
        {
            return self.event(names, name, range);
        }
        if let [(Token::Word(name), range)] = &tokens[..]
            && names.events.contains(name)
        {
            let variable = names.variables.iter().any(|it| names::means(name, &it.path));
            let constant = names.constants.iter().any(|it| names::means(name, &it.path));
            if variable || constant {
                let message = format!("`{name}` is an event and also a name of the program");
                return Err(Wrong::new(range.clone(), message)
                    .hint(format!("write `event {name}`, or `{name} != 0`")));
            }
            return self.event(names, name, range);
        }
        let node = parse::expression(&tokens, text.len())?;
        let mut lowering = Lowering { names, objects: Vec::new(), follows: false, varies: false };
        let expr = lowering.condition(&node)?;
        if !lowering.varies {
            let message = "a proposition without a variable";
            return Err(Wrong::new(node.range, message).hint(
                "`&` and `|` are operators of the logic; put an expression with them in braces: \
                 { x & 1 }",
            ));
        }
        for object in lowering.objects {
            self.objects[object as usize] = true;
        }
        self.follows |= lowering.follows;
        Ok(Proposition::Expression(expr))
    }

    fn event(
        &mut self,
        names: &Names<'_>,
        name: &str,
        range: &Range<usize>,
    ) -> Result<Proposition, Wrong> {
        if !names.events.iter().any(|it| it == name) && !names.unknown_events {
            let message = format!("the program does not raise an event `{name}`");
            let wrong = Wrong::new(range.clone(), message);
            return Err(match Names::similar(name, names.events.iter().map(String::as_str)) {
                Some(hint) => wrong.hint(hint),
                None => wrong.hint("__auspex_event(\"name\") raises one"),
            });
        }
        let known = self.events.iter().position(|it| it == name);
        let index = known.unwrap_or_else(|| {
            self.events.push(name.to_owned());
            self.events.len() - 1
        });
        if index >= MOST_EVENTS {
            let message = format!("more than {MOST_EVENTS} events in one formula");
            return Err(Wrong::new(range.clone(), message));
        }
        Ok(Proposition::Event(index))
    }

    /// `at f`, `worker at f`, `worker[2] at f`.
    fn at(
        &mut self,
        names: &Names<'_>,
        tokens: &[(Token, Range<usize>)],
        at: usize,
        end: usize,
    ) -> Result<Proposition, Wrong> {
        let (function, range) = qualified(&tokens[at + 1..], end)?;
        let found = names.functions_of(&function);
        let wrong = |message: String| Wrong::new(range.clone(), message);
        if names.is_inlined(&function) {
            return Err(wrong(format!(
                "`{function}` is inlined where it is called: no thread is ever seen in it"
            )));
        }
        if found.is_empty() {
            let hint = "functions of the library cannot be watched";
            return Err(no_function(names, &function, range, hint));
        }
        for it in &found {
            if names.program.functions[it.index as usize].atomic {
                return Err(wrong(format!(
                    "`{function}` is one atomic step: no thread is ever seen in it"
                )));
            }
        }
        let functions: Vec<u32> = found.iter().map(|it| it.index).collect();
        let who = match &tokens[..at] {
            [] => None,
            [
                name @ ..,
                (Token::Sign("["), _),
                (Token::Number(number), place),
                (Token::Sign("]"), _),
            ] => {
                let number = number.parse().map_err(|_| {
                    Wrong::new(place.clone(), "the number of a thread is one of 0 to 63")
                })?;
                Some(thread(names, name, Some(number))?)
            }
            name => Some(thread(names, name, None)?),
        };
        for function in &functions {
            self.functions[*function as usize] = true;
        }
        Ok(Proposition::At { who, functions })
    }

    /// Is there something to look at?
    #[inline]
    pub fn is_active(&self) -> bool {
        !self.propositions.is_empty()
    }

    /// May a write to this object be seen? `shared`: can it be reached from a global?
    #[inline]
    pub fn sees_write(&self, object: ObjectId, shared: impl FnOnce() -> bool) -> bool {
        self.objects.get(object as usize).copied().unwrap_or(false) || self.follows && shared()
    }

    /// Is it looked at whether a thread is in this function?
    #[inline]
    pub fn sees_function(&self, function: u32) -> bool {
        self.functions.get(function as usize).copied().unwrap_or(false)
    }

    /// May it be seen that memory ends?
    #[inline]
    pub fn follows(&self) -> bool {
        self.follows
    }

    /// May it be seen that a thread ends, or that it leaves several functions at once?
    pub fn sees_ends(&self) -> bool {
        self.follows || self.functions.contains(&true)
    }

    /// The number of an event that is looked at.
    pub fn event_number(&self, name: &[u8]) -> Option<usize> {
        self.events.iter().position(|event| event.as_bytes() == name)
    }

    /// The propositions that hold: a set of bits.
    pub fn letter(&self, program: &Program, work: &Work) -> u64 {
        let state = State { program, work };
        let mut letter = 0;
        for (index, proposition) in self.propositions.iter().enumerate() {
            let holds = match proposition {
                Proposition::Expression(expr) => match state.value(expr) {
                    Ok(value) => value.is_true(),
                    Err(Lack::Meaning) => false,
                    Err(Lack::Knowledge) => {
                        self.at_a_loss.store(true, Relaxed);
                        false
                    }
                },
                Proposition::Event(event) => {
                    work.raised.is_some_and(|raised| raised.events >> event & 1 != 0)
                }
                Proposition::At { who, functions } => work.threads.iter().any(|thread| {
                    who.as_ref().is_none_or(|who| who.is(thread))
                        && thread.frames.iter().any(|frame| functions.contains(&frame.function))
                }),
            };
            letter |= u64::from(holds) << index;
        }
        letter
    }
}

impl Who {
    fn is(&self, thread: &Thread) -> bool {
        self.number.is_none_or(|number| number == thread.id)
            && self.starts.contains(&u32::from(thread.start))
    }
}

fn is_word(token: &Token, word: &str) -> bool {
    matches!(token, Token::Word(it) if it == word)
}

/// A name with `::` in it, and nothing else.
fn qualified(
    tokens: &[(Token, Range<usize>)],
    end: usize,
) -> Result<(String, Range<usize>), Wrong> {
    let node = parse::expression(tokens, end)?;
    match node.kind {
        parse::Kind::Name(name) => Ok((name, node.range)),
        _ => Err(Wrong::new(node.range, "expected the name of a function")),
    }
}

fn no_function(names: &Names<'_>, name: &str, range: Range<usize>, hint: &str) -> Wrong {
    let wrong = Wrong::new(range, format!("the program has no function `{name}`"));
    let known = names.functions.iter().filter_map(|it| it.path.last());
    let similar = Names::similar(name, known.map(String::as_str));
    wrong.hint(similar.unwrap_or_else(|| hint.to_owned()))
}

fn thread(
    names: &Names<'_>,
    tokens: &[(Token, Range<usize>)],
    number: Option<u8>,
) -> Result<Who, Wrong> {
    let end = tokens.last().map_or(0, |(_, range)| range.end);
    let (name, range) = qualified(tokens, end)?;
    let starts: Vec<u32> = names.functions_of(&name).iter().map(|it| it.index).collect();
    if starts.is_empty() {
        let hint = "a thread is called as in traces: the function that it begins with, \
                    and perhaps its number: `main`, `worker[2]`";
        return Err(no_function(names, &name, range, hint));
    }
    Ok(Who { starts, number })
}

fn diagnostic(
    names: &Names<'_>,
    wrong: Wrong,
    file: FileId,
    formula: &str,
    atom: Atom<'_>,
) -> Diagnostic {
    let place = |at: usize| u32::try_from(atom.start + at).unwrap_or(u32::MAX);
    let span = Span { file, start: place(wrong.range.start), end: place(wrong.range.end) };
    let mut error = Diagnostic::error(span, wrong.message);
    // `p->x` reads as an implication.
    let before = formula.get(..atom.start).unwrap_or("").trim_end();
    let is_member = names.program.module.debug.types.iter().any(|ty| match &ty.kind {
        auspex_llvm::debug::TypeKind::Record(record) => record.members.iter().any(|member| {
            let name = atom.text.split(|c: char| !c.is_alphanumeric() && c != '_').next();
            member.name.map(|it| &names.program.module.names[it]) == name
        }),
        _ => false,
    });
    let hint = match before.ends_with("->") && is_member {
        true => Some(format!(
            "`->` is an implication here; put a member of a structure in braces: {{ p->{} }}",
            atom.text
        )),
        false => wrong.hint,
    };
    if let Some(hint) = hint {
        error = error.hint(hint);
    }
    error
}
