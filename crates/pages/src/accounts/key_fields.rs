//! The fields of an access key.

use ipnet::IpNet;
use model::{access_key::AccessKey, api_key::ApiKey, timestamp::Timestamp};
use operations::access::access_keys::{CheckChange, KeyChange};
use web::error::Result;

use crate::form::{Form, picked};

/// The fields of the form, as texts.
#[derive(Debug, Clone, Default)]
pub(super) struct KeyFields {
    pub(super) id: String,
    pub(super) expiry: String,
    pub(super) white_cidrs: String,
    pub(super) black_cidrs: String,
    pub(super) check_url: String,
    pub(super) check_secs: String,
    pub(super) is_api_only: bool,
    pub(super) max_downloads: String,
}

impl KeyFields {
    /// The fields of a submitted form, without the password.
    pub(super) fn of_form(form: &Form) -> Result<Self> {
        let field = |name: &str| form.line(name).map(str::to_owned);
        Ok(Self {
            id: field("id")?,
            expiry: field("expiry")?,
            white_cidrs: form.text("white_cidrs").to_owned(),
            black_cidrs: form.text("black_cidrs").to_owned(),
            check_url: field("check_url")?,
            check_secs: field("check_secs")?,
            is_api_only: form.is_checked("api_only"),
            max_downloads: field("max_downloads")?,
        })
    }

    /// The fields of a stored key.
    pub(super) fn of(key: &AccessKey) -> Self {
        let joined = |list: &[IpNet]| list.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
        let check = key.terms.existence_check.as_ref();
        Self {
            id: key.name.to_string(),
            expiry: picked(key.terms.expiry),
            white_cidrs: joined(&key.terms.networks.white),
            black_cidrs: joined(&key.terms.networks.black),
            check_url: check.map(|check| check.url.clone()).unwrap_or_default(),
            check_secs: check.map(|check| check.cache_for_secs.to_string()).unwrap_or_default(),
            is_api_only: key.terms.is_api_only,
            max_downloads: key.terms.max_downloads.map(|most| most.to_string()).unwrap_or_default(),
        }
    }

    /// The change that a form asks for. An empty field removes the limit.
    pub(super) fn change(form: &Form) -> Result<KeyChange> {
        let expiry = form.moment("expiry")?;
        let cache_for_secs = form.number("check_secs")?;
        let check = form.optional("check_url")?.map(|url| CheckChange { url, cache_for_secs });
        let password = Some(form.line("password")?).filter(|text| !text.is_empty());
        Ok(KeyChange {
            password: password.map(ApiKey::presented),
            expiry: Some(expiry.map(Timestamp::millis)),
            white_cidrs: Some(form.lines("white_cidrs")),
            black_cidrs: Some(form.lines("black_cidrs")),
            existence_check: Some(check),
            is_api_only: Some(form.is_checked("api_only")),
            max_downloads: Some(form.number("max_downloads")?),
        })
    }
}
