//! The subset of HTTP/1.1 for one call per connection.

use std::future::Future;

use serde_json::Value;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

/// A call.
#[derive(Debug, Default)]
pub(super) struct RegistryRequest {
    pub(super) method: String,
    /// Without the query.
    pub(super) path: String,
    pub(super) query: String,
    pub(super) authorization: String,
    pub(super) content_type: String,
    pub(super) body: Vec<u8>,
}

/// A response.
#[derive(Debug)]
pub(super) enum RegistryResponse {
    /// A status and a body.
    Answer(u16, String),
    /// No response at all.
    Nothing,
}

impl RegistryResponse {
    pub(super) fn text(status: u16, text: &str) -> Self {
        RegistryResponse::Answer(status, text.to_owned())
    }

    pub(super) fn json(status: u16, json: &Value) -> Self {
        RegistryResponse::Answer(status, json.to_string())
    }
}

/// Answers the only call of a connection.
pub(super) async fn serve<F: Future<Output = RegistryResponse>>(
    mut socket: TcpStream,
    answer: impl FnOnce(RegistryRequest) -> F,
) {
    let Some(request) = read(&mut socket).await else { return };
    match answer(request).await {
        RegistryResponse::Answer(status, body) => {
            let head = format!("HTTP/1.1 {status} X\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", body.len());
            let _ = socket.write_all([head.as_bytes(), body.as_bytes()].concat().as_slice()).await;
        }
        RegistryResponse::Nothing => drop(socket.read(&mut [0; 1]).await),
    }
}

async fn read(socket: &mut TcpStream) -> Option<RegistryRequest> {
    let mut bytes = Vec::new();
    let end = loop {
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break end;
        }
        (socket.read_buf(&mut bytes).await.ok()? > 0).then_some(())?;
    };
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let mut words = head.split(' ');
    let (method, target) = (words.next()?.to_owned(), words.next()?.to_owned());
    let field = |name: &str| {
        let values = head.lines().filter_map(|line| line.split_once(':'));
        let mut values =
            values.filter(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim().to_owned());
        values.next().unwrap_or_default()
    };
    let size = field("content-length").parse().unwrap_or(0);
    let mut body = bytes.split_off(end + 4);
    while body.len() < size {
        (socket.read_buf(&mut body).await.ok()? > 0).then_some(())?;
    }
    let (path, query) = target.split_once('?').unwrap_or((&target, ""));
    let (path, query) = (path.to_owned(), query.to_owned());
    Some(RegistryRequest {
        method,
        path,
        query,
        authorization: field("authorization"),
        content_type: field("content-type"),
        body,
    })
}
