//! Headers of uploads: checksums, and the announced size.

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use base64::{Engine, prelude::BASE64_STANDARD};
use model::digest::hex;
use operations::content::ExpectedChecksums;

use crate::{
    App,
    error::{Failure, Result},
};

/// The checksums that the headers announce for the content.
pub fn expected(headers: &HeaderMap) -> Result<ExpectedChecksums> {
    let sha256 = either(sum(headers, "x-checksum-sha2", 32)?, sum(headers, "x-checksum-sha256", 32)?, "SHA-256")?;
    let size = headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok());
    Ok(ExpectedChecksums {
        size,
        sha256: sha256.map(|text| text.parse().map_err(Failure::bad_request)).transpose()?,
        sha1: sum(headers, "x-checksum-sha1", 20)?,
        md5: either(sum(headers, "x-checksum-md5", 16)?, sum(headers, "content-md5", 16)?, "MD5")?,
        sha512: sum(headers, "x-checksum-sha512", 64)?,
    })
}

/// Whether the request sends no content: the server has it already, and the checksum names it.
pub fn is_deploy(headers: &HeaderMap) -> Result<bool> {
    let Some(value) = headers.get("x-checksum-deploy") else { return Ok(false) };
    match value.as_bytes() {
        b"true" | b"1" => Ok(true),
        b"false" | b"0" => Ok(false),
        _ => Err(Failure::bad_request("x-checksum-deploy is not true or false")),
    }
}

/// Rejects a body whose announced size is too large, before any of it is sent.
pub fn check_announced_size(app: &App, expected: &ExpectedChecksums) -> Result<()> {
    let limit = app.house().policy.upload_bytes;
    match expected.size.filter(|size| *size > limit) {
        Some(size) => {
            let reason = format!("The content has {size} bytes; the limit is {limit}");
            Err(Failure::new(StatusCode::PAYLOAD_TOO_LARGE, reason))
        }
        None => Ok(()),
    }
}

/// A checksum, given as hexadecimal digits or as base64, in lower-case hexadecimal digits.
fn sum(headers: &HeaderMap, name: &str, bytes: usize) -> Result<Option<String>> {
    let mut values = headers.get_all(name).iter();
    let Some(value) = values.next() else { return Ok(None) };
    if values.any(|other| other != value) {
        return Err(Failure::bad_request(format!("{name} was given several times with different values")));
    }
    let read = read(value, bytes);
    read.map(Some).ok_or_else(|| Failure::bad_request(format!("{name} is not a checksum of {bytes} bytes")))
}

fn read(value: &HeaderValue, bytes: usize) -> Option<String> {
    let text = value.to_str().ok()?.trim();
    if text.len() == bytes * 2 && text.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return Some(text.to_ascii_lowercase());
    }
    BASE64_STANDARD.decode(text).ok().filter(|decoded| decoded.len() == bytes).map(|decoded| hex(&decoded))
}

fn either(one: Option<String>, other: Option<String>, name: &str) -> Result<Option<String>> {
    match (&one, &other) {
        (Some(one), Some(other)) if one != other => {
            Err(Failure::bad_request(format!("The headers give two different {name} checksums")))
        }
        _ => Ok(one.or(other)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(pairs: &[(&'static str, &'static str)]) -> Result<ExpectedChecksums> {
        expected(&HeaderMap::from_iter(
            pairs.iter().map(|(name, value)| (name.parse().expect("a name"), HeaderValue::from_static(value))),
        ))
    }

    #[test]
    fn md5_comes_as_digits_or_base64() {
        let digits = Some("5d41402abc4b2a76b9719d911017c592".to_owned());
        assert_eq!(with(&[("content-md5", "5D41402ABC4B2A76B9719D911017C592")]).expect("digits").md5, digits);
        assert_eq!(with(&[("content-md5", "XUFAKrxLKna5cZ2REBfFkg==")]).expect("base64").md5, digits);
    }

    #[test]
    fn what_is_no_checksum_is_refused() {
        assert!(with(&[("x-checksum-sha1", "abc")]).is_err());
        assert!(with(&[("x-checksum-sha2", "XUFAKrxLKna5cZ2REBfFkg==")]).is_err());
        let two = [
            ("content-md5", "5d41402abc4b2a76b9719d911017c592"),
            ("x-checksum-md5", "00000000000000000000000000000000"),
        ];
        assert!(with(&two).is_err());
    }
}
