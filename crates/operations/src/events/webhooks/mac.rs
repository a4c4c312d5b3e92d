//! Signatures that prove the origin of a callback to its receiver.

use base64::{Engine, prelude::BASE64_STANDARD};
use hmac::{Hmac, KeyInit, Mac};
use md5::Md5;
use model::api_key::ApiKey;
use sha2::Sha256;
use zeroize::Zeroizing;

/// The prefix of a secret's text, so that scanners find it.
const PREFIX: &str = "whsec_";

/// Computes the header of the contract (Events, Header): HMAC-MD5 with the API key, over the package's name, in base64.
pub(super) fn of_package(key: &ApiKey, package: &str) -> String {
    let mut mac = Hmac::<Md5>::new_from_slice(key.expose().as_bytes()).expect("HMAC takes keys of any length");
    mac.update(package.as_bytes());
    BASE64_STANDARD.encode(mac.finalize().into_bytes())
}

/// Computes the signature of a callback, as defined by Standard Webhooks.
pub(super) fn signature(secret: &[u8], id: &str, seconds: i64, body: &str) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret).expect("HMAC takes keys of any length");
    mac.update(format!("{id}.{seconds}.{body}").as_bytes());
    format!("v1,{}", BASE64_STANDARD.encode(mac.finalize().into_bytes()))
}

/// Formats a secret as Standard Webhooks does.
pub(super) fn text(secret: &[u8]) -> Zeroizing<String> {
    Zeroizing::new(format!("{PREFIX}{}", BASE64_STANDARD.encode(secret)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_is_the_one_that_receivers_know() {
        let header = of_package(&ApiKey::presented("secret"), "reactive-maps-backend-summary");
        assert_eq!(header, "GnNDrC0VQ0CN1qbWFgnvLw==");
    }

    #[test]
    fn signatures_are_those_of_standard_webhooks() {
        let secret = BASE64_STANDARD.decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").expect("base64");
        assert_eq!(text(&secret).as_str(), "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
        let signed = signature(&secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, r#"{"test": 2432232314}"#);
        assert_eq!(signed, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }
}
