//! Tables: their properties, their keys as resources, and their contents.

pub(crate) mod contents;
pub(crate) mod objects;
pub(crate) mod table;
