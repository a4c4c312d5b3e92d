//! What comes in and is shown: uploads, publishing, discarding, deleting.
//!
//! An upload stages; a publish shows. Both are lists of named steps, and a process may stop between any two of them:
//! bytes are stored before a row says so, and everything that follows from a row is in its transaction.

mod arrival;
mod delete;
mod deploy;
mod derive;
mod expected;
mod explode;
mod publish;
mod side_file;
mod spool;
mod store;
mod target;
mod upload;
mod whole;

pub(crate) mod holding;
pub(crate) mod tombstones;
pub(crate) mod window;

pub use delete::delete;
pub use deploy::deploy;
pub use derive::recalculate;
pub use expected::Expected;
pub use publish::{discard, publish};
pub use target::{Flags, Target};
pub use upload::upload;
pub use window::follow_setting;

pub(crate) use delete::check_published;
pub(crate) use publish::{free_published, free_staged, hold_version, show_files};
pub(crate) use store::keep;
pub(crate) use whole::{delete_package, delete_version};
