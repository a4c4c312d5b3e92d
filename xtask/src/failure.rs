//! The error of a task, as a message for the terminal.

use std::fmt::{self, Display};

/// The result of a step of a task.
pub type Result<T> = std::result::Result<T, Failure>;

/// An error message for the terminal.
#[derive(Debug)]
pub struct Failure(String);

impl Failure {
    /// Creates a failure with this message.
    pub fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}

impl Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// Adds the failed action to an error.
pub trait Attempt<T> {
    /// Turns an error into the message "`what`: cause".
    fn attempt(self, what: impl Display) -> Result<T>;
}

impl<T, E: Display> Attempt<T> for std::result::Result<T, E> {
    fn attempt(self, what: impl Display) -> Result<T> {
        self.map_err(|cause| Failure(format!("{what}: {cause}")))
    }
}
