//! Lines to paste for Cargo.

use operations::format::{Command, CommandPlace};

/// The commands for a repository, a package or a version.
pub(super) fn commands(place: &CommandPlace<'_>) -> Vec<Command> {
    let name = registry_name(place.owner);
    let command = |caption: &str, text: String, publishes: bool| Command {
        client: "cargo",
        caption: caption.to_owned(),
        text,
        publishes,
    };
    let login = format!("cargo login --registry {name}   # paste your API key");
    let mut commands = vec![command(".cargo/config.toml", configuration(place, &name), false)];
    if place.is_private {
        commands.push(command("Log in", login.clone(), false));
    }
    let package = place.package.unwrap_or("CRATE");
    let requirement = place.version.map_or_else(|| package.to_owned(), |version| format!("{package}@{version}"));
    commands.push(command("Add a dependency", format!("cargo add {requirement} --registry {name}"), false));
    if place.version.is_none() {
        commands.push(command("Publish", format!("{login}\ncargo publish --registry {name}"), true));
    }
    commands
}

fn configuration(place: &CommandPlace<'_>, name: &str) -> String {
    format!(
        "[registries.{name}]\nindex = \"sparse+{}/\"\n\n[registry]\nglobal-credential-providers = [\"cargo:token\"]",
        place.base
    )
}

/// The name of a registry in the configuration: letters, digits, `-` and `_`.
fn registry_name(owner: &str) -> String {
    owner.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paste::tests::place;

    fn texts(place: &CommandPlace<'_>) -> Vec<String> {
        commands(place).into_iter().map(|command| command.text).collect()
    }

    #[test]
    fn a_private_registry_needs_a_login() {
        let expected = [
            "[registries.acme]\nindex = \"sparse+https://example.org/dl/acme/repo/\"\n\n[registry]\n\
             global-credential-providers = [\"cargo:token\"]",
            "cargo login --registry acme   # paste your API key",
            "cargo add My-Lib --registry acme",
            "cargo login --registry acme   # paste your API key\ncargo publish --registry acme",
        ];
        assert_eq!(texts(&place(Some("My-Lib"), true)), expected);
    }

    #[test]
    fn a_version_is_added_by_its_name() {
        let version = CommandPlace { version: Some("1.0.0"), owner: "a.b", ..place(Some("My-Lib"), false) };
        let texts = texts(&version);
        assert_eq!(texts.len(), 2);
        assert_eq!(texts[1], "cargo add My-Lib@1.0.0 --registry a-b");
    }
}
