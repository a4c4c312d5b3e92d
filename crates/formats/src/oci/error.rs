//! Failures as OCI clients read them.

use serde_json::{Value, json};

/// The codes of the distribution specification, and the one that registries use for a wrong page size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OciErrorCode {
    /// The image has no such blob.
    BlobUnknown,
    /// A chunk does not fit the upload.
    BlobUploadInvalid,
    /// No such upload.
    BlobUploadUnknown,
    /// A digest is malformed or differs from the content.
    DigestInvalid,
    /// A manifest refers to a blob or manifest that the image does not have.
    ManifestBlobUnknown,
    /// A manifest breaks the rules.
    ManifestInvalid,
    /// The image has no such manifest.
    ManifestUnknown,
    /// An image name or a tag breaks the rules.
    NameInvalid,
    /// No such image.
    NameUnknown,
    /// The page size is not a number.
    PaginationNumberInvalid,
    /// A size differs from the content.
    SizeInvalid,
    /// Credentials are missing or wrong.
    Unauthorized,
    /// The caller has no right to do this.
    Denied,
    /// The operation does not exist.
    Unsupported,
    /// Too many requests.
    TooManyRequests,
}

impl OciErrorCode {
    /// Every code.
    pub const ALL: [Self; 15] = [
        Self::BlobUnknown,
        Self::BlobUploadInvalid,
        Self::BlobUploadUnknown,
        Self::DigestInvalid,
        Self::ManifestBlobUnknown,
        Self::ManifestInvalid,
        Self::ManifestUnknown,
        Self::NameInvalid,
        Self::NameUnknown,
        Self::PaginationNumberInvalid,
        Self::SizeInvalid,
        Self::Unauthorized,
        Self::Denied,
        Self::Unsupported,
        Self::TooManyRequests,
    ];

    /// The code as clients read it.
    pub fn name(self) -> &'static str {
        self.row().0
    }

    /// The HTTP status that goes with it.
    pub fn status(self) -> u16 {
        self.row().1
    }

    fn row(self) -> (&'static str, u16) {
        match self {
            Self::BlobUnknown => ("BLOB_UNKNOWN", 404),
            Self::BlobUploadInvalid => ("BLOB_UPLOAD_INVALID", 400),
            Self::BlobUploadUnknown => ("BLOB_UPLOAD_UNKNOWN", 404),
            Self::DigestInvalid => ("DIGEST_INVALID", 400),
            Self::ManifestBlobUnknown => ("MANIFEST_BLOB_UNKNOWN", 404),
            Self::ManifestInvalid => ("MANIFEST_INVALID", 400),
            Self::ManifestUnknown => ("MANIFEST_UNKNOWN", 404),
            Self::NameInvalid => ("NAME_INVALID", 400),
            Self::NameUnknown => ("NAME_UNKNOWN", 404),
            Self::PaginationNumberInvalid => ("PAGINATION_NUMBER_INVALID", 400),
            Self::SizeInvalid => ("SIZE_INVALID", 400),
            Self::Unauthorized => ("UNAUTHORIZED", 401),
            Self::Denied => ("DENIED", 403),
            Self::Unsupported => ("UNSUPPORTED", 405),
            Self::TooManyRequests => ("TOOMANYREQUESTS", 429),
        }
    }
}

/// A failure with its status, code and message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OciError {
    /// The code.
    pub code: OciErrorCode,
    /// The HTTP status; usually that of the code.
    pub status: u16,
    /// What is wrong.
    pub message: String,
    /// The object that the failure is about, for example a digest.
    pub detail: Option<String>,
}

impl OciError {
    /// A failure with the status of its code.
    pub fn new(code: OciErrorCode, message: impl Into<String>) -> Self {
        Self { code, status: code.status(), message: message.into(), detail: None }
    }

    /// The same failure with another status.
    #[must_use]
    pub fn with_status(mut self, status: u16) -> Self {
        self.status = status;
        self
    }

    /// The same failure about an object.
    #[must_use]
    pub fn about(mut self, detail: impl Into<String>) -> Self {
        self.detail = Some(detail.into());
        self
    }

    /// The body of the response.
    pub fn body(&self) -> String {
        body(std::slice::from_ref(self))
    }
}

/// The body of a response with several failures.
pub fn body(errors: &[OciError]) -> String {
    let entry = |error: &OciError| -> Value {
        json!({ "code": error.code.name(), "message": error.message, "detail": error.detail })
    };
    json!({ "errors": errors.iter().map(entry).collect::<Vec<_>>() }).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_lists_the_failures() {
        let error = OciError::new(OciErrorCode::ManifestUnknown, "no \"v1\"\n").about("v1");
        assert_eq!(error.body(), r#"{"errors":[{"code":"MANIFEST_UNKNOWN","detail":"v1","message":"no \"v1\"\n"}]}"#);
        assert_eq!(error.status, 404);
        assert_eq!(error.clone().with_status(413).status, 413);
        assert_eq!(body(&[error.clone(), error]).matches("MANIFEST_UNKNOWN").count(), 2);
    }

    #[test]
    fn codes_are_unique_and_all_are_client_errors() {
        for (position, code) in OciErrorCode::ALL.iter().enumerate() {
            assert!((400..500).contains(&code.status()), "{code:?}");
            assert!(OciErrorCode::ALL[..position].iter().all(|other| other.name() != code.name()), "{code:?}");
        }
    }
}
