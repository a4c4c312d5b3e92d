//! The Nexus staging protocol: start a repository, deploy file by file, close it, and release it.

use reqwest::Method;
use serde_json::{Value, json};

use super::{
    ReleaseMode,
    bundle::open,
    protocol::RegistryClient,
    release::{Release, SyncFile},
    remote::{OCTETS, Payload, PollSchedule, RegistryConnection, SyncError},
};
use crate::{
    House,
    public_sync::{
        lease::SyncLeaseGuard,
        messages::{collect, encoded},
    },
};

const STAGING: &str = "/service/local/staging";

/// The description of every staging repository.
const DESCRIPTION: &str = "Synced by packhouse";

/// A sync with Nexus.
pub(super) struct Nexus<'n> {
    house: &'n House,
    remote: &'n RegistryConnection<'n>,
    turn: &'n SyncLeaseGuard<'n>,
    profile: Option<&'n str>,
    /// The staging repository that was started.
    repository: Option<String>,
    /// Whether Nexus was asked to release it: then nothing can be undone.
    is_promoted: bool,
}

/// The state of a staging repository.
#[derive(Debug, PartialEq, Eq)]
enum State {
    Open,
    Closed,
    Released,
}

impl<'n> Nexus<'n> {
    pub(super) fn new(
        house: &'n House,
        remote: &'n RegistryConnection<'n>,
        turn: &'n SyncLeaseGuard<'n>,
        profile: Option<&'n str>,
    ) -> Self {
        Self { house, remote, turn, profile, repository: None, is_promoted: false }
    }
}

impl RegistryClient for Nexus<'_> {
    async fn stage(&mut self, release: &Release, ending: ReleaseMode) -> Result<Vec<String>, SyncError> {
        let profile = self.find_profile(release).await?;
        let repository = self.start(&profile).await?;
        for (number, part) in release.files.iter().enumerate() {
            self.deploy(&repository, part).await?;
            tracing::info!("deployed {} of {} files to `{repository}`", number + 1, release.files.len());
        }
        let files = release.files.len();
        self.turn.confirm().await?;
        if ending == ReleaseMode::LeaveOpen {
            return Ok(vec![format!("{files} files are in the staging repository '{repository}', which is open")]);
        }
        self.close(&profile, &repository).await?;
        self.turn.confirm().await?;
        self.promote(&repository).await?;
        Ok(vec![format!("{files} files were released from the staging repository '{repository}'")])
    }

    async fn undo(&mut self) -> Result<(), SyncError> {
        let Some(repository) = self.repository.take().filter(|_| !self.is_promoted) else { return Ok(()) };
        let body = json!({"data": {"stagedRepositoryIds": [repository], "description": DESCRIPTION}});
        let doing = format!("Dropping the staging repository '{repository}'");
        self.remote.call(&doing, Method::POST, &format!("{STAGING}/bulk/drop"), Payload::Json(body)).await?;
        tracing::info!("dropped `{repository}`");
        Ok(())
    }

    fn is_released(&self) -> bool {
        self.is_promoted
    }
}

impl Nexus<'_> {
    /// Finds the id of the configured profile, or of the one that matches the release.
    async fn find_profile(&self, release: &Release) -> Result<String, SyncError> {
        let path = match (self.profile, release.coordinates()) {
            (None, Some(coordinates)) => {
                let [group, artifact, version] = coordinates.map(|text| encoded(&text));
                format!("{STAGING}/profile_evaluate?t=maven2&g={group}&a={artifact}&v={version}")
            }
            _ => format!("{STAGING}/profiles"),
        };
        let found = self.remote.json("Finding the staging profile", Method::GET, &path, Payload::Nothing).await?;
        let is_meant = |profile: &&Value| {
            self.profile
                .is_none_or(|name| profile["name"].as_str() == Some(name) || profile["id"].as_str() == Some(name))
        };
        let profile = found["data"].as_array().and_then(|profiles| profiles.iter().find(is_meant));
        let missing = || match self.profile {
            Some(name) => SyncError::new(format!("There is no staging profile '{name}' for these credentials")),
            None => SyncError::new("There is no staging profile for these files and credentials"),
        };
        Ok(profile.and_then(|profile| profile["id"].as_str()).ok_or_else(missing)?.to_owned())
    }

    async fn start(&mut self, profile: &str) -> Result<String, SyncError> {
        let (doing, path) = ("Starting a staging repository", format!("{STAGING}/profiles/{}/start", encoded(profile)));
        let body = json!({"data": {"description": DESCRIPTION}});
        let started = self.remote.json(doing, Method::POST, &path, Payload::Json(body)).await?;
        let repository = started["data"]["stagedRepositoryId"].as_str();
        let repository =
            repository.ok_or_else(|| SyncError::new(format!("{doing}: the response names no repository")))?;
        tracing::info!("started `{repository}`");
        Ok(self.repository.insert(repository.to_owned()).clone())
    }

    /// Deploys a file, then its checksum files.
    async fn deploy(&self, repository: &str, part: &SyncFile) -> Result<(), SyncError> {
        let segments: Vec<String> = part.path.as_str().split('/').map(encoded).collect();
        let path = format!("{STAGING}/deployByRepositoryId/{}/{}", encoded(repository), segments.join("/"));
        let doing = format!("Deploying '{}'", part.path);
        let content = open(&self.house.blobs, part.blob.sha256).await;
        let content = content.map_err(|error| unreadable(&doing, &error))?;
        let payload = Payload::content(content, part.blob.size.unsigned_abs(), OCTETS);
        self.remote.call(&doing, Method::PUT, &path, payload).await?;
        for (ending, sum) in &part.sums {
            let (doing, path) = (format!("Deploying '{}.{ending}'", part.path), format!("{path}.{ending}"));
            self.remote.call(&doing, Method::PUT, &path, Payload::text(sum)).await?;
        }
        Ok(())
    }

    async fn close(&self, profile: &str, repository: &str) -> Result<(), SyncError> {
        let doing = format!("Closing the staging repository '{repository}'");
        let body = json!({"data": {"stagedRepositoryId": repository, "description": DESCRIPTION}});
        let path = format!("{STAGING}/profiles/{}/finish", encoded(profile));
        self.remote.call(&doing, Method::POST, &path, Payload::Json(body)).await?;
        match self.settled(&doing, repository).await? {
            State::Closed | State::Released => Ok(()),
            State::Open => Err(self.failures(&doing, repository).await),
        }
    }

    async fn promote(&mut self, repository: &str) -> Result<(), SyncError> {
        let doing = format!("Releasing the staging repository '{repository}'");
        let body = json!({"data": {
            "stagedRepositoryIds": [repository], "description": DESCRIPTION, "autoDropAfterRelease": true,
        }});
        self.remote.call(&doing, Method::POST, &format!("{STAGING}/bulk/promote"), Payload::Json(body)).await?;
        self.is_promoted = true;
        match self.settled(&doing, repository).await? {
            State::Released => Ok(()),
            State::Open | State::Closed => {
                self.is_promoted = false;
                Err(self.failures(&doing, repository).await)
            }
        }
    }

    /// Waits until the repository is no longer in transition; returns its state.
    async fn settled(&self, doing: &str, repository: &str) -> Result<State, SyncError> {
        let path = format!("{STAGING}/repository/{}", encoded(repository));
        let mut pauses = PollSchedule::default();
        loop {
            let reply = self.remote.ask_again(doing, Method::GET, &path).await?;
            // If the profile says so, released repositories are dropped.
            if reply.status == 404 && self.is_promoted {
                return Ok(State::Released);
            }
            if reply.status != 200 {
                return Err(self.remote.refused(doing, &reply));
            }
            let said: Value = serde_json::from_slice(&reply.body).unwrap_or_default();
            tracing::info!("`{repository}` is {}, transitioning: {}", said["type"], said["transitioning"]);
            match (said["type"].as_str(), said["transitioning"].as_bool()) {
                (_, Some(true)) => pauses.next().await,
                (Some("open"), _) => return Ok(State::Open),
                (Some("closed"), _) => return Ok(State::Closed),
                (Some("released"), _) => return Ok(State::Released),
                _ => return Err(SyncError::new(format!("{doing}: the state of the repository is unknown"))),
            }
        }
    }

    /// Asks why a repository did not reach the requested state: the rules that it violates.
    async fn failures(&self, doing: &str, repository: &str) -> SyncError {
        let path = format!("{STAGING}/repository/{}/activity", encoded(repository));
        let activity = match self.remote.json(doing, Method::GET, &path, Payload::Nothing).await {
            Ok(activity) => activity,
            Err(failed) => return failed,
        };
        let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
        let mut messages = Vec::new();
        for event in list(&activity).iter().flat_map(|activity| list(&activity["events"])) {
            for property in list(&event["properties"]) {
                if property["name"] == "failureMessage" {
                    collect(&property["value"], &mut messages);
                }
            }
        }
        if messages.is_empty() {
            SyncError::new(format!("{doing}: the registry failed and gave no reason"))
        } else {
            self.remote.error_with(messages)
        }
    }
}

/// Logs the error of the blob store, and returns one without its details.
pub(super) fn unreadable(doing: &str, error: &dyn std::fmt::Display) -> SyncError {
    tracing::error!("reading content for a sync failed: {error}");
    SyncError::new(format!("{doing}: reading the content failed"))
}
