//! What went wrong in a chore, as the sentence its reader sees.

use std::fmt::{self, Display};

/// The outcome of a step of a chore.
pub type Result<T> = std::result::Result<T, Failure>;

/// A sentence for the person at the terminal.
#[derive(Debug)]
pub struct Failure(String);

impl Failure {
    /// A failure that is told in `message`.
    pub fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}

impl Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// Puts what was tried in front of the cause.
pub trait Attempt<T> {
    /// Turns an error into "`what`: cause".
    fn attempt(self, what: impl Display) -> Result<T>;
}

impl<T, E: Display> Attempt<T> for std::result::Result<T, E> {
    fn attempt(self, what: impl Display) -> Result<T> {
        self.map_err(|cause| Failure(format!("{what}: {cause}")))
    }
}
