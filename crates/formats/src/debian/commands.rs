//! Lines that people paste to use a Debian repository.

use operations::format::{Command, CommandPlace};

/// The commands for apt.
pub(super) fn commands(place: &CommandPlace<'_>) -> Vec<Command> {
    let CommandPlace { base, owner, repo, package, version, user, is_private, .. } = *place;
    let file = format!("{owner}-{repo}");
    let user = user.unwrap_or("YOU");
    let mut text = String::new();
    if is_private {
        text += &format!(
            "printf 'machine {base}/\\nlogin {user}\\npassword YOUR_API_KEY\\n' | sudo tee /etc/apt/auth.conf.d/{file}.conf\n"
        );
    }
    let login = if is_private { format!(" --user {user}:YOUR_API_KEY") } else { String::new() };
    let trust = format!("curl -fsSL{login} {base}/{owner}.asc | sudo tee /etc/apt/keyrings/{file}.asc");
    text += &format!(
        "echo \"deb [signed-by=/etc/apt/keyrings/{file}.asc] {base} SUITE COMPONENT\" | \
         sudo tee /etc/apt/sources.list.d/{file}.list\n\
         sudo apt update"
    );
    if let Some(package) = package {
        let version = version.map_or_else(String::new, |version| format!("={version}"));
        text += &format!("\nsudo apt install {package}{version}");
    }
    let publish =
        format!("curl --user {user}:YOUR_API_KEY --upload-file NAME_VERSION_ARCH.deb {base}/upload/SUITE/COMPONENT/");
    let command =
        |caption: &str, text, publishes| Command { client: "apt", caption: caption.to_owned(), text, publishes };
    vec![
        command("Trust this repository", trust, false),
        command("Add the repository and install", text, false),
        command("Publish a package", publish, true),
    ]
}
