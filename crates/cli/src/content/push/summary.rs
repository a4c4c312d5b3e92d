//! The result of a push.

use serde::Serialize;

use crate::{
    address::VersionAddress,
    error::{Error, ExitKind, Result},
    output::{count, size},
};

/// How a file reached the server.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum PushOutcome {
    /// It failed.
    #[default]
    Failed,
    /// As a request body.
    Uploaded,
    /// By its checksum: the server had the content already.
    Deployed,
    /// The version already had the file.
    Identical,
}

/// One file of a push.
#[derive(Debug, Clone, Default, Serialize)]
pub(super) struct SentFile {
    pub(super) path: String,
    pub(super) size: u64,
    pub(super) sha256: String,
    pub(super) sent: PushOutcome,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<String>,
}

/// The result of a push.
#[derive(Debug, Serialize)]
pub(super) struct Summary {
    pub(super) address: String,
    pub(super) files: Vec<SentFile>,
    pub(super) signed: bool,
    /// The number of published files; absent without `--publish`.
    pub(super) published: Option<u64>,
}

impl Summary {
    pub(super) fn new(at: &VersionAddress, files: Vec<SentFile>) -> Self {
        Self { address: at.to_string(), files, signed: false, published: None }
    }

    /// Returns an error unless every file was sent.
    pub(super) fn check_sent(&self) -> Result<()> {
        let failed = self.files.iter().filter(|file| file.error.is_some()).count();
        if failed == 0 {
            return Ok(());
        }
        let of = count(self.files.len(), "file");
        let error = Error::new(ExitKind::Transfer, format!("{failed} of {of} failed to upload; nothing was published"));
        Err(error.hint("push again; files that the server already has are not sent again"))
    }

    /// Whether any file was not in the version before.
    pub(super) fn has_new_files(&self) -> bool {
        self.files.iter().any(|file| file.sent != PushOutcome::Identical)
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
            self.outcomes(&good).join(", ")
        ));
        if self.signed {
            lines.push("signed all files of the version".to_owned());
        }
        if let Some(files) = self.published {
            lines.push(match files {
                0 => "nothing new to publish".to_owned(),
                files => format!("published {}", count(usize::try_from(files).unwrap_or(usize::MAX), "file")),
            });
        }
        lines.join("\n")
    }

    fn outcomes(&self, good: &[&SentFile]) -> Vec<String> {
        let number = |sent| good.iter().filter(|file| file.sent == sent).count();
        let parts = [
            (number(PushOutcome::Uploaded), "uploaded"),
            (number(PushOutcome::Deployed), "known to the server by checksum"),
            (number(PushOutcome::Identical), "already there"),
        ];
        let parts = parts.iter().filter(|(number, _)| *number > 0);
        let parts: Vec<String> = parts.map(|(number, outcome)| format!("{number} {outcome}")).collect();
        if parts.is_empty() { vec!["none uploaded".to_owned()] } else { parts }
    }
}
