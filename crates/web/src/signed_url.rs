//! The form of signed URLs.

use model::{address::RepoAddress, file_path::FilePath, target::Target};
use operations::downloads::signed_urls::Signature;

use crate::App;

/// The query parameter with the time of expiry.
pub const EXPIRY: &str = "expiry";
/// The query parameter with the signature.
pub const SIGNATURE: &str = "signature";

/// The query of a signed URL.
pub fn query(signature: &Signature) -> String {
    format!("{EXPIRY}={}&{SIGNATURE}={}", signature.expiry, signature.signature)
}

/// The full URL of a file's download with its signature.
pub fn full(app: &App, at: &RepoAddress, file: &FilePath, signature: &Signature) -> String {
    let names = [at.owner.as_str(), at.repo.as_str()].into_iter().chain(file.as_str().split('/'));
    let path = Target { segments: names.map(str::to_owned).collect(), ..Target::default() }.canonical_path();
    format!("{}{path}?{}", app.settings().download_url(), query(signature))
}
