//! `packhouse whoami`: whether the credentials work, and whose they are.

use crate::{Error, Server};

/// Prints the user that the server sees.
pub async fn whoami(server: &Server) -> Result<(), Error> {
    let user: api::User = server.get(&format!("/users/{}", server.user)).await?;
    println!("{} ({})", user.name, user.full_name);
    for org in user.organizations {
        println!("  member of {org}");
    }
    Ok(())
}
