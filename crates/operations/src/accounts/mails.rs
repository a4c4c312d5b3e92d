//! Messages to users, if a mail server is set: written in the transaction of their cause, sent by a job.

mod config;
mod expiry;
mod message;
mod send;

use database::{
    Tx,
    accounts::mails::{self as rows, Mail},
};
use model::{subject::Subject, timestamp::Timestamp};

use crate::{House, Result};

pub use config::{MailConfig, MailLogin, MailSecurity};
pub use message::Message;
pub(crate) use {
    expiry::warn_of_expiry,
    send::{delete_expired, send_due},
};

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

/// The maximum number of messages of one kind to a recipient within a day. Nobody floods a mailbox with them.
const PER_DAY: i64 = 20;

/// Writes a message to a user who has confirmed an e-mail address. Without a mail server it does nothing.
pub(crate) async fn enqueue(tx: &mut Tx, house: &House, to: &Subject, message: &Message) -> Result<()> {
    let recipient = to.email.as_ref().filter(|_| to.has_verified_email || message.is_for_unverified());
    match recipient {
        Some(recipient) => enqueue_to(tx, house, recipient, to.name.as_str(), message).await,
        None => Ok(()),
    }
}

/// Writes a message to an address, for somebody with this name; the name is empty for people without an account.
pub(crate) async fn enqueue_to(
    tx: &mut Tx,
    house: &House,
    recipient: &str,
    name: &str,
    message: &Message,
) -> Result<()> {
    let Some(config) = &house.policy.mail else { return Ok(()) };
    let now = house.clock.now();
    let since = Timestamp::from_millis(now.millis() - DAY_MS);
    if rows::count(tx, recipient, message.kind(), since, PER_DAY).await? >= PER_DAY {
        tracing::warn!("a user gets no more messages about {} today", message.kind());
        return Ok(());
    }
    let mail = Mail {
        id: house.next_id(),
        kind: message.kind().to_owned(),
        recipient: recipient.to_owned(),
        title: message.title(),
        body: message.body(name, &config.public_url, now),
        created: now.millis(),
        due: now.millis(),
        attempts: 0,
    };
    Ok(rows::insert(tx, &mail).await?)
}

/// Returns whether messages are sent at all.
pub fn is_on(house: &House) -> bool {
    house.policy.mail.is_some()
}
