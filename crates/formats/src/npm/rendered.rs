//! The facts about a tarball in the form in which they are stored: the manifest is rendered once, when the tarball
//! arrives, so that documents of many versions are put together as text.

use serde_json::{Map, Value};

use super::inspect::NpmFacts;

/// Keys of a version in the abbreviated form, besides `dist` and `deprecated`.
const ABBREVIATED: &[&str] = &[
    "name",
    "version",
    "dependencies",
    "optionalDependencies",
    "devDependencies",
    "bundleDependencies",
    "peerDependencies",
    "peerDependenciesMeta",
    "bin",
    "directories",
    "engines",
    "os",
    "cpu",
    "libc",
    "hasInstallScript",
    "funding",
    "_hasShrinkwrap",
];

/// Stored facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RenderedFacts<'a> {
    /// The number of files.
    pub file_count: u64,
    /// The size of all files.
    pub unpacked_bytes: u64,
    /// The manifest: an object without its end.
    pub full: &'a str,
    /// The keys of the manifest that the abbreviated form has: an object without its end.
    pub abbreviated: &'a str,
}

impl NpmFacts {
    /// Renders the facts for the database: a line of numbers, and the two forms of the manifest.
    pub fn encode(&self) -> Vec<u8> {
        let full = open_object(&self.manifest);
        let mut short = self.manifest.clone();
        short.retain(|key, _| ABBREVIATED.contains(&key.as_str()));
        let abbreviated = open_object(&short);
        format!("{} {} {}\n{full}{abbreviated}", self.file_count, self.unpacked_bytes, full.len()).into_bytes()
    }
}

impl<'a> RenderedFacts<'a> {
    /// Reads stored facts.
    pub fn decode(about: &'a [u8]) -> Result<Self, String> {
        str::from_utf8(about).ok().and_then(Self::split).ok_or_else(|| "the stored facts are damaged".to_owned())
    }

    fn split(text: &'a str) -> Option<Self> {
        let (head, forms) = text.split_once('\n')?;
        let mut numbers = head.split(' ');
        let (files, bytes, length) = (numbers.next()?, numbers.next()?, numbers.next()?);
        let (full, abbreviated) = forms.split_at_checked(length.parse().ok()?)?;
        Some(Self { file_count: files.parse().ok()?, unpacked_bytes: bytes.parse().ok()?, full, abbreviated })
    }

    /// Parses the manifest.
    pub fn manifest(&self) -> Result<Map<String, Value>, String> {
        let closed = format!("{}}}", self.full);
        serde_json::from_str(&closed).map_err(|error| format!("the stored facts are damaged: {error}"))
    }
}

/// An object as text without its last brace. It has a key at least: the name.
fn open_object(map: &Map<String, Value>) -> String {
    let mut text = serde_json::to_string(map).expect("an object has text keys");
    text.pop();
    text
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn damaged_facts_are_reported() {
        for bad in ["", "1 2", "1 2 9\n{", "1 2 x\n{}", "1 2 1\nä"] {
            assert!(RenderedFacts::decode(bad.as_bytes()).is_err(), "{bad}");
        }
        assert!(RenderedFacts::decode(b"1 2 1\n\xff").is_err());
        assert!(RenderedFacts::decode(b"1 2 1\n[{").expect("two forms").manifest().is_err());
    }

    proptest! {
        #[test]
        fn facts_are_read_as_they_were_written(description in "\\PC{0,30}", key in "[a-z]{1,9}", file_count: u64) {
            let manifest = json!({ "name": "a", "version": "1.0.0", "description": description, "dependencies": { key: "1" } });
            let facts = NpmFacts {
                manifest: manifest.as_object().expect("an object").clone(),
                file_count,
                unpacked_bytes: 7,
            };
            let about = facts.encode();
            let rendered = RenderedFacts::decode(&about).expect("readable");
            prop_assert_eq!((rendered.file_count, rendered.unpacked_bytes), (file_count, 7));
            prop_assert_eq!(rendered.manifest(), Ok(facts.manifest.clone()));
            let short: Value = serde_json::from_str(&format!("{}}}", rendered.abbreviated)).expect("JSON");
            prop_assert_eq!(short.as_object().expect("an object").len(), 3);
        }
    }
}
