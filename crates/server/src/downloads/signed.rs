//! Downloads by signed URL: no credentials, one file, until the URL expires.

use std::sync::Arc;

use model::{file_path::FilePath, id::KeyId, target::Target, timestamp::Timestamp};
use operations::{
    Caller,
    downloads::{
        ResolvedFile,
        signed_urls::{self, Signature, SignedDownload},
    },
};
use web::{
    App,
    error::Result,
    signed_url::{EXPIRY, SIGNATURE, query},
};

use super::handler::address;

/// The contents of a signed URL besides the file.
pub(super) struct Signed {
    /// When it expires.
    pub(super) until: Timestamp,
    /// The name that its maker gave it.
    pub(super) callback_id: Option<Arc<str>>,
    /// The id of the access key that made it.
    pub(super) maker_key_id: Option<KeyId>,
    /// The query, if it has the exact form that this server writes: only then may the response be cached.
    pub(super) query: Option<String>,
}

/// Whether the URL claims to be signed. Such a URL is either valid or rejected: credentials are not considered.
pub(crate) fn is_signed(target: &Target) -> bool {
    target.query.iter().any(|(name, _)| name == SIGNATURE)
}

/// Resolves the file that a signed URL opens.
pub(super) async fn open(app: &App, caller: &Caller, target: &Target) -> Result<(FilePath, ResolvedFile, Signed)> {
    // Parsed first, as every parameter.
    let signature = signature(target)?;
    // A URL that no file can have was never signed.
    let Ok(Some((at, Some(path)))) = address(target) else { return Err(signed_urls::refused().into()) };
    let signature = signature.ok_or_else(signed_urls::refused)?;
    let opened = signed_urls::find(app.house(), caller, &at, &path, &signature).await?;
    let SignedDownload { file, until, callback_id, maker_key_id } = opened;
    let is_ours =
        matches!(target.query.as_slice(), [(first, _), (second, _)] if first == EXPIRY && second == SIGNATURE);
    let query = is_ours.then(|| query(&signature));
    Ok((path, file, Signed { until, callback_id: callback_id.map(Arc::from), maker_key_id, query }))
}

/// The signature, if it can be valid: the number is in canonical form and the path has no matrix parameters. A repeated
/// parameter counts once; with different values it is rejected.
fn signature(target: &Target) -> Result<Option<Signature>> {
    let (Some(expiry), Some(signature)) = (target.query(EXPIRY)?, target.query(SIGNATURE)?) else { return Ok(None) };
    let number = expiry.parse().ok().filter(|number: &i64| number.to_string() == expiry && target.matrix.is_empty());
    Ok(number.map(|expiry| Signature { expiry, signature: signature.to_owned() }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(path: &str, query: &str) -> Option<(i64, String)> {
        let target = Target::parse(path, query).expect("well formed");
        signature(&target).expect("clear").map(|read| (read.expiry, read.signature))
    }

    #[test]
    fn a_signature_is_read_in_one_way() {
        assert_eq!(read("/dl/a/b/c", "expiry=17&signature=x"), Some((17, "x".to_owned())));
        assert_eq!(read("/dl/a/b/c", "signature=x&utm=1&expiry=17"), Some((17, "x".to_owned())));
        for bad in [
            "signature=x",
            "expiry=&signature=x",
            "expiry=017&signature=x",
            "expiry=%2B17&signature=x",
            "expiry=17.0&signature=x",
            "expiry=-0&signature=x",
            "expiry=17%20&signature=x",
            "expiry=9223372036854775808&signature=x",
        ] {
            assert_eq!(read("/dl/a/b/c", bad), None, "{bad}");
        }
        assert_eq!(read("/dl/a/b/c;x=1", "expiry=17&signature=x"), None);
    }

    #[test]
    fn a_parameter_that_is_repeated_counts_once() {
        let same = "expiry=17&signature=x&expiry=17&signature=x";
        assert_eq!(read("/dl/a/b/c", same), Some((17, "x".to_owned())));
        for other in ["expiry=17&signature=x&expiry=18", "expiry=17&signature=x&signature=y", "signature=x&signature="]
        {
            let target = Target::parse("/dl/a/b/c", other).expect("well formed");
            assert!(signature(&target).is_err(), "{other}");
        }
    }
}
