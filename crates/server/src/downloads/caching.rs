//! Caches responses for identical requests.

use std::sync::{Arc, OnceLock};

use axum::{
    http::{Method, StatusCode},
    response::Response,
};
use edge::{Client, RequestId, add_security_headers};
use model::{id::RepoId, timestamp::Timestamp};
use operations::{
    accounts::query_limits::Limited,
    cache::Dependence,
    downloads::{CountedVersion, OriginRules},
};

use super::{
    cache::{CachedDownload, Validity},
    handler::RequestedFile,
    source::{Blob, Source},
    text::PreparedText,
};

/// What a cached response needs besides its headers.
pub(super) struct CacheableAnswer {
    pub(super) source: Source,
    pub(super) blob: Blob,
    pub(super) repo_ids: [RepoId; 2],
    pub(super) depends_on: Dependence,
    pub(super) rules: OriginRules,
    pub(super) counted: Option<CountedVersion>,
    pub(super) text: Option<PreparedText>,
}

/// Until when the credentials of a request are good, if they say so themselves.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CredentialsExpiry(pub(crate) Timestamp);

impl RequestedFile<'_> {
    /// Caches the response for identical requests.
    pub(super) fn cache_response(&self, response: &Response, answer: CacheableAnswer) {
        let is_whole = self.parts.method == Method::GET && response.status() == StatusCode::OK && self.is_plain;
        if !is_whole {
            return;
        }
        let CacheableAnswer { source, blob, repo_ids, depends_on, rules, counted, text } = answer;
        let maker_key_id = self.signed.as_ref().and_then(|signed| signed.maker_key_id);
        let made_from = (repo_ids, depends_on);
        let validity =
            self.began.and_then(|began| Validity::of(self.app.house(), began, made_from, self.caller, maker_key_id));
        let Some(mut validity) = validity else { return };
        if let Some(signed) = &self.signed {
            validity = validity.signed_until(signed.until);
        }
        if let Some(until) = self.image.and_then(|image| image.until) {
            validity = validity.signed_until(until);
        }
        if let Some(CredentialsExpiry(until)) = self.parts.extensions.get() {
            validity = validity.signed_until(*until);
        }
        let (user, callback_id) = (self.user(), self.callback_id());
        let path: Arc<str> = Arc::from(self.path.as_str());
        let client = self.parts.extensions.get::<Client>().cloned().unwrap_or_default();
        let limited = self.caller.counted().and_then(|user| Limited::of(self.app.house(), user));
        let mut headers = response.headers().clone();
        self.app.insist_on_tls(&client, &mut headers);
        add_security_headers(&mut headers);
        RequestId::make_room(&mut headers);
        CachedDownload::make_room(limited, &mut headers);
        let answer = CachedDownload {
            source,
            blob,
            size: blob.size,
            headers,
            is_object: false,
            text,
            varies: self.varies(),
            counted,
            rules,
            user,
            callback_id,
            path,
            validity,
            limited,
            head_bytes: OnceLock::new(),
        };
        let query = self.signed.as_ref().and_then(|signed| signed.query.as_deref());
        self.cache.insert(&client, &self.path, query, &self.parts.headers, answer);
    }
}
