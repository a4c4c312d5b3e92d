//! Sends the messages that are due, through the operator's mail server.

use std::time::Duration;

use database::{
    ScopedFutureExt,
    accounts::mails::{self as rows, Mail},
};
use lettre::{
    AsyncSmtpTransport, AsyncTransport, Message as Letter, Tokio1Executor,
    message::{Mailbox, header::ContentType},
    transport::smtp::{
        authentication::Credentials,
        client::{Certificate, Tls, TlsParameters},
    },
};
use model::timestamp::Timestamp;

use super::{MailConfig, MailSecurity};
use crate::{Error, House, Result};

/// The number of messages that one run sends.
const AT_ONCE: i64 = 20;

/// How long sending one message may take.
const WITHIN: Duration = Duration::from_secs(30);

/// How long a node has a message for itself: longer than sending takes.
const LEASE_MS: i64 = 120_000;

/// How often a message is tried before it is given up: for about a day.
const ATTEMPTS: i64 = 9;

/// The wait before the second attempt. Each further one waits twice as long.
const FIRST_WAIT_MS: i64 = 5 * 60_000;

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

/// Sends what is due. A message may be sent twice when a node dies, and is never lost.
pub(crate) async fn send_due(house: &House) -> Result<()> {
    let Some(config) = &house.policy.mail else { return Ok(()) };
    let due = rows::list_due(&house.db, house.clock.now(), AT_ONCE).await?;
    if due.is_empty() {
        return Ok(());
    }
    let server = connect(config)?;
    for mail in &due {
        let until = Timestamp::from_millis(house.clock.now().millis() + LEASE_MS);
        let leased = house.db.write(|tx| rows::lease(tx, mail, until).scope_boxed()).await;
        if leased.map_err(|error: database::Error| Error::from(error))? {
            send(house, config, &server, mail).await?;
        }
    }
    Ok(())
}

/// Deletes the rows of messages that are older than a day and no longer tried.
pub(crate) async fn delete_expired(house: &House) -> Result<()> {
    let before = Timestamp::from_millis(house.clock.now().millis() - 3 * DAY_MS);
    let deleted = house.db.write(|tx| rows::delete_expired(tx, before).scope_boxed()).await;
    deleted.map_err(|error: database::Error| Error::from(error))
}

async fn send(
    house: &House,
    config: &MailConfig,
    server: &AsyncSmtpTransport<Tokio1Executor>,
    mail: &Mail,
) -> Result<()> {
    let failure = match letter(config, mail) {
        Ok(letter) => match tokio::time::timeout(WITHIN, server.send(letter)).await {
            Ok(Ok(_)) => None,
            Ok(Err(error)) => Some((error.to_string(), error.is_permanent())),
            Err(_) => Some(("the mail server did not respond in time".to_owned(), false)),
        },
        Err(error) => Some((error.to_string(), true)),
    };
    let (attempts, now) = (mail.attempts + 1, house.clock.now());
    let again = match failure {
        None => None,
        Some((error, is_permanent)) if is_permanent || attempts >= ATTEMPTS => {
            tracing::warn!(mail = mail.id, "giving up on a message about {}: {error}", mail.kind);
            None
        }
        Some((error, _)) => {
            tracing::warn!(mail = mail.id, "sending a message about {} failed: {error}", mail.kind);
            let wait = FIRST_WAIT_MS << (attempts - 1).clamp(0, 16);
            Some(Timestamp::from_millis(now.millis() + wait))
        }
    };
    let recorded = house
        .db
        .write(|tx| {
            async move {
                match again {
                    Some(due) => rows::postpone(tx, mail.id, due).await,
                    None => rows::settle(tx, mail.id, now).await,
                }
            }
            .scope_boxed()
        })
        .await;
    recorded.map_err(|error: database::Error| Error::from(error))
}

fn letter(config: &MailConfig, mail: &Mail) -> Result<Letter> {
    let address = |text: &str| text.parse::<Mailbox>().map_err(|error| Error::Internal(format!("address: {error}")));
    let letter = Letter::builder()
        .from(address(&config.from)?)
        .to(address(&mail.recipient)?)
        .subject(mail.title.as_str())
        .header(ContentType::TEXT_PLAIN)
        .body(mail.body.clone());
    letter.map_err(|error| Error::Internal(format!("message: {error}")))
}

fn connect(config: &MailConfig) -> Result<AsyncSmtpTransport<Tokio1Executor>> {
    let server = AsyncSmtpTransport::<Tokio1Executor>::builder_dangerous(&config.server)
        .port(config.port)
        .tls(tls(config)?)
        .timeout(Some(WITHIN));
    let server = match &config.login {
        Some(login) => server.credentials(Credentials::new(login.user.clone(), login.password.clone())),
        None => server,
    };
    Ok(server.build())
}

fn tls(config: &MailConfig) -> Result<Tls> {
    let broken = |error: lettre::transport::smtp::Error| Error::Internal(format!("mail server: {error}"));
    let parameters = || {
        let mut parameters = TlsParameters::builder(config.server.clone());
        if let Some(ca) = &config.ca {
            parameters = parameters.add_root_certificate(Certificate::from_pem(ca).map_err(broken)?);
        }
        parameters.build_rustls().map_err(broken)
    };
    Ok(match config.security {
        MailSecurity::StartTls => Tls::Required(parameters()?),
        MailSecurity::Tls => Tls::Wrapper(parameters()?),
        MailSecurity::Plain => Tls::None,
    })
}
