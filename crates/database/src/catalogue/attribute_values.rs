//! Attribute values in the form that searches use: each value once, with its search key.

use std::{collections::BTreeSet, sync::LazyLock};

use model::attribute::{Attribute, AttributeType, Scalar};
use sha2::{Digest, Sha256};

use crate::{
    Result, Tx,
    catalogue::attributes::{AttributeLocation, ObjectKey},
    engine::statement::{Statement, Value, insert},
};

/// The number of rows in one statement when many are added.
const BATCH: usize = 32;

/// The number of columns in a row of values.
const COLUMNS: usize = 7;

/// Adds the values of attributes.
pub(crate) async fn insert_values(tx: &mut Tx, place: AttributeLocation, attributes: &[Attribute]) -> Result<()> {
    let rows: Vec<[Value; COLUMNS]> = attributes.iter().flat_map(|attribute| value_rows(place, attribute)).collect();
    let (batches, rest) = rows.as_chunks::<BATCH>();
    for batch in batches {
        tx.run(Statement::new(BATCH_TEXT.as_str(), batch.as_flattened().to_vec())).await?;
    }
    for row in rest {
        let [object_id, name, key, scope_id, is_array, number, moment] = row.clone();
        tx.run(insert!(attribute_values { object_id, name, key, scope_id, is_array, number, moment })).await?;
    }
    Ok(())
}

/// A single text, so that it is prepared only once.
static BATCH_TEXT: LazyLock<String> = LazyLock::new(|| {
    let row = |row: usize| {
        let places: Vec<String> = (1..=COLUMNS).map(|column| format!("${}", row * COLUMNS + column)).collect();
        format!("({})", places.join(", "))
    };
    let rows: Vec<String> = (0..BATCH).map(row).collect();
    format!(
        "INSERT INTO attribute_values (object_id, name, key, scope_id, is_array, number, moment) VALUES {}",
        rows.join(", ")
    )
});

pub(crate) fn value_rows(place: AttributeLocation, attribute: &Attribute) -> Vec<[Value; COLUMNS]> {
    let mut keys = BTreeSet::new();
    let row = |value: &Scalar| {
        let key = stored_key(value, attribute.kind());
        let (number, moment) = match (value, attribute.kind()) {
            (Scalar::Number(number), _) => (Some(number.value()), None),
            (Scalar::Text(_), AttributeType::Date) => (None, value.date()),
            _ => (None, None),
        };
        keys.insert(key.clone()).then(|| {
            [
                ObjectKey::from(place.owner()).into(),
                attribute.name().into(),
                key.into(),
                place.scope_id().into(),
                attribute.is_array().into(),
                number.into(),
                moment.into(),
            ]
        })
    };
    attribute.searched().iter().filter_map(row).collect()
}

/// Returns the search key of a value of an attribute with this type.
fn stored_key(value: &Scalar, kind: AttributeType) -> String {
    match value.date() {
        Some(date) if kind == AttributeType::Date => Class::Date.key(date.millis()),
        _ => wanted_keys(value).swap_remove(0).1,
    }
}

/// A longer text gets its hash as its search key, because an index does not accept long keys.
const KEY_BYTES: usize = 64;

/// The classes within which values are compared for equality. A null is in every class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    Null,
    Text,
    Date,
    Number,
    Boolean,
}

impl Class {
    fn key(self, value: impl ToString) -> String {
        let letter = match self {
            Class::Null => 'z',
            Class::Text => 's',
            Class::Date => 'd',
            Class::Number => 'n',
            Class::Boolean => 'b',
        };
        format!("{letter}{}", value.to_string())
    }
}

/// Returns the search keys of the values that equal a wanted one. A text that names a moment equals a text and a date.
pub(crate) fn wanted_keys(wanted: &Scalar) -> Vec<(Class, String)> {
    let key = |class: Class, value: String| (class, class.key(value));
    match wanted {
        Scalar::Null => vec![key(Class::Null, String::new())],
        Scalar::Boolean(value) => vec![key(Class::Boolean, value.to_string())],
        // Adding 0 turns negative zero into positive zero.
        Scalar::Number(number) => vec![key(Class::Number, format!("{:e}", number.value() + 0.0))],
        Scalar::Text(text) => {
            let short = if text.len() <= KEY_BYTES { text.clone() } else { hashed(text) };
            let date = wanted.date().map(|date| key(Class::Date, date.millis().to_string()));
            [key(Class::Text, short)].into_iter().chain(date).collect()
        }
    }
}

/// Hashes a text. The result is longer than any text that is its own search key, so the two cannot be confused.
fn hashed(text: &str) -> String {
    let digest = Sha256::digest(text.as_bytes());
    let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256:{hex}")
}
