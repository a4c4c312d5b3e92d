//! What an access key opens, as lines of its page.

use model::{overview::OpenedPart, timestamp::Timestamp};
use operations::accounts::openings::Openings;
use web::App;

use super::releases::is_prerelease;
use crate::{address, band::first_line, sizes};

/// A package or a repository that the key opens.
pub(crate) struct Opened {
    pub(crate) kind: String,
    pub(crate) place: String,
    pub(crate) name: String,
    pub(crate) address: String,
    pub(crate) description: String,
    /// Its version: the one that the key opens, or the latest.
    pub(crate) version: String,
    pub(crate) is_prerelease: bool,
    pub(crate) is_signed: bool,
    pub(crate) is_yanked: bool,
    /// The licences of the package.
    pub(crate) license: String,
    pub(crate) released: Option<Timestamp>,
    pub(crate) size: String,
    pub(crate) packages: String,
}

/// A folder or a file that the key opens.
pub(crate) struct OpenedFolder {
    pub(crate) name: String,
    pub(crate) address: String,
}

/// Terms about a version.
pub(crate) struct TermsLine {
    pub(crate) name: String,
    pub(crate) address: String,
    pub(crate) is_accepted: bool,
}

/// The packages.
pub(crate) fn opened(app: &App, found: &Openings) -> Vec<Opened> {
    let line = |part: &OpenedPart| {
        let (package, id) = (part.package.clone()?, part.package_id?);
        let latest = found.latest.get(&id);
        let page = address::path([part.owner.as_str(), &part.repo, &package]);
        let version = part.version.clone().or_else(|| latest.map(|latest| latest.name.clone())).unwrap_or_default();
        let is_latest = latest.is_some_and(|latest| latest.name == version);
        let latest = latest.filter(|_| is_latest);
        Some(Opened {
            kind: part.kind.clone(),
            place: format!("{}/{}", part.owner, part.repo),
            address: if version.is_empty() { page } else { format!("{page}{}", address::path([version.as_str()])) },
            name: package,
            description: first_line(part.description.as_deref().unwrap_or_default()),
            is_prerelease: is_prerelease(app, &part.kind, &version),
            is_signed: latest.is_some_and(|latest| latest.is_signed),
            is_yanked: part.is_yanked || latest.is_some_and(|latest| latest.is_yanked),
            license: part.licenses.join(", "),
            released: latest.and_then(|latest| latest.released),
            size: latest.map(|latest| sizes::bytes(latest.bytes.unsigned_abs())).unwrap_or_default(),
            packages: String::new(),
            version,
        })
    };
    found.parts.iter().filter_map(line).collect()
}

/// The folders and files.
pub(crate) fn folders(found: &Openings) -> Vec<OpenedFolder> {
    let line = |part: &OpenedPart| {
        let path = part.path.as_deref()?;
        let segments = ["-", "files", part.owner.as_str(), part.repo.as_str()].into_iter().chain(path.split('/'));
        Some(OpenedFolder { name: format!("{}/{}/{path}", part.owner, part.repo), address: address::path(segments) })
    };
    found.parts.iter().filter_map(line).collect()
}

/// The repositories.
pub(crate) fn repos(found: &Openings) -> Vec<Opened> {
    let line = |repo: &model::overview::OpenedRepo| Opened {
        kind: repo.kind.clone(),
        place: repo.owner.clone(),
        name: repo.name.clone(),
        address: address::path([repo.owner.as_str(), &repo.name]),
        description: first_line(&repo.description),
        version: String::new(),
        is_prerelease: false,
        is_signed: false,
        is_yanked: false,
        license: String::new(),
        released: None,
        size: String::new(),
        packages: sizes::counted(repo.package_count.unsigned_abs(), "package"),
    };
    found.repos.iter().map(line).collect()
}

/// The terms, first those that are not accepted yet.
pub(crate) fn terms(found: &Openings) -> Vec<TermsLine> {
    let line = |terms: &operations::access::agreements::VersionTerms| TermsLine {
        name: format!("{} {}", terms.title, terms.version),
        address: address::path(["eula", terms.owner.as_str(), &terms.product, &terms.version]),
        is_accepted: terms.is_accepted,
    };
    let mut lines: Vec<TermsLine> = found.terms.iter().map(line).collect();
    lines.sort_by_key(|line| line.is_accepted);
    lines
}
