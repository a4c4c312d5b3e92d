//! `packhouse logout`: removes stored credentials.

use clap::Args;
use serde_json::json;

use crate::{ConnectionArgs, credentials, error::Result, output::Output};

/// Remove the stored credentials for a server
#[derive(Debug, Args)]
pub struct LogoutCommand {
    /// Remove the stored credentials for all servers
    #[arg(long)]
    all: bool,
}

pub(crate) fn run(connection: &ConnectionArgs, command: &LogoutCommand) -> Result<()> {
    let session = connection.session()?;
    let url = &session.client.url;
    let mut stored = credentials::load()?;
    let removed: Vec<String> = if command.all {
        stored.servers.keys().cloned().collect()
    } else {
        stored.servers.keys().filter(|server| *server == url).cloned().collect()
    };
    if removed.is_empty() {
        let whose = if command.all { "any server".to_owned() } else { url.clone() };
        let none = format!("there are no stored credentials for {whose}");
        session.output.print(&json!({"forgotten": removed}), |_| none.clone());
        return Ok(());
    }
    if session.is_dry_run {
        session.would(&format!("remove the credentials for {}", listed(&removed)));
        return Ok(());
    }
    stored.servers.retain(|server, _| !removed.contains(server));
    stored.default = stored.default.filter(|server| stored.servers.contains_key(server));
    credentials::save(&stored)?;
    report_removed(&session.output, &removed);
    Ok(())
}

fn report_removed(output: &Output, removed: &[String]) {
    output.print(&json!({"forgotten": removed}), |_| format!("removed the credentials for {}", listed(removed)));
}

fn listed(servers: &[String]) -> String {
    servers.join(", ")
}
