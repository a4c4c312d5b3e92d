//! What a new token is for.

use clap::Args;

use crate::{
    clock::{now_ms, parse_span},
    error::{Error, Result},
};

/// What a new token is for.
#[derive(Debug, Args)]
pub struct TokenFields {
    /// The scopes of the token: read, publish, manage or admin
    #[arg(long, value_name = "SCOPE", value_delimiter = ',', default_value = "read")]
    scopes: Vec<String>,
    /// Where the token works, such as acme, acme/tools or acme/tools/cat; everywhere if absent
    #[arg(long, value_name = "RESOURCE", value_delimiter = ',')]
    resources: Option<Vec<String>>,
    /// How long the token is valid, such as 24h or 90d
    #[arg(long, value_name = "SPAN", value_parser = parse_span)]
    expires_in: Option<i64>,
    /// Allow only these networks, such as 10.0.0.0/8
    #[arg(long, value_name = "CIDR", value_delimiter = ',')]
    cidrs: Option<Vec<String>>,
}

impl TokenFields {
    pub(super) fn new_token(&self, name: &str) -> Result<api::NewToken> {
        let expiry = self.expires_in.map(|span| {
            let end = span.checked_mul(1_000).and_then(|span| now_ms().checked_add(span));
            end.ok_or_else(|| Error::usage("--expires-in is too long"))
        });
        Ok(api::NewToken {
            name: name.to_owned(),
            scopes: self.scopes.clone(),
            resources: self.resources.clone(),
            expiry: expiry.transpose()?,
            cidrs: self.cidrs.clone(),
        })
    }
}
