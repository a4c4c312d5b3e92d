//! Downloads that are ready to be sent again: no query, and no routing, for what many ask for.
//!
//! An answer is kept for one address and one set of credentials. It is good for as long as nothing has changed that it
//! was made from: the repositories it came through, all accounts, and the access key, if it is the answer to one.

use std::{
    hash::{Hash, Hasher},
    sync::Arc,
    time::Instant,
};

use axum::{
    body::Body,
    http::{HeaderMap, HeaderValue, Method, Request, header},
    response::Response,
};
use database::changes::Epoch;
use model::{access::Networks, timestamp::Timestamp};
use operations::{
    House, KeyHolder,
    downloads::{Counted, Delivered, Rules},
};
use quick_cache::{Equivalent, Weighter, sync::Cache};
use sha2::{Digest, Sha256};

use super::{
    Source,
    body::{Completion, DownloadBody},
    multipart::Section,
    source::Blob,
};
use crate::{App, edge::Client};

/// What all kept answers may weigh, in bytes.
const WEIGHT: u64 = 64 << 20;

/// What an answer weighs besides the bytes it holds. One that holds a file open weighs more: there are few of those.
const ANSWER_WEIGHT: u64 = 2 << 10;
const OPEN_FILE_WEIGHT: u64 = 256 << 10;

/// Answers to keep an eye on, roughly.
const ITEMS: usize = 16 << 10;

/// The kept answers.
pub(crate) struct Kept(Cache<Key, Arc<Answer>, Weight>);

/// An answer that may be sent again.
pub(crate) struct Answer {
    pub(crate) source: Source,
    pub(crate) blob: Blob,
    pub(crate) size: u64,
    pub(crate) headers: HeaderMap,
    pub(crate) counted: Option<Counted>,
    /// From where it may be downloaded: asked anew for each request.
    pub(crate) rules: Rules,
    pub(crate) user: Option<Arc<str>>,
    pub(crate) path: Arc<str>,
    pub(crate) basis: Basis,
}

/// What an answer was made from, and when.
pub(crate) struct Basis {
    repos: [(i64, Epoch); 2],
    accounts: Epoch,
    until: Instant,
    key: Option<Box<KeyBasis>>,
}

/// The access key that an answer was made for, and from where and until when it is good.
struct KeyBasis {
    id: i64,
    epoch: Epoch,
    networks: Networks,
    until: Option<Timestamp>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Key {
    address: Box<str>,
    credentials: Credentials,
}

/// The hash of an `Authorization` header: what opens private files is not kept as it is.
type Credentials = Option<[u8; 32]>;

struct KeyRef<'k> {
    address: &'k str,
    credentials: Credentials,
}

impl Hash for KeyRef<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.address.hash(state);
        self.credentials.hash(state);
    }
}

impl Equivalent<Key> for KeyRef<'_> {
    fn equivalent(&self, key: &Key) -> bool {
        *self.address == *key.address && self.credentials == key.credentials
    }
}

#[derive(Clone)]
struct Weight;

impl Weighter<Key, Arc<Answer>> for Weight {
    fn weight(&self, _: &Key, answer: &Arc<Answer>) -> u64 {
        ANSWER_WEIGHT
            + match &answer.source {
                Source::Mapped(mapped) if mapped.is_mapping() => OPEN_FILE_WEIGHT,
                Source::Mapped(_) | Source::Memory(_) => answer.size,
                Source::Stream(_) => 0,
            }
    }
}

impl Default for Kept {
    fn default() -> Self {
        Self(Cache::with_weighter(ITEMS, WEIGHT, Weight))
    }
}

impl Kept {
    /// Keeps the answer to a request.
    pub(crate) fn keep(&self, address: &str, headers: &HeaderMap, answer: Answer) {
        if let Some(credentials) = credentials(headers) {
            self.0.insert(Key { address: address.into(), credentials }, Arc::new(answer));
        }
    }

    /// The answer to a plain request that was answered before, when nothing has changed since.
    pub(crate) fn find<B>(
        &self,
        house: &House,
        client: &Client,
        path: &str,
        request: &Request<B>,
    ) -> Option<Arc<Answer>> {
        if request.method() != Method::GET || request.uri().query().is_some() || !is_plain(request.headers()) {
            return None;
        }
        let credentials = credentials(request.headers())?;
        if credentials.is_some() && !client.may_send_secrets {
            return None;
        }
        let answer = self.0.get(&KeyRef { address: path, credentials })?;
        (answer.basis.holds(house) && answer.admits(house, client)).then_some(answer)
    }

    /// Drops the answers that are no longer good: a file that they hold open takes up room after its removal.
    pub(crate) fn drop_outdated(&self, house: &House) {
        self.0.retain(|_, answer| answer.basis.holds(house));
    }
}

/// Whether the headers ask for nothing but the whole file.
fn is_plain(headers: &HeaderMap) -> bool {
    const ASKING: [header::HeaderName; 6] = [
        header::RANGE,
        header::IF_NONE_MATCH,
        header::IF_MODIFIED_SINCE,
        header::IF_MATCH,
        header::IF_UNMODIFIED_SINCE,
        header::IF_RANGE,
    ];
    !ASKING.iter().any(|name| headers.contains_key(name)) && headers.get_all(header::HOST).iter().count() == 1
}

/// What the request has for credentials; `None` when that is not one header.
fn credentials(headers: &HeaderMap) -> Option<Credentials> {
    let mut values = headers.get_all(header::AUTHORIZATION).iter();
    match (values.next(), values.next()) {
        (None, _) => Some(None),
        (Some(value), None) => Some(Some(Sha256::digest(value.as_bytes()).into())),
        (Some(_), Some(_)) => None,
    }
}

impl Basis {
    /// What an answer is made from now, if nothing has changed since the epoch in which its making began. What is taken
    /// from the rest of a key cannot be sent again.
    pub(crate) fn of(house: &House, began: Epoch, repo_ids: [i64; 2], key: Option<&KeyHolder>) -> Option<Self> {
        if key.is_some_and(|key| key.has_download_limit) {
            return None;
        }
        let changes = house.db.changes();
        let basis = Self {
            repos: repo_ids.map(|id| (id, changes.repo(id))),
            accounts: changes.accounts(),
            until: Instant::now() + house.db.kept_for(),
            key: key.map(|key| Box::new(KeyBasis::of(house, key))),
        };
        (changes.all() == began).then_some(basis)
    }

    fn holds(&self, house: &House) -> bool {
        let changes = house.db.changes();
        let is_same = |(id, epoch): &(i64, Epoch)| changes.repo(*id) == *epoch;
        self.repos.iter().all(is_same)
            && changes.accounts() == self.accounts
            && Instant::now() < self.until
            && self.key.as_ref().is_none_or(|key| key.holds(house))
    }
}

impl KeyBasis {
    fn of(house: &House, key: &KeyHolder) -> Self {
        let epoch = house.db.changes().key(key.id);
        Self { id: key.id, epoch, networks: key.networks.clone(), until: key.good_until }
    }

    fn holds(&self, house: &House) -> bool {
        house.db.changes().key(self.id) == self.epoch && self.until.is_none_or(|until| house.clock.now() < until)
    }
}

impl Answer {
    /// Whether it is for a client there: what was kept for one may be asked for by another with the same key.
    fn admits(&self, house: &House, client: &Client) -> bool {
        self.basis.key.as_ref().is_none_or(|key| key.networks.admit(client.address))
            && self.rules.admit(house, client.address, client.country)
    }

    /// Sends it again. It fails only when the store does, before a byte is sent.
    pub(crate) async fn send(&self, app: &App, client: &Client, headers: &HeaderMap) -> Result<Response, blobs::Error> {
        let completed = self.counted.map(|counted| self.completion(app, client, headers, counted));
        let chunks = match self.source.whole(self.size) {
            Some(chunks) => chunks,
            None => self.source.clone().open(self.blob, vec![Section::File(0..self.size)]).await?,
        };
        let body = DownloadBody::new(self.size, chunks, completed);
        let mut response = Response::new(Body::new(body));
        *response.headers_mut() = self.headers.clone();
        Ok(response)
    }

    fn completion(&self, app: &App, client: &Client, headers: &HeaderMap, counted: Counted) -> Completion {
        let said = |name| headers.get(name).and_then(|value: &HeaderValue| Some(value.to_str().ok()?.into()));
        let delivered = Delivered {
            counted,
            at: app.house().clock.now(),
            address: client.address,
            country: client.country,
            user: self.user.clone(),
            key_id: self.basis.key.as_ref().map(|key| key.id),
            path: self.path.clone(),
            status: 200,
            bytes: self.size,
            referer: said(header::REFERER),
            agent: said(header::USER_AGENT),
        };
        let app = app.clone();
        Completion { tell: Box::new(move |_| app.house().counter.note(delivered)), file_bytes: self.size }
    }
}
