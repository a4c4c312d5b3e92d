//! All requests below `/dl`: of a format's own clients, and ordinary downloads.

use std::sync::Arc;

use axum::{
    body::Body,
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, header, request::Parts},
    response::{IntoResponse, Response},
};
use model::{address::RepoAddress, target::Target};
use operations::{
    Caller,
    format::{Native, NativeAnswer, NativeCall, NativeRequest},
    native,
};
use web::{
    App,
    caller::RequestCaller,
    error::{Failure, Result},
};

use super::{
    dialect::{refused, translate},
    matcher, take,
};
use crate::downloads::{self, DownloadCache, NativeRead, filled, is_signed, missing, repo_address, repo_path};

/// Answers a request below `/dl`.
pub(crate) async fn handle(
    State(app): State<App>,
    State(cache): State<Arc<DownloadCache>>,
    RequestCaller(caller): RequestCaller,
    request: Request,
) -> Response {
    let (parts, body) = request.into_parts();
    let target = parts.extensions.get::<Target>().cloned().unwrap_or_default();
    let outcome = Below { app, cache, caller, parts, target }.answer(body).await;
    outcome.unwrap_or_else(IntoResponse::into_response)
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
                native::check_read(self.app.house(), &self.caller, &at).await?;
                Ok(self.wrong_method(None))
            }
        }
    }

    async fn answer_native(self, native: &'static dyn Native, at: &RepoAddress, body: Body) -> Result<Response> {
        let (segments, is_folder) = (&self.target.segments[3..], self.target.is_folder);
        let found = matcher::find(native.routes(), &self.parts.method, segments, is_folder);
        let Some((route, values)) = found else {
            if matches!(self.parts.method, Method::GET | Method::HEAD) {
                let answered = self.download().await;
                return self.told(native, at, answered, Hidden::AsAnswered).await;
            }
            native::check_read(self.app.house(), &self.caller, at).await?;
            return Ok(self.wrong_method(Some(native)));
        };
        let (accept, user) = (accept(&self.parts.headers), self.caller.name());
        let query = &self.target.query;
        let call = NativeCall { route, values, query, accept: &accept, user: user.as_deref() };
        let request = (route.request)(&call);
        let hidden =
            if matches!(request, Ok(NativeRequest::Read { .. })) { Hidden::AsAnswered } else { Hidden::AsRepository };
        let answered = match request {
            Ok(request) => self.perform(at, &call, request, body).await,
            Err(refusal) => Err(refused(refusal)),
        };
        self.told(native, at, answered, hidden).await
    }

    /// Does what a native request means.
    async fn perform(
        &self,
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
            NativeRequest::Redirect(path) => {
                native::check_read(house, &self.caller, at).await?;
                return redirect(at, &path);
            }
            NativeRequest::Ask(question) => native::ask(house, &self.caller, at, call, &question).await?,
            NativeRequest::Say(answer) => {
                native::check_read(house, &self.caller, at).await?;
                answer
            }
            NativeRequest::Take(kind) => {
                take::take(&self.app, &self.caller, at, call, kind, &self.parts.headers, body).await?
            }
            NativeRequest::Change(changes) => native::change(house, &self.caller, at, call, &changes).await?,
        };
        self.respond(at, &answer)
    }

    fn respond(&self, at: &RepoAddress, answer: &NativeAnswer) -> Result<Response> {
        let status = StatusCode::from_u16(answer.status);
        let status = status.map_err(|error| operations::Error::Internal(error.to_string()))?;
        let text = filled(&self.app, at, &answer.content).into_owned();
        let headers = [
            (header::CONTENT_TYPE, HeaderValue::from_static(answer.media_type)),
            // It depends on the caller and on rows that may change at any time.
            (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
            (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
        ];
        Ok((status, headers, text).into_response())
    }

    /// The response in the client's form. A caller who may not see the repository gets the same response as for a
    /// repository that does not exist.
    async fn told(
        &self,
        native: &dyn Native,
        at: &RepoAddress,
        answered: Result<Response>,
        hidden: Hidden,
    ) -> Result<Response> {
        let is_failure = answered.as_ref().map_or(true, |response| response.status().as_u16() >= 400);
        if !is_failure {
            return answered;
        }
        match (native::check_read(self.app.house(), &self.caller, at).await, hidden) {
            (Ok(()), _) => {
                let response = answered.unwrap_or_else(IntoResponse::into_response);
                Ok(translate(native.dialect(), response))
            }
            (Err(_), Hidden::AsAnswered) => answered,
            (Err(error), Hidden::AsRepository) => Err(error.into()),
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

/// How a failure looks to a caller who may not see the repository.
#[derive(Clone, Copy)]
enum Hidden {
    /// As it is: the look-up of a path hides what it must.
    AsAnswered,
    /// As for a repository that does not exist.
    AsRepository,
}

/// The `Accept` headers, joined by commas.
fn accept(headers: &HeaderMap) -> String {
    let values = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    values.collect::<Vec<_>>().join(",")
}

/// Redirects to a path below the repository, on the same host.
fn redirect(at: &RepoAddress, path: &str) -> Result<Response> {
    let location = format!("/dl{}/{}", repo_path(at), path.trim_start_matches('/'));
    let location = HeaderValue::try_from(location).map_err(|error| operations::Error::Internal(error.to_string()))?;
    Ok((StatusCode::MOVED_PERMANENTLY, [(header::LOCATION, location)]).into_response())
}
