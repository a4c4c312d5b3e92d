//! What the page of a package shows of it.

use std::collections::HashMap;

use model::{
    address::{PackageAddress, RepoAddress},
    page::{PAGE_SIZE, PageRequest},
    statistics::DailyDownloads,
};
use operations::{
    accounts::ratings::{self, Opinion},
    catalogue::{
        attributes::{self, AttributeSelection, AttributeTarget},
        documents::{self, DocumentAddress},
        overviews,
        packages::PackageDetail,
    },
    rendering::Html,
    usage::statistics::Statistics,
};
use web::{App, error::Result};

use super::{
    attributes::{Attribute, shown_attribute},
    commands::Command,
    image,
    package_numbers::Compared,
    package_parts::{SigningKey, commands_of, signing_key},
    platforms::Platforms,
    releases::{self, VersionLine},
    waiting::{self, Waiting},
};
use crate::{address, errors::allowed, pager::Pager, visitor::Visitor};

/// The versions on the overview; the others are on a page of their own.
const VERSIONS: u64 = 10;

/// What the URL chooses of a package.
pub(super) struct Chosen<'q> {
    pub(super) shows_versions: bool,
    pub(super) start: u64,
    pub(super) platform: &'q str,
}

/// What the page shows of a package.
pub(super) struct ShownPackage {
    pub(super) at: PackageAddress,
    pub(super) detail: PackageDetail,
    /// Its address in its own repository.
    pub(super) own: PackageAddress,
    pub(super) numbers: Option<Compared>,
    pub(super) shows_versions: bool,
    pub(super) versions: Vec<VersionLine>,
    pub(super) pager: Pager,
    pub(super) commands: Vec<Command>,
    pub(super) platforms: Platforms,
    pub(super) attributes: Vec<Attribute>,
    pub(super) readme: Option<Html>,
    pub(super) signing_key: Option<SigningKey>,
    pub(super) waiting: Vec<Waiting>,
    pub(super) opinion: Option<Opinion>,
}

impl ShownPackage {
    /// Finds them all at once: each of them waits for the database several times.
    pub(super) async fn find(
        app: &App,
        visitor: &Visitor,
        at: PackageAddress,
        detail: PackageDetail,
        chosen: &Chosen<'_>,
    ) -> Result<Self> {
        let (house, caller, shows_versions) = (app.house(), &visitor.caller, chosen.shows_versions);
        let (repo, package) = (&detail.access.repo.repo, &detail.access.package);
        let own_repo = RepoAddress { owner: repo.owner.clone(), repo: repo.name.clone() };
        let own = PackageAddress { repo: own_repo, package: package.name.clone() };
        let (target, readme_at) = (AttributeTarget::Package(at.clone()), DocumentAddress::Readme(at.clone()));
        let found = tokio::try_join!(
            async {
                let numbers = Compared::find(app, visitor, &at).await?;
                let window = window(shows_versions, chosen.start);
                let versions = version_lines(app, &at, &detail, numbers.as_ref(), window).await?;
                Ok((numbers, versions))
            },
            commands_of(app, visitor, &at, &detail, chosen.platform),
            async { Ok(attributes::list(house, caller, &target, &AttributeSelection::All).await?) },
            async { allowed(documents::show_html(house, caller, &readme_at).await) },
            signing_key(app, &detail.access.repo),
            waiting::find(app, visitor, &own.repo, Some(&own.package)),
            async {
                let may_rate = visitor.may_change();
                Ok(if may_rate { ratings::find_opinion(house, caller, package.id).await? } else { None })
            },
        )?;
        let ((numbers, versions), (commands, platforms), attributes, readme, signing_key, waiting, opinion) = found;
        let pager = if shows_versions {
            let (parameters, page) = ([("tab", "versions")], address::package(&at));
            Pager::new(&page, &parameters, chosen.start, versions.len(), detail.versions.len() as u64)
        } else {
            Pager::default()
        };
        let attributes = attributes.iter().map(shown_attribute).collect();
        Ok(Self {
            own,
            numbers,
            shows_versions,
            versions,
            pager,
            commands,
            platforms,
            attributes,
            readme,
            signing_key,
            waiting,
            opinion,
            at,
            detail,
        })
    }
}

/// The versions on the page.
async fn version_lines(
    app: &App,
    at: &PackageAddress,
    detail: &PackageDetail,
    numbers: Option<&Compared>,
    window: PageRequest,
) -> Result<Vec<VersionLine>> {
    let versions = overviews::list_versions(app.house(), &detail.access, window).await?;
    let ids = versions.iter().map(|version| (version.id, version.name.clone())).collect::<Vec<_>>();
    let (kind, latest) = (&detail.access.repo.repo.kind, detail.latest_version.as_deref());
    let downloads = downloads_by_version(numbers.map(|numbers| &numbers.now));
    let mut lines = releases::lines(app, kind, &address::package(at), versions, latest, &downloads);
    image::add_to_lines(app, &detail.access, &ids, &mut lines).await?;
    Ok(lines)
}

/// The downloads of each version, if the visitor may see them.
fn downloads_by_version(numbers: Option<&Statistics<DailyDownloads>>) -> HashMap<String, i64> {
    let mut downloads = HashMap::new();
    for record in numbers.into_iter().flat_map(|numbers| &numbers.records) {
        *downloads.entry(record.version.to_string()).or_default() += record.count;
    }
    downloads
}

/// The versions on the page.
fn window(shows_versions: bool, start: u64) -> PageRequest {
    let (start, limit) = if shows_versions { (start, PAGE_SIZE) } else { (0, VERSIONS) };
    PageRequest { start: start.cast_signed(), limit: limit.cast_signed() }
}
