//! Container images: uploads in pieces, held content, and what versions of images use.

pub mod image_files;
pub mod images;
pub mod pending_blobs;
pub mod staged_manifests;
pub mod subjects;
pub mod untagged;
pub mod uploads;
pub mod uses;
