//! Counts the responses to clients.

use std::{collections::BTreeMap, fmt};

/// Responses by method and status; status 0 means no response.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tally(BTreeMap<(&'static str, u16), u64>);

impl Tally {
    pub(crate) fn note(&mut self, method: &'static str, status: u16) {
        *self.0.entry((method, status)).or_default() += 1;
    }

    pub(crate) fn add(&mut self, other: &Tally) {
        for (key, count) in &other.0 {
            *self.0.entry(*key).or_default() += count;
        }
    }

    /// Returns the number of successful responses.
    pub(crate) fn successes(&self) -> u64 {
        self.0.iter().filter(|((_, status), _)| matches!(status, 200 | 201)).map(|(_, count)| count).sum()
    }

    /// Returns the responses that are neither successful nor among these.
    pub(crate) fn others_than(&self, allowed: &[(&str, u16)]) -> Vec<(&'static str, u16)> {
        let is_fine = |(method, status): &(&'static str, u16)| {
            matches!(status, 200 | 201)
                || allowed.iter().any(|(any, one)| one == status && (any == method || *any == "*"))
        };
        self.0.keys().filter(|key| !is_fine(key)).copied().collect()
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts: Vec<_> =
            self.0.iter().map(|((method, status), count)| format!("{method} {status}: {count}")).collect();
        formatter.write_str(&texts.join(", "))
    }
}
