//! One run of a command: the server, the output, and the confirmation settings.

use std::io::{self, BufRead, IsTerminal, Write};

use futures_util::{StreamExt, TryStreamExt, stream};
use reqwest::Method;
use serde::Serialize;
use serde_json::{Value, json};

use crate::{
    client::Client,
    error::{Error, Result},
    output::{Output, listing},
};

/// The number of requests at the same time.
const AT_ONCE: usize = 8;

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
        let is_empty = |body: &Value| body.as_object().is_some_and(serde_json::Map::is_empty);
        if change.method == Method::PATCH && change.body.as_ref().is_some_and(is_empty) {
            let error = Error::usage(format!("nothing to change in {}", change.what));
            return Err(error.hint("name the fields to change as flags; --help lists them"));
        }
        if self.is_dry_run {
            self.would(&format!("{} {}", change.verb, change.what));
            return Ok(());
        }
        let answer: Value = self.client.send(change.method, &change.path, change.body.as_ref()).await?;
        self.output.print(&answer, |_| format!("{} {}", change.done, change.what));
        Ok(())
    }

    /// Fetches each thing, and prints these fields of it as a table.
    pub(crate) async fn print_each(&self, paths: Vec<String>, fields: &[&str]) -> Result<()> {
        let fetched = stream::iter(paths).map(|path| async move { self.client.get::<Value>(&path).await });
        let found: Vec<Value> = fetched.buffered(AT_ONCE).try_collect().await?;
        self.output.print(&found, |found| listing(found, fields));
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
