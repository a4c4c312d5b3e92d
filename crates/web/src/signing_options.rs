//! Signing options of a call: in a header, in the query, in a JSON body. Responses never repeat them.

use axum::http::HeaderMap;
use model::names::SubjectName;
use operations::signing::{SecretText, SigningOptions};

use crate::{
    error::{Failure, Result},
    path_names::PathNames,
};

const HEADER: &str = "x-gpg-passphrase";

/// Reads only the header: for uploads, whose body is the content.
pub fn of_header(headers: &HeaderMap) -> Result<SigningOptions> {
    Ok(SigningOptions { passphrase: header(headers)?.map(secret), ..SigningOptions::default() })
}

/// Reads the body, the header and, if given, the query; contradicting values are rejected.
pub fn of_body(headers: &HeaderMap, query: Option<&PathNames>, body: api::Signing) -> Result<SigningOptions> {
    let in_query = query.map(|path| path.query("passphrase")).transpose()?.flatten().filter(|text| !text.is_empty());
    let in_body = body.passphrase.as_ref().map(api::Secret::expose).filter(|text| !text.is_empty());
    let mut forms = [header(headers)?, in_query, in_body].into_iter().flatten();
    let passphrase = forms.next();
    if forms.any(|other| Some(other) != passphrase) {
        return Err(Failure::bad_request("passphrase: it is given several times with different values"));
    }
    let subject = body.subject.as_deref().map(SubjectName::parse).transpose();
    Ok(SigningOptions {
        subject: subject.map_err(|error| Failure::bad_request(format!("subject: {error}")))?,
        private_key: body.private_key.as_ref().map(|key| secret(key.expose())),
        passphrase: passphrase.map(secret),
    })
}

fn header(headers: &HeaderMap) -> Result<Option<&str>> {
    let mut values = headers.get_all(HEADER).iter().filter(|value| !value.is_empty());
    let Some(first) = values.next() else { return Ok(None) };
    if values.any(|other| other != first) {
        return Err(Failure::bad_request("X-GPG-PASSPHRASE was given several times with different values"));
    }
    let text = std::str::from_utf8(first.as_bytes());
    text.map(Some).map_err(|_| Failure::bad_request("X-GPG-PASSPHRASE is not UTF-8"))
}

fn secret(text: &str) -> SecretText {
    SecretText::presented(text.to_owned())
}
