//! Headers that describe the next entry: GNU's long names and pax records.

use crate::storage::archive::ArchiveError;

/// Properties of the next entry that precede its own header.
#[derive(Default)]
pub(super) struct Extensions {
    pub(super) name: Option<Vec<u8>>,
    pub(super) size_bytes: Option<u64>,
    /// Sparse files contain a map of their holes, which is not their content.
    pub(super) is_sparse: bool,
}

impl Extensions {
    /// Sets GNU's long name, which ends with a zero.
    pub(super) fn add_long_name(&mut self, name: &[u8]) -> Result<(), ArchiveError> {
        let end = name.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
        set(&mut self.name, name[..end].to_vec())
    }

    /// Adds the records of a pax header.
    pub(super) fn add_pax(&mut self, records: &[u8]) -> Result<(), ArchiveError> {
        for record in Records(records) {
            match record? {
                (b"path", path) => set(&mut self.name, path.to_vec())?,
                (b"size", size) => set(&mut self.size_bytes, decimal(size).ok_or_else(malformed)?)?,
                (key, _) => self.is_sparse |= key.starts_with(b"GNU.sparse.") || key == b"SCHILY.realsize",
            }
        }
        Ok(())
    }
}

/// Rejects a global header, which applies to all following entries, if it sets a property that matters here.
pub(super) fn check_global(records: &[u8]) -> Result<(), ArchiveError> {
    let mut extensions = Extensions::default();
    extensions.add_pax(records)?;
    match extensions {
        Extensions { name: None, size_bytes: None, is_sparse: false } => Ok(()),
        _ => Err(damaged("one path or size is given for all entries")),
    }
}

/// Sets a value. Readers do not agree on which of two values counts, so a second one is rejected.
fn set<T>(value: &mut Option<T>, new: T) -> Result<(), ArchiveError> {
    match value.replace(new) {
        None => Ok(()),
        Some(_) => Err(damaged("a path or size is given twice for an entry")),
    }
}

/// Records of the form `length key=value\n`, where the length is that of the whole record. A value may contain any
/// bytes, including line ends, so only the length determines where a record ends.
struct Records<'a>(&'a [u8]);

impl<'a> Iterator for Records<'a> {
    type Item = Result<(&'a [u8], &'a [u8]), ArchiveError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.0.is_empty() {
            return None;
        }
        let record = split_record(self.0);
        self.0 = record.map_or(b"", |(_, rest)| rest);
        Some(record.map(|(record, _)| record).ok_or_else(malformed))
    }
}

type Record<'a> = (&'a [u8], &'a [u8]);

fn split_record(records: &[u8]) -> Option<(Record<'_>, &[u8])> {
    let space = records.iter().position(|byte| *byte == b' ')?;
    let length = usize::try_from(decimal(&records[..space])?).ok()?;
    let (record, rest) = records.split_at_checked(length)?;
    let pair = record.get(space + 1..)?.strip_suffix(b"\n")?;
    let equals = pair.iter().position(|byte| *byte == b'=')?;
    Some(((&pair[..equals], &pair[equals + 1..]), rest))
}

fn decimal(digits: &[u8]) -> Option<u64> {
    let is_decimal = digits.iter().all(u8::is_ascii_digit);
    is_decimal.then(|| str::from_utf8(digits).ok()?.parse().ok()).flatten()
}

fn malformed() -> ArchiveError {
    damaged("a pax record is malformed")
}

fn damaged(reason: &str) -> ArchiveError {
    ArchiveError::Damaged(reason.to_owned())
}
