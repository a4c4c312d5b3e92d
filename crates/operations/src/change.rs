//! Changes that set some fields and leave the rest, and their description in the audit log.

use std::fmt;

use model::{document::Syntax, names::SubjectName, package::FieldValue, plan::Plan, role::Role, timestamp::Timestamp};

/// The maximum number of characters of one value in the audit log.
const VALUE_CHARS: usize = 200;

/// The maximum number of characters of all changes in one entry.
const ALL_CHARS: usize = 4_000;

/// The old and new values of an edit, field by field. For secrets only the name is recorded.
#[derive(Debug, Default)]
pub(crate) struct Edits(Vec<String>);

impl Edits {
    /// Sets a field to its new value, if any, and records the change.
    pub(crate) fn set<T: Clone + Shown>(&mut self, name: &str, field: &mut T, change: &Option<T>) {
        if let Some(value) = change {
            self.record(name, field, value);
            field.clone_from(value);
        }
    }

    /// Records the old and the new value of a field, unless they are the same.
    pub(crate) fn record<T: Shown + ?Sized>(&mut self, name: &str, before: &T, after: &T) {
        self.record_texts(name, &before.shown(), &after.shown());
    }

    /// Does the same for a value that was set on its own: it is also recorded if it is the same.
    pub(crate) fn record_set<T: Shown + ?Sized>(&mut self, name: &str, before: &T, after: &T) {
        self.record_set_texts(name, &before.shown(), &after.shown());
    }

    /// Does the same for values that are already texts.
    pub(crate) fn record_set_texts(&mut self, name: &str, before: &str, after: &str) {
        if before == after {
            self.0.push(format!("{name}: {}", cut(after, VALUE_CHARS)));
        } else {
            self.record_texts(name, before, after);
        }
    }

    /// Records the old and the new value of a field, unless they are the same, for values that are already texts.
    pub(crate) fn record_texts(&mut self, name: &str, before: &str, after: &str) {
        if before != after {
            self.0.push(format!("{name}: {} -> {}", cut(before, VALUE_CHARS), cut(after, VALUE_CHARS)));
        }
    }

    /// Returns whether nothing was changed.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Records that a secret was replaced.
    pub(crate) fn record_secret(&mut self, name: &str) {
        self.0.push(format!("{name}: replaced"));
    }
}

impl fmt::Display for Edits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&cut(&self.0.join("; "), ALL_CHARS))
    }
}

/// Cuts a text, and marks the cut.
fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// A value of a field as it appears in the audit log.
pub(crate) trait Shown {
    /// The value as text: different values have different texts.
    fn shown(&self) -> String;
}

impl Shown for str {
    fn shown(&self) -> String {
        format!("{self:?}")
    }
}

impl Shown for String {
    fn shown(&self) -> String {
        self.as_str().shown()
    }
}

impl Shown for bool {
    fn shown(&self) -> String {
        self.to_string()
    }
}

impl Shown for i64 {
    fn shown(&self) -> String {
        self.to_string()
    }
}

impl Shown for Timestamp {
    fn shown(&self) -> String {
        self.to_string()
    }
}

impl Shown for SubjectName {
    fn shown(&self) -> String {
        self.to_string()
    }
}

impl Shown for ipnet::IpNet {
    fn shown(&self) -> String {
        self.to_string()
    }
}

impl Shown for Syntax {
    fn shown(&self) -> String {
        self.as_str().to_owned()
    }
}

impl Shown for Plan {
    fn shown(&self) -> String {
        self.as_str().to_owned()
    }
}

impl Shown for Role {
    fn shown(&self) -> String {
        self.as_str().to_owned()
    }
}

impl Shown for FieldValue {
    fn shown(&self) -> String {
        match self {
            Self::Text(text) => text.shown(),
            Self::OptionalText(text) => text.shown(),
            Self::List(list) => list.shown(),
            Self::Flag(flag) => flag.shown(),
        }
    }
}

impl<T: Shown> Shown for Option<T> {
    fn shown(&self) -> String {
        self.as_ref().map_or_else(|| "none".to_owned(), Shown::shown)
    }
}

impl<T: Shown> Shown for [T] {
    fn shown(&self) -> String {
        format!("[{}]", self.iter().map(Shown::shown).collect::<Vec<_>>().join(", "))
    }
}

impl<T: Shown> Shown for Vec<T> {
    fn shown(&self) -> String {
        self.as_slice().shown()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edit_says_what_was_and_what_is() {
        let mut edits = Edits::default();
        let (mut is_private, mut labels, mut days) = (false, vec!["a".to_owned()], None);
        edits.set("private", &mut is_private, &Some(true));
        edits.set("labels", &mut labels, &Some(vec!["b\n".to_owned(), "c".to_owned()]));
        edits.set("days", &mut days, &Some(Some(5_i64)));
        edits.record_secret("password");
        assert!(is_private && labels.len() == 2 && days == Some(5));
        let told = r#"private: false -> true; labels: ["a"] -> ["b\n", "c"]; days: none -> 5; password: replaced"#;
        assert_eq!(edits.to_string(), told);
    }

    #[test]
    fn what_stays_is_not_told() {
        let mut edits = Edits::default();
        let mut desc = "same".to_owned();
        edits.set("desc", &mut desc, &None);
        edits.set("desc", &mut desc, &Some("same".to_owned()));
        assert_eq!(edits.to_string(), "");
    }

    #[test]
    fn what_is_set_on_its_own_is_told_also_when_it_stays() {
        let mut edits = Edits::default();
        edits.record_set("plan", &Plan::Free, &Plan::Free);
        edits.record_set("plan", &Plan::Free, &Plan::Premium);
        assert_eq!(edits.to_string(), "plan: free; plan: free -> premium");
    }

    #[test]
    fn long_texts_are_cut_between_letters() {
        let mut edits = Edits::default();
        for _ in 0..50 {
            edits.record("desc", "", "ü".repeat(10_000).as_str());
        }
        let told = edits.to_string();
        assert_eq!(told.chars().count(), ALL_CHARS + 1);
        assert!(told.contains(&format!("\"{}…", "ü".repeat(VALUE_CHARS - 1))));
    }
}
