//! Handles one request from its parsed head to its response, on the level of the connection.

use std::{convert::Infallible, sync::Arc};

use http::{HeaderMap, HeaderValue, Request, Response, Version, header};
use hyper::body::Incoming;

use crate::{
    Backend, Client, Context, Draining, Options, Proxies, RequestId, Standing,
    body_watch::{BodyWatch, WatchedBody},
    client::Peer,
    pace::{Pace, Paced},
    parser_state::ParserState,
    replay::{HeadHash, ReplayCache, ReplayEntry, ReplayableRequest, ends},
    request_id::RequestIds,
    response_body::ResponseBody,
};

/// The body of a request. It fails if the client sends it too slowly.
pub type RequestBody = Paced<WatchedBody>;

/// The service that all connections share.
pub(crate) struct Service<B: Backend>(Arc<Inner<B>>);

struct Inner<B: Backend> {
    backend: B,
    proxies: Proxies,
    pace: Pace,
    ids: RequestIds,
    draining: Draining,
    replays: ReplayCache<B::Cached>,
}

impl<B: Backend> Clone for Service<B> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<B: Backend> Service<B> {
    pub(crate) fn new(backend: B, options: &Options, draining: Draining) -> Self {
        Self(Arc::new(Inner {
            backend,
            proxies: options.proxies.clone(),
            pace: Pace::new(options),
            ids: RequestIds::default(),
            draining,
            replays: ReplayCache::default(),
        }))
    }

    pub(crate) fn backend(&self) -> &B {
        &self.0.backend
    }

    pub(crate) fn next_id(&self) -> RequestId {
        self.0.ids.next()
    }

    /// Returns whether the peer is a trusted proxy, whose connections carry the requests of many clients.
    pub(crate) fn is_proxy(&self, peer: &Peer) -> bool {
        self.0.proxies.trusted.iter().any(|network| network.contains(&peer.address))
    }

    /// Returns the client of all requests from a peer, unless the peer is a proxy.
    pub(crate) fn find_client(&self, peer: Peer) -> Option<Client> {
        (!self.is_proxy(&peer)).then(|| Client::find(peer, &HeaderMap::new(), &self.0.proxies))
    }

    /// Returns the entry of the replay cache for this head, if an equal request was answered before.
    pub(crate) fn find_replay(&self, head: &HeadHash) -> Option<Arc<ReplayEntry<B::Cached>>> {
        self.0.replays.find(head)
    }

    pub(crate) fn is_draining(&self) -> bool {
        self.0.draining.has_begun()
    }

    pub(crate) async fn call(
        &self,
        peer: Peer,
        parser: &ParserState,
        standing: &Standing,
        request: Request<Incoming>,
    ) -> Result<Response<ResponseBody<B::Body>>, Infallible> {
        let (pending, version) = (parser.answering(), request.version());
        if version < Version::HTTP_11 || ends(request.headers()) {
            parser.end();
        }
        let client = Client::find(peer, request.headers(), &self.0.proxies);
        let replayable = parser.head().and_then(|head| ReplayableRequest::new(head, &request));
        let id = self.next_id();
        let context = Context { client, id, standing: standing.clone() };
        let (watch, request) = BodyWatch::watch(request);
        let request = request.map(|body| Paced::new(body, self.0.pace));
        let reply = self.0.backend.call(request, context).await;
        let mut response = reply.response;
        id.add_to(response.headers_mut());
        watch.add_to(response.headers_mut());
        match reply.cached {
            Some(cached) => {
                if let Some(replayable) = replayable {
                    self.0.replays.remember(replayable, &cached);
                }
            }
            None => end_probation(standing, version, response.headers_mut()),
        }
        self.end_if_draining(version, response.headers_mut());
        if ends(response.headers()) {
            parser.end();
        }
        Ok(response.map(|body| ResponseBody::new(body, pending)))
    }

    /// Ends the connection after this response if the server is stopping. A client that reuses connections then never
    /// gets one that is closed in the middle of a request.
    fn end_if_draining(&self, version: Version, headers: &mut HeaderMap) {
        if self.is_draining() && version <= Version::HTTP_11 {
            headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
    }
}

/// Ends a connection on probation after the first response to a client that has not signed in.
fn end_probation(standing: &Standing, version: Version, headers: &mut HeaderMap) {
    if standing.is_on_probation() && version <= Version::HTTP_11 {
        headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
}
