//! The schema of the settings, derived from the serialized defaults, so that no second list can get out of date.
//! The kinds of values, and the expectations and hints in messages, follow from it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use serde_json::Value;

use super::Settings;

/// The prefix of every environment variable that is a setting.
pub(super) const PREFIX: &str = "PACKHOUSE_";

/// The similarity, from 0 to 1, at which one name of a section counts as a misspelling of another.
const ALIKE_IN_SECTION: f64 = 0.85;

/// The same for full keys, which are longer and have more in common by chance.
const ALIKE: f64 = 0.9;

/// Every dotted key with its default; null if the setting is optional.
pub(super) static DEFAULTS: LazyLock<BTreeMap<String, Value>> = LazyLock::new(|| leaves(&Settings::default()));

/// Returns every dotted key of `settings` with its value, with secrets masked.
pub(super) fn leaves(settings: &Settings) -> BTreeMap<String, Value> {
    let tree = serde_json::to_value(settings).expect("settings hold text, numbers and switches only");
    let mut leaves = BTreeMap::new();
    collect_leaves("", tree, &mut leaves);
    leaves
}

fn collect_leaves(section: &str, value: Value, leaves: &mut BTreeMap<String, Value>) {
    match value {
        Value::Object(entries) => {
            for (name, value) in entries {
                collect_leaves(&join(section, &name), value, leaves);
            }
        }
        leaf => {
            leaves.insert(section.to_owned(), leaf);
        }
    }
}

/// The kind of value of a setting, derived from its default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueKind {
    /// A string. All optional settings are strings, too.
    Text,
    /// An integer.
    Number,
    /// `true` or `false`.
    Switch,
    /// A list of strings.
    List,
}

impl ValueKind {
    /// Returns the kind of a known key.
    pub(super) fn of(key: &str) -> Option<Self> {
        DEFAULTS.get(key).map(|default| match default {
            Value::Number(_) => Self::Number,
            Value::Bool(_) => Self::Switch,
            Value::Array(_) => Self::List,
            _ => Self::Text,
        })
    }

    /// Parses the text of a variable or a flag.
    pub(super) fn parse(self, text: &str) -> Option<Value> {
        match self {
            Self::Text => Some(Value::from(text)),
            Self::Number => text.parse::<u64>().ok().map(Value::from),
            Self::Switch => text.parse::<bool>().ok().map(Value::from),
            Self::List => Some(text.split(',').map(str::trim).filter(|item| !item.is_empty()).collect()),
        }
    }
}

/// Describes the valid values of a known key, for messages.
pub(super) fn expected(key: &str) -> String {
    let text = match key {
        "listen" => "an address and port such as `127.0.0.1:8080`",
        "default_plan" => "`free`, `premium` or `enterprise`",
        "log.format" => "`text` or `json`",
        "mail.tls" => "`starttls`, `tls` or `none`",
        "staging.protocol" => "`nexus` or `portal`",
        "trusted_proxies" | "metrics_from" | "outgoing.refused_networks" => {
            "networks such as `10.0.0.0/8` or single addresses"
        }
        _ => match ValueKind::of(key) {
            Some(ValueKind::Number) => return format!("a whole number from {} to {}", least(key), most(key)),
            Some(ValueKind::Switch) => "`true` or `false`",
            Some(ValueKind::List) => "a list of strings",
            Some(ValueKind::Text) | None => "a string",
        },
    };
    text.to_owned()
}

/// Returns the smallest valid number of a key. Only the scrub can be turned off by a number.
pub(super) fn least(key: &str) -> u64 {
    if key == "scrub.period_days" { 0 } else { 1 }
}

/// Returns the largest valid number for the unit of a key: sums of times must not overflow.
pub(super) fn most(key: &str) -> u64 {
    match key.rsplit(['_', '.']).next() {
        _ if key == "limits.signed_url_hours" => 365 * 24,
        Some("bytes") => i64::MAX.unsigned_abs(),
        Some("secs") => 24 * 60 * 60,
        Some("hours") => 100 * 365 * 24,
        Some("days") => 100 * 365,
        Some("connections" | "address") => 1_000_000,
        Some("percent") => 100,
        _ => u64::from(u32::MAX),
    }
}

/// Returns whether `key` is a section such as `limits`.
pub(super) fn is_section(key: &str) -> bool {
    sections().any(|section| section == key)
}

/// Returns the environment variable that sets `key`.
pub(super) fn variable(key: &str) -> String {
    format!("{PREFIX}{}", key.replace('.', "__").to_ascii_uppercase())
}

/// Returns the hint for an unknown key: the most similar key in the spelling of its source, or the list of keys.
pub(super) fn hint(key: &str, spelling: fn(&str) -> String) -> String {
    if let Some(near) = nearest(key) {
        return format!("did you mean `{}`?", spelling(near));
    }
    let section = if is_section(key) { key } else { split(key).0 };
    if is_section(section) {
        format!("the section `{section}` has the keys {}", names_in(section))
    } else {
        let sections: Vec<&str> = sections().collect();
        format!("the keys are {}, and the sections are {}", names_in(""), sections.join(", "))
    }
}

fn nearest(key: &str) -> Option<&'static str> {
    let (section, name) = split(key);
    let keys = DEFAULTS.keys().map(String::as_str);
    let scored = keys.chain(sections().filter(|known| *known != key)).filter_map(|known| {
        let (known_section, known_name) = split(known);
        let (score, least) = if section == known_section {
            (likeness(name, known_name), ALIKE_IN_SECTION)
        } else {
            (likeness(key, known), ALIKE)
        };
        (score >= least).then_some((score, known))
    });
    scored.max_by(|(one, _), (other, _)| one.total_cmp(other)).map(|(_, known)| known)
}

/// Returns the similarity, from 0 to 1. A single typo is always 1, because it would weigh too much in a short name.
fn likeness(written: &str, known: &str) -> f64 {
    if strsim::damerau_levenshtein(written, known) == 1 { 1.0 } else { strsim::jaro_winkler(written, known) }
}

fn sections() -> impl Iterator<Item = &'static str> {
    let sections: BTreeSet<&str> = DEFAULTS.keys().map(|key| split(key).0).collect();
    sections.into_iter().filter(|section| !section.is_empty())
}

fn names_in(section: &str) -> String {
    let keys = DEFAULTS.keys().map(|key| split(key));
    let names: Vec<&str> = keys.filter(|(of, _)| *of == section).map(|(_, name)| name).collect();
    names.join(", ")
}

/// Splits a key into its section, empty at the top level, and its name there.
pub(super) fn split(key: &str) -> (&str, &str) {
    key.rsplit_once('.').unwrap_or(("", key))
}

/// Returns the dotted key of `name` in `section`.
pub(super) fn join(section: &str, name: &str) -> String {
    if section.is_empty() { name.to_owned() } else { format!("{section}.{name}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::show::literal;

    const MANUAL: &str = include_str!("../../../docs/settings.md");

    fn hint_for(key: &str) -> String {
        hint(key, str::to_owned)
    }

    #[test]
    fn the_manual_has_every_setting_with_its_variable_and_default() {
        let rows = MANUAL.lines().filter(|line| line.contains("| `PACKHOUSE_"));
        let written: BTreeSet<String> =
            rows.filter_map(|row| row.rsplit_once(" | ")).map(|(row, _meaning)| row.to_owned()).collect();
        let known: BTreeSet<String> = DEFAULTS
            .iter()
            .map(|(key, default)| {
                let default = literal(default).map_or("not set".to_owned(), |text| format!("`{text}`"));
                format!("| `{key}` | `{}` | {default}", variable(key))
            })
            .collect();
        assert_eq!(written, known);
    }

    #[test]
    fn a_slip_in_a_name_is_found_in_its_section() {
        assert_eq!(hint_for("lisen"), "did you mean `listen`?");
        assert_eq!(hint_for("limits.conections"), "did you mean `limits.connections`?");
        assert_eq!(hint_for("limits.uploads"), "did you mean `limits.upload_bytes`?");
        assert_eq!(hint_for("s3.secret_key"), "did you mean `s3.secret_access_key`?");
    }

    #[test]
    fn a_slip_in_a_section_or_between_section_and_name_is_found() {
        assert_eq!(hint_for("limts"), "did you mean `limits`?");
        assert_eq!(hint_for("limts.connections"), "did you mean `limits.connections`?");
        assert_eq!(hint_for("log_level"), "did you mean `log.level`?");
        assert_eq!(hint_for("database.url"), "did you mean `database_url`?");
    }

    #[test]
    fn a_hint_is_in_the_spelling_of_its_source() {
        assert_eq!(hint("log_level", variable), "did you mean `PACKHOUSE_LOG__LEVEL`?");
    }

    #[test]
    fn a_name_like_no_other_gets_the_list_of_its_section() {
        assert_eq!(hint_for("log.colour"), "the section `log` has the keys format, level");
        assert_eq!(hint_for("tls"), "the section `tls` has the keys certificate, key");
    }

    #[test]
    fn a_key_like_no_other_gets_the_list_of_the_top() {
        let hint = hint_for("frobnicate");
        assert!(hint.starts_with("the keys are allowed_origins, api_host, auth_realm, blobs, data"), "{hint}");
        assert!(
            hint.ends_with(
                "the sections are database, download_logs, downloads, garbage, geo, licenses, limits, log, mail, oidc, outgoing, readme_images, s3, scrub, staging, tls, traces, windows"
            ),
            "{hint}"
        );
    }

    #[test]
    fn a_default_gives_the_kind() {
        assert_eq!(ValueKind::of("limits.connections"), Some(ValueKind::Number));
        assert_eq!(ValueKind::of("open_registration"), Some(ValueKind::Switch));
        assert_eq!(ValueKind::of("trusted_proxies"), Some(ValueKind::List));
        assert_eq!(ValueKind::of("tls.key"), Some(ValueKind::Text));
        assert_eq!(ValueKind::of("tls"), None);
    }
}
