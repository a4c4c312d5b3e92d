//! The rows of files of indexes.

use database::indexes::index_files::IndexFile;
use model::digest::hex;
use sha2::{Digest, Sha256};

use crate::{
    Error, Result,
    format::{BuiltForm, SealedContent, SealedFile, StreamPair},
    indexes::{deflate, seal::SealPlan, stream::StreamBuild},
};

impl SealPlan<'_> {
    /// The text or the gzip file of a stream.
    pub(super) fn stream_row(&self, file: &SealedFile, build: &StreamBuild) -> Result<IndexFile> {
        let (frame, finished) = (&build.frame, &build.finished);
        let row = |form: &BuiltForm, [head, joint, tail]: [Vec<u8>; 3], is_inflated| {
            let sha256 = Some(form.sha256.clone()).filter(|digest| !digest.is_empty());
            let (size, stream_id) = (size(form.size_bytes), Some(build.stream.id));
            IndexFile { stream_id, is_inflated, head, joint, tail, size, sha256, ..self.row(file) }
        };
        Ok(match (&file.content, &finished.built.gzip) {
            (SealedContent::Gzip(_), Some(form)) => {
                let parts = [deflate::head(&frame.before), deflate::joint(&frame.between), finished.tail.clone()];
                row(form, parts, false)
            }
            (SealedContent::Plain(_), _) => {
                let parts = [frame.before.clone(), frame.between.clone(), frame.after.clone()];
                row(&finished.built.plain, parts, frame.is_compressed)
            }
            _ => return Err(Error::Internal(format!("'{}' is compressed and its stream is not", file.path))),
        })
    }

    /// The texts of two streams.
    pub(super) fn pair_row(&self, file: &SealedFile, pair: &StreamPair) -> IndexFile {
        let (first, second) = (self.find(&pair.first).ok(), self.find(&pair.second).ok());
        let frame = first.or(second).map(|build| build.frame.clone()).unwrap_or_default();
        let texts = [first, second].into_iter().flatten().map(|build| build.finished.built.plain.size_bytes);
        let around = pair.before.len() + pair.between.len() + pair.after.len();
        IndexFile {
            stream_id: first.map(|build| build.stream.id),
            second_stream_id: second.map(|build| build.stream.id),
            is_inflated: frame.is_compressed,
            head: pair.before.clone(),
            joint: frame.between,
            middle: Some(pair.between.clone()),
            tail: pair.after.clone(),
            size: size(texts.sum::<u64>() + around as u64),
            ..self.row(file)
        }
    }

    /// A gzip file around a stream, after a gzip file that is whole already.
    pub(super) fn wrapped_row(&self, file: &SealedFile, build: &StreamBuild, parts: [Vec<u8>; 3]) -> IndexFile {
        let [front, head, tail] = parts;
        let alone = build.finished.built.gzip.as_ref().map_or(0, |form| form.size_bytes);
        let around = deflate::head(&build.frame.before).len() + build.finished.tail.len();
        let pieces = alone.saturating_sub(around as u64);
        let size = size(pieces + (front.len() + head.len() + tail.len()) as u64);
        let (head, joint) = ([front, head].concat(), deflate::joint(&build.frame.between));
        IndexFile { stream_id: Some(build.stream.id), head, joint, tail, size, ..self.row(file) }
    }

    /// A document.
    pub(super) fn document_row(&self, file: &SealedFile, head: Vec<u8>) -> IndexFile {
        let (size, sha256) = (size(head.len() as u64), Some(hex(&Sha256::digest(&head))));
        IndexFile { head, size, sha256, ..self.row(file) }
    }

    fn row(&self, file: &SealedFile) -> IndexFile {
        IndexFile {
            id: 0,
            path: file.path.clone(),
            generation: self.generation,
            stream_id: None,
            second_stream_id: None,
            is_inflated: false,
            is_lasting: file.is_lasting,
            head: Vec::new(),
            joint: Vec::new(),
            middle: None,
            tail: Vec::new(),
            size: 0,
            sha256: None,
            created: self.now.millis(),
            until: None,
        }
    }
}

fn size(bytes: u64) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}
