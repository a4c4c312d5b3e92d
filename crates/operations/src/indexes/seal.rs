//! Makes the files of a generation: the streams, and the documents over them with their signatures.

use std::collections::{BTreeMap, BTreeSet};

use database::indexes::index_files::IndexFile;
use model::{digest::hex, timestamp::Timestamp};
use sha2::{Digest, Sha256};

use crate::{
    Error, House, Result,
    format::{SealedContent, SealedFile},
    indexes::{IndexedRepo, build, deflate, stream::StreamBuild},
    signing::signer::{SignatureForm, Signer},
};

/// The input of a seal.
pub(super) struct SealPlan<'s> {
    pub(super) repo: &'s IndexedRepo,
    pub(super) builds: &'s [StreamBuild],
    pub(super) generation: i64,
    pub(super) now: Timestamp,
    /// Whether documents are made again although nothing has changed.
    pub(super) is_forced: bool,
}

/// The files of a generation.
#[derive(Default)]
pub(super) struct SealedFiles {
    pub(super) inserted: Vec<IndexFile>,
    /// The files that are replaced or go, with whether their paths name their digests.
    pub(super) ended: Vec<(i64, bool)>,
    pub(super) seal_by: Option<Timestamp>,
}

impl SealPlan<'_> {
    /// Makes the files. Those that stay the same keep their rows.
    pub(super) async fn seal(
        &self,
        house: &House,
        live: Vec<IndexFile>,
        mut signer: Option<Signer<'_>>,
    ) -> Result<SealedFiles> {
        let sealed = self.repo.indexes.seal(&build::built(self.builds), &self.repo.repo, self.now);
        let mut before: BTreeMap<String, IndexFile> = live.into_iter().map(|file| (file.path.clone(), file)).collect();
        let is_other_key = has_other_key(&sealed.files, &before, signer.as_ref())?;
        let mut files = SealedFiles { seal_by: sealed.seal_by, ..SealedFiles::default() };
        // Documents by path, each with whether it is new.
        let mut documents: BTreeMap<String, (Vec<u8>, bool)> = BTreeMap::new();
        for file in sealed.files {
            let stays = before.get(&file.path).filter(|_| !self.is_forced && self.is_same(&file));
            let made = match &file.content {
                SealedContent::Plain(name) | SealedContent::Gzip(name) => {
                    if stays.is_some() {
                        None
                    } else {
                        Some(self.stream_file(&file, name)?)
                    }
                }
                SealedContent::Document(bytes) => {
                    let digest = hex(&Sha256::digest(bytes));
                    let same = before.get(&file.path).filter(|row| row.sha256.as_deref() == Some(&digest));
                    let kept = stays.or(same).map(|row| row.head.clone());
                    let content = kept.clone().unwrap_or_else(|| bytes.clone());
                    documents.insert(file.path.clone(), (content, kept.is_none()));
                    if kept.is_some() { None } else { Some(self.document(&file, bytes.clone())) }
                }
                SealedContent::Detached(of) | SealedContent::Cleartext(of) => {
                    let Some(signer) = signer.as_mut() else { continue };
                    let unsigned = || Error::Internal(format!("'{of}' has a signature and does not exist"));
                    let (text, is_new) = documents.get(of).ok_or_else(unsigned)?;
                    if !is_new && !is_other_key && before.contains_key(&file.path) {
                        None
                    } else {
                        let form = match file.content {
                            SealedContent::Cleartext(_) => SignatureForm::Cleartext,
                            _ => SignatureForm::Detached,
                        };
                        let signed = signer.sign_document(text, form, self.now).await?;
                        Some(self.document(&file, signed.into_bytes()))
                    }
                }
                SealedContent::PublicKey { is_armored } => {
                    let Some(key) = signer.as_ref().and_then(|signer| signer.public_key()) else { continue };
                    let bytes = public_key(key, *is_armored)?;
                    let is_same = before.get(&file.path).is_some_and(|row| row.head == bytes);
                    if is_same { None } else { Some(self.document(&file, bytes)) }
                }
            };
            let replaced = before.remove(&file.path);
            if let Some(made) = made {
                files.ended.extend(replaced.map(|row| (row.id, row.is_lasting)));
                files.inserted.push(IndexFile { id: house.next_id(), ..made });
            }
        }
        files.ended.extend(before.into_values().map(|row| (row.id, row.is_lasting)));
        Ok(files)
    }

    /// Whether none of the streams that a file is about has changed.
    fn is_same(&self, file: &SealedFile) -> bool {
        let changed: BTreeSet<&str> =
            self.builds.iter().filter(|build| build.is_changed).map(|build| build.stream.name.as_str()).collect();
        !file.streams.is_empty() && file.streams.iter().all(|name| !changed.contains(name.as_str()))
    }

    fn stream_file(&self, file: &SealedFile, name: &str) -> Result<IndexFile> {
        let unknown = || Error::Internal(format!("'{}' is made of a stream that does not exist", file.path));
        let build = self.builds.iter().find(|build| build.stream.name == name).ok_or_else(unknown)?;
        let (frame, finished) = (&build.frame, &build.finished);
        let row = |form: &crate::format::BuiltForm, [head, joint, tail]: [Vec<u8>; 3], is_inflated| {
            let sha256 = Some(form.sha256.clone()).filter(|digest| !digest.is_empty());
            let size = i64::try_from(form.size_bytes).unwrap_or(i64::MAX);
            let stream_id = Some(build.stream.id);
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
            _ => return Err(unknown()),
        })
    }

    fn document(&self, file: &SealedFile, head: Vec<u8>) -> IndexFile {
        let (size, sha256) = (i64::try_from(head.len()).unwrap_or(i64::MAX), Some(hex(&Sha256::digest(&head))));
        IndexFile { head, size, sha256, ..self.row(file) }
    }

    fn row(&self, file: &SealedFile) -> IndexFile {
        IndexFile {
            id: 0,
            path: file.path.clone(),
            generation: self.generation,
            stream_id: None,
            is_inflated: false,
            is_lasting: file.is_lasting,
            head: Vec::new(),
            joint: Vec::new(),
            tail: Vec::new(),
            size: 0,
            sha256: None,
            created: self.now.millis(),
            until: None,
        }
    }
}

/// Whether the key is another one than that of the signatures so far.
fn has_other_key(
    files: &[SealedFile],
    before: &BTreeMap<String, IndexFile>,
    signer: Option<&Signer<'_>>,
) -> Result<bool> {
    let Some(key) = signer.and_then(Signer::public_key) else { return Ok(false) };
    for file in files {
        let SealedContent::PublicKey { is_armored } = file.content else { continue };
        let bytes = public_key(key, is_armored)?;
        if before.get(&file.path).is_none_or(|row| row.head != bytes) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn public_key(armored: &str, is_armored: bool) -> Result<Vec<u8>> {
    if is_armored { Ok(armored.as_bytes().to_vec()) } else { crate::signing::binary_key(armored) }
}
