//! Uploads, publishing and what belongs to files.

mod checksums;
mod forms;
mod latest;
mod publish;
mod upload;

pub(crate) use latest::redirect_to_file;
pub(crate) use publish::{calc_metadata, calc_metadata_below, publish_version};
pub(crate) use upload::{delete_content, upload_content, upload_maven};
