//! One run of a command: the server, the output, and how careful to be.

use std::io::{self, BufRead, IsTerminal, Write};

use reqwest::Method;
use serde::Serialize;
use serde_json::{Value, json};

use crate::{
    client::Client,
    error::{Error, Result},
    output::Output,
};

/// What a command works with.
pub(crate) struct Session {
    pub(crate) client: Client,
    pub(crate) output: Output,
    pub(crate) is_dry_run: bool,
    pub(crate) is_sure: bool,
}

/// A call that changes something, in words for before and after it.
pub(crate) struct Change {
    pub(crate) method: Method,
    pub(crate) path: String,
    pub(crate) body: Option<Value>,
    /// `delete`, `create`: before it.
    pub(crate) verb: &'static str,
    /// `deleted`, `created`: after it.
    pub(crate) done: &'static str,
    /// What it is about.
    pub(crate) what: String,
}

impl Session {
    /// Makes a change and says so. A dry run says what it would do.
    pub(crate) async fn apply(&self, change: Change) -> Result<()> {
        if self.is_dry_run {
            self.would(&format!("{} {}", change.verb, change.what));
            return Ok(());
        }
        let answer: Value = self.client.send(change.method, &change.path, change.body.as_ref()).await?;
        self.output.show(&answer, |_| format!("{} {}", change.done, change.what));
        Ok(())
    }

    /// What a dry run says.
    pub(crate) fn would(&self, what: &str) {
        self.output.show(&json!({"dry_run": true, "would": what}), |_| format!("would {what}"));
    }

    /// Asks a person on a terminal. Anyone else has to say it beforehand.
    pub(crate) fn confirm(&self, what: &str) -> Result<()> {
        if self.is_sure || self.is_dry_run {
            return Ok(());
        }
        if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
            return Err(Error::usage(format!("this would {what}")).hint("add --yes to do it without being asked"));
        }
        eprint!("Really {what}? [y/N] ");
        let _ = io::stderr().flush();
        let mut answer = String::new();
        io::stdin().lock().read_line(&mut answer).map_err(|error| Error::local("standard input", error))?;
        match answer.trim() {
            "y" | "Y" | "yes" => Ok(()),
            _ => Err(Error::usage("nothing was done")),
        }
    }
}

/// A body without its empty fields: to the server, absent means "as it is" and null means "remove it".
pub(crate) fn body(fields: &impl Serialize) -> Value {
    let mut value = serde_json::to_value(fields).expect("bodies are plain data");
    if let Value::Object(fields) = &mut value {
        fields.retain(|_, value| !value.is_null());
    }
    value
}
