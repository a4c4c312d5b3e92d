//! All requests below `/dl`: of a format's own clients, and ordinary downloads.

use std::sync::Arc;

use axum::{
    body::Body,
    extract::{Request, State},
    http::{HeaderValue, Method, StatusCode, header, request::Parts},
    response::{IntoResponse, Response},
};
use model::{address::RepoAddress, target::Target};
use operations::{
    Caller, Error,
    format::{Native, NativeCall, NativeRequest},
    native,
};
use web::{
    App,
    caller::RequestCaller,
    error::{Failure, Result},
};

use super::{
    box_names,
    dialect::{refused, translate},
    matcher, repo_token,
    respond::{accept, redirect, respond},
    sign_in::{sign_in, sign_in_by_header},
    take, upload_token,
};
use crate::downloads::{self, DownloadCache, NativeRead, is_signed, missing, repo_address};

/// Answers a request below `/dl`.
pub(crate) async fn handle(
    State(app): State<App>,
    State(cache): State<Arc<DownloadCache>>,
    request: Request,
) -> Response {
    let (mut parts, body) = request.into_parts();
    let caller = match identify(&app, &mut parts).await {
        Ok(caller) => caller,
        Err(failure) => return failure.into_response(),
    };
    box_names::resolve(&app, &caller, &mut parts).await;
    let target = parts.extensions.get::<Target>().cloned().unwrap_or_default();
    let outcome = Below { app, cache, caller, parts, target }.answer(body).await;
    outcome.unwrap_or_else(IntoResponse::into_response)
}

/// The caller of a request: by the token of its repository, by the token of an upload, or by other credentials.
async fn identify(app: &App, parts: &mut Parts) -> Result<Caller> {
    let caller = repo_token::identify(app, parts).await?;
    upload_token::identify(app, caller, parts).await
}

/// A request below `/dl`.
struct Below {
    app: App,
    cache: Arc<DownloadCache>,
    caller: Caller,
    parts: Parts,
    target: Target,
}

impl Below {
    async fn answer(self, body: Body) -> Result<Response> {
        let is_read = matches!(self.parts.method, Method::GET | Method::HEAD);
        if is_signed(&self.target) {
            return if is_read { self.download().await } else { Ok(self.wrong_method(None)) };
        }
        let Some(at) = repo_address(&self.target) else {
            return if is_read { self.download().await } else { Err(missing(&self.caller)) };
        };
        let format = native::format_of(self.app.house(), &at).await?;
        match format.and_then(|format| format.native()) {
            Some(native) => self.answer_native(native, &at, body).await,
            None if is_read => self.download().await,
            None => {
                self.check_read(&at).await?;
                Ok(self.wrong_method(None))
            }
        }
    }

    async fn answer_native(self, native: &'static dyn Native, at: &RepoAddress, body: Body) -> Result<Response> {
        let (segments, is_folder) = (&self.target.segments[3..], self.target.is_folder);
        let found = matcher::find(native.routes(), &self.parts.method, segments, is_folder);
        let Some((route, values)) = found else {
            if matches!(self.parts.method, Method::GET | Method::HEAD) {
                return Ok(in_dialect_of_reads(native, self.download().await));
            }
            self.check_read(at).await?;
            return Ok(self.wrong_method(Some(native)));
        };
        let (accept, user) = (accept(&self.parts.headers), self.caller.name());
        let query = &self.target.query;
        let (repo, now) = (at.repo.as_str(), self.app.house().clock.now());
        let (user, is_private) = (user.as_deref(), false);
        let mut call = NativeCall { route, values, query, accept: &accept, user, repo, is_private, now };
        match (route.request)(&call) {
            Ok(request @ NativeRequest::Read { .. }) => {
                Ok(in_dialect_of_reads(native, self.perform(native, at, &call, request, body).await))
            }
            request => {
                // Check this first, so that a hidden repository takes the same steps as a missing one.
                call.is_private = self.check_read(at).await?;
                let answered = match request {
                    Ok(request) => self.perform(native, at, &call, request, body).await,
                    Err(refusal) => Err(refused(refusal)),
                };
                Ok(in_dialect(native, answered))
            }
        }
    }

    /// Does what a native request means.
    async fn perform(
        &self,
        native: &dyn Native,
        at: &RepoAddress,
        call: &NativeCall<'_>,
        request: NativeRequest,
        body: Body,
    ) -> Result<Response> {
        let house = self.app.house();
        let answer = match request {
            NativeRequest::Read { path, media_type, varies } => {
                let read = NativeRead { path, media_type, varies };
                return downloads::read(&self.app, &self.cache, &self.caller, &self.parts, at, read).await;
            }
            NativeRequest::Redirect(path) => return redirect(at, &path),
            NativeRequest::Ask(question) => native::ask(house, &self.caller, at, call, &question).await?,
            NativeRequest::Say(answer) => answer,
            NativeRequest::Take(kind) => {
                take::take(&self.app, &self.caller, at, call, kind, &self.parts.headers, body).await?
            }
            NativeRequest::SignInByHeader => {
                sign_in_by_header(&self.app, &self.parts, &self.caller, native, call).await?
            }
            NativeRequest::IssueToken => {
                repo_token::issue(&self.app, &self.parts, &self.caller, at, native, call).await?
            }
            NativeRequest::BeginUpload(path) => {
                upload_token::begin(&self.app, &self.parts, &self.caller, at, native, call, &path).await?
            }
            NativeRequest::SignIn => sign_in(&self.app, &self.parts, at, native, call, body).await?,
            NativeRequest::Change(changes) => native::change(house, &self.caller, at, call, &changes).await?,
        };
        respond(&self.app, at, native, &answer)
    }

    /// Rejects callers who may not see the repository. Anonymous ones are asked for credentials, whether it exists or not.
    /// Returns whether it is private.
    async fn check_read(&self, at: &RepoAddress) -> Result<bool> {
        match native::check_read(self.app.house(), &self.caller, at).await {
            Err(Error::NotFound { .. }) if !self.caller.is_known_in(&at.owner, &at.repo) => {
                Ok(self.caller.check_known_in(&at.owner, &at.repo).map(|()| true)?)
            }
            other => Ok(other?),
        }
    }

    async fn download(&self) -> Result<Response> {
        let (app, cache, caller) = (self.app.clone(), self.cache.clone(), self.caller.clone());
        downloads::download(State(app), State(cache), RequestCaller(caller), self.parts.clone()).await
    }

    /// The response to a method that the URL does not accept.
    fn wrong_method(&self, native: Option<&'static dyn Native>) -> Response {
        let failure = Failure::new(StatusCode::METHOD_NOT_ALLOWED, "This URL does not support this method");
        let mut allowed = vec!["GET", "HEAD"];
        if let Some(native) = native {
            let (segments, is_folder) = (&self.target.segments[3..], self.target.is_folder);
            allowed.extend(matcher::other_methods(native.routes(), segments, is_folder));
        }
        let mut response = failure.into_response();
        if let Ok(allowed) = HeaderValue::from_str(&allowed.join(",")) {
            response.headers_mut().insert(header::ALLOW, allowed);
        }
        response
    }
}

/// The response to a caller who may see the repository, with failures in the client's form.
fn in_dialect(native: &dyn Native, answered: Result<Response>) -> Response {
    let response = answered.unwrap_or_else(IntoResponse::into_response);
    if response.status().as_u16() < 400 { response } else { translate(native.dialect(), response) }
}

/// The response to a read. The look-up of the path has hidden what the caller may not see, and a repository that does not
/// exist has no dialect, so neither has this.
fn in_dialect_of_reads(native: &dyn Native, answered: Result<Response>) -> Response {
    let response = answered.unwrap_or_else(IntoResponse::into_response);
    match response.status() {
        StatusCode::UNAUTHORIZED | StatusCode::NOT_FOUND => response,
        _ => in_dialect(native, Ok(response)),
    }
}
