//! Looks for accepting cycles: Tarjan's algorithm, in the manner of Geldenhuys and Valmari, which ends with the last edge of the
//! first cycle.
//!
//! The *component stack* has the states whose component is not complete, in the order in which they were entered. All on the
//! depth-first stack are among them. They must stay in the table: an edge to one that was replaced would pass for one to a new
//! state, and the component that both belong to would never be known as one. States of complete components may be replaced.
//! Nothing that they lead to lies on an accepting cycle, and nothing leads from them to the component stack: if they
//! are visited again, the same is found again, which is nothing.

use super::table::Slot;
use super::walk::{Event, Walk};
use crate::Trace;
use crate::cycles::{Halted, Lasso, push};
use auspex_system::{Explorer, Step};

/// A state on the component stack. A *place* is an index into that.
struct Active {
    slot: Slot,
    /// The lowest place that is known to be reached from here by one edge from a descendant.
    low: u32,
    /// The first step on the way there, and the place to which it leads.
    way: (Step, u32),
}

#[derive(Default)]
pub(super) struct Components {
    active: Vec<Active>,
    /// The places of the accepting states on the depth-first stack.
    accepting: Vec<u32>,
    /// How many are complete; what was replaced and visited again may count again.
    pub complete: u64,
}

impl Components {
    pub fn search<E: Explorer>(&mut self, walk: &mut Walk<'_, E>) -> Result<Option<Lasso>, Halted> {
        walk.begin()?;
        while let Some(event) = walk.step()? {
            match event {
                Event::New(slot) => self.enter(walk, slot)?,
                Event::Known(slot) => {
                    let Some(to) = walk.table.place(slot) else { continue };
                    if self.accepting.last().is_some_and(|accepting| to <= *accepting) {
                        return Ok(Some(self.lasso(walk, to)));
                    }
                    self.lower(walk, to, to);
                }
                Event::Back(slot) => self.leave(walk, slot),
            }
        }
        Ok(None)
    }

    fn enter<E: Explorer>(&mut self, walk: &mut Walk<'_, E>, slot: Slot) -> Result<(), Halted> {
        let place = self.active.len() as u32;
        walk.table.set_place(slot, place);
        if walk.is_accepting() {
            push(&mut self.accepting, place)?;
        }
        push(&mut self.active, Active { slot, low: place, way: (Step(0), place) })
    }

    /// The last step from the top of the depth-first stack, which leads to the place `to`, is the first on a way to `low`.
    fn lower<E: Explorer>(&mut self, walk: &Walk<'_, E>, low: u32, to: u32) {
        let Some((top, step)) = walk.top() else { return };
        let Some(top) = walk.table.place(top) else { return };
        let top = &mut self.active[top as usize];
        if low < top.low {
            (top.low, top.way) = (low, (step, to));
        }
    }

    /// A state has left the depth-first stack. It is the first one of a complete component, or
    /// belongs to that of the state below.
    fn leave<E: Explorer>(&mut self, walk: &mut Walk<'_, E>, slot: Slot) {
        let Some(place) = walk.table.place(slot) else { return };
        self.accepting.pop_if(|last| *last == place);
        let low = self.active[place as usize].low;
        if low < place {
            return self.lower(walk, low, place);
        }
        self.complete += 1;
        let component = self.active.drain(place as usize..);
        component.for_each(|state| walk.table.release(state.slot));
    }

    /// The last step has closed a cycle: it leads to the place `to`, from where a way leads to the depth-first stack, at or below an
    /// accepting state. Each state on the component stack that has left the depth-first stack knows a way to a lower place: one
    /// comes to a state on the depth-first stack in the end.
    fn lasso<E: Explorer>(&self, walk: &Walk<'_, E>, to: u32) -> Lasso {
        let stack: Vec<u32> = walk.stack().filter_map(|slot| walk.table.place(slot)).collect();
        let Trace { initial, steps: mut prefix } = walk.trace();
        let (mut back, mut at) = (Vec::new(), to);
        let first = loop {
            match stack.binary_search(&at) {
                Ok(first) => break first,
                Err(_) => {
                    let (step, next) = self.active[at as usize].way;
                    back.push(step);
                    at = next;
                }
            }
        };
        let mut cycle = prefix.split_off(first);
        cycle.append(&mut back);
        Lasso { prefix: Trace { initial, steps: prefix }, cycle }
    }
}
