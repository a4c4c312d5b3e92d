//! Index files that follow from what is published, made in the transaction that changes it.

use std::collections::BTreeSet;

use database::{
    ScopedFutureExt, Tx,
    catalogue::repos::{self, Repo},
    content::{derived_files, files::File},
};
use model::{access::Right, address::RepoAddress, file_path::FilePath, prefix::NameRange, timestamp::Timestamp};

use crate::{
    Caller, Error, House, Result, access,
    audit::{entry, record},
    content::signing_session::{Session, Text},
    format::{Facts, Format, PublishedFile},
    signing::SigningOptions,
};

/// Makes the indexes anew that these files have a part in, after they were published or have gone.
pub(crate) async fn rebuild_affected(
    tx: &mut Tx,
    house: &House,
    repo: &Repo,
    changed: &[File],
    session: &Session<'_>,
    now: Timestamp,
) -> Result<()> {
    let format = house.format(&repo.kind);
    if !format.builds_indexes() {
        return Ok(());
    }
    let dirty: BTreeSet<FilePath> = changed.iter().flat_map(|file| dirty(format, file)).collect();
    for index in dirty {
        Index { repo, format, path: &index }.build(tx, session, now).await?;
    }
    Ok(())
}

/// Before and after the change: what was said of the old content must go.
fn dirty(format: &'static dyn Format, file: &File) -> Vec<FilePath> {
    let contents = [&file.published, &file.staged];
    let facts = contents.into_iter().flatten().map(|content| content.facts.clone().map(Facts));
    facts.flat_map(|facts| format.dirty(&file.path, facts.as_ref())).collect()
}

/// An index that is made.
struct Index<'i> {
    repo: &'i Repo,
    format: &'static dyn Format,
    path: &'i FilePath,
}

impl Index<'_> {
    async fn build(&self, tx: &mut Tx, session: &Session<'_>, now: Timestamp) -> Result<()> {
        let range = NameRange::beginning_with(self.path.folder_prefix());
        let sources = derived_files::list_sources(tx, self.repo.id, &range).await?;
        let published: Vec<PublishedFile> = sources
            .into_iter()
            .map(|file| PublishedFile {
                path: file.path,
                facts: file.facts.map(Facts),
                published: file.published.millis(),
            })
            .collect();
        let text = self.format.build(self.path, &published);
        match &text {
            Some(text) => derived_files::insert(tx, self.repo.id, self.path, text, now).await?,
            None => derived_files::delete(tx, self.repo.id, self.path).await?,
        }
        self.sign(tx, text.as_deref(), session, now).await
    }

    /// Puts the signature beside the index, or takes an old one away: none is better than a wrong one.
    async fn sign(&self, tx: &mut Tx, text: Option<&str>, session: &Session<'_>, now: Timestamp) -> Result<()> {
        let Some(path) = self.path.signature() else { return Ok(()) };
        match text.filter(|_| self.repo.profile.gpg_sign_metadata).map(|text| session.text(text)) {
            Some(Text::Signed(signature)) => derived_files::insert(tx, self.repo.id, &path, signature, now).await?,
            Some(Text::Owed | Text::Unsigned) | None => derived_files::delete(tx, self.repo.id, &path).await?,
        }
        Ok(())
    }
}

/// Makes all indexes of a repository anew, or those that files below a folder have a part in.
pub async fn rebuild_all(
    house: &House,
    caller: &Caller,
    at: &RepoAddress,
    below: Option<&FilePath>,
    with: &SigningOptions,
) -> Result<()> {
    let access = access::repo(&house.db, caller, at, Right::Publish).await?;
    if !house.format(&access.repo.kind).builds_indexes() {
        let reason = format!("repository '{at}' is of type {} and has no metadata to calculate", access.repo.kind);
        return Err(Error::invalid("repo", reason));
    }
    let prefix = below.map_or_else(String::new, |folder| format!("{folder}/"));
    let range = &NameRange::beginning_with(&prefix);
    let log = &entry(house, caller, "repo.calc_metadata", at, below.map_or("", FilePath::as_str));
    let session = Session::of_repo(house, caller, &access.repo, with).await?;
    session
        .write(|tx, session| {
            async move {
                let repo = access::hold_repo(tx, caller, at, Right::Publish).await?.repo;
                let format = house.format(&repo.kind);
                repos::hold(tx, repo.id).await?;
                for path in &all_dirty(tx, &repo, format, range).await? {
                    Index { repo: &repo, format, path }.build(tx, session, log.at).await?;
                }
                record(tx, log).await
            }
            .scope_boxed()
        })
        .await
}

/// The indexes that what is published has a part in.
async fn all_dirty(tx: &Tx, repo: &Repo, format: &'static dyn Format, range: &NameRange) -> Result<BTreeSet<FilePath>> {
    let files = derived_files::list_sources(tx, repo.id, range).await?;
    let dirty = |file: derived_files::IndexSource| format.dirty(&file.path, file.facts.map(Facts).as_ref());
    Ok(files.into_iter().flat_map(dirty).collect())
}
