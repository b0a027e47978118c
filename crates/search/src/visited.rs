//! What a search needs of a store.

use crate::edge::{Edge, Way};
use auspex_store::Full;
use auspex_system::{Explorer, StateRef, Successors, System};

/// A store together with the form in which states wait to be expanded.
pub(crate) trait Visited: Sync {
    /// A visited state that waits.
    type Waiting: Send;
    /// How a state was reached: enough to rebuild a trace to it.
    type Origin: Send;
    /// One worker's working memory.
    type Local: Default;

    fn depth(waiting: &Self::Waiting) -> u64;

    /// Makes `waiting` the current state of `local`.
    fn open<'a>(&self, waiting: &'a Self::Waiting, local: &'a mut Self::Local) -> StateRef<'a>;

    /// The successors of a state, which becomes the current one.
    fn expand<E: Explorer>(
        &self,
        waiting: &Self::Waiting,
        local: &mut Self::Local,
        explorer: &mut E,
        out: &mut Successors,
    ) {
        explorer.successors(self.open(waiting, local), out);
    }

    /// Makes and enters all successors of a state at once, like `expand` and `enter_soon`, but with less work: how many there are.
    /// `None` where this is not possible; then nothing was done. There are no faults among them. `found`: states that this worker found.
    fn expand_known<E: Explorer>(
        &self,
        _: &Self::Waiting,
        _: &mut Self::Local,
        _: &mut E,
        _: &mut Successors,
        _found: u64,
        _: impl FnMut(Self::Waiting),
    ) -> Result<Option<usize>, Full> {
        Ok(None)
    }

    /// Enters all successors of the current state, or the initial states where `from` is `None`,
    /// and calls `new` for each that was not known, with its number among the states of
    /// `successors`. `choice`: see [`Edge`].
    fn enter(
        &self,
        from: Option<&Self::Waiting>,
        choice: Option<u8>,
        local: &mut Self::Local,
        successors: &Successors,
        new: impl FnMut(usize, Self::Waiting),
    ) -> Result<(), Full>;

    /// The same for all successors of a state, which may be entered later: with those of other states, or by
    /// `settle`. Meanwhile the memory that this takes is on its way.
    fn enter_soon(
        &self,
        from: &Self::Waiting,
        local: &mut Self::Local,
        successors: &Successors,
        mut new: impl FnMut(Self::Waiting),
    ) -> Result<(), Full> {
        self.enter(Some(from), None, local, successors, |_, waiting| new(waiting))
    }

    /// Enters what is left over from `enter_soon`.
    fn settle(&self, _: &mut Self::Local, _: impl FnMut(Self::Waiting)) -> Result<(), Full> {
        Ok(())
    }

    /// Can it keep waiting states in mind, so that they need not be held?
    const CAN_PUT_OFF: bool = false;

    fn put_off(&self, _: &[Self::Waiting]) {}

    /// Takes some of the states that were put off. If there is none, then none is left of those that
    /// this thread has put off.
    fn recall(&self, _: impl FnMut(Self::Waiting)) {}

    fn origin(&self, waiting: &Self::Waiting) -> Self::Origin;

    /// The way to a state, and one more edge. `reduced`: states may have been entered by reduced
    /// expansions.
    fn way<S: System>(&self, system: &S, origin: &Self::Origin, last: Edge, reduced: bool) -> Way;

    /// How many states there are.
    fn len(&self) -> u64;

    /// See [`crate::Outcome::loss`]; `None` for a store that loses nothing.
    fn loss(&self) -> Option<f64>;
}
