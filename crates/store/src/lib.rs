//! Remembers states: coded or tree-compressed and exact, or lossy as fingerprints or bits.

mod bitstate;
mod bucket;
mod budget;
mod coded;
mod compact;
mod exact;
mod fold;
mod forest;
mod hash;
mod known;
mod layout;
mod lean;
mod loose;
mod misfits;
mod moves;
mod nodes;
mod plan;
mod recent;
mod region;
mod rows;
mod set;
mod shapes;
mod side;
mod table;
mod tree;
mod unpacked;

pub use bitstate::Bitstate;
pub use budget::{Bounds, Full};
pub use compact::Compact;
pub use exact::{Exact, Inserted, StateId};
pub use forest::{Candidate, Packed, Scratch};
pub use lean::{Lean, LeanOptions, Root};
pub use misfits::Misfit;
pub use moves::{Making, Moves};
pub use plan::Plan;
pub use unpacked::Unpacked;

/// Of one shard, held for as long as an insertion takes.
type Lock = spin::mutex::SpinMutex<(), spin::Yield>;
