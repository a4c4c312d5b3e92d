//! Go modules: paths, versions, the rules of module zips, and the documents of a module proxy.

mod commands;
pub mod elements;
pub mod escape;
mod format;
pub mod go_mod;
pub mod index;
mod indexes;
pub mod inspect;
pub mod layout;
pub mod module_path;
mod native;
pub mod sum;
pub mod version;

pub use self::{format::Go, layout::GoPath, module_path::ModulePath, version::GoVersion};
