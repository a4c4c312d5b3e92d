//! Scopes of tokens: what a token is for at most. A scope only takes away from what the owner of the token may.

use crate::access::{Action, Right};

/// What a token is for. Each scope includes the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// See and download.
    Read,
    /// Upload, publish and discard, and publish with package managers.
    Publish,
    /// Manage repositories and what is in them, webhooks, entitlements, access keys and signing.
    Manage,
    /// Everything that the owner may, accounts and tokens too.
    Admin,
}

impl Scope {
    /// All scopes, each before the one that includes it.
    pub const ALL: [Self; 4] = [Self::Read, Self::Publish, Self::Manage, Self::Admin];

    /// The name of the scope.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Publish => "publish",
            Self::Manage => "manage",
            Self::Admin => "admin",
        }
    }

    /// Returns the scope with this name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scope| scope.as_str() == text)
    }

    /// The highest right in repositories that a token with this scope can have.
    pub fn highest_right(self) -> Right {
        match self {
            Self::Read => Right::Read,
            Self::Publish => Right::Publish,
            Self::Manage | Self::Admin => Right::Own,
        }
    }
}

/// The scope that something needs which needs this right in a repository.
pub fn scope_of_right(needed: Right) -> Scope {
    match needed {
        Right::None | Right::Read => Scope::Read,
        Right::Publish => Scope::Publish,
        Right::Own => Scope::Manage,
    }
}

/// The scope that an action on an account or on the site needs.
pub fn scope_of_action(action: Action) -> Scope {
    match action {
        Action::SeeProfile | Action::SeeMembers => Scope::Read,
        Action::EditProfile | Action::CreateRepo => Scope::Manage,
        Action::ManageMembers
        | Action::ManageOwners
        | Action::DeleteAccount
        | Action::RotateKey
        | Action::RevokeTokens
        | Action::MakeTokens
        | Action::CreateOrg
        | Action::Administer => Scope::Admin,
    }
}

/// The scope that a call needs by its method and its address alone. The rights and actions behind it may need more.
pub fn scope_of_call(method: &str, segments: &[String]) -> Scope {
    let segments: Vec<&str> = segments.iter().map(String::as_str).filter(|segment| !segment.is_empty()).collect();
    let is_read = matches!(method, "GET" | "HEAD" | "OPTIONS");
    match segments.split_first() {
        Some((&"api", ["v1", rest @ ..])) => of_api(method, is_read, rest),
        Some((&"api", rest)) => of_api(method, is_read, rest),
        _ if is_read => Scope::Read,
        // An upload in pieces that a client gives up.
        Some((&"v2", rest)) if method == "DELETE" && rest.contains(&"uploads") => Scope::Publish,
        Some((&"v2" | &"dl", _)) if method == "DELETE" => Scope::Manage,
        Some((&"v2" | &"dl", _)) => Scope::Publish,
        _ => Scope::Admin,
    }
}

fn of_api(method: &str, is_read: bool, segments: &[&str]) -> Scope {
    match segments {
        ["search", "entitlements", ..] | ["webhooks" | "stream", ..] => Scope::Manage,
        // Searches, statistics and usage have bodies, and change nothing.
        ["search" | "usage", ..] => Scope::Read,
        ["packages", _, _, _, "stats", _] | ["packages", _, _, _, "versions", _, "stats", _] if method == "POST" => {
            Scope::Read
        }
        _ if is_read => Scope::Read,
        ["content" | "maven" | "calc_metadata", ..] if method != "DELETE" => Scope::Publish,
        ["users" | "orgs", _, "access_keys" | "download_keys" | "keys" | "licenses" | "follow", ..] => Scope::Manage,
        ["users" | "orgs" | "audit" | "nodes", ..] => Scope::Admin,
        ["subjects", _, "plan" | "quota" | "rename", ..] => Scope::Admin,
        _ => Scope::Manage,
    }
}

#[cfg(test)]
mod tests;
