//! PyPI: project and file names, versions, metadata of wheels and source distributions, pages of the simple API, and
//! the upload form.

pub mod accept;
pub mod file_name;
pub mod inspect;
pub mod layout;
pub mod metadata;
pub mod name;
pub mod simple;
pub mod upload;
pub mod version;

mod html;

#[cfg(test)]
mod oracle;
