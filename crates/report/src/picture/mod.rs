//! Pictures as self-contained SVG.

mod graph;
mod layout;
mod order;
mod sequence;
mod svg;

pub use graph::write as graphs_svg;
pub use sequence::write as sequence_svg;
