//! One call that changes something.

use reqwest::Method;
use serde_json::Value;
use suite::{Call, Person};

/// A call that changes something.
pub(super) struct Step {
    pub(super) method: Method,
    /// The endpoint's path in the server's table.
    pub(super) endpoint: &'static str,
    pub(super) path: &'static str,
    body: String,
}

pub(super) fn step(method: Method, endpoint: &'static str, path: &'static str, body: Value) -> Step {
    let body = if body.is_null() { String::new() } else { body.to_string() };
    Step { method, endpoint, path, body }
}

/// Creates a step whose body is the content of a file.
pub(super) fn upload(endpoint: &'static str, path: &'static str) -> Step {
    Step { method: Method::PUT, endpoint, path, body: "meow".to_owned() }
}

impl Step {
    pub(super) fn by(&self, person: &Person, last: &str) -> Call {
        person.call(self.method.clone(), &self.path.replace("{last}", last)).body(self.body.clone())
    }

    /// Returns whether every user who can read something may do this: follow and rate.
    pub(super) fn is_open_to_users(&self) -> bool {
        self.endpoint.ends_with("/follow") || self.endpoint.ends_with("/rating")
    }
}
