//! Why a command did not succeed, and the exit code that says so. `docs/cli.md` has the same table.

/// What went wrong, by its exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ExitKind {
    /// Anything that has no code of its own.
    Failed = 1,
    /// The command line asks for something that cannot be.
    Usage = 2,
    /// Credentials are missing or wrong.
    SignedOut = 3,
    /// The server knows who asks, and refuses.
    Denied = 4,
    /// There is no such thing.
    Missing = 5,
    /// It exists already, or something else stands in the way.
    Conflict = 6,
    /// No server answers.
    Unreachable = 7,
    /// The server asks to come back later.
    Busy = 8,
    /// Some files could not be sent or fetched.
    Transfer = 10,
    /// What was stored or fetched is not what it should be.
    Content = 11,
    /// A signature is missing or does not verify.
    Signature = 12,
    /// All files are there, and signing or publishing them failed.
    Publish = 13,
    /// The user has stopped it.
    Interrupted = 130,
}

/// Why a command did not succeed, and what to do next.
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

    /// Something on this machine that did not work.
    pub(crate) fn local(what: impl std::fmt::Display, cause: impl std::fmt::Display) -> Self {
        Self::new(ExitKind::Failed, format!("{what}: {cause}"))
    }

    /// With a next step.
    pub(crate) fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }

    /// The code that the process ends with.
    pub fn exit_code(&self) -> u8 {
        self.kind as u8
    }

    /// The same for programs.
    pub fn to_json(&self) -> serde_json::Value {
        serde_json::json!({"error": {"code": self.exit_code(), "message": self.message, "hint": self.hint}})
    }
}
