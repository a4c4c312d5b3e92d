//! Index files that are built from published files, in the transaction that changes those.

use std::collections::{BTreeMap, BTreeSet};

use database::{
    Database, Read, ScopedFutureExt, Tx,
    content::derived_files::{self, IndexSource, NewIndex},
};
use model::{
    access::Right, address::RepoAddress, audit::NewAuditRecord, file::File, file_path::FilePath, id::RepoId,
    prefix::NameRange, repo::Repo, timestamp::Timestamp,
};

use crate::{
    Caller, Error, House, Result, access,
    audit::{entry, record},
    content::{
        planned_rows::{PlannedRows, Published},
        reindex,
        signed_write::{self, Plan, SignedWrite},
    },
    format::{Facts, Format, PublishedFile},
    indexes,
    signing::{
        SigningOptions,
        signatures::{Signatures, ToSign},
        signer::Signer,
    },
};

/// Indexes to rebuild.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct IndexPlan(Vec<PlannedIndex>);

/// An index to rebuild.
#[derive(Debug, PartialEq, Eq)]
struct PlannedIndex {
    path: FilePath,
    /// The text; without one, the index is deleted.
    text: Option<String>,
    /// Whether the text is signed. An index without a new signature loses its old one: no signature is better than a
    /// wrong one.
    is_signed: bool,
}

impl IndexPlan {
    /// Builds these indexes of a repository over its files as the plan leaves them. They are signed if a key is given
    /// and the repository signs its metadata.
    pub(crate) async fn read(
        rows: &PlannedRows<'_>,
        house: &House,
        repo: &Repo,
        affected: BTreeSet<FilePath>,
        key: Option<&str>,
    ) -> Result<Self> {
        let Some(format) = house.format(&repo.kind).folder_indexes() else { return Ok(Self::default()) };
        let mut planned = Vec::new();
        for path in affected {
            let range = NameRange::beginning_with(path.folder_prefix());
            let sources = derived_files::list_sources(rows.db, repo.id, &range).await?;
            let text = format.build(&path, &change(sources, rows.published(), &range));
            let is_signed = key.is_some() && repo.profile.gpg_sign_metadata && path.signature().is_some();
            planned.push(PlannedIndex { path, is_signed: is_signed && text.is_some(), text });
        }
        Ok(Self(planned))
    }

    /// Stores the indexes and their signatures.
    pub(crate) async fn apply(
        self,
        tx: &mut Tx,
        repo_id: RepoId,
        signatures: &Signatures,
        now: Timestamp,
    ) -> Result<()> {
        for PlannedIndex { path, text, is_signed } in self.0 {
            match &text {
                Some(text) => insert(tx, repo_id, &path, text, now).await?,
                None => derived_files::delete(tx, repo_id, &path).await?,
            }
            let Some(place) = path.signature() else { continue };
            match text.filter(|_| is_signed) {
                Some(text) => insert(tx, repo_id, &place, signatures.of_text(&text)?, now).await?,
                None => derived_files::delete(tx, repo_id, &place).await?,
            }
        }
        Ok(())
    }
}

async fn insert(tx: &mut Tx, repo_id: RepoId, path: &FilePath, content: &str, now: Timestamp) -> Result<()> {
    Ok(derived_files::insert(tx, repo_id, None, NewIndex { path, content, framed: None }, now).await?)
}

impl Plan for IndexPlan {
    fn to_sign(&self) -> ToSign {
        let signed = self.0.iter().filter(|index| index.is_signed);
        ToSign { texts: signed.filter_map(|index| index.text.clone()).collect(), ..ToSign::default() }
    }
}

/// Returns the published files below a folder after a change, by path.
fn change(sources: Vec<IndexSource>, changes: &Published, range: &NameRange) -> Vec<PublishedFile> {
    let published = |file: IndexSource| {
        let (facts, published) = (file.facts.map(Facts), file.published.millis());
        PublishedFile { path: file.path, facts, published }
    };
    let mut files: BTreeMap<String, PublishedFile> =
        sources.into_iter().map(|file| (file.path.to_string(), published(file))).collect();
    for (path, file) in changes.range(range.from.clone()..range.to.clone()) {
        match file {
            Some(file) => files.insert(path.clone(), file.clone()),
            None => files.remove(path),
        };
    }
    files.into_values().collect()
}

/// Returns the indexes that list a file before or after its change.
pub(crate) fn affected(format: &'static dyn Format, file: &File) -> Vec<FilePath> {
    let contents = [&file.published, &file.staged];
    let facts = contents.into_iter().flatten().map(|content| content.facts.clone().map(Facts));
    let Some(format) = format.folder_indexes() else { return Vec::new() };
    facts.flat_map(|facts| format.dirty(&file.path, facts.as_ref())).collect()
}

/// Rebuilds all indexes of a repository, or those that list files below a folder.
#[boxed::future]
pub async fn rebuild_all(
    house: &House,
    caller: &Caller,
    at: &RepoAddress,
    below: Option<&FilePath>,
    with: &SigningOptions,
) -> Result<()> {
    let access = access::repo(&house.db, caller, at, Right::Publish).await?;
    let format = house.format(&access.repo.kind);
    if format.repo_indexes().is_some() {
        reindex::rebuild_packages(house, caller, at, &NameRange::beginning_with("")).await?;
        indexes::rebuild(house, caller, &access.repo, with).await?;
        let log = &entry(house, caller, "repo.calc_metadata", at, "");
        return house.db.write(|tx| record(tx, log).scope_boxed()).await;
    }
    if format.folder_indexes().is_none() && format.package_indexes().is_none() {
        let reason = format!("repository '{at}' is of type {} and has no metadata to calculate", access.repo.kind);
        return Err(Error::invalid("repo", reason));
    }
    let prefix = below.map_or_else(String::new, |folder| format!("{folder}/"));
    let range = NameRange::beginning_with(&prefix);
    let log = entry(house, caller, "repo.calc_metadata", at, below.map_or("", FilePath::as_str));
    if format.package_indexes().is_some() {
        reindex::rebuild_packages(house, caller, at, &range).await?;
    }
    let signer = Signer::of_repo(house, caller, &access.repo, with).await?;
    signed_write::run(signer, &Rebuild { house, caller, at, range, log }).await
}

/// Rebuilds the indexes that list files in a range.
struct Rebuild<'r> {
    house: &'r House,
    caller: &'r Caller,
    at: &'r RepoAddress,
    range: NameRange,
    log: NewAuditRecord,
}

impl SignedWrite for Rebuild<'_> {
    type Target = Repo;
    type Plan = IndexPlan;
    type Output = ();

    async fn find(&self, db: &Database) -> Result<Repo> {
        Ok(access::repo(db, self.caller, self.at, Right::Publish).await?.repo)
    }

    async fn lock(&self, tx: &mut Tx) -> Result<Repo> {
        Ok(access::lock_repo(tx, self.caller, self.at, Right::Publish).await?.repo)
    }

    async fn plan(&self, db: &dyn Read, repo: &Repo, key: Option<&str>) -> Result<IndexPlan> {
        let Some(format) = self.house.format(&repo.kind).folder_indexes() else { return Ok(IndexPlan::default()) };
        let sources = derived_files::list_sources(db, repo.id, &self.range).await?;
        let affected = sources.into_iter().flat_map(|file| format.dirty(&file.path, file.facts.map(Facts).as_ref()));
        let (affected, rows) = (affected.collect(), PlannedRows::new(db, repo.id, self.log.at));
        IndexPlan::read(&rows, self.house, repo, affected, key).await
    }

    async fn apply(&self, tx: &mut Tx, repo: Repo, plan: IndexPlan, signatures: &Signatures) -> Result<()> {
        plan.apply(tx, repo.id, signatures, self.log.at).await?;
        record(tx, &self.log).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> FilePath {
        FilePath::parse(text).expect("a path")
    }

    fn file(text: &str, published: i64) -> PublishedFile {
        PublishedFile { path: path(text), facts: None, published }
    }

    #[test]
    fn a_change_lies_over_what_is_published_in_its_folder() {
        let source = |text| IndexSource { path: path(text), facts: None, published: Timestamp::from_millis(1) };
        let sources = ["a/b/1", "a/b/2", "a/b/3"].map(source).to_vec();
        let changes = ["a/b/0", "a/b/2", "a/c", "a/b/3"].map(|text| (text.to_owned(), Some(file(text, 2))));
        let mut changes = Published::from(changes);
        changes.extend([("a/b/3".to_owned(), None), ("a/b/4".to_owned(), None)]);
        let changed = change(sources, &changes, &NameRange::beginning_with("a/b/"));
        assert_eq!(changed, [file("a/b/0", 2), file("a/b/1", 1), file("a/b/2", 2)]);
    }
}
