//! What a browser carries from the start of a sign-in to its end.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use model::{digest::hex, id::SubjectId};
use sha2::{Digest, Sha256};

use crate::{Error, House};

/// How long a person may take at the provider, in milliseconds.
const LASTS_MS: i64 = 10 * 60 * 1_000;

/// The longest page address that is carried; from a longer one, the sign-in leads to the front page.
const NEXT_BYTES: usize = 500;

/// A sign-in that has begun.
#[derive(Debug)]
pub struct Started {
    /// The page of the provider.
    pub url: String,
    /// The value of the cookie.
    pub cookie: String,
}

/// What is remembered of a sign-in.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct State {
    secret: String,
    until: i64,
    /// The user who is signed in already, and wants to sign in this way, too.
    pub(super) user_id: Option<SubjectId>,
    /// The page that the person wants.
    pub(super) next: String,
}

impl State {
    pub(super) fn new(house: &House, next: &str, user_id: Option<SubjectId>) -> Self {
        let next = if next.len() <= NEXT_BYTES { next } else { "/" };
        let until = house.clock.now().millis() + LASTS_MS;
        Self { secret: hex(&house.entropy.bytes()), until, user_id, next: next.to_owned() }
    }

    /// Reads a cookie, if this server has made it and it is not too old.
    pub(super) fn read(house: &House, cookie: &str) -> Option<Self> {
        let (text, mac) = cookie.rsplit_once('.')?;
        if !house.secrets.is_same(house.secrets.form_token(&format!("sso {text}")).as_bytes(), mac.as_bytes()) {
            return None;
        }
        let state = Self::parse(text)?;
        (house.clock.now().millis() < state.until).then_some(state)
    }

    fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split('.');
        let (secret, until) = (parts.next()?.to_owned(), parts.next()?.parse().ok()?);
        let user_id = parts.next()?.parse().ok().filter(|id| *id != 0).map(SubjectId::new);
        let next = String::from_utf8(BASE64_URL_SAFE_NO_PAD.decode(parts.next()?).ok()?).ok()?;
        parts.next().is_none().then_some(Self { secret, until, user_id, next })
    }

    pub(super) fn cookie(&self, house: &House) -> String {
        let text = self.to_text();
        let mac = house.secrets.form_token(&format!("sso {text}"));
        format!("{text}.{mac}")
    }

    fn to_text(&self) -> String {
        let user_id = self.user_id.map_or(0, SubjectId::get);
        format!("{}.{}.{user_id}.{}", self.secret, self.until, BASE64_URL_SAFE_NO_PAD.encode(&self.next))
    }

    /// The state that comes back in the address.
    pub(super) fn state(&self, house: &House) -> String {
        house.secrets.form_token(&format!("sso state {}", self.secret))
    }

    /// The nonce that comes back in the token.
    pub(super) fn nonce(&self, house: &House) -> String {
        house.secrets.form_token(&format!("sso nonce {}", self.secret))
    }

    /// The secret that proves to the provider who began.
    pub(super) fn verifier(&self, house: &House) -> String {
        house.secrets.form_token(&format!("sso verifier {}", self.secret))
    }

    /// The hash of that secret, which the provider gets first.
    pub(super) fn challenge(&self, house: &House) -> String {
        BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(self.verifier(house)))
    }
}

/// The error for a sign-in that did not begin in this browser, or too long ago.
pub(super) fn out_of_date() -> Error {
    Error::Denied("This sign-in is out of date, or began in another browser; begin again".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_read_as_it_was_written() {
        let state = State { secret: "ab".into(), until: 7, user_id: Some(SubjectId::new(9)), next: "/a?b=ü".into() };
        assert_eq!(State::parse(&state.to_text()), Some(state));
        let state = State { secret: "ab".into(), until: 7, user_id: None, next: String::new() };
        assert_eq!(State::parse(&state.to_text()), Some(state));
        for bad in ["", "a", "a.b", "a.1.0", "a.1.0.!", "a.1.0..x"] {
            assert_eq!(State::parse(bad), None, "{bad}");
        }
    }
}
