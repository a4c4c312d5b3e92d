//! What the manual says about each call.

use std::collections::BTreeMap;

pub(super) const MANUAL: &str = include_str!("../../../../docs/api.md");

/// The text of each call, by its method and path: the paragraphs up to the first example.
pub(super) fn descriptions() -> BTreeMap<String, String> {
    let sections = MANUAL.split("\n### `").skip(1);
    sections
        .filter_map(|section| {
            let (call, text) = section.split_once("`\n")?;
            let end = ["\n```", "\n<!--", "\n## ", "\n| ", "\n**Permission:**"];
            let end = end.iter().filter_map(|mark| text.find(mark)).min().unwrap_or(text.len());
            let paragraphs = text[..end].trim().split("\n\n").map(|paragraph| paragraph.replace('\n', " "));
            Some((call.to_owned(), paragraphs.collect::<Vec<_>>().join("\n\n")))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::endpoints::endpoints;

    /// The line of the manual about who may make each call.
    fn permissions() -> BTreeMap<String, String> {
        let sections = MANUAL.split("\n### `").skip(1);
        sections
            .filter_map(|section| {
                let (call, text) = section.split_once("`\n")?;
                let (_, rest) = text.split_once("\n**Permission:** ")?;
                let line = rest.split("\n\n").next()?.replace('\n', " ");
                Some((call.to_owned(), line))
            })
            .collect()
    }

    #[test]
    fn the_manual_says_who_may_make_each_call() {
        let written = permissions();
        for endpoint in endpoints() {
            let call = format!("{} {}", endpoint.method, endpoint.path);
            assert_eq!(written.get(&call).map(String::as_str), Some(endpoint.permission()), "{call}");
        }
    }

    #[test]
    fn the_manual_describes_each_call() {
        let texts = descriptions();
        for endpoint in endpoints() {
            let call = format!("{} {}", endpoint.method, endpoint.path);
            assert!(texts.get(&call).is_some_and(|text| !text.is_empty()), "{call} has no text in docs/api.md");
        }
    }
}
