//! `packhouse audit`: the audit log.

use clap::Args;
use serde_json::Value;

use crate::{ConnectionArgs, error::Result, output::listing};

/// List the audit log, newest first; for site administrators
#[derive(Debug, Args)]
pub struct AuditCommand {
    /// Maximum number of entries
    #[arg(long, value_name = "NUMBER", default_value_t = 50)]
    limit: usize,
}

pub(crate) async fn run(connection: &ConnectionArgs, command: &AuditCommand) -> Result<()> {
    let session = connection.session()?;
    let found: Vec<Value> = session.client.pages("/audit", command.limit).await?;
    session.output.print(&found, |found| listing(found, &["at", "actor", "action", "target", "detail", "address"]));
    Ok(())
}
