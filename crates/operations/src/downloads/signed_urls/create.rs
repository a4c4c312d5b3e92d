//! Creates signed URLs, and revokes all of them.

use database::{
    ScopedFutureExt,
    accounts::subjects,
    downloads::{self as rows, signed_urls as signatures},
};
use model::{
    access::{Action, LONGEST_SIGNED_URL_SECS, Right},
    address::RepoAddress,
    file_path::FilePath,
    id::PackageId,
    names::SubjectName,
    plan::Plan,
    timestamp::Timestamp,
};

use crate::{
    Caller, Error, House, Result, access,
    audit::{entry, record},
    downloads::signed_urls::{Maker, Signature, sign},
};

/// The maximum length of the name that a creator may give to a URL.
const CALLBACK_ID_BYTES: usize = 100;

/// The parameters of a new signed URL.
#[derive(Debug, Clone, Default)]
pub struct NewSignedUrl {
    /// The validity; `None` uses the default of the package's products or of the server's settings.
    pub life: Option<UrlLifetime>,
    /// The name that its creator gives to it, for the download log.
    pub callback_id: Option<String>,
}

/// The validity of a signed URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UrlLifetime {
    /// Until this time, in milliseconds since 1970.
    Until(i64),
    /// For this many seconds.
    Seconds(i64),
}

/// Signs the URL of a published file, for callers who may publish it.
#[boxed::future]
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
            // By now, the caller may have lost the right, or the content may have changed.
            access::file(tx, caller, at, path, Right::Publish).await?;
            let signed = signatures::find(tx, &at.owner, &at.repo, path).await?.ok_or_else(not_found)?;
            record(tx, log).await?;
            Ok::<_, Error>(sign(house, at, path, &signed, until, callback_id, Maker::of(caller, Right::Publish)))
        }
        .scope_boxed()
    });
    signature.await
}

/// Gives a subject a new key for signing URLs, which invalidates all URLs that were signed before.
#[boxed::future]
pub async fn revoke_all(house: &House, caller: &Caller, name: &SubjectName) -> Result<()> {
    caller.check_known_to(name)?;
    let not_found = || Error::NotFound { what: "Subject", name: name.to_string() };
    let subject = &subjects::find(&house.db, name).await?.ok_or_else(not_found)?;
    access::check_account(&house.db, caller, subject, Action::EditProfile).await?;
    let log = &entry(house, caller, "signed_url.revoke_all", name, "");
    house
        .db
        .write(|tx| {
            async move {
                let subject = access::lock(tx, subject).await?;
                access::check_account(tx, caller, &subject, Action::EditProfile).await?;
                signatures::renew_key(tx, subject.id).await?;
                record(tx, log).await
            }
            .scope_boxed()
        })
        .await
}

/// Rejects access keys with a download quota: a signed URL works without the key, so its downloads would not be charged
/// to it.
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

/// Returns the time when a new URL expires.
async fn until(house: &House, life: Option<UrlLifetime>, package_id: PackageId) -> Result<Timestamp> {
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
        until if until <= now => Err(Error::invalid(field, format!("'{given}' is in the past"))),
        until if until <= now + 1_000 * LONGEST_SIGNED_URL_SECS => Ok(Timestamp::from_millis(until)),
        _ => Err(Error::invalid(field, format!("'{given}' is more than 365 days away"))),
    }
}
