//! Repositories.

use database::{
    Read, ScopedFutureExt,
    access::{permissions, teams},
    accounts::subjects,
    catalogue::repos,
    content::stored_bytes,
    indexes::heads,
};
use model::{
    access::{Action, Decision, Right, decide, scope_of_action},
    address::RepoAddress,
    event::EventKind,
    id::RepoId,
    names::SubjectName,
    repo::{Repo, RepoListItem, RepoProfile, RepoQuotas, WindowHistory},
    repo_type,
    subject::Subject,
    text,
};

use crate::{
    Caller, Error, House, RepoAccess, Result, access,
    audit::{entry, record, record_edits},
    catalogue::{
        deletions,
        window::{self, DeletionScope},
    },
    change::Edits,
    events::{self, EventScope, NewEvent, webhooks::Subscriptions},
};

/// Changes to a repository. Absent fields stay as they are.
#[derive(Debug, Clone, Default)]
pub struct RepoChange {
    /// Whether it is hidden from callers who may not read it.
    pub is_private: Option<bool>,
    /// Its description.
    pub description: Option<String>,
    /// Labels to find it by.
    pub labels: Option<Vec<String>>,
    /// Whether index files are signed.
    pub gpg_sign_metadata: Option<bool>,
    /// Whether files are signed.
    pub gpg_sign_files: Option<bool>,
    /// Whether the owner's key signs.
    pub gpg_use_owner_key: Option<bool>,
    /// Its own upload window, in days; `Some(None)` removes it.
    pub version_update_max_days: Option<Option<i64>>,
    /// For Debian repositories.
    pub default_debian_distribution: Option<Option<String>>,
    /// For Debian repositories.
    pub default_debian_component: Option<Option<String>>,
    /// For Debian repositories.
    pub default_debian_architecture: Option<Option<String>>,
    /// For RPM repositories.
    pub yum_metadata_depth: Option<Option<i64>>,
    /// For Debian repositories: the number of days after which clients refuse an index.
    pub debian_valid_days: Option<Option<i64>>,
    /// For Debian repositories: whether indexes list the files in packages.
    pub debian_contents: Option<bool>,
    /// Whether uploads by the format's own clients stay staged until they are published.
    pub native_staged: Option<bool>,
    /// For container images: the number of days after which manifests without a tag are removed.
    pub untagged_days: Option<Option<i64>>,
}

impl RepoChange {
    fn check(&self) -> Result<()> {
        let invalid = |field| move |reason| Error::invalid(field, reason);
        text::check_text(self.description.as_deref().unwrap_or_default()).map_err(invalid("desc"))?;
        text::check_labels(self.labels.as_deref().unwrap_or_default()).map_err(invalid("labels"))?;
        for (field, value) in [
            ("default_debian_distribution", &self.default_debian_distribution),
            ("default_debian_component", &self.default_debian_component),
            ("default_debian_architecture", &self.default_debian_architecture),
        ] {
            text::check_line(value.iter().flatten().next().map_or("", String::as_str)).map_err(invalid(field))?;
        }
        let days = self.version_update_max_days.flatten();
        if let Some(days) = days.filter(|days| !(1..=36_500).contains(days)) {
            let reason = format!("'{days}' is not a number of days from 1 to 36500");
            return Err(Error::invalid("version_update_max_days", reason));
        }
        if let Some(depth) = self.yum_metadata_depth.flatten().filter(|depth| !(0..=100).contains(depth)) {
            return Err(Error::invalid("yum_metadata_depth", format!("'{depth}' is not a number from 0 to 100")));
        }
        if let Some(days) = self.debian_valid_days.flatten().filter(|days| !(1..=3_650).contains(days)) {
            let reason = format!("'{days}' is not a number of days from 1 to 3650");
            return Err(Error::invalid("debian_valid_days", reason));
        }
        if let Some(days) = self.untagged_days.flatten().filter(|days| !(1..=36_500).contains(days)) {
            return Err(Error::invalid("untagged_days", format!("'{days}' is not a number of days from 1 to 36500")));
        }
        Ok(())
    }

    fn apply(&self, profile: &mut RepoProfile, edits: &mut Edits) {
        edits.set("private", &mut profile.is_private, &self.is_private);
        edits.set("desc", &mut profile.description, &self.description);
        edits.set("labels", &mut profile.labels, &self.labels);
        edits.set("gpg_sign_metadata", &mut profile.gpg_sign_metadata, &self.gpg_sign_metadata);
        edits.set("gpg_sign_files", &mut profile.gpg_sign_files, &self.gpg_sign_files);
        edits.set("gpg_use_owner_key", &mut profile.gpg_use_owner_key, &self.gpg_use_owner_key);
        edits.set("version_update_max_days", &mut profile.version_update_max_days, &self.version_update_max_days);
        edits.set(
            "default_debian_distribution",
            &mut profile.default_debian_distribution,
            &self.default_debian_distribution,
        );
        edits.set("default_debian_component", &mut profile.default_debian_component, &self.default_debian_component);
        edits.set(
            "default_debian_architecture",
            &mut profile.default_debian_architecture,
            &self.default_debian_architecture,
        );
        edits.set("yum_metadata_depth", &mut profile.yum_metadata_depth, &self.yum_metadata_depth);
        edits.set("debian_valid_days", &mut profile.debian_valid_days, &self.debian_valid_days);
        edits.set("debian_contents", &mut profile.debian_contents, &self.debian_contents);
        edits.set("native_staged", &mut profile.native_staged, &self.native_staged);
        edits.set("untagged_days", &mut profile.untagged_days, &self.untagged_days);
    }
}

/// Lists the repositories that a subject may write to and the caller may see.
#[boxed::future]
pub async fn list(house: &House, caller: &Caller, subject: &SubjectName) -> Result<Vec<RepoListItem>> {
    let not_found = || Error::NotFound { what: "Subject", name: subject.to_string() };
    let subject = subjects::find(&house.db, subject).await?.ok_or_else(not_found)?;
    Ok(repos::list_writeable(&house.db, subject.id, access::reader(caller)).await?)
}

/// Returns a repository, for callers who may read it.
#[boxed::future]
pub async fn show(house: &House, caller: &Caller, at: &RepoAddress) -> Result<RepoAccess> {
    show_for(house, caller, at, Right::Read).await
}

/// Returns a repository, for callers who have this right in it: the initial values of a form.
#[boxed::future]
pub async fn show_for(house: &House, caller: &Caller, at: &RepoAddress, needed: Right) -> Result<RepoAccess> {
    access::repo(&house.db, caller, at, needed).await
}

/// Returns the size of a repository's files in bytes. For a private repository, only its owners get it. Staged files count
/// for publishers only.
#[boxed::future]
pub async fn stored_bytes(house: &House, access: &RepoAccess) -> Result<Option<u64>> {
    if access.repo.profile.is_private && access.right < Right::Own {
        return Ok(None);
    }
    let stored = stored_bytes::of_repo(&house.db, access.repo.id).await?;
    let hidden =
        if access.is_publisher() { 0 } else { stored_bytes::staged_of_repo(&house.db, access.repo.id).await? };
    Ok(Some((stored - hidden).unsigned_abs()))
}

/// Creates a repository of the caller, or of an organization that the caller manages or may create repositories in
/// through a team.
#[boxed::future]
pub async fn create(
    house: &House,
    caller: &Caller,
    at: &RepoAddress,
    kind: &str,
    change: RepoChange,
) -> Result<RepoAccess> {
    let kind = known_type(house, kind)?;
    let owner = &owner_for_new(house, caller, &at.owner).await?;
    change.check()?;
    let mut profile = RepoProfile::default();
    change.apply(&mut profile, &mut Edits::default());
    let repo = Repo {
        id: RepoId::new(house.next_id()),
        owner_id: owner.id,
        owner: owner.name.clone(),
        plan: owner.plan,
        name: at.repo.clone(),
        created: house.clock.now(),
        package_count: 0,
        kind: kind.to_owned(),
        window: WindowHistory::default(),
        quotas: RepoQuotas { of_repo: None, of_owner: None },
        profile,
    };
    let (new, log) = (&repo, &entry(house, caller, "repo.create", at, kind));
    let has_indexes = house.format(kind).repo_indexes().is_some();
    house
        .db
        .write(|tx| {
            async move {
                access::lock(tx, owner).await?;
                let teams = check_may_create(tx, caller, owner).await?;
                match repos::insert(tx, new).await {
                    Err(database::Error::Conflict) => {
                        return Err(Error::Conflict(format!("Repository '{}' already exists", new.name)));
                    }
                    other => other?,
                }
                if has_indexes {
                    heads::insert(tx, new.id).await?;
                }
                for team_id in teams {
                    permissions::upsert(tx, new.id, team_id, Right::Own).await?;
                }
                record(tx, log).await
            }
            .scope_boxed()
        })
        .await?;
    Ok(RepoAccess { repo, right: Right::Own })
}

/// Returns the type with this name, if the server has a format for it.
fn known_type(house: &House, kind: &str) -> Result<&'static str> {
    let types = house.repo_types();
    let unknown = || {
        let kind: String = kind.chars().take(40).collect();
        Error::invalid("type", format!("'{kind}' is not one of {}", types.join(", ")))
    };
    repo_type::parse(kind).filter(|kind| types.contains(kind)).ok_or_else(unknown)
}

/// Rejects callers who may not create repositories of this subject.
#[boxed::future]
pub async fn check_create(house: &House, caller: &Caller, owner: &SubjectName) -> Result<()> {
    owner_for_new(house, caller, owner).await.map(|_| ())
}

async fn owner_for_new(house: &House, caller: &Caller, owner: &SubjectName) -> Result<Subject> {
    access::identity(caller)?;
    caller.check_known_to(owner)?;
    let not_found = || Error::NotFound { what: "Subject", name: owner.to_string() };
    let owner = subjects::find(&house.db, owner).await?.ok_or_else(not_found)?;
    check_may_create(&house.db, caller, &owner).await?;
    Ok(owner)
}

/// Checks that the caller may create repositories of this owner. Callers who may do so only through teams could not use
/// the new repository otherwise, so those teams are returned and get the right to manage it.
async fn check_may_create(db: &dyn Read, caller: &Caller, owner: &Subject) -> Result<Vec<i64>> {
    let decision = decide(Action::CreateRepo, access::standing(db, caller, owner).await?);
    let teams = match caller.user() {
        Some(user) if decision == Decision::Denied => teams::list_that_create_repos(db, owner.id, user.id).await?,
        _ => Vec::new(),
    };
    if teams.is_empty() {
        access::enforce(decision)?;
    }
    caller.check_scope(scope_of_action(Action::CreateRepo))?;
    Ok(teams)
}

/// Changes a repository. A job builds its indexes again if that changes them.
#[boxed::future]
pub async fn edit(house: &House, caller: &Caller, at: &RepoAddress, change: RepoChange) -> Result<()> {
    access::repo(&house.db, caller, at, Right::Own).await?;
    change.check()?;
    let (change, log) = (&change, &entry(house, caller, "repo.edit", at, ""));
    house
        .db
        .write(|tx| {
            async move {
                let mut repo = access::lock_repo(tx, caller, at, Right::Own).await?.repo;
                if change.version_update_max_days.is_some_and(|days| days != repo.profile.version_update_max_days) {
                    window::record_change(tx, house, &repo, log.at).await?;
                }
                let (mut edits, before) = (Edits::default(), repo.profile.debian_contents);
                change.apply(&mut repo.profile, &mut edits);
                repos::update(tx, repo.id, &repo.profile).await?;
                if repo.profile.debian_contents != before {
                    // The indexes are built as if by other code then.
                    heads::set_edition(tx, repo.id, 0).await?;
                }
                record_edits(tx, log, &edits).await
            }
            .scope_boxed()
        })
        .await
}

/// Deletes a repository with everything in it: from now on, it does not exist. A job deletes its rows.
#[boxed::future]
pub async fn delete(house: &House, caller: &Caller, at: &RepoAddress) -> Result<()> {
    access::repo(&house.db, caller, at, Right::Own).await?;
    let log = &entry(house, caller, "repo.delete", at, "");
    house
        .db
        .write(|tx| {
            async move {
                let access = access::lock_repo(tx, caller, at, Right::Own).await?;
                window::check_delete_all(tx, house, caller, DeletionScope::Repo(access.repo.id), log.at).await?;
                let repo = &access.repo;
                deletions::hide(tx, house, repo, log.at).await?;
                let deleted = NewEvent { kind: EventKind::Delete, at: log.at, repo, scope: EventScope::Repo };
                events::record(tx, house, caller, deleted, &Subscriptions::default()).await?;
                record(tx, log).await
            }
            .scope_boxed()
        })
        .await
}
