//! Vagrant: boxes, their paths and the catalogue document of a box.

mod cloud;
mod cloud_answers;
mod cloud_body;
mod commands;
pub mod document;
mod format;
mod indexes;
pub mod inspect;
pub mod layout;
pub mod name;
mod native;
mod routes;
pub mod version;

pub use self::{
    format::Vagrant,
    layout::BoxPath,
    name::{BoxArchitecture, BoxName, BoxProvider},
    version::BoxVersion,
};
