//! What site administrators do to users: suspend them, and reset their passwords. Nobody acts as another person.

use database::{
    ScopedFutureExt,
    accounts::{sessions, subjects},
};
use model::{access::Action, names::SubjectName, subject::SubjectKind};

use crate::{
    Caller, Error, House, Result, access,
    accounts::{
        mails::{self, Message},
        requirements,
    },
    audit::{entry, record},
};

/// Begins a generated password, so that scanners recognize it.
const PREFIX: &str = "php_";

/// The letters of generated passwords: none is mistaken for another.
const LETTERS: &[u8; 32] = b"abcdefghjkmnpqrstuvwxyz23456789x";

/// The number of letters of a generated password: 100 bits.
const LETTERS_OF_PASSWORD: usize = 20;

/// Whether a user is suspended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Suspension {
    /// No credentials of the user work. Public content stays.
    Suspended,
    /// The key, the tokens and the password work again. Sessions do not come back.
    Active,
}

/// Suspends a user, or ends the suspension. When this returns, it has happened on all nodes.
#[boxed::future]
pub async fn set(house: &House, caller: &Caller, name: &SubjectName, to: Suspension) -> Result<()> {
    access::check_site(caller, Action::Administer)?;
    let user = &access::account(&house.db, caller, SubjectKind::User, name, Action::EditProfile).await?;
    if caller.user().is_some_and(|own| own.id == user.id) {
        return Err(Error::Conflict("You cannot suspend yourself".into()));
    }
    let action = if to == Suspension::Suspended { "user.suspend" } else { "user.unsuspend" };
    let log = &entry(house, caller, action, name, "");
    house
        .db
        .write(|tx| {
            async move {
                // All administrators are locked first, then the user: if two suspend each other, one stays.
                let admins = if user.is_site_admin { subjects::lock_site_admins(tx).await? } else { 0 };
                let user = access::lock(tx, user).await?;
                if user.is_suspended == (to == Suspension::Suspended) {
                    return Ok(());
                }
                if to == Suspension::Suspended {
                    if admins == 1 {
                        return Err(Error::Conflict(format!("User '{name}' is the last site administrator")));
                    }
                    sessions::delete_all(tx, user.id).await?;
                }
                let since = (to == Suspension::Suspended).then_some(log.at);
                subjects::update_suspended(tx, user.id, since).await?;
                record(tx, log).await
            }
            .scope_boxed()
        })
        .await
}

/// Gives a user a new password, which is shown once. All sessions of the user end.
#[boxed::future]
pub async fn reset_password(house: &House, caller: &Caller, name: &SubjectName) -> Result<String> {
    access::check_site(caller, Action::Administer)?;
    let user = &access::account(&house.db, caller, SubjectKind::User, name, Action::EditProfile).await?;
    let random = house.entropy.bytes();
    let letter = |byte: &u8| char::from(LETTERS[usize::from(byte & 31)]);
    let letters: String = random.iter().take(LETTERS_OF_PASSWORD).map(letter).collect();
    let password = format!("{PREFIX}{letters}");
    let hash = &house.passwords.hash(&password, &house.entropy).await?;
    let log = &entry(house, caller, "user.reset_password", name, "");
    house
        .db
        .write(|tx| {
            async move {
                let user = access::lock(tx, user).await?;
                subjects::update_password(tx, user.id, Some(hash)).await?;
                requirements::update_after_loss(tx, &user).await?;
                sessions::delete_all(tx, user.id).await?;
                mails::enqueue(tx, house, &user, &Message::PasswordReset).await?;
                record(tx, log).await
            }
            .scope_boxed()
        })
        .await?;
    Ok(password)
}
