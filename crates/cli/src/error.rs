//! Errors of commands and their exit codes. `docs/cli.md` has the same table.

/// The exit codes of client commands and their meaning, for manual pages.
pub const EXIT_CODES: [(&str, &str); 14] = [
    ("0", "done"),
    ("1", "any other error"),
    ("2", "the command line is not valid, or a confirmation was not given"),
    ("3", "credentials are missing or wrong"),
    ("4", "you may not do this"),
    ("5", "not found"),
    ("6", "it already exists, or something else conflicts with it"),
    ("7", "the server does not respond"),
    ("8", "the server is busy, or a limit is reached; try later"),
    ("10", "some files failed to upload or download"),
    ("11", "stored or downloaded content is not as expected"),
    ("12", "a signature is missing or does not verify"),
    ("13", "all files are staged, but signing or publishing them failed"),
    ("130", "interrupted; nothing is half-published"),
];

/// The kind of an error, which decides the exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ExitKind {
    /// Any other error.
    Failed = 1,
    /// The command line is not valid.
    Usage = 2,
    /// Credentials are missing or wrong.
    SignedOut = 3,
    /// The server denies it to this user.
    Denied = 4,
    /// Not found.
    Missing = 5,
    /// It already exists, or something else conflicts with it.
    Conflict = 6,
    /// The server does not respond.
    Unreachable = 7,
    /// The server asks to retry later.
    Busy = 8,
    /// Some files failed to upload or download.
    Transfer = 10,
    /// Stored or downloaded content is not as expected.
    Content = 11,
    /// A signature is missing or does not verify.
    Signature = 12,
    /// All files are uploaded, but signing or publishing them failed.
    Publish = 13,
    /// The user interrupted it.
    Interrupted = 130,
}

/// The reason why a command failed, and a hint.
#[derive(Debug, thiserror::Error)]
#[error("{message}{}", hint_line(.hint.as_deref()))]
pub struct Error {
    pub(crate) kind: ExitKind,
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
}

/// The result of a command.
pub(crate) type Result<T> = std::result::Result<T, Error>;

fn hint_line(hint: Option<&str>) -> String {
    hint.map(|hint| format!("\nhint: {hint}")).unwrap_or_default()
}

impl Error {
    pub(crate) fn new(kind: ExitKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), hint: None }
    }

    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::new(ExitKind::Usage, message)
    }

    /// An error on this machine.
    pub(crate) fn local(what: impl std::fmt::Display, cause: impl std::fmt::Display) -> Self {
        Self::new(ExitKind::Failed, format!("{what}: {cause}"))
    }

    /// Adds a hint.
    pub(crate) fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }

    /// The exit code of the process.
    pub fn exit_code(&self) -> u8 {
        self.kind as u8
    }

    /// The error as JSON.
    pub fn to_json(&self) -> serde_json::Value {
        serde_json::json!({"error": {"code": self.exit_code(), "message": self.message, "hint": self.hint}})
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_manual_has_the_same_exit_codes() {
        let manual = include_str!("../../../docs/cli.md");
        for (code, meaning) in EXIT_CODES {
            assert!(manual.contains(&format!("| {code} | {meaning} |")), "{code}: {meaning}");
        }
    }
}
