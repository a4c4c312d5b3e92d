//! The command line.

use std::{net::SocketAddr, path::PathBuf};

use clap::{Args, Parser, Subcommand};
use settings::{Settings, Sources};

/// A package distribution service: serve, administer, publish.
#[derive(Debug, Parser)]
#[command(name = "packhouse", version, arg_required_else_help = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run the server
    Serve(Flags),
    /// Look at the settings
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Manage the server's own data
    Admin(AdminCommand),
    /// Fill an empty server with sample packages, users and downloads
    Demo(Flags),
    /// Say what the next start of this version changes in the database, and how to update
    UpgradeCheck(Flags),
    #[command(flatten)]
    Client(cli::Command),
    /// Print completions for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page, or write the pages of all commands
    Man {
        /// The folder to write the pages of all commands to
        #[arg(value_name = "FOLDER")]
        folder: Option<PathBuf>,
    },
}

/// Settings that every command reads.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct Flags {
    /// The settings file [default: packhouse.toml, where there is one]
    #[arg(long, env = "PACKHOUSE_CONFIG", global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The address to listen on [default: 127.0.0.1:8080]
    #[arg(long, global = true, value_name = "ADDRESS")]
    listen: Option<SocketAddr>,
    /// The folder for everything the server keeps [default: ./packhouse-data]
    #[arg(long, global = true, value_name = "FOLDER")]
    data: Option<PathBuf>,
}

impl Flags {
    /// Returns the effective settings.
    pub(crate) fn settings(&self) -> Result<Settings, String> {
        let mut flags = Vec::new();
        flags.extend(self.listen.map(|address| ("listen".to_owned(), address.to_string())));
        flags.extend(self.data.as_ref().map(|data| ("data".to_owned(), data.display().to_string())));
        // A variable that is not UTF-8 is not a setting.
        let environment =
            std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
        Settings::load(Sources { file: self.config.clone(), environment, flags }).map_err(|error| error.to_string())
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    /// Print the settings in force and where each comes from
    Show(Flags),
    /// Say what is wrong with the settings
    Check(Flags),
}

#[derive(Debug, Args)]
pub(crate) struct AdminCommand {
    #[command(flatten)]
    pub(crate) flags: Flags,
    /// Create the installation if there is none
    #[arg(long, global = true)]
    pub(crate) init: bool,
    #[command(subcommand)]
    pub(crate) about: AdminSubject,
}

#[derive(Debug, Subcommand)]
pub(crate) enum AdminSubject {
    /// Users
    #[command(subcommand)]
    User(UserCommand),
    /// Organizations
    #[command(subcommand)]
    Org(OrgCommand),
    /// Plans
    #[command(subcommand)]
    Plan(PlanCommand),
    /// API keys
    #[command(subcommand)]
    Key(KeyCommand),
    /// The key that seals secrets at rest
    #[command(subcommand)]
    MasterKey(MasterKeyCommand),
    /// List the servers that work on the database
    Nodes,
    /// Look for damage in the database, the audit log and the content store
    Check,
    /// Remove content that no file has any more
    Gc {
        /// Say what would be removed, and remove nothing
        #[arg(long)]
        dry_run: bool,
        /// For how long no file must have had it [default: garbage.grace_hours]
        #[arg(long, value_name = "HOURS", value_parser = clap::value_parser!(u32).range(..=876_000))]
        grace_hours: Option<u32>,
    },
    /// Compare all files with the content store, and the store and all counts with the files
    Verify {
        /// Compare sizes only; the content is not read
        #[arg(long)]
        quick: bool,
        /// Remove content that the database does not know of
        #[arg(long)]
        remove_orphans: bool,
    },
    /// Show how far stored content is checked, and list what is damaged; with --now check all of it
    Scrub {
        /// Read all content now; what is damaged is withheld, or healed from the replica
        #[arg(long)]
        now: bool,
        /// Heal damaged content from a place that has it: the folder of a backup, a folder of content, or s3://bucket/prefix
        #[arg(long, value_name = "PLACE")]
        heal_from: Option<String>,
    },
    /// Copy everything to a folder, while the server runs; again to the same folder copies what is new
    Backup {
        /// The folder; it is made where it is missing
        folder: PathBuf,
        /// Copy the master key as well: the backup then holds every secret
        #[arg(long)]
        with_master_key: bool,
    },
    /// Copy everything to another database and another content store, while the server is stopped
    Migrate {
        /// Where to: an empty database and an empty place for content, such as `postgres://user:password@host/name` and
        /// `s3://bucket/prefix`; the store is reached by the settings of `[s3]`
        #[arg(long, num_args = 2, required = true, value_names = ["DATABASE", "CONTENT"])]
        to: Vec<String>,
    },
    /// Fill an empty data folder and an empty database from a backup
    Restore {
        /// The folder with the backup
        folder: PathBuf,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum UserCommand {
    /// Create a user and print its API key
    Create {
        /// The name in addresses
        name: String,
        /// The name for people
        #[arg(long, default_value = "")]
        full_name: String,
        /// Where to write to
        #[arg(long)]
        email: Option<String>,
        /// free, premium or enterprise
        #[arg(long)]
        plan: Option<String>,
        /// Make a site administrator
        #[arg(long, conflicts_with_all = ["full_name", "email", "plan"])]
        site_admin: bool,
    },
    /// List users: name, plan, registration, and what is special about them
    Ls {
        /// Only names that begin with this, or the user with this e-mail address
        #[arg(default_value = "")]
        start: String,
    },
    /// Reset a user's password and print the new one; all sessions of the user end
    Password {
        /// The name in addresses
        name: String,
    },
    /// Suspend a user: no credentials work from then on, and public packages stay
    Suspend {
        /// The name in addresses
        name: String,
        /// End the suspension
        #[arg(long)]
        end: bool,
    },
    /// Delete a user
    Delete {
        /// The name in addresses
        name: String,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum OrgCommand {
    /// Create an organization
    Create {
        /// The name in addresses
        name: String,
        /// The user who owns it
        #[arg(long)]
        owner: String,
        /// The name for people
        #[arg(long, default_value = "")]
        full_name: String,
    },
    /// Add or change a member
    Member {
        /// The organization
        org: String,
        /// The user
        user: String,
        /// owner, admin or member
        role: String,
    },
    /// Delete an organization
    Delete {
        /// The name in addresses
        name: String,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum PlanCommand {
    /// Set the plan of a user or an organization
    Set {
        /// The user or organization
        subject: String,
        /// free, premium or enterprise
        plan: String,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum MasterKeyCommand {
    /// Replace the master key by a new one, while no server runs; no API key, password or session ends by it
    Rotate,
}

#[derive(Debug, Subcommand)]
pub(crate) enum KeyCommand {
    /// Replace a user's API key and print the new one
    Rotate {
        /// The user
        user: String,
    },
}
