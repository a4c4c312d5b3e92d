//! Detects misspelled fields in a body. Unknown fields are ignored, because clients send more than a server knows; but
//! ignoring `pirvate` would make a repository public.

use std::{cell::Cell, rc::Rc};

use serde::{
    Deserialize, Deserializer,
    de::{Error as _, Visitor},
    forward_to_deserialize_any,
};
use serde_json::{Error, Map, Value};

use super::path::{Fields, Items, ValuePath};

/// Fields that old clients are known to send, or to send back as they received them: never misspellings, in any object.
const KNOWN_ELSEWHERE: [&str; 6] =
    ["lables", "public_stats", "github_release_notes_file", "callback_email", "callback_method", "callback_url"];

/// The fields that a type reads from an object; empty if it reads all of them.
pub(super) fn fields_of<'de, T: Deserialize<'de>>() -> &'static [&'static str] {
    let found = Cell::new(&[][..]);
    // The deserializer records the fields before it fails.
    let _refused = T::deserialize(Question(&found));
    found.get()
}

/// A deserializer that yields no value and records the fields it is asked for.
struct Question<'q>(&'q Cell<&'static [&'static str]>);

impl<'de> Deserializer<'de> for Question<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(Error::custom("nothing is read here"))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Error> {
        self.0.set(fields);
        Err(Error::custom("nothing is read here"))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

/// A value whose objects are read only if none of their fields is a misspelling.
pub(super) struct Spelled {
    value: Value,
    /// Fields of the same object that another type reads.
    others: &'static [&'static str],
    path: Rc<ValuePath>,
}

impl Spelled {
    /// Wraps the value at this path; `others` are fields that another type reads.
    pub(super) fn new(value: Value, others: &'static [&'static str], path: Rc<ValuePath>) -> Self {
        Self { value, others, path }
    }

    fn check(&self, fields: &[&'static str]) -> Result<(), Error> {
        let Value::Object(given) = &self.value else { return Ok(()) };
        match find_slip(given, &[fields, self.others].concat()) {
            Some((slip, meant)) => Err(Error::custom(format_args!(
                "'{slip}' is not a field of this object; did you mean '{meant}'? Correct it or leave it out"
            ))),
            None => Ok(()),
        }
    }
}

fn find_slip<'g>(given: &'g Map<String, Value>, fields: &[&'static str]) -> Option<(&'g str, &'static str)> {
    let is_known = |name: &str| fields.contains(&name) || KNOWN_ELSEWHERE.contains(&name);
    let unknown = given.keys().map(String::as_str).filter(|name| !is_known(name));
    // A field that is present cannot be the one that was misspelled.
    let free = || fields.iter().filter(|field| !given.contains_key(**field));
    unknown.into_iter().find_map(|name| free().find(|field| is_slip(name, field)).map(|field| (name, *field)))
}

/// Whether two names differ by one added, missing, wrong or transposed letter, or by two transpositions.
fn is_slip(name: &str, field: &str) -> bool {
    // Names whose lengths differ by more than one letter cannot match; and too many short names are alike.
    if name.len().abs_diff(field.len()) > 1 || field.len() < 3 {
        return false;
    }
    let has_same_letters = || {
        let sorted = |text: &str| {
            let mut letters = text.as_bytes().to_vec();
            letters.sort_unstable();
            letters
        };
        sorted(name) == sorted(field)
    };
    match distance(name.as_bytes(), field.as_bytes()) {
        1 => true,
        2 => has_same_letters(),
        _ => false,
    }
}

/// The number of letters that have to be added, removed, replaced or transposed.
fn distance(a: &[u8], b: &[u8]) -> usize {
    let mut before_last = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before_last[j - 2] + 1);
            }
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

impl<'de> Deserializer<'de> for Spelled {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.value {
            Value::Array(items) => visitor.visit_seq(Items::new(items, self.path)),
            Value::Object(fields) => visitor.visit_map(Fields::new(fields, self.path)),
            other => other.deserialize_any(visitor),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.check(fields)?;
        self.deserialize_any(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.value.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map enum identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_one_letter_away_or_have_letters_swapped() {
        for (name, field) in [
            ("pirvate", "private"),
            ("privat", "private"),
            ("privatee", "private"),
            ("provate", "private"),
            ("rpviate", "private"),
            ("licences", "licenses"),
            ("vcsurl", "vcs_url"),
            ("Desc", "desc"),
        ] {
            assert!(is_slip(name, field), "{name}");
        }
        for (name, field) in [
            ("private", "private"),
            ("privacy", "private"),
            ("description", "desc"),
            ("vcs_tag", "vcs_url"),
            ("names", "tags"),
            ("di", "id"),
            ("", "url"),
            ("ü", "url"),
        ] {
            assert!(!is_slip(name, field), "{name}");
        }
    }

    #[test]
    fn the_fields_of_a_type_are_known_with_their_other_names() {
        assert_eq!(fields_of::<api::WebhookTest>(), ["url"]);
        assert!(fields_of::<api::NewEntitlement>().contains(&"download_keys"));
        assert_eq!(fields_of::<Map<String, Value>>(), [""; 0]);
    }
}
