//! An issuer of identity tokens, with keys of the test.

use std::{
    net::SocketAddr,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use aws_lc_rs::{
    rand::SystemRandom,
    signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair},
};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    task::JoinHandle,
};

/// An issuer on loopback. It publishes one key, like the services that run builds.
pub struct Issuer {
    address: SocketAddr,
    shared: Arc<Shared>,
    task: JoinHandle<()>,
}

struct Shared {
    key: Mutex<Key>,
    /// The number of answers so far.
    answers: AtomicU64,
    /// The name that the issuer claims to have, if it is not its address.
    claimed: Mutex<Option<String>>,
    /// The identity token that a sign-in gets.
    signed_in: Mutex<String>,
}

struct Key {
    kid: String,
    pair: EcdsaKeyPair,
}

impl Key {
    fn new(kid: &str) -> Self {
        let pair = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).expect("a key");
        Self { kid: kid.to_owned(), pair }
    }
}

impl Issuer {
    /// Starts an issuer.
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let (key, answers, claimed) = (Mutex::new(Key::new("one")), AtomicU64::new(0), Mutex::new(None));
        let shared = Arc::new(Shared { key, answers, claimed, signed_in: Mutex::default() });
        let serving = shared.clone();
        let task = tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                tokio::spawn(answer(socket, serving.clone(), address));
            }
        });
        Self { address, shared, task }
    }

    /// Its name.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Replaces its key by a new one.
    pub fn rotate(&self, kid: &str) {
        *self.shared.key.lock().unwrap_or_else(PoisonError::into_inner) = Key::new(kid);
    }

    /// Makes it call itself by another name.
    pub fn claim_to_be(&self, name: &str) {
        *self.shared.claimed.lock().unwrap_or_else(PoisonError::into_inner) = Some(name.to_owned());
    }

    /// Sets the identity token that it answers every code of a sign-in with.
    pub fn answer_codes_with(&self, token: String) {
        *self.shared.signed_in.lock().unwrap_or_else(PoisonError::into_inner) = token;
    }

    /// How often it was asked.
    pub fn answers(&self) -> u64 {
        self.shared.answers.load(Ordering::SeqCst)
    }

    /// Signs a token with its key.
    pub fn token(&self, claims: &Value) -> String {
        let kid = self.shared.key.lock().unwrap_or_else(PoisonError::into_inner).kid.clone();
        self.sign(&json!({"alg": "ES256", "kid": kid, "typ": "JWT"}), claims)
    }

    /// Signs a token with its key and any header.
    pub fn sign(&self, header: &Value, claims: &Value) -> String {
        let signed = format!("{}.{}", encode(header.to_string()), encode(claims.to_string()));
        let key = self.shared.key.lock().unwrap_or_else(PoisonError::into_inner);
        let signature = key.pair.sign(&SystemRandom::new(), signed.as_bytes()).expect("a signature");
        format!("{signed}.{}", encode(signature))
    }

    /// Its public key, as it publishes it.
    pub fn public_key(&self) -> Vec<u8> {
        self.shared.key.lock().unwrap_or_else(PoisonError::into_inner).pair.public_key().as_ref().to_vec()
    }
}

impl Drop for Issuer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Encodes a part of a token.
pub fn encode(bytes: impl AsRef<[u8]>) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(bytes)
}

async fn answer(mut socket: TcpStream, shared: Arc<Shared>, address: SocketAddr) {
    let mut head = vec![0; 8_192];
    let read = socket.read(&mut head).await.unwrap_or_default();
    shared.answers.fetch_add(1, Ordering::SeqCst);
    let own = format!("http://{address}");
    let head = String::from_utf8_lossy(&head[..read]).into_owned();
    let body = if head.starts_with("POST /token ") {
        let token = shared.signed_in.lock().unwrap_or_else(PoisonError::into_inner).clone();
        json!({"id_token": token, "access_token": "x", "token_type": "Bearer"})
    } else if head.starts_with("GET /keys ") {
        let key = shared.key.lock().unwrap_or_else(PoisonError::into_inner);
        let point = key.pair.public_key().as_ref();
        let (x, y) = (encode(&point[1..33]), encode(&point[33..65]));
        json!({"keys": [{"kty": "EC", "crv": "P-256", "use": "sig", "alg": "ES256", "kid": key.kid, "x": x, "y": y}]})
    } else {
        let claimed = shared.claimed.lock().unwrap_or_else(PoisonError::into_inner).clone();
        json!({"issuer": claimed.unwrap_or_else(|| own.clone()), "jwks_uri": format!("{own}/keys"),
               "authorization_endpoint": format!("{own}/authorize"), "token_endpoint": format!("{own}/token")})
    };
    let (body, kind) = (body.to_string(), "application/json");
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    );
    drop(socket.write_all(head.as_bytes()).await);
}
