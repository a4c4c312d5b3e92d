//! The names of all packages or versions of a repository, and answers made from them. To read and write a hundred
//! thousand names takes a second, and everyone may ask for them, so both are cached until the repository changes.

use std::{fmt, sync::Arc};

use database::content::published_packages;
use model::id::RepoId;

use crate::{
    House, Result,
    format::NativeAnswer,
    native::{
        cached_lists::{CachedLists, Weighed},
        published::{Names, PACKAGES, named},
    },
};

/// The weight of a name besides its bytes.
const NAME_WEIGHT: usize = 48;

/// The number of packages that one statement reads.
const PAGE: i64 = 5_000;

/// The route and the media type of an answer.
pub(super) type AnswerForm = (&'static str, &'static str);

/// Names of packages, each with the name of one of its versions.
pub(super) type VersionNames = Vec<(String, String)>;

/// The cached lists and answers.
#[derive(Default)]
pub(crate) struct NameLists {
    names: CachedLists<RepoId, Names>,
    versions: CachedLists<RepoId, VersionNames>,
    answers: CachedLists<(RepoId, AnswerForm), NativeAnswer>,
}

impl fmt::Debug for NameLists {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NameLists").finish_non_exhaustive()
    }
}

impl NameLists {
    /// Returns the names of the repository's own packages with published versions.
    pub(super) async fn names(&self, house: &House, repo_id: RepoId) -> Result<Arc<Names>> {
        let make = async || {
            let list = read(house, repo_id).await?;
            let weight = list.keys().map(|name| name.len() + NAME_WEIGHT).sum();
            Ok(Some(Weighed { list, weight }))
        };
        Ok(self.names.get(house, repo_id, repo_id, make).await?.unwrap_or_default())
    }

    /// Returns the published versions of the repository's own packages.
    pub(super) async fn versions(&self, house: &House, repo_id: RepoId) -> Result<Arc<VersionNames>> {
        let make = async || {
            let limit = i64::try_from(PACKAGES).unwrap_or(i64::MAX);
            let list = published_packages::list_versions(&house.db, repo_id, limit).await?;
            let weight = list.iter().map(|(name, version)| name.len() + version.len() + NAME_WEIGHT).sum();
            Ok(Some(Weighed { list, weight }))
        };
        Ok(self.versions.get(house, repo_id, repo_id, make).await?.unwrap_or_default())
    }

    /// Returns the answer of this form that `make` makes from the names of the packages, or a cached one.
    pub(super) async fn answer(
        &self,
        house: &House,
        repo_id: RepoId,
        form: AnswerForm,
        make: impl FnOnce(&Names) -> Option<NativeAnswer>,
    ) -> Result<Option<Arc<NativeAnswer>>> {
        let make = async || {
            let names = self.names(house, repo_id).await?;
            Ok(make(&names).map(|list| Weighed { weight: list.content.len(), list }))
        };
        self.answers.get(house, repo_id, (repo_id, form), make).await
    }
}

async fn read(house: &House, repo_id: RepoId) -> Result<Names> {
    let (mut names, mut last) = (Names::new(), String::new());
    while names.len() < PACKAGES {
        let page = published_packages::list_after(&house.db, repo_id, &last, PAGE).await?;
        let Some(end) = page.last() else { break };
        last.clone_from(&end.name);
        names.extend(page.into_iter().map(named));
    }
    Ok(names)
}
