//! A sign-in whose password was right and whose second factor is still missing.
//!
//! The browser carries the state: who it is and until when, authenticated, and bound to the browser and to the
//! password. Nothing is stored, and any node can continue.

use database::{Read, accounts::subjects};
use model::{id::SubjectId, names::SubjectName, subject::Subject};

use super::{Token, proof};
use crate::{House, Result};

/// How long the code may take.
const LASTS_MS: i64 = 10 * 60 * 1_000;

/// The statement that the form for the code sends back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingSignIn(String);

/// A statement that was right.
pub(super) struct Opened {
    pub(super) user: Subject,
    password: String,
}

impl PendingSignIn {
    pub(super) fn new(house: &House, user_id: SubjectId, password: &str, browser: &Token) -> Self {
        let until = house.clock.now().millis() + LASTS_MS;
        Self(format!("{}.{until}.{}", user_id.get(), mac(house, user_id, until, password, browser)))
    }

    /// The statement as the form carries it.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Returns the user of a statement that this server made for this browser, unless it is too old.
pub(super) async fn open(house: &House, statement: &str, browser: &Token) -> Result<Opened> {
    let mut parts = statement.split('.');
    let (Some(Ok(id)), Some(Ok(until)), Some(given), None) =
        (parts.next().map(str::parse::<i64>), parts.next().map(str::parse::<i64>), parts.next(), parts.next())
    else {
        return Err(proof::wrong());
    };
    let user_id = SubjectId::new(id);
    let user = subjects::find_active(&house.db, user_id).await?.ok_or_else(proof::wrong)?;
    let password = password_of(&house.db, &user.name, user_id).await?.ok_or_else(proof::wrong)?;
    let expected = mac(house, user_id, until, &password, browser);
    let is_right = house.secrets.is_same(expected.as_bytes(), given.as_bytes());
    if !is_right || until <= house.clock.now().millis() {
        return Err(proof::wrong());
    }
    Ok(Opened { user, password })
}

impl Opened {
    /// Checks, with the user locked, that the password is still the same.
    pub(super) async fn check_again(&self, db: &dyn Read) -> Result<()> {
        let now = password_of(db, &self.user.name, self.user.id).await?;
        if now.as_ref() == Some(&self.password) { Ok(()) } else { Err(proof::wrong()) }
    }
}

async fn password_of(db: &dyn Read, name: &SubjectName, id: SubjectId) -> Result<Option<String>> {
    let found = subjects::find_password(db, name).await?;
    Ok(found.filter(|(found, _)| *found == id).map(|(_, password)| password))
}

fn mac(house: &House, user_id: SubjectId, until: i64, password: &str, browser: &Token) -> String {
    let browser = house.secrets.hash_session(browser.expose());
    house.secrets.form_token(&format!("second factor {} {until} {browser} {password}", user_id.get()))
}
