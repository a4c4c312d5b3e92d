//! A publish that is being received.

use blobs::{BoxError, ReceiveOptions};
use bytes::Bytes;
use futures_util::Stream;
use model::{access::Right, address::RepoAddress, digest::hex, file_path::FilePath};

use crate::{
    Caller, Error, House, RepoAccess, Result,
    access::RepoGrants,
    accounts::storage_quotas::{self, By},
    content::{NativeContent, as_refusal},
    format::{Accepted, Format, Native, NativeAnswer, NativeCall, Sent, SentFile},
    native::{change, listed, native_of, publish, refusal::refused},
    signing::{self, SigningOptions},
    storage::store,
};

/// The maximum number of files in one body.
const FILES: usize = 64;

/// Up to this size the MD5 is computed while the body arrives.
const MD5_BYTES: u64 = 4 << 20;

/// A publish that is being received. Nothing of it is visible, and nothing is stored for good, until it is finished.
pub struct NativeUpload<'h> {
    pub(super) house: &'h House,
    pub(super) caller: &'h Caller,
    pub(super) at: RepoAddress,
    pub(super) access: RepoAccess,
    pub(super) native: &'static dyn Native,
    pub(super) files: Vec<NativeContent>,
    expected_bytes: Option<u64>,
    received_bytes: u64,
    sent: Sent,
}

impl<'h> NativeUpload<'h> {
    /// Checks everything that is known before a byte of the body is read: that the caller may publish in the repository
    /// or in a part of it, the storage quota, and whether signatures can be made.
    pub async fn begin(
        house: &'h House,
        caller: &'h Caller,
        at: &RepoAddress,
        expected_bytes: Option<u64>,
    ) -> Result<Self> {
        let reach = RepoGrants::find(&house.db, caller, at, Right::Publish).await?;
        let access = reach.enter_any(caller, Right::Publish)?;
        let native = native_of(house, &access)?;
        if storage_quotas::is_bound(house, &access.repo) {
            let needed = i64::try_from(expected_bytes.unwrap_or(1)).unwrap_or(i64::MAX);
            storage_quotas::check_before(house, By { caller, access: &access }, needed).await?;
        }
        if !access.repo.profile.native_staged {
            let path = FilePath::parse("package").map_err(|error| Error::Internal(error.to_string()))?;
            signing::check_ready(house, caller, &access.repo, &path, &SigningOptions::default()).await?;
        }
        let (files, sent) = (Vec::new(), Sent::default());
        Ok(Self { house, caller, at: at.clone(), access, native, files, expected_bytes, received_bytes: 0, sent })
    }

    /// The format of the repository.
    pub(super) fn format(&self) -> &'static dyn Format {
        self.house.format(&self.access.repo.kind)
    }

    /// Streams one file of the body to the store, hashed, but not a file of anything yet.
    pub async fn receive<S, E>(&mut self, field: String, file_name: String, body: S) -> Result<()>
    where
        S: Stream<Item = std::result::Result<Bytes, E>> + Send,
        E: Into<BoxError>,
    {
        if self.files.len() >= FILES {
            return Err(Error::Refused(format!("A request can have at most {FILES} files")));
        }
        let max_bytes = self.house.policy.upload_bytes;
        let options = ReceiveOptions {
            max_bytes: max_bytes.saturating_sub(self.received_bytes),
            sha1: true,
            md5: self.expected_bytes.is_some_and(|bytes| bytes <= MD5_BYTES),
            sha512: self.format().needs_sha512(),
        };
        let pending = self.house.blobs.receive(body, options).await.map_err(|error| match error {
            blobs::Error::TooLarge { .. } => Error::from(blobs::Error::TooLarge { max_bytes }),
            other => other.into(),
        })?;
        self.received_bytes += pending.size;
        self.sent.files.push(SentFile {
            field,
            file_name,
            size_bytes: pending.size,
            sha256: pending.digest(),
            sha1: pending.sha1.map(|sum| hex(&sum)).unwrap_or_default(),
            sha512: pending.sha512.map(|sum| hex(&sum)),
            about: None,
        });
        self.files.push(NativeContent::Pending(pending));
        Ok(())
    }

    /// Rejects a body of one file that does not have the SHA-1 which its sender has announced.
    pub fn check_sha1(&self, expected: &str) -> Result<()> {
        match self.sent.files.first() {
            Some(file) if !file.sha1.eq_ignore_ascii_case(expected.trim()) => {
                Err(Error::Refused(format!("The body has the SHA-1 {}, and not {}", file.sha1, expected.trim())))
            }
            _ => Ok(()),
        }
    }

    /// Adds a text field of a form.
    pub fn add_field(&mut self, name: String, value: String) {
        self.sent.fields.push((name, value));
    }

    /// Sets the document, or the text of a body without files.
    pub fn set_document(&mut self, bytes: Vec<u8>) {
        self.sent.document = bytes;
    }

    /// Interprets the body, and publishes or stages its files, or applies its changes. When this returns `Ok`,
    /// everything is durable; after a refusal, there is nothing of it.
    pub async fn finish(mut self, call: &NativeCall<'_>) -> Result<NativeAnswer> {
        let native = self.native;
        if let Some(path) = native.unnamed_file(call) {
            self.look(&path).await?;
        }
        match native.accept(call, &self.sent).map_err(|refusal| refused(call, refusal))? {
            Accepted::Publish(publish) => {
                let published = (*publish).clone();
                let files = native.lists(call, &self.sent).map_err(|refusal| refused(call, refusal))?;
                let listed = listed::find(&self, &files).await?;
                publish::run(self, call, *publish).await?;
                listed.publish().await?;
                Ok(native.published(call, &published))
            }
            Accepted::Changes(changes) => {
                change::apply(self.house, self.caller, &self.at, &changes).await?;
                Ok(native.changed(call, &changes))
            }
        }
    }

    /// Stores the files and inspects them, because only their content tells what they are. A collector removes those
    /// that no row refers to in the end.
    async fn look(&mut self, path: &FilePath) -> Result<()> {
        let format = self.format();
        for (file, sent) in std::mem::take(&mut self.files).into_iter().zip(&mut self.sent.files) {
            let stored = file.store(self.house).await?;
            let found = store::inspect(self.house, format, path, &stored.blob).await.map_err(as_refusal)?;
            sent.about = found.about;
            self.files.push(NativeContent::Stored(stored));
        }
        Ok(())
    }
}
