//! Converts the errors of a bucket, according to their meaning for the caller.

use object_store::{Error as StoreError, path::Path};

use crate::error::Error;

/// Converts the error of a result.
pub(super) fn unless_ok<T>(doing: &str, path: &Path, result: Result<T, StoreError>) -> Result<T, Error> {
    result.map_err(|error| translate(doing, path, error))
}

/// Converts the error of a result; a missing object becomes `None`.
pub(super) fn found<T>(doing: &str, path: &Path, result: Result<T, StoreError>) -> Result<Option<T>, Error> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if is_missing_object(&error) => Ok(None),
        Err(error) => Err(translate(doing, path, error)),
    }
}

/// Returns whether an object is missing. A missing bucket has the same status, but is a different error.
fn is_missing_object(error: &StoreError) -> bool {
    matches!(error, StoreError::NotFound { source, .. } if !source.to_string().contains("NoSuchBucket"))
}

fn translate(doing: &str, path: &Path, error: StoreError) -> Error {
    let doing = format!("{doing} `{path}`");
    // The client library does not expose the status, so it is read from the text.
    let text = error.to_string();
    let has_status = |status: &str| text.contains(&format!("status code: {status}"));
    let source = error.into();
    if has_status("507") {
        Error::Full { doing, source }
    } else if has_status("4") && !has_status("408") && !has_status("429") {
        Error::Broken { doing, source }
    } else {
        Error::Unavailable { doing, source }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An error in the wording of the client library.
    fn answered(status: &str) -> Error {
        let text = format!("Error performing PUT in 1ms - Server returned non-2xx status code: {status}: <Error/>");
        translate("putting", &Path::from("x"), StoreError::Generic { store: "S3", source: text.into() })
    }

    #[test]
    fn a_status_says_whether_trying_again_helps() {
        assert!(matches!(answered("507 Insufficient Storage"), Error::Full { .. }));
        assert!(matches!(answered("503 Service Unavailable"), Error::Unavailable { .. }));
        assert!(matches!(answered("429 Too Many Requests"), Error::Unavailable { .. }));
        assert!(matches!(answered("403 Forbidden"), Error::Broken { .. }));
    }

    #[test]
    fn a_missing_bucket_is_no_missing_blob() {
        let missing = |code: &str| StoreError::NotFound { path: "x".to_owned(), source: code.into() };
        let path = Path::from("x");
        assert!(matches!(found::<()>("getting", &path, Err(missing("NoSuchKey"))), Ok(None)));
        assert!(found::<()>("getting", &path, Err(missing("NoSuchBucket"))).is_err());
    }
}
