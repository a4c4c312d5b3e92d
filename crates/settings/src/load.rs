//! Loads settings from their sources: defaults < file < environment < flags.
//! Every key and value is checked individually before they are combined, so that each message names its source.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::PathBuf;

use serde_json::{Map, Value, json};

use super::schema::{self, ValueKind};
use super::secret::shown;
use super::{Origin, Problem, Settings, SettingsError, file};

/// The file to read, if it exists, when no other is specified.
pub const DEFAULT_FILE: &str = "packhouse.toml";

/// Variables that have the prefix of settings but are not settings.
const NOT_SETTINGS: [&str; 7] = [
    // Read once, at the start that creates the administrator.
    "PACKHOUSE_ADMIN_NAME",
    "PACKHOUSE_ADMIN_KEY",
    // Read by the client commands.
    "PACKHOUSE_URL",
    "PACKHOUSE_USER",
    "PACKHOUSE_API_KEY",
    "PACKHOUSE_TIMEOUT",
    // Names the settings file.
    "PACKHOUSE_CONFIG",
];

/// The same, by prefix.
const NOT_SETTINGS_PREFIXES: [&str; 3] = [
    // Read by the test suites.
    "PACKHOUSE_TEST_",
    // Kubernetes sets these in every container if a service is named `packhouse`.
    "PACKHOUSE_SERVICE_",
    "PACKHOUSE_PORT_",
];

/// The sources of settings. A later field takes precedence over an earlier one.
#[derive(Clone, Debug)]
pub struct Sources<E> {
    /// The file to read, which must exist. `None`: `packhouse.toml` in the current folder, if it exists.
    pub file: Option<PathBuf>,
    /// The environment, as pairs of name and value. Names without the prefix `PACKHOUSE_` are ignored.
    pub environment: E,
    /// The command line, as pairs of dotted key and value.
    pub flags: Vec<(String, String)>,
}

impl Settings {
    /// Reads all sources and validates the result. An error lists all problems of the step that failed.
    pub fn load<E>(sources: Sources<E>) -> Result<Self, SettingsError>
    where
        E: Iterator<Item = (String, String)>,
    {
        let mut given = Given::default();
        if let Some((path, text)) = read_file(sources.file)? {
            file::take(&mut given, &path, &text)?;
        }
        for (name, value) in sources.environment {
            given.take_variable(&name, &value);
        }
        for (key, value) in sources.flags {
            given.take_flag(&key, &value);
        }
        let settings = given.into_settings()?;
        settings.validate()?;
        Ok(settings)
    }
}

fn read_file(named: Option<PathBuf>) -> Result<Option<(PathBuf, String)>, SettingsError> {
    let must_exist = named.is_some();
    let path = named.unwrap_or_else(|| PathBuf::from(DEFAULT_FILE));
    match std::fs::read_to_string(&path) {
        Ok(text) => Ok(Some((path, text))),
        Err(error) if error.kind() == ErrorKind::NotFound && !must_exist => Ok(None),
        Err(source) => Err(SettingsError::Unreadable { path, source }),
    }
}

/// The values from the sources that were read so far.
#[derive(Debug, Default)]
pub(super) struct Given {
    values: BTreeMap<String, (Value, Origin)>,
    problems: Vec<Problem>,
}

impl Given {
    fn take_variable(&mut self, name: &str, text: &str) {
        let Some(rest) = name.strip_prefix(schema::PREFIX) else {
            return;
        };
        if is_no_setting(name, text) {
            return;
        }
        let key = rest.replace("__", ".").to_ascii_lowercase();
        let origin = Origin::Environment { name: name.to_owned() };
        // In another letter case, two variables could set one key.
        if schema::variable(&key) == name {
            self.take_text(&key, text, origin);
        } else {
            self.refuse_key(&key, origin);
        }
    }

    fn take_flag(&mut self, key: &str, text: &str) {
        self.take_text(key, text, Origin::Flag { key: key.to_owned() });
    }

    fn take_text(&mut self, key: &str, text: &str, origin: Origin) {
        match ValueKind::of(key).map(|kind| kind.parse(text)) {
            Some(Some(value)) => self.take(key, value, text, origin),
            Some(None) => self.refuse_value(key, text, origin),
            None => self.refuse_key(key, origin),
        }
    }

    /// Adds the value of a known key. `text` is the value as it was written.
    pub(super) fn take(&mut self, key: &str, value: Value, text: &str, origin: Origin) {
        // An empty string unsets an optional setting: nothing else can undo an earlier source.
        let unset = schema::DEFAULTS.get(key) == Some(&Value::Null) && value == json!("");
        let value = if unset { Value::Null } else { value };
        let mut alone = Map::new();
        plant(&mut alone, key, value.clone());
        match serde_json::from_value::<Settings>(Value::Object(alone)) {
            Ok(_) => {
                self.values.insert(key.to_owned(), (value, origin));
            }
            Err(_) => self.refuse_value(key, text, origin),
        }
    }

    pub(super) fn refuse_value(&mut self, key: &str, text: &str, origin: Origin) {
        self.problems.push(Problem::WrongValue {
            origin,
            key: key.to_owned(),
            value: shown(key, text),
            expected: schema::expected(key),
        });
    }

    pub(super) fn refuse_key(&mut self, key: &str, origin: Origin) {
        let spelling = match origin {
            Origin::Environment { .. } => schema::variable,
            _ => str::to_owned,
        };
        let hint = schema::hint(key, spelling);
        self.problems.push(Problem::UnknownKey { origin, key: key.to_owned(), hint });
    }

    fn into_settings(self) -> Result<Settings, SettingsError> {
        if !self.problems.is_empty() {
            return Err(SettingsError::Wrong(self.problems));
        }
        let mut tree = Map::new();
        let mut origins = Vec::new();
        for (key, (value, origin)) in self.values {
            plant(&mut tree, &key, value);
            origins.push((key, origin));
        }
        let settings: Settings =
            serde_json::from_value(Value::Object(tree)).expect("every value was read alone when it was taken");
        Ok(Settings { origins: origins.into_iter().collect(), ..settings })
    }
}

fn is_no_setting(name: &str, text: &str) -> bool {
    NOT_SETTINGS.contains(&name)
        || NOT_SETTINGS_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
        // Kubernetes again. A person who wants to set a port writes a number, and gets an error with a hint.
        || (name == "PACKHOUSE_PORT" && text.contains("://"))
}

/// Inserts the value at a dotted key into its section.
fn plant(tree: &mut Map<String, Value>, key: &str, value: Value) {
    let (section, name) = schema::split(key);
    if section.is_empty() {
        tree.insert(name.to_owned(), value);
    } else if let Value::Object(entries) = tree.entry(section).or_insert_with(|| json!({})) {
        entries.insert(name.to_owned(), value);
    }
}

#[cfg(test)]
mod tests;
