//! Lines that people paste to use an Alpine repository.

use operations::format::{Command, CommandPlace};

use super::placement::ApkFolder;
use crate::paste::{KEY, user, with_credentials};

/// The commands for apk.
pub(super) fn commands(place: &CommandPlace<'_>) -> Vec<Command> {
    let CommandPlace { base, owner, repo, package, version, .. } = *place;
    let key = format!("{owner}-{repo}.rsa.pub");
    let url = with_credentials(place);
    let folder = place.paths.iter().find_map(|path| ApkFolder::of_path(path));
    let folder = folder.map_or_else(|| "BRANCH/REPOSITORY".to_owned(), |folder| folder.repository);
    let version = version.map_or_else(String::new, |version| format!("={version}"));
    let command =
        |caption: &str, text, publishes| Command { client: "apk", caption: caption.to_owned(), text, publishes };
    let install = format!(
        "echo {url}/{folder} >> /etc/apk/repositories\napk add --update-cache {}{version}",
        package.unwrap_or("PACKAGE")
    );
    let publish =
        format!("curl --user {}:{KEY} --upload-file NAME-VERSION.apk {base}/{folder}/ARCHITECTURE/", user(place));
    vec![
        command("Trust this repository", format!("wget -O /etc/apk/keys/{key} {url}/keys/{key}"), false),
        command("Add the repository and install", install, false),
        command("Publish a package", publish, true),
    ]
}
