//! Uploads, publishing, and other calls about files.

mod files;
mod forms;
mod latest;
mod publish;
mod upload;
mod whole_list;

pub(crate) use files::{
    edit_file_metadata, list_package_files, list_version_files, show_file_package, show_file_version, view as file_view,
};
pub(crate) use latest::redirect_to_file;
pub(crate) use publish::{calc_metadata, calc_metadata_below, publish_version};
pub(crate) use upload::{delete_content, upload_content, upload_maven};
