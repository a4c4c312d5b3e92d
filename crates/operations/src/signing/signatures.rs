//! The contents and texts that a plan signs, and the signatures that a call has made.

use std::collections::{BTreeMap, BTreeSet};

use model::{blob::Blob, id::BlobId};

use crate::{Error, Result};

/// Contents and texts to sign.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ToSign {
    /// The ids of the blobs.
    pub(crate) contents: BTreeSet<BlobId>,
    pub(crate) texts: BTreeSet<String>,
}

impl ToSign {
    pub(crate) fn is_empty(&self) -> bool {
        self.contents.is_empty() && self.texts.is_empty()
    }
}

/// Signatures by one key. They are stored by what they sign, so they stay valid when the database changes.
#[derive(Debug, Default)]
pub(crate) struct Signatures {
    /// The key's fingerprint; `None` without a key.
    pub(super) fingerprint: Option<String>,
    /// The stored signature of each blob.
    pub(super) contents: BTreeMap<BlobId, Blob>,
    /// The armored signature of each text.
    pub(super) texts: BTreeMap<String, String>,
}

impl Signatures {
    /// Returns whether all of it is signed.
    pub(crate) fn cover(&self, what: &ToSign) -> bool {
        what.contents.iter().all(|id| self.contents.contains_key(id))
            && what.texts.iter().all(|text| self.texts.contains_key(text))
    }

    /// The part of it that is not signed yet.
    pub(super) fn missing(&self, mut what: ToSign) -> ToSign {
        what.contents.retain(|id| !self.contents.contains_key(id));
        what.texts.retain(|text| !self.texts.contains_key(text));
        what
    }

    /// The signature of a blob, and the fingerprint of the key that made it.
    pub(crate) fn of_content(&self, blob_id: BlobId) -> Result<(&Blob, &str)> {
        let made = self.contents.get(&blob_id).zip(self.fingerprint.as_deref());
        made.ok_or_else(|| Error::Internal(format!("blob {blob_id} is not signed")))
    }

    /// The armored signature of a text.
    pub(crate) fn of_text(&self, text: &str) -> Result<&str> {
        self.texts.get(text).map(String::as_str).ok_or_else(|| Error::Internal("an index is not signed".into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn to_sign(contents: &[i64], texts: &[&str]) -> ToSign {
        let texts = texts.iter().map(|text| (*text).to_owned()).collect();
        ToSign { contents: contents.iter().copied().map(BlobId::new).collect(), texts }
    }

    #[test]
    fn only_what_has_no_signature_is_missing() {
        let texts = BTreeMap::from([("index".to_owned(), "signature".to_owned())]);
        let signatures = Signatures { texts, ..Signatures::default() };
        assert_eq!(signatures.missing(to_sign(&[1], &["index", "other"])), to_sign(&[1], &["other"]));
        assert!(signatures.missing(to_sign(&[], &["index"])).is_empty());
        assert!(signatures.cover(&to_sign(&[], &["index"])));
        assert!(!signatures.cover(&to_sign(&[1], &[])) && !signatures.cover(&to_sign(&[], &["index", "other"])));
        assert_eq!(signatures.of_text("index"), Ok("signature"));
        assert!(signatures.of_text("other").is_err() && signatures.of_content(BlobId::new(1)).is_err());
    }
}
