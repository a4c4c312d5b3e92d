//! Lines to paste for dotnet.

use operations::format::{Command, CommandPlace};

use crate::paste::{KEY, user};

/// The commands for a repository, a package or a version.
pub(super) fn commands(place: &CommandPlace<'_>) -> Vec<Command> {
    let command = |caption: &str, text: String, publishes: bool| Command {
        client: "dotnet",
        caption: caption.to_owned(),
        text,
        publishes,
    };
    let source = format!("{}-{}", place.owner, place.repo);
    let login = if place.is_private {
        format!(" --username {} --password {KEY} --store-password-in-clear-text", user(place))
    } else {
        String::new()
    };
    let add = format!("dotnet nuget add source {}/index.json --name {source}{login}", place.base);
    let package = place.package.unwrap_or("PACKAGE");
    let exact = place.version.map_or_else(String::new, |version| format!(" --version {version}"));
    let mut commands = vec![
        command("Add the source", add, false),
        command("Add a package", format!("dotnet add package {package}{exact} --source {source}"), false),
    ];
    if place.version.is_none() {
        let push = format!("dotnet nuget push {package}.VERSION.nupkg --source {source} --api-key {KEY}");
        commands.push(command("Publish", push, true));
    }
    commands
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paste::tests::place;

    #[test]
    fn a_private_source_needs_credentials() {
        let texts = |place: &CommandPlace<'_>| -> Vec<String> {
            commands(place).into_iter().map(|command| command.text).collect()
        };
        let expected = [
            "dotnet nuget add source https://example.org/dl/acme/repo/index.json --name acme-repo --username ada \
             --password API_KEY --store-password-in-clear-text",
            "dotnet add package acme.hello --source acme-repo",
            "dotnet nuget push acme.hello.VERSION.nupkg --source acme-repo --api-key API_KEY",
        ];
        assert_eq!(texts(&place(Some("acme.hello"), true)), expected);
        let version = CommandPlace { version: Some("1.0.0"), ..place(Some("acme.hello"), false) };
        assert_eq!(texts(&version)[1], "dotnet add package acme.hello --version 1.0.0 --source acme-repo");
        assert!(!texts(&version)[0].contains("password"));
    }
}
