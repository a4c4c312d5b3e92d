//! Streams whose text only grows.

use std::collections::BTreeMap;

use crate::format::FileView;

/// A stream that is a log: clients ask for what was added to the text that they have, so a change adds lines and
/// leaves all others as they are. The lines of a group say together which entries it has, and the last one its state.
/// Entries of a log have a group each.
pub trait StreamLog: Send + Sync {
    /// The label of the entry of a file, which is unique in its group.
    fn label(&self, file: &FileView) -> Option<String>;

    /// The state of a group with these files, such as a digest of another document about them.
    fn state(&self, files: &[FileView]) -> String;

    /// The line for a change of a group.
    fn line(&self, change: &LogChange<'_>) -> Vec<u8>;

    /// Reads all lines of a log.
    fn read(&self, text: &[u8]) -> BTreeMap<String, LogGroup>;
}

/// A change of a group.
#[derive(Debug)]
pub struct LogChange<'c> {
    /// The group.
    pub group: &'c str,
    /// The labels of entries that have gone.
    pub gone: &'c [String],
    /// The labels of new entries, in the order of their publication.
    pub added: &'c [String],
    /// The state after the change.
    pub state: &'c str,
}

/// A group as the lines of a log describe it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LogGroup {
    /// The labels of its entries, in the order of the lines.
    pub labels: Vec<String>,
    /// Its state after the last line.
    pub state: String,
}
