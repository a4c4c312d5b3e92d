//! Reads the settings file together with its line numbers.

use std::path::Path;

use serde_json::Value;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::load::Given;
use super::schema::{self, ValueKind};
use super::{Origin, SettingsError};

/// Adds every key of the file at `path`, whose content is `text`, to `given`.
pub(super) fn take(given: &mut Given, path: &Path, text: &str) -> Result<(), SettingsError> {
    let table = DeTable::parse(text).map_err(|error| SettingsError::Syntax {
        path: path.to_owned(),
        line: line_of(text, error.span().map_or(0, |span| span.start)),
        reason: error.message().to_owned(),
    })?;
    let mut reader = Reader { given, path, text };
    reader.take_table("", table.get_ref());
    Ok(())
}

struct Reader<'a> {
    given: &'a mut Given,
    path: &'a Path,
    text: &'a str,
}

impl Reader<'_> {
    fn take_table(&mut self, section: &str, table: &DeTable<'_>) {
        let mut entries: Vec<_> = table.iter().collect();
        // Problems are reported in the order of the file.
        entries.sort_by_key(|(name, _)| name.span().start);
        for (name, value) in entries {
            let key = schema::join(section, name.get_ref());
            let line = line_of(self.text, name.span().start);
            let origin = Origin::File { path: self.path.to_owned(), line };
            match (value.get_ref(), ValueKind::of(&key)) {
                (_, Some(kind)) => self.take_value(&key, kind, value, origin),
                (DeValue::Table(inner), None) if schema::is_section(&key) => {
                    self.take_table(&key, inner);
                }
                _ => self.given.refuse_key(&key, origin),
            }
        }
    }

    fn take_value(&mut self, key: &str, kind: ValueKind, value: &Spanned<DeValue<'_>>, origin: Origin) {
        let written = self.text.get(value.span()).unwrap_or_default();
        match convert(kind, value.get_ref()) {
            Some(converted) => {
                let text = value.get_ref().as_str().unwrap_or(written);
                self.given.take(key, converted, text, origin);
            }
            None => self.given.refuse_value(key, written, origin),
        }
    }
}

fn convert(kind: ValueKind, value: &DeValue<'_>) -> Option<Value> {
    match (kind, value) {
        (ValueKind::Text, DeValue::String(text)) => Some(Value::from(text.as_ref())),
        (ValueKind::Number, DeValue::Integer(number)) => {
            u64::from_str_radix(number.as_str(), number.radix()).ok().map(Value::from)
        }
        (ValueKind::Switch, DeValue::Boolean(switch)) => Some(Value::from(*switch)),
        (ValueKind::List, DeValue::Array(items)) => {
            items.iter().map(|item| convert(ValueKind::Text, item.get_ref())).collect()
        }
        _ => None,
    }
}

fn line_of(text: &str, offset: usize) -> usize {
    let before = text.as_bytes().iter().take(offset);
    1 + before.filter(|byte| **byte == b'\n').count()
}
