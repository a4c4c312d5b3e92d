//! One run of a command: the server, the output, and the confirmation settings.

use std::io::{self, BufRead, IsTerminal, Write};

use reqwest::Method;
use serde::Serialize;
use serde_json::{Value, json};

use crate::{
    client::Client,
    error::{Error, Result},
    output::Output,
};

/// The context of a command.
pub(crate) struct Session {
    pub(crate) client: Client,
    pub(crate) output: Output,
    pub(crate) is_dry_run: bool,
    pub(crate) is_sure: bool,
}

/// A request that changes something, with its wording before and after.
pub(crate) struct Change {
    pub(crate) method: Method,
    pub(crate) path: String,
    pub(crate) body: Option<Value>,
    /// The verb before the change: `delete`, `create`.
    pub(crate) verb: &'static str,
    /// The verb after the change: `deleted`, `created`.
    pub(crate) done: &'static str,
    /// The thing that is changed.
    pub(crate) what: String,
}

impl Session {
    /// Makes a change and reports it. A dry run only says what it would do.
    pub(crate) async fn apply(&self, change: Change) -> Result<()> {
        if self.is_dry_run {
            self.would(&format!("{} {}", change.verb, change.what));
            return Ok(());
        }
        let answer: Value = self.client.send(change.method, &change.path, change.body.as_ref()).await?;
        self.output.print(&answer, |_| format!("{} {}", change.done, change.what));
        Ok(())
    }

    /// Reports a step of a dry run.
    pub(crate) fn would(&self, what: &str) {
        self.output.print(&json!({"dry_run": true, "would": what}), |_| format!("would {what}"));
    }

    /// Asks for confirmation on a terminal. Without a terminal, `--yes` is required.
    pub(crate) fn confirm(&self, what: &str) -> Result<()> {
        if self.is_sure || self.is_dry_run {
            return Ok(());
        }
        if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
            return Err(Error::usage(format!("this would {what}")).hint("add --yes to confirm"));
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

/// Returns a body without its empty fields: to the server, absent means "unchanged" and null means "remove it".
pub(crate) fn body(fields: &impl Serialize) -> Value {
    let mut value = serde_json::to_value(fields).expect("bodies are plain data");
    if let Value::Object(fields) = &mut value {
        fields.retain(|_, value| !value.is_null());
    }
    value
}
