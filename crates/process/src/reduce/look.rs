//! What one process can do in a state, and what others must not do meanwhile.

use super::access::Access;
use super::analysis::{Analysis, Inner, Scope};
use super::footprint::{Footprint, Set, threatening};
use super::proctype::{Cause, LocationInfo, TransitionInfo};
use crate::eval::Env;
use crate::exec::Mode;
use crate::ir::*;

/// What was found.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Found {
    /// How many transitions it can take, as far as that is easy to say.
    pub enabled: usize,
    /// What others must not do.
    pub threats: Footprint,
    /// It waits for its end, and so for that of all that are younger.
    pub waits_to_end: bool,
}

/// Looks at a process; `inner` has for each transition of its location what may follow in the same step.
pub fn look(
    analysis: &Analysis<'_>,
    env: Env<'_>,
    location: &LocationInfo<'_>,
    inner: &[Option<Footprint>],
) -> Found {
    let proctype = env.model.proctype(env.work.proctype(env.pid));
    let transitions = proctype.transitions_of(env.work.location(env.model, env.pid));
    let mut look = Look { analysis, env, found: Found::default() };
    let mut has_else = false;
    for (index, transition) in transitions.iter().enumerate() {
        has_else |= matches!(transition.action, Action::Else);
        let inner = inner.get(index).and_then(Option::as_ref);
        let info = &location.transitions[index];
        look.transition(&transition.action, info, location.is_private, inner);
    }
    let mut found = look.found;
    if has_else && found.enabled == 0 {
        found.enabled = 1;
    }
    found
}

struct Look<'a, 'm> {
    analysis: &'a Analysis<'m>,
    env: Env<'a>,
    found: Found,
}

impl Look<'_, '_> {
    fn transition(
        &mut self,
        action: &Action,
        info: &TransitionInfo<'_>,
        is_private: bool,
        inner: Option<&Footprint>,
    ) {
        if !self.is_ready(action, info) || is_private {
            return;
        }
        if !matches!(action, Action::DStep(_)) {
            let is_assignment = matches!(action, Action::Assign(..));
            info.first.iter().for_each(|access| self.threaten(access, is_assignment));
        }
        if let (Some(operations), Some(inner)) = (inner, &info.inner) {
            let threats = self.inner_threats(operations, inner);
            self.found.threats.add(&threats);
        }
    }

    /// Can the statement run, or could it with a partner? Counts it if it can run alone; notes what
    /// it waits for if it cannot run at all.
    fn is_ready(&mut self, action: &Action, info: &TransitionInfo<'_>) -> bool {
        let env = self.env;
        match action {
            Action::Guard(_) => match &info.guard {
                Some(cause) if env.test(cause.expr) == Ok(false) => {
                    self.why_false(cause);
                    return false;
                }
                _ => {}
            },
            // Counted when it is known that nothing else can run.
            Action::Else => return true,
            Action::Send(send) => match env.queue(&send.channel) {
                Ok(queue) if queue.is_full() => {
                    self.reads(info);
                    self.found.threats.takes.insert(queue.id as usize);
                    return false;
                }
                _ => {}
            },
            Action::Receive(receive) => match env.queue(&receive.channel) {
                // It is for the sender to move.
                Ok(queue) if queue.ty.is_rendezvous() => return true,
                Ok(queue) => {
                    if let Ok(None) = env.find(receive, &queue) {
                        self.reads(info);
                        let threats = &mut self.found.threats;
                        let by_sending = receive.anywhere || queue.len() == 0;
                        let set = if by_sending { &mut threats.sends } else { &mut threats.takes };
                        set.insert(queue.id as usize);
                        return false;
                    }
                }
                Err(_) => {}
            },
            Action::End if env.pid + 1 < env.work.process_count() => {
                self.found.waits_to_end = true;
                return false;
            }
            // One that cannot run alone may be the other end of a rendezvous.
            Action::DStep(_) if env.executable(action, Mode::Alone) == Ok(false) => {
                return true;
            }
            _ => {}
        }
        self.found.enabled += 1;
        true
    }

    /// Notes everything that could make a guard true that is false now.
    fn why_false(&mut self, cause: &Cause<'_>) {
        let Some(parts) = &cause.parts else {
            return cause.accesses.iter().for_each(|access| self.threaten(access, false));
        };
        if !parts.both {
            self.why_false(&parts.left);
            self.why_false(&parts.right);
        } else if self.env.test(parts.left.expr) == Ok(false) {
            self.why_false(&parts.left);
        } else if parts.left_is_sound {
            self.why_false(&parts.right);
        } else {
            cause.accesses.iter().for_each(|access| self.threaten(access, false));
        }
    }

    /// Whether a channel operation waits can also change with what names the channel and with what
    /// the message is compared to.
    fn reads(&mut self, info: &TransitionInfo<'_>) {
        for access in &info.first {
            let is_own = matches!(access, Access::Send { .. } | Access::Take { .. });
            match access {
                Access::Write(_) => {}
                _ if is_own => {
                    self.found.threats.marks |= threatening(self.analysis.marks(access, None));
                }
                _ => self.threaten(access, false),
            }
        }
    }

    /// Notes what others must not do if an operation that can be done now is to stay the same.
    fn threaten(&mut self, access: &Access, is_assignment: bool) {
        let scope = Scope::Now(self.env);
        let own_type = self.env.work.proctype(self.env.pid);
        let threats = &mut self.found.threats;
        threats.marks |= threatening(self.analysis.marks(access, Some(own_type)));
        match access {
            Access::Read(place) => self.analysis.cells(place, scope, &mut threats.writes),
            Access::Write(place) => {
                // Fields are received one after another, and may be indices of the next; a new
                // process is counted before its id is stored.
                let scope = if is_assignment { scope } else { Scope::Process(self.env, own_type) };
                self.analysis.cells(place, scope, &mut threats.writes);
                self.analysis.cells(place, scope, &mut threats.reads);
            }
            Access::Send { channel, sorted } => {
                let mut own = Set::default();
                self.analysis.channels(channel, scope, &mut own);
                let is_rendezvous = is_rendezvous(self.env, channel);
                if is_rendezvous || *sorted {
                    threats.takes.add(&own);
                }
                if !is_rendezvous {
                    threats.sends.add(&own);
                    threats.looks.add(&own);
                }
            }
            Access::Take { channel, .. } => {
                let mut own = Set::default();
                self.analysis.channels(channel, scope, &mut own);
                let is_rendezvous = is_rendezvous(self.env, channel);
                let set = if is_rendezvous { &mut threats.sends } else { &mut threats.takes };
                set.add(&own);
                threats.looks.add(&own);
            }
            Access::Offer(channel) => {
                // It is made behind the step, which may change what names the channel.
                let scope = Scope::Process(self.env, own_type);
                self.analysis.channels(channel, scope, &mut threats.looks);
            }
            Access::Look(channel) => {
                self.analysis.channels(channel, scope, &mut threats.sends);
                self.analysis.channels(channel, scope, &mut threats.takes);
            }
            Access::Test(test, channel) => {
                let fills = matches!(test, ChannelTest::Empty | ChannelTest::NotFull);
                let holds = self.env.eval(&Expr::Test(*test, Box::new(channel.clone())));
                // What is empty stays so until something is sent, and so on.
                let (sends, takes) = match holds {
                    Ok(holds) => ((holds != 0) == fills, (holds != 0) != fills),
                    Err(_) => (true, true),
                };
                if sends {
                    self.analysis.channels(channel, scope, &mut threats.sends);
                }
                if takes {
                    self.analysis.channels(channel, scope, &mut threats.takes);
                }
            }
            Access::Run(new) => {
                let (room, enough) = (Set::default(), Set::default());
                threats.add(&self.analysis.beginning(*new, self.env).threats(&room, &enough));
            }
            Access::Count | Access::End => {}
        }
    }

    fn inner_threats(&self, operations: &Footprint, inner: &Inner) -> Footprint {
        let (mut room, mut enough) = (Set::default(), Set::default());
        let touched = operations.sends.iter().chain(operations.takes.iter());
        for id in touched {
            let Ok(queue) = self.env.queue(&Expr::Const(id as i32)) else { continue };
            if queue.ty.is_rendezvous() {
                // Others may go on in the same step, and send and take as well.
                return operations.threats(&Set::default(), &Set::default());
            }
            if queue.len().saturating_add(inner.sends) <= queue.ty.capacity as usize {
                room.insert(id);
            }
            if inner.takes <= queue.len() {
                enough.insert(id);
            }
        }
        operations.threats(&room, &enough)
    }
}

/// Is there a channel, and does it hold no messages?
fn is_rendezvous(env: Env<'_>, channel: &Expr) -> bool {
    env.queue(channel).is_ok_and(|queue| queue.ty.is_rendezvous())
}
