//! Snippets for a terminal or a build file that use a repository, with this server's URLs.

use std::collections::BTreeSet;

use model::{
    address::{PackageAddress, RepoAddress},
    repo::Repo,
};
use operations::format::{self, CommandPlace};
use web::App;

use crate::{address, visitor::Visitor};

/// A snippet to paste.
#[derive(Debug, Clone)]
pub(crate) struct Command {
    /// Its id on pages and in tests.
    pub(crate) id: String,
    /// Its purpose.
    pub(crate) title: String,
    /// Its text.
    pub(crate) text: String,
}

/// Commands that use a repository. Formats whose clients do not publish get the upload that every repository has.
pub(crate) fn of_repo(app: &App, visitor: &Visitor, at: &RepoAddress, repo: &Repo) -> Vec<Command> {
    for_upload(app, visitor, at, repo, &format!("{}/PACKAGE", address::repo(at)))
}

/// Commands for a package that has no version yet.
pub(crate) fn of_new_package(app: &App, visitor: &Visitor, at: &PackageAddress, repo: &Repo) -> Vec<Command> {
    for_upload(app, visitor, &at.repo, repo, &address::package(at))
}

fn for_upload(app: &App, visitor: &Visitor, at: &RepoAddress, repo: &Repo, package: &str) -> Vec<Command> {
    let mut found = of_format(app, visitor, Place { at, repo, package: None, version: None, paths: &[] });
    if !found.iter().any(|command| command.publishes) {
        let upload = format!("{}/content{package}/VERSION/FILE?publish=1", app.settings().api_url());
        let user = visitor.caller.name().unwrap_or_else(|| "NAME".to_owned());
        let text = format!("curl -u {user}:API_KEY -T FILE '{upload}'");
        let caption = "Upload with curl".to_owned();
        found.push(format::Command { client: "upload", caption, text, publishes: true });
    }
    shown(found)
}

/// Commands that use a package or one of its versions, with the files of that version.
pub(crate) fn of_package(
    app: &App,
    visitor: &Visitor,
    at: &PackageAddress,
    version: Option<&str>,
    repo: &Repo,
    paths: &[String],
) -> Vec<Command> {
    let package = Some(at.package.as_str());
    let mut found = of_format(app, visitor, Place { at: &at.repo, repo, package, version, paths });
    found.retain(|command| !command.publishes);
    shown(found)
}

/// What commands are for.
struct Place<'p> {
    at: &'p RepoAddress,
    repo: &'p Repo,
    package: Option<&'p str>,
    version: Option<&'p str>,
    paths: &'p [String],
}

fn of_format(app: &App, visitor: &Visitor, place: Place<'_>) -> Vec<format::Command> {
    let base = format!("{}{}", app.settings().download_url(), address::repo(place.at));
    let user = visitor.caller.name();
    app.house().format(&place.repo.kind).commands(&CommandPlace {
        base: &base,
        owner: place.at.owner.as_str(),
        repo: place.at.repo.as_str(),
        package: place.package,
        version: place.version,
        user: user.as_deref(),
        is_private: place.repo.profile.is_private,
        paths: place.paths,
    })
}

/// The commands with distinct ids.
fn shown(found: Vec<format::Command>) -> Vec<Command> {
    let mut ids = BTreeSet::new();
    let mut shown = Vec::new();
    for command in found {
        let publishing = if command.publishes && command.client != "upload" { "-publish" } else { "" };
        let first = format!("command-{}{publishing}", command.client);
        let mut id = first.clone();
        let mut number = 1;
        while !ids.insert(id.clone()) {
            number += 1;
            id = format!("{first}-{number}");
        }
        shown.push(Command { id, title: command.caption, text: command.text });
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_have_ids_of_their_own() {
        let command = |client, publishes| format::Command {
            client,
            caption: "Use".to_owned(),
            text: "use".to_owned(),
            publishes,
        };
        let found = vec![
            command("uv", false),
            command("uv", true),
            command("npm", false),
            command("npm", false),
            command("upload", true),
        ];
        let ids: Vec<String> = shown(found).into_iter().map(|command| command.id).collect();
        assert_eq!(ids, ["command-uv", "command-uv-publish", "command-npm", "command-npm-2", "command-upload"]);
    }
}
