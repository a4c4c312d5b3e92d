//! The edge: sockets, heads, targets, bodies, time-outs, proxies, TLS, surfaces. All tests use real connections.

mod answers;
mod bodies;
mod certificates;
mod clients;
mod connections;
mod credentials;
mod docs;
mod framing;
mod heads;
mod http2;
mod json;
mod methods;
mod metrics;
mod proxies;
mod reload;
mod repeats;
mod sizes;
mod stop;
mod surfaces;
mod targets;
mod timeouts;
mod tls;
mod wire;
