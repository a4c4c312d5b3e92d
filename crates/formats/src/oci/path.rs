//! Paths below `/v2/`, cut from the right, so that an image may be named `blobs` or `tags`.

use super::{
    error::{OciError, OciErrorCode},
    name::ImageName,
    reference::{OciDigest, OciReference},
};

/// The meaning of a path below `/v2/`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OciPath {
    /// `/v2/`: the check of version and credentials.
    Base,
    /// `/v2/token`.
    Token,
    /// `/v2/_catalog`.
    Catalog,
    /// `<name>/manifests/<reference>`.
    Manifest(ImageName, OciReference),
    /// `<name>/blobs/<digest>`.
    Blob(ImageName, OciDigest),
    /// `<name>/blobs/uploads/`: begins an upload.
    Uploads(ImageName),
    /// `<name>/blobs/uploads/<id>`.
    Upload(ImageName, String),
    /// `<name>/tags/list`.
    Tags(ImageName),
    /// `<name>/referrers/<digest>`.
    Referrers(ImageName, OciDigest),
}

impl OciPath {
    /// Parses the decoded path after `/v2/`.
    pub fn parse(path: &str) -> Result<Self, OciError> {
        match path {
            "" => return Ok(Self::Base),
            "token" => return Ok(Self::Token),
            "_catalog" => return Ok(Self::Catalog),
            _ => {}
        }
        if let Some(name) = path.strip_suffix("/blobs/uploads/").or_else(|| path.strip_suffix("/blobs/uploads")) {
            return Ok(Self::Uploads(ImageName::parse(name)?));
        }
        if let Some(name) = path.strip_suffix("/tags/list") {
            return Ok(Self::Tags(ImageName::parse(name)?));
        }
        let (rest, last) = path.rsplit_once('/').ok_or_else(unknown)?;
        if let Some(name) = rest.strip_suffix("/blobs/uploads") {
            return upload(name, last);
        }
        let (name, kind) = rest.rsplit_once('/').ok_or_else(unknown)?;
        match kind {
            "manifests" => Ok(Self::Manifest(ImageName::parse(name)?, OciReference::parse(last)?)),
            "blobs" => Ok(Self::Blob(ImageName::parse(name)?, OciDigest::parse(last)?)),
            "referrers" => Ok(Self::Referrers(ImageName::parse(name)?, OciDigest::parse(last)?)),
            _ => Err(unknown()),
        }
    }

    /// The image that the path is about.
    pub fn name(&self) -> Option<&ImageName> {
        match self {
            Self::Base | Self::Token | Self::Catalog => None,
            Self::Manifest(name, _)
            | Self::Blob(name, _)
            | Self::Uploads(name)
            | Self::Upload(name, _)
            | Self::Tags(name)
            | Self::Referrers(name, _) => Some(name),
        }
    }
}

fn upload(name: &str, id: &str) -> Result<OciPath, OciError> {
    let name = ImageName::parse(name)?;
    let is_id = (1..=128).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    if !is_id {
        return Err(OciError::new(OciErrorCode::BlobUploadUnknown, "the upload does not exist"));
    }
    Ok(OciPath::Upload(name, id.to_owned()))
}

fn unknown() -> OciError {
    OciError::new(OciErrorCode::NameUnknown, "the path is not part of the registry's API")
}

/// The URL path of a manifest.
pub fn manifest_path(name: &ImageName, reference: &str) -> String {
    format!("/v2/{name}/manifests/{reference}")
}

/// The URL path of a blob.
pub fn blob_path(name: &ImageName, digest: &OciDigest) -> String {
    format!("/v2/{name}/blobs/{}", digest.as_str())
}

/// The URL path of an upload.
pub fn upload_path(name: &ImageName, id: &str) -> String {
    format!("/v2/{name}/blobs/uploads/{id}")
}

/// The repository's file for a manifest: by its tag or by its digest.
pub fn manifest_file(image: &str, reference: &OciReference) -> String {
    format!("{image}/manifests/{}", reference.as_str())
}

/// The repository's file for a blob.
pub fn blob_file(image: &str, digest: &OciDigest) -> String {
    format!("{image}/blobs/{}", digest.as_str())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn name(text: &str) -> ImageName {
        ImageName::parse(text).expect("a name")
    }

    fn digest() -> OciDigest {
        OciDigest::parse(&format!("sha256:{}", "ab".repeat(32))).expect("a digest")
    }

    #[test]
    fn paths_are_cut_from_the_right() {
        let digest = digest();
        let tag = OciReference::parse("v1").expect("a tag");
        for (path, expected) in [
            (String::new(), OciPath::Base),
            ("token".to_owned(), OciPath::Token),
            ("_catalog".to_owned(), OciPath::Catalog),
            ("a/b/c/manifests/v1".to_owned(), OciPath::Manifest(name("a/b/c"), tag.clone())),
            ("a/b/blobs/manifests/v1".to_owned(), OciPath::Manifest(name("a/b/blobs"), tag)),
            (format!("a/b/c/blobs/{}", digest.as_str()), OciPath::Blob(name("a/b/c"), digest.clone())),
            ("a/b/c/blobs/uploads/".to_owned(), OciPath::Uploads(name("a/b/c"))),
            ("a/b/c/blobs/uploads".to_owned(), OciPath::Uploads(name("a/b/c"))),
            ("a/b/c/blobs/uploads/0a-1".to_owned(), OciPath::Upload(name("a/b/c"), "0a-1".to_owned())),
            ("a/b/tags/tags/list".to_owned(), OciPath::Tags(name("a/b/tags"))),
            (format!("a/b/c/referrers/{}", digest.as_str()), OciPath::Referrers(name("a/b/c"), digest.clone())),
        ] {
            assert_eq!(OciPath::parse(&path), Ok(expected), "{path}");
        }
    }

    #[test]
    fn other_paths_are_refused() {
        for (path, code) in [
            ("a/b/c", OciErrorCode::NameUnknown),
            ("a/b/c/d/e", OciErrorCode::NameUnknown),
            ("a/b/manifests/v1", OciErrorCode::NameInvalid),
            ("a/b/C/manifests/v1", OciErrorCode::NameInvalid),
            ("a/b/../c/manifests/v1", OciErrorCode::NameInvalid),
            ("a/b/c/blobs/sha256:..", OciErrorCode::DigestInvalid),
            ("a/b/c/blobs/uploads/..", OciErrorCode::BlobUploadUnknown),
        ] {
            assert_eq!(OciPath::parse(path).expect_err(path).code, code, "{path}");
        }
    }

    proptest! {
        #[test]
        fn written_paths_are_parsed(image in "[a-z]{1,5}(/(blobs|uploads|tags|list|manifests|[a-z]{1,5})){0,4}") {
            let name = name(&format!("a/b/{image}"));
            let cut = |path: &str| OciPath::parse(path.strip_prefix("/v2/").expect("below /v2/"));
            let tag = OciReference::parse("list").expect("a tag");
            let manifest = cut(&manifest_path(&name, "list"));
            prop_assert_eq!(manifest, Ok(OciPath::Manifest(name.clone(), tag)));
            prop_assert_eq!(cut(&blob_path(&name, &digest())), Ok(OciPath::Blob(name.clone(), digest())));
            prop_assert_eq!(cut(&upload_path(&name, "ab")), Ok(OciPath::Upload(name, "ab".to_owned())));
        }
    }
}
