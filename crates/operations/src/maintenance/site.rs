//! The first start, and the health of the house.

use std::{cmp::Reverse, collections::HashSet};

use database::{
    accounts::subjects,
    catalogue::blocks::check,
    content::{blobs, stored_bytes},
    maintenance::audit,
};
use model::{
    access::Action,
    api_key::ApiKey,
    blob::BlobTotals,
    id::SubjectId,
    names::SubjectName,
    plan::Plan,
    subject::{Subject, SubjectKind},
};

use crate::{
    Caller, Error, House, Result, access,
    accounts::users::{self, NewAccount},
};

/// The minimum length of a key that an operator chooses for the first administrator.
const CHOSEN_KEY_CHARACTERS: usize = 32;

/// The administrator that the first start created.
#[derive(Debug)]
pub struct FirstAdmin {
    /// The name of the administrator.
    pub name: SubjectName,
    /// The key, if the server generated it.
    pub new_key: Option<ApiKey>,
}

/// Checks the name and the chosen key of the first administrator, so that a start with wrong ones creates nothing.
pub fn check_first_admin(name: &str, chosen_key: Option<&str>) -> Result<SubjectName> {
    let name = SubjectName::parse(name).map_err(|error| Error::invalid("PACKHOUSE_ADMIN_NAME", error))?;
    if chosen_key.is_some_and(|key| key.chars().count() < CHOSEN_KEY_CHARACTERS || key.chars().any(char::is_control)) {
        return Err(Error::invalid("PACKHOUSE_ADMIN_KEY", "it must have at least 32 printable characters"));
    }
    if chosen_key.is_some_and(is_repetitive) {
        let reason = "it repeats itself or counts up, so it can be guessed; `openssl rand -hex 32` makes a good one";
        return Err(Error::invalid("PACKHOUSE_ADMIN_KEY", reason));
    }
    Ok(name)
}

/// Creates the site administrator for the operator, unless one exists: then it returns `None`.
#[boxed::future]
pub async fn create_first_admin(
    house: &House,
    caller: &Caller,
    name: &str,
    chosen_key: Option<&str>,
) -> Result<Option<FirstAdmin>> {
    check_may_administer(caller)?;
    if subjects::find_site_admin(&house.db).await?.is_some() {
        return Ok(None);
    }
    let name = check_first_admin(name, chosen_key)?;
    let key = chosen_key.map_or_else(|| ApiKey::from_random(house.entropy.bytes()), ApiKey::presented);
    match insert_admin(house, caller, &name, &key).await {
        // Another node was faster.
        Err(Error::Conflict(_)) if subjects::find_site_admin(&house.db).await?.is_some() => Ok(None),
        result => result.map(|()| Some(FirstAdmin { name, new_key: chosen_key.is_none().then_some(key) })),
    }
}

/// The minimum number of different characters in a key that an operator chooses.
const DIFFERENT_CHARACTERS: usize = 8;

/// Whether a key has a pattern that people type: few characters, a repeated sequence, or adjacent characters in a row.
fn is_repetitive(key: &str) -> bool {
    let characters: Vec<char> = key.chars().collect();
    let different: HashSet<&char> = characters.iter().collect();
    let has_period = |period: usize| characters.iter().zip(&characters[period..]).all(|(one, next)| one == next);
    let are_near = |pair: &&[char]| u32::from(pair[0]).abs_diff(u32::from(pair[1])) <= 1;
    different.len() < DIFFERENT_CHARACTERS
        || (1..=characters.len() / 2).any(has_period)
        || 2 * characters.windows(2).filter(are_near).count() > characters.len()
}

/// Returns whether nobody but site administrators has an account, and nothing is stored.
#[boxed::future]
pub async fn is_empty(house: &House, caller: &Caller) -> Result<bool> {
    check_may_administer(caller)?;
    let (repos, _) = stored_bytes::of_all(&house.db).await?;
    Ok(repos == 0 && subjects::find_ordinary(&house.db).await?.is_none())
}

/// Creates another site administrator, for the operator.
#[boxed::future]
pub async fn create_admin(house: &House, caller: &Caller, name: &SubjectName) -> Result<ApiKey> {
    check_may_administer(caller)?;
    let key = ApiKey::from_random(house.entropy.bytes());
    insert_admin(house, caller, name, &key).await.map(|()| key)
}

async fn insert_admin(house: &House, caller: &Caller, name: &SubjectName, key: &ApiKey) -> Result<()> {
    let admin = Subject {
        id: SubjectId::new(house.next_id()),
        kind: SubjectKind::User,
        name: name.clone(),
        full_name: name.to_string(),
        email: None,
        has_verified_email: false,
        plan: Plan::Enterprise,
        is_site_admin: true,
        is_suspended: false,
        requires_second_factor: false,
        requires_single_sign_on: false,
        registered: house.clock.now(),
    };
    let account = NewAccount { subject: &admin, password: None, may_revive: true };
    users::insert(house, caller, account, key).await
}

/// Looks for damage: errors that the database's own check finds, wrong counts of packages, and the first break of the
/// audit log.
#[boxed::future]
pub async fn find_damage(house: &House) -> Result<Vec<String>> {
    let mut damage = house.db.find_damage().await?;
    damage.extend(check::find_damage(&house.db).await?);
    if let Err(place) = audit::verify(&house.db).await? {
        damage.push(format!("the hash chain of the audit log is broken at entry {place}"));
    }
    Ok(damage)
}

/// Sends a small query to the database. Probes never touch the blob store: a slow bucket does not mean that the node is
/// down.
#[boxed::future]
pub async fn check_ready(house: &House) -> Result<()> {
    match house.db.check_schema().await {
        // The schema is already that of the next release, which will reach this node soon.
        Err(database::Error::Broken(_)) if house.db.serves_this_program().await? => Ok(()),
        checked => Ok(checked?),
    }
}

/// Rejects callers who may not administer the server.
pub fn check_may_administer(caller: &Caller) -> Result<()> {
    access::check_site(caller, Action::Administer)
}

/// The totals of the stores.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Totals {
    /// Content that files refer to, each blob counted once.
    pub content: BlobTotals,
    /// The number of repositories that store something.
    pub repos: i64,
    /// The bytes of all files, as reported to owners.
    pub file_bytes: i64,
    /// The bytes of the files in repositories of each format, the most first.
    pub by_format: Vec<(String, i64)>,
}

/// Returns the totals of the stores, for site administrators.
#[boxed::future]
pub async fn totals(house: &House, caller: &Caller) -> Result<Totals> {
    access::check_site(caller, Action::Administer)?;
    let content = blobs::count_referenced(&house.db).await?;
    let (repos, file_bytes) = stored_bytes::of_all(&house.db).await?;
    let mut by_format = stored_bytes::of_formats(&house.db).await?;
    by_format.retain(|(_, bytes)| *bytes > 0);
    by_format.sort_by_key(|(_, bytes)| Reverse(*bytes));
    Ok(Totals { content, repos, file_bytes, by_format })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_that_people_type_in_a_hurry_are_repetitive() {
        for key in [
            "k".repeat(32),
            "12345678".repeat(4),
            "ab".repeat(20),
            "correct horse battery ".repeat(2),
            "abcdefghijklmnopqrstuvwxyz0123456789".to_owned(),
            "9876543210zyxwvutsrqponmlkjihgfedcba".to_owned(),
            "aaaaaaaabbbbbbbbccccccccddddddddefgh".to_owned(),
        ] {
            assert!(is_repetitive(&key), "{key}");
        }
        for key in [
            "the-key-of-the-administrator-in-tests",
            "3f1b8a6c2d907e54b1c8f03a96d2e7514b8f0c3da1e96275",
            "83014926573810294657382910465728",
            "correct horse battery staple correct pony",
            "ключ-администратора-для-сервера-тестов",
        ] {
            assert!(!is_repetitive(key), "{key}");
        }
    }
}
