//! Lines to paste for the go command.

use operations::format::{Command, CommandPlace};

use super::{ModulePath, escape::escape};
use crate::paste::{KEY, host, user};

/// The commands for a repository, a package or a version.
pub(super) fn commands(place: &CommandPlace<'_>) -> Vec<Command> {
    let module = place.package.map_or_else(|| "MODULE".to_owned(), |name| name.replace(':', "/"));
    let mut install = String::new();
    if place.is_private {
        install = format!("printf 'machine {} login {} password {KEY}\\n' >> ~/.netrc\n", host(place), user(place));
    }
    install += &format!("go env -w GOPROXY={},direct GONOSUMDB={module}\n", place.base);
    install += &format!("go get {module}@{}", place.version.unwrap_or("latest"));
    let caption = "Get with go".to_owned();
    let mut commands = vec![Command { client: "go", caption, text: install, publishes: false }];
    if place.version.is_none() {
        let escaped = if ModulePath::parse(&module).is_ok() { escape(&module) } else { module };
        let text = format!("curl -u {}:{KEY} -T MODULE.zip {}/{escaped}/@v/VERSION.zip", user(place), place.base);
        let caption = "Publish with curl".to_owned();
        commands.push(Command { client: "curl", caption, text, publishes: true });
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
            "printf 'machine example.org login ada password API_KEY\\n' >> ~/.netrc\n\
             go env -w GOPROXY=https://example.org/dl/acme/repo,direct GONOSUMDB=example.com/Acme/lib\n\
             go get example.com/Acme/lib@latest",
            "curl -u ada:API_KEY -T MODULE.zip https://example.org/dl/acme/repo/example.com/!acme/lib/@v/VERSION.zip",
        ];
        assert_eq!(texts(&place(Some("example.com:Acme:lib"), true)), expected);
    }

    #[test]
    fn a_public_repository_needs_none() {
        let version = CommandPlace { version: Some("v1.2.3"), ..place(Some("example.com:lib"), false) };
        let expected = "go env -w GOPROXY=https://example.org/dl/acme/repo,direct GONOSUMDB=example.com/lib\n\
                        go get example.com/lib@v1.2.3";
        assert_eq!(texts(&version), [expected]);
        assert!(!texts(&place(None, false)).concat().contains("GOPRIVATE"), "it would pass by the repository");
    }
}
