//! An answer that is sent again and again.

use std::sync::{Arc, OnceLock};

use axum::http::{HeaderMap, HeaderName, Response, Version, header};
use edge::{Client, ResponseHead};
use model::timestamp::Timestamp;
use operations::{
    House,
    accounts::query_limits::{DailyQuota, Limited},
    downloads::{CompletedDownload, CountedVersion, OriginRules},
};

use crate::{
    App,
    allowance::{self, REMAINING},
    download::{
        Source,
        body::{Completion, DownloadBody},
        kept::Validity,
        multipart::Section,
        source::{Blob, Way},
    },
};

/// An answer that may be sent again.
pub(crate) struct CachedDownload {
    pub(crate) source: Source,
    pub(crate) blob: Blob,
    pub(crate) size: u64,
    pub(crate) headers: HeaderMap,
    pub(crate) counted: Option<CountedVersion>,
    /// From where it may be downloaded: asked anew for each request.
    pub(crate) rules: OriginRules,
    pub(crate) user: Option<Arc<str>>,
    pub(crate) callback_id: Option<Arc<str>>,
    pub(crate) path: Arc<str>,
    pub(crate) basis: Validity,
    /// Whose daily limit it tells.
    pub(crate) limited: Option<Limited>,
    /// Its head as it is written, once it has been.
    pub(crate) written: OnceLock<ResponseHead>,
}

/// An answer that is good for a client now, with what it tells this time.
pub(crate) struct Ready {
    pub(crate) answer: Arc<CachedDownload>,
    /// What is left of the caller's day.
    pub(crate) allowance: Option<DailyQuota>,
}

impl Ready {
    /// A kept answer, if it is good for a client there and all that it tells is known.
    pub(crate) fn of(answer: Arc<CachedDownload>, house: &House, client: &Client) -> Option<Self> {
        let allowance = answer.admit(house, client)?.quota;
        Some(Self { answer, allowance })
    }

    /// Sends it again. It fails only when the store does, before a byte is sent.
    pub(crate) async fn send(
        &self,
        app: &App,
        client: &Client,
        headers: &HeaderMap,
        version: Version,
    ) -> Result<Response<DownloadBody>, blobs::Error> {
        let mut response = self.answer.send(app, client, headers, version).await?;
        if let Some(allowance) = self.allowance {
            allowance::tell(allowance, response.headers_mut());
        }
        Ok(response)
    }
}

/// A client that may have an answer now.
pub(crate) struct Admitted {
    /// What is left of the caller's day, where the answer tells it.
    pub(crate) quota: Option<DailyQuota>,
}

impl CachedDownload {
    /// Admits a client, if the answer is good for it and all that it tells is known.
    pub(crate) fn admit(&self, house: &House, client: &Client) -> Option<Admitted> {
        if !self.is_for(house, client) {
            return None;
        }
        let quota = match self.limited {
            Some(limited) => Some(limited.known(house)?),
            None => None,
        };
        Some(Admitted { quota })
    }

    /// Makes room in its headers for what each sending tells of the caller's day.
    pub(crate) fn make_room(limited: Option<Limited>, headers: &mut HeaderMap) {
        if let Some(Limited { limit, .. }) = limited {
            allowance::tell(DailyQuota { limit, remaining: 0 }, headers);
        }
    }

    /// Whether it still holds, and is for a client there: what was kept for one may be asked for by another with the
    /// same key.
    fn is_for(&self, house: &House, client: &Client) -> bool {
        self.basis.holds(house)
            && self.basis.key.as_ref().is_none_or(|key| key.networks.admit(client.address))
            && self.rules.admit(house, client.address, client.country)
    }

    /// Its head as it is written.
    pub(crate) fn head(&self) -> &ResponseHead {
        self.written.get_or_init(|| ResponseHead::new(&self.headers, self.size, Some(&REMAINING)))
    }

    async fn send(
        &self,
        app: &App,
        client: &Client,
        headers: &HeaderMap,
        version: Version,
    ) -> Result<Response<DownloadBody>, blobs::Error> {
        let way = Way::of(client, version);
        let completed = self.counted.map(|counted| {
            let said = |name: HeaderName| headers.get(name).and_then(|value| Some(value.to_str().ok()?.into()));
            let (referer, agent) = (said(header::REFERER), said(header::USER_AGENT));
            let delivered = self.delivered(client, app.house().clock.now(), counted, referer, agent);
            let app = app.clone();
            Completion { tell: Box::new(move |_| app.house().counter.note(delivered)), file_bytes: self.size }
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

    /// Counts it, now that a client has it.
    pub(crate) fn count(
        &self,
        app: &App,
        client: &Client,
        at: Timestamp,
        referer: Option<Arc<str>>,
        agent: Option<Arc<str>>,
    ) {
        if let Some(counted) = self.counted {
            app.house().counter.note(self.delivered(client, at, counted, referer, agent));
        }
    }

    fn delivered(
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
            key_id: self.basis.key.as_ref().map(|key| key.id),
            path: self.path.clone(),
            status: 200,
            bytes: self.size,
            referer,
            agent,
        }
    }
}
