//! Lines that people paste to use an Arch repository.

use operations::format::{Command, CommandPlace};

use crate::paste::{KEY, user, with_credentials};

/// The commands for pacman.
pub(super) fn commands(place: &CommandPlace<'_>) -> Vec<Command> {
    let CommandPlace { base, owner, repo, package, is_private, .. } = *place;
    let login = if is_private { format!(" --user {}:{KEY}", user(place)) } else { String::new() };
    let trust = format!(
        "curl -fsSL{login} {base}/{owner}.asc -o /tmp/{owner}.asc && sudo pacman-key --add /tmp/{owner}.asc && \
         sudo pacman-key --lsign-key \
         \"$(gpg --show-keys --with-colons /tmp/{owner}.asc | awk -F: '/^fpr/ {{ print $10; exit }}')\""
    );
    let section =
        format!("[{repo}]\nSigLevel = PackageOptional DatabaseRequired\nServer = {}/$arch", with_credentials(place));
    let command =
        |caption: &str, text, publishes| Command { client: "pacman", caption: caption.to_owned(), text, publishes };
    let install = format!("sudo pacman -Sy {}", package.unwrap_or("PACKAGE"));
    let publish =
        format!("curl --user {}:{KEY} --upload-file NAME-VERSION-RELEASE-ARCH.pkg.tar.zst {base}/upload/", user(place));
    vec![
        command("Trust this repository", trust, false),
        command("/etc/pacman.conf", section, false),
        command("Install", install, false),
        command("Publish a package", publish, true),
    ]
}
