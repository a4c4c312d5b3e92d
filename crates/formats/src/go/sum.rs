//! The `h1:` sums of go.sum.

use base64::{Engine, engine::general_purpose::STANDARD};
use sha2::{Digest, Sha256};

/// The sum over files, each with its name and SHA-256: the whole name for a zip, `go.mod` for a go.mod.
pub fn h1(files: &[(String, [u8; 32])]) -> String {
    let mut sorted: Vec<&(String, [u8; 32])> = files.iter().collect();
    sorted.sort();
    let mut hash = Sha256::new();
    for (name, sha256) in sorted {
        let hex: String = sha256.iter().map(|byte| format!("{byte:02x}")).collect();
        hash.update(format!("{hex}  {name}\n"));
    }
    format!("h1:{}", STANDARD.encode(hash.finalize()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sum of `golang.org/x/mod/sumdb/dirhash`.
    #[test]
    fn the_sum_is_that_of_go() {
        let sha256 = Sha256::digest(b"module example.com/a\n").into();
        assert_eq!(h1(&[("go.mod".to_owned(), sha256)]), "h1:NeOsx/KTizj35klXP3wYh3O0751aAtYrRoX+a6YAye8=");
    }

    #[test]
    fn the_order_of_files_does_not_count() {
        let (a, b) = (("a".to_owned(), [1; 32]), ("b".to_owned(), [2; 32]));
        assert_eq!(h1(&[a.clone(), b.clone()]), h1(&[b, a]));
    }
}
