//! Facts of a package's zip.

use serde_json::{Map, Value};

use super::{name::ComposerName, version::ComposerVersion};
use crate::{
    base::has_marker,
    readers::{Content, Limits, json, zip::Zip},
};

/// Keys of a composer.json that mean something in a project or a repository only.
const DROPPED: [&str; 18] = [
    "$schema",
    "_comment",
    "abandoned",
    "config",
    "default-branch",
    "dist",
    "installation-source",
    "minimum-stability",
    "notification-url",
    "prefer-stable",
    "repositories",
    "scripts",
    "scripts-descriptions",
    "source",
    "time",
    "transport-options",
    "version",
    "version_normalized",
];

/// A package as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComposerPackage {
    /// The name.
    pub name: ComposerName,
    /// The version, if composer.json has one.
    pub version: Option<ComposerVersion>,
    /// The keys of composer.json that clients need.
    pub document: Map<String, Value>,
}

/// Reads a zip with a composer.json at its top, or in its only folder.
pub fn inspect(content: &mut dyn Content, limits: &Limits) -> Result<ComposerPackage, String> {
    let zip = Zip::open(content, limits).map_err(|reason| format!("the package is not valid: {reason}"))?;
    let path = {
        let names: Vec<&str> = zip.names().collect();
        json_path(&names)?
    };
    let bytes = zip.read(&path)?.ok_or("the package has no composer.json")?;
    parse(&bytes).map_err(|reason| format!("composer.json is not valid: {reason}"))
}

/// Finds the composer.json.
fn json_path(names: &[&str]) -> Result<String, String> {
    if names.contains(&"composer.json") {
        return Ok("composer.json".to_owned());
    }
    let folder = |name: &str| name.split_once('/').map(|(folder, _)| folder.to_owned());
    let first = names.first().and_then(|name| folder(name));
    match first {
        Some(first) if names.iter().all(|name| folder(name).as_ref() == Some(&first)) => {
            Ok(format!("{first}/composer.json"))
        }
        _ => Err("the package has no composer.json at its top or in its only folder".to_owned()),
    }
}

/// Parses a composer.json.
pub fn parse(bytes: &[u8]) -> Result<ComposerPackage, String> {
    if bytes.starts_with(b"\xef\xbb\xbf") {
        return Err("it begins with a byte order mark".to_owned());
    }
    let value = json::parse_unique(bytes)?;
    if has_marker(&value) {
        return Err("it holds a control character".to_owned());
    }
    let Value::Object(mut document) = value else { return Err("it is not an object".to_owned()) };
    let name = document.get("name").and_then(Value::as_str).ok_or("it has no name")?;
    let name = ComposerName::parse(name)?;
    let version = match document.get("version") {
        None | Some(Value::Null) => None,
        Some(Value::String(text)) => Some(ComposerVersion::parse(text)?),
        Some(_) => return Err("its version is not a text".to_owned()),
    };
    document.retain(|key, value| !DROPPED.contains(&key.as_str()) && !value.is_null());
    Ok(ComposerPackage { name, version, document })
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;
    use crate::readers::samples::zip;

    const JSON: &[u8] = br#"{"name":"acme/hello","version":"1.1","require":{"php":">=8.1"},"require-dev":{"a/b":"*"},
        "dist":{"url":"https://evil"},"config":{},"scripts":{"x":"y"},"autoload":{"psr-4":{"Acme\\":"src/"}}}"#;

    fn read(files: &[(&str, &[u8])]) -> Result<ComposerPackage, String> {
        inspect(&mut Cursor::new(zip(files)), &Limits::default())
    }

    #[test]
    fn composer_json_is_read() {
        let files: &[(&str, &[u8])] = &[("composer.json", JSON), ("src/composer.json", b"no JSON")];
        let package = read(files).expect("valid");
        assert_eq!(package.name.as_str(), "acme/hello");
        assert_eq!(package.version.expect("a version").normalized(), "1.1.0.0");
        let keys: Vec<&str> = package.document.keys().map(String::as_str).collect();
        assert_eq!(keys, ["autoload", "name", "require", "require-dev"]);
        assert!(read(&[("hello-1.1/composer.json", JSON), ("hello-1.1/src/x.php", b"")]).is_ok());
    }

    #[test]
    fn other_packages_are_refused() {
        let bom = [b"\xef\xbb\xbf", JSON].concat();
        let noise: String = (0..400_000_u32).map(|i| format!("{:04x}", i.wrapping_mul(2_654_435_761) >> 16)).collect();
        let huge = format!("{{\"name\":\"a/b\",\"x\":\"{noise}\"}}");
        for (files, reason) in [
            (&[("a/composer.json", JSON), ("b/composer.json", JSON)][..], "at its top or in its only folder"),
            (&[("src/x.php", b"")], "has no composer.json"),
            (&[("composer.json", JSON), ("a\\b", b"")], "the package is not valid"),
            (&[("composer.json", &bom)], "it begins with a byte order mark"),
            (&[("composer.json", br#"{"name":"a/b","name":"c/d"}"#)], "key 'name' appears twice"),
            (&[("composer.json", br#"{"name":"../x/y"}"#)], "package name '../x/y' is not valid"),
            (&[("composer.json", br#"{"name":"a/b","version":true}"#)], "its version is not a text"),
            (&[("composer.json", br#"{"name":"a/b","x":"\u0002base\u0002"}"#)], "it holds a control character"),
            (&[("composer.json", b"[]")], "it is not an object"),
            (&[("composer.json", b"{}")], "it has no name"),
            (&[("composer.json", huge.as_bytes())], "is larger than 1048576 bytes"),
        ] {
            let refusal = read(files).expect_err(reason);
            assert!(refusal.contains(reason), "{refusal}");
        }
    }
}
