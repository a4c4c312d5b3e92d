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
    /// Show and check the settings
    Config(ConfigCommand),
    /// Manage the server's own data
    Admin(AdminCommand),
    /// Fill an empty server with sample packages, users and downloads
    Demo(Flags),
    /// Show what the first start of this version changes in the database, and how to update
    UpgradeCheck(Flags),
    #[command(flatten)]
    Client(cli::Command),
    /// Print completions for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page of the program or a command, or write the pages of all commands
    Man {
        /// The command, such as `push` or `admin backup` [default: the program]
        #[arg(value_name = "COMMAND", conflicts_with = "folder")]
        command: Vec<String>,
        /// Write the pages of all commands to this folder
        #[arg(long, value_name = "FOLDER")]
        folder: Option<PathBuf>,
    },
}

/// Settings that every command reads.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct Flags {
    /// The settings file [default: packhouse.toml, if it exists]
    #[arg(long, env = "PACKHOUSE_CONFIG", global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The address to listen on [default: 127.0.0.1:8080]
    #[arg(long, global = true, value_name = "ADDRESS", value_parser = parse_listen)]
    listen: Option<SocketAddr>,
    /// The folder for everything that the server stores [default: ./packhouse-data]
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

fn parse_listen(text: &str) -> Result<SocketAddr, &'static str> {
    text.parse().map_err(|_| "expected an IP address and a port, such as 127.0.0.1:8080 or [::]:8080")
}

#[derive(Debug, Args)]
pub(crate) struct ConfigCommand {
    #[command(flatten)]
    pub(crate) flags: Flags,
    #[command(subcommand)]
    pub(crate) action: ConfigAction,
}

#[derive(Debug, Clone, Copy, Subcommand)]
pub(crate) enum ConfigAction {
    /// Print the effective settings and the source of each
    Show,
    /// Check the settings and report what is wrong
    Check,
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
    /// List the nodes that use the database
    Nodes,
    /// Look for damage in the database, the audit log and the content store
    Check,
    /// Remove content that no file uses any more
    Gc {
        /// Say what would be removed, and remove nothing
        #[arg(long)]
        dry_run: bool,
        /// How long content must have been unused [default: garbage.grace_hours]
        #[arg(long, value_name = "HOURS", value_parser = clap::value_parser!(u32).range(..=876_000))]
        grace_hours: Option<u32>,
    },
    /// Compare the files, the content store and all counts with each other
    Verify {
        /// Compare sizes only; the content is not read
        #[arg(long)]
        quick: bool,
        /// Remove content that the database does not know
        #[arg(long)]
        remove_orphans: bool,
    },
    /// Show the progress of the scrub and list damaged content; with --now, check all content
    Scrub {
        /// Read all content now; damaged content is withheld, or healed from the replica
        #[arg(long)]
        now: bool,
        /// Heal damaged content from another location: the folder of a backup, a content folder, or s3://bucket/prefix
        #[arg(long, value_name = "PLACE")]
        heal_from: Option<String>,
    },
    /// Back up everything to a folder while the server runs; a later run to the same folder copies what is new
    Backup {
        /// The folder; created if it does not exist
        folder: PathBuf,
        /// Copy the master key as well; the backup then contains every secret
        #[arg(long)]
        with_master_key: bool,
    },
    /// Copy everything to another database and another content store, while the server is stopped
    Migrate {
        /// An empty database and an empty location for content, such as `postgres://user:password@host/name` and
        /// `s3://bucket/prefix`; the connection to the store comes from `[s3]` in the settings
        #[arg(long, num_args = 2, required = true, value_names = ["DATABASE", "CONTENT"])]
        to: Vec<String>,
    },
    /// Restore a backup into an empty data folder and an empty database
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
        /// The display name
        #[arg(long, default_value = "")]
        full_name: String,
        /// The e-mail address
        #[arg(long)]
        email: Option<String>,
        /// free, premium or enterprise
        #[arg(long)]
        plan: Option<String>,
        /// Create a site administrator
        #[arg(long, conflicts_with_all = ["full_name", "email", "plan"])]
        site_admin: bool,
    },
    /// List users with their plan, registration date and state
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
    /// Suspend a user: their credentials stop working; their public packages stay
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
        /// The display name
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
    /// Replace the master key while no server runs; API keys, passwords and sessions stay valid
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
