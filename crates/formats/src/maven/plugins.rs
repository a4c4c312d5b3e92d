//! The Maven plugins of a group. With their index, `mvn exec:java` works in place of the full coordinates.

use std::collections::BTreeMap;

use operations::format::Facts;

use super::{layout::Artifact, xml::Xml};

/// The packaging of a plugin; its facts begin with it.
const PACKAGING: &str = "maven-plugin";

/// Maximum length of a plugin's name in characters.
const NAME_CHARACTERS: usize = 200;

/// Returns the facts to store about a POM: the packaging and the name for a plugin, nothing for other POMs.
pub(super) fn facts(packaging: &str, name: &str) -> Option<Facts> {
    // A name with unresolved properties is worse than none.
    let name = if name.contains("${") { "" } else { name };
    let words: Vec<&str> =
        name.split(|c: char| c.is_whitespace() || is_unprintable(c)).filter(|w| !w.is_empty()).collect();
    let name: String = words.join(" ").chars().take(NAME_CHARACTERS).collect();
    (packaging == PACKAGING).then(|| Facts(format!("{PACKAGING} {name}")))
}

/// Returns whether the facts are those of a plugin.
pub(super) fn is_plugin(facts: &Facts) -> bool {
    name(facts).is_some()
}

/// The plugins of one group, collected while an index is built.
#[derive(Debug, Default)]
pub(super) struct Plugins<'a>(BTreeMap<&'a str, Plugin<'a>>);

#[derive(Debug, Clone, Copy)]
struct Plugin<'a> {
    name: &'a str,
    published: i64,
}

impl<'a> Plugins<'a> {
    /// Adds a file with its facts.
    pub(super) fn add(&mut self, artifact: Artifact<'a>, facts: &'a Facts, published: i64) {
        let Some(name) = name(facts).filter(|_| artifact.is_pom()) else { return };
        let plugin = Plugin { name, published };
        let newest = self.0.entry(artifact.id).or_insert(plugin);
        if newest.published < published {
            *newest = plugin;
        }
    }

    /// Returns whether the group has no plugins.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Writes the group's section of the index.
    pub(super) fn write(&self, xml: &mut Xml) {
        for (id, plugin) in &self.0 {
            xml.element("plugin", |xml| {
                xml.leaf("name", if plugin.name.is_empty() { id } else { plugin.name });
                xml.leaf("prefix", &prefix(id));
                xml.leaf("artifactId", id);
            });
        }
    }
}

fn name(facts: &Facts) -> Option<&str> {
    facts.0.strip_prefix(PACKAGING)?.strip_prefix(' ')
}

/// Returns whether XML text may not contain this character.
fn is_unprintable(c: char) -> bool {
    c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}')
}

/// Returns the prefix that Maven gives a plugin that declares none: its id without the words `maven` and `plugin`.
fn prefix(id: &str) -> String {
    match id {
        "maven-plugin-plugin" => "plugin".to_owned(),
        _ => match without(&without(id, "maven"), "plugin") {
            prefix if prefix.is_empty() => id.to_owned(),
            prefix => prefix,
        },
    }
}

/// Removes a word from a text, together with the `-` on either side of it.
fn without(text: &str, word: &str) -> String {
    let mut pieces = text.split(word).peekable();
    let mut rest = String::new();
    let mut is_first = true;
    while let Some(piece) = pieces.next() {
        let piece = if is_first { piece } else { piece.strip_prefix('-').unwrap_or(piece) };
        let piece = if pieces.peek().is_none() { piece } else { piece.strip_suffix('-').unwrap_or(piece) };
        rest.push_str(piece);
        is_first = false;
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_prefix_follows_the_id() {
        assert_eq!(prefix("exec-maven-plugin"), "exec");
        assert_eq!(prefix("maven-site-plugin"), "site");
        assert_eq!(prefix("spring-boot-maven-plugin"), "spring-boot");
        assert_eq!(prefix("maven-plugin-plugin"), "plugin");
        assert_eq!(prefix("tools-plugin"), "tools");
        assert_eq!(prefix("tools"), "tools");
        assert_eq!(prefix("maven-plugin"), "maven-plugin");
    }

    #[test]
    fn only_plugins_are_remembered() {
        assert_eq!(facts("jar", "Lib"), None);
        let facts = facts("maven-plugin", " My\n\u{1}plugin ").expect("a plugin");
        assert_eq!(facts, Facts("maven-plugin My plugin".to_owned()));
        assert!(is_plugin(&facts));
        assert!(!is_plugin(&Facts("maven-plugins x".to_owned())));
    }

    #[test]
    fn a_name_that_is_no_text_is_left_out() {
        assert_eq!(facts("maven-plugin", "${project.artifactId}"), Some(Facts("maven-plugin ".to_owned())));
        assert_eq!(facts("maven-plugin", &"x".repeat(300)).map(|facts| facts.0.len()), Some(213));
    }
}
