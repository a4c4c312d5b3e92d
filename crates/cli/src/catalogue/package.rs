//! `packhouse package`: packages.

mod create;
mod edit;

use clap::{Args, Subcommand};

use crate::{
    ConnectionArgs,
    address::{Address, PackageAddress},
    catalogue::delete::delete_at,
    error::Result,
};

/// The subcommands of `packhouse package`.
#[derive(Debug, Subcommand)]
pub enum PackageCommand {
    /// Create a package
    Create(create::CreatePackage),
    /// Change a package
    Edit(edit::EditPackage),
    /// Delete a package with all its versions
    Delete {
        /// owner/repo/package
        #[arg(value_name = "ADDRESS")]
        at: PackageAddress,
    },
}

/// The fields of a package, for `create` and `edit`.
#[derive(Debug, Args)]
pub(crate) struct PackageFields {
    /// Description
    #[arg(long, value_name = "TEXT")]
    desc: Option<String>,
    /// Labels
    #[arg(long, value_name = "WORD", value_delimiter = ',')]
    labels: Option<Vec<String>>,
    /// Licences, such as MIT or Apache-2.0
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    licenses: Option<Vec<String>>,
    /// Licences from the owner's own list
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    custom_licenses: Option<Vec<String>>,
    /// Website
    #[arg(long, value_name = "URL")]
    website_url: Option<String>,
    /// Issue tracker
    #[arg(long, value_name = "URL")]
    issue_tracker_url: Option<String>,
    /// Source code repository
    #[arg(long, value_name = "URL")]
    vcs_url: Option<String>,
    /// Make the download statistics public
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    public_download_numbers: Option<bool>,
}

impl PackageFields {
    fn change(&self) -> api::PackageChange {
        api::PackageChange {
            desc: self.desc.clone(),
            labels: self.labels.clone(),
            licenses: self.licenses.clone(),
            custom_licenses: self.custom_licenses.clone(),
            website_url: self.website_url.clone().map(Some),
            issue_tracker_url: self.issue_tracker_url.clone().map(Some),
            vcs_url: self.vcs_url.clone().map(Some),
            public_download_numbers: self.public_download_numbers,
            ..api::PackageChange::default()
        }
    }
}

pub(crate) async fn run(connection: &ConnectionArgs, command: &PackageCommand) -> Result<()> {
    let session = connection.session()?;
    match command {
        PackageCommand::Create(command) => create::run(&session, command).await,
        PackageCommand::Edit(command) => edit::run(&session, command).await,
        PackageCommand::Delete { at } => delete_at(&session, &Address::Package(at.clone())).await,
    }
}
