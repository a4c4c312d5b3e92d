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

pub(crate) fn run(common: &ConnectionArgs, command: &LogoutCommand) -> Result<()> {
    let session = common.session()?;
    let url = &session.client.url;
    let mut kept = credentials::load()?;
    let forgotten: Vec<String> = if command.all {
        kept.servers.keys().cloned().collect()
    } else {
        kept.servers.keys().filter(|server| *server == url).cloned().collect()
    };
    if session.is_dry_run {
        session.would(&format!("remove the credentials for {}", listed(&forgotten)));
        return Ok(());
    }
    kept.servers.retain(|server, _| !forgotten.contains(server));
    kept.default = kept.default.filter(|server| kept.servers.contains_key(server));
    if !forgotten.is_empty() {
        credentials::save(&kept)?;
    }
    show_forgotten(&session.output, &forgotten);
    Ok(())
}

fn show_forgotten(output: &Output, forgotten: &[String]) {
    output.show(&json!({"forgotten": forgotten}), |_| format!("removed the credentials for {}", listed(forgotten)));
}

fn listed(servers: &[String]) -> String {
    if servers.is_empty() { "no server".to_owned() } else { servers.join(", ") }
}
