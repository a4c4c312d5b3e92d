//! Organizations.

use database::{
    ScopedFutureExt,
    access::teams,
    accounts::{
        followers, members,
        requirements::{self, UnmetRequirement},
        retired_names, subjects,
    },
    catalogue::repos,
    content::stored_bytes,
};
use model::{
    access::{Action, Decision, decide},
    id::SubjectId,
    member::Membership,
    names::SubjectName,
    role::Role,
    subject::{Subject, SubjectKind},
};

use crate::{
    Caller, Error, House, Result, access,
    accounts::users,
    audit::{entry, record, record_edits},
    catalogue::{
        deletions,
        window::{self, DeletionScope},
    },
    change::Edits,
};

/// An organization as the caller may see it.
#[derive(Debug, Clone)]
pub struct OrgProfile {
    /// The account.
    pub subject: Subject,
    /// Its first owner, by name.
    pub owner: Option<String>,
    /// The names of its repositories that the caller may read.
    pub repos: Vec<String>,
    /// The number of its followers.
    pub followers_count: u64,
    /// The size of its files in bytes, in the repositories that the caller may read.
    pub stored_bytes: u64,
    /// Its members; absent for callers who are not members.
    pub members: Option<Vec<Membership>>,
    /// The names of its teams; absent for callers who do not manage it.
    pub teams: Option<Vec<String>>,
    /// The members who lack something that it requires; empty for callers who do not manage it.
    pub waiting: Vec<UnmetRequirement>,
}

/// Creates an organization that the caller owns.
#[boxed::future]
pub async fn create(house: &House, caller: &Caller, name: SubjectName, full_name: String) -> Result<OrgProfile> {
    access::check_site(caller, Action::CreateOrg)?;
    let owner = access::person(caller)?.name.clone();
    create_for(house, caller, name, full_name, &owner).await
}

/// Creates an organization that this user owns.
#[boxed::future]
pub async fn create_for(
    house: &House,
    caller: &Caller,
    name: SubjectName,
    full_name: String,
    owner: &SubjectName,
) -> Result<OrgProfile> {
    if name.is_reserved() {
        return Err(Error::Invalid { field: "name", reason: format!("'{name}' is reserved") });
    }
    let owner = &access::account(&house.db, caller, SubjectKind::User, owner, Action::SeeProfile).await?;
    let org = Subject {
        id: SubjectId::new(house.next_id()),
        kind: SubjectKind::Org,
        full_name: users::shown_name(&full_name, &name)?,
        name,
        email: None,
        has_verified_email: false,
        plan: house.policy.default_plan,
        is_site_admin: false,
        is_suspended: false,
        requires_second_factor: false,
        requires_single_sign_on: false,
        registered: house.clock.now(),
    };
    let may_revive = access::check_site(caller, Action::Administer).is_ok();
    let (subject, log) = (&org, &entry(house, caller, "org.create", &org.name, ""));
    house
        .db
        .write(|tx| {
            async move {
                users::claim_name(tx, &subject.name, may_revive).await?;
                users::insert_subject(tx, subject, None).await?;
                crate::accounts::members::insert(tx, subject.id, owner, Role::Owner).await?;
                record(tx, log).await
            }
            .scope_boxed()
        })
        .await?;
    profile(house, caller, org).await
}

/// Returns an organization, for any signed-in caller.
#[boxed::future]
pub async fn show(house: &House, caller: &Caller, name: &SubjectName) -> Result<OrgProfile> {
    let org = access::account(&house.db, caller, SubjectKind::Org, name, Action::SeeProfile).await?;
    profile(house, caller, org).await
}

async fn profile(house: &House, caller: &Caller, subject: Subject) -> Result<OrgProfile> {
    let standing = access::standing(&house.db, caller, &subject).await?;
    let members = members::list_of_org(&house.db, subject.id).await?;
    let owner = members.iter().find(|member| member.role == Role::Owner).map(|member| member.name.clone());
    let may_see = decide(Action::SeeMembers, standing) == Decision::Allowed;
    let repos = repos::list_names_of(&house.db, &[subject.id], access::reader(caller)).await?;
    let followers_count = followers::count(&house.db, subject.id).await?.unsigned_abs();
    let stored_bytes = stored_bytes::of_owners(&house.db, &[subject.id], access::reader(caller)).await?;
    let stored_bytes = stored_bytes.into_values().sum::<i64>().unsigned_abs();
    let repos = repos.into_values().flatten().collect();
    let teams = match decide(Action::ManageMembers, standing) {
        Decision::Allowed => Some(teams::list_names(&house.db, subject.id).await?),
        _ => None,
    };
    let members = may_see.then_some(members);
    let waiting = match &teams {
        Some(_) => requirements::list_unmet_of_org(&house.db, subject.id).await?,
        None => Vec::new(),
    };
    Ok(OrgProfile { subject, owner, repos, followers_count, stored_bytes, members, teams, waiting })
}

/// Changes the display name.
#[boxed::future]
pub async fn edit(house: &House, caller: &Caller, name: &SubjectName, full_name: Option<String>) -> Result<()> {
    let org = &access::account(&house.db, caller, SubjectKind::Org, name, Action::EditProfile).await?;
    let (full_name, log) = (full_name.as_deref(), &entry(house, caller, "org.edit", name, ""));
    house
        .db
        .write(|tx| {
            async move {
                let org = access::lock(tx, org).await?;
                let full_name = users::shown_name(full_name.unwrap_or(&org.full_name), name)?;
                subjects::update_profile(tx, org.id, &full_name, None).await?;
                let mut edits = Edits::default();
                edits.record("full_name", &org.full_name, &full_name);
                record_edits(tx, log, &edits).await
            }
            .scope_boxed()
        })
        .await
}

/// Deletes an organization.
#[boxed::future]
pub async fn delete(house: &House, caller: &Caller, name: &SubjectName) -> Result<()> {
    let org = &access::account(&house.db, caller, SubjectKind::Org, name, Action::DeleteAccount).await?;
    let log = &entry(house, caller, "org.delete", name, "");
    house
        .db
        .write(|tx| {
            async move {
                access::lock(tx, org).await?;
                window::check_delete_all(tx, house, caller, DeletionScope::Owner(org.id), log.at).await?;
                deletions::hide_of_owner(tx, house, org.id, log.at).await?;
                subjects::delete(tx, org.id).await?;
                retired_names::insert(tx, name, log.at).await?;
                record(tx, log).await
            }
            .scope_boxed()
        })
        .await
}
