//! Texts for build files that use a repository in Maven's layout, or an artifact in it.

use operations::format::{Command, CommandPlace};

use super::coordinates::{Coordinates, escaped};
use crate::generic::commands::download;

/// The coordinates of the version if it has some, else one of its files; or the repository itself.
pub(super) fn commands(place: &CommandPlace<'_>) -> Vec<Command> {
    let command = |client: &'static str, caption: &str, text: String| Command {
        client,
        caption: caption.to_owned(),
        text,
        publishes: false,
    };
    let mut commands = Vec::new();
    if place.package.is_none() {
        let (id, url) = (format!("{}-{}", place.owner, place.repo), place.base);
        commands.push(command("maven", "Maven (pom.xml)", repository(&id, url)));
        commands.push(command("gradle", "Gradle", gradle(place.is_private, url)));
        commands.push(command("ivy", "Ivy (ivysettings.xml)", ivy(&id, url)));
        commands.push(command("settings", "Maven credentials (settings.xml)", server(&id)));
    } else if let Some(found) = place.paths.iter().find_map(|path| Coordinates::of_path(path)) {
        return vec![
            command("maven", "Maven (pom.xml)", found.xml()),
            command("gradle", "Gradle", found.gradle()),
            command("ivy", "Ivy (ivy.xml)", found.ivy()),
        ];
    }
    commands.extend(download(place));
    commands
}

fn repository(id: &str, url: &str) -> String {
    let url = escaped(url);
    format!("<repositories>\n  <repository>\n    <id>{id}</id>\n    <url>{url}</url>\n  </repository>\n</repositories>")
}

fn server(id: &str) -> String {
    format!(
        "<servers>\n  <server>\n    <id>{id}</id>\n    <username>NAME</username>\n    <password>API_KEY</password>\n  \
         </server>\n</servers>"
    )
}

fn gradle(is_private: bool, url: &str) -> String {
    let credentials = if is_private { "\n    credentials { username = 'NAME'; password = 'API_KEY' }" } else { "" };
    format!("repositories {{\n  maven {{\n    url = uri('{url}'){credentials}\n  }}\n}}")
}

fn ivy(id: &str, url: &str) -> String {
    let url = escaped(url);
    format!("<resolvers>\n  <ibiblio name=\"{id}\" m2compatible=\"true\" root=\"{url}\"/>\n</resolvers>")
}
