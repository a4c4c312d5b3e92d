//! The portal of Maven Central: deployments are validated and published, in this order.

use std::io::{Cursor, Read};

use serde_json::json;
use zip::ZipArchive;

use super::{
    Fault, Registry,
    received::Received,
    wire::{RegistryRequest, RegistryResponse},
};

const PUBLISHER: &str = "/api/v1/publisher/";
const DEPLOYMENT: &str = "28570f16-da32-4c14-bd2e-c1acc0782365";

/// The only deployment.
#[derive(Debug, Default)]
pub(super) struct Portal {
    deployment: Option<Deployment>,
}

#[derive(Debug)]
struct Deployment {
    state: &'static str,
    is_automatic: bool,
    files: Received,
    errors: Vec<String>,
}

impl Portal {
    pub(super) fn released(&self) -> impl Iterator<Item = &Received> {
        self.deployment.iter().filter(|deployment| deployment.state == "PUBLISHED").map(|deployment| &deployment.files)
    }

    pub(super) fn unreleased(&self) -> impl Iterator<Item = &'static str> {
        self.deployment.iter().map(|deployment| deployment.state).filter(|state| *state != "PUBLISHED")
    }
}

impl Portal {
    pub(super) fn is_releasing(&self) -> bool {
        self.deployment.as_ref().is_some_and(|deployment| deployment.state == "PUBLISHED")
    }
}

fn refusal(status: u16, message: &str) -> RegistryResponse {
    RegistryResponse::json(status, &json!({"error": {"message": message}}))
}

impl Registry {
    pub(super) fn portal(&mut self, request: &RegistryRequest) -> Option<RegistryResponse> {
        let call = request.path.strip_prefix(PUBLISHER)?;
        Some(match (request.method.as_str(), call.split('/').collect::<Vec<_>>().as_slice()) {
            ("POST", ["upload"]) if self.fault == Some(Fault::Bundle) => refusal(400, "The bundle is bad"),
            ("POST", ["upload"]) => self.upload(request),
            ("POST", ["status"]) if request.query == format!("id={DEPLOYMENT}") => self.status(),
            ("DELETE", ["deployment", DEPLOYMENT]) if self.fault == Some(Fault::Drop) => {
                refusal(500, "Dropping is away")
            }
            ("DELETE", ["deployment", DEPLOYMENT]) => self.drop_deployment(),
            _ => return None,
        })
    }

    fn upload(&mut self, request: &RegistryRequest) -> RegistryResponse {
        let is_automatic = match request.query.rsplit_once("&publishingType=") {
            Some(("name=ada%2Fcentral%2Flib%2F1.0", "AUTOMATIC")) => true,
            Some(("name=ada%2Fcentral%2Flib%2F1.0", "USER_MANAGED")) => false,
            _ => return refusal(400, "Which name, which type?"),
        };
        let Some(files) = bundle(request).and_then(unpacked) else { return refusal(400, "No bundle") };
        self.portal.deployment = Some(Deployment { state: "PENDING", is_automatic, files, errors: Vec::new() });
        RegistryResponse::text(201, DEPLOYMENT)
    }

    /// Returns the state and advances it, unless it hangs.
    fn status(&mut self) -> RegistryResponse {
        let (fault, gpg) = (self.fault, self.gpg.clone());
        let Some(deployment) = &mut self.portal.deployment else { return refusal(404, "There is none") };
        let errors = json!({"pkg:maven/org.x/lib@1.0": deployment.errors});
        let shown = json!({"deploymentId": DEPLOYMENT, "deploymentState": deployment.state, "errors": errors});
        deployment.state = match deployment.state {
            "PENDING" => "VALIDATING",
            "VALIDATING" if fault == Some(Fault::Hang) => "VALIDATING",
            "VALIDATING" => {
                deployment.errors = deployment.files.failures(&gpg);
                if matches!(fault, Some(Fault::Rule | Fault::Drop)) {
                    deployment.errors.push("Rule of the house broken".to_owned());
                }
                if deployment.errors.is_empty() { "VALIDATED" } else { "FAILED" }
            }
            "VALIDATED" if deployment.is_automatic => "PUBLISHING",
            "PUBLISHING" if fault == Some(Fault::HangReleasing) => "PUBLISHING",
            "PUBLISHING" if fault == Some(Fault::Unreleased) => {
                deployment.errors.push("Not released after all".to_owned());
                "FAILED"
            }
            "PUBLISHING" => "PUBLISHED",
            other => other,
        };
        RegistryResponse::json(200, &shown)
    }

    fn drop_deployment(&mut self) -> RegistryResponse {
        let state = self.portal.unreleased().next();
        match state {
            Some("VALIDATED" | "FAILED") => {
                self.portal.deployment = None;
                RegistryResponse::text(204, "")
            }
            _ => refusal(400, "It can be dropped when it is VALIDATED or FAILED"),
        }
    }
}

/// Returns the bytes of the only file in the form.
fn bundle(request: &RegistryRequest) -> Option<Vec<u8>> {
    let boundary = request.content_type.strip_prefix("multipart/form-data; boundary=")?;
    let body = request.body.strip_prefix(format!("--{boundary}\r\n").as_bytes())?;
    let body = body.strip_suffix(format!("\r\n--{boundary}--\r\n").as_bytes())?;
    let end = body.windows(4).position(|window| window == b"\r\n\r\n")?;
    let head = String::from_utf8_lossy(&body[..end]).into_owned();
    head.starts_with("Content-Disposition: form-data; name=\"bundle\"; filename=").then(|| body[end + 4..].to_vec())
}

fn unpacked(bundle: Vec<u8>) -> Option<Received> {
    let mut archive = ZipArchive::new(Cursor::new(bundle)).ok()?;
    let mut files = Received::default();
    for index in 0..archive.len() {
        let mut file = archive.by_index(index).ok()?;
        let (name, mut content) = (file.name().ok()?.into_owned(), Vec::new());
        file.read_to_end(&mut content).ok()?;
        files.0.insert(name, content);
    }
    Some(files)
}
