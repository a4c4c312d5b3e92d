//! The limits of access keys.

use clap::Args;

use crate::{
    clock::{now_ms, parse_span},
    error::{Error, Result},
};

/// The limits of an access key.
#[derive(Debug, Args)]
pub struct KeyFields {
    /// How long the key is valid, such as 24h or 90d
    #[arg(long, value_name = "SPAN", value_parser = parse_span)]
    expires_in: Option<i64>,
    /// Allow only these networks, such as 10.0.0.0/8
    #[arg(long, value_name = "CIDR", value_delimiter = ',')]
    white_cidrs: Option<Vec<String>>,
    /// Block these networks
    #[arg(long, value_name = "CIDR", value_delimiter = ',')]
    black_cidrs: Option<Vec<String>>,
    /// Maximum number of downloads
    #[arg(long, value_name = "NUMBER")]
    max_downloads: Option<i64>,
    /// Do not allow downloads
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    api_only: Option<bool>,
    /// A URL that the server asks whether the key still exists; :username and :password stand for the presented
    /// credentials
    #[arg(long, value_name = "URL")]
    existence_check: Option<String>,
}

impl KeyFields {
    pub(super) fn change(&self) -> Result<api::AccessKeyChange> {
        let expiry = self.expires_in.map(|span| {
            let end = span.checked_mul(1_000).and_then(|span| now_ms().checked_add(span));
            end.ok_or_else(|| Error::usage("--expires-in is too long"))
        });
        let check = |url: &String| api::ExistenceCheckChange { url: Some(url.clone()), cache_for_secs: None };
        Ok(api::AccessKeyChange {
            expiry: expiry.transpose()?.map(Some),
            white_cidrs: self.white_cidrs.clone(),
            black_cidrs: self.black_cidrs.clone(),
            max_downloads: self.max_downloads.map(Some),
            api_only: self.api_only,
            existence_check: self.existence_check.as_ref().map(check).map(Some),
            ..api::AccessKeyChange::default()
        })
    }
}
