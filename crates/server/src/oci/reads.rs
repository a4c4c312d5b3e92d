//! Reads manifests and blobs, as any file is read.

use axum::response::Response;
use formats::oci::{OciDigest, manifest::media_type_of_facts};
use operations::oci;

use super::{Call, Result, failure::Refused};
use crate::downloads::{ImageDownload, send_image};

impl Call<'_> {
    pub(super) async fn read_manifest(&self, reference: &str) -> Result<Response> {
        let found = oci::find_manifest(self.app.house(), &self.who.caller, &self.at, reference).await?;
        let media_type = media_type_of_facts(found.facts.as_deref().unwrap_or_default());
        self.send(ImageDownload {
            at: &self.at.repo,
            path: &found.path,
            file: found.file,
            media_type,
            until: self.who.until,
            is_lasting: !found.is_pending,
        })
        .await
    }

    pub(super) async fn read_blob(&self, digest: &OciDigest) -> Result<Response> {
        let sha256 = super::uploads::sha256(digest);
        let found = oci::find_blob(self.app.house(), &self.who.caller, &self.at, sha256).await?;
        self.send(ImageDownload {
            at: &self.at.repo,
            path: &found.path,
            file: found.file,
            media_type: "application/octet-stream",
            until: self.who.until,
            is_lasting: !found.is_pending,
        })
        .await
    }

    async fn send(&self, image: ImageDownload<'_>) -> Result<Response> {
        let sent = send_image(self.app, self.cache, &self.who.caller, self.parts, image).await;
        sent.map_err(Refused::Failure)
    }
}
