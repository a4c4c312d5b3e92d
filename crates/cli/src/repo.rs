//! `packhouse repo`: repositories.

mod create;
mod edit;

use clap::{Args, Subcommand};

use crate::{
    ConnectionArgs,
    address::{Address, RepoAddress},
    delete::delete_place,
    error::Result,
};

/// What can be done with repositories.
#[derive(Debug, Subcommand)]
pub enum RepoCommand {
    /// Create a repository
    Create(create::CreateRepo),
    /// Change a repository
    Edit(edit::EditRepo),
    /// Delete a repository with all its packages
    Delete {
        /// owner/repo
        #[arg(value_name = "ADDRESS")]
        at: RepoAddress,
    },
}

/// What repositories are said to be, when they are made and later.
#[derive(Debug, Args)]
pub(crate) struct RepoFields {
    /// What it is for
    #[arg(long, value_name = "TEXT")]
    desc: Option<String>,
    /// Words to find it by
    #[arg(long, value_name = "WORD", value_delimiter = ',')]
    labels: Option<Vec<String>>,
    /// Whether it is hidden from those who may not read it
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    private: Option<bool>,
    /// Whether files are signed when they are published
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    sign_files: Option<bool>,
    /// Whether index files are signed
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    sign_metadata: Option<bool>,
    /// Whether the owner's key signs, rather than the server's
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    use_owner_key: Option<bool>,
    /// For how many days a published version takes new files
    #[arg(long, value_name = "DAYS")]
    update_days: Option<i64>,
}

impl RepoFields {
    fn change(&self) -> api::RepoChange {
        api::RepoChange {
            desc: self.desc.clone(),
            labels: self.labels.clone(),
            private: self.private,
            gpg_sign_files: self.sign_files,
            gpg_sign_metadata: self.sign_metadata,
            gpg_use_owner_key: self.use_owner_key,
            version_update_max_days: self.update_days.map(Some),
            ..api::RepoChange::default()
        }
    }
}

pub(crate) async fn run(common: &ConnectionArgs, command: &RepoCommand) -> Result<()> {
    let session = common.session()?;
    match command {
        RepoCommand::Create(command) => create::run(&session, command).await,
        RepoCommand::Edit(command) => edit::run(&session, command).await,
        RepoCommand::Delete { at } => delete_place(&session, &Address::Repo(at.clone())).await,
    }
}
