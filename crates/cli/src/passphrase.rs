//! The passphrase of a signing key on the server. It is never an argument: other users can read the arguments of a
//! process.

use std::{env, fs, path::PathBuf};

use clap::Args;
use reqwest::RequestBuilder;

use crate::error::{Error, Result};

const VARIABLE: &str = "PACKHOUSE_GPG_PASSPHRASE";

/// The source of the passphrase.
#[derive(Debug, Clone, Args)]
pub(crate) struct Passphrase {
    /// A file with the passphrase of the signing key [or set PACKHOUSE_GPG_PASSPHRASE]
    #[arg(long, value_name = "FILE")]
    passphrase_file: Option<PathBuf>,
}

impl Passphrase {
    /// Reads the passphrase, if one is given.
    pub(crate) fn read(&self) -> Result<Option<String>> {
        let passphrase = match &self.passphrase_file {
            Some(file) => fs::read_to_string(file).map_err(|error| Error::local(file.display(), error))?,
            None => env::var(VARIABLE).unwrap_or_default(),
        };
        let passphrase = passphrase.trim_end_matches(['\r', '\n']);
        Ok((!passphrase.is_empty()).then(|| passphrase.to_owned()))
    }

    /// Adds the passphrase to a request, if one is given.
    pub(crate) fn add_to(&self, request: RequestBuilder) -> Result<RequestBuilder> {
        let Some(passphrase) = self.read()? else { return Ok(request) };
        let value = reqwest::header::HeaderValue::from_bytes(passphrase.as_bytes());
        let mut value = value.map_err(|_| Error::usage("the passphrase contains characters that cannot be sent"))?;
        value.set_sensitive(true);
        Ok(request.header("x-gpg-passphrase", value))
    }
}
