//! What a push has done.

use serde::Serialize;

use crate::{
    address::VersionAddress,
    error::{Error, ExitKind, Result},
    output::{count, size},
};

/// How a file got to the server.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum PushOutcome {
    /// It did not.
    #[default]
    Failed,
    /// As a body.
    Uploaded,
    /// By its checksum: the server had the content somewhere.
    Deployed,
    /// It was there.
    Identical,
}

/// A file of a push.
#[derive(Debug, Clone, Default, Serialize)]
pub(super) struct SentFile {
    pub(super) path: String,
    pub(super) size: u64,
    pub(super) sha256: String,
    pub(super) sent: PushOutcome,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<String>,
}

/// A push.
#[derive(Debug, Serialize)]
pub(super) struct Summary {
    pub(super) address: String,
    pub(super) files: Vec<SentFile>,
    pub(super) signed: bool,
    /// How many files were published; absent when none should be.
    pub(super) published: Option<u64>,
}

impl Summary {
    pub(super) fn new(at: &VersionAddress, files: Vec<SentFile>) -> Self {
        Self { address: at.to_string(), files, signed: false, published: None }
    }

    /// Insists that every file was sent.
    pub(super) fn check_sent(&self) -> Result<()> {
        let failed = self.files.iter().filter(|file| file.error.is_some()).count();
        if failed == 0 {
            return Ok(());
        }
        let of = count(self.files.len(), "file");
        let error =
            Error::new(ExitKind::Transfer, format!("{failed} of {of} could not be uploaded; nothing was published"));
        Err(error.hint("push again; what is there already is not sent twice"))
    }

    pub(super) fn to_text(&self) -> String {
        let mut lines = Vec::new();
        for file in &self.files {
            if let Some(error) = &file.error {
                lines.push(format!("failed  {}: {}", file.path, error.replace('\n', "; ")));
            }
        }
        let good: Vec<&SentFile> = self.files.iter().filter(|file| file.error.is_none()).collect();
        let bytes = good.iter().map(|file| file.size).sum();
        lines.push(format!(
            "{} ({}) in {}: {}",
            count(good.len(), "file"),
            size(bytes),
            self.address,
            self.ways(&good).join(", ")
        ));
        if self.signed {
            lines.push("signed all files of the version".to_owned());
        }
        if let Some(files) = self.published {
            lines.push(match files {
                0 => "there was nothing new to publish".to_owned(),
                files => format!("published {}", count(usize::try_from(files).unwrap_or(usize::MAX), "file")),
            });
        }
        lines.join("\n")
    }

    fn ways(&self, good: &[&SentFile]) -> Vec<String> {
        let number = |sent| good.iter().filter(|file| file.sent == sent).count();
        let parts = [
            (number(PushOutcome::Uploaded), "uploaded"),
            (number(PushOutcome::Deployed), "known to the server by checksum"),
            (number(PushOutcome::Identical), "there already"),
        ];
        let parts = parts.iter().filter(|(number, _)| *number > 0);
        let parts: Vec<String> = parts.map(|(number, way)| format!("{number} {way}")).collect();
        if parts.is_empty() { vec!["none uploaded".to_owned()] } else { parts }
    }
}
