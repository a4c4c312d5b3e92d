//! `packhouse repo`: repositories.

mod create;
mod edit;

use clap::{Args, Subcommand};

use crate::{
    ConnectionArgs,
    address::{Address, RepoAddress},
    catalogue::delete::delete_at,
    error::Result,
};

/// The subcommands of `packhouse repo`.
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

/// The fields of a repository, for `create` and `edit`.
#[derive(Debug, Args)]
pub(crate) struct RepoFields {
    /// Description
    #[arg(long, value_name = "TEXT")]
    desc: Option<String>,
    /// Labels
    #[arg(long, value_name = "WORD", value_delimiter = ',')]
    labels: Option<Vec<String>>,
    /// Make the repository private: visible only to those with access
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    private: Option<bool>,
    /// Sign files when they are published
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    sign_files: Option<bool>,
    /// Sign index files
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    sign_metadata: Option<bool>,
    /// Sign with the owner's key instead of the server's
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    use_owner_key: Option<bool>,
    /// Number of days in which a published version accepts new files
    #[arg(long, value_name = "DAYS")]
    update_days: Option<i64>,
    /// List the files in the packages of a Debian repository, for apt-file
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    debian_contents: Option<bool>,
    /// Keep uploads by native clients staged until they are published
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    native_staged: Option<bool>,
    /// Days after which manifests of container images without a tag are removed; 0 keeps them
    #[arg(long, value_name = "DAYS")]
    untagged_days: Option<i64>,
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
            debian_contents: self.debian_contents,
            native_staged: self.native_staged,
            untagged_days: self.untagged_days.map(|days| Some(days).filter(|days| *days != 0)),
            ..api::RepoChange::default()
        }
    }
}

pub(crate) async fn run(connection: &ConnectionArgs, command: &RepoCommand) -> Result<()> {
    let session = connection.session()?;
    match command {
        RepoCommand::Create(command) => create::run(&session, command).await,
        RepoCommand::Edit(command) => edit::run(&session, command).await,
        RepoCommand::Delete { at } => delete_at(&session, &Address::Repo(at.clone())).await,
    }
}
