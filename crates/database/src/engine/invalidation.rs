//! What a transaction invalidates, on this node and on the others.

use model::id::{KeyId, RepoId};

/// The prefix of a repository id in the message to other nodes that its files have changed.
const FILES: &str = "files ";

/// The prefix of a repository id in the message to other nodes that it has new paths.
const PATHS: &str = "paths ";

/// The prefix of an access key's id in the message to other nodes.
const KEY: &str = "key ";

/// Something that cached answers may depend on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Invalidation {
    /// A repository: its settings, the packages linked into it, and the permissions in it.
    Repo(RepoId),
    /// The published files of a repository: one was replaced or removed.
    Files(RepoId),
    /// The paths of a repository: one was published where none was, or an index has a new generation.
    Paths(RepoId),
    /// An access key.
    Key(KeyId),
    /// Users, organisations, memberships or API keys.
    Accounts,
    /// The subjects that have subscribers.
    Followed,
    /// What objects and lists show besides the above: packages, versions and what describes them.
    Objects,
    /// Anything: the actual change is unknown.
    Everything,
}

impl Invalidation {
    /// Returns whether objects and lists may show something else afterwards.
    pub(crate) fn concerns_objects(self) -> bool {
        match self {
            Invalidation::Repo(_)
            | Invalidation::Files(_)
            | Invalidation::Paths(_)
            | Invalidation::Accounts
            | Invalidation::Objects
            | Invalidation::Everything => true,
            Invalidation::Key(_) | Invalidation::Followed => false,
        }
    }

    /// Returns whether all nodes must have received the invalidation before the change is acknowledged: it may take
    /// something away. What is only added or described in other words may be seen a moment later elsewhere.
    pub(crate) fn is_awaited(self) -> bool {
        match self {
            Invalidation::Repo(_)
            | Invalidation::Files(_)
            | Invalidation::Key(_)
            | Invalidation::Accounts
            | Invalidation::Followed
            | Invalidation::Everything => true,
            Invalidation::Paths(_) | Invalidation::Objects => false,
        }
    }

    /// Encodes the invalidation for other nodes.
    pub(crate) fn to_text(self) -> String {
        match self {
            Invalidation::Repo(id) => id.to_string(),
            Invalidation::Files(repo_id) => format!("{FILES}{repo_id}"),
            Invalidation::Paths(repo_id) => format!("{PATHS}{repo_id}"),
            Invalidation::Key(id) => format!("{KEY}{id}"),
            Invalidation::Accounts => "accounts".to_owned(),
            Invalidation::Followed => "followed".to_owned(),
            Invalidation::Objects => "objects".to_owned(),
            Invalidation::Everything => "everything".to_owned(),
        }
    }

    /// Decodes an invalidation from another node. An unknown text counts as [`Invalidation::Everything`].
    pub(crate) fn from_text(text: &str) -> Self {
        let numbered = |number: &str, change: fn(i64) -> Self| number.parse().map_or(Invalidation::Everything, change);
        if let Some(id) = text.strip_prefix(KEY) {
            return numbered(id, |id| Invalidation::Key(KeyId::new(id)));
        }
        if let Some(repo_id) = text.strip_prefix(FILES) {
            return numbered(repo_id, |id| Invalidation::Files(RepoId::new(id)));
        }
        if let Some(repo_id) = text.strip_prefix(PATHS) {
            return numbered(repo_id, |id| Invalidation::Paths(RepoId::new(id)));
        }
        match text {
            "accounts" => Invalidation::Accounts,
            "followed" => Invalidation::Followed,
            "objects" => Invalidation::Objects,
            _ => numbered(text, |id| Invalidation::Repo(RepoId::new(id))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_travels_as_text() {
        let numbered = [
            Invalidation::Repo(RepoId::new(42)),
            Invalidation::Files(RepoId::new(42)),
            Invalidation::Paths(RepoId::new(42)),
            Invalidation::Key(KeyId::new(42)),
        ];
        let others = [Invalidation::Accounts, Invalidation::Followed, Invalidation::Objects, Invalidation::Everything];
        for change in numbered.into_iter().chain(others) {
            assert_eq!(Invalidation::from_text(&change.to_text()), change);
        }
        for unknown in ["something new", "key ?", "key", "files ?", "paths ?"] {
            assert_eq!(Invalidation::from_text(unknown), Invalidation::Everything);
        }
    }
}
