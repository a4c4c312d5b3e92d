//! Files, blobs and generated indexes.

pub mod blobs;
pub mod damage;
pub mod derived_files;
pub mod file_list;
pub mod file_names;
pub mod files;
pub mod folders;
pub mod stored_bytes;
pub mod tombstones;
