//! The vocabulary of the tests: a house on the stack under test, callers over HTTP, and the real program.
//!
//! ```text
//! let house = TestHouse::start().await;
//! let ada = house.user("ada").await;
//! ada.get("/users/ada").await.expect(200);
//! house.anyone().get("/users/ada").await.expect(401);
//! ```

mod answer;
mod balancer;
mod browser;
mod countries;
mod gpg;
mod grants;
mod house;
mod lines;
mod local_client;
mod log;
mod matrix;
mod node;
mod person;
mod process;
mod process_nodes;
mod proxy;
mod raw;
mod receiver;
mod soak;
mod stack;

pub mod archives;
pub mod chromium;
pub mod documents;
pub mod identity;
pub mod public_sync;

pub use answer::Answer;
pub use browser::Browser;
pub use countries::country_file;
pub use gpg::{Gpg, NewKey};
pub use house::TestHouse;
pub use lines::Lines;
pub use log::Log;
pub use matrix::{Shown, shows};
pub use person::{Call, Person};
pub use process::{ADMIN_KEY, Ended, Process};
pub use process_nodes::ProcessNodes;
pub use proxy::Relay;
pub use raw::{RawAnswer, exchange};
pub use receiver::{ReceivedCallback, Receiver, ReceiverBehaviour};
pub use soak::rounds;
pub use stack::Stack;
