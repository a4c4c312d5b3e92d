//! Lines that people paste into a terminal or a file to use a repository.

/// The place that commands are for.
#[derive(Debug, Clone, Copy)]
pub struct CommandPlace<'a> {
    /// The URL of the repository, without a slash at its end.
    pub base: &'a str,
    /// The subject that owns the repository.
    pub owner: &'a str,
    /// The repository.
    pub repo: &'a str,
    /// The package, if the commands are for one.
    pub package: Option<&'a str>,
    /// The version, if the commands are for one.
    pub version: Option<&'a str>,
    /// The reader's user name, if they are signed in.
    pub user: Option<&'a str>,
    /// Whether the repository asks for credentials.
    pub is_private: bool,
    /// Paths of published files of the version.
    pub paths: &'a [String],
}

/// Lines for one client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// The client, such as `pip`.
    pub client: &'static str,
    /// What the lines do, or the file that they belong in.
    pub caption: String,
    /// The lines.
    pub text: String,
    /// Whether they publish instead of installing.
    pub publishes: bool,
}
