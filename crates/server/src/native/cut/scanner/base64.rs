//! Base64 inside a JSON string, decoded while it arrives.

use base64::{Engine, prelude::BASE64_STANDARD};
use bytes::{Buf, Bytes};
use memchr::memchr2;
use web::error::{Failure, Result};

use super::Step;

/// The most characters that are decoded at once.
const PIECE: usize = 64 << 10;

/// The longest escape of a character, after the backslash.
const ESCAPE: usize = 5;

/// A string that is being read.
#[derive(Default)]
pub(super) struct Base64 {
    /// Characters that are not decoded yet: fewer than four between two steps.
    pending: Vec<u8>,
    /// The escape that is being read, without its backslash.
    escape: Option<Vec<u8>>,
    is_padded: bool,
    is_over: bool,
}

impl Base64 {
    /// Decodes what the input has, up to the end of the string.
    pub(super) fn step(&mut self, input: &mut Bytes) -> Result<Step> {
        while !self.is_over && input.has_remaining() && self.pending.len() < PIECE {
            self.read(input)?;
        }
        let content = self.decode()?;
        if !content.is_empty() {
            return Ok(Step::Content(content));
        }
        Ok(if self.is_over { Step::End } else { Step::Nothing })
    }

    fn read(&mut self, input: &mut Bytes) -> Result<()> {
        if let Some(escape) = &mut self.escape {
            escape.push(input.get_u8());
            if let Some(character) = unescaped(escape)? {
                self.pending.push(character);
                self.escape = None;
            }
            return Ok(());
        }
        match input[0] {
            b'"' => {
                input.advance(1);
                self.is_over = true;
            }
            b'\\' => {
                input.advance(1);
                self.escape = Some(Vec::with_capacity(ESCAPE));
            }
            _ => {
                let run = memchr2(b'"', b'\\', input).unwrap_or(input.len()).min(PIECE);
                self.pending.extend_from_slice(&input.split_to(run));
            }
        }
        Ok(())
    }

    /// Decodes all complete groups of four characters; at the end of the string, there may be no others.
    fn decode(&mut self) -> Result<Vec<u8>> {
        let count = self.pending.len() / 4 * 4;
        if self.is_over && count < self.pending.len() {
            return Err(invalid());
        }
        if count == 0 {
            return Ok(Vec::new());
        }
        if self.is_padded {
            return Err(invalid());
        }
        let content = BASE64_STANDARD.decode(&self.pending[..count]).map_err(|_| invalid())?;
        self.is_padded = self.pending[count - 1] == b'=';
        self.pending.drain(..count);
        Ok(content)
    }
}

/// The character of an escape, when it is complete. Only characters of base64 can follow.
fn unescaped(escape: &[u8]) -> Result<Option<u8>> {
    match escape {
        [b'/'] => Ok(Some(b'/')),
        [b'u', digits @ ..] if digits.len() < 4 => Ok(None),
        [b'u', digits @ ..] => {
            let is_hex = digits.iter().all(u8::is_ascii_hexdigit);
            let digits = std::str::from_utf8(digits).ok().filter(|_| is_hex);
            let code = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
            code.and_then(|code| u8::try_from(code).ok()).map(Some).ok_or_else(invalid)
        }
        _ => Err(invalid()),
    }
}

fn invalid() -> Failure {
    Failure::bad_request("The content of an attachment is not base64")
}
