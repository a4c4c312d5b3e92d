//! Bytes on a socket, for what no client library would send.

use std::{net::SocketAddr, time::Duration};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

/// What came back before the server closed the connection, or fell silent.
#[derive(Debug)]
pub struct RawAnswer {
    /// Everything that came back.
    pub text: String,
    /// Whether the server closed the connection.
    pub is_closed: bool,
}

impl RawAnswer {
    /// The status of the first answer; `None` when there was none.
    pub fn status(&self) -> Option<u16> {
        self.text.strip_prefix("HTTP/1.1 ")?.get(..3)?.parse().ok()
    }

    /// Whether the request was refused: with one of the statuses for that, or with a closed connection.
    pub fn is_refused(&self) -> bool {
        match self.status() {
            Some(status) => matches!(status, 400 | 414 | 431),
            None => self.is_closed,
        }
    }
}

/// Sends bytes, then reads until the server closes or `patience` is over.
pub async fn exchange(address: SocketAddr, bytes: &[u8], patience: Duration) -> RawAnswer {
    let mut socket = TcpStream::connect(address).await.expect("the server listens");
    // A server that has seen enough may close while we still write.
    drop(socket.write_all(bytes).await);
    let mut received = Vec::new();
    let mut chunk = [0; 4096];
    let is_closed = loop {
        match tokio::time::timeout(patience, socket.read(&mut chunk)).await {
            Err(_) => break false,
            Ok(Ok(0) | Err(_)) => break true,
            Ok(Ok(count)) => received.extend_from_slice(&chunk[..count]),
        }
    };
    RawAnswer { text: String::from_utf8_lossy(&received).into_owned(), is_closed }
}
