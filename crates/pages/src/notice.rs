//! The notice above a page after an action.
//!
//! After a redirect, a cookie carries it for a minute to the next page, which removes the cookie. A MAC binds the text
//! to the session, so neither another host of the same domain nor another user can inject text into a page.

use axum::{
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Redirect, Response},
};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use operations::accounts::sessions::{self, Token};
use web::{
    App,
    error::{Failure, Result},
};

use crate::{cookies::Cookie, parts::capitalized, visitor::Visitor};

/// The most characters that a cookie carries.
const TEXT_CHARS: usize = 240;

/// The beginning of the element that shows the text.
const ELEMENT: &str = "id=\"notice\">";

/// Whether an action succeeded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Level {
    Success,
    Problem,
}

/// A message about an action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Notice {
    pub(crate) level: Level,
    pub(crate) text: String,
    /// The status of the page that shows it.
    pub(crate) status: StatusCode,
    /// The fields of the refused form, so that the page shows what was typed.
    pub(crate) refused: Vec<(String, String)>,
}

impl Notice {
    /// A notice of success.
    pub(crate) fn success(text: impl Into<String>) -> Self {
        Self { level: Level::Success, text: text.into(), status: StatusCode::OK, refused: Vec::new() }
    }

    /// A notice of this failure, with its status.
    pub(crate) fn problem(failure: &Failure) -> Self {
        let text = failure.message().to_owned();
        Self { level: Level::Problem, text, status: failure.status(), refused: Vec::new() }
    }

    /// A notice of a rejected action. Other failures are returned: error pages show them, or the sign-in page follows.
    pub(crate) fn from_failure(failure: Failure) -> Result<Self> {
        if is_refusal(&failure) { Ok(Self::problem(&failure)) } else { Err(failure) }
    }

    /// What was typed into a field of the refused form.
    pub(crate) fn typed(&self, field: &str) -> Option<&str> {
        self.refused.iter().find(|(name, _)| name == field).map(|(_, value)| value.as_str())
    }

    /// Whether it reports a problem.
    pub(crate) fn is_problem(&self) -> bool {
        self.level == Level::Problem
    }

    /// The text for people: `max_downloads: it is negative` begins with `Max downloads`.
    pub(crate) fn sentence(&self) -> String {
        match self.text.split_once(": ") {
            Some((field, reason)) if self.is_problem() && is_field(field) => {
                format!("{}: {reason}", capitalized(&field.replace(['_', '.'], " ")))
            }
            _ => self.text.clone(),
        }
    }

    /// The page that shows it. If the page gives the reason beside the field that the notice names, the notice only
    /// refers to that place.
    pub(crate) fn referring(&self, page: String) -> String {
        let field = self.text.split_once(": ").map(|(field, _)| field).filter(|field| is_field(field));
        let Some(field) = field.filter(|field| page.contains(&format!("id=\"{field}-error\""))) else { return page };
        let (before, rest) = page.split_once(ELEMENT).unwrap_or((&page, ""));
        match rest.split_once("</div>") {
            Some((_, rest)) if self.is_problem() => {
                format!("{before}{ELEMENT}<a href=\"#{field}-error\">Please correct the marked field</a></div>{rest}")
            }
            _ => page,
        }
    }

    /// The notice as a cookie carries it.
    fn encode(&self) -> String {
        let level = if self.is_problem() { '-' } else { '+' };
        let text: String = [level].into_iter().chain(self.text.chars().take(TEXT_CHARS)).collect();
        BASE64_URL_SAFE_NO_PAD.encode(text)
    }

    fn decode(encoded: &str) -> Option<Self> {
        let text = String::from_utf8(BASE64_URL_SAFE_NO_PAD.decode(encoded).ok()?).ok()?;
        let (level, text) = match (text.strip_prefix('+'), text.strip_prefix('-')) {
            (Some(text), _) => (Level::Success, text),
            (_, Some(text)) => (Level::Problem, text),
            _ => return None,
        };
        Some(Self { level, text: text.to_owned(), status: StatusCode::OK, refused: Vec::new() })
    }
}

/// Whether this can be the name of a field.
fn is_field(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_.".contains(&byte))
}

/// Whether a failure is about the visitor's input, and not about the server or a missing sign-in.
pub(crate) fn is_refusal(failure: &Failure) -> bool {
    failure.status().is_client_error() && failure.status() != StatusCode::UNAUTHORIZED
}

/// Redirects to a page of this site, which shows the notice.
pub(crate) fn redirect(app: &App, visitor: &Visitor, to: &str, notice: Notice) -> Response {
    let mut response = Redirect::to(to).into_response();
    if let Some(session) = &visitor.session {
        let encoded = notice.encode();
        let mac = sessions::notice_mac(app.house(), session, &encoded);
        response.headers_mut().append(header::SET_COOKIE, Cookie::Notice.set(app, &format!("{mac}.{encoded}")));
    }
    response
}

/// The notice for the next page of this session. A cookie that this server did not make for the session is ignored.
pub(crate) fn read(app: &App, session: &Token, headers: &HeaderMap) -> Option<Notice> {
    let (mac, encoded) = Cookie::Notice.read(app, headers)?.split_once('.')?;
    let is_own = sessions::is_notice_mac(app.house(), session, encoded, mac);
    Some(encoded).filter(|_| is_own).and_then(Notice::decode)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cookie_carries_the_level_and_a_bounded_text() {
        let notice = Notice::success("Größe <b>, \"ä\"");
        assert_eq!(Notice::decode(&notice.encode()), Some(notice));
        let refused = Notice::problem(&Failure::bad_request("no"));
        assert_eq!(Notice::decode(&refused.encode()).map(|notice| notice.is_problem()), Some(true));
        let long = Notice::success("\u{1f408}".repeat(TEXT_CHARS + 1));
        assert_eq!(Notice::decode(&long.encode()).map(|notice| notice.text.chars().count()), Some(TEXT_CHARS));
        for bad in ["", "!", "YQ", "_w"] {
            assert_eq!(Notice::decode(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_page_that_marks_the_field_refers_to_it() {
        let refused = Notice::problem(&Failure::bad_request("max_downloads: it is 'x'"));
        assert_eq!(refused.sentence(), "Max downloads: it is 'x'");
        let page = |id: &str| format!("<div id=\"notice\">Max downloads: it is</div><p id=\"{id}-error\">It is</p>");
        let marked = refused.referring(page("max_downloads"));
        assert!(marked.contains("\"><a href=\"#max_downloads-error\">Please correct"), "{marked}");
        assert!(!marked.contains("Max downloads") && marked.ends_with("It is</p>"), "{marked}");
        assert_eq!(refused.referring(page("other")), page("other"));
        for text in ["a.txt is there: no", "/a: no", "Max: no", ": no", "max_downloads"] {
            let other = Notice::problem(&Failure::bad_request(text));
            assert_eq!(
                (other.sentence(), other.referring(page("max_downloads"))),
                (text.to_owned(), page("max_downloads"))
            );
        }
    }

    #[test]
    fn failures_of_the_server_and_missing_sign_ins_are_no_notices() {
        let of = |status| Notice::from_failure(Failure::new(status, "text"));
        assert!(of(StatusCode::CONFLICT).is_ok_and(|notice| notice.status == StatusCode::CONFLICT));
        assert!(of(StatusCode::UNAUTHORIZED).is_err() && of(StatusCode::SERVICE_UNAVAILABLE).is_err());
    }
}
