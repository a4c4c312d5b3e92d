//! The service behind the edge: from the head of a request to its response.

mod cache_metrics;
mod response_body;

use std::{sync::Arc, time::Instant};

use axum::{
    Router,
    body::Body,
    http::{HeaderMap, Request, StatusCode, Version, header},
    response::{IntoResponse, Response},
};
use edge::{Backend, Client, CompletedReplay, Context, FileRange, Replay, Reply, RequestBody};
use metrics::{Counter, counter, histogram};
use model::{target::Target, timestamp::Timestamp};
use operations::is_suspect;
use tower::ServiceExt;
use tracing::Instrument;
use web::{
    caller::has_credentials,
    challenge::Challenge,
    error::Failure,
    quota,
    same_site::{SentTo, Sites},
};

use crate::{
    ServerState,
    downloads::{CachedDownload, LookupPermit, Ready, SendMethod},
    metrics::{CACHE_MISSES, REQUEST_SECONDS},
    objects::{RequestedObject, without_body},
    router::router,
    service::{cache_metrics::CacheMetrics, response_body::ResponseBody},
    target::{HostNames, add_old_names, admit, check_host, host, rename_keys, rename_old_names},
    traces::{Span, TraceParent},
};

/// The service on a [`ServerState`]. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Service(Arc<Inner>);

struct Inner {
    router: Router,
    hosts: HostNames,
    sites: Sites,
    challenge: Challenge,
    takes_old_names: bool,
    state: ServerState,
    /// The cached responses of downloads, and of objects.
    cached_downloads: CacheMetrics,
    cached_objects: CacheMetrics,
    /// How many downloads the cache did not answer.
    misses: Counter,
}

impl Backend for Service {
    type Body = ResponseBody;
    type Cached = CachedDownload;

    async fn call(&self, request: Request<RequestBody>, context: Context) -> Reply<ResponseBody, CachedDownload> {
        let began = Instant::now();
        let headers = request.headers();
        let (ready, permit) = if self.may_use_cache(&context, headers) {
            self.find_cached(&context.client, &request).await
        } else {
            (None, None)
        };
        if let Some(ready) = &ready
            && ready.answer.is_object
            && let Some(response) = without_body(&ready.answer, request.method(), headers)
        {
            self.0.cached_objects.record_short(request.method(), response.status(), began.elapsed());
            return Reply { response: response.map(ResponseBody::Other), cached: None };
        }
        if let Some(ready) = ready
            && let Ok(response) = ready.send(self.0.state.app(), &context.client, headers, request.version()).await
        {
            if has_credentials(headers) {
                context.standing.sign_in();
            }
            self.cached(&ready.answer).record(began.elapsed());
            let way = SendMethod::of(&context.client, request.version());
            let cached = Some(ready.answer).filter(|answer| answer.replay_body(way).is_some());
            return Reply { response: response.map(ResponseBody::Cached), cached };
        }
        // Boxed, because the parser moves the future that it polls: cached responses would carry the space for all
        // others.
        let response = Box::pin(self.route(began, context, request)).await;
        drop(permit);
        Reply { response: response.map(ResponseBody::Other), cached: None }
    }

    fn replay<'c>(&self, cached: &'c CachedDownload, client: &Client, has_credentials: bool) -> Option<Replay<'c>> {
        let house = self.0.state.app().house();
        if has_credentials && is_suspect(house, client.address) {
            return None;
        }
        // Replays are for HTTP/1 only.
        let body = cached.replay_body(SendMethod::of(client, Version::HTTP_11))?;
        let quota = cached.admit(house, client)?.quota;
        Some(Replay { head: cached.head(), varying: quota.map(|quota| quota.remaining), body })
    }

    fn completed(&self, cached: &CachedDownload, completed: CompletedReplay<'_>) {
        let CompletedReplay { client, at, took, referer, agent } = completed;
        cached.count(self.0.state.app(), client, at, referer.cloned(), agent.cloned());
        self.cached(cached).record_replay(took);
    }

    fn locate(bytes: &[u8]) -> Option<FileRange> {
        blobs::locate(bytes).map(|range| FileRange { file: range.file, offset: range.offset })
    }

    fn now(&self) -> Timestamp {
        self.0.state.app().house().clock.now()
    }
}

impl Service {
    pub(crate) fn new(state: &ServerState) -> Self {
        let settings = state.app().settings();
        Self(Arc::new(Inner {
            router: router(state.clone()),
            hosts: HostNames { api: settings.api_host.clone(), download: settings.download_host.clone() },
            sites: Sites::new(settings),
            challenge: Challenge::new(&settings.auth_realm),
            takes_old_names: settings.old_client_names,
            state: state.clone(),
            cached_downloads: CacheMetrics::of_downloads(),
            cached_objects: CacheMetrics::of_objects(),
            misses: counter!(CACHE_MISSES),
        }))
    }

    /// The metrics of a cached response.
    fn cached(&self, answer: &CachedDownload) -> &CacheMetrics {
        if answer.is_object { &self.0.cached_objects } else { &self.0.cached_downloads }
    }

    /// Whether a cached response may be sent without checking the credentials again.
    fn may_use_cache(&self, context: &Context, headers: &HeaderMap) -> bool {
        if has_credentials(headers) {
            !is_suspect(self.0.state.app().house(), context.client.address)
        } else {
            !context.standing.is_on_probation()
        }
    }

    /// Answers a request that no cached response fits, and logs it.
    async fn route(&self, began: Instant, context: Context, request: Request<RequestBody>) -> Response {
        let id = context.id;
        let span = tracing::info_span!("request", id = %id);
        let method = request.method().clone();
        let parent = self.0.state.traces().and_then(|_| TraceParent::of(request.headers()));
        let (answered, mut response) = self.answer(context, request).instrument(span.clone()).await;
        self.0.challenge.put_into(response.headers_mut());
        self.0.state.app().insist_on_tls(&answered.client, response.headers_mut());
        edge::add_security_headers(response.headers_mut());
        if answered.surface == "download" {
            self.0.misses.increment(1);
        }
        let status = response.status().as_u16();
        let spent = began.elapsed();
        let ms = u64::try_from(spent.as_millis()).unwrap_or(u64::MAX);
        histogram!(REQUEST_SECONDS, "surface" => answered.surface, "method" => known_method(&method), "status" => status.to_string())
            .record(spent.as_secs_f64());
        span.in_scope(|| {
            // The path only: queries and matrix parameters may hold passphrases and signatures.
            tracing::info!(
                client = %answered.client.address, %method, path = answered.path, status, ms,
                "answered {method} {} with {status}", answered.path
            );
        });
        if let Some(traces) = self.0.state.traces() {
            let finished = Span {
                trace_id: String::new(),
                span_id: String::new(),
                parent_id: String::new(),
                surface: answered.surface,
                method: known_method(&method),
                path: answered.path,
                status,
                request_id: id.to_string(),
                ended: 0,
                took: spent,
            };
            traces.add(self.0.state.app().house(), parent, finished);
        }
        response
    }

    /// Finds a cached object or download, which gets no log line here; else a permit to look the download up.
    async fn find_cached<B>(&self, client: &Client, request: &Request<B>) -> (Option<Ready>, Option<LookupPermit<'_>>) {
        let inner = &*self.0;
        let host = host(request.headers(), request.uri());
        // A request that names no host, or several, is rejected, whether its response is cached or not.
        if check_host(request).is_err() {
            return (None, None);
        }
        let (cache, house) = (inner.state.downloads(), inner.state.app().house());
        let Some(path) = inner.hosts.download_path(host, request.uri().path()) else {
            let is_api = inner.hosts.is_api(host, request.uri().path());
            return (is_api.then(|| inner.state.objects().find(house, client, request)).flatten(), None);
        };
        let ready = cache.find(house, client, &path, request);
        if ready.is_some() {
            return (ready, None);
        }
        let permit = Box::pin(cache.look_up(client, &path, request)).await;
        if permit.as_ref().is_some_and(|permit| !permit.has_waited()) {
            return (None, permit);
        }
        match cache.find(house, client, &path, request) {
            None => (None, permit),
            ready => (ready, None),
        }
    }

    async fn answer(&self, context: Context, request: Request<RequestBody>) -> (Answered, Response) {
        let inner = &*self.0;
        let Context { client, id, standing } = context;
        let mut answered = Answered { client: client.clone(), path: "-".into(), surface: "none" };
        let mut target = match admit(&request) {
            Ok(target) => target,
            Err(failure) => return (answered, failure.into_response()),
        };
        let asked = RequestedObject::new(inner.state.app(), inner.state.objects(), &client, &request);
        let (mut parts, body) = request.into_parts();
        let host = host(&parts.headers, &parts.uri);
        inner.hosts.place(host, &mut target);
        let sent_to = SentTo { host, is_https: client.is_https };
        if let Err(failure) = inner.sites.check(&parts.method, &parts.headers, sent_to) {
            (answered.path, answered.surface) = (target.canonical_path(), surface(&target));
            let (refused, is_page) = (failure.into_response(), pages::is_page(&target));
            let response = if is_page { pages::refusal(&parts.headers, refused) } else { refused };
            return (answered, response);
        }
        rename_keys(&mut target);
        if inner.takes_old_names {
            rename_old_names(&mut parts.headers, &mut target);
        }
        answered.path = target.canonical_path();
        answered.surface = surface(&target);
        parts.uri = answered.path.parse().unwrap_or_default();
        if answered.surface == "api" {
            parts.extensions.insert(asked);
        }
        parts.extensions.insert(target);
        parts.extensions.insert(client);
        parts.extensions.insert(id);
        if standing.is_on_probation() && answered.surface != "system" && !shows_who_asks(&parts.headers) {
            return (answered, crowded().into_response());
        }
        parts.extensions.insert(standing);
        let quota_slot = quota::QuotaSlot::default();
        parts.extensions.insert(quota_slot.clone());
        let request = Request::from_parts(parts, Body::new(body));
        let mut response = inner.router.clone().oneshot(request).await.unwrap_or_else(|never| match never {});
        if inner.takes_old_names {
            add_old_names(response.headers_mut());
        }
        quota_slot.write_to(response.headers_mut());
        (answered, response)
    }
}

/// The values recorded about a request after its response.
struct Answered {
    client: Client,
    path: String,
    surface: &'static str,
}

/// Whether a request may come from a signed-in caller: it has credentials or a cookie.
fn shows_who_asks(headers: &HeaderMap) -> bool {
    has_credentials(headers) || headers.contains_key(header::COOKIE)
}

fn crowded() -> Failure {
    let reason = "There are too many connections without credentials right now; send credentials, or try again later";
    Failure::new(StatusCode::SERVICE_UNAVAILABLE, reason)
}

fn surface(target: &Target) -> &'static str {
    match target.segments.first().map(String::as_str) {
        Some("api") => "api",
        Some("dl") => "download",
        Some("v2") => "registry",
        Some("livez" | "readyz" | "metrics") => "system",
        _ => "pages",
    }
}

/// A label from a fixed set, so that clients cannot create new time series.
fn known_method(method: &axum::http::Method) -> &'static str {
    match method.as_str() {
        "GET" => "GET",
        "HEAD" => "HEAD",
        "POST" => "POST",
        "PUT" => "PUT",
        "PATCH" => "PATCH",
        "DELETE" => "DELETE",
        _ => "other",
    }
}
