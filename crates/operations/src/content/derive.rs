//! Index files that follow from what is published, made in the transaction that changes it.

use std::collections::BTreeSet;

use database::{
    ScopedFutureExt, Tx, derived_files,
    files::File,
    repos::{self, Repo},
};
use model::{access::Right, address::RepoAddress, file_path::FilePath, prefix::NameRange, timestamp::Timestamp};

use crate::{
    Caller, Error, House, Result, access,
    audit::{entry, record},
    format::{Facts, Format, Published},
};

/// Makes the indexes anew that these files have a part in, after they were published or have gone.
pub(crate) async fn refresh(tx: &mut Tx, house: &House, repo: &Repo, changed: &[File], now: Timestamp) -> Result<()> {
    let format = house.format(&repo.kind);
    if !format.builds_indexes() {
        return Ok(());
    }
    let dirty: BTreeSet<FilePath> = changed.iter().flat_map(|file| dirty(format, file)).collect();
    for index in dirty {
        build(tx, repo, format, &index, now).await?;
    }
    Ok(())
}

/// Before and after the change: what was said of the old content must go.
fn dirty(format: &'static dyn Format, file: &File) -> Vec<FilePath> {
    let contents = [&file.published, &file.staged];
    let facts = contents.into_iter().flatten().map(|content| content.facts.clone().map(Facts));
    facts.flat_map(|facts| format.dirty(&file.path, facts.as_ref())).collect()
}

async fn build(tx: &mut Tx, repo: &Repo, format: &'static dyn Format, index: &FilePath, now: Timestamp) -> Result<()> {
    let range = NameRange::beginning_with(index.folder_prefix());
    let sources = derived_files::list_sources(tx, repo.id, &range).await?;
    let published: Vec<Published> = sources
        .into_iter()
        .map(|file| Published { path: file.path, facts: file.facts.map(Facts), published: file.published.millis() })
        .collect();
    match format.build(index, &published) {
        Some(text) => derived_files::insert(tx, repo.id, index, &text, now).await?,
        None => derived_files::delete(tx, repo.id, index).await?,
    }
    Ok(())
}

/// Makes all indexes of a repository anew, or those that files below a folder have a part in.
pub async fn recalculate(house: &House, caller: &Caller, at: &RepoAddress, below: Option<&FilePath>) -> Result<()> {
    let access = access::repo(&house.db, caller, at, Right::Publish).await?;
    if !house.format(&access.repo.kind).builds_indexes() {
        let reason = format!("repository '{at}' is of type {} and has no metadata to calculate", access.repo.kind);
        return Err(Error::invalid("repo", reason));
    }
    let prefix = below.map_or_else(String::new, |folder| format!("{folder}/"));
    let range = &NameRange::beginning_with(&prefix);
    let log = &entry(house, caller, "repo.calc_metadata", at, below.map_or("", FilePath::as_str));
    house
        .db
        .write(|tx| {
            async move {
                let repo = access::hold_repo(tx, caller, at, Right::Publish).await?.repo;
                let format = house.format(&repo.kind);
                repos::hold(tx, repo.id).await?;
                let files = derived_files::list_sources(tx, repo.id, range).await?;
                let facts = |text: Option<String>| text.map(Facts);
                let dirty: BTreeSet<FilePath> =
                    files.into_iter().flat_map(|file| format.dirty(&file.path, facts(file.facts).as_ref())).collect();
                for index in &dirty {
                    build(tx, &repo, format, index, log.at).await?;
                }
                record(tx, log).await
            }
            .scope_boxed()
        })
        .await
}
