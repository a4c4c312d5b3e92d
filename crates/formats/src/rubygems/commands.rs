//! Lines to paste for gem and Bundler.

use operations::format::{Command, CommandPlace};

use super::name::split_number;
use crate::paste::{KEY, user, with_credentials};

/// The commands for a repository, a package or a version.
pub(super) fn commands(place: &CommandPlace<'_>) -> Vec<Command> {
    let command = |client: &'static str, caption: &str, text: String, publishes: bool| Command {
        client,
        caption: caption.to_owned(),
        text,
        publishes,
    };
    let gem = place.package.unwrap_or("GEM");
    let number = place.version.map(|version| split_number(version).0);
    let exact = number.map_or_else(String::new, |number| format!(" --version {number}"));
    let install = format!("gem sources --add {}/\ngem install {gem}{exact}", with_credentials(place));
    let mut commands = vec![
        command("gem", "Add the source and install", install, false),
        command("bundler", "Gemfile", gemfile(place, gem, number), false),
    ];
    if place.is_private {
        let login = format!("bundle config set --global {}/ {}:{KEY}", place.base, user(place));
        commands.push(command("bundler", "Credentials", login, false));
    }
    if place.version.is_none() {
        let push = format!("GEM_HOST_API_KEY={KEY} gem push {gem}-VERSION.gem --host {}", place.base);
        commands.push(command("gem", "Publish", push, true));
    }
    commands
}

fn gemfile(place: &CommandPlace<'_>, gem: &str, number: Option<&str>) -> String {
    let exact = number.map_or_else(String::new, |number| format!(", \"{number}\""));
    format!("source \"{}/\" do\n  gem \"{gem}\"{exact}\nend", place.base)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paste::tests::place;

    fn texts(place: &CommandPlace<'_>) -> Vec<String> {
        commands(place).into_iter().map(|command| command.text).collect()
    }

    #[test]
    fn a_private_repository_needs_credentials() {
        let expected = [
            "gem sources --add https://ada:API_KEY@example.org/dl/acme/repo/\ngem install hello",
            "source \"https://example.org/dl/acme/repo/\" do\n  gem \"hello\"\nend",
            "bundle config set --global https://example.org/dl/acme/repo/ ada:API_KEY",
            "GEM_HOST_API_KEY=API_KEY gem push hello-VERSION.gem --host https://example.org/dl/acme/repo",
        ];
        assert_eq!(texts(&place(Some("hello"), true)), expected);
    }

    #[test]
    fn a_version_is_installed_by_its_number() {
        let version = CommandPlace { version: Some("1.0.0-java"), ..place(Some("hello"), false) };
        let texts = texts(&version);
        assert_eq!(texts.len(), 2);
        assert!(texts[0].ends_with("gem install hello --version 1.0.0"), "{}", texts[0]);
        assert!(texts[1].contains("gem \"hello\", \"1.0.0\""), "{}", texts[1]);
    }
}
