//! Issuers that users name.

use crate::{House, outbound};

/// The longest issuer, in bytes.
const ISSUER_BYTES: usize = 500;

/// Explains why this server does not ask an issuer for keys, if it does not. Where outbound requests reach
/// private networks, plain HTTP is allowed, too.
pub(crate) fn check_issuer(house: &House, issuer: &str) -> Result<(), String> {
    if issuer.len() > ISSUER_BYTES {
        return Err(format!("it is longer than {ISSUER_BYTES} bytes"));
    }
    if !issuer.starts_with("https://") && !house.policy.outgoing.allow_private {
        return Err("it must begin with https://".into());
    }
    if issuer.contains(['?', '#', '@', '*']) {
        return Err("it may not have a login, a query or a fragment".into());
    }
    outbound::authority(issuer)?;
    house.outgoing.check(issuer).map(drop)
}
