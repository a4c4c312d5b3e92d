//! The files that `repomd.xml` lists.

use operations::format::BuiltStream;

use super::{extras::RpmExtra, index::RpmStream};

/// The stream with this name, and the folder of its metadata root, which ends with `/` or is empty.
pub(super) fn split(name: &str) -> Option<(&str, RpmStream)> {
    let end = name.rfind('/').map_or(0, |at| at + 1);
    let stream = RpmStream::ALL.into_iter().find(|stream| stream.name() == &name[end..])?;
    Some((&name[..end], stream))
}

/// A file that `repomd.xml` lists.
#[derive(Debug, Clone, Copy)]
pub(super) enum IndexKind {
    /// Packages.
    Packages(RpmStream),
    /// A document of a user.
    Extra(RpmExtra),
}

impl IndexKind {
    /// The kind of a stream, with the folder of its metadata root.
    pub(super) fn of_stream(built: &BuiltStream) -> Option<(&str, Self)> {
        if let Some((root, stream)) = split(&built.name) {
            return Some((root, Self::Packages(stream)));
        }
        let end = built.name.rfind('/').map_or(0, |at| at + 1);
        let extra = RpmExtra::ALL.into_iter().find(|extra| extra.name() == &built.name[end..]);
        extra.map(|extra| (&built.name[..end], Self::Extra(extra)))
    }

    /// Whether `repomd.xml` lists it. A document that was deleted leaves an empty stream.
    pub(super) fn is_listed(self, built: &BuiltStream) -> bool {
        matches!(self, Self::Packages(_)) || built.entries > 0
    }

    /// Its place in the document.
    pub(super) fn position(self) -> usize {
        match self {
            Self::Packages(stream) => RpmStream::ALL.iter().position(|known| *known == stream).unwrap_or(0),
            Self::Extra(extra) => 3 + RpmExtra::ALL.iter().position(|known| *known == extra).unwrap_or(0),
        }
    }

    /// Its type.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Packages(stream) => stream.name(),
            Self::Extra(extra) => extra.name(),
        }
    }

    /// Whether the compressed file is listed.
    pub(super) fn is_compressed(self) -> bool {
        match self {
            Self::Packages(_) => true,
            Self::Extra(extra) => extra.is_compressed(),
        }
    }

    /// Its name without the digest.
    pub(super) fn file(self) -> String {
        let compression = if self.is_compressed() { ".gz" } else { "" };
        match self {
            Self::Packages(stream) => format!("{}.xml{compression}", stream.name()),
            Self::Extra(extra) => format!("{}{compression}", extra.file()),
        }
    }
}
