//! Making signed addresses, and ending all of them.

use database::{
    ScopedFutureExt,
    accounts::subjects,
    downloads::{self as rows, signed_urls as signatures},
};
use model::{
    access::{Action, LONGEST_SIGNED_URL_SECS, Right, decide},
    address::RepoAddress,
    file_path::FilePath,
    names::SubjectName,
    plan::Plan,
    timestamp::Timestamp,
};

use crate::{
    Caller, Error, House, Result, access,
    audit::{entry, record},
    downloads::signed_urls::{Maker, Signature, sign},
};

/// The longest name that a maker may give to an address.
const CALLBACK_ID_BYTES: usize = 100;

/// What a new signed address is to be like.
#[derive(Debug, Clone, Default)]
pub struct NewSignedUrl {
    /// How long it is good; `None` leaves that to the products of the package and the house rules.
    pub life: Option<UrlLifetime>,
    /// What its maker calls it, for the log of downloads.
    pub callback_id: Option<String>,
}

/// How long a signed address is good.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UrlLifetime {
    /// Until this moment, in milliseconds since 1970.
    Until(i64),
    /// For so many seconds.
    Seconds(i64),
}

/// Signs the address of a published file, for whoever may publish it.
pub async fn create(
    house: &House,
    caller: &Caller,
    at: &RepoAddress,
    path: &FilePath,
    new: &NewSignedUrl,
) -> Result<Signature> {
    let access = access::file(&house.db, caller, at, path, Right::Publish).await?;
    check_key(caller)?;
    access::check_plan(access.repo.plan, Plan::Premium)?;
    let callback_id = new.callback_id.as_deref().unwrap_or_default();
    check_callback_id(callback_id)?;
    let not_found = || Error::NotFound { what: "File", name: path.to_string() };
    let file = rows::find(&house.db, access.repo.id, path).await?;
    let file = file.filter(|file| file.published.is_some()).ok_or_else(not_found)?;
    let until = until(house, new.life, file.package_id).await?;
    let log = &entry(house, caller, "signed_url.create", at, format!("{path} until {until}"));
    let signature = house.db.write(|tx| {
        async move {
            // The caller may have lost the right, and the content may have changed.
            access::file(tx, caller, at, path, Right::Publish).await?;
            let signed = signatures::find(tx, &at.owner, &at.repo, path).await?.ok_or_else(not_found)?;
            record(tx, log).await?;
            Ok::<_, Error>(sign(house, at, path, &signed, until, callback_id, Maker::of(caller, Right::Publish)))
        }
        .scope_boxed()
    });
    signature.await
}

/// Gives a subject a new key to sign addresses with: all that were signed before are worth nothing any more.
pub async fn revoke_all(house: &House, caller: &Caller, name: &SubjectName) -> Result<()> {
    caller.check_signed_in()?;
    let not_found = || Error::NotFound { what: "Subject", name: name.to_string() };
    let subject = &subjects::find(&house.db, name).await?.ok_or_else(not_found)?;
    access::enforce(decide(Action::EditProfile, access::standing(&house.db, caller, subject).await?))?;
    let log = &entry(house, caller, "signed_url.revoke_all", name, "");
    house
        .db
        .write(|tx| {
            async move {
                let subject = access::hold(tx, subject).await?;
                access::enforce(decide(Action::EditProfile, access::standing(tx, caller, &subject).await?))?;
                signatures::renew_key(tx, subject.id).await?;
                record(tx, log).await
            }
            .scope_boxed()
        })
        .await
}

/// Whoever has the signature needs no key, so that the file would count for none.
pub(crate) fn check_key(caller: &Caller) -> Result<()> {
    caller.check_may_download()?;
    match caller.key().filter(|key| key.has_download_limit) {
        None => Ok(()),
        Some(_) => Err(Error::Denied("An access key with a limit of downloads is for the download host only".into())),
    }
}

fn check_callback_id(text: &str) -> Result<()> {
    match text {
        _ if text.len() > CALLBACK_ID_BYTES => {
            Err(Error::invalid("callback_id", format!("it is longer than {CALLBACK_ID_BYTES} bytes")))
        }
        _ if text.chars().any(char::is_control) => Err(Error::invalid("callback_id", "it holds a control character")),
        _ => Ok(()),
    }
}

/// Until when a new address is good.
async fn until(house: &House, life: Option<UrlLifetime>, package_id: i64) -> Result<Timestamp> {
    let now = house.clock.now().millis();
    let (field, given, until) = match life {
        Some(UrlLifetime::Until(millis)) => ("expiry", millis, millis),
        Some(UrlLifetime::Seconds(seconds)) => {
            ("valid_for_secs", seconds, now.saturating_add(seconds.saturating_mul(1_000)))
        }
        None => {
            let seconds = signatures::find_life_secs(&house.db, package_id).await?;
            let seconds = seconds.unwrap_or(3_600 * house.policy.signed_url_hours);
            let until = now + 1_000 * seconds;
            ("expiry", until, until)
        }
    };
    match until {
        until if until <= now => Err(Error::invalid(field, format!("'{given}' is over already"))),
        until if until <= now + 1_000 * LONGEST_SIGNED_URL_SECS => Ok(Timestamp::from_millis(until)),
        _ => Err(Error::invalid(field, format!("'{given}' is more than 365 days away"))),
    }
}
