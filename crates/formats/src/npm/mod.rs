//! npm: names, versions and tags, package documents, the publish document and a look into tarballs.

pub mod answers;
pub mod document;
pub mod format;
pub mod inspect;
pub mod layout;
pub mod manifest;
pub mod name;
pub mod packument;
pub mod rendered;
pub mod tag;
pub mod update;
pub mod version;

mod agree;
mod commands;
mod indexes;
mod native;
mod publish;
mod routes;

#[cfg(test)]
mod oracle;
