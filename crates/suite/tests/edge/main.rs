//! The edge: sockets, heads, targets, proxies, TLS.
