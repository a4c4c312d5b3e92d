//! Resolves the path of a download.

use database::downloads::{self as rows, ReadableFile, index_texts};
use model::{access::Right, address::RepoAddress, file_path::FilePath, repo::Repo, timestamp::Timestamp};

use crate::{
    Caller, Error, House, RepoAccess, Result, access,
    access::files::is_below,
    cache::Dependence,
    catalogue::window,
    downloads::{
        CachePolicy, CountedVersion, DownloadAttempt, GeneratedText, OriginRules, Resolved, ResolvedFile,
        ResolvedIndex, admit, checksum_file, decide, folder, package_index, part, wrong_origin,
    },
    indexes,
};

/// Resolves a path of a repository for a caller; `None` is the repository itself.
#[boxed::future]
pub async fn find(house: &House, caller: &Caller, at: &RepoAddress, path: Option<&FilePath>) -> Result<Resolved> {
    let access = repo(house, caller, at, path).await?;
    // Check the origin before looking up anything, so that a caller from a disallowed origin learns nothing about the
    // files.
    let entered = AdmittedRepo::new(house, caller, access).await?;
    let Some(path) = path else { return folder::list(house, caller, &entered, "").await.map(Resolved::Folder) };
    if let Some(found) = find_content(house, caller, &entered, path).await? {
        return Ok(found);
    }
    if let Some(other) = house.format(&entered.access.repo.kind).stand_in(path)
        && let Some(found) = find_content(house, caller, &entered, &other).await?
    {
        return Ok(found.or_on_paths());
    }
    if let Some(text) = part::find(house, caller, &entered, path).await? {
        return Ok(Resolved::Text(text));
    }
    if let Some(text) = checksum_file::find(house, caller, &entered, path).await? {
        return Ok(Resolved::Text(text));
    }
    access::folder(&house.db, caller, at, path).await?;
    let folder = folder::list(house, caller, &entered, &format!("{path}/")).await?;
    if folder.entries.is_empty() {
        return Err(Error::NotFound { what: "File", name: path.to_string() });
    }
    Ok(Resolved::Folder(folder))
}

/// Finds the repository. Anonymous callers are asked for credentials both when a repository is hidden and when it does
/// not exist. Otherwise, clients that send credentials only on request would never get in.
async fn repo(house: &House, caller: &Caller, at: &RepoAddress, path: Option<&FilePath>) -> Result<RepoAccess> {
    let found = match path {
        Some(path) => access::readable_path(house, caller, at, path).await,
        None => access::repo(&house.db, caller, at, Right::Read).await,
    };
    match found {
        Err(Error::NotFound { .. }) if !caller.is_known_in(&at.owner, &at.repo) => Err(Error::sign_in()),
        other => other,
    }
}

/// A repository whose origin rules admit the caller.
pub(super) struct AdmittedRepo {
    pub(super) access: RepoAccess,
    pub(super) rules: OriginRules,
}

impl AdmittedRepo {
    async fn new(house: &House, caller: &Caller, access: RepoAccess) -> Result<Self> {
        let rules = OriginRules::of(house, access.repo.id).await?;
        match decide(house, caller, &access, &rules, DownloadAttempt::OPEN) {
            Ok(()) => Ok(Self { access, rules }),
            Err(_) => Err(wrong_origin()),
        }
    }
}

/// Finds a file or an index at the path itself.
pub(super) async fn find_content(
    house: &House,
    caller: &Caller,
    entered: &AdmittedRepo,
    path: &FilePath,
) -> Result<Option<Resolved>> {
    let AdmittedRepo { access, rules } = entered;
    if let Some(file) = rows::find(&house.db, access.repo.id, path).await?
        && let Some(file) = opened(house, caller, access, rules, path, file).await?
    {
        return Ok(Some(Resolved::File(file)));
    }
    if let Some(index) = index_texts::find(&house.db, access.repo.id, path).await?
        && let Some(index) = package_index::for_caller(house, caller, &access.repo, path, index).await?
    {
        let is_for_all = !access.repo.profile.is_private && rules.is_empty();
        return Ok(Some(Resolved::Text(GeneratedText {
            content: index.content.into(),
            changed: Timestamp::from_millis(index.created),
            keeping: if is_for_all { CachePolicy::Revalidate } else { CachePolicy::Private },
            repo_ids: [access.repo.id; 2],
            depends_on: Dependence::Paths,
            rules: rules.clone(),
            media_type: house.format(&access.repo.kind).media_type(path),
            bytes: None,
            has_md5_tag: house.format(&access.repo.kind).has_md5_tag(path),
        })));
    }
    if let Some(index) = find_index(house, caller, entered, path).await? {
        return Ok(Some(Resolved::Index(index)));
    }
    if let Some(found) = find_linked(house, caller, entered, path).await? {
        return Ok(Some(found));
    }
    Ok(package_index::find_linked(house, caller, entered, path).await?.map(Resolved::Text))
}

/// Finds a file of the repository's indexes. A caller who may read only parts of the repository gets those of the parts.
async fn find_index(
    house: &House,
    caller: &Caller,
    entered: &AdmittedRepo,
    path: &FilePath,
) -> Result<Option<ResolvedIndex>> {
    let AdmittedRepo { access: RepoAccess { repo, .. }, rules } = entered;
    let format = house.format(&repo.kind);
    if format.repo_indexes().is_none() {
        return Ok(None);
    }
    let scopes = access::scopes(&house.db, caller, repo).await?;
    let Some(content) = indexes::find(house, repo, scopes.as_deref(), path).await? else { return Ok(None) };
    let is_for_all = !repo.profile.is_private && rules.is_empty();
    let keeping = match (is_for_all, content.is_lasting) {
        (true, true) => CachePolicy::Immutable,
        (true, false) => CachePolicy::Revalidate,
        (false, _) => CachePolicy::Private,
    };
    let (media_type, rules) = (format.media_type(path), rules.clone());
    Ok(Some(ResolvedIndex { content, media_type, keeping, repo_id: repo.id, rules }))
}

/// Finds a file of a package that is linked into the repository from another one that the caller may read.
async fn find_linked(
    house: &House,
    caller: &Caller,
    entered: &AdmittedRepo,
    path: &FilePath,
) -> Result<Option<Resolved>> {
    let showing = &entered.access.repo;
    for file in rows::list_linked(&house.db, showing.id, path).await? {
        let is_shown = file.path_prefix.as_deref().is_none_or(|prefix| is_below(path.as_str(), prefix));
        let source = access::readable_repo(&house.db, caller, file.repo_id).await?.filter(|_| is_shown);
        let Some(source) = source else { continue };
        // The rules of both repositories apply, so that a link does not bypass those of the source.
        let rules = entered.rules.and_of(house, source.repo.id).await?;
        if let Some(mut file) = opened(house, caller, &source, &rules, path, file).await? {
            file.repo_ids[0] = showing.id;
            // The link may be removed, or a file of this repository may take precedence later.
            file.keeping = file.keeping.for_now();
            file.depends_on = file.depends_on.or_on_paths();
            if showing.profile.is_private {
                file.keeping = CachePolicy::Private;
            }
            return Ok(Some(Resolved::File(file)));
        }
    }
    Ok(None)
}

/// Opens a file for a caller who may download it; returns `None` if the file must appear not to exist.
async fn opened(
    house: &House,
    caller: &Caller,
    access: &RepoAccess,
    rules: &OriginRules,
    path: &FilePath,
    file: ReadableFile,
) -> Result<Option<ResolvedFile>> {
    if !admit(house, caller, access, rules, &file).await? {
        return Ok(None);
    }
    let mut file = ResolvedFile { rules: rules.clone(), ..open(house, &access.repo, path, file) };
    if !rules.is_empty() {
        file.keeping = CachePolicy::Private;
    }
    Ok(Some(file))
}

/// Describes a file of this repository for delivery. The caller adds the origin rules.
pub(crate) fn open(house: &House, repo: &Repo, path: &FilePath, file: ReadableFile) -> ResolvedFile {
    let keeping = match file.first_published {
        _ if repo.profile.is_private || file.published.is_none() => CachePolicy::Private,
        Some(first) if window::is_final(house, repo, path, first) => CachePolicy::Immutable,
        _ => CachePolicy::Short,
    };
    let counted = CountedVersion { package_id: file.package_id, version_id: file.version_id };
    let format = house.format(&repo.kind);
    let is_counted = file.published.is_some() && !file.is_signature && format.is_counted(path);
    ResolvedFile {
        keeping,
        repo_ids: [repo.id; 2],
        depends_on: match file.published {
            Some(_) if path.other_form().is_none() && path.signed().is_none() => Dependence::Content,
            Some(_) => Dependence::Paths,
            None => Dependence::Staged,
        },
        rules: OriginRules::default(),
        changed: file.published.unwrap_or(file.created),
        counted: is_counted.then_some(counted),
        media_type: format.media_type(path),
        blob: file.blob,
    }
}
