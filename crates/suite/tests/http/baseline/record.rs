//! What everyone gets, as a text: what is long and was there before is named instead of being repeated.

use std::collections::{BTreeMap, btree_map::Entry};

use super::shown::sets;

/// Longer responses are recorded once.
const LONG: usize = 400;

/// What begins and what ends the part that pages share.
const SHELL: (&str, &str) = ("<!doctype html>", "<main id=\"main\"");

/// Answers under the requests that they answer.
pub(super) struct Record {
    text: String,
    /// Long answers, with where they were given first.
    known: BTreeMap<String, String>,
    /// What stands around the content of pages, with its number.
    shells: BTreeMap<String, usize>,
}

impl Record {
    pub(super) fn new() -> Self {
        Self { text: sets(), known: BTreeMap::new(), shells: BTreeMap::new() }
    }

    /// A heading.
    pub(super) fn head(&mut self, request: &str) {
        self.text += &format!("\n## {request}\n");
    }

    /// What some of those who have sent a request get.
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

    /// A page without the part that another page has had; the title stays.
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
