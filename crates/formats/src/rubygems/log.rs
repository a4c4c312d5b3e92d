//! `versions` as a log: each change of a gem adds a line.

use std::collections::{BTreeMap, HashSet};

use operations::format::{FileView, LogChange, LogGroup, StreamLog};

use super::{
    compact::{self, GemVersionEvent},
    format::Rubygems,
    indexes::{self, ListedGem},
    name::GemName,
    repo_indexes::info_md5,
};

impl StreamLog for Rubygems {
    fn label(&self, file: &FileView) -> Option<String> {
        Some(ListedGem::read(file)?.specification.number())
    }

    /// The MD5 of the gem's own index.
    fn state(&self, files: &[FileView]) -> String {
        let mut gems: Vec<ListedGem> = files.iter().filter_map(ListedGem::read).collect();
        indexes::sort(&mut gems);
        info_md5(&gems)
    }

    fn line(&self, change: &LogChange<'_>) -> Vec<u8> {
        // Groups are names of gems, so another name does not occur.
        let Ok(name) = GemName::parse(change.group) else { return Vec::new() };
        let gone = change.gone.iter().cloned().map(GemVersionEvent::Yanked);
        let added = change.added.iter().cloned().map(GemVersionEvent::Published);
        compact::versions_line(&name, &gone.chain(added).collect::<Vec<_>>(), change.state).into_bytes()
    }

    fn read(&self, text: &[u8]) -> BTreeMap<String, LogGroup> {
        let mut groups: BTreeMap<String, LogGroup> = BTreeMap::new();
        for line in String::from_utf8_lossy(text).lines() {
            let mut words = line.split(' ');
            let (Some(name), Some(changes), Some(md5)) = (words.next(), words.next(), words.next()) else { continue };
            let group = groups.entry(name.to_owned()).or_default();
            group.state = md5.to_owned();
            for change in changes.split(',') {
                match change.strip_prefix('-') {
                    Some(gone) => group.labels.retain(|label| label != gone),
                    None => group.labels.push(change.to_owned()),
                }
            }
        }
        // A server of an earlier release may have listed a version again.
        for group in groups.values_mut() {
            let mut seen = HashSet::new();
            group.labels.retain(|label| seen.insert(label.clone()));
        }
        groups
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_gem_say_together_which_versions_it_has() {
        let text = b"hello 1.0,1.1-java 5d41\nant 1.0 7d79\nhello -1.0,2.0 aaa\nhello 2.0 aaaa\nant -1.0 bbbb\n";
        let group = |labels: &[&str], state: &str| LogGroup {
            labels: labels.iter().map(|label| (*label).to_owned()).collect(),
            state: state.to_owned(),
        };
        let groups = Rubygems.read(text);
        assert_eq!(groups["hello"], group(&["1.1-java", "2.0"], "aaaa"));
        assert_eq!(groups["ant"], group(&[], "bbbb"));
        let change = LogChange { group: "hello", gone: &["1.0".into()], added: &["2.0".into()], state: "aaaa" };
        assert_eq!(Rubygems.line(&change), b"hello -1.0,2.0 aaaa\n");
    }
}
