//! A relay that changes bytes of responses on their way.

use std::{net::SocketAddr, sync::Arc};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{
        TcpListener, TcpStream,
        tcp::{OwnedReadHalf, OwnedWriteHalf},
    },
    task::JoinHandle,
};

/// Replaces texts of equal length in everything that a server sends.
pub(crate) struct Tampering {
    /// The URL to use instead of the server's.
    pub(crate) base: String,
    task: JoinHandle<()>,
}

/// Finds the text to replace in a response, and returns it with its replacement.
type Change = dyn Fn(&[u8]) -> Option<(usize, u8)> + Send + Sync;

impl Tampering {
    /// Starts a relay in front of a server that changes the digit after the first occurrence of this text.
    pub(crate) async fn start(server: &str, before: &'static str) -> Self {
        let upstream: SocketAddr = server.trim_start_matches("http://").parse().expect("an address");
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let base = format!("http://{}", listener.local_addr().expect("an address"));
        let change: Arc<Change> = Arc::new(move |bytes| {
            let at = bytes.windows(before.len()).position(|window| window == before.as_bytes())? + before.len();
            let old = *bytes.get(at)?;
            Some((at, if old == b'0' { b'1' } else { b'0' }))
        });
        let task = tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let server = TcpStream::connect(upstream).await.expect("the server listens");
                let ((from_client, to_client), (from_server, to_server)) = (client.into_split(), server.into_split());
                tokio::spawn(forward(from_client, to_server, uncompressed));
                let change = change.clone();
                tokio::spawn(forward(from_server, to_client, move |bytes| {
                    if let Some((at, new)) = change(bytes) {
                        bytes[at] = new;
                    }
                }));
            }
        });
        Self { base, task }
    }
}

impl Drop for Tampering {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Renames the header that asks for compression.
fn uncompressed(bytes: &mut [u8]) {
    let name = b"accept-encoding:";
    let found = bytes.windows(name.len()).position(|window| window.eq_ignore_ascii_case(name));
    if let Some(at) = found {
        bytes[at] = b'x';
    }
}

async fn forward(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, change: impl Fn(&mut [u8])) {
    let mut buffer = vec![0; 256 * 1024];
    while let Ok(read @ 1..) = from.read(&mut buffer).await {
        change(&mut buffer[..read]);
        if to.write_all(&buffer[..read]).await.is_err() {
            return;
        }
    }
    drop(to.shutdown().await);
}
