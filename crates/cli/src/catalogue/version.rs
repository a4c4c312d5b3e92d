//! `packhouse version`: versions of packages.

mod create;
mod edit;
mod mark;

use clap::{Args, Subcommand};

use crate::{
    ConnectionArgs,
    address::{Address, VersionAddress},
    catalogue::{delete::delete_at, version::mark::MarkKind},
    error::Result,
};

/// The subcommands of `packhouse version`.
#[derive(Debug, Subcommand)]
pub enum VersionCommand {
    /// Create a version
    Create(create::CreateVersion),
    /// Change a version
    Edit(edit::EditVersion),
    /// Withdraw a version: package managers no longer choose it
    Yank(mark::MarkVersion),
    /// Offer a withdrawn version again
    Unyank(mark::UnmarkVersion),
    /// Warn people who use a version
    Deprecate(mark::MarkVersion),
    /// Remove the warning
    Undeprecate(mark::UnmarkVersion),
    /// Delete a version with all its files
    Delete {
        /// owner/repo/package/version
        #[arg(value_name = "ADDRESS")]
        at: VersionAddress,
    },
}

/// The fields of a version, for `create` and `edit`.
#[derive(Debug, Args)]
pub(crate) struct VersionFields {
    /// Description, such as what is new
    #[arg(long, value_name = "TEXT")]
    desc: Option<String>,
    /// Labels
    #[arg(long, value_name = "WORD", value_delimiter = ',')]
    labels: Option<Vec<String>>,
    /// Tag in the source code repository
    #[arg(long, value_name = "TAG")]
    vcs_tag: Option<String>,
    /// Release date, such as 2026-11-15 or 2026-11-15T10:00:00Z
    #[arg(long, value_name = "TIME")]
    released: Option<String>,
}

impl VersionFields {
    fn change(&self) -> api::VersionChange {
        api::VersionChange {
            desc: self.desc.clone(),
            labels: self.labels.clone(),
            vcs_tag: self.vcs_tag.clone().map(Some),
            released: self.released.clone().map(Some),
            ..api::VersionChange::default()
        }
    }
}

pub(crate) async fn run(connection: &ConnectionArgs, command: &VersionCommand) -> Result<()> {
    let session = connection.session()?;
    match command {
        VersionCommand::Create(command) => create::run(&session, command).await,
        VersionCommand::Edit(command) => edit::run(&session, command).await,
        VersionCommand::Yank(command) => mark::set(&session, MarkKind::Yanked, command).await,
        VersionCommand::Unyank(command) => mark::remove(&session, MarkKind::Yanked, command).await,
        VersionCommand::Deprecate(command) => mark::set(&session, MarkKind::Deprecated, command).await,
        VersionCommand::Undeprecate(command) => mark::remove(&session, MarkKind::Deprecated, command).await,
        VersionCommand::Delete { at } => delete_at(&session, &Address::Version(at.clone())).await,
    }
}
