//! Answers from rows: searches, completions and the registration of one version.

use operations::format::{NativeCall, PackageView, Rows, VersionView};

use super::{
    id::NugetId,
    indexes::{is_unlisted, registered},
    registration,
    routes::QUERY,
    search::{self, NugetHit},
    version::NugetVersion,
};

/// The document that rows answer with.
pub(super) fn document(call: &NativeCall<'_>, rows: &Rows) -> Option<String> {
    let has_prereleases = call.query("prerelease").is_some_and(|value| value.eq_ignore_ascii_case("true"));
    match rows {
        Rows::Found { packages, total } => {
            let hits: Vec<NugetHit> = packages.iter().filter_map(|package| hit(package, has_prereleases)).collect();
            if call.route.path == QUERY {
                return Some(search::search_answer(*total, &hits));
            }
            let ids: Vec<NugetId> = hits.into_iter().map(|hit| hit.id).collect();
            Some(search::autocomplete_ids(*total, &ids))
        }
        Rows::Package(package) if call.query("id").is_some() => {
            let versions = listed(package, has_prereleases).map(|(version, _)| version);
            Some(search::autocomplete_versions(&versions.collect::<Vec<_>>()))
        }
        Rows::Package(package) => {
            let version = registered(package.versions.first()?).ok()??;
            Some(registration::registration_leaf(&version))
        }
        _ => None,
    }
}

/// A package with its listed versions; `None` without any.
fn hit(package: &PackageView, has_prereleases: bool) -> Option<NugetHit> {
    let versions: Vec<(NugetVersion, u64)> =
        listed(package, has_prereleases).map(|(version, _)| (version, 0)).collect();
    if versions.is_empty() {
        return None;
    }
    // The latest version has its files, and so the id as it is spelled.
    let latest = package.versions.iter().find_map(|version| registered(version).ok()?);
    let id = latest.as_ref().map(|latest| latest.nuspec.id.clone());
    Some(NugetHit {
        id: id.or_else(|| NugetId::parse(package.name.as_str()).ok())?,
        description: package.profile.description.clone(),
        authors: latest.map(|latest| latest.nuspec.authors).unwrap_or_default(),
        tags: package.profile.labels.clone(),
        versions,
    })
}

fn listed(package: &PackageView, has_prereleases: bool) -> impl Iterator<Item = (NugetVersion, &VersionView)> {
    let listed = package.versions.iter().filter(|version| !is_unlisted(version));
    let numbered = listed.filter_map(|version| Some((NugetVersion::parse(version.name.as_str()).ok()?, version)));
    numbered.filter(move |(version, _)| has_prereleases || !version.is_prerelease())
}
