//! Sizes, alignments and offsets, as the target lays types out.

#[derive(Clone, Debug, Default)]
pub struct DataLayout {}
