//! The page on which a key agrees to terms: a plain form that needs no script.

use askama::Template;
use axum::{
    body::{Body, to_bytes},
    extract::State,
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
    response::Response,
};
use model::target::Target;
use operations::agreements::{self, Terms};

use crate::{
    App,
    caller::SignedIn,
    docs::render,
    error::{Failure, Result},
    path_names::PathNames,
};

/// The most bytes of the form.
const FORM_BYTES: usize = 4 * 1024;

/// Where browsers tell who has made a request.
const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

#[derive(Template)]
#[template(path = "eula.html")]
struct Page {
    product: String,
    version: String,
    name: String,
    text: String,
    token: String,
    is_accepted: bool,
}

pub(crate) async fn show_eula_page(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Response> {
    let (at, version) = (path.product_address()?, path.version()?);
    let terms = agreements::show(app.house(), &caller, &at, &version).await?;
    Ok(page(terms, version.to_string()))
}

/// Browsers send credentials along with forms of other sites, so the form must be the page's own.
pub(crate) async fn accept_shown_eula(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
    headers: HeaderMap,
    body: Body,
) -> Result<Response> {
    check_own_site(&app, &headers)?;
    let (at, version) = (path.product_address()?, path.version()?);
    let form = to_bytes(body, FORM_BYTES).await.map_err(|_| Failure::bad_request("The form is too large or broken"))?;
    let form = std::str::from_utf8(&form).map_err(|_| Failure::bad_request("The form is not UTF-8"))?;
    let fields = Target::parse("/", form)?;
    let token = fields.query("token")?.ok_or_else(|| Failure::bad_request("token: it is required"))?;
    let terms = agreements::accept_shown(app.house(), &caller, &at, &version, token).await?;
    Ok(page(terms, version.to_string()))
}

fn page(terms: Terms, version: String) -> Response {
    let mut response = render(&Page {
        product: terms.product,
        version,
        name: terms.eula.name.to_string(),
        text: terms.eula.document.content,
        token: terms.token,
        is_accepted: terms.is_accepted,
    });
    // Without a referrer, browsers would not say either that the form is the page's own.
    response.headers_mut().insert(header::REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    response
}

/// Whether the browser says that the form is ours. One that says nothing has to know the token, like everyone.
/// Nobody agrees by visiting another site while a browser remembers the key.
pub(super) fn check_own_site(app: &App, headers: &HeaderMap) -> Result<()> {
    match is_own_site(app, headers) {
        true => Ok(()),
        false => Err(Failure::new(StatusCode::FORBIDDEN, "The form was sent from another site")),
    }
}

fn is_own_site(app: &App, headers: &HeaderMap) -> bool {
    if let Some(site) = headers.get(SEC_FETCH_SITE) {
        return site == "same-origin";
    }
    let Some(origin) = headers.get(header::ORIGIN) else { return true };
    let Ok(origin) = origin.to_str() else { return false };
    let public = app.settings().public_url();
    let public: Vec<&str> = public.split('/').take(3).collect();
    let is_public = public.join("/").eq_ignore_ascii_case(origin);
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let authority = origin.split_once("://").map(|(_, authority)| authority);
    is_public || (host.is_some() && authority == host)
}
