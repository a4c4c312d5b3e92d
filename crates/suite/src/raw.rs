//! Bytes on a socket, for requests that no client library sends.

use std::{net::SocketAddr, time::Duration};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

/// The bytes received until the server closed the connection or the time ran out.
#[derive(Debug)]
pub struct RawAnswer {
    /// Everything that was received.
    pub text: String,
    /// Whether the server closed the connection.
    pub is_closed: bool,
}

impl RawAnswer {
    /// Returns the status of the first response; `None` without a response.
    pub fn status(&self) -> Option<u16> {
        self.text.strip_prefix("HTTP/1.1 ")?.get(..3)?.parse().ok()
    }

    /// Returns whether the request was rejected: with an error status for that, or by closing the connection.
    pub fn is_refused(&self) -> bool {
        match self.status() {
            Some(status) => matches!(status, 400 | 414 | 431),
            None => self.is_closed,
        }
    }
}

/// Sends bytes, then reads until the server closes the connection or `patience` is over.
pub async fn exchange(address: SocketAddr, bytes: &[u8], patience: Duration) -> RawAnswer {
    let mut socket = TcpStream::connect(address).await.expect("the server listens");
    // A server that rejects the request may close the connection during the write.
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
