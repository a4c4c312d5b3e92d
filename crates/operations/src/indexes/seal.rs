//! Makes the files of a generation: the streams, and the documents over them with their signatures.

use std::collections::{BTreeMap, BTreeSet};

use database::indexes::index_files::IndexFile;
use model::{digest::hex, timestamp::Timestamp};
use sha2::{Digest, Sha256};

use crate::{
    Error, House, Result, blocking,
    format::{SealedContent, SealedFile, WrappedStream},
    indexes::{IndexedRepo, build, index_keys::IndexKeys, stream::StreamBuild, whole},
    signing::{
        signer::{SignatureForm, Signer},
        usign,
    },
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

/// What becomes of a file.
enum Made {
    /// It stays as it is.
    Same,
    /// It is new.
    New(Box<IndexFile>),
    /// The repository does not sign its indexes.
    Unsigned,
}

impl From<Option<IndexFile>> for Made {
    fn from(row: Option<IndexFile>) -> Self {
        row.map_or(Made::Same, |row| Made::New(Box::new(row)))
    }
}

/// A seal in progress.
struct Sealing<'p, 'h> {
    plan: &'p SealPlan<'p>,
    house: &'h House,
    signer: Option<Signer<'h>>,
    keys: IndexKeys,
    /// The files before, by path.
    before: BTreeMap<String, IndexFile>,
    is_other_key: bool,
    /// Documents by path, each with whether it is new.
    documents: BTreeMap<String, (Vec<u8>, bool)>,
    /// Gzip files of streams by path: the stream, and whether the file is new.
    gzips: BTreeMap<String, (String, bool)>,
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
        let before: BTreeMap<String, IndexFile> = live.into_iter().map(|file| (file.path.clone(), file)).collect();
        let keys = IndexKeys::read(house, self.repo, signer.as_mut(), &sealed.files).await?;
        let is_other_key = keys.are_other(&sealed.files, &before)?;
        let (documents, gzips) = (BTreeMap::new(), BTreeMap::new());
        let mut sealing = Sealing { plan: self, house, signer, keys, before, is_other_key, documents, gzips };
        let mut files = SealedFiles { seal_by: sealed.seal_by, ..SealedFiles::default() };
        for file in sealed.files {
            let made = sealing.make(&file).await?;
            if matches!(made, Made::Unsigned) {
                continue;
            }
            let replaced = sealing.before.remove(&file.path);
            if let Made::New(made) = made {
                files.ended.extend(replaced.map(|row| (row.id, row.is_lasting)));
                files.inserted.push(IndexFile { id: house.next_id(), ..*made });
            }
        }
        files.ended.extend(sealing.before.into_values().map(|row| (row.id, row.is_lasting)));
        Ok(files)
    }

    /// Whether none of the streams that a file is about has changed.
    fn is_same(&self, file: &SealedFile) -> bool {
        let changed: BTreeSet<&str> =
            self.builds.iter().filter(|build| build.is_changed).map(|build| build.stream.name.as_str()).collect();
        !file.streams.is_empty() && file.streams.iter().all(|name| !changed.contains(name.as_str()))
    }

    /// The stream with this name, as it is built.
    pub(super) fn find(&self, name: &str) -> Result<&StreamBuild> {
        let unknown = || Error::Internal(format!("an index is made of the stream '{name}', which does not exist"));
        self.builds.iter().find(|build| build.stream.name == name).ok_or_else(unknown)
    }
}

impl Sealing<'_, '_> {
    async fn make(&mut self, file: &SealedFile) -> Result<Made> {
        let plan = self.plan;
        let stays = self.before.contains_key(&file.path) && !plan.is_forced && plan.is_same(file);
        Ok(match &file.content {
            SealedContent::Plain(name) | SealedContent::Gzip(name) => {
                if matches!(file.content, SealedContent::Gzip(_)) {
                    self.gzips.insert(file.path.clone(), (name.clone(), !stays));
                }
                let row = if stays { None } else { Some(plan.stream_row(file, plan.find(name)?)?) };
                row.into()
            }
            SealedContent::Pair(pair) => (!stays).then(|| plan.pair_row(file, pair)).into(),
            SealedContent::Wrapped(wrapped) => {
                let row = if stays && !self.is_other_key { None } else { Some(self.wrapped(file, wrapped).await?) };
                row.into()
            }
            SealedContent::Document(bytes) => self.document(file, bytes, stays).into(),
            SealedContent::Detached(of) => self.signed(file, of, SignatureForm::Detached).await?,
            SealedContent::Cleartext(of) => self.signed(file, of, SignatureForm::Cleartext).await?,
            SealedContent::DetachedGzip(of) => self.signed_gzip(file, of).await?,
            SealedContent::Usign(stream) => self.usign(file, stream, stays).await?,
            SealedContent::PublicKey { .. } | SealedContent::RsaPublicKey | SealedContent::UsignPublicKey => {
                self.public_key(file)?
            }
        })
    }

    fn public_key(&self, file: &SealedFile) -> Result<Made> {
        let Some(bytes) = self.keys.bytes(&file.content)? else { return Ok(Made::Unsigned) };
        let is_same = self.before.get(&file.path).is_some_and(|row| row.head == bytes);
        Ok((!is_same).then(|| self.plan.document_row(file, bytes)).into())
    }

    fn document(&mut self, file: &SealedFile, bytes: &[u8], stays: bool) -> Option<IndexFile> {
        let digest = hex(&Sha256::digest(bytes));
        let same = |row: &&IndexFile| stays || row.sha256.as_deref() == Some(&digest);
        let kept = self.before.get(&file.path).filter(same).map(|row| row.head.clone());
        let is_new = kept.is_none();
        self.documents.insert(file.path.clone(), (kept.unwrap_or_else(|| bytes.to_vec()), is_new));
        is_new.then(|| self.plan.document_row(file, bytes.to_vec()))
    }

    async fn signed(&mut self, file: &SealedFile, of: &str, form: SignatureForm) -> Result<Made> {
        let Some(signer) = self.signer.as_mut() else { return Ok(Made::Unsigned) };
        let (text, is_new) = self.documents.get(of).ok_or_else(|| unsigned(of))?;
        if !is_new && !self.is_other_key && self.before.contains_key(&file.path) {
            return Ok(Made::Same);
        }
        let signed = signer.sign_document(text, form, self.plan.now).await?;
        Ok(Some(self.plan.document_row(file, signed.into_bytes())).into())
    }

    async fn signed_gzip(&mut self, file: &SealedFile, of: &str) -> Result<Made> {
        let Some(signer) = self.signer.as_mut() else { return Ok(Made::Unsigned) };
        let (stream, is_new) = self.gzips.get(of).ok_or_else(|| unsigned(of))?;
        if !is_new && !self.is_other_key && self.before.contains_key(&file.path) {
            return Ok(Made::Same);
        }
        let bytes = whole::gzip(self.house, self.plan.find(stream)?).await?;
        let signed = signer.sign_binary(&bytes, self.plan.now).await?;
        Ok(Some(self.plan.document_row(file, signed)).into())
    }

    async fn usign(&mut self, file: &SealedFile, stream: &str, stays: bool) -> Result<Made> {
        let Some(key) = self.keys.usign.clone() else { return Ok(Made::Unsigned) };
        if stays && !self.is_other_key {
            return Ok(Made::Same);
        }
        let gzip = whole::gzip(self.house, self.plan.find(stream)?).await?;
        let text = blocking::run(move || whole::inflate(&gzip)).await??;
        let signed = usign::sign(self.house, &key, text).await?;
        Ok(Some(self.plan.document_row(file, signed)).into())
    }

    async fn wrapped(&mut self, file: &SealedFile, wrapped: &WrappedStream) -> Result<IndexFile> {
        let build = self.plan.find(&wrapped.stream)?;
        let finished = &build.finished;
        let (head, tail) = whole::around(wrapped, &finished.built.plain, &finished.tail)?;
        let mut front = Vec::new();
        if let (Some(signer), Some(_)) = (self.signer.as_mut(), &self.keys.rsa) {
            let bytes = [&head[..], &whole::pieces(self.house, build).await?, &tail].concat();
            let signature = signer.sign_rsa(bytes).await?;
            front = whole::member(&self.plan.repo.indexes.signature_tar(&wrapped.key_name, &signature));
        }
        Ok(self.plan.wrapped_row(file, build, [front, head, tail]))
    }
}

fn unsigned(of: &str) -> Error {
    Error::Internal(format!("'{of}' has a signature and does not exist"))
}
