//! The document over the indexes of a suite.

use jiff::Timestamp;

use crate::{indexed::BuiltIndexFile, readers::deb822::write_field};

/// The settings of a suite that `Release` shows.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SuiteInfo<'a> {
    /// The publisher.
    pub origin: &'a str,
    /// A short name of the content.
    pub label: &'a str,
    /// The name of the suite, and its code name.
    pub suite: &'a str,
    /// A sentence about it.
    pub description: &'a str,
    /// The architectures that have indexes.
    pub architectures: &'a [String],
    /// The components that have indexes.
    pub components: &'a [String],
    /// The number of days after which clients refuse the document.
    pub valid_days: Option<u32>,
    /// Whether packages are installed only when asked for.
    pub is_not_automatic: bool,
    /// Whether packages that were asked for are upgraded by themselves all the same.
    pub is_upgraded_automatically: bool,
}

/// The text of `Release`. The files have paths below the suite's folder, and the plain `Packages` must be among them:
/// without it apt sees no packages. `at` is in milliseconds since the start of 1970.
pub fn release(info: &SuiteInfo<'_>, files: &[BuiltIndexFile<'_>], at: i64) -> String {
    let mut text = String::new();
    let mut field = |name, value: &str| {
        if !value.is_empty() {
            write_field(&mut text, name, &one_line(value));
        }
    };
    field("Origin", info.origin);
    field("Label", info.label);
    field("Suite", info.suite);
    field("Codename", info.suite);
    field("Date", &date(at));
    if let Some(days) = info.valid_days {
        field("Valid-Until", &date(at.saturating_add(i64::from(days) * 86_400_000)));
    }
    if info.is_not_automatic {
        field("NotAutomatic", "yes");
    }
    if info.is_upgraded_automatically {
        field("ButAutomaticUpgrades", "yes");
    }
    field("Acquire-By-Hash", "yes");
    field("Architectures", &info.architectures.join(" "));
    field("Components", &info.components.join(" "));
    field("Description", info.description);
    let lines = files.iter().map(|file| format!("\n {} {} {}", file.sha256, file.size_bytes, file.path));
    write_field(&mut text, "SHA256", &lines.collect::<String>());
    text
}

/// Replaces line ends, so that a setting cannot begin another field.
fn one_line(text: &str) -> String {
    text.chars().map(|character| if character.is_control() { ' ' } else { character }).collect()
}

/// Formats a time as in mail headers.
fn date(at: i64) -> String {
    let moment = Timestamp::from_millisecond(at).unwrap_or_default();
    moment.strftime("%a, %d %b %Y %H:%M:%S UTC").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::deb822::Stanza;

    #[test]
    fn a_release_lists_its_files() {
        let (architectures, components) = (["amd64".to_owned(), "arm64".to_owned()], ["main".to_owned()]);
        let info = SuiteInfo {
            origin: "acme",
            label: "acme/deb",
            suite: "stable",
            description: "acme/deb\nSHA256: evil",
            architectures: &architectures,
            components: &components,
            ..SuiteInfo::default()
        };
        let files = [
            BuiltIndexFile { path: "main/binary-amd64/Packages.gz", size_bytes: 1163, sha256: "9f86" },
            BuiltIndexFile { path: "main/binary-amd64/Packages", size_bytes: 5358, sha256: "2c26" },
        ];
        let expected = "Origin: acme\nLabel: acme/deb\nSuite: stable\nCodename: stable\n\
            Date: Mon, 16 Nov 2026 10:00:00 UTC\nAcquire-By-Hash: yes\nArchitectures: amd64 arm64\nComponents: main\n\
            Description: acme/deb SHA256: evil\nSHA256:\n 9f86 1163 main/binary-amd64/Packages.gz\n \
            2c26 5358 main/binary-amd64/Packages\n";
        assert_eq!(release(&info, &files, 1_794_823_200_000), expected);
    }

    #[test]
    fn optional_fields_are_written_on_demand() {
        let info = SuiteInfo {
            suite: "s",
            valid_days: Some(7),
            is_not_automatic: true,
            is_upgraded_automatically: true,
            ..SuiteInfo::default()
        };
        let text = release(&info, &[], 1_794_823_200_000);
        let stanza = Stanza::parse(text.as_bytes()).expect("a stanza");
        assert_eq!(stanza.get("Valid-Until"), Some("Mon, 23 Nov 2026 10:00:00 UTC"));
        assert_eq!((stanza.get("NotAutomatic"), stanza.get("ButAutomaticUpgrades")), (Some("yes"), Some("yes")));
        assert_eq!((stanza.get("Origin"), stanza.get("SHA256")), (None, Some("")));
    }
}
