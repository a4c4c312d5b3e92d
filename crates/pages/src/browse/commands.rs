//! Snippets for a terminal or a build file that use a repository, with this server's URLs.

use model::{
    address::{RepoAddress, VersionAddress},
    repo::Repo,
};
use web::App;

use super::maven::{Coordinates, escaped};
use crate::address;

/// A snippet to paste.
#[derive(Debug, Clone)]
pub(crate) struct Command {
    /// Its id on pages and in tests.
    pub(crate) id: &'static str,
    /// Its purpose.
    pub(crate) title: &'static str,
    /// Its text.
    pub(crate) text: String,
}

impl Command {
    fn new(id: &'static str, title: &'static str, text: String) -> Self {
        Self { id, title, text }
    }
}

/// The `curl` option for credentials, if the repository needs them.
fn credentials(repo: &Repo) -> &'static str {
    if repo.profile.is_private { "-u NAME:API_KEY " } else { "" }
}

/// Commands that use a repository.
pub(crate) fn of_repo(app: &App, at: &RepoAddress, repo: &Repo) -> Vec<Command> {
    let (folder, credentials) = (format!("{}{}", app.settings().download_url(), address::repo(at)), credentials(repo));
    let api = app.settings().api_url();
    let upload = format!("{api}/content{}/PACKAGE/VERSION/FILE?publish=1", address::repo(at));
    let mut commands = vec![
        Command::new("command-download", "Download with curl", format!("curl {credentials}-fLO '{folder}/PATH'")),
        Command::new("command-upload", "Upload with curl", format!("curl -u NAME:API_KEY -T FILE '{upload}'")),
    ];
    if repo.kind == "maven" {
        let id = format!("{}-{}", at.owner, at.repo);
        commands.insert(0, Command::new("command-maven", "Maven (pom.xml)", repository(&id, &folder)));
        commands.insert(1, Command::new("command-gradle", "Gradle", gradle(repo, &folder)));
        commands.insert(2, Command::new("command-ivy", "Ivy (ivysettings.xml)", ivy(&id, &folder)));
        commands.insert(3, Command::new("command-settings", "Maven credentials (settings.xml)", server(&id)));
    }
    commands
}

/// Commands that use a version: its coordinates if it has some, else one of its files.
pub(crate) fn of_version(app: &App, at: &VersionAddress, repo: &Repo, paths: &[String]) -> Vec<Command> {
    if let Some(found) = paths.iter().find_map(|path| Coordinates::of_path(path)).filter(|_| repo.kind == "maven") {
        return vec![
            Command::new("command-maven", "Maven (pom.xml)", found.xml()),
            Command::new("command-gradle", "Gradle", found.gradle()),
            Command::new("command-ivy", "Ivy (ivy.xml)", found.ivy()),
        ];
    }
    let Some(path) = paths.iter().find(|path| !path.ends_with(".asc")) else { return Vec::new() };
    let file = format!("{}{}", app.settings().download_url(), address::file(&at.package.repo, path));
    let text = format!("curl {}-fLO '{}'", credentials(repo), file.replace('\'', "%27"));
    vec![Command::new("command-download", "Download with curl", text)]
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

fn gradle(repo: &Repo, url: &str) -> String {
    let credentials =
        if repo.profile.is_private { "\n    credentials { username = 'NAME'; password = 'API_KEY' }" } else { "" };
    format!("repositories {{\n  maven {{\n    url = uri('{url}'){credentials}\n  }}\n}}")
}

fn ivy(id: &str, url: &str) -> String {
    let url = escaped(url);
    format!("<resolvers>\n  <ibiblio name=\"{id}\" m2compatible=\"true\" root=\"{url}\"/>\n</resolvers>")
}
