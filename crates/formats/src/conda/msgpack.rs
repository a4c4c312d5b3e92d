//! Writes MessagePack: the types that shards need.

use serde_json::Value;

/// A MessagePack text that is being written.
#[derive(Debug, Default)]
pub(super) struct Writer(pub(super) Vec<u8>);

impl Writer {
    /// The start of a map with this many keys.
    pub(super) fn map(&mut self, length: usize) {
        self.head(length, 0x80, 16, None, 0xde, 0xdf);
    }

    fn list(&mut self, length: usize) {
        self.head(length, 0x90, 16, None, 0xdc, 0xdd);
    }

    pub(super) fn text(&mut self, text: &str) {
        self.head(text.len(), 0xa0, 32, Some(0xd9), 0xda, 0xdb);
        self.0.extend(text.as_bytes());
    }

    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.head(bytes.len(), 0, 0, Some(0xc4), 0xc5, 0xc6);
        self.0.extend(bytes);
    }

    pub(super) fn number(&mut self, number: u64) {
        match u8::try_from(number) {
            Ok(small @ 0..=0x7f) => self.0.push(small),
            _ => {
                self.0.push(0xcf);
                self.0.extend(number.to_be_bytes());
            }
        }
    }

    /// Writes a JSON value. Numbers that are not whole and positive are written as texts, which records do not have.
    pub(super) fn value(&mut self, value: &Value) {
        match value {
            Value::Null => self.0.push(0xc0),
            Value::Bool(truth) => self.0.push(0xc2 + u8::from(*truth)),
            Value::Number(number) => match number.as_u64() {
                Some(number) => self.number(number),
                None => self.text(&number.to_string()),
            },
            Value::String(text) => self.text(text),
            Value::Array(values) => {
                self.list(values.len());
                values.iter().for_each(|value| self.value(value));
            }
            Value::Object(map) => {
                self.map(map.len());
                for (key, value) in map {
                    self.text(key);
                    self.value(value);
                }
            }
        }
    }

    /// Writes a length: in the first byte if it is below `small`, else in one, two or four bytes after it.
    fn head(&mut self, length: usize, base: u8, small: usize, one: Option<u8>, two: u8, four: u8) {
        let byte = u8::try_from(length);
        match (byte, one, u16::try_from(length)) {
            (Ok(byte), ..) if length < small => self.0.push(base | byte),
            (Ok(byte), Some(one), _) => self.0.extend([one, byte]),
            (_, _, Ok(short)) => {
                self.0.push(two);
                self.0.extend(short.to_be_bytes());
            }
            _ => {
                self.0.push(four);
                self.0.extend(u32::try_from(length).unwrap_or(u32::MAX).to_be_bytes());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_have_their_encodings() {
        let written = |value: Value| {
            let mut writer = Writer::default();
            writer.value(&value);
            writer.0
        };
        assert_eq!(written(json!({"a": [1, 200, true, null]})), b"\x81\xa1a\x94\x01\xcf\0\0\0\0\0\0\0\xc8\xc3\xc0");
        assert_eq!(written(json!("x".repeat(40)))[..2], [0xd9, 40]);
        assert_eq!(written(json!("x".repeat(300)))[..3], [0xda, 1, 44]);
        assert_eq!(written(json!("x".repeat(70_000)))[..5], [0xdb, 0, 1, 0x11, 0x70]);
        assert_eq!(written(json!(vec![0; 20]))[..3], [0xdc, 0, 20]);
        let mut writer = Writer::default();
        writer.bytes(&[7; 32]);
        assert_eq!(writer.0[..3], [0xc4, 32, 7]);
    }
}
