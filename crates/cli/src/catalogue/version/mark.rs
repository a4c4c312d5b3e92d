//! `packhouse version yank`, `unyank`, `deprecate` and `undeprecate`.

use clap::Args;
use reqwest::Method;

use crate::{
    address::VersionAddress,
    error::Result,
    session::{Change, Session, body},
};

/// A version that gets a mark
#[derive(Debug, Args)]
pub struct MarkVersion {
    /// owner/repo/package/version
    #[arg(value_name = "ADDRESS")]
    at: VersionAddress,
    /// What users of the version read
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
}

/// A version that loses a mark
#[derive(Debug, Args)]
pub struct UnmarkVersion {
    /// owner/repo/package/version
    #[arg(value_name = "ADDRESS")]
    at: VersionAddress,
}

/// A mark of a version.
#[derive(Clone, Copy)]
pub(super) enum MarkKind {
    Yanked,
    Deprecated,
}

impl MarkKind {
    fn change(self, mark: api::Mark) -> api::VersionChange {
        let mark = Some(Some(mark));
        match self {
            Self::Yanked => api::VersionChange { yanked: mark, ..api::VersionChange::default() },
            Self::Deprecated => api::VersionChange { deprecated: mark, ..api::VersionChange::default() },
        }
    }

    /// The verb that sets it, before and after.
    fn set(self) -> (&'static str, &'static str) {
        match self {
            Self::Yanked => ("yank", "yanked"),
            Self::Deprecated => ("deprecate", "deprecated"),
        }
    }

    /// The verb that removes it, before and after.
    fn remove(self) -> (&'static str, &'static str) {
        match self {
            Self::Yanked => ("unyank", "unyanked"),
            Self::Deprecated => ("undeprecate", "undeprecated"),
        }
    }
}

pub(super) async fn set(session: &Session, kind: MarkKind, command: &MarkVersion) -> Result<()> {
    let mark = api::Mark::new(command.reason.as_deref().unwrap_or_default());
    apply(session, kind.set(), &command.at, &kind.change(mark)).await
}

pub(super) async fn remove(session: &Session, kind: MarkKind, command: &UnmarkVersion) -> Result<()> {
    apply(session, kind.remove(), &command.at, &kind.change(api::Mark::Flag(false))).await
}

async fn apply(
    session: &Session,
    (verb, done): (&'static str, &'static str),
    at: &VersionAddress,
    change: &api::VersionChange,
) -> Result<()> {
    let (path, what) = (format!("/packages/{}", at.path()), format!("the version {at}"));
    session.apply(Change { method: Method::PATCH, path, body: Some(body(change)), verb, done, what }).await
}
