//! Records the finished pieces of a file, so that the next pull resumes there.

use std::{
    collections::BTreeSet,
    fs::{self, OpenOptions},
    io::Write,
    path::PathBuf,
};

/// The size of a piece, which is the range of one request.
pub(super) const PIECE: u64 = 8 << 20;

/// The list of finished pieces next to an unfinished file: the SHA-256 of the content, then one number per line.
#[derive(Debug)]
pub(super) struct FinishedPieces {
    list: PathBuf,
    sha256: String,
    done: BTreeSet<u64>,
}

impl FinishedPieces {
    /// Loads the list of an earlier pull. Ignores pieces of other content.
    pub(super) fn load(list: PathBuf, sha256: &str, has_part: bool) -> Self {
        let text = fs::read_to_string(&list).unwrap_or_default();
        let mut lines = text.lines();
        let is_same = has_part && lines.next() == Some(sha256);
        let done = lines.filter(|_| is_same).filter_map(|line| line.parse().ok()).collect();
        Self { list, sha256: sha256.to_owned(), done }
    }

    /// The missing pieces of a file of this size: number, first and last byte.
    pub(super) fn missing(&self, size: u64) -> Vec<(u64, u64, u64)> {
        let all =
            (0..size.div_ceil(PIECE)).map(|number| (number, number * PIECE, ((number + 1) * PIECE).min(size) - 1));
        all.filter(|(number, _, _)| !self.done.contains(number)).collect()
    }

    /// The number of finished bytes.
    pub(super) fn bytes(&self, size: u64) -> u64 {
        size - self.missing(size).iter().map(|(_, first, last)| last - first + 1).sum::<u64>()
    }

    /// Records a piece that was written to disk.
    pub(super) fn record(&mut self, number: u64) -> std::io::Result<()> {
        if self.done.is_empty() {
            fs::write(&self.list, format!("{}\n", self.sha256))?;
        }
        self.done.insert(number);
        writeln!(OpenOptions::new().append(true).open(&self.list)?, "{number}")
    }

    /// Removes the list.
    pub(super) fn remove(&self) {
        let _ = fs::remove_file(&self.list);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_found_again_for_the_same_content_only() {
        let folder = tempfile::tempdir().expect("a folder");
        let list = folder.path().join("list");
        let size = PIECE * 2 + 5;
        let mut pieces = FinishedPieces::load(list.clone(), "one", true);
        assert_eq!(pieces.missing(size).len(), 3);
        assert_eq!(pieces.missing(size)[2], (2, PIECE * 2, size - 1));
        pieces.record(2).expect("written");
        pieces.record(0).expect("written");

        let again = FinishedPieces::load(list.clone(), "one", true);
        assert_eq!(again.missing(size), [(1, PIECE, PIECE * 2 - 1)]);
        assert_eq!(again.bytes(size), PIECE + 5);
        assert_eq!(FinishedPieces::load(list.clone(), "two", true).missing(size).len(), 3);
        assert_eq!(FinishedPieces::load(list, "one", false).missing(size).len(), 3);
    }
}
