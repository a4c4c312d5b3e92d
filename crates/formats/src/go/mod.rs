//! Go modules: paths, versions, the rules of module zips, and the documents of a module proxy.

pub mod elements;
pub mod escape;
pub mod go_mod;
pub mod index;
pub mod inspect;
pub mod layout;
pub mod module_path;
pub mod sum;
pub mod version;

pub use self::{layout::GoPath, module_path::ModulePath, version::GoVersion};
