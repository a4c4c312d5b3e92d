//! A stand-in for the public registries that public sync pushes to: a real server that enforces the protocols, checks
//! checksums and signatures, and fails on request.

mod gpg;
mod maven_release;
mod nexus;
mod portal;
mod received;
mod wire;

pub use gpg::Gpg;
pub use maven_release::{Files, release};

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex, MutexGuard},
};

use base64::{Engine, prelude::BASE64_STANDARD};
use tokio::{net::TcpListener, task::JoinHandle};

use nexus::Nexus;
use portal::Portal;
use wire::{RegistryRequest, RegistryResponse};

/// The name of the registry's user.
pub const USERNAME: &str = "CANARY-token-name";

/// The user's password.
pub const PASSWORD: &str = "CANARY-token-password";

/// The point at which the registry fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Nexus: finding the profile.
    Profiles,
    /// Nexus: no profile exists.
    NoProfile,
    /// Nexus: starting a repository.
    Start,
    /// Nexus: this upload, counted from 1.
    Upload(usize),
    /// Nexus: the call that closes.
    Close,
    /// Both: the release breaks a rule of the registry.
    Rule,
    /// Nexus: the call that releases.
    Release,
    /// Both: the release falls back to its earlier state.
    Unreleased,
    /// Both: no state change ever completes.
    Hang,
    /// Both: a release is accepted but never completes.
    HangReleasing,
    /// Both: no response at all to the first call.
    Silence,
    /// Portal: the bundle is rejected.
    Bundle,
    /// Both: repeats the request's credentials in an error response.
    Echo,
    /// Both: dropping an unfinished release fails.
    Drop,
    /// Both: every other status request fails.
    Flaky,
    /// Both: status requests fail after the release has begun.
    Blind,
}

/// A registry on loopback.
pub struct StandIn {
    /// The address that it listens on.
    pub address: SocketAddr,
    registry: Arc<Mutex<Registry>>,
    task: JoinHandle<()>,
}

/// The state of a registry.
pub(crate) struct Registry {
    fault: Option<Fault>,
    gpg: Gpg,
    log: Vec<String>,
    nexus: Nexus,
    portal: Portal,
}

impl StandIn {
    /// Starts a registry that verifies signatures with these keys and fails at this point.
    pub async fn start(gpg: &Gpg, fault: Option<Fault>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let registry =
            Registry { fault, gpg: gpg.clone(), log: Vec::new(), nexus: Nexus::default(), portal: Portal::default() };
        let registry = Arc::new(Mutex::new(registry));
        let shared = registry.clone();
        let task = tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                let registry = shared.clone();
                tokio::spawn(wire::serve(socket, move |request| {
                    let registry = registry.clone();
                    async move { answer(registry, request).await }
                }));
            }
        });
        Self { address, registry, task }
    }

    /// Returns the settings to use it.
    pub fn settings(&self, protocol: &'static str) -> Vec<(&'static str, String)> {
        vec![
            ("staging.url", format!("http://{}", self.address)),
            ("staging.protocol", protocol.to_owned()),
            ("staging.timeout_secs", "20".to_owned()),
        ]
    }

    /// Returns every call so far, as method and path.
    pub fn log(&self) -> Vec<String> {
        self.lock().log.clone()
    }

    /// Returns the released files: paths and contents.
    pub fn released(&self) -> Vec<(String, Vec<u8>)> {
        let registry = self.lock();
        let released = registry.nexus.released().chain(registry.portal.released());
        released.flat_map(|files| files.0.iter().map(|(path, content)| (path.clone(), content.clone()))).collect()
    }

    /// Returns the states of unfinished releases, in the words of the protocol.
    pub fn unreleased(&self) -> Vec<&'static str> {
        let registry = self.lock();
        registry.nexus.unreleased().chain(registry.portal.unreleased()).collect()
    }

    /// Removes the fault.
    pub fn clear_fault(&self) {
        self.lock().fault = None;
    }

    fn lock(&self) -> MutexGuard<'_, Registry> {
        self.registry.lock().expect("no answer panics")
    }
}

impl Drop for StandIn {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Answers a call on a blocking thread, because `gpg` takes a while.
async fn answer(registry: Arc<Mutex<Registry>>, request: RegistryRequest) -> RegistryResponse {
    let made = tokio::task::spawn_blocking(move || registry.lock().expect("no answer panics").answer(&request));
    made.await.expect("no answer panics")
}

impl Registry {
    /// Returns whether a status request fails now.
    fn is_away(&self, request: &RegistryRequest) -> bool {
        let is_question = request.path.ends_with("/status") || request.path.contains("/repository/");
        is_question
            && match self.fault {
                Some(Fault::Flaky) => self.log.len().is_multiple_of(2),
                Some(Fault::Blind) => self.nexus.is_releasing() || self.portal.is_releasing(),
                _ => false,
            }
    }

    fn answer(&mut self, request: &RegistryRequest) -> RegistryResponse {
        self.log.push(format!("{} {}", request.method, request.path));
        let is_portal = request.path.starts_with("/api/v1/publisher/");
        let scheme = if is_portal { "Bearer" } else { "Basic" };
        let token = BASE64_STANDARD.encode(format!("{USERNAME}:{PASSWORD}"));
        match self.fault {
            Some(Fault::Silence) => return RegistryResponse::Nothing,
            Some(Fault::Echo) => {
                return RegistryResponse::text(400, &format!("{} {USERNAME} {PASSWORD}", request.authorization));
            }
            _ if request.authorization != format!("{scheme} {token}") => {
                return RegistryResponse::text(401, "<html><title>401 - Unauthorized</title></html>");
            }
            _ => {}
        }
        if self.is_away(request) {
            return RegistryResponse::text(503, "Away for a moment");
        }
        let response = if is_portal { self.portal(request) } else { self.nexus(request) };
        response.unwrap_or_else(|| RegistryResponse::text(404, "There is no such call"))
    }
}
