//! Versions of packages.

use database::{
    ScopedFutureExt, Tx,
    catalogue::{
        attributes::{self, AttributeOwner},
        packages, version_builds, versions,
    },
    content::marks,
};
use model::{
    access::Right,
    address::{PackageAddress, VersionAddress},
    id::{PackageId, VersionId},
    names::VersionName,
    package::Package,
    text,
    timestamp::Timestamp,
    trusted_publisher::Build,
    version::{Version, VersionProfile},
};

use crate::{
    Caller, Error, House, PackageAccess, Result, access,
    audit::{entry, record, record_edits},
    catalogue::{latest, updates},
    change::Edits,
    format::MarkView,
};

/// Changes to a version. Absent fields stay as they are.
#[derive(Debug, Clone, Default)]
pub struct VersionChange {
    /// Its description.
    pub description: Option<String>,
    /// Labels to find it by.
    pub labels: Option<Vec<String>>,
    /// Its tag in the source repository.
    pub vcs_tag: Option<Option<String>>,
    /// Whether release notes come from that tag.
    pub github_use_tag_release_notes: Option<bool>,
    /// The file with release notes in the source repository.
    pub github_release_notes_file: Option<Option<String>>,
    /// Its release time.
    pub released: Option<Option<Timestamp>>,
}

/// A version and its package.
#[derive(Debug, Clone)]
pub struct VersionDetail {
    /// The package, and the caller's right in it.
    pub package: PackageAccess,
    /// The version.
    pub version: Version,
    /// The names of its attributes that the caller may see, in their order.
    pub attribute_names: Vec<String>,
    /// The marks on it, by name.
    pub marks: Vec<MarkView>,
    /// The build that published it last, if a trusted publisher did. Lists have it not.
    pub build: Option<Build>,
}

/// Returns a version, for callers who may read its repository.
#[boxed::future]
pub async fn show(house: &House, caller: &Caller, at: &VersionAddress) -> Result<VersionDetail> {
    show_for(house, caller, at, Right::Read).await
}

/// Returns a version, for callers who have this right in it: the initial values of a form.
#[boxed::future]
pub async fn show_for(house: &House, caller: &Caller, at: &VersionAddress, needed: Right) -> Result<VersionDetail> {
    let package = access::package(&house.db, caller, at, needed).await?;
    let version = package.version(&house.db, &at.version).await?.ok_or_else(|| Error::no_version(at))?;
    detail(house, package, version).await
}

/// Returns the latest version with a published file, or the latest version if none has one.
#[boxed::future]
pub async fn show_latest(house: &House, caller: &Caller, at: &PackageAddress) -> Result<VersionDetail> {
    let package = access::package(&house.db, caller, at, Right::Read).await?;
    let none = || Error::NotFound { what: "Version", name: model::names::LATEST.to_owned() };
    let (format, with_drafts) = (house.format(&package.repo.repo.kind), package.repo.is_publisher());
    let version = latest::find(&house.db, format, package.package.id, with_drafts).await?.ok_or_else(none)?;
    detail(house, package, version).await
}

async fn detail(house: &House, package: PackageAccess, version: Version) -> Result<VersionDetail> {
    let build = version_builds::find(&house.db, version.id).await?;
    let detail = details(house, &package, vec![version]).await?.pop();
    Ok(VersionDetail { build, ..detail.expect("each version has a detail") })
}

/// Returns the details for the pages of a package's versions, with one statement for all of them.
pub(crate) async fn details(house: &House, package: &PackageAccess, found: Vec<Version>) -> Result<Vec<VersionDetail>> {
    let owners: Vec<AttributeOwner> = found.iter().map(|version| AttributeOwner::Version(version.id)).collect();
    let mut names = attributes::list_names_of(&house.db, &owners).await?;
    let ids: Vec<VersionId> = found.iter().map(|version| version.id).collect();
    let marks = marks::of_versions(&house.db, &ids).await?;
    let detail = |version: Version| VersionDetail {
        attribute_names: package.repo.visible(names.remove(&AttributeOwner::Version(version.id)).unwrap_or_default()),
        package: package.clone(),
        marks: marks.iter().filter(|mark| mark.version_id == version.id).map(MarkView::from).collect(),
        build: None,
        version,
    };
    Ok(found.into_iter().map(detail).collect())
}

/// Creates a version.
#[boxed::future]
pub async fn create(
    house: &House,
    caller: &Caller,
    at: &VersionAddress,
    change: VersionChange,
) -> Result<VersionDetail> {
    access::package(&house.db, caller, at, Right::Publish).await?;
    change.check()?;
    let (id, change) = (VersionId::new(house.next_id()), &change);
    let log = &entry(house, caller, "version.create", at, "");
    house
        .db
        .write(|tx| {
            async move {
                let package = access::lock_package(tx, caller, at, Right::Publish).await?;
                let mut profile = VersionProfile::default();
                change.apply(&mut profile, &mut Edits::default());
                let new = VersionDraft { id, name: &at.version, profile, now: log.at };
                let version = insert_new(tx, &package.package, new).await?;
                record(tx, log).await?;
                Ok(VersionDetail { package, version, attribute_names: Vec::new(), marks: Vec::new(), build: None })
            }
            .scope_boxed()
        })
        .await
}

/// A version to create.
pub(crate) struct VersionDraft<'n> {
    pub(crate) id: VersionId,
    pub(crate) name: &'n VersionName,
    pub(crate) profile: VersionProfile,
    pub(crate) now: Timestamp,
}

impl VersionDraft<'_> {
    /// Converts it to the version.
    pub(crate) fn version(self, package_id: PackageId, ordinal: i64) -> Version {
        Version {
            id: self.id,
            package_id,
            name: self.name.clone(),
            ordinal,
            created: self.now,
            updated: self.now,
            published_files: 0,
            first_published: None,
            is_draft: false,
            profile: self.profile,
        }
    }
}

/// Creates a version in a package that the transaction has locked.
pub(crate) async fn insert_new(tx: &mut Tx, package: &Package, new: VersionDraft<'_>) -> Result<Version> {
    let now = new.now;
    let version = insert_row(tx, package, new).await?;
    packages::touch(tx, package.id, now).await?;
    Ok(version)
}

/// The same for a version whose files are added in the transaction; they decide who sees a change of the package.
pub(crate) async fn insert_row(tx: &mut Tx, package: &Package, new: VersionDraft<'_>) -> Result<Version> {
    let name = new.name;
    let taken = || Error::Conflict(format!("Version '{name}' already exists"));
    // The unique index does not detect a name that was stored in the other normalization form of its characters.
    if name.other_form().is_some() && versions::find(tx, package.id, name).await?.is_some() {
        return Err(taken());
    }
    let ordinal = packages::next_ordinal(tx, package.id).await?;
    let version = new.version(package.id, ordinal.unwrap_or_default());
    match versions::insert(tx, &version).await {
        Err(database::Error::Conflict) => return Err(taken()),
        other => other?,
    }
    Ok(version)
}

/// Changes a version.
#[boxed::future]
pub async fn edit(house: &House, caller: &Caller, at: &VersionAddress, change: VersionChange) -> Result<()> {
    access::package(&house.db, caller, at, Right::Publish).await?;
    change.check()?;
    let (change, log) = (&change, &entry(house, caller, "version.edit", at, ""));
    house
        .db
        .write(|tx| {
            async move {
                let package = access::lock_package(tx, caller, at, Right::Publish).await?.package;
                let mut version =
                    versions::find(tx, package.id, &at.version).await?.ok_or_else(|| Error::no_version(at))?;
                let mut edits = Edits::default();
                change.apply(&mut version.profile, &mut edits);
                versions::update(tx, version.id, &version.profile, log.at).await?;
                updates::change_version(tx, &version, log.at).await?;
                record_edits(tx, log, &edits).await
            }
            .scope_boxed()
        })
        .await
}

impl VersionChange {
    fn check(&self) -> Result<()> {
        let invalid = |field| move |reason| Error::invalid(field, reason);
        text::check_text(self.description.as_deref().unwrap_or_default()).map_err(invalid("desc"))?;
        text::check_labels(self.labels.as_deref().unwrap_or_default()).map_err(invalid("labels"))?;
        for (field, value) in
            [("vcs_tag", &self.vcs_tag), ("github_release_notes_file", &self.github_release_notes_file)]
        {
            text::check_line(value.iter().flatten().next().map_or("", String::as_str)).map_err(invalid(field))?;
        }
        Ok(())
    }

    fn apply(&self, profile: &mut VersionProfile, edits: &mut Edits) {
        edits.set("desc", &mut profile.description, &self.description);
        edits.set("labels", &mut profile.labels, &self.labels);
        edits.set("vcs_tag", &mut profile.vcs_tag, &self.vcs_tag);
        edits.set(
            "github_use_tag_release_notes",
            &mut profile.github_use_tag_release_notes,
            &self.github_use_tag_release_notes,
        );
        edits.set("github_release_notes_file", &mut profile.github_release_notes_file, &self.github_release_notes_file);
        edits.set("released", &mut profile.released, &self.released);
    }
}
