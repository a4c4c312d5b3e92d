//! What goes on over one connection: requests in, answers out.

use std::{sync::Arc, time::Duration};

use hyper::service::service_fn;
use hyper_util::{
    rt::{TokioExecutor, TokioIo, TokioTimer},
    server::{conn::auto, graceful::Watcher},
};
use tokio::io::{AsyncRead, AsyncWrite};

use super::{
    client::Peer, connections::Standing, guard::FramingGuard, head_timer::HeadTimer, repeater::Replayer,
    service::Service, turn::ParserState,
};

/// A connection that is about to be served.
pub(super) struct HttpConnection {
    service: Service,
    peer: Peer,
    http: auto::Builder<TokioExecutor>,
    head_timeout: Duration,
    turn: ParserState,
    standing: Standing,
}

impl HttpConnection {
    pub(super) fn new(
        service: Service,
        peer: Peer,
        mut http: auto::Builder<TokioExecutor>,
        head_timeout: Duration,
        standing: Standing,
    ) -> Self {
        let turn = ParserState::default();
        http.http1().timer(HeadTimer::new(head_timeout, turn.clone()));
        Self { service, peer, http, head_timeout, turn, standing }
    }

    /// Holds it over a stream, until either side has enough.
    pub(super) async fn hold<S>(self, stream: S, watcher: Watcher)
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let Self { service, peer, http, head_timeout, turn, standing } = self;
        // On probation nothing is answered before it is known who asks.
        let repeater = Replayer::new(&service, peer, &turn).filter(|_| !standing.is_on_probation());
        let stream = FramingGuard::new(stream, head_timeout, repeater);
        let probation = end_probation(standing.clone(), head_timeout);
        // Counted for each request, and so not together with other connections: their processors would wait for each
        // other.
        let service = Arc::new(service);
        let service = service_fn(move |request| {
            let (service, turn, standing) = (Arc::clone(&service), turn.clone(), standing.clone());
            async move { service.call(peer, &turn, &standing, request).await }
        });
        let connection = http.serve_connection(TokioIo::new(stream), service);
        tokio::select! {
            ended = watcher.watch(connection.into_owned()) => if let Err(error) = ended {
                tracing::debug!("a connection ended early: {error}");
            },
            () = probation => tracing::debug!("a connection over the limit of anonymous ones did not sign in"),
        }
    }
}

/// Comes when a connection was on probation for so long.
async fn end_probation(standing: Standing, patience: Duration) {
    if standing.is_on_probation() {
        tokio::time::sleep(patience).await;
    }
    if !standing.is_on_probation() {
        std::future::pending::<()>().await;
    }
}

/// The parsers' limits. Without a timer they would have no time-outs at all.
///
/// Bodies are written from where they are: a connection can only recognise a mapped file that nobody has copied.
pub(super) fn http(head_timeout: Duration) -> auto::Builder<TokioExecutor> {
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
