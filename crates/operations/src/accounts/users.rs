//! User accounts and their API keys.

use database::{
    ScopedFutureExt, Tx,
    accounts::{api_keys, followers, members, retired_names, sessions, subjects},
    catalogue::repos,
    content::stored_bytes,
};
use md5::{Digest, Md5};
use model::{
    access::{Action, Viewer},
    api_key::ApiKey,
    digest::hex,
    email::Email,
    id::SubjectId,
    names::SubjectName,
    plan::Plan,
    role::Role,
    subject::{Subject, SubjectKind},
    text,
};

use crate::{
    Caller, Error, House, Result, access,
    accounts::{email_addresses, ratings, requirements},
    audit::{entry, record, record_edits},
    catalogue::{
        deletions,
        window::{self, DeletionScope},
    },
    change::Edits,
    events::webhooks,
};

/// A user to create.
#[derive(Debug, Clone)]
pub struct NewUser {
    /// The name in URLs.
    pub name: SubjectName,
    /// The display name; the name itself if empty.
    pub full_name: String,
    /// The e-mail address.
    pub email: Option<Email>,
    /// The password for the web pages.
    pub password: Option<String>,
    /// The plan, which only site administrators may set.
    pub plan: Option<Plan>,
}

/// Changes to a user. Absent fields stay as they are.
#[derive(Debug, Clone, Default)]
pub struct UserChange {
    /// The display name.
    pub full_name: Option<String>,
    /// The e-mail address; `Some(None)` removes it.
    pub email: Option<Option<Email>>,
    /// The password for the web pages.
    pub password: Option<String>,
}

/// A user as others see it.
#[derive(Debug, Clone)]
pub struct Profile {
    /// The account.
    pub subject: Subject,
    /// The organizations that the caller may know of.
    pub organizations: Vec<String>,
    /// The names of the user's own repositories that the caller may read.
    pub repos: Vec<String>,
    /// The number of the user's followers.
    pub followers_count: u64,
    /// The size of the user's files in bytes, in the repositories that the caller may read.
    pub stored_bytes: u64,
    /// The MD5 of the e-mail address, as picture services expect it; empty without an address.
    pub gravatar_id: String,
}

/// Rejects callers who may not create accounts: all but site administrators, unless registration is open.
pub fn check_may_create(house: &House, caller: &Caller) -> Result<()> {
    if house.policy.open_registration { Ok(()) } else { access::check_site(caller, Action::Administer) }
}

/// Creates a user and its first API key, which is shown only once.
#[boxed::future]
pub async fn create(house: &House, caller: &Caller, new: NewUser) -> Result<(Profile, ApiKey)> {
    check_may_create(house, caller)?;
    let is_admin = access::check_site(caller, Action::Administer).is_ok();
    if !is_admin && new.plan.is_some() {
        return Err(Error::Denied("Only a site administrator sets a plan".into()));
    }
    if new.name.is_reserved() {
        return Err(Error::Invalid { field: "name", reason: format!("'{}' is reserved", new.name) });
    }
    let password = new.password.clone();
    let subject = new_subject(house, new)?;
    let password = hash_password(house, password.as_deref()).await?;
    let key = ApiKey::from_random(house.entropy.bytes());
    let account = NewAccount { subject: &subject, password: password.as_deref(), may_revive: is_admin };
    insert(house, caller, account, &key).await?;
    Ok((profile(house, caller, subject).await?, key))
}

fn new_subject(house: &House, new: NewUser) -> Result<Subject> {
    Ok(Subject {
        id: SubjectId::new(house.next_id()),
        kind: SubjectKind::User,
        full_name: shown_name(&new.full_name, &new.name)?,
        name: new.name,
        email: new.email.map(|email| email.as_str().to_owned()),
        has_verified_email: false,
        plan: new.plan.unwrap_or(house.policy.default_plan),
        is_site_admin: false,
        is_suspended: false,
        requires_second_factor: false,
        requires_single_sign_on: false,
        registered: house.clock.now(),
    })
}

pub(crate) struct NewAccount<'a> {
    pub(crate) subject: &'a Subject,
    pub(crate) password: Option<&'a str>,
    pub(crate) may_revive: bool,
}

/// Inserts a user with a key.
pub(crate) async fn insert(house: &House, caller: &Caller, account: NewAccount<'_>, key: &ApiKey) -> Result<()> {
    let (key_id, hash) = (house.next_id(), house.secrets.hash_key(key));
    let (account, hash, subject) = (&account, &hash, account.subject);
    let log = &entry(house, caller, "user.create", &subject.name, format!("plan {}", subject.plan.as_str()));
    house
        .db
        .write(|tx| {
            async move {
                claim_name(tx, &subject.name, account.may_revive).await?;
                insert_subject(tx, subject, account.password).await?;
                api_keys::insert(tx, key_id, subject.id, hash, subject.registered).await?;
                email_addresses::enqueue_verification(tx, house, subject).await?;
                record(tx, log).await
            }
            .scope_boxed()
        })
        .await
}

/// Claims a name. The name of a deleted subject is not free for others, because clients may still trust its former
/// content.
pub(crate) async fn claim_name(tx: &mut Tx, name: &SubjectName, may_revive: bool) -> Result<()> {
    if !retired_names::contains(tx, name).await? {
        return Ok(());
    }
    if !may_revive {
        return Err(taken(name));
    }
    Ok(retired_names::delete(tx, name).await?)
}

pub(crate) async fn insert_subject(tx: &mut Tx, subject: &Subject, password: Option<&str>) -> Result<()> {
    match subjects::insert(tx, subject, password).await {
        Err(database::Error::Conflict) => Err(taken(&subject.name)),
        other => Ok(other?),
    }
}

fn taken(name: &SubjectName) -> Error {
    Error::Conflict(format!("Subject '{name}' already exists"))
}

/// Returns a user, for any signed-in caller.
#[boxed::future]
pub async fn show(house: &House, caller: &Caller, name: &SubjectName) -> Result<Profile> {
    let subject = access::account(&house.db, caller, SubjectKind::User, name, Action::SeeProfile).await?;
    profile(house, caller, subject).await
}

async fn profile(house: &House, caller: &Caller, subject: Subject) -> Result<Profile> {
    let profile = profiles(house, caller, vec![subject]).await?.pop();
    Ok(profile.expect("each user has a profile"))
}

/// Returns the visible profiles of these users, with a few statements for all. Memberships are visible to the user, to
/// fellow members and to site administrators.
pub(crate) async fn profiles(house: &House, caller: &Caller, subjects: Vec<Subject>) -> Result<Vec<Profile>> {
    let ids: Vec<SubjectId> = subjects.iter().map(|subject| subject.id).collect();
    let reader = access::reader(caller);
    let fellow = Viewer { sees_everything: access::check_site(caller, Action::SeeMembers).is_ok(), ..reader };
    let mut organizations = members::list_names_of(&house.db, &ids, fellow).await?;
    let mut repos = repos::list_names_of(&house.db, &ids, reader).await?;
    let followers = followers::count_of(&house.db, &ids).await?;
    let stored_bytes = stored_bytes::of_owners(&house.db, &ids, reader).await?;
    let profile = |subject: Subject| Profile {
        organizations: organizations.remove(&subject.id).unwrap_or_default(),
        repos: repos.remove(&subject.id).unwrap_or_default(),
        followers_count: followers.get(&subject.id).map_or(0, |count| count.unsigned_abs()),
        stored_bytes: stored_bytes.get(&subject.id).map_or(0, |bytes| bytes.unsigned_abs()),
        gravatar_id: gravatar_id(&subject),
        subject,
    };
    Ok(subjects.into_iter().map(profile).collect())
}

fn gravatar_id(subject: &Subject) -> String {
    let email = subject.email.as_deref().and_then(|email| Email::parse(email).ok());
    email.map(|email| hex(&Md5::digest(email.folded()))).unwrap_or_default()
}

/// Changes a user's profile. A new password ends all sessions.
#[boxed::future]
pub async fn edit(house: &House, caller: &Caller, name: &SubjectName, change: UserChange) -> Result<()> {
    let user = &access::account(&house.db, caller, SubjectKind::User, name, Action::EditProfile).await?;
    if change.password.is_some() {
        check_whole(caller)?;
    }
    let password = hash_password(house, change.password.as_deref()).await?;
    let (change, password) = (&change, password.as_deref());
    let log = &entry(house, caller, "user.edit", name, "");
    house
        .db
        .write(|tx| {
            async move {
                let user = access::lock(tx, user).await?;
                let full_name = shown_name(change.full_name.as_deref().unwrap_or(&user.full_name), name)?;
                let email =
                    change.email.as_ref().map_or(user.email.as_deref(), |email| email.as_ref().map(Email::as_str));
                subjects::update_profile(tx, user.id, &full_name, email).await?;
                if let Some(changed) = subjects::find_by_id(tx, user.id).await?.filter(|new| new.email != user.email) {
                    email_addresses::enqueue_verification(tx, house, &changed).await?;
                }
                let mut edits = Edits::default();
                edits.record("full_name", &user.full_name, &full_name);
                edits.record("email", &user.email, &email.map(str::to_owned));
                if let Some(password) = password {
                    subjects::update_password(tx, user.id, Some(password)).await?;
                    requirements::update_after_loss(tx, &user).await?;
                    sessions::delete_all(tx, user.id).await?;
                    edits.record_secret("password");
                }
                record_edits(tx, log, &edits).await
            }
            .scope_boxed()
        })
        .await
}

/// Returns the trimmed display name; if it is empty, the name in URLs.
pub(crate) fn shown_name(full_name: &str, name: &SubjectName) -> Result<String> {
    text::check_full_name(full_name).map_err(|reason| Error::invalid("full_name", reason))?;
    let full_name = full_name.trim();
    Ok(if full_name.is_empty() { name.to_string() } else { full_name.to_owned() })
}

async fn hash_password(house: &House, password: Option<&str>) -> Result<Option<String>> {
    match password {
        Some(password) => house.passwords.hash(password, &house.entropy).await.map(Some),
        None => Ok(None),
    }
}

/// Replaces the API key of a user. The old key and all sessions have ended when this returns.
#[boxed::future]
pub async fn rotate_key(house: &House, caller: &Caller, name: &SubjectName) -> Result<ApiKey> {
    let user = &access::account(&house.db, caller, SubjectKind::User, name, Action::RotateKey).await?;
    check_whole(caller)?;
    let key = &ApiKey::from_random(house.entropy.bytes());
    let (key_id, hash, now) = (house.next_id(), &house.secrets.hash_key(key), house.clock.now());
    let log = &entry(house, caller, "user.rotate_key", name, "");
    house
        .db
        .write(|tx| {
            async move {
                // The row is locked, so that of two simultaneous rotations one key survives, not two.
                access::lock(tx, user).await?;
                api_keys::delete_all(tx, user.id).await?;
                api_keys::insert(tx, key_id, user.id, hash, now).await?;
                webhooks::renew_macs(tx, house, user.id, key).await?;
                // A holder of the old key may have signed in with it.
                sessions::delete_all(tx, user.id).await?;
                record(tx, log).await
            }
            .scope_boxed()
        })
        .await?;
    Ok(key.clone())
}

/// Rejects tokens for some resources: an API key and a password are for everything.
fn check_whole(caller: &Caller) -> Result<()> {
    let is_whole = caller.check_unlimited().is_ok();
    is_whole.then_some(()).ok_or_else(|| Error::Denied("A token for some resources may not replace credentials".into()))
}

/// Deletes a user, unless an organization or the site would be left without an owner or administrator.
#[boxed::future]
pub async fn delete(house: &House, caller: &Caller, name: &SubjectName) -> Result<()> {
    let user = &access::account(&house.db, caller, SubjectKind::User, name, Action::DeleteAccount).await?;
    let log = &entry(house, caller, "user.delete", name, "");
    house
        .db
        .write(|tx| {
            async move {
                // All administrators are locked first, then the user: if two delete each other, one stays.
                let admins = if user.is_site_admin { subjects::lock_site_admins(tx).await? } else { 0 };
                access::lock(tx, user).await?;
                if admins == 1 {
                    return Err(Error::Conflict(format!("User '{name}' is the last site administrator")));
                }
                check_orgs_keep_an_owner(tx, user).await?;
                window::check_delete_all(tx, house, caller, DeletionScope::Owner(user.id), log.at).await?;
                ratings::withdraw(tx, user.id).await?;
                deletions::hide_of_owner(tx, house, user.id, log.at).await?;
                subjects::delete(tx, user.id).await?;
                retired_names::insert(tx, name, log.at).await?;
                record(tx, log).await
            }
            .scope_boxed()
        })
        .await
}

async fn check_orgs_keep_an_owner(tx: &mut Tx, user: &Subject) -> Result<()> {
    for org in members::list_of_user(tx, user.id).await?.into_iter().filter(|org| org.role == Role::Owner) {
        subjects::lock(tx, org.id).await?;
        if members::count_owners(tx, org.id).await? < 2 {
            let reason = format!("User '{}' is the only owner of organization '{}'", user.name, org.name);
            return Err(Error::Conflict(reason));
        }
    }
    Ok(())
}
