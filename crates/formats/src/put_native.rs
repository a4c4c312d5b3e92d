//! Uploads by a plain PUT of a file. Its path, or else its content, names the package and the version.

use model::{
    file_path::FilePath,
    names::{PackageName, VersionName},
};
use operations::format::{
    Accepted, Body, Dialect, Facts, ListedFile, Native, NativeAnswer, NativeCall, NativeFile, NativeProfile,
    NativePublish, NativeRequest, NativeRoute, Refusal, Rows, Sent, SentFile,
};

use crate::indexed::decode;

/// Where a file goes.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct PutFile {
    /// The package.
    pub(crate) package: String,
    /// The version.
    pub(crate) version: String,
    /// The path in the repository.
    pub(crate) path: String,
    /// What the request says about the file, from which the facts of its row are made.
    pub(crate) metadata: Option<String>,
}

/// The requests of a format whose clients only send files.
#[derive(Debug)]
pub(crate) struct PutNative {
    /// The requests.
    pub(crate) routes: &'static [NativeRoute],
    /// The path at which the content of an upload is inspected, if only that tells where the file goes.
    pub(crate) inspected: fn(&NativeCall<'_>) -> Option<String>,
    /// Tells where the file of an upload goes.
    pub(crate) place: fn(&NativeCall<'_>, &SentFile) -> Result<PutFile, String>,
    /// The facts of a file's row, from what the request says and what its inspection has found.
    pub(crate) facts: fn(&str, &[u8]) -> Option<Facts>,
    /// The files that the file of an upload lists.
    pub(crate) lists: fn(&NativeCall<'_>, &SentFile) -> Result<Vec<ListedFile>, String>,
}

impl PutNative {
    /// Uploads whose paths name the package and the version.
    pub(crate) const fn of_paths(
        routes: &'static [NativeRoute],
        place: fn(&NativeCall<'_>, &SentFile) -> Result<PutFile, String>,
    ) -> Self {
        Self { routes, inspected: |_| None, place, facts: |_, _| None, lists: |_, _| Ok(Vec::new()) }
    }
}

/// What the inspection of an uploaded file has found.
pub(crate) fn found<T: serde::de::DeserializeOwned>(sent: &SentFile) -> Result<T, String> {
    decode(sent.about.as_deref().ok_or("the body is not a package")?)
}

/// The meaning of an upload.
pub(crate) fn take(_call: &NativeCall<'_>) -> Result<NativeRequest, Refusal> {
    Ok(NativeRequest::Take(Body::Raw))
}

impl Native for PutNative {
    fn dialect(&self) -> Dialect {
        Dialect::Message
    }

    fn routes(&self) -> &'static [NativeRoute] {
        self.routes
    }

    fn unnamed_file(&self, call: &NativeCall<'_>) -> Option<FilePath> {
        FilePath::parse(&(self.inspected)(call)?).ok()
    }

    fn sent_facts(&self, metadata: &[u8], about: &[u8]) -> Option<Facts> {
        (self.facts)(str::from_utf8(metadata).ok()?, about)
    }

    fn lists(&self, call: &NativeCall<'_>, sent: &Sent) -> Result<Vec<ListedFile>, Refusal> {
        sent.files.first().map_or_else(|| Ok(Vec::new()), |file| (self.lists)(call, file)).map_err(Refusal::Invalid)
    }

    fn accept(&self, call: &NativeCall<'_>, sent: &Sent) -> Result<Accepted, Refusal> {
        let [sent] = &sent.files[..] else { return Err(Refusal::Invalid("the body is not one file".to_owned())) };
        let file = (self.place)(call, sent).map_err(Refusal::Invalid)?;
        let invalid = |reason: String| Refusal::Invalid(reason);
        let package = PackageName::parse(&file.package).map_err(|error| invalid(error.to_string()))?;
        let version = VersionName::parse_new(&file.version).map_err(|error| invalid(error.to_string()))?;
        let path = FilePath::parse_new(&file.path).map_err(|error| invalid(error.to_string()))?;
        let files = vec![NativeFile { part: 0, path, metadata: file.metadata.map(String::into_bytes) }];
        let publish = NativePublish { package, version, files, profile: NativeProfile::default(), tags: Vec::new() };
        Ok(Accepted::Publish(Box::new(publish)))
    }

    fn answer(&self, _call: &NativeCall<'_>, _rows: &Rows) -> Option<NativeAnswer> {
        None
    }

    fn done(&self, _call: &NativeCall<'_>) -> NativeAnswer {
        let content = "{\"message\":\"success\"}".to_owned();
        NativeAnswer { status: 201, media_type: "application/json", content }
    }
}

/// Splits a text at the last `-`, this many times: `hello-1.0-1` has the parts `hello`, `1.0` and `1`.
pub(crate) fn split_end<const N: usize>(text: &str) -> Option<[&str; N]> {
    let mut parts = [""; N];
    let mut rest = text;
    for part in parts.iter_mut().skip(1).rev() {
        (rest, *part) = rest.rsplit_once('-')?;
    }
    parts[0] = rest;
    parts.iter().all(|part| !part.is_empty()).then_some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_split_from_its_end() {
        assert_eq!(split_end("my-lib-1.0-h1_0"), Some(["my-lib", "1.0", "h1_0"]));
        assert_eq!(split_end("my-lib-1.0-1-any"), Some(["my-lib", "1.0", "1", "any"]));
        assert_eq!((split_end::<3>("a-1"), split_end::<3>("-1-2"), split_end::<2>("a-")), (None, None, None));
    }
}
