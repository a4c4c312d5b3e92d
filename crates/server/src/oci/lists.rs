//! Lists of tags, referrers and images.

use axum::{
    http::{HeaderValue, StatusCode, header, request::Parts},
    response::Response,
};
use formats::oci::{
    OciDigest,
    manifest::INDEX_TYPE,
    paging::{OciPageRequest, catalog, referrers_link, tag_list},
    referrers::{Referrer, referrers_index},
};
use operations::oci;
use web::App;

use super::{Call, Result, caller::Identified, json, lower, query};

impl Call<'_> {
    pub(super) async fn list_tags(&self) -> Result<Response> {
        let page = page(self.parts)?;
        let after = page.last.clone().unwrap_or_default();
        let (house, limit) = (self.app.house(), page.limit() + 1);
        let names = oci::list_tags(house, &self.who.caller, &self.at, &after, limit).await?;
        let (tags, has_more) = page.cut(&names);
        let response = json(StatusCode::OK, tag_list(&self.name.to_string(), tags));
        let link = page.link(&format!("/v2/{}/tags/list", self.name), tags).filter(|_| has_more);
        Ok(with_link(response, link))
    }

    pub(super) async fn list_referrers(&self, digest: &OciDigest) -> Result<Response> {
        let after = query(self.parts, "last")?.and_then(|last| last.parse().ok()).unwrap_or_default();
        let found = oci::list_referrers(self.app.house(), &self.who.caller, &self.at, digest.as_str(), after).await?;
        let entries = found.entries.iter();
        let referrers: Vec<Referrer> = entries.filter_map(|entry| serde_json::from_str(entry).ok()).collect();
        let artifact_type = query(self.parts, "artifactType")?.filter(|text| !text.is_empty());
        let path = format!("/v2/{}/referrers/{}", self.name, digest.as_str());
        let link = found.last.map(|last| referrers_link(&path, artifact_type, last));
        let mut response = json(StatusCode::OK, referrers_index(&referrers, artifact_type));
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(INDEX_TYPE));
        if artifact_type.is_some() {
            headers.insert(lower("oci-filters-applied"), HeaderValue::from_static("artifactType"));
        }
        Ok(with_link(response, link))
    }
}

/// Lists the images that the caller may read.
pub(super) async fn list_images(app: &App, who: &Identified, parts: &Parts) -> Result<Response> {
    let page = page(parts)?;
    let after = page.last.clone().unwrap_or_default();
    let names = oci::list_images(app.house(), &who.caller, &after, page.limit() + 1).await?;
    let (images, has_more) = page.cut(&names);
    let link = page.link("/v2/_catalog", images).filter(|_| has_more);
    Ok(with_link(json(StatusCode::OK, catalog(images)), link))
}

fn page(parts: &Parts) -> Result<OciPageRequest> {
    Ok(OciPageRequest::parse(query(parts, "n")?, query(parts, "last")?)?)
}

fn with_link(mut response: Response, link: Option<String>) -> Response {
    if let Some(link) = link.and_then(|link| HeaderValue::try_from(link).ok()) {
        response.headers_mut().insert(header::LINK, link);
    }
    response
}
