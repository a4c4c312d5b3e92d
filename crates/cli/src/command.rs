//! All client commands.

use clap::{Args, Subcommand};

use crate::{
    ConnectionArgs, Error,
    account::{can_i, gpg, keys, login, logout, org, publisher, team, token, whoami},
    catalogue::{
        attributes, delete,
        document::{self, DocumentCommand, DocumentKind},
        entitlements, eula, link, ls, package, product, repo, restrictions, search, show, tag, version,
    },
    content::{discard, publish, pull, push, sign, sign_url},
    error::Result,
    insight::{audit, doctor, logs, stats, stream, usage, webhook},
};

/// A client command.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Check credentials with a server and store them
    Login(WithConnection<login::LoginCommand>),
    /// Remove the stored credentials for a server
    Logout(WithConnection<logout::LogoutCommand>),
    /// Show which user you are signed in as
    Whoami(WithConnection<whoami::WhoamiCommand>),
    /// Check whether you may read, publish to or own a repository or a package
    CanI(WithConnection<can_i::CanICommand>),
    /// Upload files to a version
    Push(WithConnection<push::PushCommand>),
    /// Download the files of a version
    Pull(WithConnection<pull::PullCommand>),
    /// Publish the staged files of a version
    Publish(WithConnection<publish::PublishCommand>),
    /// Discard the staged (uploaded but unpublished) files of a version
    Discard(WithConnection<discard::DiscardCommand>),
    /// Delete a repository, a package, a version or a file
    Delete(WithConnection<delete::DeleteCommand>),
    /// List repositories, packages, versions or files
    Ls(WithConnection<ls::LsCommand>),
    /// Show an account, a repository, a package or a version
    Show(WithConnection<show::ShowCommand>),
    /// Search packages, repositories, users or files
    Search(WithConnection<search::SearchCommand>),
    /// Manage repositories
    Repo(NounCommand<repo::RepoCommand>),
    /// Manage packages
    Package(NounCommand<package::PackageCommand>),
    /// Manage versions
    Version(NounCommand<version::VersionCommand>),
    /// Manage tags, names that point to versions of a package
    Tag(NounCommand<tag::TagCommand>),
    /// Manage attributes, the typed values of packages and versions
    Attributes(NounCommand<attributes::AttributesCommand>),
    /// Manage the readme of a package
    Readme(NounCommand<DocumentCommand>),
    /// Manage the release notes of a package or a version
    Notes(NounCommand<DocumentCommand>),
    /// Manage the keys that the server signs with
    Gpg(NounCommand<gpg::GpgCommand>),
    /// Have the server sign the files of a version, or one file
    Sign(WithConnection<sign::SignCommand>),
    /// Create a signed URL that lets anyone download a file until it expires
    SignUrl(WithConnection<sign_url::SignUrlCommand>),
    /// Manage webhooks, URLs that are called on events of a package
    Webhook(NounCommand<webhook::WebhookCommand>),
    /// Show download statistics of a package or a version
    Stats(WithConnection<stats::StatsCommand>),
    /// List the download logs of a package, or print one
    Logs(WithConnection<logs::LogsCommand>),
    /// Show storage and traffic of an account, a repository or a package
    Usage(WithConnection<usage::UsageCommand>),
    /// List the audit log; for site administrators
    Audit(WithConnection<audit::AuditCommand>),
    /// Link packages into other repositories
    Link(NounCommand<link::LinkCommand>),
    /// Manage organizations and their members
    Org(NounCommand<org::OrgCommand>),
    /// Manage teams and their permissions
    Team(NounCommand<team::TeamCommand>),
    /// Manage products, packages that are offered together
    Product(NounCommand<product::ProductCommand>),
    /// Manage the EULAs of products, and list who accepted them
    Eula(NounCommand<eula::EulaCommand>),
    /// Limit downloads to countries and networks
    Restrictions(NounCommand<restrictions::RestrictionsCommand>),
    /// Manage tokens, which act as you or as your organization within limits
    Token(NounCommand<token::TokenCommand>),
    /// Manage trusted publishers, builds that publish without a stored secret
    Publisher(NounCommand<publisher::PublisherCommand>),
    /// Manage access keys, for people and tools without an account
    Keys(NounCommand<keys::KeysCommand>),
    /// Manage entitlements, the rights of access keys
    Entitlements(NounCommand<entitlements::EntitlementsCommand>),
    /// Follow the uploads, publishes, downloads and sign-ins of an account
    Stream(WithConnection<stream::StreamCommand>),
    /// Find problems between this machine and a server, and how to fix them
    Doctor(WithConnection<doctor::DoctorCommand>),
}

/// A command with the arguments that all commands take.
#[derive(Debug, Args)]
pub struct WithConnection<C: Args> {
    #[command(flatten)]
    command: C,
    #[command(flatten)]
    connection: ConnectionArgs,
}

/// A noun with its subcommands and the arguments that all commands take.
#[derive(Debug, Args)]
pub struct NounCommand<C: Subcommand> {
    #[command(subcommand)]
    command: C,
    #[command(flatten)]
    connection: ConnectionArgs,
}

/// Runs a command, reports its error, and returns the exit code.
pub async fn run(command: &Command) -> u8 {
    match dispatch(command).await {
        Ok(()) => 0,
        Err(error) => {
            report(&error, is_json());
            error.exit_code()
        }
    }
}

/// Returns whether errors are printed as JSON. An error may occur before a command has parsed its flags.
fn is_json() -> bool {
    std::env::args_os().skip(1).take_while(|argument| argument != "--").any(|argument| argument == "--json")
}

fn report(error: &Error, is_json: bool) {
    if is_json {
        eprintln!("{}", error.to_json());
    } else {
        eprintln!("{}: {error}", console::style("packhouse").for_stderr().red());
    }
}

async fn dispatch(command: &Command) -> Result<()> {
    match command {
        Command::Login(with) => login::run(&with.connection, &with.command).await,
        Command::Logout(with) => logout::run(&with.connection, &with.command),
        Command::Whoami(with) => whoami::run(&with.connection).await,
        Command::CanI(with) => can_i::run(&with.connection, &with.command).await,
        Command::Push(with) => push::run(&with.connection, &with.command).await,
        Command::Pull(with) => pull::run(&with.connection, &with.command).await,
        Command::Publish(with) => publish::run(&with.connection, &with.command).await,
        Command::Discard(with) => discard::run(&with.connection, &with.command).await,
        Command::Delete(with) => delete::run(&with.connection, &with.command).await,
        Command::Ls(with) => ls::run(&with.connection, &with.command).await,
        Command::Show(with) => show::run(&with.connection, &with.command).await,
        Command::Search(with) => search::run(&with.connection, &with.command).await,
        Command::Repo(noun) => repo::run(&noun.connection, &noun.command).await,
        Command::Package(noun) => package::run(&noun.connection, &noun.command).await,
        Command::Version(noun) => version::run(&noun.connection, &noun.command).await,
        Command::Tag(noun) => tag::run(&noun.connection, &noun.command).await,
        Command::Attributes(noun) => attributes::run(&noun.connection, &noun.command).await,
        Command::Readme(noun) => document::run(&noun.connection, DocumentKind::Readme, &noun.command).await,
        Command::Notes(noun) => document::run(&noun.connection, DocumentKind::Notes, &noun.command).await,
        Command::Gpg(noun) => gpg::run(&noun.connection, &noun.command).await,
        Command::Sign(with) => sign::run(&with.connection, &with.command).await,
        Command::SignUrl(with) => sign_url::run(&with.connection, &with.command).await,
        Command::Webhook(noun) => webhook::run(&noun.connection, &noun.command).await,
        Command::Stats(with) => stats::run(&with.connection, &with.command).await,
        Command::Logs(with) => logs::run(&with.connection, &with.command).await,
        Command::Usage(with) => usage::run(&with.connection, &with.command).await,
        Command::Audit(with) => audit::run(&with.connection, &with.command).await,
        Command::Link(noun) => link::run(&noun.connection, &noun.command).await,
        Command::Org(noun) => org::run(&noun.connection, &noun.command).await,
        Command::Team(noun) => team::run(&noun.connection, &noun.command).await,
        Command::Product(noun) => product::run(&noun.connection, &noun.command).await,
        Command::Eula(noun) => eula::run(&noun.connection, &noun.command).await,
        Command::Restrictions(noun) => restrictions::run(&noun.connection, &noun.command).await,
        Command::Token(noun) => token::run(&noun.connection, &noun.command).await,
        Command::Publisher(noun) => publisher::run(&noun.connection, &noun.command).await,
        Command::Keys(noun) => keys::run(&noun.connection, &noun.command).await,
        Command::Entitlements(noun) => entitlements::run(&noun.connection, &noun.command).await,
        Command::Stream(with) => stream::run(&with.connection, &with.command).await,
        Command::Doctor(with) => doctor::run(&with.connection, &with.command).await,
    }
}
