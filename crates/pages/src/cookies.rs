//! The cookies of the pages. Neither the API nor downloads read them.

use axum::http::{HeaderMap, HeaderValue, header};
use operations::accounts::sessions::Token;

use settings::Settings;
use web::App;

/// The most bytes of a token that the server reads.
const TOKEN_BYTES: usize = 200;

/// The most bytes of a notice that the server reads: a MAC, and 240 characters of up to four bytes in base64.
const NOTICE_BYTES: usize = 65 + (4 * 240 + 1) * 4 / 3 + 4;

/// How long a browser keeps a session; the server may end it earlier.
const SESSION_SECS: u64 = 30 * 24 * 60 * 60;

/// How long a browser keeps the session of a key holder.
const KEY_SECS: u64 = 24 * 60 * 60;

/// How long a browser keeps a notice: long enough to follow a redirect.
const NOTICE_SECS: u64 = 60;

/// The most bytes of a sign-in that the server reads: with the address of the page that was wanted.
const SINGLE_SIGN_ON_BYTES: usize = 1_000;

/// How long a browser keeps a sign-in: as long as the server accepts it.
const SINGLE_SIGN_ON_SECS: u64 = 10 * 60;

/// The kinds of cookies.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Cookie {
    /// Identifies the session of a signed-in user.
    Session,
    /// Identifies the session of a key holder.
    Key,
    /// Identifies the browser that got the sign-in form.
    Form,
    /// Carries a notice about the last action to the next page.
    Notice,
    /// Carries a sign-in to the provider of single sign-on and back.
    SingleSignOn,
}

impl Cookie {
    /// The name of the cookie. With TLS, its prefix makes browsers verify that no other host has set it.
    fn name(self, settings: &Settings) -> &'static str {
        match (self, is_secure(settings)) {
            (Cookie::Session, false) => "packhouse_session",
            (Cookie::Session, true) => "__Host-packhouse_session",
            (Cookie::Key, false) => "packhouse_key",
            (Cookie::Key, true) => "__Host-packhouse_key",
            (Cookie::Form, false) => "packhouse_form",
            (Cookie::Form, true) => "__Host-packhouse_form",
            (Cookie::Notice, false) => "packhouse_notice",
            (Cookie::Notice, true) => "__Host-packhouse_notice",
            (Cookie::SingleSignOn, false) => "packhouse_sso",
            (Cookie::SingleSignOn, true) => "__Host-packhouse_sso",
        }
    }

    /// The value that a browser sent, if it is not too long.
    pub(crate) fn read<'h>(self, app: &App, headers: &'h HeaderMap) -> Option<&'h str> {
        let name = self.name(app.settings());
        let texts = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        let mut pairs = texts.flat_map(|text| text.split(';')).filter_map(|pair| pair.trim().split_once('='));
        let value = pairs.find(|(key, _)| *key == name).map(|(_, value)| value)?;
        let most = match self {
            Cookie::Notice => NOTICE_BYTES,
            Cookie::SingleSignOn => SINGLE_SIGN_ON_BYTES,
            Cookie::Session | Cookie::Key | Cookie::Form => TOKEN_BYTES,
        };
        (!value.is_empty() && value.len() <= most).then_some(value)
    }

    /// The value as a token.
    pub(crate) fn token(self, app: &App, headers: &HeaderMap) -> Option<Token> {
        self.read(app, headers).map(Token::presented)
    }

    /// The header that sets it. The value consists of letters, digits, dots, dashes and underscores.
    pub(crate) fn set(self, app: &App, value: &str) -> HeaderValue {
        let (name, secure) = (self.name(app.settings()), secure(app.settings()));
        let rest = match self {
            Cookie::Session => format!("SameSite=Lax; Max-Age={SESSION_SECS}"),
            Cookie::Key => format!("SameSite=Lax; Max-Age={KEY_SECS}"),
            Cookie::Form => "SameSite=Strict".to_owned(),
            Cookie::Notice => format!("SameSite=Lax; Max-Age={NOTICE_SECS}"),
            // The provider's page leads back here, so the cookie must come along from another site.
            Cookie::SingleSignOn => format!("SameSite=Lax; Max-Age={SINGLE_SIGN_ON_SECS}"),
        };
        header_value(&format!("{name}={value}; HttpOnly; Path=/; {rest}{secure}"))
    }

    /// The header that removes it.
    pub(crate) fn clear(self, app: &App) -> HeaderValue {
        let (name, secure) = (self.name(app.settings()), secure(app.settings()));
        header_value(&format!("{name}=; HttpOnly; Path=/; SameSite=Lax; Max-Age=0{secure}"))
    }
}

fn header_value(text: &str) -> HeaderValue {
    HeaderValue::from_str(text).expect("names, tokens and notices are visible ASCII")
}

fn secure(settings: &Settings) -> &'static str {
    if is_secure(settings) { "; Secure" } else { "" }
}

fn is_secure(settings: &Settings) -> bool {
    settings.public_url().starts_with("https://")
}
