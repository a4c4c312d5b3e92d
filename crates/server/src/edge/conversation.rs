//! What goes on over one connection: requests in, answers out.

use std::{sync::Arc, time::Duration};

use hyper::service::service_fn;
use hyper_util::{
    rt::{TokioExecutor, TokioIo, TokioTimer},
    server::{conn::auto, graceful::Watcher},
};
use tokio::io::{AsyncRead, AsyncWrite};

use super::{client::Peer, guard::Guard, head_timer::HeadTimer, repeater::Repeater, service::Service, turn::Turn};

/// A connection that is about to be served.
pub(super) struct Conversation {
    service: Service,
    peer: Peer,
    http: auto::Builder<TokioExecutor>,
    head_timeout: Duration,
    turn: Turn,
}

impl Conversation {
    pub(super) fn new(
        service: Service,
        peer: Peer,
        mut http: auto::Builder<TokioExecutor>,
        head_timeout: Duration,
    ) -> Self {
        let turn = Turn::default();
        http.http1().timer(HeadTimer::new(head_timeout, turn.clone()));
        Self { service, peer, http, head_timeout, turn }
    }

    /// Holds it over a stream, until either side has enough.
    pub(super) async fn hold<S>(self, stream: S, watcher: Watcher)
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let Self { service, peer, http, head_timeout, turn } = self;
        let stream = Guard::new(stream, head_timeout, Repeater::new(&service, peer, &turn));
        // Counted for each request, and so not together with other connections: their processors would wait for each
        // other.
        let service = Arc::new(service);
        let service = service_fn(move |request| {
            let (service, turn) = (Arc::clone(&service), turn.clone());
            async move { service.call(peer, &turn, request).await }
        });
        let connection = http.serve_connection(TokioIo::new(stream), service);
        if let Err(error) = watcher.watch(connection.into_owned()).await {
            tracing::debug!("a connection ended early: {error}");
        }
    }
}

/// The parsers' limits. Without a timer they would have no time-outs at all.
///
/// Bodies are written from where they are: a connection can only recognise a mapped file that nobody has copied.
pub(super) fn http(head_timeout: Duration) -> auto::Builder<TokioExecutor> {
    let mut http = auto::Builder::new(TokioExecutor::new());
    http.http1()
        .timer(HeadTimer::new(head_timeout, Turn::default()))
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
