//! Uploads, publishes, discards and deletes files.
//!
//! An upload stages content; a publish makes it visible. Both are lists of named steps, and a process may stop between
//! any two of them: bytes are stored before a row refers to them, and everything that follows from a row is written in
//! its transaction.

mod cascade;
mod checksum_file;
mod delete;
mod delete_package;
mod delete_version;
mod deploy;
mod explode;
mod indexes;
mod planned_rows;
mod publish;
mod publish_plan;
mod received_file;
mod record;
mod sign_version;
mod signature_files;
mod signature_place;
mod signed_write;
mod target;
mod upload;
mod upload_plan;
mod version_target;

pub use crate::{
    catalogue::window::follow_setting, content::indexes::rebuild_all, storage::expected_checksums::ExpectedChecksums,
};
pub use delete::delete;
pub use delete_package::delete_package;
pub use delete_version::delete_version;
pub use deploy::deploy;
pub use publish::{discard, publish, publish_indexed};
pub use sign_version::{sign_file, sign_version};
pub use target::{UploadFlags, UploadTarget};
pub use upload::upload;

use delete::check_published;
