//! A cached response that is sent many times.

use std::sync::{Arc, OnceLock};

use axum::http::{HeaderMap, HeaderName, Response, Version, header};
use bytes::Bytes;
use edge::{Client, LARGEST_REPLAY, ResponseHead};
use model::{digest::Digest, timestamp::Timestamp};
use operations::{
    House,
    accounts::query_limits::{DailyQuota, Limited},
    downloads::{CompletedDownload, CountedVersion, OriginRules},
};
use web::{
    App,
    quota::{self, REMAINING},
};

use crate::downloads::{
    Source,
    body::{Completion, DownloadBody},
    cache::Validity,
    multipart::Section,
    source::{Blob, SendMethod},
    text::PreparedText,
};

/// A response that may be sent again.
pub(crate) struct CachedDownload {
    pub(crate) source: Source,
    pub(crate) blob: Blob,
    pub(crate) size: u64,
    pub(crate) headers: HeaderMap,
    /// Whether it is an object of the API and no file.
    pub(crate) is_object: bool,
    /// The text, if it is a generated one.
    pub(crate) text: Option<PreparedText>,
    /// Whether it depends on `Accept`.
    pub(crate) varies: bool,
    pub(crate) counted: Option<CountedVersion>,
    /// The networks and countries that may download it: checked for each request.
    pub(crate) rules: OriginRules,
    pub(crate) user: Option<Arc<str>>,
    pub(crate) callback_id: Option<Arc<str>>,
    pub(crate) path: Arc<str>,
    pub(crate) validity: Validity,
    /// The user whose daily quota the headers report.
    pub(crate) limited: Option<Limited>,
    /// The serialized head, created on first use.
    pub(crate) head_bytes: OnceLock<ResponseHead>,
}

/// A cached response that is valid for a client now, with the current values of its headers.
pub(crate) struct Ready {
    pub(crate) answer: Arc<CachedDownload>,
    /// The caller's remaining daily quota.
    pub(crate) quota: Option<DailyQuota>,
}

impl Ready {
    /// Wraps a cached response, if it is valid for this client and the values of all its headers are known.
    pub(crate) fn of(answer: Arc<CachedDownload>, house: &House, client: &Client) -> Option<Self> {
        let quota = answer.admit(house, client)?.quota;
        Some(Self { answer, quota })
    }

    /// Sends it again. Fails only when the store fails, before a byte is sent.
    pub(crate) async fn send(
        &self,
        app: &App,
        client: &Client,
        headers: &HeaderMap,
        version: Version,
    ) -> Result<Response<DownloadBody>, blobs::Error> {
        let mut response = self.answer.send(app, client, headers, version).await?;
        if let Some(daily) = self.quota {
            quota::write_headers(daily, response.headers_mut());
        }
        Ok(response)
    }
}

/// A client that may receive a response now.
pub(crate) struct Admitted {
    /// The caller's remaining daily quota, if the response reports it.
    pub(crate) quota: Option<DailyQuota>,
}

impl CachedDownload {
    /// An object of the API with these headers, for everyone.
    pub(crate) fn of_object(headers: HeaderMap, digest: Digest, bytes: Bytes, validity: Validity) -> Self {
        let size = bytes.len() as u64;
        Self {
            source: Source::Memory(bytes),
            blob: Blob { digest, size },
            size,
            headers,
            is_object: true,
            text: None,
            varies: false,
            counted: None,
            rules: OriginRules::default(),
            user: None,
            callback_id: None,
            path: Arc::from(""),
            validity,
            limited: None,
            head_bytes: OnceLock::new(),
        }
    }

    /// Admits a client, if the response is valid for it and the values of all its headers are known.
    pub(crate) fn admit(&self, house: &House, client: &Client) -> Option<Admitted> {
        if !self.is_for(house, client) {
            return None;
        }
        let quota = match self.limited {
            Some(limited) => Some(limited.known(house)?),
            None => None,
        };
        self.validity.record_use(house, client.address);
        Some(Admitted { quota })
    }

    /// Adds the quota headers as placeholders, which every sending fills with the caller's remaining daily quota.
    pub(crate) fn make_room(limited: Option<Limited>, headers: &mut HeaderMap) {
        if let Some(Limited { limit, .. }) = limited {
            quota::write_headers(DailyQuota { limit, remaining: 0 }, headers);
        }
    }

    /// Whether the response is still valid and open to this client: a client on another network may use the same key.
    fn is_for(&self, house: &House, client: &Client) -> bool {
        self.validity.holds(house)
            && self.validity.admits(client.address)
            && self.rules.admit(house, client.address, client.country)
    }

    /// The whole body, if it is small and can be sent this way without reading from the store.
    pub(crate) fn replay_body(&self, way: SendMethod) -> Option<Bytes> {
        if self.size <= LARGEST_REPLAY { self.source.whole(self.size, way) } else { None }
    }

    /// The serialized head.
    pub(crate) fn head(&self) -> &ResponseHead {
        self.head_bytes.get_or_init(|| ResponseHead::new(&self.headers, self.size, Some(&REMAINING)))
    }

    async fn send(
        &self,
        app: &App,
        client: &Client,
        headers: &HeaderMap,
        version: Version,
    ) -> Result<Response<DownloadBody>, blobs::Error> {
        let way = SendMethod::of(client, version);
        let completed = self.counted.map(|counted| {
            let header_value = |name: HeaderName| headers.get(name).and_then(|value| Some(value.to_str().ok()?.into()));
            let (referer, agent) = (header_value(header::REFERER), header_value(header::USER_AGENT));
            let completed_download = self.completed_download(client, app.house().clock.now(), counted, referer, agent);
            let app = app.clone();
            Completion {
                notify: Box::new(move |_| app.house().counter.record(completed_download)),
                file_bytes: self.size,
            }
        });
        let body = match self.source.whole(self.size, way) {
            Some(bytes) => DownloadBody::at_hand(bytes, completed),
            None => {
                let chunks = self.source.clone().open(self.blob, vec![Section::File(0..self.size)], way);
                DownloadBody::new(self.size, Box::pin(chunks).await?, completed)
            }
        };
        let mut response = Response::new(body);
        *response.headers_mut() = self.headers.clone();
        Ok(response)
    }

    /// Counts the download after a client received it.
    pub(crate) fn count(
        &self,
        app: &App,
        client: &Client,
        at: Timestamp,
        referer: Option<Arc<str>>,
        agent: Option<Arc<str>>,
    ) {
        if let Some(counted) = self.counted {
            app.house().counter.record(self.completed_download(client, at, counted, referer, agent));
        }
    }

    fn completed_download(
        &self,
        client: &Client,
        at: Timestamp,
        counted: CountedVersion,
        referer: Option<Arc<str>>,
        agent: Option<Arc<str>>,
    ) -> CompletedDownload {
        CompletedDownload {
            counted,
            at,
            address: client.address,
            country: client.country,
            user: self.user.clone(),
            callback_id: self.callback_id.clone(),
            key_id: self.validity.key_id(),
            path: self.path.clone(),
            status: 200,
            bytes: self.size,
            referer,
            agent,
        }
    }
}
