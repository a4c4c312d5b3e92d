//! Provenance files: the signed text names the chart and its digest.

use crate::readers::{Content, quoted};

/// The maximum size of a provenance file.
const MAX_BYTES: u64 = 256 << 10;

/// The beginning of a provenance file.
const BEGIN: &str = "-----BEGIN PGP SIGNED MESSAGE-----";

/// Reads a provenance file; `None` if the content is something else.
pub fn read(content: &mut dyn Content) -> Result<Option<String>, String> {
    let unreadable = |error: std::io::Error| format!("the content is unreadable: {error}");
    content.rewind().map_err(unreadable)?;
    let mut bytes = Vec::new();
    if content.size() <= MAX_BYTES {
        content.read_to_end(&mut bytes).map_err(unreadable)?;
        content.rewind().map_err(unreadable)?;
    }
    Ok(String::from_utf8(bytes).ok().filter(|text| text.trim_start().starts_with(BEGIN)))
}

/// The file name and the digest of the chart that a provenance file is about.
pub fn chart(text: &str) -> Option<(&str, &str)> {
    let signed = text.split("-----BEGIN PGP SIGNATURE-----").next()?;
    let mut files = signed.lines().filter_map(|line| line.trim().split_once(": sha256:"));
    files.next().map(|(name, digest)| (name.trim_matches('"'), digest))
}

/// Checks that a provenance file is about this chart file. The signature is the client's to verify.
pub fn check(provenance: &[u8], file_name: &str, sha256: &str) -> Result<(), String> {
    let text = str::from_utf8(provenance).map_err(|_| "the provenance file is not UTF-8".to_owned())?;
    if !text.trim_start().starts_with(BEGIN) {
        return Err("the provenance file is not signed".to_owned());
    }
    let signed = text.split("-----BEGIN PGP SIGNATURE-----").next().unwrap_or(text);
    let mut digests = signed.lines().filter_map(|line| line.trim().split_once(": sha256:"));
    let digest = digests.find(|(name, _)| name.trim_matches('"') == file_name).map(|(_, digest)| digest);
    match digest {
        None => Err(format!("the provenance file does not name '{}'", quoted(file_name))),
        Some(digest) if !digest.eq_ignore_ascii_case(sha256) => {
            Err(format!("the provenance file has another digest of '{}'", quoted(file_name)))
        }
        Some(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_provenance_file_is_about_its_chart() {
        let text = "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\nname: ch\n\n...\nfiles:\n  ch-0.1.0.tgz: sha256:9f86\n-----BEGIN PGP SIGNATURE-----\n\nch-0.2.0.tgz: sha256:00\n";
        assert_eq!(chart(text), Some(("ch-0.1.0.tgz", "9f86")));
        let check = |name, digest| check(text.as_bytes(), name, digest);
        assert_eq!(check("ch-0.1.0.tgz", "9F86"), Ok(()));
        assert!(check("ch-0.1.0.tgz", "0000").is_err());
        assert_eq!(check("ch-0.2.0.tgz", "00"), Err("the provenance file does not name 'ch-0.2.0.tgz'".to_owned()));
        assert_eq!(super::check(b"x", "a", "b"), Err("the provenance file is not signed".to_owned()));
    }
}
