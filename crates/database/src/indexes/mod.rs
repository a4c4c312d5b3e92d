//! Indexes of whole repositories, as generations of blocks.

pub mod blocks;
pub mod changes;
pub mod entries;
pub mod heads;
pub mod index_files;
pub mod sources;
pub mod streams;
pub mod view_files;
