//! Lines to paste for Vagrant.

use operations::format::{Command, CommandPlace};

use crate::paste::{KEY, user};

/// The commands for a repository, a package or a version.
pub(super) fn commands(place: &CommandPlace<'_>) -> Vec<Command> {
    let name = place.package.unwrap_or("BOX");
    let version = place.version.map(|version| format!("--box-version {version} ")).unwrap_or_default();
    let server = place.base.strip_suffix(&format!("/{}", place.repo)).unwrap_or(place.base);
    let token = format!("export VAGRANT_CLOUD_TOKEN=$(printf {}:{KEY} | base64 -w0)\n", user(place));
    let token = if place.is_private { token } else { String::new() };
    let command = |client: &'static str, caption: &str, text: String, publishes: bool| Command {
        client,
        caption: caption.to_owned(),
        text,
        publishes,
    };
    let by_name = format!("{token}export VAGRANT_SERVER_URL={server}\nvagrant box add {version}{}/{name}", place.repo);
    let by_address = format!("vagrant box add {version}{}/{name}", place.base);
    let mut commands = vec![command("vagrant", "Add by name", by_name, false)];
    if !place.is_private {
        commands.push(command("vagrant", "Add by address", by_address, false));
    }
    if place.version.is_none() {
        let path = format!("{}/{name}/VERSION/PROVIDER/ARCHITECTURE.box", place.base);
        let text = format!("curl -u {}:{KEY} -T BOX_FILE.box {path}", user(place));
        commands.push(command("curl", "Publish with curl", text, true));
        let text = format!(
            "export VAGRANT_SERVER_URL={}\nexport VAGRANT_CLOUD_TOKEN=$(printf {}:{KEY} | base64 -w0)\n\
             vagrant cloud publish {}/{name} VERSION PROVIDER BOX_FILE.box --release",
            place.base,
            user(place),
            place.repo
        );
        commands.push(command("vagrant", "Publish with Vagrant", text, true));
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
            "export VAGRANT_CLOUD_TOKEN=$(printf ada:API_KEY | base64 -w0)\n\
             export VAGRANT_SERVER_URL=https://example.org/dl/acme\nvagrant box add repo/ubuntu",
            "curl -u ada:API_KEY -T BOX_FILE.box \
             https://example.org/dl/acme/repo/ubuntu/VERSION/PROVIDER/ARCHITECTURE.box",
            "export VAGRANT_SERVER_URL=https://example.org/dl/acme/repo\n\
             export VAGRANT_CLOUD_TOKEN=$(printf ada:API_KEY | base64 -w0)\n\
             vagrant cloud publish repo/ubuntu VERSION PROVIDER BOX_FILE.box --release",
        ];
        assert_eq!(texts(&place(Some("ubuntu"), true)), expected);
    }

    #[test]
    fn a_public_repository_needs_none() {
        let version = CommandPlace { version: Some("1.0.0"), ..place(Some("ubuntu"), false) };
        let expected = [
            "export VAGRANT_SERVER_URL=https://example.org/dl/acme\nvagrant box add --box-version 1.0.0 repo/ubuntu",
            "vagrant box add --box-version 1.0.0 https://example.org/dl/acme/repo/ubuntu",
        ];
        assert_eq!(texts(&version), expected);
    }
}
