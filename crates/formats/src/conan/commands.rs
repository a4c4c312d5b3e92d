//! Lines to paste for Conan.

use operations::format::{Command, CommandPlace};

use super::reference::ConanReference;
use crate::paste::{KEY, user};

/// The commands for a repository, a package or a version.
pub(super) fn commands(place: &CommandPlace<'_>) -> Vec<Command> {
    let command = |caption: &str, text: String, publishes: bool| Command {
        client: "conan",
        caption: caption.to_owned(),
        text,
        publishes,
    };
    let remote = place.owner;
    let login = format!("conan remote login {remote} {} -p {KEY}", user(place));
    let mut add = format!("conan remote add {remote} {}", place.base);
    if place.is_private {
        add.push_str(&format!("\n{login}"));
    }
    let reference = reference(place);
    let mut commands = vec![
        command("Add the remote", add, false),
        command("Install", format!("conan install --requires={reference} -r {remote}"), false),
    ];
    if place.version.is_none() {
        let upload = format!("{login}\nconan upload {} -r {remote} -c", place.package.unwrap_or("NAME/VERSION"));
        commands.push(command("Publish", upload, true));
    }
    commands
}

/// The reference of a version, or what stands for it.
fn reference(place: &CommandPlace<'_>) -> String {
    let package = place.package.unwrap_or("NAME");
    let Some(version) = place.version else { return format!("{package}/VERSION") };
    let names = (model::names::PackageName::parse(package), model::names::VersionName::parse(version));
    let found = match names {
        (Ok(package), Ok(version)) => ConanReference::of_version(&package, &version),
        _ => None,
    };
    found.map_or_else(|| format!("{package}/{version}"), |reference| reference.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paste::tests::place;

    fn texts(place: &CommandPlace<'_>) -> Vec<String> {
        commands(place).into_iter().map(|command| command.text).collect()
    }

    #[test]
    fn a_private_remote_needs_a_login() {
        let expected = [
            "conan remote add acme https://example.org/dl/acme/repo\nconan remote login acme ada -p API_KEY",
            "conan install --requires=hello/VERSION -r acme",
            "conan remote login acme ada -p API_KEY\nconan upload hello -r acme -c",
        ];
        assert_eq!(texts(&place(Some("hello"), true)), expected);
        let version = CommandPlace { version: Some("1.0@acme:stable"), ..place(Some("hello"), false) };
        assert_eq!(texts(&version)[1], "conan install --requires=hello/1.0@acme/stable -r acme");
    }
}
