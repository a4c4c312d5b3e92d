//! Vagrant: boxes, their paths and the catalogue document of a box.

pub mod document;
pub mod inspect;
pub mod layout;
pub mod name;
pub mod token;
pub mod version;

pub use self::{
    layout::BoxPath,
    name::{BoxArchitecture, BoxName, BoxProvider},
    version::BoxVersion,
};
