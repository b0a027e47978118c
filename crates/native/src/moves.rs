//! What atomic runs ask over and over of a proctype, close together.

use crate::expand::Expand;
use crate::program::{Effect, Guards};
use auspex_process::ir::*;

/// A location.
#[derive(Clone, Copy)]
pub struct Stop {
    pub guards: Option<Guards>,
    /// Its first transition.
    pub first: u32,
    /// Which of its transitions are an `else`, one bit each.
    pub elses: u64,
    pub has_escapes: bool,
}

/// A transition.
#[derive(Clone, Copy)]
pub struct Move {
    pub effect: Effect,
    /// What it does if it is a send on a rendezvous channel.
    pub offer: Option<Expand>,
    pub statement: u32,
    pub target: u16,
    pub atomic: bool,
}

pub struct Moves {
    pub stops: Vec<Stop>,
    pub moves: Vec<Move>,
}

impl Moves {
    pub fn new(
        proctype: &Proctype,
        guards: &[Option<Guards>],
        effects: &[Effect],
        offers: &[Option<Expand>],
    ) -> Self {
        let stop = |(location, guards): (&ControlLocation, &Option<Guards>)| {
            let transitions = proctype.transitions_at(location);
            let is_else = |transition: &Transition| matches!(transition.action, Action::Else);
            // Code gives one bit for each transition: where there are more there is none.
            let bits = transitions.iter().take(64).enumerate();
            Stop {
                guards: *guards,
                first: location.first,
                elses: bits.fold(0, |set, (bit, t)| set | u64::from(is_else(t)) << bit),
                has_escapes: transitions.iter().any(|transition| transition.escape != 0),
            }
        };
        let one = |((transition, effect), offer): ((&Transition, &Effect), &Option<Expand>)| Move {
            effect: *effect,
            offer: *offer,
            statement: transition.statement.0,
            target: transition.target.0,
            atomic: transition.atomic,
        };
        Moves {
            stops: proctype.locations.iter().zip(guards).map(stop).collect(),
            moves: proctype.transitions.iter().zip(effects).zip(offers).map(one).collect(),
        }
    }
}

impl Stop {
    /// Those of the transitions that can run which are taken: an `else` is one only if nothing before it is.
    #[inline]
    pub fn without_elses(&self, can_run: u64) -> u64 {
        let (mut taken, mut elses) = (can_run, can_run & self.elses);
        while elses != 0 {
            let bit = elses & elses.wrapping_neg();
            elses ^= bit;
            if taken & (bit - 1) != 0 {
                taken ^= bit;
            }
        }
        taken
    }
}
