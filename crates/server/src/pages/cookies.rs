//! The two cookies of the pages. Nothing else reads them: neither the API nor downloads.

use axum::http::{HeaderMap, HeaderValue, header};
use operations::accounts::sessions::Token;

use settings::Settings;

use crate::App;

/// The longest value that is looked at.
const VALUE_BYTES: usize = 200;

/// How long a browser keeps a session; the server may end it earlier.
const SESSION_SECS: u64 = 30 * 24 * 60 * 60;

/// Which cookie it is.
#[derive(Debug, Clone, Copy)]
pub(super) enum Cookie {
    /// Who is signed in.
    Session,
    /// Which browser was shown the form that signs in.
    Form,
}

impl Cookie {
    /// With TLS, browsers themselves see to it that no other host has set it.
    fn name(self, settings: &Settings) -> &'static str {
        match (self, is_secure(settings)) {
            (Cookie::Session, false) => "packhouse_session",
            (Cookie::Session, true) => "__Host-packhouse_session",
            (Cookie::Form, false) => "packhouse_form",
            (Cookie::Form, true) => "__Host-packhouse_form",
        }
    }

    /// What a browser has sent.
    pub(super) fn read(self, app: &App, headers: &HeaderMap) -> Option<Token> {
        let name = self.name(app.settings());
        let texts = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        let mut pairs = texts.flat_map(|text| text.split(';')).filter_map(|pair| pair.trim().split_once('='));
        let value = pairs.find(|(key, _)| *key == name).map(|(_, value)| value)?;
        (!value.is_empty() && value.len() <= VALUE_BYTES).then(|| Token::presented(value))
    }

    /// What sets it in a browser.
    pub(super) fn set(self, app: &App, token: &Token) -> HeaderValue {
        let (name, secure) = (self.name(app.settings()), secure(app.settings()));
        let rest = match self {
            Cookie::Session => format!("SameSite=Lax; Max-Age={SESSION_SECS}"),
            Cookie::Form => "SameSite=Strict".to_owned(),
        };
        header_value(&format!("{name}={}; HttpOnly; Path=/; {rest}{secure}", token.expose()))
    }

    /// What removes it.
    pub(super) fn clear(self, app: &App) -> HeaderValue {
        let (name, secure) = (self.name(app.settings()), secure(app.settings()));
        header_value(&format!("{name}=; HttpOnly; Path=/; SameSite=Lax; Max-Age=0{secure}"))
    }
}

fn header_value(text: &str) -> HeaderValue {
    HeaderValue::from_str(text).expect("names and tokens are of letters and digits")
}

fn secure(settings: &Settings) -> &'static str {
    if is_secure(settings) { "; Secure" } else { "" }
}

fn is_secure(settings: &Settings) -> bool {
    settings.public_url().starts_with("https://")
}
