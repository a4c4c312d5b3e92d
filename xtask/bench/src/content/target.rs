//! A server that is measured, and as whom.

use std::fmt::Write;

use crate::content::rounds::Sample;
use crate::processes::processor_seconds;
use xtask::failure::Result;

/// A server, and as whom it is asked.
#[derive(Clone)]
pub(crate) struct Target {
    /// Host and port.
    pub(crate) address: String,
    /// The server's process, or the parent of all its processes.
    pub(crate) pid: u32,
    /// The value of the header that says who asks.
    pub(crate) authorization: Option<String>,
}

/// What was done.
pub(crate) struct Done {
    /// In the unit of the row.
    pub(crate) value: f64,
    /// Over which the processor time is divided.
    pub(crate) operations: f64,
}

impl Target {
    /// Does something, and takes the server's processor time for it.
    pub(crate) fn sample(&self, act: impl FnOnce() -> Result<Done>) -> Result<Sample> {
        let before = processor_seconds(self.pid)?;
        let done = act()?;
        let seconds = processor_seconds(self.pid)? - before;
        Ok(Sample { value: done.value, processor_us: seconds / done.operations * 1e6 })
    }

    /// The head of a request on a connection that ends with its answer.
    pub(crate) fn head(&self, method: &str, path: &str, size: Option<u64>) -> String {
        let mut head = format!("{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n", self.address);
        if let Some(authorization) = &self.authorization {
            write!(head, "Authorization: {authorization}\r\n").expect("a text takes everything");
        }
        if let Some(size) = size {
            write!(head, "Content-Length: {size}\r\n").expect("a text takes everything");
        }
        head + "\r\n"
    }
}
