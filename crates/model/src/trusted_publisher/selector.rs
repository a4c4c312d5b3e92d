//! The texts that publishers are found by, so that a token is compared with few of them.

use super::{Provider, TrustedPublisher};

/// The maximum number of separators that are looked at.
const SEPARATORS: usize = 32;

/// Found by every token of the issuer: rows that were written before there were selectors.
const UNKNOWN: &str = "";

impl TrustedPublisher {
    /// The text that this publisher is found by: the values that its provider requires. A pattern is found by what comes
    /// before its first `*`, up to a separator.
    pub fn selector(&self) -> String {
        let pattern = |name: &&str| self.claims.iter().find(|one| one.claim == *name);
        let patterns: Vec<_> = self.provider.required().iter().filter_map(pattern).collect();
        match patterns.as_slice() {
            [one] if !one.is_exact() => {
                let fixed = one.pattern.split('*').next().unwrap_or_default();
                beginning(parts(fixed).last().copied().unwrap_or_default())
            }
            all => exact(self.provider, all.iter().map(|one| one.pattern.as_str())),
        }
    }
}

/// The selectors of all publishers that may accept a token with these claims.
pub fn selectors_of(value_of: impl Fn(&str) -> Option<String>) -> Vec<String> {
    let mut found = vec![UNKNOWN.to_owned()];
    for provider in Provider::ALL {
        let values: Option<Vec<String>> = provider.required().iter().map(|name| value_of(name)).collect();
        found.extend(values.map(|values| exact(provider, values.iter().map(String::as_str))));
    }
    let subject = value_of("sub").unwrap_or_default();
    found.extend(parts(&subject).into_iter().map(beginning));
    found
}

fn exact<'v>(provider: Provider, values: impl Iterator<Item = &'v str>) -> String {
    values.fold(format!("{}=", provider.as_str()), |text, value| format!("{text}\n{value}"))
}

fn beginning(text: &str) -> String {
    format!("{}^\n{text}", Provider::Generic.as_str())
}

/// The beginnings of a text that end with a separator, the empty one first.
fn parts(text: &str) -> Vec<&str> {
    let ends = text.match_indices(['/', ':']).map(|(at, separator)| at + separator.len());
    std::iter::once(0).chain(ends.take(SEPARATORS)).map(|end| &text[..end]).collect()
}
