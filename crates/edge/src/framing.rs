//! Checks the bytes before the HTTP/1 parser and refuses messages whose boundaries two parsers could see differently.
//!
//! The parser silently accepts bare line feeds, and a `Content-Length` together with a `Transfer-Encoding`. These are
//! exactly the means of request smuggling past proxies, so the bytes are checked before the parser gets them.

use std::mem;

/// The maximum size of a request's head. The parser's own limit is lower.
const HEAD_BYTES: usize = 64 * 1024;

/// The preface of HTTP/2: a head that no HTTP/1 request has, and the rest. Everything after it is framed by lengths.
const HTTP_2_HEAD: &[u8] = b"PRI * HTTP/2.0\r\n\r\n";
const HTTP_2_REST: &[u8] = b"SM\r\n\r\n";

/// The rejection of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FramingError {
    /// The reason.
    pub(crate) reason: &'static str,
    /// The number of valid bytes before the rejected part.
    pub(crate) after: usize,
}

/// The reason why a part of a message is rejected.
type Reason = &'static str;

const TOO_LONG: Reason = "the head is too long";
const NO_RETURN: Reason = "a line ends without a carriage return";

/// Tracks the framing of the bytes on one connection.
#[derive(Debug)]
pub(crate) struct Framing {
    state: State,
    heads: u64,
}

#[derive(Debug)]
enum State {
    /// In a request's head, with the bytes received so far.
    Head(Vec<u8>),
    /// In a body or a chunk, with the number of remaining bytes.
    Body { left: u64, then: After },
    /// In the line with a chunk's size.
    ChunkSize(Vec<u8>),
    /// In the line end after a chunk, with the number of its two bytes received so far.
    ChunkEnd(usize),
    /// In the trailers of a chunked body.
    Trailers(Vec<u8>),
    /// In the rest of the HTTP/2 preface, with the number of bytes received so far.
    Http2(usize),
    /// HTTP/2, which is not checked.
    Passive,
}

#[derive(Debug, Clone, Copy)]
enum After {
    Head,
    ChunkEnd,
}

impl Default for Framing {
    fn default() -> Self {
        Self { state: State::Head(Vec::new()), heads: 0 }
    }
}

impl Framing {
    /// Returns the number of complete heads on this connection.
    pub(crate) fn heads(&self) -> u64 {
        self.heads
    }

    /// Returns whether the next byte begins a request.
    pub(crate) fn is_between(&self) -> bool {
        matches!(&self.state, State::Head(head) if head.is_empty())
    }

    /// Checks the next bytes.
    pub(crate) fn look(&mut self, bytes: &[u8]) -> Result<(), FramingError> {
        let mut rest = bytes;
        while !rest.is_empty() {
            let after = bytes.len() - rest.len();
            rest = self.step(rest).map_err(|reason| FramingError { reason, after })?;
        }
        Ok(())
    }

    /// Checks the bytes of one part, and returns the bytes after it.
    fn step<'b>(&mut self, bytes: &'b [u8]) -> Result<&'b [u8], Reason> {
        match mem::replace(&mut self.state, State::Passive) {
            State::Head(head) => self.head(head, bytes),
            State::Body { left, then } => Ok(self.body(left, then, bytes)),
            State::ChunkSize(line) => self.chunk_size(line, bytes),
            State::ChunkEnd(seen) => self.chunk_end(seen, bytes),
            State::Trailers(lines) => self.trailers(lines, bytes),
            State::Http2(seen) => self.http_2(seen, bytes),
            State::Passive => Ok(&[]),
        }
    }

    fn head<'b>(&mut self, mut head: Vec<u8>, bytes: &'b [u8]) -> Result<&'b [u8], Reason> {
        // Nearly every head arrives whole, and is checked in place.
        if head.is_empty()
            && let Some(end) = end_of_lines(bytes)?
        {
            let (head, rest) = bytes.split_at(end);
            self.state = self.whole_head(head)?;
            return Ok(rest);
        }
        let rest = take_lines(&mut head, bytes)?;
        self.state = match rest {
            Some(_) => self.whole_head(&head)?,
            None => State::Head(head),
        };
        Ok(rest.unwrap_or_default())
    }

    fn whole_head(&mut self, head: &[u8]) -> Result<State, Reason> {
        match head {
            // A blank line before a request is allowed and ignored.
            b"\r\n" => Ok(State::Head(Vec::new())),
            HTTP_2_HEAD => Ok(State::Http2(0)),
            head => {
                self.heads += 1;
                after_head(head)
            }
        }
    }

    fn http_2<'b>(&mut self, seen: usize, bytes: &'b [u8]) -> Result<&'b [u8], Reason> {
        let expected = &HTTP_2_REST[seen..];
        let here = expected.len().min(bytes.len());
        if bytes[..here] != expected[..here] {
            return Err("the HTTP/2 preface is invalid");
        }
        if here < expected.len() {
            self.state = State::Http2(seen + here);
        } else {
            self.heads += 1;
        }
        Ok(&bytes[here..])
    }

    fn body<'b>(&mut self, left: u64, then: After, bytes: &'b [u8]) -> &'b [u8] {
        let here = usize::try_from(left).map_or(bytes.len(), |left| left.min(bytes.len()));
        let left = left - here as u64;
        self.state = match (left, then) {
            (0, After::Head) => State::Head(Vec::new()),
            (0, After::ChunkEnd) => State::ChunkEnd(0),
            _ => State::Body { left, then },
        };
        &bytes[here..]
    }

    fn chunk_size<'b>(&mut self, mut line: Vec<u8>, bytes: &'b [u8]) -> Result<&'b [u8], Reason> {
        let Some(rest) = take_line(&mut line, bytes)? else {
            self.state = State::ChunkSize(line);
            return Ok(&[]);
        };
        let digits = line.split(|byte| *byte == b';').next().unwrap_or_default().trim_ascii();
        let is_plain = (1..=16).contains(&digits.len()) && digits.iter().all(u8::is_ascii_hexdigit);
        let size = std::str::from_utf8(digits)
            .ok()
            .filter(|_| is_plain)
            .and_then(|digits| u64::from_str_radix(digits, 16).ok());
        self.state = match size.ok_or("a chunk's size is not a number")? {
            0 => State::Trailers(Vec::new()),
            left => State::Body { left, then: After::ChunkEnd },
        };
        Ok(rest)
    }

    fn chunk_end<'b>(&mut self, seen: usize, bytes: &'b [u8]) -> Result<&'b [u8], Reason> {
        let expected = [b'\r', b'\n'][seen];
        match bytes.split_first() {
            Some((byte, rest)) if *byte == expected => {
                self.state = if seen == 1 { State::ChunkSize(Vec::new()) } else { State::ChunkEnd(1) };
                Ok(rest)
            }
            _ => Err("a chunk does not end where its size says"),
        }
    }

    fn trailers<'b>(&mut self, mut lines: Vec<u8>, bytes: &'b [u8]) -> Result<&'b [u8], Reason> {
        let rest = take_lines(&mut lines, bytes)?;
        self.state = if rest.is_some() { State::Head(Vec::new()) } else { State::Trailers(lines) };
        Ok(rest.unwrap_or_default())
    }
}

/// Returns the end of the first block of lines, including its blank line. `None` if the blank line has not arrived.
fn end_of_lines(bytes: &[u8]) -> Result<Option<usize>, Reason> {
    let mut end = 0;
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        end += line.len();
        match line {
            _ if end > HEAD_BYTES => return Err(TOO_LONG),
            b"\r\n" => return Ok(Some(end)),
            [.., b'\r', b'\n'] => {}
            [.., b'\n'] => return Err(NO_RETURN),
            _ => return Ok(None),
        }
    }
    Ok(None)
}

/// Moves bytes up to and including the blank line that ends a block of lines. `None` if it has not arrived.
fn take_lines<'b>(block: &mut Vec<u8>, mut bytes: &'b [u8]) -> Result<Option<&'b [u8]>, Reason> {
    loop {
        let before = block.len();
        let line_start = block.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        match take_line(block, bytes)? {
            None => return Ok(None),
            Some(rest) if &block[line_start..] == b"\r\n" => return Ok(Some(rest)),
            Some(rest) => bytes = rest,
        }
        debug_assert!(block.len() > before, "each line is moved once");
    }
}

/// Moves bytes up to and including the next line feed, which must follow a carriage return.
fn take_line<'b>(line: &mut Vec<u8>, bytes: &'b [u8]) -> Result<Option<&'b [u8]>, Reason> {
    let end = bytes.iter().position(|byte| *byte == b'\n');
    let (here, rest) = bytes.split_at(end.map_or(bytes.len(), |end| end + 1));
    line.extend_from_slice(here);
    if line.len() > HEAD_BYTES {
        return Err(TOO_LONG);
    }
    match end {
        Some(_) if !line.ends_with(b"\r\n") => Err(NO_RETURN),
        Some(_) => Ok(Some(rest)),
        None => Ok(None),
    }
}

/// Returns the state after a head: no body, a body of known length, or chunks.
fn after_head(head: &[u8]) -> Result<State, Reason> {
    let mut lengths = Vec::new();
    let mut is_chunked = false;
    for line in head.split(|byte| *byte == b'\n').skip(1) {
        let Some(colon) = line.iter().position(|byte| *byte == b':') else { continue };
        let (name, value) = (line[..colon].trim_ascii(), line[colon + 1..].trim_ascii());
        if name.eq_ignore_ascii_case(b"content-length") {
            lengths.push(value);
        } else if name.eq_ignore_ascii_case(b"transfer-encoding") {
            if is_chunked || !value.eq_ignore_ascii_case(b"chunked") {
                return Err("the transfer encoding is not chunked");
            }
            is_chunked = true;
        }
    }
    match (lengths.as_slice(), is_chunked) {
        ([], false) => Ok(State::Head(Vec::new())),
        ([], true) => Ok(State::ChunkSize(Vec::new())),
        ([length], false) => {
            let is_plain = !length.is_empty() && length.iter().all(u8::is_ascii_digit);
            let length = std::str::from_utf8(length).ok().filter(|_| is_plain).and_then(|length| length.parse().ok());
            match length.ok_or("the length is not a number")? {
                0 => Ok(State::Head(Vec::new())),
                left => Ok(State::Body { left, then: After::Head }),
            }
        }
        (_, true) => Err("the head has a length and a transfer encoding"),
        (_, false) => Err("the head has several lengths"),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn look(text: &str) -> Result<u64, &'static str> {
        let mut framing = Framing::default();
        framing.look(text.as_bytes()).map_err(|refused| refused.reason)?;
        Ok(framing.heads)
    }

    const GET: &str = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    const PUT: &str = "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nGET /";
    const CHUNKED: &str = "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5;x=y\r\nGET /\r\n0\r\nA: b\r\n\r\n";

    #[test]
    fn messages_follow_one_another() {
        assert_eq!(look(&[GET, PUT, CHUNKED, "\r\n", GET, PUT].concat()), Ok(5));
    }

    #[test]
    fn ambiguous_messages_are_refused() {
        assert_eq!(look("GET / HTTP/1.1\nHost: a\n\n"), Err("a line ends without a carriage return"));
        assert_eq!(look("GET / HTTP/1.1\r\nA: b\nHost: a\r\n\r\n"), Err("a line ends without a carriage return"));
        let both = "PUT / HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n";
        assert_eq!(look(both), Err("the head has a length and a transfer encoding"));
        let turned = "PUT / HTTP/1.1\r\ntransfer-encoding : Chunked\r\ncontent-length:5\r\n\r\n";
        let zipped = CHUNKED.replace("chunked", "gzip, chunked");
        assert_eq!(look(&zipped), Err("the transfer encoding is not chunked"));
        assert_eq!(look(turned), Err("the head has a length and a transfer encoding"));
        assert_eq!(
            look("PUT / HTTP/1.1\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\n"),
            Err("the head has several lengths")
        );
        assert_eq!(look("PUT / HTTP/1.1\r\nContent-Length: +5\r\n\r\n"), Err("the length is not a number"));
        let wrong = CHUNKED.replace("5;x=y", "4");
        assert_eq!(look(&wrong), Err("a chunk does not end where its size says"));
        assert_eq!(look(&CHUNKED.replace("5;x=y", "11111111111111111")), Err("a chunk's size is not a number"));
    }

    #[test]
    fn what_came_before_is_told_apart() {
        let text = [PUT, "GET / HTTP/1.1\nHost: a\n\n"].concat();
        let refused = Framing::default().look(text.as_bytes()).expect_err("a bare line feed");
        assert_eq!(refused.after, PUT.len());
    }

    #[test]
    fn http_2_is_left_alone() {
        assert_eq!(look("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\n\n\n"), Ok(1));
        assert_eq!(look("PRI * HTTP/2.0\r\n\r\nSM\r\n"), Ok(0));
        assert!(look("PRI * HTTP/2.0\r\n\r\nGET / HTTP/1.1\r\n\r\n").is_err());
        assert_eq!(look("PRI / HTTP/1.1\r\nHost: a\r\n\r\n"), Ok(1));
        assert!(look("PRI / HTTP/1.1\nHost: a\r\n\r\n").is_err());
    }

    proptest! {
        #[test]
        fn where_the_bytes_are_cut_does_not_matter(cuts in proptest::collection::vec(0usize..200, 0..12)) {
            let text = [GET, CHUNKED, PUT, GET].concat();
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(text.len())).collect();
            cuts.sort_unstable();
            let mut framing = Framing::default();
            let mut from = 0;
            for cut in cuts.into_iter().chain([text.len()]) {
                prop_assert_eq!(framing.look(&text.as_bytes()[from..cut]), Ok(()));
                from = cut;
            }
            prop_assert_eq!(framing.heads, 4);
        }

        #[test]
        fn no_bytes_bring_it_down(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            let _ = Framing::default().look(&bytes);
        }
    }
}
