//! Prints the effective settings as TOML that can be used as a settings file, for `packhouse config show`.

use std::fmt::Write;

use serde_json::Value;

use super::{Settings, schema};

impl Settings {
    /// Returns one line per setting with the source of its value, with secrets masked.
    pub fn show(&self) -> String {
        let mut leaves: Vec<(String, Value)> = schema::leaves(self).into_iter().collect();
        // In TOML, the keys of the top level come before the first section.
        leaves.sort_by_key(|(key, _)| schema::split(key).0.to_owned());
        let mut shown = String::new();
        let mut current = "";
        for (key, value) in &leaves {
            let (section, name) = schema::split(key);
            if section != current {
                push(&mut shown, format_args!("\n[{section}]"));
                current = section;
            }
            match literal(value) {
                Some(text) => push(&mut shown, format_args!("{name} = {text}  # {}", self.origins.of(key))),
                None => push(&mut shown, format_args!("# {name} is not set")),
            }
        }
        shown
    }
}

fn push(shown: &mut String, line: std::fmt::Arguments<'_>) {
    writeln!(shown, "{line}").expect("a String takes every write");
}

/// Returns the TOML form of a value; `None` for null.
pub(super) fn literal(value: &Value) -> Option<String> {
    toml::Value::try_from(value).ok().map(|value| value.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DatabaseUrl, Secret, Sources};

    #[test]
    fn what_is_shown_is_toml_of_the_same_settings() {
        let settings = Settings { blobs: Some("a \"quoted\"\nname".to_owned()), ..Settings::default() };
        let read: Settings = toml::from_str(&settings.show()).expect("settings");
        assert_eq!(read, settings);
    }

    #[test]
    fn secrets_are_masked() {
        let mut settings =
            Settings { database_url: Some(DatabaseUrl::new("postgres://ada:hush@host/x")), ..Settings::default() };
        settings.s3.secret_access_key = Some(Secret::new("hush"));
        let shown = settings.show();

        assert!(!shown.contains("hush"), "{shown}");
        assert!(shown.contains("database_url = \"postgres://ada:***@host/x\""), "{shown}");
        assert!(shown.contains("secret_access_key = \"***\""), "{shown}");
        assert!(!format!("{settings:?}").contains("hush"));
    }

    #[test]
    fn each_value_has_its_source() {
        let settings = Settings::load(Sources {
            file: None,
            environment: [("PACKHOUSE_LOG__LEVEL".to_owned(), "debug".to_owned())].into_iter(),
            flags: vec![("listen".to_owned(), "127.0.0.1:1".to_owned())],
        });
        let shown = settings.expect("settings").show();

        assert!(shown.contains("\nlisten = \"127.0.0.1:1\"  # flag listen\n"), "{shown}");
        assert!(shown.contains("\nlevel = \"debug\"  # PACKHOUSE_LOG__LEVEL\n"), "{shown}");
        assert!(shown.contains("\n[windows]\ndelete_days = 30  # default\n"), "{shown}");
        assert!(shown.contains("\n# public_url is not set\n"), "{shown}");
    }
}
