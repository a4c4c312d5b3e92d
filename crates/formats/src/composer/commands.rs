//! Lines to paste for Composer.

use operations::format::{Command, CommandPlace};

use crate::paste::{KEY, host, user};

/// The commands for a repository, a package or a version.
pub(super) fn commands(place: &CommandPlace<'_>) -> Vec<Command> {
    let package = place.package.map_or_else(|| "VENDOR/PACKAGE".to_owned(), |name| name.replacen(':', "/", 1));
    let version = place.version.map(|version| format!(":{}", version.replace(':', "/"))).unwrap_or_default();
    let mut install = format!("composer config repositories.{} composer {}\n", place.owner, place.base);
    if place.is_private {
        install += &format!("composer config --global http-basic.{} {} {KEY}\n", host(place), user(place));
    }
    install += &format!("composer require {package}{version}");
    let caption = "Require with Composer".to_owned();
    let mut commands = vec![Command { client: "composer", caption, text: install, publishes: false }];
    if place.version.is_none() {
        let text =
            format!("curl -u {}:{KEY} -T PACKAGE.zip '{}/upload/PACKAGE.zip?version=VERSION'", user(place), place.base);
        let caption = "Publish with curl".to_owned();
        commands.push(Command { client: "curl", caption, text, publishes: true });
    }
    commands
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paste::tests::place;

    fn texts(place: &CommandPlace<'_>) -> Vec<String> {
        commands(place).into_iter().map(|command| command.text).collect()
    }

    #[test]
    fn a_private_repository_needs_the_key() {
        let expected = [
            "composer config repositories.acme composer https://example.org/dl/acme/repo\n\
             composer config --global http-basic.example.org ada API_KEY\ncomposer require acme/hello",
            "curl -u ada:API_KEY -T PACKAGE.zip 'https://example.org/dl/acme/repo/upload/PACKAGE.zip?version=VERSION'",
        ];
        assert_eq!(texts(&place(Some("acme:hello"), true)), expected);
    }

    #[test]
    fn a_public_repository_needs_none() {
        let version = CommandPlace { version: Some("dev-feature:x"), ..place(Some("acme:hello"), false) };
        let expected = "composer config repositories.acme composer https://example.org/dl/acme/repo\n\
                        composer require acme/hello:dev-feature/x";
        assert_eq!(texts(&version), [expected]);
    }
}
