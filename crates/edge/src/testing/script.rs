//! Scripts for the differential test, made from random bytes.

/// A step of a script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// The client sends bytes.
    Write(Vec<u8>),
    /// The cached responses become invalid, and new ones differ.
    Invalidate,
    /// The server starts to stop.
    Drain,
}

/// The request that scripts repeat most.
const COMMON: &str = "GET /small HTTP/1.1\r\nhost: house\r\nuser-agent: test\r\n\r\n";

/// Other requests, similar to the common one or very different from it.
const OTHERS: [&str; 16] = [
    "GET /small HTTP/1.1\r\nhost: house\r\nuser-agent: tesT\r\n\r\n",
    "GET /small HTTP/1.1\r\nUser-Agent: test\r\nHost: house\r\n\r\n",
    "GET /other HTTP/1.1\r\nhost: house\r\nreferer: https://a.example/\r\n\r\n",
    "GET /large HTTP/1.1\r\nhost: house\r\n\r\n",
    "GET /small HTTP/1.1\r\nhost: house\r\nconnection: close\r\n\r\n",
    "GET /small HTTP/1.1\r\nhost: house\r\nconnection: keep-alive\r\n\r\n",
    "GET /small HTTP/1.1\r\nhost: house\r\nrange: bytes=0-1\r\n\r\n",
    "GET /small HTTP/1.1\r\nhost: house\r\nif-none-match: \"a\"\r\n\r\n",
    "GET /small HTTP/1.1\r\nhost: house\r\nhost: other\r\n\r\n",
    "GET /small HTTP/1.1\r\nhost: house\r\nauthorization: Basic YTpi\r\n\r\n",
    "GET /small HTTP/1.0\r\nhost: house\r\n\r\n",
    "HEAD /small HTTP/1.1\r\nhost: house\r\n\r\n",
    "PUT /small HTTP/1.1\r\nhost: house\r\ncontent-length: 4\r\n\r\nbody",
    "POST /small HTTP/1.1\r\nhost: house\r\ntransfer-encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n",
    "GET /small HTTP/1.1\r\nhost: house\r\ncontent-length: 4\r\n\r\nbody",
    "\0nothing like a request\r\n\r\n",
];

/// Returns the script for a sequence of bytes. Every sequence is valid.
pub fn script(bytes: &[u8]) -> Vec<Step> {
    let (mut steps, mut waiting, mut bytes) = (Vec::new(), Vec::new(), bytes.iter());
    while let Some(byte) = bytes.next() {
        match byte % 32 {
            number @ 0..16 => waiting.extend_from_slice(OTHERS[usize::from(number)].as_bytes()),
            // Sent together with the next request, as by a client that pipelines requests.
            16 | 17 => {
                waiting.extend_from_slice(COMMON.as_bytes());
                continue;
            }
            18 => steps.push(Step::Invalidate),
            19 => steps.push(Step::Drain),
            // The first part of a request; the next step sends the rest.
            20 | 21 => {
                waiting.extend_from_slice(COMMON.as_bytes());
                let cut = bytes.next().map_or(0, |byte| usize::from(*byte) % waiting.len());
                steps.push(Step::Write(waiting.drain(..cut).collect()));
                continue;
            }
            _ => waiting.extend_from_slice(COMMON.as_bytes()),
        }
        if !waiting.is_empty() {
            steps.push(Step::Write(std::mem::take(&mut waiting)));
        }
    }
    steps
}
