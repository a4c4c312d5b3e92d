//! Lines that people paste to use an RPM repository.

use operations::format::{Command, CommandPlace};

/// The commands for dnf.
pub(super) fn commands(place: &CommandPlace<'_>) -> Vec<Command> {
    let CommandPlace { base, owner, repo, package, version, user, is_private, .. } = *place;
    let (name, user) = (format!("{owner}-{repo}"), user.unwrap_or("YOU"));
    let key = format!("{base}/repodata/repomd.xml.key");
    let [trust, login] = if is_private {
        [
            format!("curl -fsSL --user {user}:YOUR_API_KEY {key} -o {name}.key && sudo rpm --import {name}.key"),
            format!("\nusername={user}\npassword=YOUR_API_KEY"),
        ]
    } else {
        [format!("sudo rpm --import {key}"), String::new()]
    };
    let file = format!(
        "[{name}]\nname={owner}/{repo}\nbaseurl={base}\nenabled=1\ngpgcheck=0\nrepo_gpgcheck=1\ngpgkey={key}{login}"
    );
    let command = |caption: &str, text| Command { client: "dnf", caption: caption.to_owned(), text, publishes: false };
    let mut commands =
        vec![command("Trust this repository", trust), command(&format!("/etc/yum.repos.d/{name}.repo"), file)];
    if let Some(package) = package {
        let version = version.map_or_else(String::new, |version| format!("-{version}"));
        commands.push(command("Install", format!("sudo dnf install {package}{version}")));
    }
    let publish = format!("curl --user {user}:YOUR_API_KEY --upload-file PACKAGE.rpm {base}/upload/");
    commands.push(Command { publishes: true, ..command("Publish a package", publish) });
    commands
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paste::tests::place;

    #[test]
    fn the_key_is_trusted_in_one_line() {
        let public = commands(&place(Some("hello"), false));
        assert_eq!(public[0].text, "sudo rpm --import https://example.org/dl/acme/repo/repodata/repomd.xml.key");
        assert_eq!(
            (public[1].caption.as_str(), public[2].text.as_str()),
            ("/etc/yum.repos.d/acme-repo.repo", "sudo dnf install hello")
        );
        let private = commands(&place(None, true));
        assert!(private[1].text.ends_with("\nusername=ada\npassword=YOUR_API_KEY"));
        assert!(private.iter().all(|command| command.text.lines().count() == 1 || !command.text.contains("--import")));
    }
}
