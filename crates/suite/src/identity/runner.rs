//! A service that runs builds: it gives a build its identity token the way GitHub Actions does.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{SystemTime, UNIX_EPOCH},
};

use reqwest::Url;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    task::JoinHandle,
};

use super::Issuer;

/// The secret with which a build asks for its identity token.
const SECRET: &str = "of-this-build";

/// A service on loopback that runs one build.
pub struct Runner {
    /// The issuer of the identity tokens.
    pub issuer: Arc<Issuer>,
    url: String,
    task: JoinHandle<()>,
}

impl Runner {
    /// Starts the service for a build with these claims.
    pub async fn start(claims: Value) -> Self {
        let issuer = Arc::new(Issuer::start().await);
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let url = format!("http://{}/token?build=1", listener.local_addr().expect("an address"));
        let (signing, number) = (issuer.clone(), AtomicU64::new(0));
        let task = tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                let mut claims = claims.clone();
                claims["jti"] = json!(number.fetch_add(1, Ordering::SeqCst).to_string());
                answer(socket, &signing, claims).await;
            }
        });
        Self { issuer, url, task }
    }

    /// The environment variables of a build.
    pub fn variables(&self) -> [(&'static str, String); 4] {
        [
            ("CI", "true".to_owned()),
            ("GITHUB_ACTIONS", "true".to_owned()),
            ("ACTIONS_ID_TOKEN_REQUEST_URL", self.url.clone()),
            ("ACTIONS_ID_TOKEN_REQUEST_TOKEN", SECRET.to_owned()),
        ]
    }
}

impl Drop for Runner {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Answers a build that knows the secret with a token for the audience that it names.
async fn answer(mut socket: TcpStream, issuer: &Issuer, mut claims: Value) {
    let mut head = vec![0; 16_384];
    let read = socket.read(&mut head).await.unwrap_or_default();
    let head = String::from_utf8_lossy(&head[..read]).into_owned();
    let target = head.split(' ').nth(1).unwrap_or_default();
    let url = Url::parse(&format!("http://runner{target}")).expect("a target");
    let audience = url.query_pairs().find(|(name, _)| name == "audience").map(|(_, value)| value.into_owned());
    let is_build = head.to_lowercase().contains(&format!("authorization: bearer {SECRET}"));
    let (status, body) = match audience.filter(|_| is_build) {
        Some(audience) => {
            let now = system_seconds();
            (claims["iss"], claims["aud"]) = (json!(issuer.url()), json!(audience));
            (claims["iat"], claims["nbf"], claims["exp"]) = (json!(now), json!(now), json!(now + 300));
            ("200 OK", json!({"count": 1, "value": issuer.token(&claims)}))
        }
        None => ("401 Unauthorized", json!({"message": "no build"})),
    };
    let body = body.to_string();
    let length = body.len();
    let head = "content-type: application/json\r\nconnection: close";
    let response = format!("HTTP/1.1 {status}\r\n{head}\r\ncontent-length: {length}\r\n\r\n{body}");
    drop(socket.write_all(response.as_bytes()).await);
}

#[expect(clippy::disallowed_methods, reason = "the server under test has the real time")]
fn system_seconds() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}
