//! Ports that stay free while a server restarts.

use std::{
    net::{Ipv4Addr, SocketAddr, TcpListener},
    sync::atomic::{AtomicU16, Ordering},
};

/// Below the ephemeral ports of the kernel: a connection could otherwise take the port of a server that restarts.
const FIRST: u16 = 20_000;
const LAST: u16 = 32_000;

static NEXT: AtomicU16 = AtomicU16::new(0);

/// Returns a loopback address that no server listens on.
pub(crate) fn free_address() -> SocketAddr {
    let start = u16::try_from(std::process::id() % u32::from(LAST - FIRST)).expect("it is below the number of ports");
    for _ in FIRST..LAST {
        let step = NEXT.fetch_add(1, Ordering::Relaxed);
        let port = FIRST + (start + step) % (LAST - FIRST);
        if TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok() {
            return SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        }
    }
    panic!("no port is free");
}
