//! What depth- and breadth-first search have in common.

use crate::visited::Visited;
use crate::worker::Worker;
use auspex_system::Explorer;

/// How waiting states are kept, and divided among the workers.
pub(crate) trait Order<V: Visited>: Sync {
    fn new(workers: usize) -> Self;

    /// Puts the initial states in; before any `work`.
    fn begin<E: Explorer>(&self, worker: &mut Worker<'_, V, E>);

    /// Expands states until none is left anywhere, or the search is stopped: then the worker
    /// abandons what it has, and the caller closes.
    fn work<E: Explorer>(&self, worker: &mut Worker<'_, V, E>);

    /// One worker less: it could not be started.
    fn retire(&self);

    /// Sends all workers home.
    fn close(&self);
}
