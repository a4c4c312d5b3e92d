//! The second factor of a user: codes of an authenticator app, and recovery codes for the day the device is lost.

mod enrolment;
mod recovery;
mod totp;
mod verify;

use database::{
    ScopedFutureExt, Tx,
    accounts::{
        requirements::{self, UnmetRequirement},
        second_factors as rows, sessions as session_rows, subjects,
    },
};
use model::{
    access::Action,
    id::SubjectId,
    names::SubjectName,
    subject::{Subject, SubjectKind},
    timestamp::Timestamp,
};

use crate::{
    Caller, Error, House, Result, UserIdentity, access,
    accounts::{
        mails::{self, Message},
        sessions::{self, Token},
    },
    audit::{entry, record},
    sealing::SealContext,
};

pub use enrolment::{Enrolment, QrPicture};
pub(crate) use verify::{Used, begin_guess, use_code};

/// The second factor of a user, as its own pages show it.
#[derive(Debug, Clone)]
pub struct Status {
    /// Since when it is on; `None` if it is off.
    pub since: Option<Timestamp>,
    /// How many recovery codes are left.
    pub codes_left: u64,
    /// The organizations that require something that the user lacks, a second factor or another thing.
    pub waiting: Vec<UnmetRequirement>,
}

/// The credentials that a change of the second factor asks for again.
#[derive(Clone, Copy)]
pub struct Confirmation<'c> {
    /// The password or the API key.
    pub secret: &'c str,
    /// A code of the app, or a recovery code.
    pub code: &'c str,
}

/// Returns the caller's second factor.
#[boxed::future]
pub async fn show(house: &House, caller: &Caller) -> Result<Status> {
    status(house, person(caller)?.id).await
}

/// Returns the second factor of a user, for site administrators.
#[boxed::future]
pub async fn show_of(house: &House, caller: &Caller, name: &SubjectName) -> Result<Status> {
    access::check_site(caller, Action::Administer)?;
    let user = access::account(&house.db, caller, SubjectKind::User, name, Action::EditProfile).await?;
    status(house, user.id).await
}

async fn status(house: &House, user_id: SubjectId) -> Result<Status> {
    Ok(Status {
        since: rows::find(&house.db, user_id).await?.and_then(|factor| factor.confirmed),
        codes_left: rows::count_codes(&house.db, user_id).await?.unsigned_abs(),
        waiting: requirements::list_unmet_of_user(&house.db, user_id).await?,
    })
}

/// Generates a secret for the caller, who knows the password or the API key. It counts after [`confirm`].
#[boxed::future]
pub async fn begin(house: &House, caller: &Caller, secret: &str, host: &str) -> Result<Enrolment> {
    let user = person(caller)?;
    confirm_secret(house, caller, secret).await?;
    let random = house.entropy.bytes();
    let new = &random[..totp::SECRET_BYTES];
    let sealed = &house.secrets.seal(place(user.id), new, &house.entropy)?;
    house
        .db
        .write(|tx| {
            async move {
                lock(tx, user).await?;
                check_off(tx, user.id).await?;
                Ok::<_, Error>(rows::insert(tx, user.id, sealed, house.clock.now()).await?)
            }
            .scope_boxed()
        })
        .await?;
    Enrolment::new(new, user.name.as_str(), host)
}

/// Returns the secret that the caller has not confirmed yet, after a wrong code.
#[boxed::future]
pub async fn pending(house: &House, caller: &Caller, host: &str) -> Result<Option<Enrolment>> {
    let user = person(caller)?;
    let Some(factor) = rows::find(&house.db, user.id).await?.filter(|factor| factor.confirmed.is_none()) else {
        return Ok(None);
    };
    let secret = house.secrets.unseal(place(user.id), &factor.sealed_secret)?;
    Enrolment::new(&secret, user.name.as_str(), host).map(Some)
}

/// Turns the second factor on with its first code, and returns the recovery codes. All other sessions end.
#[boxed::future]
pub async fn confirm(house: &House, caller: &Caller, code: &str, session: &Token) -> Result<Vec<String>> {
    let user = person(caller)?;
    let guess_id = begin_guess(house, caller, user.name.as_str()).await?;
    let codes = recovery::generate(&house.entropy);
    let hashes = &hashes(house, user.id, &codes);
    let kept = &house.secrets.hash_session(session.expose());
    let log = &entry(house, caller, "second_factor.enable", &user.name, "");
    house
        .db
        .write(|tx| {
            async move {
                let subject = lock(tx, user).await?;
                check_off(tx, user.id).await?;
                verify::use_first_code(tx, house, user.id, code).await?;
                rows::confirm(tx, user.id, log.at).await?;
                rows::replace_codes(tx, user.id, hashes).await?;
                session_rows::delete_others(tx, user.id, kept).await?;
                requirements::update_waiting_of_user(tx, user.id).await?;
                mails::enqueue(tx, house, &subject, &Message::SecondFactor { is_on: true }).await?;
                record(tx, log).await
            }
            .scope_boxed()
        })
        .await?;
    crate::guesses::end(house, guess_id).await?;
    Ok(codes)
}

/// Replaces the recovery codes, and returns the new ones.
#[boxed::future]
pub async fn renew_codes(house: &House, caller: &Caller, with: Confirmation<'_>) -> Result<Vec<String>> {
    let user = person(caller)?;
    confirm_secret(house, caller, with.secret).await?;
    let guess_id = begin_guess(house, caller, user.name.as_str()).await?;
    let codes = recovery::generate(&house.entropy);
    let hashes = &hashes(house, user.id, &codes);
    let log = &entry(house, caller, "second_factor.renew_codes", &user.name, "");
    house
        .db
        .write(|tx| {
            async move {
                lock(tx, user).await?;
                use_code(tx, house, user.id, with.code).await?.ok_or_else(wrong_code)?;
                rows::replace_codes(tx, user.id, hashes).await?;
                record(tx, log).await
            }
            .scope_boxed()
        })
        .await?;
    crate::guesses::end(house, guess_id).await?;
    Ok(codes)
}

/// Turns the caller's second factor off.
#[boxed::future]
pub async fn disable(house: &House, caller: &Caller, with: Confirmation<'_>) -> Result<()> {
    let user = person(caller)?;
    confirm_secret(house, caller, with.secret).await?;
    let guess_id = begin_guess(house, caller, user.name.as_str()).await?;
    let log = &entry(house, caller, "second_factor.disable", &user.name, "");
    house
        .db
        .write(|tx| {
            async move {
                let subject = lock(tx, user).await?;
                use_code(tx, house, user.id, with.code).await?.ok_or_else(wrong_code)?;
                remove(tx, house, &subject).await?;
                record(tx, log).await
            }
            .scope_boxed()
        })
        .await?;
    crate::guesses::end(house, guess_id).await
}

/// Turns off the second factor of a user who has lost device and codes, for site administrators. All sessions end.
#[boxed::future]
pub async fn reset(house: &House, caller: &Caller, name: &SubjectName) -> Result<()> {
    access::check_site(caller, Action::Administer)?;
    let user = &access::account(&house.db, caller, SubjectKind::User, name, Action::EditProfile).await?;
    let log = &entry(house, caller, "second_factor.reset", name, "");
    house
        .db
        .write(|tx| {
            async move {
                let user = access::lock(tx, user).await?;
                if !remove(tx, house, &user).await? {
                    return Err(Error::Conflict(format!("User '{name}' has no second factor")));
                }
                session_rows::delete_all(tx, user.id).await?;
                record(tx, log).await
            }
            .scope_boxed()
        })
        .await
}

/// Removes the second factor of a locked user. Organizations that require one give the user no rights from now on.
async fn remove(tx: &mut Tx, house: &House, user: &Subject) -> Result<bool> {
    requirements::lock_orgs(tx, user.id).await?;
    let was_on = rows::delete(tx, user.id).await?;
    requirements::update_waiting_of_user(tx, user.id).await?;
    if was_on {
        mails::enqueue(tx, house, user, &Message::SecondFactor { is_on: false }).await?;
    }
    Ok(was_on)
}

/// Returns the signed-in person. A token is none: it may not change how its owner signs in.
fn person(caller: &Caller) -> Result<&UserIdentity> {
    match caller.token() {
        None => access::person(caller),
        Some(_) => Err(Error::Denied("A token may not change how its owner signs in".into())),
    }
}

async fn confirm_secret(house: &House, caller: &Caller, secret: &str) -> Result<()> {
    sessions::confirm(house, caller, secret).await.map_err(|error| match error {
        Error::Unauthenticated(_) => Error::Denied("The password or API key is wrong".into()),
        other => other,
    })
}

async fn lock(tx: &mut Tx, user: &UserIdentity) -> Result<Subject> {
    subjects::lock(tx, user.id).await?.ok_or_else(Error::sign_in)
}

async fn check_off(tx: &mut Tx, user_id: SubjectId) -> Result<()> {
    if rows::is_confirmed(tx, user_id).await? {
        return Err(Error::Conflict("You have a second factor; turn it off first".into()));
    }
    Ok(())
}

fn hashes(house: &House, user_id: SubjectId, codes: &[String]) -> Vec<String> {
    codes.iter().map(|code| recovery::hash(house, user_id, code)).collect()
}

fn wrong_code() -> Error {
    Error::Denied("The code is wrong, or was used before".into())
}

/// The location of a user's sealed secret.
pub(crate) fn place(user_id: SubjectId) -> SealContext {
    SealContext { table: "second_factors", column: "sealed_secret", row: user_id.get() }
}
