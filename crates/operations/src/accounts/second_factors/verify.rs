//! Checks codes: each is good once, and wrong ones are limited like wrong passwords.

use database::{Tx, accounts::second_factors as rows};
use model::id::SubjectId;

use super::{place, recovery, totp, wrong_code};
use crate::{
    Caller, Error, House, Result, Via,
    guesses::{self, Target},
};

/// The maximum number of wrong codes for a name within a minute. Fewer than passwords: codes have six digits.
const OF_NAME: u64 = 5;

/// The same for one address, with any names.
const OF_ADDRESS: u64 = 30;

/// The most characters of a code that are looked at.
const CODE_CHARS: usize = 40;

/// What was used as the second factor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Used {
    /// A code of the app.
    Code,
    /// A recovery code.
    RecoveryCode,
}

/// Records that a code is about to be tried, and rejects it after too many.
pub(crate) async fn begin_guess(house: &House, caller: &Caller, name: &str) -> Result<i64> {
    let address = match caller.via {
        Via::Network { address, .. } => Target::address("code address", address, OF_ADDRESS),
        Via::CommandLine | Via::Job => Target::name("code address", &caller.audit_address(), OF_ADDRESS),
    };
    let begun = guesses::begin(house, &[Target::name("code", name, OF_NAME), address]).await?;
    Ok(begun.map_err(|too_many| too_many.refusal("codes"))?.id)
}

/// Uses up a code of a user whose second factor is on; `None` if it is wrong or was used.
pub(crate) async fn use_code(tx: &mut Tx, house: &House, user_id: SubjectId, code: &str) -> Result<Option<Used>> {
    let code = plain(code);
    if rows::find(tx, user_id).await?.is_none_or(|factor| factor.confirmed.is_none()) {
        return Ok(None);
    }
    if totp::is_code(&code) {
        return Ok(use_step(tx, house, user_id, &code).await?.then_some(Used::Code));
    }
    let is_right = rows::use_code(tx, user_id, &recovery::hash(house, user_id, &code)).await?;
    Ok(is_right.then_some(Used::RecoveryCode))
}

/// Uses up the code that confirms a new secret.
pub(super) async fn use_first_code(tx: &mut Tx, house: &House, user_id: SubjectId, code: &str) -> Result<()> {
    let code = plain(code);
    let is_right = totp::is_code(&code) && use_step(tx, house, user_id, &code).await?;
    is_right.then_some(()).ok_or_else(wrong_code)
}

async fn use_step(tx: &mut Tx, house: &House, user_id: SubjectId, code: &str) -> Result<bool> {
    let missing = || Error::Conflict("Set up the second factor again".into());
    let factor = rows::find(tx, user_id).await?.ok_or_else(missing)?;
    let secret = house.secrets.unseal(place(user_id), &factor.sealed_secret)?;
    match totp::step_of(&secret, code, house.clock.now()) {
        Some(step) => Ok(rows::use_step(tx, user_id, step).await?),
        None => Ok(false),
    }
}

/// A code without the blanks that apps show in it.
fn plain(code: &str) -> String {
    code.chars().filter(|letter| !letter.is_whitespace()).take(CODE_CHARS).collect()
}
