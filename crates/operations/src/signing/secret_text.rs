//! Secrets that callers send.

use zeroize::Zeroizing;

/// A passphrase or a private key in plain text. It has no `Debug` and no `Display`, and is wiped when it is dropped.
#[derive(Clone)]
pub struct SecretText(Zeroizing<String>);

impl SecretText {
    /// A secret as a caller presents it.
    pub fn presented(text: String) -> Self {
        Self(Zeroizing::new(text))
    }

    pub(super) fn expose(&self) -> &str {
        &self.0
    }
}
