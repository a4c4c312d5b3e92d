//! Sends many small requests with wrk.

use std::io::Read;
use std::process::{Command, Stdio};

use xtask::failure::{Attempt, Failure, Result};
use xtask::signals::Signals;

/// The result of wrk.
#[derive(Debug, PartialEq)]
pub(crate) struct Seen {
    /// The number of answered requests.
    pub(crate) requests: f64,
    /// The number of answered requests per second.
    pub(crate) per_second: f64,
}

/// A run of wrk with one thread and persistent connections.
pub(crate) struct Run<'a> {
    /// The URL to request.
    pub(crate) url: String,
    /// The value of the `Authorization` header.
    pub(crate) authorization: Option<&'a str>,
    /// The value of the `Accept` header.
    pub(crate) accept: Option<&'a str>,
    /// The number of parallel connections.
    pub(crate) connections: u32,
    /// The duration of the run.
    pub(crate) seconds: u32,
    /// A script and its arguments.
    pub(crate) script: Option<Vec<String>>,
}

impl Run<'_> {
    /// Runs wrk. Fails if any response is not a success, because error responses are fast.
    pub(crate) fn run(&self, signals: &Signals) -> Result<Seen> {
        let mut command = Command::new("wrk");
        command.args(["-t1", "--timeout", "30s"]);
        command.args([format!("-c{}", self.connections), format!("-d{}s", self.seconds)]);
        if let Some(authorization) = self.authorization {
            command.arg("-H").arg(format!("Authorization: {authorization}"));
        }
        if let Some(accept) = self.accept {
            command.arg("-H").arg(format!("Accept: {accept}"));
        }
        let mut arguments = self.script.iter().flatten();
        if let Some(script) = arguments.next() {
            command.arg("-s").arg(script);
        }
        command.arg(&self.url).arg("--").args(arguments).stdin(Stdio::null()).stdout(Stdio::piped());
        let mut child = signals.spawn(&mut command)?;
        let went_well = signals.finish(&mut child)?;
        let mut told = String::new();
        child
            .stdout
            .take()
            .expect("standard output is a pipe")
            .read_to_string(&mut told)
            .attempt("cannot read from wrk")?;
        let failed = || Failure::new(format!("requests of wrk to {} failed:\n{told}", self.url));
        parse(&told).filter(|_| went_well).ok_or_else(failed)
    }
}

/// Parses the output of wrk; returns `None` if it reports failures.
fn parse(told: &str) -> Option<Seen> {
    if told.contains("Non-2xx") || told.contains("Socket errors") {
        return None;
    }
    let requests = told.lines().find_map(|line| line.trim().split_once(" requests in ")?.0.parse().ok())?;
    let per_second = told.lines().find_map(|line| line.strip_prefix("Requests/sec:")?.trim().parse().ok())?;
    Some(Seen { requests, per_second })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOLD: &str = "Running 5s test @ http://127.0.0.1:1/\n  1 threads and 64 connections\n  412 requests in 5.00s, \
        1.02MB read\nRequests/sec:     82.40\nTransfer/sec:    208.11KB\n";

    #[test]
    fn the_rate_is_read() {
        assert_eq!(parse(TOLD), Some(Seen { requests: 412.0, per_second: 82.4 }));
    }

    #[test]
    fn failures_are_not_a_rate() {
        assert_eq!(parse(&format!("{TOLD}  Non-2xx or 3xx responses: 3\n")), None);
        assert_eq!(parse(&format!("{TOLD}  Socket errors: connect 0, read 1, write 0, timeout 0\n")), None);
    }
}
