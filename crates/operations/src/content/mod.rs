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
mod deletion_step;
mod deploy;
mod empty_fields;
mod explode;
mod indexes;
mod native_files;
mod native_publish;
mod new_files;
mod planned_rows;
mod publish;
mod publish_plan;
mod received_file;
mod record;
mod reindex;
mod same_package;
mod sign_version;
mod signature_files;
mod signature_place;
mod signed_write;
mod taken_names;
mod target;
mod upload;
mod upload_plan;
mod version_target;

pub(crate) use crate::catalogue::package_indexes;
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

pub(crate) use deletion_step::LARGE_AT_ONCE;
pub(crate) use native_files::{NativeArrival, NativeContent, as_refusal, record_native};
pub(crate) use native_publish::{NativeTerms, PACKAGE_TAGS, too_many_tags};
pub(crate) use publish::{discard_in, publish_in};

use delete::check_published;
