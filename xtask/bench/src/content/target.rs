//! A server to measure, with the credentials to use.

use std::fmt::Write;

use crate::content::rounds::Sample;
use crate::processes::processor_seconds;
use xtask::failure::Result;

/// A server, and the credentials to use.
#[derive(Clone)]
pub(crate) struct Target {
    /// The host and port.
    pub(crate) address: String,
    /// The server's process, or the parent of all its processes.
    pub(crate) pid: u32,
    /// The value of the `Authorization` header.
    pub(crate) authorization: Option<String>,
}

/// The work of a measurement.
pub(crate) struct Done {
    /// The value, in the unit of the row.
    pub(crate) value: f64,
    /// The number of operations, by which the processor time is divided.
    pub(crate) operations: f64,
}

impl Target {
    /// Runs `act`, and measures the server's processor time for it.
    pub(crate) fn sample(&self, act: impl FnOnce() -> Result<Done>) -> Result<Sample> {
        let before = processor_seconds(self.pid)?;
        let done = act()?;
        let seconds = processor_seconds(self.pid)? - before;
        Ok(Sample { value: done.value, processor_us: seconds / done.operations * 1e6 })
    }

    /// Returns the head of a request with `Connection: close`.
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
