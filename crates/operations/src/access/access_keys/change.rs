//! The fields of a key that are set at creation and can be changed later.

use ipnet::IpNet;
use model::{
    access::Networks,
    access_key::{ExistenceCheck, KeyTerms},
    api_key::ApiKey,
    chosen_password,
    timestamp::Timestamp,
};
use reqwest::Url;

use crate::{
    Error, House, Result,
    access::access_keys::KeyAddress,
    change::{Edits, Shown},
};

/// The latest possible expiry of a key, in the year 9999.
const LAST_EXPIRY: i64 = 253_402_300_799_999;

/// The maximum number of downloads: the largest integer that every JSON parser reads exactly.
const MOST_DOWNLOADS: i64 = 1 << 53;

/// The longest time for which an answer about a key's existence is valid.
const CACHE_SECS: i64 = 86_400;

/// The default validity of an answer.
const DEFAULT_CACHE_SECS: i64 = 60;

/// Changes to a key. Absent fields stay as they are.
#[derive(Debug, Clone, Default)]
pub struct KeyChange {
    /// Its password.
    pub password: Option<ApiKey>,
    /// Its expiry, in milliseconds.
    pub expiry: Option<Option<i64>>,
    /// The networks it may be used from.
    pub white_cidrs: Option<Vec<String>>,
    /// The networks it may not be used from.
    pub black_cidrs: Option<Vec<String>>,
    /// The service to ask whether it still exists.
    pub existence_check: Option<Option<CheckChange>>,
    /// Whether it is barred from downloads.
    pub is_api_only: Option<bool>,
    /// The number of downloads it allows.
    pub max_downloads: Option<Option<i64>>,
}

/// A service that knows whether a key still exists.
#[derive(Debug, Clone)]
pub struct CheckChange {
    /// The URL to ask.
    pub url: String,
    /// The validity of an answer.
    pub cache_for_secs: Option<i64>,
}

impl KeyChange {
    /// Returns the given password after checking that it cannot be guessed easily from the names of the key and its
    /// owner; without one, returns a random password.
    pub(super) fn new_password(&self, house: &House, at: &KeyAddress) -> Result<ApiKey> {
        let Some(password) = &self.password else { return Ok(ApiKey::from_random(house.entropy.bytes())) };
        let names = [at.key.as_str(), at.owner.as_str()];
        let checked = chosen_password::check(password.expose(), &names);
        checked.map_err(|reason| Error::invalid("password", reason)).map(|()| password.clone())
    }

    /// Applies the changes to the stored terms.
    pub(super) fn apply(&self, house: &House, terms: &mut KeyTerms, edits: &mut Edits) -> Result<()> {
        let expiry =
            self.expiry.map(|expiry| expiry.map(|expiry| check_expiry(house, expiry)).transpose()).transpose()?;
        edits.set("expiry", &mut terms.expiry, &expiry);
        let networks = self.networks(&terms.networks)?;
        edits.record("white_cidrs", &terms.networks.white, &networks.white);
        edits.record("black_cidrs", &terms.networks.black, &networks.black);
        terms.networks = networks;
        if let Some(check) = &self.existence_check {
            let check = check.as_ref().map(|check| check.checked(house)).transpose()?;
            if terms.existence_check.shown() == check.shown() && terms.existence_check != check {
                edits.record_secret("existence_check.url");
            } else {
                edits.record("existence_check", &terms.existence_check, &check);
            }
            terms.existence_check = check;
        }
        edits.set("api_only", &mut terms.is_api_only, &self.is_api_only);
        if self.max_downloads.flatten().is_some_and(|most| !(1..=MOST_DOWNLOADS).contains(&most)) {
            return Err(Error::invalid("max_downloads", "it must be a number from 1 to 2^53"));
        }
        edits.set("max_downloads", &mut terms.max_downloads, &self.max_downloads);
        if self.password.is_some() {
            edits.record_secret("password");
        }
        Ok(())
    }

    fn networks(&self, old: &Networks) -> Result<Networks> {
        let kept = |networks: &[IpNet]| networks.iter().map(IpNet::to_string).collect::<Vec<_>>();
        let white = self.white_cidrs.clone().unwrap_or_else(|| kept(&old.white));
        let black = self.black_cidrs.clone().unwrap_or_else(|| kept(&old.black));
        Networks::parse(&white, &black).map_err(|error| Error::invalid(error.field, error.reason))
    }
}

fn check_expiry(house: &House, expiry: i64) -> Result<Timestamp> {
    if (house.clock.now().millis() + 1..=LAST_EXPIRY).contains(&expiry) {
        Ok(Timestamp::from_millis(expiry))
    } else {
        Err(Error::invalid("expiry", "it must be a future time, in milliseconds since 1970"))
    }
}

impl Shown for ExistenceCheck {
    /// Omits the path, which may contain a secret of the service that answers.
    fn shown(&self) -> String {
        let origin = Url::parse(&self.url).map(|url| url.origin().ascii_serialization()).unwrap_or_default();
        format!("{origin} for {} s", self.cache_for_secs)
    }
}

impl CheckChange {
    fn checked(&self, house: &House) -> Result<ExistenceCheck> {
        // A colon before the path belongs to a login or a port, so no placeholder can choose the server.
        house.outgoing.check(&self.url).map_err(|reason| Error::invalid("existence_check.url", reason))?;
        let cache_for_secs = self.cache_for_secs.unwrap_or(DEFAULT_CACHE_SECS);
        if !(0..=CACHE_SECS).contains(&cache_for_secs) {
            return Err(Error::invalid("existence_check.cache_for_secs", "it must be a number from 0 to 86400"));
        }
        Ok(ExistenceCheck { url: self.url.clone(), cache_for_secs })
    }
}
