//! A client of registries, as crane and oras push and pull. The kernel copies the layers, so that the measurement covers
//! the servers.

use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::client::conn::http1::{self, SendRequest};
use hyper::header::{ACCEPT, AUTHORIZATION, CONTENT_LENGTH, CONTENT_TYPE, HOST, LOCATION};
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::TcpStream;

use super::image::{Image, Layer, digest};
use crate::client::{Call, Caller, Client};
use crate::content::target::Target;
use crate::content::transfer::{self, Content};
use xtask::failure::{Attempt, Failure, Result};

/// The media type of manifests.
pub(super) const MANIFEST: &str = "application/vnd.oci.image.manifest.v1+json";

type Body = Full<Bytes>;

/// A registry with an image.
#[derive(Clone)]
pub(super) struct Registry {
    pub(super) name: &'static str,
    pub(super) target: Target,
    image: String,
    way: Way,
}

/// How the content of a layer is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Way {
    /// With the request that ends the upload, as crane and oras do
    Whole,
    /// With a request of its own before that, as docker and podman do
    Pieces,
}

/// An open connection.
struct Connection {
    sender: SendRequest<Body>,
    registry: Registry,
}

/// Asks for a token that may push and pull.
pub(super) async fn token(who: &Caller, image: &str) -> Result<String> {
    let path = format!("/v2/token?service=packhouse&scope=repository:{image}:pull,push");
    let answer = Client::connect(who).await?.send(&Call::get(path)).await?;
    let answer: Value = serde_json::from_slice(&answer).attempt("cannot read the token")?;
    let token = answer.get("token").and_then(Value::as_str);
    token.map(str::to_owned).ok_or_else(|| Failure::new("there is no token"))
}

impl Registry {
    pub(super) fn new(
        name: &'static str,
        address: &str,
        image: &str,
        token: Option<String>,
        pid: u32,
        way: Way,
    ) -> Self {
        let authorization = token.map(|token| format!("Bearer {token}"));
        let target = Target { address: address.to_owned(), pid, authorization };
        Self { name, target, image: image.to_owned(), way }
    }

    /// The URL of the manifest of a tag.
    pub(super) fn manifest(&self, tag: &str) -> String {
        format!("http://{}/v2/{}/manifests/{tag}", self.target.address, self.image)
    }

    async fn connect(&self) -> Result<Connection> {
        let stream = TcpStream::connect(&self.target.address).await.attempt("cannot connect to the registry")?;
        stream.set_nodelay(true).attempt("cannot connect to the registry")?;
        let (sender, connection) =
            http1::handshake(TokioIo::new(stream)).await.attempt("cannot connect to the registry")?;
        tokio::spawn(connection);
        Ok(Connection { sender, registry: self.clone() })
    }

    /// Pushes the layers in parallel, then the configuration and the manifest.
    pub(super) async fn push(&self, image: &Image, tag: &str, connections: usize) -> Result<()> {
        self.for_each(&image.layers, connections, |mut connection, layer| async move {
            let begun = connection.begin().await?;
            let (target, way) = (connection.registry.target.clone(), connection.registry.way);
            let (file, digest) = (layer.file, layer.digest);
            let content = move || {
                let content = Content { start: "", file: &file };
                match way {
                    Way::Whole => transfer::upload(&target, &ending(&begun, &digest), content).map(|()| None),
                    Way::Pieces => transfer::send(&target, "PATCH", &begun, content)
                        .map(|next| next.map(|next| ending(&path_of(&next), &digest))),
                }
            };
            let end = tokio::task::spawn_blocking(content).await.attempt("a push panicked")??;
            match (way, end) {
                (Way::Whole, _) => {}
                (Way::Pieces, Some(end)) => connection.end(&end).await?,
                (Way::Pieces, None) => return Err(Failure::new("a piece has no URL for the next one")),
            }
            Ok(connection)
        })
        .await?;
        let mut connection = self.connect().await?;
        connection.put_config(Bytes::from(image.config.clone())).await?;
        connection.put_manifest(tag, &image.manifest).await
    }

    /// Pulls the manifest, then the layers in parallel.
    pub(super) async fn pull(&self, image: &Image, tag: &str, connections: usize) -> Result<()> {
        let mut connection = self.connect().await?;
        let manifest = connection.get(&format!("manifests/{tag}")).await?;
        if manifest != image.manifest.len() as u64 {
            return Err(Failure::new(format!("{} has another manifest", self.name)));
        }
        self.for_each(&image.layers, connections, |connection, layer| async move {
            let Registry { target, image, .. } = connection.registry.clone();
            let path = format!("/v2/{image}/blobs/{}", layer.digest);
            let content = tokio::task::spawn_blocking(move || transfer::download(&target, &path));
            let bytes = content.await.attempt("a pull panicked")??;
            if bytes == layer.bytes { Ok(connection) } else { Err(Failure::new("a layer has another size")) }
        })
        .await
    }

    /// Does something with each layer, on so many connections at once.
    async fn for_each<F>(
        &self,
        layers: &[Layer],
        connections: usize,
        act: impl Fn(Connection, Layer) -> F + Copy + Send + 'static,
    ) -> Result<()>
    where
        F: Future<Output = Result<Connection>> + Send + 'static,
    {
        let mut running = Vec::new();
        for first in 0..connections.min(layers.len()) {
            let mine: Vec<Layer> = layers.iter().skip(first).step_by(connections).cloned().collect();
            let mut connection = self.connect().await?;
            running.push(tokio::spawn(async move {
                for layer in mine {
                    connection = act(connection, layer).await?;
                }
                Ok::<(), Failure>(())
            }));
        }
        for task in running {
            task.await.attempt("a transfer failed")??;
        }
        Ok(())
    }
}

impl Connection {
    /// Begins an upload, and returns its path.
    async fn begin(&mut self) -> Result<String> {
        let begun = self.send("POST", "blobs/uploads/", &[(CONTENT_LENGTH.as_str(), "0".to_owned())], empty()).await?;
        let location = begun.headers().get(LOCATION).and_then(|value| value.to_str().ok()).map(str::to_owned);
        self.finish(begun, StatusCode::ACCEPTED).await?;
        location.map(|location| path_of(&location)).ok_or_else(|| Failure::new("an upload has no URL"))
    }

    /// Ends an upload whose content has arrived.
    async fn end(&mut self, path: &str) -> Result<()> {
        let ended = self.send("PUT", path, &[(CONTENT_LENGTH.as_str(), "0".to_owned())], empty()).await?;
        self.finish(ended, StatusCode::CREATED).await.map(drop)
    }

    async fn put_config(&mut self, config: Bytes) -> Result<()> {
        let path = ending(&self.begin().await?, &digest(&config));
        let headers = [
            (CONTENT_LENGTH.as_str(), config.len().to_string()),
            (CONTENT_TYPE.as_str(), "application/octet-stream".to_owned()),
        ];
        let stored = self.send("PUT", &path, &headers, Full::new(config)).await?;
        self.finish(stored, StatusCode::CREATED).await.map(drop)
    }

    async fn put_manifest(&mut self, tag: &str, manifest: &str) -> Result<()> {
        let headers =
            [(CONTENT_LENGTH.as_str(), manifest.len().to_string()), (CONTENT_TYPE.as_str(), MANIFEST.to_owned())];
        let body = Full::new(Bytes::from(manifest.to_owned()));
        let put = self.send("PUT", &format!("manifests/{tag}"), &headers, body).await?;
        self.finish(put, StatusCode::CREATED).await.map(drop)
    }

    /// Reads a whole response, and returns its size.
    async fn get(&mut self, path: &str) -> Result<u64> {
        let answer = self.send("GET", path, &[(ACCEPT.as_str(), MANIFEST.to_owned())], empty()).await?;
        self.finish(answer, StatusCode::OK).await
    }

    async fn send(
        &mut self,
        method: &str,
        path: &str,
        headers: &[(&str, String)],
        body: Body,
    ) -> Result<Response<Incoming>> {
        let uri = if path.starts_with('/') { path.to_owned() } else { format!("/v2/{}/{path}", self.registry.image) };
        let mut request = Request::builder().method(method).uri(uri).header(HOST, &self.registry.target.address);
        if let Some(authorization) = &self.registry.target.authorization {
            request = request.header(AUTHORIZATION, authorization);
        }
        for (name, value) in headers {
            request = request.header(*name, value);
        }
        let request = request.body(body).attempt("cannot write a request")?;
        self.sender.ready().await.attempt(path)?;
        self.sender.send_request(request).await.attempt(path)
    }

    async fn finish(&mut self, answer: Response<Incoming>, wanted: StatusCode) -> Result<u64> {
        let status = answer.status();
        let (mut body, mut bytes) = (answer.into_body(), 0);
        while let Some(frame) = body.frame().await {
            bytes += frame.attempt("a response broke off")?.data_ref().map_or(0, |data| data.len() as u64);
        }
        if status == wanted {
            return Ok(bytes);
        }
        Err(Failure::new(format!("{} answers {status}, not {wanted}", self.registry.name)))
    }
}

fn empty() -> Body {
    Full::new(Bytes::new())
}

/// The path in the URL of an upload.
fn path_of(location: &str) -> String {
    location.find("/v2/").map_or(location, |at| &location[at..]).to_owned()
}

/// The path that ends an upload with content of this digest.
fn ending(path: &str, digest: &str) -> String {
    let joint = if path.contains('?') { '&' } else { '?' };
    format!("{path}{joint}digest={digest}")
}
