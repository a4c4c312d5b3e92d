//! Indexes of a whole repository: texts of blocks, and small documents over them.

use model::{file_path::FilePath, repo::Repo, timestamp::Timestamp};

use crate::format::{Content, FileView, Inspected, StreamLog};

/// Indexes that list all files of a repository. They are made of streams: texts of blocks, one after the other. A
/// change renders the blocks that it concerns, and the documents over the streams.
pub trait RepoIndexes: Send + Sync {
    /// A number that is different when the code renders other texts than before, or identifies packages by others.
    /// Repositories are then rebuilt.
    fn edition(&self) -> i64;

    /// The streams that also an empty repository has.
    fn fixed_streams(&self) -> &'static [&'static str] {
        &[]
    }

    /// The streams that a file of this repository has an entry in.
    fn entries(&self, file: &FileView, repo: &Repo) -> Vec<StreamEntry>;

    /// What clients know a package by, such as its name, version and architecture, once for each part of the repository
    /// that they read as a whole. Two files with the same text and other content contradict each other.
    fn identities(&self, _path: &FilePath, _content: &Inspected, _repo: &Repo) -> Vec<String> {
        Vec::new()
    }

    /// The name of further facts about content that entries of this repository need. They are read when a generation
    /// lists the content for the first time.
    fn details(&self, _repo: &Repo) -> Option<&'static str> {
        None
    }

    /// Whether the entries of a stream are made of these facts. Its files have them in place of the others.
    fn is_detailed(&self, _stream: &str) -> bool {
        false
    }

    /// Reads these facts, or returns the reason why the content has none.
    fn inspect_details(&self, _path: &FilePath, _content: &mut dyn Content) -> Result<Option<Vec<u8>>, String> {
        Ok(None)
    }

    /// Whether all entries of one stream are also entries of another, as packages for all architectures are listed for
    /// each. The other stream exists because of files of its own.
    fn shares(&self, _stream: &str, _with: &str) -> bool {
        false
    }

    /// The texts around the blocks of a stream. What is before and between the blocks depends on the name only.
    fn frame(&self, stream: &str, at: Timestamp) -> Frame;

    /// The text of one block: the entries of these files.
    fn render(&self, stream: &str, files: &[FileView]) -> Vec<u8>;

    /// How a stream is written, if it is a log. `render` then makes the text of a part of its entries for a caller who
    /// may read no others.
    fn log(&self, _stream: &str) -> Option<&dyn StreamLog> {
        None
    }

    /// The mark of versions whose files have no entries.
    fn hidden_mark(&self) -> Option<&'static str> {
        None
    }

    /// Whether the file at this path is made from the text of a stream when it is read.
    fn is_derived(&self, _path: &str) -> bool {
        false
    }

    /// The content of such a file.
    fn derive(&self, _path: &str, text: Vec<u8>) -> Vec<u8> {
        text
    }

    /// If the file at this path is a part of others: the beginning of their paths. Parts have no rows; all parts of a file
    /// are made together when one of them is read.
    fn part_of(&self, _path: &str) -> Option<String> {
        None
    }

    /// Whether the file at this path has parts.
    fn has_parts(&self, _path: &str) -> bool {
        false
    }

    /// The parts of the file at a path, each with its own path.
    fn parts(&self, _path: &str, _text: &[u8]) -> Vec<(String, Vec<u8>)> {
        Vec::new()
    }

    /// Whether the path of a part names the digest of its content. Such a part is also found in files that were replaced
    /// a while ago.
    fn is_lasting_part(&self, _path: &str) -> bool {
        false
    }

    /// The tar that says whose signature this is, if an RSA key signs [`WrappedStream`]s.
    fn signature_tar(&self, _key_name: &str, _signature: &[u8]) -> Vec<u8> {
        Vec::new()
    }

    /// The signatures that clients of the indexes know.
    fn signing(&self) -> IndexSigning {
        IndexSigning::OpenPgp
    }

    /// The files of the indexes. Documents over others come after them.
    fn seal(&self, streams: &[BuiltStream], repo: &Repo, at: Timestamp) -> Sealed;
}

/// The kind of the signatures of indexes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IndexSigning {
    /// OpenPGP signatures by the GPG key of the repository.
    OpenPgp,
    /// Plain RSA signatures by the GPG key of the repository, which must be an RSA key.
    Rsa,
    /// usign signatures by a key that the server makes for the owner.
    Usign,
}

impl IndexSigning {
    /// Whether the GPG key of the repository signs.
    pub fn needs_gpg_key(self) -> bool {
        self != Self::Usign
    }
}

/// An entry of a file in a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreamEntry {
    /// The name of the stream.
    pub stream: String,
    /// Entries of the same group are in the same block.
    pub group: Option<String>,
}

/// The texts around the blocks of a stream.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Frame {
    /// The text before the first block.
    pub before: Vec<u8>,
    /// The text between two blocks.
    pub between: Vec<u8>,
    /// The text after the last block.
    pub after: Vec<u8>,
    /// Whether the stream is also a gzip file. Then the digests of both forms are known.
    pub is_compressed: bool,
}

/// A stream, built.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuiltStream {
    /// Its name.
    pub name: String,
    /// The number of its entries.
    pub entries: u64,
    /// Its text.
    pub plain: BuiltForm,
    /// Its gzip file, if it is compressed.
    pub gzip: Option<BuiltForm>,
}

/// One form of a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuiltForm {
    /// The size.
    pub size_bytes: u64,
    /// The SHA-256 in hexadecimal digits; empty if the stream is not compressed.
    pub sha256: String,
}

/// The files of the indexes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sealed {
    /// The files, each after those that it is about.
    pub files: Vec<SealedFile>,
    /// When documents are made again, because clients refuse old ones.
    pub seal_by: Option<Timestamp>,
}

/// A file of the indexes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SealedFile {
    /// Its path in the repository.
    pub path: String,
    /// Its content.
    pub content: SealedContent,
    /// Whether the path names the digest of the content.
    pub is_lasting: bool,
    /// The streams that it is about. It stays as it is while they do.
    pub streams: Vec<String>,
}

/// The content of a file of the indexes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SealedContent {
    /// The text of a stream.
    Plain(String),
    /// The gzip file of a stream.
    Gzip(String),
    /// The texts of two streams, and texts around them.
    Pair(Box<StreamPair>),
    /// A gzip file of a stream with texts around it that depend on the stream. If the repository signs its indexes, a
    /// gzip file with the RSA signature of these bytes comes before it.
    Wrapped(Box<WrappedStream>),
    /// A document.
    Document(Vec<u8>),
    /// The armored signature of the document at this path, if the repository signs its indexes.
    Detached(String),
    /// The binary signature of the gzip file of a stream at this path, if the repository signs its indexes.
    DetachedGzip(String),
    /// The document at this path with a cleartext signature around it, if the repository signs its indexes.
    Cleartext(String),
    /// The public key of the signatures, armored or not, if the repository signs its indexes.
    PublicKey {
        /// Whether it is armored.
        is_armored: bool,
    },
    /// The public key of RSA signatures in PEM, if the repository signs its indexes.
    RsaPublicKey,
    /// The usign signature of the text of a stream, if the repository signs its indexes.
    Usign(String),
    /// The public key of usign signatures, if the repository signs its indexes.
    UsignPublicKey,
}

/// The texts of two streams that are one file, with texts around them. Both streams are compressed or not, and have the
/// same text between their blocks. One that does not exist has no text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreamPair {
    /// The text before the first stream.
    pub before: Vec<u8>,
    /// The first stream.
    pub first: String,
    /// The text between the streams.
    pub between: Vec<u8>,
    /// The second stream.
    pub second: String,
    /// The text after the second stream.
    pub after: Vec<u8>,
}

/// A stream with texts around it that depend on the stream. Its own frame is empty, and it is compressed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrappedStream {
    /// The stream.
    pub stream: String,
    /// The text before it.
    pub before: Vec<u8>,
    /// The text after it.
    pub after: Vec<u8>,
    /// The name of the key, as clients know it.
    pub key_name: String,
}

impl SealedFile {
    /// A file that replaces its predecessor at the same path.
    pub fn new(path: impl Into<String>, content: SealedContent, streams: &[String]) -> Self {
        Self { path: path.into(), content, is_lasting: false, streams: streams.to_vec() }
    }

    /// A file whose path names its digest.
    pub fn lasting(path: impl Into<String>, content: SealedContent, streams: &[String]) -> Self {
        Self { is_lasting: true, ..Self::new(path, content, streams) }
    }
}
