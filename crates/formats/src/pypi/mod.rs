//! PyPI: project and file names, versions, metadata of wheels and source distributions, pages of the simple API, and
//! the upload form.

pub mod accept;
pub mod file_name;
pub mod format;
pub mod inspect;
pub mod layout;
pub mod metadata;
pub mod name;
pub mod simple;
pub mod upload;
pub mod version;

mod commands;
mod html;
mod indexes;
mod native;
mod page_facts;
mod routes;

#[cfg(test)]
mod oracle;
