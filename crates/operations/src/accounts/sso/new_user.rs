//! Users for people who sign in for the first time.

use database::{
    ScopedFutureExt, Tx,
    accounts::{api_keys, retired_names, subjects},
};
use model::{
    api_key::ApiKey,
    email::Email,
    id::SubjectId,
    names::SubjectName,
    subject::{Subject, SubjectKind},
};

use super::insert as insert_identity;
use crate::{
    Caller, Error, House, Result,
    accounts::users::{insert_subject, shown_name},
    audit::{entry, record},
    oidc::{Claims, OidcConfig},
};

/// The most names that are tried.
const NAMES: u32 = 50;

/// The most characters of a new name, without its number.
const NAME_CHARACTERS: usize = 60;

/// Creates the user of somebody who has none, if the operator wants it.
pub(super) async fn create(house: &House, caller: &Caller, config: &OidcConfig, claims: &Claims) -> Result<SubjectId> {
    check(config, claims)?;
    let wanted = [&config.name_claim, "preferred_username", "email", "sub"];
    let base = wanted.iter().filter_map(|claim| claims.text(claim)).find_map(|text| plain_name(&text));
    let base = base.ok_or_else(|| Error::Denied("The provider gives no name for the user".into()))?;
    let email = claims.text(&config.email_claim).and_then(|text| Email::parse(&text).ok());
    // An address that the provider has not verified may be somebody else's.
    let verified = claims.text("email_verified");
    let email = email.filter(|_| verified.as_deref() != Some("false"));
    let has_verified_email = email.is_some() && verified.as_deref() == Some("true");
    let (id, key_id) = (SubjectId::new(house.next_id()), house.next_id());
    // The key is shown to nobody. The user replaces it when one is needed.
    let hash = &house.secrets.hash_key(&ApiKey::from_random(house.entropy.bytes()));
    let full_name = claims.text("name").unwrap_or_default();
    let (subject_of, now) = (&claims.subject(), house.clock.now());
    let new = &|name: SubjectName| -> Result<Subject> {
        Ok(Subject {
            id,
            kind: SubjectKind::User,
            full_name: shown_name(&full_name, &name).unwrap_or_else(|_| name.to_string()),
            name,
            email: email.as_ref().map(|email| email.as_str().to_owned()),
            has_verified_email,
            plan: house.policy.default_plan,
            is_site_admin: false,
            is_suspended: false,
            requires_second_factor: false,
            requires_single_sign_on: false,
            registered: now,
        })
    };
    let base = &base;
    house
        .db
        .write(|tx| {
            async move {
                let user = new(free_name(tx, base).await?)?;
                insert_subject(tx, &user, None).await?;
                api_keys::insert(tx, key_id, user.id, hash, now).await?;
                insert_identity(tx, &config.issuer, subject_of, user.id, now).await?;
                record(tx, &entry(house, caller, "user.create", &user.name, "single sign-on")).await
            }
            .scope_boxed()
        })
        .await?;
    Ok(id)
}

fn check(config: &OidcConfig, claims: &Claims) -> Result<()> {
    let groups = claims.texts(&config.groups_claim);
    let is_wanted = config.create_groups.is_empty() || config.create_groups.iter().any(|one| groups.contains(one));
    if config.creates_users && is_wanted {
        return Ok(());
    }
    Err(Error::Denied("You have no user here; ask an administrator of this site for one".into()))
}

/// Returns a name that nobody has and nobody had.
async fn free_name(tx: &mut Tx, base: &str) -> Result<SubjectName> {
    for number in 1..=NAMES {
        let text = if number == 1 { base.to_owned() } else { format!("{base}-{number}") };
        let Ok(name) = SubjectName::parse_new(&text) else { continue };
        if name.is_reserved() || retired_names::contains(tx, &name).await? {
            continue;
        }
        if !subjects::is_taken(tx, &name).await? {
            return Ok(name);
        }
    }
    Err(Error::Conflict(format!("There are {NAMES} users with names like '{base}' already")))
}

/// The part of a text that can be a name: what is before an `@`, in lower case, with dashes for other characters.
fn plain_name(text: &str) -> Option<String> {
    let text = text.split('@').next().unwrap_or_default().rsplit('\\').next().unwrap_or_default();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let plain: String = text.chars().map(|c| if is_plain(c) { c.to_ascii_lowercase() } else { '-' }).collect();
    let plain: String = plain.trim_matches(['-', '_', '.']).chars().take(NAME_CHARACTERS).collect();
    let plain = plain.trim_matches(['-', '_', '.']);
    (!plain.is_empty() && SubjectName::parse_new(plain).is_ok()).then(|| plain.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_made_of_what_providers_tell() {
        for (told, name) in [
            ("ada", "ada"),
            ("Ada.Lovelace@example.org", "ada.lovelace"),
            ("CORP\\ada", "ada"),
            ("ada lovelace", "ada-lovelace"),
            ("../ada", "ada"),
        ] {
            assert_eq!(plain_name(told).as_deref(), Some(name), "{told}");
        }
        for told in ["", "@example.org", "///", "ü"] {
            assert_eq!(plain_name(told), None, "{told}");
        }
    }
}
