//! What happens to a subject, as it happens, for those who manage it.
//!
//! Events are rows, and whoever follows asks for new ones: so it does not matter which server something happens on.
//! Uploads, publishes and deletions are always written down; downloads and logins only while somebody follows.

mod connections;
mod downloads;
mod followed;
mod following;
mod logins;
mod position;
mod told;
mod window;

pub use connections::close;
pub use following::{Following, open};
pub use position::{InvalidPosition, Position};
pub use told::Told;

pub(crate) use connections::forget;
pub(crate) use downloads::{Download, rows as download_rows};
pub(crate) use followed::Followed;
pub(crate) use logins::{Logins, write as write_login};
