//! Lines to paste for pip, uv, poetry and twine.

use operations::format::{Command, CommandPlace};

use crate::paste::{KEY, user, with_credentials};

/// The commands for a repository, a package or a version.
pub(super) fn commands(place: &CommandPlace<'_>) -> Vec<Command> {
    let mut commands = vec![pip(place), uv(place), poetry(place)];
    if place.version.is_none() {
        commands.extend([twine(place), uv_publish(place)]);
    }
    commands
}

fn pip(place: &CommandPlace<'_>) -> Command {
    let text = format!("pip install --index-url {}/simple/ {}", with_credentials(place), requirement(place, "=="));
    Command { client: "pip", caption: "Install with pip".to_owned(), text, publishes: false }
}

fn uv(place: &CommandPlace<'_>) -> Command {
    let (owner, base) = (place.owner.to_ascii_lowercase(), place.base);
    let name = index_name(&owner);
    let mut text = String::new();
    if place.is_private {
        let variable = name.to_ascii_uppercase().replace('-', "_");
        let user = user(place);
        text = format!("export UV_INDEX_{variable}_USERNAME={user} UV_INDEX_{variable}_PASSWORD={KEY}\n");
    }
    text += &format!("uv add --index {name}={base}/simple/ {}", requirement(place, "=="));
    Command { client: "uv", caption: "Add with uv".to_owned(), text, publishes: false }
}

fn poetry(place: &CommandPlace<'_>) -> Command {
    let (owner, base) = (place.owner.to_ascii_lowercase(), place.base);
    let name = index_name(&owner);
    let mut text = format!("poetry source add {name} {base}/simple/");
    if place.is_private {
        text += &format!("\npoetry config http-basic.{name} {} {KEY}", user(place));
    }
    text += &format!("\npoetry add --source {name} {}", requirement(place, "@"));
    Command { client: "poetry", caption: "Add with poetry".to_owned(), text, publishes: false }
}

fn twine(place: &CommandPlace<'_>) -> Command {
    let text = format!("twine upload --repository-url {}/ -u {} -p {KEY} dist/*", place.base, user(place));
    Command { client: "twine", caption: "Publish with twine".to_owned(), text, publishes: true }
}

fn uv_publish(place: &CommandPlace<'_>) -> Command {
    let user = user(place);
    let text = format!("uv publish --publish-url {}/ --username {user} --password {KEY} dist/*", place.base);
    Command { client: "uv", caption: "Publish with uv".to_owned(), text, publishes: true }
}

fn requirement(place: &CommandPlace<'_>, operator: &str) -> String {
    let package = place.package.unwrap_or("PACKAGE");
    place.version.map_or_else(|| package.to_owned(), |version| format!("{package}{operator}{version}"))
}

/// The name of an index in uv and poetry: letters, digits and dashes.
fn index_name(owner: &str) -> String {
    owner.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paste::tests::place;

    fn texts(place: &CommandPlace<'_>) -> Vec<String> {
        commands(place).into_iter().map(|command| command.text).collect()
    }

    #[test]
    fn private_repositories_ask_for_credentials() {
        let expected = [
            "pip install --index-url https://ada:API_KEY@example.org/dl/acme/repo/simple/ hello-pkg",
            "export UV_INDEX_ACME_USERNAME=ada UV_INDEX_ACME_PASSWORD=API_KEY\n\
             uv add --index acme=https://example.org/dl/acme/repo/simple/ hello-pkg",
            "poetry source add acme https://example.org/dl/acme/repo/simple/\n\
             poetry config http-basic.acme ada API_KEY\npoetry add --source acme hello-pkg",
            "twine upload --repository-url https://example.org/dl/acme/repo/ -u ada -p API_KEY dist/*",
            "uv publish --publish-url https://example.org/dl/acme/repo/ --username ada --password API_KEY dist/*",
        ];
        assert_eq!(texts(&place(Some("hello-pkg"), true)), expected);
    }

    #[test]
    fn public_repositories_need_none_to_install() {
        let version = CommandPlace { version: Some("1.0"), user: None, ..place(Some("hello-pkg"), false) };
        let expected = [
            "pip install --index-url https://example.org/dl/acme/repo/simple/ hello-pkg==1.0",
            "uv add --index acme=https://example.org/dl/acme/repo/simple/ hello-pkg==1.0",
            "poetry source add acme https://example.org/dl/acme/repo/simple/\npoetry add --source acme hello-pkg@1.0",
        ];
        assert_eq!(texts(&version), expected);
        assert!(texts(&place(None, false))[0].ends_with("/simple/ PACKAGE"));
        assert!(!texts(&place(None, true)).concat().contains("--extra-index-url"), "no dependency confusion");
    }
}
