//! Readmes of packages, and release notes of packages and versions.

use database::{
    Read, ScopedFutureExt, Tx,
    catalogue::{
        documents::{self, DocumentOwner},
        packages,
        renderings::{self, RenderedText},
    },
};
use model::{
    access::Right,
    address::{PackageAddress, VersionAddress},
    document::{DocumentKind, SavedDocument, check_content},
    timestamp::Timestamp,
};

use crate::{
    Caller, Error, House, PackageAccess, Result,
    access::{self, PackageScope},
    audit::{entry, record, record_edits},
    catalogue::updates,
    change::Edits,
    rendering::{self, Html},
};

/// The address of a text.
#[derive(Debug, Clone)]
pub enum DocumentAddress {
    /// The readme of a package.
    Readme(PackageAddress),
    /// The release notes of a package.
    PackageNotes(PackageAddress),
    /// The release notes of a version.
    VersionNotes(VersionAddress),
}

/// Returns a text, for callers who may read its repository.
#[boxed::future]
pub async fn show(house: &House, caller: &Caller, at: &DocumentAddress) -> Result<SavedDocument> {
    let package = access::package(&house.db, caller, at.scope(), Right::Read).await?;
    let place = at.find(&house.db, &package).await?;
    documents::find_saved(&house.db, place).await?.ok_or_else(|| at.not_found())
}

/// Returns a text as HTML for pages, for callers who may read its repository.
#[boxed::future]
pub async fn show_html(house: &House, caller: &Caller, at: &DocumentAddress) -> Result<Html> {
    let package = access::package(&house.db, caller, at.scope(), Right::Read).await?;
    let place = at.find(&house.db, &package).await?;
    let document = documents::find(&house.db, place).await?.ok_or_else(|| at.not_found())?;
    rendering::show(house, RenderedText::Document(place), &document).await
}

/// Sets a text, and its HTML for pages.
#[boxed::future]
pub async fn set(house: &House, caller: &Caller, at: &DocumentAddress, saved: SavedDocument) -> Result<()> {
    access::package(&house.db, caller, at.scope(), Right::Publish).await?;
    let document = &saved.document;
    check_content(&document.content).map_err(|reason| Error::invalid("content", reason))?;
    let action = at.action("readme.set", "release_notes.set");
    let made = &rendering::render(house, document).await;
    let (saved, log) = (&saved, &entry(house, caller, action, at.target(), ""));
    house
        .db
        .write(|tx| {
            async move {
                let access = access::lock_package(tx, caller, at.scope(), Right::Publish).await?;
                let place = at.find(tx, &access).await?;
                let mut edits = Edits::default();
                let before = documents::find(tx, place).await?;
                edits.record("syntax", &before.as_ref().map(|before| before.syntax), &Some(document.syntax));
                edits.record("content", before.as_ref().map_or("", |before| &before.content), &document.content);
                documents::upsert(tx, place, saved).await?;
                if let Some(made) = made {
                    renderings::set(tx, RenderedText::Document(place), document, made).await?;
                }
                touch(tx, place, log.at).await?;
                record_edits(tx, log, &edits).await
            }
            .scope_boxed()
        })
        .await
}

/// Deletes a text.
#[boxed::future]
pub async fn delete(house: &House, caller: &Caller, at: &DocumentAddress) -> Result<()> {
    access::package(&house.db, caller, at.scope(), Right::Publish).await?;
    let log = &entry(house, caller, at.action("readme.delete", "release_notes.delete"), at.target(), "");
    house
        .db
        .write(|tx| {
            async move {
                let access = access::lock_package(tx, caller, at.scope(), Right::Publish).await?;
                let place = at.find(tx, &access).await?;
                if !documents::delete(tx, place).await? {
                    return Err(at.not_found());
                }
                touch(tx, place, log.at).await?;
                record(tx, log).await
            }
            .scope_boxed()
        })
        .await
}

/// Updates the time of the owner: texts are part of their object, and a version is part of its package.
async fn touch(tx: &mut Tx, place: DocumentOwner, now: Timestamp) -> Result<()> {
    match place {
        DocumentOwner::Version(id) => updates::change_version_by_id(tx, id, now).await,
        DocumentOwner::Package(id, _) => Ok(packages::touch(tx, id, now).await?),
    }
}

impl DocumentAddress {
    fn scope(&self) -> PackageScope<'_> {
        match self {
            Self::Readme(at) | Self::PackageNotes(at) => at.into(),
            Self::VersionNotes(at) => at.into(),
        }
    }

    async fn find(&self, db: &dyn Read, access: &PackageAccess) -> Result<DocumentOwner> {
        let package_id = access.package.id;
        Ok(match self {
            Self::Readme(_) => DocumentOwner::Package(package_id, DocumentKind::Readme),
            Self::PackageNotes(_) => DocumentOwner::Package(package_id, DocumentKind::ReleaseNotes),
            Self::VersionNotes(at) => {
                let version = access.version(db, &at.version).await?;
                DocumentOwner::Version(version.ok_or_else(|| Error::no_version(at))?.id)
            }
        })
    }

    fn action(&self, of_readme: &'static str, of_notes: &'static str) -> &'static str {
        if matches!(self, Self::Readme(_)) { of_readme } else { of_notes }
    }

    fn target(&self) -> String {
        match self {
            Self::Readme(at) | Self::PackageNotes(at) => at.to_string(),
            Self::VersionNotes(at) => at.to_string(),
        }
    }

    fn not_found(&self) -> Error {
        match self {
            Self::Readme(at) => Error::NotFound { what: "Readme of package", name: at.package.to_string() },
            Self::PackageNotes(at) => {
                Error::NotFound { what: "Release notes of package", name: at.package.to_string() }
            }
            Self::VersionNotes(at) => {
                Error::NotFound { what: "Release notes of version", name: at.version.to_string() }
            }
        }
    }
}
