//! One request from its raw head to its answer.

use std::{
    convert::Infallible,
    sync::Arc,
    time::{Duration, Instant},
};

use axum::{
    Router,
    body::Body,
    http::{HeaderMap, HeaderValue, Request, StatusCode, Version, header},
    response::{IntoResponse, Response},
};
use hyper::body::Incoming;
use metrics::{Counter, Histogram, counter, histogram};
use model::target::Target;
use operations::is_suspect;
use tower::ServiceExt;
use tracing::Instrument;

use super::{
    admission::{admit, check_host, host},
    aliases,
    challenge::Challenge,
    client::{Client, Peer, Proxies},
    connections::Standing,
    cross_site::{SentTo, Sites},
    outgoing::{Content, ResponseBody},
    pace::{Pace, Paced},
    protection::{add_security_headers, insist_on_tls},
    repeats::{HeadHash, ReplayCache, ReplayEntry, ends},
    request_id::{RequestId, RequestIds},
    surface::HostNames,
    turn::ParserState,
    unread::BodyWatch,
};
use crate::{
    App, allowance,
    download::{LookupPermit, Ready},
    error::Failure,
    health::{REPEATED_DOWNLOADS, REQUEST_SECONDS},
    pages,
    router::router,
};

/// The service that connections talk to.
#[derive(Clone)]
pub(crate) struct Service(Arc<Inner>);

struct Inner {
    router: Router,
    hosts: HostNames,
    sites: Sites,
    challenge: Challenge,
    proxies: Proxies,
    takes_old_names: bool,
    pace: Pace,
    ids: RequestIds,
    app: App,
    /// How long the answers took that were ready.
    kept_seconds: Histogram,
    repeats: ReplayCache,
    /// How many answers were sent past the parser.
    repeated: Counter,
}

impl Service {
    pub(crate) fn new(app: &App) -> Self {
        let settings = app.settings();
        Self(Arc::new(Inner {
            router: router(app.clone()),
            hosts: HostNames { api: settings.api_host.clone(), download: settings.download_host.clone() },
            sites: Sites::new(settings),
            challenge: Challenge::new(&settings.auth_realm),
            proxies: Proxies {
                trusted: settings.trusted_proxies.clone(),
                country_header: settings.geo.country_header.as_deref().and_then(|name| name.parse().ok()),
            },
            takes_old_names: settings.old_client_names,
            pace: Pace::new(&settings.limits),
            ids: RequestIds::default(),
            app: app.clone(),
            kept_seconds: histogram!(REQUEST_SECONDS, "surface" => "download", "method" => "GET", "status" => "200"),
            repeats: ReplayCache::default(),
            repeated: counter!(REPEATED_DOWNLOADS),
        }))
    }

    /// Whether connections from this address carry the requests of many clients.
    pub(crate) fn is_proxy(&self, peer: &Peer) -> bool {
        self.0.proxies.trusted.iter().any(|network| network.contains(&peer.address))
    }

    pub(crate) async fn call(
        &self,
        peer: Peer,
        turn: &ParserState,
        standing: &Standing,
        request: Request<Incoming>,
    ) -> Result<Response<ResponseBody>, Infallible> {
        let (answering, version) = (turn.answering(), request.version());
        if version < Version::HTTP_11 || ends(request.headers()) {
            turn.end();
        }
        let began = Instant::now();
        let id = self.0.ids.next();
        let client = Client::find(peer, request.headers(), &self.0.proxies);
        let (ready, look_up) = if self.may_repeat(&client, standing, request.headers()) {
            self.find_kept(&client, &request).await
        } else {
            (None, None)
        };
        if let Some(ready) = ready
            && let Ok(mut response) = ready.send(&self.0.app, &client, request.headers(), request.version()).await
        {
            id.tell(response.headers_mut());
            if request.headers().contains_key(header::AUTHORIZATION) {
                standing.sign_in();
            }
            if let Some(head) = turn.head() {
                self.0.repeats.remember(head, &request, &ready.answer);
            }
            self.0.kept_seconds.record(began.elapsed().as_secs_f64());
            self.tell_end(version, response.headers_mut(), turn);
            return Ok(response.map(|body| ResponseBody::new(Content::Kept(body), answering)));
        }
        // Boxed, since the parser moves what it waits for: kept answers would carry the room for all others with them.
        let mut response = Box::pin(self.route(began, id, client, standing, request)).await;
        drop(look_up);
        if standing.is_on_probation() && version <= Version::HTTP_11 {
            response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
        self.tell_end(version, response.headers_mut(), turn);
        Ok(response.map(|body| ResponseBody::new(Content::Other(body), answering)))
    }

    /// Whether an answer of before may be sent without a look at who asks.
    fn may_repeat(&self, client: &Client, standing: &Standing, headers: &HeaderMap) -> bool {
        if headers.contains_key(header::AUTHORIZATION) {
            !is_suspect(self.0.app.house(), client.address)
        } else {
            !standing.is_on_probation()
        }
    }

    /// Ends the connection after this answer when the server stops: who keeps connections for later then finds none that
    /// is closed in the middle of a request.
    fn tell_end(&self, version: Version, headers: &mut HeaderMap, turn: &ParserState) {
        if self.0.app.is_draining() && version <= Version::HTTP_11 {
            headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
        if ends(headers) {
            turn.end();
        }
    }

    /// The client of all requests that come from a peer, when it speaks for itself.
    pub(super) fn find_client(&self, peer: Peer) -> Option<Client> {
        (!self.is_proxy(&peer)).then(|| Client::find(peer, &HeaderMap::new(), &self.0.proxies))
    }

    /// The request with this head, if it was answered before.
    pub(super) fn find_repeat(&self, head: &HeadHash) -> Option<Arc<ReplayEntry>> {
        self.0.repeats.find(head)
    }

    /// What was answered to it, if it would be answered to this client now.
    pub(super) fn find_answer(&self, client: &Client, repeat: &ReplayEntry) -> Option<Ready> {
        // A server that stops ends each connection with an answer, which says so.
        if self.0.app.is_draining() {
            return None;
        }
        repeat.answer(self.0.app.house(), client)
    }

    /// Tells of an answer that was sent past the parser.
    pub(super) fn tell_repeat(&self, spent: Duration) {
        self.0.kept_seconds.record(spent.as_secs_f64());
        self.0.repeated.increment(1);
    }

    pub(super) fn next_id(&self) -> RequestId {
        self.0.ids.next()
    }

    pub(super) fn app(&self) -> &App {
        &self.0.app
    }

    /// Answers what is not ready, and tells of it.
    async fn route(
        &self,
        began: Instant,
        id: RequestId,
        client: Client,
        standing: &Standing,
        request: Request<Incoming>,
    ) -> Response {
        let span = tracing::info_span!("request", id = %id);
        let method = request.method().clone();
        let (answered, mut response) = self.answer(client, standing, request, id).instrument(span.clone()).await;
        id.tell(response.headers_mut());
        self.0.challenge.put_into(response.headers_mut());
        insist_on_tls(self.0.app.settings(), &answered.client, response.headers_mut());
        add_security_headers(response.headers_mut());
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
        response
    }

    /// A download that is ready: no log line of its own, since each is in the log of downloads. If there is none, the
    /// look-up that may make it so.
    async fn find_kept(
        &self,
        client: &Client,
        request: &Request<Incoming>,
    ) -> (Option<Ready>, Option<LookupPermit<'_>>) {
        let inner = &*self.0;
        let host = host(request.headers(), request.uri());
        let Some(path) = inner.hosts.download_path(host, request.uri().path()) else { return (None, None) };
        // What names no host, or several, is refused, whether an answer is kept or not.
        if check_host(request).is_err() {
            return (None, None);
        }
        let (kept, house) = (inner.app.kept(), inner.app.house());
        let answer = kept.find(house, client, &path, request);
        if answer.is_some() {
            return (answer, None);
        }
        let look_up = Box::pin(kept.look_up(client, &path, request)).await;
        if look_up.as_ref().is_some_and(|look_up| !look_up.has_waited()) {
            return (None, look_up);
        }
        match kept.find(house, client, &path, request) {
            None => (None, look_up),
            answer => (answer, None),
        }
    }

    async fn answer(
        &self,
        client: Client,
        standing: &Standing,
        request: Request<Incoming>,
        id: RequestId,
    ) -> (Answered, Response) {
        let inner = &*self.0;
        let mut answered = Answered { client: client.clone(), path: "-".into(), surface: "none" };
        let (reading, request) = BodyWatch::watch(request);
        let mut target = match admit(&request) {
            Ok(target) => target,
            Err(failure) => {
                let mut response = failure.into_response();
                reading.tell(response.headers_mut());
                return (answered, response);
            }
        };
        let (mut parts, body) = request.into_parts();
        let host = host(&parts.headers, &parts.uri);
        inner.hosts.place(host, &mut target);
        let sent_to = SentTo { host, is_https: client.is_https };
        if let Err(failure) = inner.sites.check(&parts.method, &parts.headers, sent_to) {
            (answered.path, answered.surface) = (target.canonical_path(), surface(&target));
            let (refused, is_page) = (failure.into_response(), pages::is_page(&target));
            let mut response = if is_page { pages::refusal(&parts.headers, refused) } else { refused };
            reading.tell(response.headers_mut());
            return (answered, response);
        }
        aliases::rename_keys(&mut target);
        if inner.takes_old_names {
            aliases::rename(&mut parts.headers, &mut target);
        }
        answered.path = target.canonical_path();
        answered.surface = surface(&target);
        parts.uri = answered.path.parse().unwrap_or_default();
        parts.extensions.insert(target);
        parts.extensions.insert(client);
        parts.extensions.insert(id);
        if standing.is_on_probation() && answered.surface != "system" && !shows_who_asks(&parts.headers) {
            let mut response = crowded().into_response();
            reading.tell(response.headers_mut());
            return (answered, response);
        }
        parts.extensions.insert(standing.clone());
        let allowance = allowance::QuotaSlot::default();
        parts.extensions.insert(allowance.clone());
        let request = Request::from_parts(parts, Body::new(Paced::new(body, inner.pace)));
        let mut response = inner.router.clone().oneshot(request).await.unwrap_or_else(|never| match never {});
        if inner.takes_old_names {
            aliases::tell_old_names(response.headers_mut());
        }
        allowance.tell(response.headers_mut());
        reading.tell(response.headers_mut());
        (answered, response)
    }
}

/// What is told about a request once it is answered.
struct Answered {
    client: Client,
    path: String,
    surface: &'static str,
}

/// Whether a request could be that of somebody who has signed in.
fn shows_who_asks(headers: &HeaderMap) -> bool {
    headers.contains_key(header::AUTHORIZATION) || headers.contains_key(header::COOKIE)
}

fn crowded() -> Failure {
    let reason = "There are too many connections without credentials right now; send credentials, or try again later";
    Failure::new(StatusCode::SERVICE_UNAVAILABLE, reason)
}

fn surface(target: &Target) -> &'static str {
    match target.segments.first().map(String::as_str) {
        Some("api") => "api",
        Some("dl") => "download",
        Some("livez" | "readyz" | "metrics") => "system",
        _ => "pages",
    }
}

/// A label from a fixed set: strangers cannot make metrics grow.
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
