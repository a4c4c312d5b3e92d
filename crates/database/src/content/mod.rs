//! Files, blobs and generated indexes.

pub mod blobs;
pub mod content_facts;
pub mod damage;
pub mod deletion_batches;
pub mod derived_files;
pub mod file_list;
pub mod file_names;
pub mod files;
pub mod folders;
pub mod index_sections;
pub mod marks;
pub mod package_files;
pub mod package_identities;
pub mod published_files;
pub mod published_packages;
pub mod spent_names;
pub mod stored_bytes;
pub mod tags;
pub mod tombstones;

#[cfg(test)]
mod package_index_tests;
