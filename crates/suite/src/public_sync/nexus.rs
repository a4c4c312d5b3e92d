//! Nexus staging: repositories are opened, closed and released, in this order.

use serde_json::{Value, json};

use super::{
    Fault, Registry,
    received::Received,
    wire::{RegistryRequest, RegistryResponse},
};

const STAGING: &str = "/service/local/staging/";
const PROFILE: &str = "profile-1";
const REPOSITORY: &str = "orgx-1001";

/// The only repository.
#[derive(Debug, Default)]
pub(super) struct Nexus {
    repository: Option<Repository>,
    uploads: usize,
}

#[derive(Debug)]
struct Repository {
    state: &'static str,
    /// The state it changes to at the next status request.
    next: Option<&'static str>,
    files: Received,
    failures: Vec<String>,
}

impl Nexus {
    pub(super) fn released(&self) -> impl Iterator<Item = &Received> {
        self.repository.iter().filter(|repository| repository.state == "released").map(|repository| &repository.files)
    }

    pub(super) fn unreleased(&self) -> impl Iterator<Item = &'static str> {
        self.repository.iter().map(|repository| repository.state).filter(|state| *state != "released")
    }

    pub(super) fn is_releasing(&self) -> bool {
        self.repository.as_ref().is_some_and(|repository| repository.next == Some("released"))
    }

    /// Returns the repository if it is in this state.
    fn in_state(&mut self, state: &str) -> Result<&mut Repository, RegistryResponse> {
        let repository = self.repository.as_mut().filter(|repository| repository.state == state);
        repository.ok_or_else(|| refusal(400, &format!("The repository is not {state}")))
    }
}

fn refusal(status: u16, message: &str) -> RegistryResponse {
    RegistryResponse::json(status, &json!({"errors": [{"id": "*", "msg": message}]}))
}

impl Registry {
    pub(super) fn nexus(&mut self, request: &RegistryRequest) -> Option<RegistryResponse> {
        let call = request.path.strip_prefix(STAGING)?;
        let fails = |fault| self.fault == Some(fault);
        Some(match (request.method.as_str(), call.split('/').collect::<Vec<_>>().as_slice()) {
            ("GET", ["profiles" | "profile_evaluate"]) if fails(Fault::Profiles) => refusal(500, "Profiles are away"),
            ("GET", ["profiles"]) => self.profiles(),
            ("GET", ["profile_evaluate"]) if request.query == "t=maven2&g=org.x&a=lib&v=1.0" => self.profiles(),
            ("POST", ["profiles", PROFILE, "start"]) if fails(Fault::Start) => refusal(400, "No more repositories"),
            ("POST", ["profiles", PROFILE, "start"]) => self.start(),
            ("PUT", ["deployByRepositoryId", REPOSITORY, path @ ..]) => self.deploy(&path.join("/"), &request.body),
            ("POST", ["profiles", PROFILE, "finish"]) if fails(Fault::Close) => refusal(500, "Closing is away"),
            ("POST", ["profiles", PROFILE, "finish"]) => self.finish(request),
            ("GET", ["repository", REPOSITORY]) => self.show(),
            ("GET", ["repository", REPOSITORY, "activity"]) => self.activity(),
            ("POST", ["bulk", "promote"]) if fails(Fault::Release) => refusal(500, "Releasing is away"),
            ("POST", ["bulk", "promote"]) => self.promote(request),
            ("POST", ["bulk", "drop"]) if fails(Fault::Drop) => refusal(500, "Dropping is away"),
            ("POST", ["bulk", "drop"]) => self.drop_repository(request),
            _ => return None,
        })
    }

    fn profiles(&self) -> RegistryResponse {
        let list = match self.fault {
            Some(Fault::NoProfile) => json!([]),
            _ => json!([{"id": "other", "name": "com.other"}, {"id": PROFILE, "name": "org.x"}]),
        };
        // The matching profile comes first.
        let list = if list.as_array().is_some_and(Vec::is_empty) { list } else { json!([list[1], list[0]]) };
        RegistryResponse::json(200, &json!({"data": list}))
    }

    fn start(&mut self) -> RegistryResponse {
        let (files, failures) = (Received::default(), Vec::new());
        self.nexus.repository = Some(Repository { state: "open", next: None, files, failures });
        RegistryResponse::json(201, &json!({"data": {"stagedRepositoryId": REPOSITORY}}))
    }

    fn deploy(&mut self, path: &str, content: &[u8]) -> RegistryResponse {
        self.nexus.uploads += 1;
        if self.fault == Some(Fault::Upload(self.nexus.uploads)) {
            return refusal(507, "No room left");
        }
        match self.nexus.in_state("open") {
            Ok(repository) => {
                repository.files.0.insert(path.to_owned(), content.to_vec());
                RegistryResponse::text(201, "")
            }
            Err(refused) => refused,
        }
    }

    fn finish(&mut self, request: &RegistryRequest) -> RegistryResponse {
        let (gpg, fault) = (self.gpg.clone(), self.fault);
        let repository = match self.nexus.in_state("open") {
            Ok(repository) if json_body(request)["data"]["stagedRepositoryId"] == REPOSITORY => repository,
            Ok(_) => return refusal(400, "Which one?"),
            Err(refused) => return refused,
        };
        repository.failures = repository.files.failures(&gpg);
        if fault == Some(Fault::Rule) {
            repository.failures.push("Rule of the house broken".to_owned());
        }
        repository.next = Some(if repository.failures.is_empty() { "closed" } else { "open" });
        RegistryResponse::text(201, "")
    }

    /// Returns the state. Each request advances it, unless it hangs.
    fn show(&mut self) -> RegistryResponse {
        let is_releasing = |repository: &Repository| repository.state == "closed" && repository.next.is_some();
        let Some(repository) = &mut self.nexus.repository else { return RegistryResponse::text(404, "") };
        let hangs = match self.fault {
            Some(Fault::Hang) => true,
            Some(Fault::HangReleasing) => is_releasing(repository),
            _ => false,
        };
        let shown = json!({"type": repository.state, "transitioning": repository.next.is_some() || hangs});
        if let Some(next) = repository.next.filter(|_| !hangs) {
            (repository.state, repository.next) = (next, None);
        }
        RegistryResponse::json(200, &shown)
    }

    fn activity(&self) -> RegistryResponse {
        let failures = self.nexus.repository.iter().flat_map(|repository| &repository.failures);
        let failed = |message: &String| {
            let properties = json!([{"name": "typeId", "value": "rule"}, {"name": "failureMessage", "value": message}]);
            json!({"name": "ruleFailed", "severity": 1, "properties": properties})
        };
        let passed = json!({"name": "rulePassed", "properties": [{"name": "successMessage", "value": "fine"}]});
        let events: Vec<Value> = [passed].into_iter().chain(failures.map(failed)).collect();
        RegistryResponse::json(200, &json!([{"name": "close", "events": events}]))
    }

    fn promote(&mut self, request: &RegistryRequest) -> RegistryResponse {
        let fault = self.fault;
        match self.nexus.in_state("closed") {
            Ok(repository) if json_body(request)["data"]["stagedRepositoryIds"] == json!([REPOSITORY]) => {
                repository.next = Some("released");
                if fault == Some(Fault::Unreleased) {
                    repository.next = Some("closed");
                    repository.failures.push("Not released after all".to_owned());
                }
                RegistryResponse::text(201, "")
            }
            Ok(_) => refusal(400, "Which one?"),
            Err(refused) => refused,
        }
    }

    fn drop_repository(&mut self, request: &RegistryRequest) -> RegistryResponse {
        let state = self.nexus.unreleased().next();
        match state {
            Some(_) if json_body(request)["data"]["stagedRepositoryIds"] == json!([REPOSITORY]) => {
                self.nexus.repository = None;
                RegistryResponse::text(201, "")
            }
            _ => refusal(400, "There is nothing to drop"),
        }
    }
}

fn json_body(request: &RegistryRequest) -> Value {
    serde_json::from_slice(&request.body).unwrap_or_default()
}
