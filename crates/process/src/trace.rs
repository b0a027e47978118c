//! Trace assertions (`trace` and `notrace`): an automaton that watches what is sent and received.
//!
//! Where it stands is a variable of the model like any other, so that it is a part of the state. A step
//! that sends or receives moves it on, or goes wrong. A model without one pays a test of an `Option`.

use crate::eval::{Env, Trap};
use crate::exec::Executor;
use crate::ir::{Expr, Model, Place};
use crate::view::{channel_name, format_message};
use crate::work::Work;
use auspex_system::{Fault, Location};

#[derive(Clone, Debug)]
pub struct TraceAssertion {
    /// `notrace`: the events must not all happen. `trace`: no others may.
    pub is_negated: bool,
    pub location: Location,
    /// The variable that holds the number of its state.
    pub at: Place,
    /// It begins in state 0.
    pub states: Vec<TraceState>,
    /// What it watches: sends on these channels. They are variables: whatever channel they hold when
    /// something is sent. All steps that can send or receive there depend on each other.
    pub sends: Vec<Expr>,
    pub receives: Vec<Expr>,
}

#[derive(Clone, Debug, Default)]
pub struct TraceState {
    pub events: Vec<Event>,
    /// The system may stop while the assertion is here.
    pub is_end: bool,
    /// Nothing follows: the closing brace.
    pub is_last: bool,
}

#[derive(Clone, Debug)]
pub struct Event {
    pub way: Way,
    pub channel: Expr,
    /// What the fields must be; `None`, or one that is missing: anything.
    pub fields: Vec<Option<Expr>>,
    pub target: u16,
    pub text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    Send,
    Receive,
}

impl TraceAssertion {
    fn state(&self, env: &Env<'_>) -> Result<&TraceState, Trap> {
        let at = env.eval(&Expr::Global(self.at.ty, self.at.offset))?;
        self.states
            .get(at as usize)
            .ok_or_else(|| Trap::new("internal", "a trace assertion that is nowhere"))
    }

    fn watches(&self, env: &Env<'_>, way: Way, channel: i32) -> Result<bool, Trap> {
        let watched = match way {
            Way::Send => &self.sends,
            Way::Receive => &self.receives,
        };
        for expr in watched {
            if env.eval(expr)? == channel {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn last(&self) -> usize {
        self.states.iter().position(|state| state.is_last).unwrap_or(self.states.len())
    }

    fn word(&self) -> &'static str {
        if self.is_negated { "notrace" } else { "trace" }
    }
}

impl Event {
    fn fits(&self, env: &Env<'_>, way: Way, channel: i32, message: &[i32]) -> Result<bool, Trap> {
        if self.way != way || env.eval(&self.channel)? != channel {
            return Ok(false);
        }
        for (index, field) in self.fields.iter().enumerate() {
            if let Some(expr) = field
                && message.get(index) != Some(&env.eval(expr)?)
            {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl Executor<'_> {
    /// Something is sent or received: moves the trace assertion of the model on.
    pub fn observe(
        &self,
        work: &mut Work,
        pid: usize,
        (way, channel): (Way, i32),
        message: &[i32],
    ) -> Result<(), Trap> {
        let Some(assertion) = &self.model.trace else { return Ok(()) };
        let env = self.env(work, pid);
        if !assertion.watches(&env, way, channel)? {
            return Ok(());
        }
        let state = assertion.state(&env)?;
        let mut taken: Option<&Event> = None;
        for event in &state.events {
            if !event.fits(&env, way, channel, message)? {
                continue;
            }
            if let Some(first) = taken {
                let message = format!(
                    "two events of the {} assertion fit: {} and {}",
                    assertion.word(),
                    first.text,
                    event.text
                );
                return Err(Trap::new("trace", message));
            }
            taken = Some(event);
            if assertion.is_negated && assertion.states[usize::from(event.target)].is_last {
                let message = "all events of the notrace assertion have happened";
                return Err(Trap::new("trace", message));
            }
        }
        let target = match taken {
            Some(event) => usize::from(event.target),
            // What begins otherwise is no match, and there is no second try.
            None if assertion.is_negated => assertion.last(),
            None => {
                let happened = describe(self.model, work, way, channel, message);
                return Err(Trap::new("trace", mismatch(state, &happened)));
            }
        };
        self.store(work, pid, &assertion.at, target as i32)
    }
}

fn describe(model: &Model, work: &Work, way: Way, channel: i32, message: &[i32]) -> String {
    let index = (channel - 1) as usize;
    let ty = model.channel_type(work.layout.channels[index].ty);
    let values = format_message(model, ty, message.iter().copied());
    let (sign, done) = match way {
        Way::Send => ("!", "was sent"),
        Way::Receive => ("?", "was received"),
    };
    format!("{}{sign}{values} {done}", channel_name(model, work, index))
}

fn mismatch(state: &TraceState, happened: &str) -> String {
    let allowed: Vec<&str> = state.events.iter().map(|event| event.text.as_str()).collect();
    let allowed = if allowed.is_empty() { "nothing more".into() } else { allowed.join(" or ") };
    format!("the trace assertion allows {allowed} here, but {happened}")
}

/// The system has stopped where it may: is the trace assertion at a place where it may stop, too?
/// As in Spin, a system without processes is not asked. (Spin asks the same of a `notrace`, which
/// is wrong: such an assertion is about what must not happen.)
pub fn incomplete(model: &Model, env: &Env<'_>) -> Option<Fault> {
    let assertion = model.trace.as_ref().filter(|assertion| !assertion.is_negated)?;
    let state = assertion.state(env).ok()?;
    if state.is_end || state.is_last || env.work.process_count() == 0 {
        return None;
    }
    let waited: Vec<&str> = state.events.iter().map(|event| event.text.as_str()).collect();
    let message = format!(
        "nothing can move any more, but the trace assertion waits for {}",
        waited.join(" or ")
    );
    Some(Fault::new("trace", message, assertion.location.clone()))
}
