//! `packhouse search`: finds things by name.

use clap::{Args, ValueEnum};
use serde::{Serialize, de::DeserializeOwned};

use crate::{
    ConnectionArgs,
    address::encode,
    error::{Error, Result},
    output::table,
    session::Session,
};

/// Search packages, repositories, users or files
#[derive(Debug, Args)]
pub struct SearchCommand {
    /// Words of the name, the description or the labels; for users, a part of the name; for files, the whole name with
    /// the wildcards * and ?, or a SHA-1
    text: String,
    /// What to search for
    #[arg(long = "for", value_name = "KIND", default_value = "packages")]
    kind: SearchKind,
    /// Search a part of the description only
    #[arg(long)]
    desc: bool,
    /// Search a part of the name only
    #[arg(long, conflicts_with = "desc")]
    name: bool,
    /// Only results of this owner
    #[arg(long, value_name = "NAME")]
    owner: Option<String>,
    /// Only results in repositories with this name
    #[arg(long, value_name = "NAME")]
    repo: Option<String>,
    /// Only packages in repositories of this format
    #[arg(long, value_name = "FORMAT")]
    format: Option<String>,
    /// Only packages with this licence
    #[arg(long, value_name = "LICENCE")]
    license: Option<String>,
    /// Only packages with this label
    #[arg(long, value_name = "LABEL")]
    label: Option<String>,
    /// Maximum number of results
    #[arg(long, value_name = "NUMBER", default_value_t = 50)]
    limit: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum SearchKind {
    Packages,
    Repos,
    Users,
    Files,
}

pub(crate) async fn run(connection: &ConnectionArgs, command: &SearchCommand) -> Result<()> {
    let session = connection.session()?;
    match command.kind {
        SearchKind::Packages => {
            let row = |package: &api::Package| {
                vec![format!("{}/{}/{}", package.owner, package.repo, package.name), line(&package.desc)]
            };
            find(&session, command, "packages", row).await
        }
        SearchKind::Repos => {
            let row = |repo: &api::Repo| vec![format!("{}/{}", repo.owner, repo.name), line(&repo.desc)];
            find(&session, command, "repos", row).await
        }
        SearchKind::Users => {
            let row = |user: &api::User| vec![user.name.clone(), user.full_name.clone()];
            find(&session, command, "users", row).await
        }
        SearchKind::Files => {
            let row = |file: &api::File| {
                vec![format!("{}/{}/{}/{}", file.owner, file.repo, file.package, file.version), file.path.clone()]
            };
            find(&session, command, "file", row).await
        }
    }
}

async fn find<T: DeserializeOwned + Serialize>(
    session: &Session,
    command: &SearchCommand,
    kind: &str,
    row: impl Fn(&T) -> Vec<String>,
) -> Result<()> {
    let path = format!("/search/{kind}?{}", query(command)?);
    let found: Vec<T> = session.client.pages(&path, command.limit).await?;
    session.output.print(&found, |found| table(&found.iter().map(&row).collect::<Vec<_>>()));
    Ok(())
}

fn query(command: &SearchCommand) -> Result<String> {
    let is_sha1 = command.text.len() == 40 && command.text.bytes().all(|digit| digit.is_ascii_hexdigit());
    let field = match command.kind {
        SearchKind::Files if is_sha1 => "sha1",
        SearchKind::Packages | SearchKind::Repos if command.desc => "desc",
        _ if command.desc => return Err(Error::usage("only packages and repositories have descriptions")),
        SearchKind::Packages | SearchKind::Repos if !command.name => "q",
        _ => "name",
    };
    let narrowed = [("format", &command.format), ("license", &command.license), ("label", &command.label)];
    if command.kind != SearchKind::Packages && narrowed.iter().any(|(_, value)| value.is_some()) {
        return Err(Error::usage("only packages have a format, a licence and labels"));
    }
    let given = [("subject", &command.owner), ("repo", &command.repo)].into_iter().chain(narrowed).collect::<Vec<_>>();
    let given =
        given.iter().filter_map(|(name, value)| value.as_ref().map(|value| format!("&{name}={}", encode(value))));
    Ok(format!("{field}={}{}", encode(&command.text), given.collect::<String>()))
}

/// The first line of a text.
fn line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_owned()
}
