//! Lines to paste for npm, pnpm and yarn.

use operations::format::{Command, CommandPlace};

use crate::paste::{KEY, without_scheme};

/// The commands for a repository, a package or a version.
pub(super) fn commands(place: &CommandPlace<'_>) -> Vec<Command> {
    // The package of another format's repository has no scope; stored names have `:` after it.
    let package = place.package.map_or_else(|| "PACKAGE".to_owned(), |name| name.replacen(':', "/", 1));
    let requirement = place.version.map_or_else(|| package.clone(), |version| format!("{package}@{version}"));
    let command = |client: &'static str, caption: &str, text: String, publishes: bool| Command {
        client,
        caption: caption.to_owned(),
        text,
        publishes,
    };
    let registry = registry(place, &package);
    let key = format!("npm config set //{}/:_authToken {KEY}", without_scheme(place));
    let with_key = |line: String| if place.is_private { format!("{key}\n{line}") } else { line };
    let mut commands = vec![
        command("npm", "Install with npm", with_key(format!("{registry}\nnpm install {requirement}")), false),
        command("pnpm", "Add with pnpm", with_key(format!("{registry}\npnpm add {requirement}")), false),
        command("yarn", ".yarnrc.yml", yarn(place), false),
        command("yarn", "Add with yarn", format!("yarn add {requirement}"), false),
    ];
    if place.version.is_none() {
        let publish = format!("{key}\nnpm publish --registry {}/", place.base);
        commands.push(command("npm", "Publish with npm", publish, true));
    }
    commands
}

/// Packages with a scope come from the repository, and all others from where they came before.
fn registry(place: &CommandPlace<'_>, package: &str) -> String {
    match package.split_once('/') {
        Some((scope, _)) => format!("npm config set {scope}:registry {}/", place.base),
        None => format!("npm config set registry {}/", place.base),
    }
}

fn yarn(place: &CommandPlace<'_>) -> String {
    let mut text = format!("npmRegistryServer: \"{}/\"", place.base);
    if place.is_private {
        text += &format!("\nnpmAuthToken: \"{KEY}\"\nnpmAlwaysAuth: true");
    }
    text
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
        let key = "npm config set //example.org/dl/acme/repo/:_authToken API_KEY";
        let registry = "npm config set @acme:registry https://example.org/dl/acme/repo/";
        let expected = [
            format!("{key}\n{registry}\nnpm install @acme/hello"),
            format!("{key}\n{registry}\npnpm add @acme/hello"),
            "npmRegistryServer: \"https://example.org/dl/acme/repo/\"\nnpmAuthToken: \"API_KEY\"\nnpmAlwaysAuth: true"
                .to_owned(),
            "yarn add @acme/hello".to_owned(),
            format!("{key}\nnpm publish --registry https://example.org/dl/acme/repo/"),
        ];
        assert_eq!(texts(&place(Some("@acme:hello"), true)), expected);
    }

    #[test]
    fn a_public_repository_needs_none() {
        let version = CommandPlace { version: Some("1.0.0"), ..place(Some("hello"), false) };
        let expected = [
            "npm config set registry https://example.org/dl/acme/repo/\nnpm install hello@1.0.0",
            "npm config set registry https://example.org/dl/acme/repo/\npnpm add hello@1.0.0",
            "npmRegistryServer: \"https://example.org/dl/acme/repo/\"",
            "yarn add hello@1.0.0",
        ];
        assert_eq!(texts(&version), expected);
    }
}
