//! Questions of native clients that rows answer.

use database::{access::publishers, catalogue::packages};
use model::{
    access::Right,
    address::{PackageAddress, RepoAddress},
    names::PackageName,
};

use crate::{
    Caller, Error, House, PackageAccess, Result,
    access::{self, RepoGrants},
    format::{Native, NativeAnswer, NativeCall, PackageView, Publisher, Question, Rows},
    native::{
        ReadableRepo, check_origin, drafts, enter, matches, native_of, or_sign_in, published, refusal::missing,
        view::ReadablePackage,
    },
};

/// The maximum number of users in an answer.
const PUBLISHERS: i64 = 1_000;

/// Answers a question for a caller who may read the repository. What the caller may not read does not exist.
#[boxed::future]
pub async fn ask(
    house: &House,
    caller: &Caller,
    at: &RepoAddress,
    call: &NativeCall<'_>,
    question: &Question,
) -> Result<NativeAnswer> {
    let entered = enter(house, caller, at).await?;
    let native = native_of(house, &entered.access)?;
    let answer = answer(house, caller, at, &entered, native, call, question).await?;
    answer.ok_or_else(|| or_sign_in_if_private(caller, at, &entered, missing(call)))
}

/// Callers without credentials may see more in a private repository once they have signed in.
fn or_sign_in_if_private(caller: &Caller, at: &RepoAddress, entered: &ReadableRepo, error: Error) -> Error {
    if entered.access.repo.profile.is_private { or_sign_in(caller, at, error) } else { error }
}

async fn answer(
    house: &House,
    caller: &Caller,
    at: &RepoAddress,
    entered: &ReadableRepo,
    native: &dyn Native,
    call: &NativeCall<'_>,
    question: &Question,
) -> Result<Option<NativeAnswer>> {
    let rows = match question {
        // This one is cached.
        Question::Packages => return published::list(house, caller, entered, native, call).await,
        Question::Package(name) => package(house, caller, at, name, None).await?,
        Question::Drafts { package, version } => drafts::find(house, caller, at, package, version.as_deref()).await?,
        Question::Version(name, version) => package(house, caller, at, name, Some(version)).await?,
        Question::Repo => Some(Rows::Repo { is_private: entered.access.repo.profile.is_private }),
        Question::Search { text, offset, limit } => Some(matches::search(house, entered, text, *offset, *limit).await?),
        Question::SearchVersions { text, offset, limit } => {
            Some(matches::search_versions(house, caller, entered, text, *offset, *limit).await?)
        }
        Question::Versions(name) => Some(published::list_versions(house, caller, entered, name.as_ref()).await?),
        Question::Publishers => Some(Rows::Publishers(list_publishers(house, caller, at).await?)),
        Question::Caller => Some(Rows::Caller(caller.name())),
    };
    Ok(rows.and_then(|rows| native.answer(call, &rows)))
}

/// Lists the users who may publish, for callers who may publish themselves.
async fn list_publishers(house: &House, caller: &Caller, at: &RepoAddress) -> Result<Vec<Publisher>> {
    let repo = access::repo(&house.db, caller, at, Right::Publish).await?.repo;
    let found = publishers::list(&house.db, repo.id, PUBLISHERS).await?;
    let publisher = |found: publishers::RepoPublisher| Publisher {
        id: found.id.get().unsigned_abs(),
        name: found.name,
        full_name: Some(found.full_name).filter(|name| !name.is_empty()),
    };
    Ok(found.into_iter().map(publisher).collect())
}

async fn package(
    house: &House,
    caller: &Caller,
    at: &RepoAddress,
    name: &PackageName,
    version: Option<&str>,
) -> Result<Option<Rows>> {
    let Some((access, reach)) = open(house, caller, at, name).await? else { return Ok(None) };
    let package = ReadablePackage { access, parts: reach.as_ref() };
    check_origin(house, caller, &package.access.repo).await?;
    let format = house.format(&package.access.repo.repo.kind);
    let view: Option<PackageView> = match version {
        Some(version) => package.with_version(&house.db, caller, format, version).await?,
        None => package.with_versions(&house.db, caller).await?,
    };
    Ok(view.map(|view| Rows::Package(Box::new(view))))
}

/// Opens a package of the repository, or one that it links to, for a caller who may read it or a part of it.
async fn open(
    house: &House,
    caller: &Caller,
    at: &RepoAddress,
    name: &PackageName,
) -> Result<Option<(PackageAccess, Option<RepoGrants>)>> {
    let at = PackageAddress { repo: at.clone(), package: name.clone() };
    match access::package(&house.db, caller, &at, Right::Read).await {
        Ok(access) => return Ok(Some((access, None))),
        Err(Error::NotFound { .. }) => {}
        Err(other) => return Err(other),
    }
    let reach = RepoGrants::find(&house.db, caller, &at.repo, Right::Read).await?;
    if !reach.has_parts() {
        return Ok(None);
    }
    let repo = reach.enter_part(caller, Right::Read)?;
    let found = packages::find(&house.db, repo.repo.id, name).await?;
    Ok(found.map(|package| (PackageAccess { repo, package }, Some(reach))))
}
