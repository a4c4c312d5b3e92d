//! Serves requests on one connection.

use std::{sync::Arc, time::Duration};

use hyper::service::service_fn;
use hyper_util::{
    rt::{TokioExecutor, TokioIo, TokioTimer},
    server::{conn::auto, graceful::Watcher},
};
use tokio::io::{AsyncRead, AsyncWrite};

use crate::{
    Backend, Standing, client::Peer, guard::FramingGuard, head_timer::HeadTimer, parser_state::ParserState,
    replayer::Replayer, service::Service,
};

/// A connection, before it is served.
pub(crate) struct HttpConnection<B: Backend> {
    service: Service<B>,
    peer: Peer,
    http: auto::Builder<TokioExecutor>,
    head_timeout: Duration,
    parser: ParserState,
    standing: Standing,
    /// Whether responses may be replayed on this connection.
    pub(crate) has_replays: bool,
}

impl<B: Backend> HttpConnection<B> {
    pub(crate) fn new(
        service: Service<B>,
        peer: Peer,
        mut http: auto::Builder<TokioExecutor>,
        head_timeout: Duration,
        standing: Standing,
    ) -> Self {
        let parser = ParserState::default();
        http.http1().timer(HeadTimer::new(head_timeout, parser.clone()));
        Self { service, peer, http, head_timeout, parser, standing, has_replays: true }
    }

    /// Serves the connection over a stream until either side closes it.
    pub(crate) async fn serve<S>(self, stream: S, watcher: Watcher)
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let Self { service, peer, http, head_timeout, parser, standing, has_replays } = self;
        // On probation, nothing is answered before the client has signed in.
        let replayer = Replayer::new(&service, peer, &parser).filter(|_| has_replays && !standing.is_on_probation());
        let stream = FramingGuard::new(stream, head_timeout, replayer);
        let probation = end_probation(standing.clone(), head_timeout);
        // Each request updates the reference count, so connections do not share it: their processors would wait for
        // each other.
        let service = Arc::new(service);
        let service = service_fn(move |request| {
            let (service, parser, standing) = (Arc::clone(&service), parser.clone(), standing.clone());
            async move { service.call(peer, &parser, &standing, request).await }
        });
        let connection = http.serve_connection(TokioIo::new(stream), service);
        tokio::select! {
            ended = watcher.watch(connection.into_owned()) => if let Err(error) = ended {
                tracing::debug!("connection ended early: {error}");
            },
            () = probation => tracing::debug!("connection closed: over the anonymous limit and not signed in"),
        }
    }
}

/// Completes when a connection is still on probation after `patience`; otherwise never.
async fn end_probation(standing: Standing, patience: Duration) {
    if standing.is_on_probation() {
        tokio::time::sleep(patience).await;
    }
    if !standing.is_on_probation() {
        std::future::pending::<()>().await;
    }
}

/// Returns the parsers with their limits. Without a timer, they would have no time-outs at all.
///
/// Bodies are written without copying: a connection recognizes a mapped file only in its original memory.
pub(crate) fn http(head_timeout: Duration) -> auto::Builder<TokioExecutor> {
    let mut http = auto::Builder::new(TokioExecutor::new());
    http.http1()
        .timer(HeadTimer::new(head_timeout, ParserState::default()))
        .header_read_timeout(head_timeout)
        .max_headers(64)
        .max_buf_size(32 * 1024)
        .writev(true);
    http.http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(100)
        .max_header_list_size(16 * 1024)
        .max_pending_accept_reset_streams(20)
        .keep_alive_interval(Duration::from_secs(20))
        .keep_alive_timeout(Duration::from_secs(20));
    http
}
