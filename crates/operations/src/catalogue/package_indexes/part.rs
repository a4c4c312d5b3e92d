//! Indexes of the parts of a package that a key may read. They name nothing else of the package.

use database::{
    Read,
    catalogue::versions,
    content::package_files::{self, Ordinals},
};
use model::{access::GrantScope, id::PackageId, repo::Repo};

use crate::{
    House, Result,
    access::files::is_below,
    catalogue::{
        package_indexes::{IndexedPackage, build},
        package_view,
    },
    format::{IndexText, PackageView, VersionView},
};

/// Builds the indexes of the files of a package that are in one of these scopes. `None` if all of the package is.
pub(crate) async fn build_part(
    house: &House,
    repo: &Repo,
    package_id: PackageId,
    scopes: &[GrantScope],
) -> Result<Option<Vec<IndexText>>> {
    let format = house.format(&repo.kind);
    let is_whole = scopes.iter().any(|scope| matches!(scope, GrantScope::Package(id) if *id == package_id));
    let Some(indexes) = format.package_indexes().filter(|_| !is_whole) else { return Ok(None) };
    let package = IndexedPackage::new(repo, package_id, format, indexes);
    let Some(view) = package.read_part(&house.db, scopes).await? else { return Ok(Some(Vec::new())) };
    Ok(Some(build::of_usable(view, move |view| indexes.build(view)).await?.unwrap_or_default()))
}

impl IndexedPackage<'_> {
    /// Reads the files in these scopes; `None` if there are none.
    async fn read_part(self, db: &dyn Read, scopes: &[GrantScope]) -> Result<Option<PackageView>> {
        let (mut listed, mut folders): (Vec<VersionView>, Vec<&str>) = (Vec::new(), Vec::new());
        for scope in scopes {
            match scope {
                GrantScope::Package(_) => {}
                GrantScope::Path(folder) => folders.push(folder),
                GrantScope::Version(id) => {
                    let version = versions::find_by_id(db, *id).await?.filter(|found| found.package_id == self.id);
                    let Some(ordinal) = version.map(|version| version.ordinal) else { continue };
                    listed
                        .extend(self.read(db, &(ordinal..=ordinal)).await?.into_iter().flat_map(|view| view.versions));
                }
            }
        }
        let all = if folders.is_empty() { package_files::NONE } else { package_files::ALL };
        let Some(mut view) = self.read(db, &all).await? else { return Ok(None) };
        view.versions.retain(|version| listed.iter().all(|listed| listed.name != version.name));
        for version in &mut view.versions {
            version.files.retain(|file| folders.iter().any(|folder| is_below(file.path.as_str(), folder)));
        }
        view.versions.retain(|version| !version.files.is_empty());
        view.versions.extend(listed);
        view.tags.retain(|(_, tagged)| view.versions.iter().any(|version| version.name == *tagged));
        Ok(Some(view).filter(|view| !view.versions.is_empty()))
    }

    async fn read(self, db: &dyn Read, ordinals: &Ordinals) -> Result<Option<PackageView>> {
        let size = package_files::measure(db, self.id, self.about, ordinals).await?;
        self.check_files(size.files, size.about_bytes)?;
        package_view::read(db, self.repo, self.id, self.about, ordinals).await
    }
}
