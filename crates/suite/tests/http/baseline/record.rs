//! The responses to everyone, as text: a long response that occurred before is named instead of repeated.

use std::collections::{BTreeMap, btree_map::Entry};

use super::shown::sets;

/// Longer responses are recorded once.
const LONG: usize = 400;

/// The start and the end of the part that pages share.
const SHELL: (&str, &str) = ("<!doctype html>", "<main id=\"main\"");

/// Responses under their requests.
pub(super) struct Record {
    text: String,
    /// Long responses, with the place of their first occurrence.
    known: BTreeMap<String, String>,
    /// The shared parts of pages, with their numbers.
    shells: BTreeMap<String, usize>,
}

impl Record {
    pub(super) fn new() -> Self {
        Self { text: sets(), known: BTreeMap::new(), shells: BTreeMap::new() }
    }

    /// Adds a heading.
    pub(super) fn head(&mut self, request: &str) {
        self.text += &format!("\n## {request}\n");
    }

    /// Adds the response to some of the callers of a request.
    pub(super) fn add(&mut self, who: &str, request: &str, answer: String) {
        if let Some(first) = self.known.get(&answer) {
            self.text += &format!("{who}: as {first}\n");
            return;
        }
        let shown = self.without_shell(&answer);
        if answer.len() > LONG {
            self.known.insert(answer, format!("{who} at {request}"));
        }
        let lines = shown.lines().map(|line| if line.is_empty() { "\n".to_owned() } else { format!("    {line}\n") });
        self.text += &format!("{who}: {}", lines.collect::<String>().trim_start());
    }

    /// Returns a page without a shared part that occurred before; the title stays.
    fn without_shell(&mut self, answer: &str) -> String {
        let (start, end) = SHELL;
        let Some((head, page)) = answer.split_once(start) else { return answer.to_owned() };
        let Some((shell, content)) = page.split_once(end) else { return answer.to_owned() };
        let title = shell.lines().find(|line| line.starts_with("<title>")).unwrap_or_default();
        let number = self.shells.len() + 1;
        match self.shells.entry(shell.replace(title, "")) {
            Entry::Occupied(known) => {
                format!("{head}(shell {})\n{title}\n{end}{content}", known.get())
            }
            Entry::Vacant(new) => {
                new.insert(number);
                format!("{head}(this is shell {number})\n{start}{shell}{end}{content}")
            }
        }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }
}
