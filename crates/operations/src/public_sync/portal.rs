//! The portal of Maven Central: upload one bundle, which is validated and published.

use bytes::Bytes;
use futures_util::{StreamExt, stream};
use model::address::VersionAddress;
use reqwest::Method;
use serde_json::Value;

use super::{
    ReleaseMode,
    bundle::Bundle,
    nexus::unreadable,
    protocol::RegistryClient,
    release::Release,
    remote::{Payload, PollSchedule, RegistryConnection, SyncError},
};
use crate::{
    House,
    public_sync::{
        lease::SyncLeaseGuard,
        messages::{collect, encoded},
    },
};

const PUBLISHER: &str = "/api/v1/publisher";

/// A sync with the portal.
pub(super) struct Portal<'p> {
    house: &'p House,
    remote: &'p RegistryConnection<'p>,
    turn: &'p SyncLeaseGuard<'p>,
    name: String,
    /// The deployment that was started.
    deployment: Option<String>,
    /// Whether the portal publishes it: then nothing can be undone.
    is_publishing: bool,
}

impl<'p> Portal<'p> {
    pub(super) fn new(
        house: &'p House,
        remote: &'p RegistryConnection<'p>,
        turn: &'p SyncLeaseGuard<'p>,
        at: &VersionAddress,
    ) -> Self {
        Self { house, remote, turn, name: at.to_string(), deployment: None, is_publishing: false }
    }
}

impl RegistryClient for Portal<'_> {
    async fn stage(&mut self, release: &Release, ending: ReleaseMode) -> Result<Vec<String>, SyncError> {
        let deployment = self.upload(release, ending).await?;
        self.settle(&deployment, ending).await?;
        let files = release.files.len();
        Ok(vec![match ending {
            ReleaseMode::Release => format!("{files} files were published with the deployment '{deployment}'"),
            ReleaseMode::LeaveOpen => {
                format!("{files} files are in the deployment '{deployment}', which waits to be published")
            }
        }])
    }

    async fn undo(&mut self) -> Result<(), SyncError> {
        let Some(deployment) = self.deployment.take().filter(|_| !self.is_publishing) else { return Ok(()) };
        let (doing, path) = (
            format!("Dropping the deployment '{deployment}'"),
            format!("{PUBLISHER}/deployment/{}", encoded(&deployment)),
        );
        self.remote.call(&doing, Method::DELETE, &path, Payload::Nothing).await?;
        tracing::info!("dropped `{deployment}`");
        Ok(())
    }

    fn is_released(&self) -> bool {
        self.is_publishing
    }
}

impl Portal<'_> {
    async fn upload(&mut self, release: &Release, ending: ReleaseMode) -> Result<String, SyncError> {
        let doing = "Uploading the bundle";
        let bundle = Bundle::of(self.house, release).await.map_err(|error| unreadable(doing, &error))?;
        let bundle = bundle.ok_or_else(|| SyncError::new(format!("{doing}: the files together are too large")))?;
        let publishing = match ending {
            ReleaseMode::Release => "AUTOMATIC",
            ReleaseMode::LeaveOpen => "USER_MANAGED",
        };
        let path = format!("{PUBLISHER}/upload?name={}&publishingType={publishing}", encoded(&self.name));
        // Confirm the lease before the upload: the portal publishes an automatic deployment without a further request.
        self.turn.confirm().await?;
        tracing::info!("uploading a bundle of {} bytes", bundle.size);
        let reply = self.remote.call(doing, Method::POST, &path, self.form(bundle)).await?;
        let deployment = String::from_utf8_lossy(&reply.body).trim().trim_matches('"').to_owned();
        if deployment.is_empty() {
            return Err(SyncError::new(format!("{doing}: the response names no deployment")));
        }
        tracing::info!("uploaded `{deployment}`");
        Ok(self.deployment.insert(deployment).clone())
    }

    /// Wraps the bundle as the only file of a form.
    fn form(&self, bundle: Bundle) -> Payload {
        let boundary = format!("packhouse-{:016x}{:016x}", self.house.entropy.number(), self.house.entropy.number());
        let head = format!(
            "--{boundary}\r\nContent-Disposition: form-data; name=\"bundle\"; filename=\"bundle.zip\"\r\n\
             Content-Type: application/octet-stream\r\n\r\n"
        );
        let tail = format!("\r\n--{boundary}--\r\n");
        let size = bundle.size + head.len() as u64 + tail.len() as u64;
        let piece = |text: String| stream::iter([Ok::<_, blobs::Error>(Bytes::from(text))]);
        let body = piece(head).chain(bundle.stream(self.house.blobs.clone())).chain(piece(tail));
        Payload::content(body, size, format!("multipart/form-data; boundary={boundary}"))
    }

    /// Waits until the deployment reaches the requested state.
    async fn settle(&mut self, deployment: &str, ending: ReleaseMode) -> Result<(), SyncError> {
        let (doing, path) =
            ("Reading the state of the deployment", format!("{PUBLISHER}/status?id={}", encoded(deployment)));
        let mut pauses = PollSchedule::default();
        loop {
            let reply = self.remote.ask_again(doing, Method::POST, &path).await?;
            if reply.status != 200 {
                return Err(self.remote.refused(doing, &reply));
            }
            let status: Value = serde_json::from_slice(&reply.body).unwrap_or_default();
            let state = status["deploymentState"].as_str().unwrap_or_default();
            tracing::info!("`{deployment}` is {state}");
            match state {
                "PUBLISHED" => return Ok(()),
                "VALIDATED" if ending == ReleaseMode::LeaveOpen => return Ok(()),
                "FAILED" => {
                    self.is_publishing = false;
                    return Err(self.failures(&status));
                }
                "PUBLISHING" => self.is_publishing = true,
                "PENDING" | "VALIDATING" | "VALIDATED" => {}
                _ => return Err(SyncError::new(format!("{doing}: the state of the deployment is unknown"))),
            }
            pauses.next().await;
        }
    }

    fn failures(&self, status: &Value) -> SyncError {
        let mut messages = Vec::new();
        collect(&status["errors"], &mut messages);
        if messages.is_empty() {
            SyncError::new("The deployment failed, and the registry gave no reason")
        } else {
            self.remote.error_with(messages)
        }
    }
}
