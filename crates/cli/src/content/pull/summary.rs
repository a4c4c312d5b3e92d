//! The result of a pull.

use serde::Serialize;

use super::destination::Target;
use crate::{
    error::{Error, ExitKind, Result},
    output::{count, size},
};

/// How a file was obtained.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum PullOutcome {
    Downloaded,
    /// The rest was downloaded; a part existed already.
    Resumed,
    /// The file existed already.
    Identical,
}

/// One file of a pull.
#[derive(Debug, Serialize)]
pub(super) struct PulledFile {
    pub(super) path: String,
    pub(super) file: String,
    size: u64,
    sha256: String,
    pulled: Option<PullOutcome>,
    /// The fingerprint of the key that signed it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) signed_by: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<String>,
    #[serde(skip)]
    pub(super) kind: Option<ExitKind>,
}

impl PulledFile {
    pub(super) fn new(target: &Target, pulled: Result<PullOutcome>) -> Self {
        let (pulled, error) = match pulled {
            Ok(pulled) => (Some(pulled), None),
            Err(error) => (None, Some(error)),
        };
        Self {
            path: target.file.path.clone(),
            file: target.path.display().to_string(),
            size: target.size(),
            sha256: target.file.sha256.clone(),
            pulled,
            signed_by: None,
            kind: error.as_ref().map(|error| error.kind),
            error: error.map(|error| error.to_string().replace('\n', "; ")),
        }
    }

    pub(super) fn refuse(&mut self, kind: ExitKind, reason: String) {
        self.kind = Some(kind);
        self.error = Some(reason);
    }
}

/// The result of a pull.
#[derive(Debug, Serialize)]
pub(super) struct Summary {
    pub(super) address: String,
    pub(super) files: Vec<PulledFile>,
}

impl Summary {
    /// Returns an error unless every file is present and correct. The most severe problem decides the exit code.
    pub(super) fn check(&self) -> Result<()> {
        let kinds: Vec<ExitKind> = self.files.iter().filter_map(|file| file.kind).collect();
        let of = count(self.files.len(), "file");
        let (kind, what) = match () {
            () if kinds.is_empty() => return Ok(()),
            () if kinds.contains(&ExitKind::Signature) => (ExitKind::Signature, "failed the signature check"),
            () if kinds.contains(&ExitKind::Content) => (ExitKind::Content, "failed the content check"),
            () => (ExitKind::Transfer, "failed to download"),
        };
        let bad = kinds.iter().filter(|other| kind == ExitKind::Transfer || **other == kind).count();
        Err(Error::new(kind, format!("{bad} of {of} {what}")))
    }

    pub(super) fn to_text(&self) -> String {
        let bad = self.files.iter().filter_map(|file| file.error.as_ref().map(|error| (file, error)));
        let mut lines: Vec<String> = bad.map(|(file, error)| format!("failed  {}: {error}", file.path)).collect();
        let good: Vec<&PulledFile> = self.files.iter().filter(|file| file.error.is_none()).collect();
        let number = |pulled| good.iter().filter(|file| file.pulled == Some(pulled)).count();
        let parts = [
            (number(PullOutcome::Downloaded), "downloaded"),
            (number(PullOutcome::Resumed), "resumed"),
            (number(PullOutcome::Identical), "already present"),
        ];
        let parts =
            parts.iter().filter(|(number, _)| *number > 0).map(|(number, outcome)| format!("{number} {outcome}"));
        let bytes = good.iter().map(|file| file.size).sum();
        let parts = parts.collect::<Vec<_>>().join(", ");
        let parts = if parts.is_empty() { "none downloaded".to_owned() } else { parts };
        lines.push(format!("{} ({}) of {}: {parts}", count(good.len(), "file"), size(bytes), self.address));
        let signed = good.iter().filter(|file| file.signed_by.is_some()).count();
        if signed > 0 {
            lines.push(format!("{} verified", count(signed, "signature")));
        }
        lines.join("\n")
    }
}
