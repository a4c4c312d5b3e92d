//! The entries of PACKAGES.

use super::{inspect::CranFacts, version};
use crate::{indexed::IndexedFile, readers::deb822::write_field};

/// The entry of a package, with the empty line at its end.
pub fn entry(facts: &CranFacts, file: &IndexedFile<'_>) -> String {
    let mut text = String::new();
    let is_after_digest = |name: &str| matches!(name, "NeedsCompilation" | "Built");
    let (after, before): (Vec<_>, Vec<_>) = facts.fields.iter().partition(|(name, _)| is_after_digest(name));
    before.iter().for_each(|(name, value)| write_field(&mut text, name, value));
    if let Some(md5) = file.md5 {
        write_field(&mut text, "MD5sum", md5);
    }
    after.iter().for_each(|(name, value)| write_field(&mut text, name, value));
    // Clients compute the name of a file, so one that differs must be written.
    let stem = format!("{}_{}", facts.package, facts.version);
    let extension = file.name().strip_prefix(&stem);
    if extension.is_none_or(|extension| !matches!(extension, ".tar.gz" | ".tgz" | ".zip")) {
        write_field(&mut text, "File", file.name());
    }
    text.push('\n');
    text
}

/// The entry of a name: that of its newest version. Of equal versions, the last one counts.
pub fn newest_entry<'a>(versions: &[(&'a CranFacts, IndexedFile<'a>)]) -> Option<String> {
    let newest = versions.iter().max_by(|(left, _), (right, _)| version::compare(&left.version, &right.version))?;
    Some(entry(newest.0, &newest.1))
}

#[cfg(test)]
mod tests {
    use super::{
        super::inspect::tests::{DESCRIPTION, look, package},
        *,
    };
    use crate::{indexed::tests::file, readers::deb822::Stanza};

    #[test]
    fn an_entry_has_its_fields_in_order() {
        let facts = look(package(DESCRIPTION.as_bytes())).expect("valid");
        let expected = "Package: hellotiny\nVersion: 1.0\nDepends: R (>= 4.0)\nImports: utils, stats\n\
            License: MIT + file LICENSE\nMD5sum: 5d41\nNeedsCompilation: no\n\n";
        assert_eq!(entry(&facts, &file("src/contrib/hellotiny_1.0.tar.gz")), expected);
        let other = entry(&facts, &file("src/contrib/other.tar.gz"));
        assert_eq!(Stanza::parse(other.as_bytes()).expect("one stanza").get("File"), Some("other.tar.gz"));
    }

    #[test]
    fn only_the_newest_version_is_listed() {
        let of = |version: &str| {
            let text = DESCRIPTION.replace("Version: 1.0", &format!("Version: {version}"));
            look(package(text.as_bytes())).expect("valid")
        };
        let (old, new) = (of("1.9"), of("1.10"));
        let text = newest_entry(&[(&new, file("hellotiny_1.10.tar.gz")), (&old, file("hellotiny_1.9.tar.gz"))]);
        assert!(text.expect("an entry").contains("Version: 1.10\n"));
        assert_eq!(newest_entry(&[]), None);
    }
}
