//! The header structure of RPM: an index of tags and a store of their values.

use std::{collections::HashMap, io::Read};

use super::tags::{HEADER_IMMUTABLE, HEADER_SIGNATURES};

const MAGIC: [u8; 8] = [0x8e, 0xad, 0xe8, 0x01, 0, 0, 0, 0];

/// The size of an entry of the index.
const ENTRY_BYTES: usize = 16;

/// The maximum number of tags; rpm has the same limit.
const ENTRIES: usize = 65_535;

/// The maximum size of a header.
pub const HEADER_BYTES: usize = 16 * 1024 * 1024;

/// A header that is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RpmHeader {
    entries: HashMap<usize, HeaderEntry>,
    store: Vec<u8>,
    /// The size of the header in the file, without padding.
    pub size_bytes: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct HeaderEntry {
    value_type: usize,
    offset: usize,
    count: usize,
}

impl RpmHeader {
    /// Reads a header; `name` is for messages.
    pub fn read(stream: &mut impl Read, name: &str) -> Result<Self, String> {
        let wrong = |reason: &str| format!("the {name} {reason}");
        let mut intro = [0; 16];
        stream.read_exact(&mut intro).map_err(|_| wrong("is cut off"))?;
        if intro[..8] != MAGIC {
            return Err(wrong("does not begin with its mark"));
        }
        let (count, store_bytes) = (number(&intro[8..12]), number(&intro[12..16]));
        if count == 0 || count > ENTRIES {
            return Err(wrong(&format!("has {count} tags, and may have 1 to {ENTRIES}")));
        }
        if count * ENTRY_BYTES + store_bytes > HEADER_BYTES {
            return Err(wrong(&format!("is larger than {HEADER_BYTES} bytes")));
        }
        let mut index = vec![0; count * ENTRY_BYTES];
        stream.read_exact(&mut index).map_err(|_| wrong("is cut off"))?;
        let mut store = vec![0; store_bytes];
        stream.read_exact(&mut store).map_err(|_| wrong("is cut off"))?;
        check_region(&index, &store).map_err(wrong)?;
        let entries = entries(&index, store_bytes).map_err(|reason| wrong(&reason))?;
        Ok(Self { entries, size_bytes: (16 + index.len() + store.len()) as u64, store })
    }

    /// All texts of a tag; none if it is missing.
    pub fn texts(&self, tag: u32) -> Result<Vec<String>, String> {
        let Some(entry) = self.entries.get(&(tag as usize)) else { return Ok(Vec::new()) };
        let count = match entry.value_type {
            6 => 1,
            8 | 9 => entry.count,
            _ => return Err(format!("tag {tag} of the header is not text")),
        };
        // Each text has at least its zero byte.
        let mut rest = self.store.get(entry.offset..).filter(|rest| count <= rest.len()).ok_or_else(|| beyond(tag))?;
        let mut texts = Vec::with_capacity(count);
        for _ in 0..count {
            let end = rest.iter().position(|byte| *byte == 0);
            let end = end.ok_or_else(|| format!("a text of tag {tag} of the header has no end"))?;
            texts.push(String::from_utf8_lossy(&rest[..end]).into_owned());
            rest = &rest[end + 1..];
        }
        Ok(texts)
    }

    /// The first text of a tag; empty if it is missing.
    pub fn text(&self, tag: u32) -> Result<String, String> {
        Ok(self.texts(tag)?.into_iter().next().unwrap_or_default())
    }

    /// All numbers of a tag; none if it is missing.
    pub fn numbers(&self, tag: u32) -> Result<Vec<u64>, String> {
        let Some(entry) = self.entries.get(&(tag as usize)) else { return Ok(Vec::new()) };
        let width = match entry.value_type {
            1 | 2 => 1,
            3 => 2,
            4 => 4,
            5 => 8,
            _ => return Err(format!("tag {tag} of the header is not a number")),
        };
        let end = entry.count.checked_mul(width).and_then(|bytes| entry.offset.checked_add(bytes));
        let bytes = end.and_then(|end| self.store.get(entry.offset..end)).ok_or_else(|| beyond(tag))?;
        let value = |bytes: &[u8]| bytes.iter().fold(0, |value, byte| value << 8 | u64::from(*byte));
        Ok(bytes.chunks_exact(width).map(value).collect())
    }

    /// The first number of a tag.
    pub fn number(&self, tag: u32) -> Result<Option<u64>, String> {
        Ok(self.numbers(tag)?.into_iter().next())
    }
}

fn beyond(tag: u32) -> String {
    format!("tag {tag} points outside the header")
}

fn number(bytes: &[u8]) -> usize {
    bytes.iter().fold(0, |value, byte| value << 8 | usize::from(*byte))
}

fn entries(index: &[u8], store_bytes: usize) -> Result<HashMap<usize, HeaderEntry>, String> {
    let mut entries = HashMap::new();
    for raw in index.chunks_exact(ENTRY_BYTES) {
        let tag = number(&raw[..4]);
        let entry =
            HeaderEntry { value_type: number(&raw[4..8]), offset: number(&raw[8..12]), count: number(&raw[12..]) };
        if entry.offset > store_bytes || entry.count > store_bytes.saturating_sub(entry.offset).max(1) {
            return Err(format!("has the tag {tag} outside of itself"));
        }
        if entries.insert(tag, entry).is_some() {
            return Err(format!("has the tag {tag} twice"));
        }
    }
    Ok(entries)
}

/// Checks the tag at the front that says how many of the tags are signed: its end mark must be in the store, and say
/// the same.
fn check_region(index: &[u8], store: &[u8]) -> Result<(), &'static str> {
    let first = &index[..ENTRY_BYTES];
    let tag = number(&first[..4]);
    if tag != HEADER_SIGNATURES as usize && tag != HEADER_IMMUTABLE as usize {
        return Ok(());
    }
    let offset = number(&first[8..12]);
    let mark = offset.checked_add(ENTRY_BYTES).and_then(|end| store.get(offset..end));
    let mark = mark.filter(|_| number(&first[4..8]) == 7 && number(&first[12..]) == ENTRY_BYTES);
    let mark = mark.ok_or("has a region outside of itself")?;
    // The mark has the negative size of the region's index.
    let region_bytes = number(&mark[8..12]).wrapping_neg() & 0xffff_ffff;
    let is_right = number(&mark[..4]) == tag
        && number(&mark[4..8]) == 7
        && region_bytes.is_multiple_of(ENTRY_BYTES)
        && (ENTRY_BYTES..=index.len()).contains(&region_bytes);
    is_right.then_some(()).ok_or("has a region that contradicts its end mark")
}
