//! To be written.

use super::Table;

pub(super) const TABLE: Table = &[];
