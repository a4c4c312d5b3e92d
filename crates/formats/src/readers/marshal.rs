//! Writes Ruby's Marshal format, version 4.8. Objects are never linked and symbols are written in full each time, so
//! that parts of a text can be put together.

/// Writes values one after the other.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Marshal {
    bytes: Vec<u8>,
}

impl Marshal {
    /// The header of a whole text.
    pub const HEADER: [u8; 2] = [4, 8];

    /// Starts a whole text.
    pub fn document() -> Self {
        Self { bytes: Self::HEADER.to_vec() }
    }

    /// Returns the bytes.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Writes `nil`.
    pub fn nil(&mut self) {
        self.bytes.push(b'0');
    }

    /// Writes a truth value.
    pub fn bool(&mut self, value: bool) {
        self.bytes.push(if value { b'T' } else { b'F' });
    }

    /// Writes a small number.
    pub fn integer(&mut self, value: u32) {
        self.bytes.push(b'i');
        self.length(value as usize);
    }

    /// Writes a text in UTF-8.
    pub fn string(&mut self, text: &str) {
        self.bytes.extend_from_slice(b"I\"");
        self.blob(text.as_bytes());
        self.length(1);
        self.symbol("E");
        self.bool(true);
    }

    /// Writes a symbol.
    pub fn symbol(&mut self, name: &str) {
        self.bytes.push(b':');
        self.blob(name.as_bytes());
    }

    /// Begins an array; its elements follow.
    pub fn array(&mut self, length: usize) {
        self.bytes.push(b'[');
        self.length(length);
    }

    /// Begins a hash; its keys and values follow.
    pub fn hash(&mut self, length: usize) {
        self.bytes.push(b'{');
        self.length(length);
    }

    /// Begins an object with its number of instance variables; for each, a symbol and a value follow.
    pub fn object(&mut self, class: &str, variables: usize) {
        self.bytes.push(b'o');
        self.symbol(class);
        self.length(variables);
    }

    /// Begins an object that is made from one value (`marshal_load`), which follows.
    pub fn custom(&mut self, class: &str) {
        self.bytes.push(b'U');
        self.symbol(class);
    }

    /// Writes an object that is made from bytes (`_load`).
    pub fn loaded(&mut self, class: &str, bytes: &[u8]) {
        self.bytes.push(b'u');
        self.symbol(class);
        self.blob(bytes);
    }

    fn blob(&mut self, bytes: &[u8]) {
        self.length(bytes.len());
        self.bytes.extend_from_slice(bytes);
    }

    /// Writes a length: small ones in one byte, others as a count of bytes and the bytes, lowest first.
    fn length(&mut self, value: usize) {
        match u8::try_from(value) {
            Ok(0) => self.bytes.push(0),
            Ok(small @ 1..=122) => self.bytes.push(small + 5),
            _ => {
                let bytes = value.to_le_bytes();
                let used = bytes.iter().rposition(|byte| *byte != 0).map_or(1, |last| last + 1);
                self.bytes.push(used.to_le_bytes()[0]);
                self.bytes.extend_from_slice(&bytes[..used]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(write: impl Fn(&mut Marshal)) -> Vec<u8> {
        let mut marshal = Marshal::document();
        write(&mut marshal);
        marshal.into_bytes()
    }

    /// The expected bytes are those of `Marshal.dump` in Ruby.
    #[test]
    fn values_are_written_as_ruby_does() {
        assert_eq!(written(|m| m.string("a")), b"\x04\x08I\"\x06a\x06:\x06ET");
        assert_eq!(written(Marshal::nil), b"\x04\x080");
        assert_eq!(written(|m| m.integer(4)), b"\x04\x08i\x09");
        assert_eq!(written(|m| m.integer(122)), b"\x04\x08i\x7f");
        assert_eq!(written(|m| m.integer(123)), b"\x04\x08i\x01\x7b");
        assert_eq!(written(|m| m.integer(256)), b"\x04\x08i\x02\x00\x01");
        assert_eq!(written(|m| m.integer(70_000)), b"\x04\x08i\x03\x70\x11\x01");
        assert_eq!(written(|m| m.array(0)), b"\x04\x08[\x00");
        let hash = written(|m| {
            m.hash(1);
            m.symbol("a");
            m.bool(false);
        });
        assert_eq!(hash, b"\x04\x08{\x06:\x06aF");
    }
}
