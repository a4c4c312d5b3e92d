//! Indexes of packages as callers see them: of the parts that a key may read, and through links from another repository.

use database::downloads::index_texts::{self, IndexText};
use model::{file_path::FilePath, repo::Repo, timestamp::Timestamp};

use crate::{
    Caller, House, Result, access,
    cache::Dependence,
    catalogue::package_indexes,
    downloads::{CachePolicy, DownloadAttempt, GeneratedText, decide, find::AdmittedRepo},
};

/// Returns the index as the caller may read it: a key of parts of a package gets an index of those parts.
pub(super) async fn for_caller(
    house: &House,
    caller: &Caller,
    repo: &Repo,
    path: &FilePath,
    index: IndexText,
) -> Result<Option<IndexText>> {
    let Some(package_id) = index.package_id else { return Ok(Some(index)) };
    let Some(scopes) = access::scopes(&house.db, caller, repo).await? else { return Ok(Some(index)) };
    let Some(texts) = package_indexes::build_part(house, repo, package_id, &scopes).await? else {
        return Ok(Some(index));
    };
    let text = texts.into_iter().find(|text| text.path == *path);
    Ok(text.map(|text| IndexText { content: text.content, ..index }))
}

/// Returns the index of a linked package, if the caller may read the repository that owns the package. A link to a part
/// of a package shows no index, because the index would list all of it.
pub(super) async fn find_linked(
    house: &House,
    caller: &Caller,
    entered: &AdmittedRepo,
    path: &FilePath,
) -> Result<Option<GeneratedText>> {
    let showing = &entered.access.repo;
    for index in index_texts::list_linked(&house.db, showing.id, path).await? {
        let is_whole = index.path_prefix.is_none_or(|prefix| prefix.trim_matches('/').is_empty());
        let source = access::readable_repo(&house.db, caller, index.repo_id).await?.filter(|_| is_whole);
        let Some(source) = source else { continue };
        let rules = entered.rules.and_of(house, source.repo.id).await?;
        if source.repo.kind != showing.kind || decide(house, caller, &source, &rules, DownloadAttempt::OPEN).is_err() {
            continue;
        }
        let is_for_all = !showing.profile.is_private && !source.repo.profile.is_private && rules.is_empty();
        return Ok(Some(GeneratedText {
            content: index.content.into(),
            changed: Timestamp::from_millis(index.created),
            keeping: if is_for_all { CachePolicy::Revalidate } else { CachePolicy::Private },
            repo_ids: [showing.id, source.repo.id],
            depends_on: Dependence::Paths,
            rules,
            media_type: house.format(&showing.kind).media_type(path),
            bytes: None,
            has_md5_tag: house.format(&showing.kind).has_md5_tag(path),
        }));
    }
    Ok(None)
}
