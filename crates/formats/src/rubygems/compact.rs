//! The compact index: `versions`, `info/<gem>` and `names`.

use model::timestamp::Timestamp;

use super::{name::GemName, specification::GemSpecification};
use crate::documents::seconds;

/// A change of a gem's list of versions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GemVersionEvent {
    /// A version with its platform was published.
    Published(String),
    /// A version with its platform was yanked.
    Yanked(String),
}

/// The first lines of `versions`.
pub fn versions_header(created: Timestamp) -> String {
    format!("created_at: {}\n---\n", seconds(created))
}

/// A line of `versions`: the changes of a gem, and the MD5 of its `info` after them, in hex. The last line of a gem
/// wins.
pub fn versions_line(name: &GemName, events: &[GemVersionEvent], info_md5: &str) -> String {
    let text = |event: &GemVersionEvent| match event {
        GemVersionEvent::Published(number) => number.clone(),
        GemVersionEvent::Yanked(number) => format!("-{number}"),
    };
    let events: Vec<String> = events.iter().map(text).collect();
    format!("{} {} {info_md5}\n", name.as_str(), events.join(","))
}

/// The text of `names`.
pub fn names<'a>(names: impl IntoIterator<Item = &'a GemName>) -> String {
    let mut text = "---\n".to_owned();
    for name in names {
        text.push_str(name.as_str());
        text.push('\n');
    }
    text
}

/// The text of `info/<gem>`: a line for each version that is not yanked, in the order of publication.
pub fn info<'a>(versions: impl IntoIterator<Item = (&'a GemSpecification, &'a str)>) -> String {
    let mut text = "---\n".to_owned();
    for (specification, sha256) in versions {
        text.push_str(&info_line(specification, sha256));
    }
    text
}

/// A line of `info/<gem>`. `sha256` is that of the gem, in hex.
pub fn info_line(specification: &GemSpecification, sha256: &str) -> String {
    let dependencies: Vec<String> = specification
        .runtime_dependencies()
        .map(|dependency| format!("{}:{}", dependency.name.as_str(), dependency.requirement))
        .collect();
    let mut line = format!("{} {}|checksum:{sha256}", specification.number(), dependencies.join(","));
    for (key, requirement) in
        [("ruby", &specification.required_ruby_version), ("rubygems", &specification.required_rubygems_version)]
    {
        if !requirement.is_any() {
            line.push_str(&format!(",{key}:{requirement}"));
        }
    }
    line.push('\n');
    line
}

#[cfg(test)]
mod tests {
    use super::{super::specification::tests::specification, *};

    #[test]
    fn versions_has_a_line_for_each_change() {
        let name = GemName::parse("hello").expect("a name");
        let published = |number: &str| GemVersionEvent::Published(number.to_owned());
        let text = versions_header(Timestamp::EPOCH)
            + &versions_line(&name, &[published("1.0.0"), published("1.1.0-java")], "5d41")
            + &versions_line(&name, &[GemVersionEvent::Yanked("1.0.0".to_owned())], "7d79");
        assert_eq!(text, "created_at: 1970-01-01T00:00:00Z\n---\nhello 1.0.0,1.1.0-java 5d41\nhello -1.0.0 7d79\n");
        assert_eq!(names([&name]), "---\nhello\n");
    }

    #[test]
    fn info_has_a_line_for_each_version() {
        let (plain, java) = (specification("hello", "ruby"), specification("hello", "java"));
        let mut bare = java;
        bare.dependencies.clear();
        bare.required_ruby_version = super::super::GemRequirement::default();
        let expected = "---\n1.1.0 rake:>= 12&< 14|checksum:9f86,ruby:>= 2.7\n1.1.0-java |checksum:2c26\n";
        assert_eq!(info([(&plain, "9f86"), (&bare, "2c26")]), expected);
    }
}
