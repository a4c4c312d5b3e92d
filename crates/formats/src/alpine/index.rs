//! APKINDEX: its entries, and the tar and the signature around them.

use super::inspect::ApkFacts;
use crate::{indexed::IndexedFile, tar_text};

/// The entry of a package in the index of an architecture's folder, with the empty line at its end.
pub fn entry(facts: &ApkFacts, architecture: &str, file: &IndexedFile<'_>) -> String {
    let mut text = String::new();
    let mut line = |key: char, value: &str| {
        if !value.is_empty() {
            text.push(key);
            text.push(':');
            text.extend(value.chars().map(|character| if character.is_control() { ' ' } else { character }));
            text.push('\n');
        }
    };
    line('C', &facts.checksum);
    line('P', &facts.name);
    line('V', &facts.version);
    // Clients append the architecture to the repository's URL, so that of `noarch` packages is the folder's.
    line('A', architecture);
    line('S', &file.size_bytes.to_string());
    line('I', &facts.installed_bytes.to_string());
    facts.values.iter().for_each(|(key, value)| line(*key, value));
    line('D', &facts.depends.join(" "));
    line('p', &facts.provides.join(" "));
    line('i', &facts.install_if.join(" "));
    text.push('\n');
    text
}

/// The entries of a block.
pub fn block<'a>(architecture: &str, files: impl IntoIterator<Item = (&'a ApkFacts, IndexedFile<'a>)>) -> String {
    files.into_iter().map(|(facts, file)| entry(facts, architecture, &file)).collect()
}

/// The start of the index's tar: `DESCRIPTION` and the header of `APKINDEX`, whose content of this size follows.
/// `at` is in milliseconds since the start of 1970.
pub fn before(description: &str, index_bytes: u64, at: i64) -> Vec<u8> {
    let seconds = at.div_euclid(1_000);
    let mut tar = tar_text::entry("DESCRIPTION", description.as_bytes(), seconds);
    tar.extend(tar_text::header("APKINDEX", index_bytes, seconds));
    tar
}

/// The end of the index's tar, after content of this size.
pub fn after(index_bytes: u64) -> Vec<u8> {
    [tar_text::padding(index_bytes), &tar_text::END].concat()
}

/// The digest of a signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignatureDigest {
    /// SHA-1, which every apk accepts.
    Sha1,
    /// SHA-256, which only new ones do.
    Sha256,
}

/// The tar of the signature, without an end mark: compressed, it comes before the compressed index, whose bytes are
/// signed. `key_name` is the file name of the public key, for example `acme.rsa.pub`.
pub fn signature(key_name: &str, signature: &[u8], digest: SignatureDigest) -> Vec<u8> {
    let kind = match digest {
        SignatureDigest::Sha1 => "RSA",
        SignatureDigest::Sha256 => "RSA256",
    };
    tar_text::entry(&format!(".SIGN.{kind}.{key_name}"), signature, 0)
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::{
        super::{
            inspect::inspect,
            samples::{PKGINFO, apk},
        },
        *,
    };
    use crate::{
        indexed::tests::file,
        readers::{Limits, walk},
    };

    fn facts() -> ApkFacts {
        inspect(&mut Cursor::new(apk(PKGINFO)), &Limits::default(), false).expect("valid")
    }

    #[test]
    fn an_entry_has_its_keys_in_order() {
        let facts = facts();
        let expected = format!(
            "C:{}\nP:hello\nV:1.0-r0\nA:x86_64\nS:1412\nI:4096\nT:greets\nU:https://acme.example\nL:MIT\no:hello\nm:Acme <pkg@acme.example>\nt:1763287200\nc:0f1e\nD:so:libc.musl-x86_64.so.1 !conflicting\np:cmd:hello=1.0-r0\ni:other\n\n",
            facts.checksum
        );
        assert_eq!(entry(&facts, "x86_64", &file("a.apk")), expected);
        assert!(block("armv7", [(&facts, file("a.apk"))]).contains("A:armv7\n"));
        let evil = ApkFacts { values: vec![('T', "a\n\nP:evil".to_owned())], ..facts };
        assert!(entry(&evil, "x86_64", &file("a.apk")).contains("T:a  P:evil\n"));
    }

    #[test]
    fn the_index_is_a_tar() {
        let text = block("x86_64", [(&facts(), file("a.apk"))]);
        let size = text.len() as u64;
        let tar = [before("acme/apk", size, 5_000), text.clone().into_bytes(), after(size)].concat();
        let files = walk::collect(&tar[..], &Limits::default(), &|_| true).expect("valid");
        let expected = [("DESCRIPTION", "acme/apk"), ("APKINDEX", text.as_str())];
        assert_eq!(files, expected.map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec())));
    }

    #[test]
    fn the_signature_continues_with_the_index() {
        let tar = [signature("acme.rsa.pub", b"s", SignatureDigest::Sha1), before("d", 0, 0), after(0)].concat();
        let files = walk::collect(&tar[..], &Limits::default(), &|_| true).expect("valid");
        assert_eq!(files[0].0, ".SIGN.RSA.acme.rsa.pub");
        assert_eq!(files.len(), 3);
        assert!(signature("k", b"", SignatureDigest::Sha256).starts_with(b".SIGN.RSA256.k\0"));
    }
}
