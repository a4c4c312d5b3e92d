//! Guesses which large files the server has. For those, the checksum is sent first; the others are sent immediately.

use std::collections::{HashMap, HashSet};

use super::{files::LocalFile, large::LARGE};
use crate::{address::VersionAddress, session::Session};

/// Maximum number of files of the other version to look at.
const MOST: usize = 500;

/// Names and sizes of files that a push may contain again.
#[derive(Debug, Default)]
pub(super) struct ChecksumHints(HashSet<(String, u64)>);

impl ChecksumHints {
    /// Collects the files of this version and of the newest other one of the package. Makes no request if no file is
    /// large.
    pub(super) async fn of(
        session: &Session,
        at: &VersionAddress,
        locals: &[LocalFile],
        existing: &HashMap<String, api::File>,
    ) -> Self {
        if locals.iter().all(|local| local.size < LARGE) {
            return Self::default();
        }
        // If the request fails, there are no hints, and everything is sent.
        let before = newest_other(session, at).await.unwrap_or_default();
        Self(before.iter().chain(existing.values()).map(|file| (name(&file.path), size(file))).collect())
    }

    /// Returns whether the server probably has the content of a file.
    pub(super) fn has(&self, local: &LocalFile) -> bool {
        self.0.contains(&(name(&local.target), local.size))
    }
}

async fn newest_other(session: &Session, at: &VersionAddress) -> Option<Vec<api::File>> {
    let package: api::Package = session.client.get(&format!("/packages/{}", at.package.path())).await.ok()?;
    let version = package.versions.into_iter().find(|version| *version != at.version)?;
    let other = VersionAddress { package: at.package.clone(), version };
    let path = format!("/packages/{}/files?include_unpublished=1", other.path());
    session.client.pages(&path, MOST).await.ok()
}

fn name(path: &str) -> String {
    path.rsplit('/').next().unwrap_or_default().to_owned()
}

fn size(file: &api::File) -> u64 {
    u64::try_from(file.size).unwrap_or_default()
}
