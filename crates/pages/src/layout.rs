//! The layout around every page: the signed-in user, the search box, the notice, the content security policy.

use askama::Template;
use axum::{
    http::{HeaderValue, StatusCode, header},
    response::{Html, IntoResponse, Response},
};
use model::timestamp::Timestamp;
use operations::accounts::sessions;
use web::{App, error::Failure};

use crate::{
    assets::SCRIPT,
    cookies::Cookie,
    notice::Notice,
    parts::{self, Markup},
    times,
    visitor::Visitor,
};

/// The values of the layout.
#[derive(Debug, Clone)]
pub(crate) struct Layout {
    /// The signed-in user; empty without one.
    pub(crate) user: String,
    /// Whether the visitor is a site administrator.
    pub(crate) is_site_admin: bool,
    /// Whether the visitor has a session, and can sign out.
    pub(crate) has_session: bool,
    /// Whether the visitor has signed in with an access key.
    pub(crate) is_key_holder: bool,
    /// The token for forms of the session.
    pub(crate) form_token: String,
    /// The URL of the script.
    pub(crate) script: String,
    /// The nonce of the script; without one the page has no script.
    pub(crate) nonce: String,
    /// The text of the search box.
    pub(crate) query: String,
    /// The filters that the search box sends with the text.
    pub(crate) filters: Vec<(&'static str, String)>,
    /// The notice about the last action.
    pub(crate) notice: Option<Notice>,
    /// Removes the cookie that carried the notice.
    pub(crate) clear_notice: Option<HeaderValue>,
    /// The time of the page, which relative times refer to.
    pub(crate) now: Timestamp,
}

impl Default for Layout {
    fn default() -> Self {
        Self {
            user: String::new(),
            is_site_admin: false,
            has_session: false,
            is_key_holder: false,
            form_token: String::new(),
            script: String::new(),
            nonce: String::new(),
            query: String::new(),
            filters: Vec::new(),
            notice: None,
            clear_notice: None,
            now: Timestamp::EPOCH,
        }
    }
}

impl Layout {
    pub(crate) fn new(app: &App, visitor: &Visitor) -> Self {
        let session = visitor.session.as_ref().or(visitor.key_session.as_ref());
        let form_token = session.map(|token| sessions::form_token(app.house(), token));
        Self {
            user: visitor.caller.name().unwrap_or_default(),
            is_site_admin: visitor.caller.is_site_admin(),
            has_session: visitor.session.is_some(),
            is_key_holder: visitor.key_session.is_some(),
            form_token: form_token.unwrap_or_default(),
            clear_notice: visitor.notice.as_ref().map(|_| Cookie::Notice.clear(app)),
            notice: visitor.notice.clone(),
            nonce: sessions::new_token(app.house()).expose().to_owned(),
            now: app.house().clock.now(),
            ..Self::bare()
        }
    }

    /// The layout with a notice about this request, which replaces one about the last.
    pub(crate) fn with_notice(self, notice: Option<Notice>) -> Self {
        Self { notice: notice.or(self.notice), ..self }
    }

    /// Whether the notice reports a problem.
    pub(crate) fn has_problem(&self) -> bool {
        self.notice.as_ref().is_some_and(Notice::is_problem)
    }

    /// A layout without a user and without a script: the same for everyone.
    pub(crate) fn bare() -> Self {
        Self { script: SCRIPT.address(), ..Self::default() }
    }

    /// An icon.
    pub(crate) fn icon(&self, name: &'static str) -> Markup {
        parts::icon(name)
    }

    /// A state with its icon and word.
    pub(crate) fn state(&self, kind: &'static str, icon: &'static str, word: &'static str) -> Markup {
        parts::state(kind, icon, word)
    }

    /// The picture of a name.
    pub(crate) fn avatar(&self, name: &str, class: &'static str) -> Markup {
        parts::avatar(name, class)
    }

    /// The tile of a format.
    pub(crate) fn format(&self, kind: &str) -> Markup {
        parts::format(kind, "")
    }

    /// The reason why the value of a field was rejected, to show beside it. Messages begin with the name of the field.
    pub(crate) fn error(&self, field: &'static str) -> Markup {
        parts::field_error(field, self.problem_with(field))
    }

    /// Marks the input of a field whose value was rejected.
    pub(crate) fn invalid(&self, field: &'static str) -> Markup {
        parts::invalid(self.problem_with(field).is_some())
    }

    /// What was typed into a field of the form that was refused; empty if none was.
    pub(crate) fn typed(&self, field: &str) -> &str {
        self.notice.as_ref().and_then(|notice| notice.typed(field)).unwrap_or_default()
    }

    /// Whether a form with this field was refused.
    pub(crate) fn has_refused(&self, field: &str) -> bool {
        self.notice.as_ref().is_some_and(|notice| notice.typed(field).is_some())
    }

    fn problem_with(&self, field: &str) -> Option<&str> {
        let problem = self.notice.as_ref().filter(|notice| notice.is_problem())?;
        problem.text.strip_prefix(field)?.strip_prefix(": ")
    }

    /// A button that copies.
    pub(crate) fn copy(&self, label: &'static str) -> Markup {
        parts::copy(label)
    }

    /// A time of day.
    pub(crate) fn clock(&self, at: &Timestamp) -> Markup {
        times::clock(*at)
    }

    /// A time, relative to now.
    pub(crate) fn when(&self, at: &Timestamp) -> Markup {
        times::when(self.now, *at)
    }
}

/// A page in its layout as a response, with the status of its notice.
pub(crate) fn render(layout: &Layout, page: &impl Template) -> Response {
    let problem = layout.notice.as_ref().filter(|notice| notice.is_problem());
    let mut response = rendered(page.render().map(|html| match problem {
        Some(problem) => problem.referring(html),
        None => html,
    }));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, policy(&layout.nonce));
    // Not `no-referrer`: browsers would then also hide the origin of the page's own forms.
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    headers.insert(header::VARY, HeaderValue::from_static("accept, authorization, cookie"));
    if let Some(cookie) = &layout.clear_notice {
        headers.append(header::SET_COOKIE, cookie.clone());
    }
    if let Some(notice) = problem {
        *response.status_mut() = notice.status;
    }
    response
}

/// The content security policy: everything comes from this server, and only the script with the nonce runs.
fn policy(nonce: &str) -> HeaderValue {
    let script = if nonce.is_empty() { "'none'".to_owned() } else { format!("'nonce-{nonce}'") };
    let policy = format!(
        "default-src 'none'; style-src 'self'; img-src 'self'; script-src {script}; connect-src 'self'; \
         font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    );
    HeaderValue::try_from(policy).expect("it is plain text")
}

/// A page without the layout as a response: it has no script.
pub(crate) fn render_plain(page: &impl Template) -> Response {
    rendered(page.render())
}

fn rendered(page: askama::Result<String>) -> Response {
    match page {
        Ok(html) => ([(header::CONTENT_SECURITY_POLICY, policy(""))], Html(html)).into_response(),
        Err(error) => {
            tracing::error!("rendering a page failed: {error}");
            Failure::new(StatusCode::INTERNAL_SERVER_ERROR, "The server failed to render the page").into_response()
        }
    }
}
