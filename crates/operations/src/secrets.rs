//! The master key and the secrets derived from it. They are never printed.

use std::{fmt, fs, io, path::Path};

use hkdf::Hkdf;
use hmac::{Hmac, KeyInit, Mac};
use model::{
    api_key::ApiKey,
    digest::hex,
    id::{KeyId, SubjectId},
};
use sha2::Sha256;
use zeroize::Zeroizing;

use crate::{
    Entropy, Error, Result,
    sealing::{Seal, SealContext},
};

/// Secrets derived from the master key of 32 bytes, which protects everything secret at rest.
pub struct Secrets {
    /// Mixed into every key's hash, so that a stolen database alone reveals no key.
    pepper: [u8; 32],
    /// Mixed into the passwords of access keys, for the same reason.
    access_key_pepper: [u8; 32],
    /// Mixed into the tokens of sessions, for the same reason.
    session_pepper: [u8; 32],
    /// Derives the keys of signed URLs.
    url_keys: [u8; 32],
    /// Authenticates the tokens of forms.
    form_key: [u8; 32],
    /// Authenticates the tokens of native clients.
    token_key: [u8; 32],
    /// Authenticates the URLs of images that readmes name.
    image_key: [u8; 32],
    /// Seals secrets that have to be read again.
    seal: Seal,
    /// Distinguishes a wrong master key from the right one without revealing anything about it.
    fingerprint: [u8; 32],
}

impl Secrets {
    /// Derives the secrets from a master key.
    pub fn from_master_key(master: &[u8; 32]) -> Self {
        let derive = Hkdf::<Sha256>::new(None, master);
        let secret = |purpose: &str| {
            let mut out = [0; 32];
            derive.expand(purpose.as_bytes(), &mut out).expect("32 bytes are within what HKDF gives");
            out
        };
        Self {
            pepper: secret("packhouse api key pepper v1"),
            access_key_pepper: secret("packhouse access key pepper v1"),
            session_pepper: secret("packhouse session pepper v1"),
            url_keys: secret("packhouse signed url keys v1"),
            form_key: secret("packhouse form key v1"),
            token_key: secret("packhouse client tokens v1"),
            image_key: secret("packhouse readme images v1"),
            seal: Seal::new(Zeroizing::new(secret("packhouse sealed columns v1"))),
            fingerprint: secret("packhouse master key fingerprint v1"),
        }
    }

    /// Reads the master key's file, or creates it for a house that has none yet.
    pub fn from_file(path: &Path, is_new_house: bool, entropy: &Entropy) -> Result<Self> {
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound && is_new_house => create(path, entropy)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(problem(path, &"it is missing, and the database was made with one; restore it"));
            }
            Err(error) => return Err(problem(path, &error)),
        };
        let master = text
            .trim()
            .parse::<model::digest::Digest>()
            .map_err(|_| problem(path, &"it must hold 64 hexadecimal digits"))?;
        let distinct = master.as_bytes().iter().collect::<std::collections::HashSet<_>>().len();
        if distinct < 8 {
            return Err(problem(path, &"it looks like a sample, not like a random key"));
        }
        Ok(Self::from_master_key(master.as_bytes()))
    }

    /// Returns the hash of an API key that the database stores.
    pub fn hash_key(&self, key: &ApiKey) -> String {
        hex(&mac(&self.pepper, key.expose().as_bytes()))
    }

    /// Returns the stored hash of the password of the access key with this id: the hash of another key cannot replace
    /// it.
    pub(crate) fn hash_password(&self, key_id: KeyId, password: &ApiKey) -> String {
        hex(&mac(&mac(&self.access_key_pepper, &key_id.get().to_be_bytes()), password.expose().as_bytes()))
    }

    /// Returns the stored hash of the token of a session.
    pub(crate) fn hash_session(&self, token: &str) -> String {
        hex(&mac(&self.session_pepper, token.as_bytes()))
    }

    /// Returns the stored hash of a user's recovery code. The text of a session is hexadecimal, so none is the same.
    pub(crate) fn hash_recovery_code(&self, user_id: SubjectId, code: &str) -> String {
        hex(&mac(&self.session_pepper, format!("recovery code {} {code}", user_id.get()).as_bytes()))
    }

    /// Returns the stored hash of the secret of an invitation. The text of a session is hexadecimal, so none is the same.
    pub(crate) fn hash_invitation(&self, secret: &str) -> String {
        hex(&mac(&self.session_pepper, format!("invitation {secret}").as_bytes()))
    }

    /// Signs a statement about a subject's file, with the subject's key of this generation.
    pub(crate) fn sign_url(&self, subject_id: SubjectId, generation: i64, said: &[u8]) -> [u8; 32] {
        let mut purpose = subject_id.get().to_be_bytes().to_vec();
        purpose.extend_from_slice(&generation.to_be_bytes());
        mac(&mac(&self.url_keys, &purpose), said)
    }

    /// Returns the token of a form, which cannot be forged.
    pub(crate) fn form_token(&self, said: &str) -> String {
        hex(&mac(&self.form_key, said.as_bytes()))
    }

    /// Signs the statement of a token that a native client gets.
    pub(crate) fn sign_token(&self, said: &str) -> [u8; 32] {
        mac(&self.token_key, said.as_bytes())
    }

    /// Signs the URL of an image that a readme names.
    pub(crate) fn sign_image(&self, url: &str) -> String {
        hex(&mac(&self.image_key, url.as_bytes())[..16])
    }

    /// Returns whether two signatures are the same, in a time that does not reveal where they differ.
    pub(crate) fn is_same(&self, one: &[u8], other: &[u8]) -> bool {
        mac(&self.url_keys, one) == mac(&self.url_keys, other)
    }

    /// Seals a secret that has to be read again, for this location only.
    pub(crate) fn seal(&self, place: SealContext, secret: &[u8], entropy: &Entropy) -> Result<String> {
        self.seal.close(place, secret, entropy)
    }

    /// Unseals the secret of this location.
    pub(crate) fn unseal(&self, place: SealContext, sealed: &str) -> Result<Zeroizing<Vec<u8>>> {
        self.seal.open(place, sealed)
    }

    /// The peppers of the hashes in the database. They outlive the master key that they were derived from: hashes
    /// cannot be recomputed without the secrets themselves.
    pub(crate) fn peppers(&self) -> Zeroizing<Vec<u8>> {
        Zeroizing::new([self.pepper, self.access_key_pepper, self.session_pepper].concat())
    }

    /// Returns these secrets with the peppers of an earlier master key.
    pub(crate) fn with_peppers(self, peppers: &[u8]) -> Result<Self> {
        let damaged = || Error::Internal("the peppers that were carried over are damaged".into());
        let (parts, rest) = peppers.as_chunks::<32>();
        let [pepper, access_key_pepper, session_pepper] = *parts else { return Err(damaged()) };
        if !rest.is_empty() {
            return Err(damaged());
        }
        Ok(Self { pepper, access_key_pepper, session_pepper, ..self })
    }

    /// Returns the fingerprint that the database stores to recognize the master key.
    pub fn fingerprint(&self) -> String {
        hex(&self.fingerprint)
    }
}

fn mac(key: &[u8], said: &[u8]) -> [u8; 32] {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes keys of any length");
    mac.update(said);
    mac.finalize().into_bytes().into()
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secrets(hidden)")
    }
}

/// Writes a new master key, replacing one that an earlier attempt may have left.
pub(crate) fn renew(path: &Path, entropy: &Entropy) -> Result<Secrets> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(problem(path, &error)),
        _ => {}
    }
    create(path, entropy)?;
    Secrets::from_file(path, false, entropy)
}

/// Writes a new master key: complete and durable before it gets its name, and readable by its owner only.
fn create(path: &Path, entropy: &Entropy) -> Result<String> {
    use std::{io::Write, os::unix::fs::OpenOptionsExt};
    let key = hex(&entropy.bytes());
    let unnamed = path.with_extension("key.new");
    let folder = path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    let written = (|| {
        let mut file = fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&unnamed)?;
        writeln!(file, "{key}")?;
        file.sync_all()?;
        // A link, not a rename: a key that another process has just created is not replaced.
        fs::hard_link(&unnamed, path)?;
        fs::remove_file(&unnamed)?;
        fs::File::open(folder)?.sync_all()
    })();
    written.map_err(|error: io::Error| problem(path, &error))?;
    Ok(key)
}

fn problem(path: &Path, reason: &dyn fmt::Display) -> Error {
    Error::Internal(format!("master key file {}: {reason}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_made_once_and_read_again() {
        let folder = std::env::temp_dir().join(format!("packhouse-secrets-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("made");
        let file = folder.join("master.key");
        let first = Secrets::from_file(&file, true, &Entropy::seeded(1)).expect("made");
        let second = Secrets::from_file(&file, true, &Entropy::seeded(2)).expect("read");
        assert_eq!(first.fingerprint(), second.fingerprint());
        for bad in ["", "abc", &"0".repeat(64)] {
            fs::write(&file, bad).expect("written");
            assert!(Secrets::from_file(&file, true, &Entropy::seeded(1)).is_err(), "{bad}");
        }
        fs::remove_file(&file).expect("removed");
        assert!(Secrets::from_file(&file, false, &Entropy::seeded(1)).is_err());
        assert!(!file.exists());
        fs::remove_dir_all(&folder).expect("removed");
    }

    #[test]
    fn another_pepper_gives_another_hash() {
        let key = ApiKey::presented("secret");
        let (one, two) = (Secrets::from_master_key(&[1; 32]), Secrets::from_master_key(&[2; 32]));
        assert_ne!(one.hash_key(&key), two.hash_key(&key));
        assert_eq!(one.hash_key(&key).len(), 64);
    }
}
