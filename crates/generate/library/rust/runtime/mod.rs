//! Processes and channels of a model, as threads.
//!
//! One lock, the baton, protects the whole model. Exactly one process has it at any time and gives it away only
//! between two statements, so that each run is one of those that the model has. Who gets it next is chosen at
//! random: the environment variable `AUSPEX_SEED` makes a run repeatable.
//!
//! A process that cannot go on says what it waits for and sleeps. The *version* counts changes of what others can
//! see: whoever has looked at the current version and found nothing to do need not look again. When that is true
//! for all, `timeout` becomes true, or the program is over.
#![allow(dead_code, unused_imports)] // no program needs all of it

mod channel;
mod look;
mod process;
mod values;
mod world;

pub use channel::{Field, Field::*, Pattern, Pattern::*};
pub use look::Look;
pub use process::{Process, start};
pub use values::*;
