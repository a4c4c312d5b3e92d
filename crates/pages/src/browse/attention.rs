//! What waits for a user, on the home page.

use model::{
    attention::{FailingWebhook, StagedVersion},
    timestamp::Timestamp,
};
use operations::events::attention;
use web::{App, error::Result};

use super::releases::is_prerelease;
use crate::{address, sizes, visitor::Visitor};

/// A version that waits to be published.
pub(crate) struct StagedRow {
    pub(crate) kind: String,
    /// The package, with its repository and owner.
    pub(crate) package: String,
    pub(crate) version: String,
    pub(crate) address: String,
    pub(crate) is_private: bool,
    pub(crate) is_draft: bool,
    pub(crate) is_prerelease: bool,
    pub(crate) created: Timestamp,
    /// The number of its staged files in words.
    pub(crate) files: String,
    /// The size of these files.
    pub(crate) size: String,
    /// The licences of the package.
    pub(crate) license: String,
}

/// A webhook that fails.
pub(crate) struct FailingRow {
    /// The package, with its repository and owner.
    pub(crate) package: String,
    /// The page of its webhooks.
    pub(crate) address: String,
    /// What happened.
    pub(crate) text: String,
}

/// What waits for the visitor; nothing without a session.
pub(crate) async fn find(app: &App, visitor: &Visitor) -> Result<(Vec<StagedRow>, Vec<FailingRow>)> {
    if !visitor.may_change() {
        return Ok((Vec::new(), Vec::new()));
    }
    let found = attention::list(app.house(), &visitor.caller).await?;
    Ok((
        found.staged.into_iter().map(|found| staged(app, found)).collect(),
        found.webhooks.into_iter().map(failing).collect(),
    ))
}

fn staged(app: &App, found: StagedVersion) -> StagedRow {
    StagedRow {
        is_prerelease: is_prerelease(app, &found.kind, &found.version),
        package: format!("{}/{}/{}", found.owner, found.repo, found.package),
        address: address::path([&*found.owner, &*found.repo, &*found.package, &*found.version]),
        is_private: found.is_private,
        is_draft: found.is_draft,
        created: found.created,
        files: sizes::counted(found.files.unsigned_abs(), "file"),
        size: sizes::bytes(found.bytes.unsigned_abs()),
        license: found.licenses.join(", "),
        kind: found.kind,
        version: found.version,
    }
}

fn failing(found: FailingWebhook) -> FailingRow {
    // The path and the query of a URL may contain secrets.
    let host = found.url.split("://").nth(1).and_then(|rest| rest.split(['/', '?', '#']).next()).unwrap_or_default();
    let times = sizes::counted(found.failures.unsigned_abs(), "callback");
    let text = if found.is_active {
        format!("{times} to {host} failed in a row.")
    } else {
        format!("It is switched off: {times} to {host} failed in a row.")
    };
    let page = address::path([&*found.owner, &*found.repo, &*found.package]);
    FailingRow {
        package: format!("{}/{}/{}", found.owner, found.repo, found.package),
        address: format!("/-/webhooks{page}"),
        text,
    }
}
