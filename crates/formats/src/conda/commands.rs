//! Lines that people paste to use a channel.

use operations::format::{Command, CommandPlace};

use crate::paste::{KEY, user, with_credentials};

/// The commands for conda and pixi.
pub(super) fn commands(place: &CommandPlace<'_>) -> Vec<Command> {
    let channel = with_credentials(place);
    let package = place.package.unwrap_or("PACKAGE");
    let version = place.version.map_or_else(String::new, |version| format!("={version}"));
    let command =
        |client, caption: &str, text, publishes| Command { client, caption: caption.to_owned(), text, publishes };
    let mut pixi = format!("pixi project channel add {}\npixi add {package}", place.base);
    if place.is_private {
        let host = place.base.split_once("://").map_or("", |(_, rest)| rest.split('/').next().unwrap_or(""));
        pixi = format!("pixi auth login {host} --username {} --password {KEY}\n{pixi}", user(place));
    }
    let publish =
        format!("curl --user {}:{KEY} --upload-file NAME-VERSION-BUILD.conda {}/PLATFORM/", user(place), place.base);
    vec![
        command("conda", "Install", format!("conda install --channel {channel} {package}{version}"), false),
        command("pixi", "Add the channel and a package", pixi, false),
        command("conda", "Publish a package", publish, true),
    ]
}
