//! Confirms e-mail addresses: a link that only the reader of a mailbox knows, opened by its signed-in user.

use database::{ScopedFutureExt, Tx, accounts::subjects};
use model::subject::Subject;

use crate::{
    Caller, Error, House, Result, access,
    accounts::mails::{self, Message},
    audit::{entry, record},
};

/// How long a link is good.
const LASTS_MS: i64 = 7 * 24 * 60 * 60 * 1_000;

/// Writes a user the message with the link, unless the address is confirmed.
pub(crate) async fn enqueue_verification(tx: &mut Tx, house: &House, user: &Subject) -> Result<()> {
    let Some(email) = user.email.as_ref().filter(|_| !user.has_verified_email) else { return Ok(()) };
    let until = house.clock.now().millis() + LASTS_MS;
    let path = format!("/account/email?token={until}.{}", mac(house, user, email, until));
    mails::enqueue(tx, house, user, &Message::Verification { path }).await
}

/// Sends the caller the message again.
#[boxed::future]
pub async fn request(house: &House, caller: &Caller) -> Result<()> {
    let user = access::person(caller)?;
    if !mails::is_on(house) {
        return Err(Error::Conflict("This server sends no mail".into()));
    }
    house
        .db
        .write(|tx| {
            async move {
                let user = subjects::lock(tx, user.id).await?.ok_or_else(Error::sign_in)?;
                enqueue_verification(tx, house, &user).await
            }
            .scope_boxed()
        })
        .await
}

/// Confirms the caller's address with the token of a link.
#[boxed::future]
pub async fn verify(house: &House, caller: &Caller, token: &str) -> Result<()> {
    let user = access::person(caller)?;
    let wrong = || Error::Denied("The link is not for this account and address, or it is too old".into());
    let (until, given) = token.split_once('.').ok_or_else(wrong)?;
    let until: i64 = until.parse().map_err(|_| wrong())?;
    let log = &entry(house, caller, "user.verify_email", &user.name, "");
    house
        .db
        .write(|tx| {
            async move {
                let user = subjects::lock(tx, user.id).await?.ok_or_else(Error::sign_in)?;
                let email = user.email.as_deref().ok_or_else(wrong)?;
                let is_right = house.secrets.is_same(mac(house, &user, email, until).as_bytes(), given.as_bytes());
                if !is_right || until <= log.at.millis() {
                    return Err(wrong());
                }
                subjects::update_verified_email(tx, user.id, email).await?;
                record(tx, log).await
            }
            .scope_boxed()
        })
        .await
}

fn mac(house: &House, user: &Subject, email: &str, until: i64) -> String {
    house.secrets.form_token(&format!("email {} {until} {email}", user.id.get()))
}
