//! Finds the attachments in a JSON document while it arrives, decodes them, and keeps the rest of the document.
//!
//! The scanner only needs to know where keys, strings and containers begin and end. The rest is parsed as JSON when it is
//! complete, so a document that is not well formed is refused in the end.

mod base64;
mod container;

use std::collections::HashSet;

use bytes::{Buf, Bytes};
use serde::de::IgnoredAny;
use web::error::{Failure, Result};

use self::{
    base64::Base64,
    container::{Container, Role},
};
use super::{TEXT_BYTES, too_much_text};

/// The deepest nesting of a document.
const DEPTH: usize = 64;

/// What the scanner has found.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// The input is used up.
    Nothing,
    /// The content of the attachment with this key begins.
    File(String),
    /// Some of its content.
    Content(Vec<u8>),
    /// Its content ends.
    End,
}

/// The state of a scan.
#[derive(Default)]
pub(super) struct Scanner {
    /// The document so far. Instead of each attachment's content, it has an empty string.
    rest: Vec<u8>,
    open: Vec<Container>,
    state: State,
    is_complete: bool,
    has_attachments: bool,
    keys: HashSet<String>,
}

#[derive(Default)]
enum State {
    #[default]
    Between,
    /// In a string that began at this position of the rest.
    Text {
        start: usize,
        is_key: bool,
        is_escaped: bool,
    },
    Content(Base64),
}

impl Scanner {
    /// Reads the input until something is found.
    pub(super) fn step(&mut self, input: &mut Bytes) -> Result<Step> {
        loop {
            if let State::Content(content) = &mut self.state {
                let step = content.step(input)?;
                if step == Step::End {
                    self.state = State::Between;
                }
                return Ok(step);
            }
            if !input.has_remaining() {
                return Ok(Step::Nothing);
            }
            let byte = input.get_u8();
            match self.state {
                State::Text { start, is_key, is_escaped } => self.text(byte, start, is_key, is_escaped)?,
                _ => {
                    if let Some(key) = self.between(byte)? {
                        return Ok(Step::File(key));
                    }
                }
            }
        }
    }

    /// The document without its attachments, if it is complete and well formed.
    pub(super) fn finish(self) -> Result<Vec<u8>> {
        if !self.is_complete {
            return Err(Failure::bad_request("The document ends too early"));
        }
        serde_json::from_slice::<IgnoredAny>(&self.rest).map_err(|error| invalid(&error.to_string()))?;
        Ok(self.rest)
    }

    fn push(&mut self, byte: u8) -> Result<()> {
        if self.rest.len() >= TEXT_BYTES {
            return Err(too_much_text());
        }
        self.rest.push(byte);
        Ok(())
    }

    fn text(&mut self, byte: u8, start: usize, is_key: bool, is_escaped: bool) -> Result<()> {
        self.push(byte)?;
        self.state = match byte {
            b'"' if !is_escaped => State::Between,
            _ => State::Text { start, is_key, is_escaped: byte == b'\\' && !is_escaped },
        };
        if is_key && matches!(self.state, State::Between) { self.end_key(start) } else { Ok(()) }
    }

    /// Reads a byte outside strings. Returns the key of an attachment whose content begins.
    fn between(&mut self, byte: u8) -> Result<Option<String>> {
        let is_space = matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
        if !is_space && (self.is_complete || (self.open.is_empty() && byte != b'{')) {
            return Err(invalid("it is not one object"));
        }
        match byte {
            b'"' => return self.begin_text(),
            b'{' | b'[' => self.open(byte == b'{')?,
            b'}' | b']' => self.close(byte == b'}')?,
            b',' => {
                if let Some(container) = self.open.last_mut() {
                    (container.expects_key, container.key) = (container.is_object, None);
                }
            }
            _ => {}
        }
        self.push(byte)?;
        Ok(None)
    }

    fn begin_text(&mut self) -> Result<Option<String>> {
        let start = self.rest.len();
        self.push(b'"')?;
        let is_key = self.open.last().is_some_and(|container| container.expects_key);
        if let Some(key) = self.attachment() {
            self.push(b'"')?;
            self.state = State::Content(Base64::default());
            return Ok(Some(key));
        }
        self.state = State::Text { start, is_key, is_escaped: false };
        Ok(None)
    }

    /// The key of the attachment, if its content begins here.
    fn attachment(&mut self) -> Option<String> {
        let container = self.open.last_mut()?;
        let is_data = container.role == Role::Attachment && container.key.as_deref() == Some("data");
        if !is_data || container.expects_key {
            return None;
        }
        container.key = None;
        let attachments = self.open.len().checked_sub(2).and_then(|place| self.open.get(place))?;
        attachments.key.clone()
    }

    fn open(&mut self, is_object: bool) -> Result<()> {
        if self.open.len() >= DEPTH {
            return Err(invalid(&format!("it is nested deeper than {DEPTH} levels")));
        }
        let role = Role::of(self.open.last(), is_object);
        self.open.push(Container { is_object, expects_key: is_object, role, key: None, has_data: false });
        Ok(())
    }

    fn close(&mut self, is_object: bool) -> Result<()> {
        if self.open.pop().is_none_or(|container| container.is_object != is_object) {
            return Err(invalid("its brackets do not match"));
        }
        self.is_complete = self.open.is_empty();
        Ok(())
    }

    /// Reads a key. Keys that would hide an attachment from one of two readers may not be repeated.
    fn end_key(&mut self, start: usize) -> Result<()> {
        let Some(container) = self.open.last_mut() else { return Ok(()) };
        container.expects_key = false;
        if container.role == Role::Other {
            return Ok(());
        }
        let key: String = serde_json::from_slice(&self.rest[start..]).map_err(|error| invalid(&error.to_string()))?;
        let is_repeated = match (container.role, key.as_str()) {
            (Role::Document, "_attachments") => std::mem::replace(&mut self.has_attachments, true),
            (Role::Attachments, _) => !self.keys.insert(key.clone()),
            (Role::Attachment, "data") => std::mem::replace(&mut container.has_data, true),
            _ => false,
        };
        container.key = Some(key);
        if is_repeated { Err(invalid("it has a key twice")) } else { Ok(()) }
    }
}

fn invalid(reason: &str) -> Failure {
    Failure::bad_request(format!("The document is not valid: {reason}"))
}

#[cfg(test)]
mod tests;
