//! Pictures as self-contained SVG.
