//! Renders the blocks of a stream.

use crate::{
    Result, blocking,
    format::{FileView, RepoIndexes},
    indexes::{ListedFile, deflate},
};

/// The maximum number of entries of the block that new entries are added to.
pub(super) const OPEN_ENTRIES: usize = 32;

/// The maximum number of entries of a block.
pub(super) const BLOCK_ENTRIES: usize = 512;

/// The maximum size of a block's text, unless one entry or group is larger.
pub(super) const BLOCK_BYTES: usize = 512 << 10;

/// The maximum size of the facts that a block is rendered from, unless those of one entry or group are larger.
pub(super) const FACTS_BYTES: usize = 8 << 20;

/// A file with the group of its entry.
#[derive(Clone)]
pub(super) struct GroupedFile {
    pub(super) file: ListedFile,
    pub(super) group: Option<String>,
}

impl GroupedFile {
    fn facts_size(&self) -> usize {
        self.file.view.about.as_ref().map_or(0, Vec::len)
    }
}

/// A rendered block.
pub(super) struct RenderedBlock {
    /// The files that it lists.
    pub(super) files: Vec<(i64, Option<String>)>,
    /// The number of its entries.
    pub(super) entries: i64,
    pub(super) text: Vec<u8>,
    /// The size of the facts that it is rendered from.
    pub(super) facts_size: usize,
    /// The text as a piece of deflate, if the stream is compressed.
    pub(super) piece: Option<Vec<u8>>,
}

impl RenderedBlock {
    /// A block of a log, whose entries are its lines.
    pub(super) fn of_lines(text: Vec<u8>) -> Self {
        let entries = text.iter().filter(|byte| **byte == b'\n').count();
        let entries = i64::try_from(entries).unwrap_or(i64::MAX);
        Self { files: Vec::new(), entries, text, facts_size: 0, piece: None }
    }

    /// The bytes that are stored.
    pub(super) fn stored(&self) -> &[u8] {
        self.piece.as_ref().unwrap_or(&self.text)
    }
}

/// How a stream is rendered.
#[derive(Clone)]
pub(super) struct Renderer {
    pub(super) indexes: &'static dyn RepoIndexes,
    pub(super) stream: String,
    pub(super) is_compressed: bool,
}

impl Renderer {
    /// Renders one block of all these files, off the threads that serve requests.
    pub(super) async fn block(&self, files: Vec<GroupedFile>) -> Result<RenderedBlock> {
        let renderer = self.clone();
        blocking::run(move || renderer.render(files)).await
    }

    /// Renders blocks of at most this many files, as many as are needed for their limits.
    pub(super) async fn blocks(&self, files: Vec<GroupedFile>, entries: usize) -> Result<Vec<RenderedBlock>> {
        let mut blocks = Vec::new();
        let mut parts = cut(files, entries);
        parts.reverse();
        while let Some(part) = parts.pop() {
            let renderer = self.clone();
            let rendered = blocking::run(move || renderer.render_or_halve(part)).await?;
            match rendered {
                Ok(block) => blocks.push(block),
                Err([first, second]) => parts.extend([second, first]),
            }
        }
        Ok(blocks)
    }

    fn render_or_halve(&self, files: Vec<GroupedFile>) -> std::result::Result<RenderedBlock, [Vec<GroupedFile>; 2]> {
        let text = self.text(&files);
        let middle = files.len() / 2;
        // A group is in one block, so the halves meet where a group ends.
        let is_end = |at: &usize| files[*at].group.is_none() || files[*at].group != files[*at - 1].group;
        let end = (middle..files.len()).chain((1..middle).rev()).filter(|at| *at > 0).find(is_end);
        match end.filter(|_| text.len() > BLOCK_BYTES) {
            Some(end) => {
                let mut first = files;
                let second = first.split_off(end);
                Err([first, second])
            }
            None => Ok(self.finish(files, text)),
        }
    }

    fn render(&self, files: Vec<GroupedFile>) -> RenderedBlock {
        let text = self.text(&files);
        self.finish(files, text)
    }

    fn text(&self, files: &[GroupedFile]) -> Vec<u8> {
        let views: Vec<FileView> = files.iter().map(|file| file.file.view.clone()).collect();
        self.indexes.render(&self.stream, &views)
    }

    fn finish(&self, files: Vec<GroupedFile>, text: Vec<u8>) -> RenderedBlock {
        let piece = self.is_compressed.then(|| deflate::compress(&text));
        let facts_size = files.iter().map(GroupedFile::facts_size).sum();
        let files: Vec<_> = files.into_iter().map(|GroupedFile { file, group }| (file.id, group)).collect();
        let entries = i64::try_from(files.len()).unwrap_or(i64::MAX);
        RenderedBlock { files, entries, text, facts_size, piece }
    }
}

/// Cuts files into parts of at most this many, but never a group.
fn cut(mut files: Vec<GroupedFile>, most: usize) -> Vec<Vec<GroupedFile>> {
    files.sort_by(|left, right| (&left.group, left.file.id).cmp(&(&right.group, right.file.id)));
    let mut parts: Vec<Vec<GroupedFile>> = Vec::new();
    for file in files {
        let is_full = |part: &Vec<GroupedFile>| {
            let is_same_group = file.group.is_some() && part.last().is_some_and(|last| last.group == file.group);
            let facts_size = part.iter().map(GroupedFile::facts_size).sum::<usize>() + file.facts_size();
            (part.len() >= most || facts_size > FACTS_BYTES) && !is_same_group
        };
        match parts.last_mut() {
            Some(part) if !is_full(part) => part.push(file),
            _ => parts.push(vec![file]),
        }
    }
    parts
}
