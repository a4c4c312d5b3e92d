//! Reads an R package: DESCRIPTION in its top folder.

use serde::{Deserialize, Serialize};

use super::version;
use crate::{
    indexed::matches,
    readers::{
        Content, Limits,
        deb822::Stanza,
        quoted,
        tar::{self, Interest},
        unpack::STREAMED_BYTES,
        zip::Zip,
    },
};

/// The fields that PACKAGES shows, in its order. The digest comes before the last two.
pub(super) const FIELDS: &[&str] = &[
    "Package",
    "Version",
    "Priority",
    "Depends",
    "Imports",
    "LinkingTo",
    "Suggests",
    "Enhances",
    "License",
    "License_is_FOSS",
    "License_restricts_use",
    "OS_type",
    "Archs",
    "NeedsCompilation",
    "Built",
];

/// The facts about an R package.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CranFacts {
    /// The name of the package.
    pub package: String,
    /// The version.
    pub version: String,
    /// The fields of DESCRIPTION that PACKAGES shows, in its order.
    pub fields: Vec<(String, String)>,
}

/// Reads the facts of a source package or a binary: a tar.gz, or a zip for Windows.
pub fn inspect(content: &mut dyn Content, limits: &Limits) -> Result<CranFacts, String> {
    let mut head = [0; 2];
    let is_zip = content.rewind().and_then(|()| content.read_exact(&mut head)).is_ok() && head == *b"PK";
    let (top, description) = if is_zip { of_zip(content, limits)? } else { of_tar(content, limits)? };
    let facts = facts(&description).map_err(|reason| format!("DESCRIPTION: {reason}"))?;
    if top != facts.package {
        return Err(format!("its top folder '{}' is not named like the package '{}'", quoted(&top), facts.package));
    }
    Ok(facts)
}

fn of_tar(content: &mut dyn Content, limits: &Limits) -> Result<(String, Vec<u8>), String> {
    let limits = Limits { bytes: STREAMED_BYTES, ..limits.clone() };
    let wants = |path: &str| if path == "DESCRIPTION" { Interest::Content } else { Interest::Nothing };
    let mut scan = tar::scan(content, &limits, &wants)?;
    let description = scan.take("DESCRIPTION").ok_or("it has no file `DESCRIPTION` in its top folder")?;
    Ok((scan.top, description))
}

fn of_zip(content: &mut dyn Content, limits: &Limits) -> Result<(String, Vec<u8>), String> {
    let zip = Zip::open(content, limits)?;
    let top = zip.names().filter_map(|name| name.strip_suffix("/DESCRIPTION")).find(|top| !top.contains('/'));
    let top = top.ok_or("it has no file `DESCRIPTION` in its top folder")?.to_owned();
    if zip.names().any(|name| !name.starts_with(&format!("{top}/"))) {
        return Err("it has more than one top folder".to_owned());
    }
    let description = zip.read(&format!("{top}/DESCRIPTION"))?.unwrap_or_default();
    Ok((top, description))
}

fn facts(description: &[u8]) -> Result<CranFacts, String> {
    let stanza = Stanza::parse_text(text(description)?.trim_end())?;
    let (package, version) = (stanza.line("Package")?.to_owned(), stanza.line("Version")?.to_owned());
    let is_name =
        matches(&package, |byte| byte.is_ascii_alphabetic(), |byte| byte.is_ascii_alphanumeric() || byte == b'.');
    if !is_name || package.len() < 2 || package.ends_with('.') {
        return Err(format!("'{}' is not the name of an R package", quoted(&package)));
    }
    if !version::is_valid(&version) {
        return Err(format!("'{}' is not the version of an R package", quoted(&version)));
    }
    // Like R's own tool, on one line.
    let joined = |value: &str| value.split_whitespace().collect::<Vec<_>>().join(" ");
    let value = |name: &&str| stanza.get(name).filter(|value| !value.is_empty()).map(joined);
    let fields = FIELDS.iter().filter_map(|name| Some(((*name).to_owned(), value(name)?))).collect();
    Ok(CranFacts { package, version, fields })
}

/// Decodes the text: UTF-8, or Latin-1 where the field `Encoding` says so.
fn text(bytes: &[u8]) -> Result<String, String> {
    let latin1: String = bytes.iter().map(|byte| char::from(*byte)).collect();
    let encoding = latin1.lines().find_map(|line| line.strip_prefix("Encoding:")).map_or("", str::trim);
    match encoding.to_ascii_lowercase().as_str() {
        "" | "utf-8" | "utf8" | "ascii" | "us-ascii" | "unknown" => {
            String::from_utf8(bytes.to_vec()).map_err(|_| "it is not UTF-8".to_owned())
        }
        "latin1" | "iso-8859-1" | "iso8859-1" => Ok(latin1),
        other => Err(format!("its encoding '{}' is neither UTF-8 nor latin1", quoted(other))),
    }
}

impl CranFacts {
    /// Checks the file name of the package: `<name>_<version>` with `.tar.gz`, `.tgz` or `.zip`. Binaries for Linux
    /// have more between them.
    pub fn check_file_name(&self, name: &str) -> Result<(), String> {
        let stem = format!("{}_{}", self.package, self.version);
        let is_own = name.strip_prefix(&stem).is_some_and(|rest| matches!(rest, ".tar.gz" | ".tgz" | ".zip"));
        let wrong = || format!("the file name '{}' is not that of the package, '{stem}.tar.gz'", quoted(name));
        is_own.then_some(()).ok_or_else(wrong)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::io::Cursor;

    use super::*;
    use crate::readers::samples::{tar_gz, zip};

    pub(in super::super) const DESCRIPTION: &str = "Package: hellotiny\nTitle: Says hello\nVersion: 1.0\n\
        Imports: utils,\n    stats\nDepends: R (>= 4.0)\nLicense: MIT + file LICENSE\nNeedsCompilation: no\n";

    pub(in super::super) fn look(bytes: Vec<u8>) -> Result<CranFacts, String> {
        inspect(&mut Cursor::new(bytes), &Limits::default())
    }

    pub(in super::super) fn package(description: &[u8]) -> Vec<u8> {
        tar_gz(&[("hellotiny/DESCRIPTION", description), ("hellotiny/inst/DESCRIPTION", b"x")])
    }

    fn refusal(description: &str) -> String {
        look(package(description.as_bytes())).expect_err("a refusal")
    }

    #[test]
    fn source_and_binary_packages_are_read() {
        let facts = look(package(DESCRIPTION.as_bytes())).expect("valid");
        assert_eq!((facts.package.as_str(), facts.version.as_str()), ("hellotiny", "1.0"));
        let names: Vec<&str> = facts.fields.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["Package", "Version", "Depends", "Imports", "License", "NeedsCompilation"]);
        assert_eq!(look(zip(&[("hellotiny/DESCRIPTION", DESCRIPTION.as_bytes())])), Ok(facts.clone()));
        assert_eq!(look(package(DESCRIPTION.trim_end().as_bytes())), Ok(facts.clone()), "without a line end");
        for good in ["hellotiny_1.0.tar.gz", "hellotiny_1.0.zip", "hellotiny_1.0.tgz"] {
            assert_eq!(facts.check_file_name(good), Ok(()));
        }
        for bad in ["hallotiny_1.0.tar.gz", "hellotiny_1.1.tar.gz", "hellotiny_1.0.tar"] {
            assert!(facts.check_file_name(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn encodings_are_decoded() {
        let latin1 = [b"Encoding: latin1\nLicense: \xe9\n", DESCRIPTION.replace("License", "X").as_bytes()].concat();
        let facts = look(package(&latin1)).expect("valid");
        assert!(facts.fields.contains(&("License".to_owned(), "é".to_owned())));
        let unknown = refusal(&format!("Encoding: UTF-16\n{DESCRIPTION}"));
        assert_eq!(unknown, "DESCRIPTION: its encoding 'utf-16' is neither UTF-8 nor latin1");
        let undeclared = look(package(&[b"Title: \xe9\n", DESCRIPTION.as_bytes()].concat())).expect_err("no UTF-8");
        assert_eq!(undeclared, "DESCRIPTION: it is not UTF-8");
    }

    #[test]
    fn bad_packages_are_refused() {
        let with = |from: &str, to: &str| refusal(&DESCRIPTION.replace(from, to));
        assert_eq!(with("Imports", "\nImports"), "DESCRIPTION: it has a blank line inside");
        let title = with("Says hello", &"x".repeat(1_000_000));
        assert_eq!(title, "DESCRIPTION: its field 'Title' is larger than 65536 bytes");
        assert_eq!(with("hellotiny", "../x"), "DESCRIPTION: '../x' is not the name of an R package");
        assert_eq!(with("Version: 1.0", "Version: 1"), "DESCRIPTION: '1' is not the version of an R package");
        assert_eq!(with("hellotiny", "other"), "its top folder 'hellotiny' is not named like the package 'other'");
        let file: (&str, &[u8]) = ("hellotiny/DESCRIPTION", DESCRIPTION.as_bytes());
        let twice = look(tar_gz(&[file, file])).expect_err("two");
        assert_eq!(twice, "entry `hellotiny/DESCRIPTION` appears in the archive twice");
        let bomb = look(tar_gz(&[file, ("hellotiny/x", &vec![0; 3_000_000])])).expect_err("a bomb");
        assert_eq!(bomb, "the archive unpacks to more than 200 times its size");
        let none = look(tar_gz(&[("hellotiny/x", b"")])).expect_err("none");
        assert_eq!(none, "it has no file `DESCRIPTION` in its top folder");
        let two = look(zip(&[file, ("other/x", b"")])).expect_err("two folders");
        assert_eq!(two, "it has more than one top folder");
    }
}
