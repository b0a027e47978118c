//! Looks for faults. Only the states on the stack must stay: without them the walk could go round in circles.

use super::walk::{Event, Walk};
use crate::cycles::Halted;
use crate::{Found, Trace};
use auspex_system::{Explorer, Fault, Step, Successor, Successors};

pub(super) struct Faults {
    /// Every distinct one?
    pub all: bool,
    pub found: Vec<Found>,
}

impl Faults {
    pub fn search<E: Explorer>(&mut self, walk: &mut Walk<'_, E>) -> Result<(), Halted> {
        let initial = walk.begin()?;
        self.note(initial, |initial| Trace { initial, steps: Vec::new() });
        while !self.is_enough()
            && let Some(event) = walk.step()?
        {
            match event {
                Event::New(_) => self.note(walk.successors(), |step| to(walk, step)),
                Event::Known(_) => {}
                Event::Back(slot) => walk.table.release(slot),
            }
        }
        Ok(())
    }

    /// A fault was found, and no other one was asked for. What cannot be checked is no fault yet.
    pub fn is_enough(&self) -> bool {
        !self.all && self.found.iter().any(|found| !found.fault.is_unsupported())
    }

    /// Keeps the faults that are not known already.
    fn note(&mut self, out: &Successors, trace: impl Fn(Step) -> Trace) {
        if !out.has_faults() {
            return;
        }
        for (step, successor) in out.iter() {
            let Successor::Fault(fault) = successor else { continue };
            if !self.is_enough() && !self.knows(fault) {
                self.found.push(Found { fault: fault.clone(), trace: trace(step) });
            }
        }
    }

    fn knows(&self, fault: &Fault) -> bool {
        let same = |found: &Found| {
            found.fault.kind == fault.kind && found.fault.location == fault.location
        };
        self.found.iter().any(same)
    }
}

/// The stack, and a step out of the state at its top.
fn to<E: Explorer>(walk: &Walk<'_, E>, step: Step) -> Trace {
    let mut trace = walk.trace();
    trace.steps.pop();
    trace.steps.push(step);
    trace
}
