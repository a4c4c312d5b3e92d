//! Transfers large files to and from a server, at almost no cost for the client: the kernel does all the copying.

use std::fs::File;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::time::Duration;

use rustix::fs::sendfile;
use rustix::net::{RecvFlags, recv, sockopt::set_socket_recv_buffer_size};

use crate::content::target::Target;
use xtask::failure::{Attempt, Failure, Result};

/// The longest wait for a byte.
const LONGEST_WAIT: Duration = Duration::from_secs(300);

/// The number of bytes to receive from a socket at a time.
const DOWNLOAD_BYTES: usize = 1 << 20;

/// The size of the kernel's receive buffer.
const RECEIVE_BUFFER_BYTES: usize = 4 << 20;

/// The number of bytes to send to a socket at a time.
const UPLOAD_BYTES: u64 = 16 << 20;

/// The content of an upload.
#[derive(Clone, Copy)]
pub(crate) struct Content<'a> {
    /// Replaces the first bytes of the file, so that no other upload has the same content.
    pub(crate) start: &'a str,
    /// The file.
    pub(crate) file: &'a Path,
}

/// Downloads a file, and returns its size. The kernel drops its bytes before they reach this process.
pub(crate) fn download(target: &Target, path: &str) -> Result<u64> {
    let failed = format!("GET {path}");
    let mut stream = connect(target)?;
    set_socket_recv_buffer_size(&stream, RECEIVE_BUFFER_BYTES).attempt(&failed)?;
    stream.write_all(target.head("GET", path, None).as_bytes()).attempt(&failed)?;
    let head = Head::read(&mut stream, &failed)?;
    let size = head.size.ok_or_else(|| Failure::new(format!("{failed}: the response has no length")))?;
    let (mut left, mut buffer) = (size - head.body_bytes, vec![0; DOWNLOAD_BYTES]);
    while left > 0 {
        let room = usize::try_from(left).unwrap_or(DOWNLOAD_BYTES).min(DOWNLOAD_BYTES);
        match recv(&stream, &mut buffer[..room], RecvFlags::TRUNC).attempt(&failed)? {
            (0, _) => return Err(Failure::new(format!("{failed}: the last {left} bytes are missing"))),
            (count, _) => left -= count as u64,
        }
    }
    Ok(size)
}

/// Uploads a file.
pub(crate) fn upload(target: &Target, path: &str, content: Content<'_>) -> Result<()> {
    send(target, "PUT", path, content).map(drop)
}

/// Sends a file with this method, and returns the URL in the response.
pub(crate) fn send(target: &Target, method: &str, path: &str, content: Content<'_>) -> Result<Option<String>> {
    let failed = format!("{method} {path}");
    let file = File::open(content.file).attempt(&failed)?;
    let size = file.metadata().attempt(&failed)?.len();
    let mut stream = connect(target)?;
    let head = target.head(method, path, Some(size)) + content.start;
    stream.write_all(head.as_bytes()).attempt(&failed)?;
    let mut offset = content.start.len() as u64;
    while offset < size {
        let count = usize::try_from((size - offset).min(UPLOAD_BYTES)).attempt(&failed)?;
        // This call advances the offset.
        sendfile(&stream, &file, Some(&mut offset), count).attempt(&failed)?;
    }
    Ok(Head::read(&mut stream, &failed)?.location)
}

fn connect(target: &Target) -> Result<TcpStream> {
    let stream = TcpStream::connect(&target.address).attempt("cannot connect to the server")?;
    stream.set_read_timeout(Some(LONGEST_WAIT)).attempt("cannot set a time-out")?;
    stream.set_write_timeout(Some(LONGEST_WAIT)).attempt("cannot set a time-out")?;
    Ok(stream)
}

/// The head of a successful response.
struct Head {
    size: Option<u64>,
    location: Option<String>,
    /// The number of bytes of the body that arrived together with the head.
    body_bytes: u64,
}

impl Head {
    fn read(stream: &mut TcpStream, failed: &str) -> Result<Self> {
        let (mut received, mut piece) = (Vec::new(), [0; 4096]);
        loop {
            if let Some(end) = received.windows(4).position(|four| four == b"\r\n\r\n") {
                let head = String::from_utf8_lossy(&received[..end]);
                let is_success = head.split(' ').nth(1).is_some_and(|status| status.starts_with('2'));
                let told = || Failure::new(format!("{failed}: {}", String::from_utf8_lossy(&received)));
                let size = field(&head, "content-length").and_then(|size| size.parse().ok());
                let location = field(&head, "location").map(str::to_owned);
                let head = Self { size, location, body_bytes: (received.len() - end - 4) as u64 };
                return is_success.then_some(head).ok_or_else(told);
            }
            match stream.read(&mut piece).attempt(failed)? {
                0 => return Err(Failure::new(format!("{failed}: the connection ended before the response"))),
                count => received.extend_from_slice(&piece[..count]),
            }
        }
    }
}

/// The value of a header.
fn field<'h>(head: &'h str, name: &str) -> Option<&'h str> {
    let fields = head.lines().filter_map(|line| line.split_once(':'));
    fields.into_iter().find(|(field, _)| field.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim())
}
