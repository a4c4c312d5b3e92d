//! `packhouse whoami`: checks the credentials and shows their user.

use clap::Args;

use crate::{ConnectionArgs, address::encode, error::Result};

/// Show which user you are signed in as
#[derive(Debug, Args)]
pub struct WhoamiCommand {}

pub(crate) async fn run(connection: &ConnectionArgs) -> Result<()> {
    let session = connection.session()?;
    let user: api::User = session.client.get(&format!("/users/{}", encode(session.client.user()?))).await?;
    session.output.print(&user, |user| {
        let orgs = user.organizations.iter().map(|org| format!("\n  member of {org}"));
        format!("{} ({}){}", user.name, user.full_name, orgs.collect::<String>())
    });
    Ok(())
}
