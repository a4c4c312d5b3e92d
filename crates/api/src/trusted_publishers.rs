//! Trusted publishers, and the exchange of identity tokens.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A trusted publisher: builds that may publish without a stored secret.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct TrustedPublisher {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The service that runs the builds: `github`, `gitlab`, `buildkite` or `generic`.
    pub provider: String,
    /// The issuer of the identity tokens.
    pub issuer: String,
    /// The claims that a token must have, with their values. `*` matches any text.
    pub claims: BTreeMap<String, String>,
    /// Where its builds may publish: `subject`, `subject/repo` or `subject/repo/package`.
    pub resource: String,
    /// When it was added.
    pub created: String,
}

/// The body that adds a trusted publisher.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct NewTrustedPublisher {
    /// Its name, unique among those of its owner.
    pub name: String,
    /// The service that runs the builds: `github`, `gitlab`, `buildkite` or `generic`.
    pub provider: String,
    /// The issuer of the identity tokens; that of the service when absent. `generic` needs one.
    #[serde(default)]
    pub issuer: Option<String>,
    /// The claims that a token must have, with their values. `github` needs `repository`, `gitlab` needs `project_path`,
    /// `buildkite` needs `organization_slug` and `pipeline_slug`, `generic` needs `sub`.
    pub claims: BTreeMap<String, String>,
    /// Where its builds may publish: the owner, `owner/repo` or `owner/repo/package`.
    pub resource: String,
}

/// The body that exchanges an identity token.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct IdentityToken {
    /// The identity token of a build, for the audience of this site.
    pub token: String,
    /// The user or organization to publish for; the one that trusts the build when absent.
    #[serde(default)]
    pub owner: Option<String>,
}

/// A token that a build may publish with.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct MintedToken {
    /// The user or organization that it belongs to: the user name of HTTP Basic authentication.
    pub owner: String,
    /// The secret: the password of HTTP Basic authentication, or a bearer.
    pub token: String,
    /// Where it may publish.
    pub resources: Vec<String>,
    /// When it expires, in milliseconds since 1970.
    pub expiry: i64,
}

/// The audience that identity tokens must have.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct Audience {
    /// The audience.
    pub audience: String,
}

/// A build that has published something.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct Build {
    /// The name of the trusted publisher.
    pub publisher: String,
    /// The issuer of its identity token.
    pub issuer: String,
    /// Claims of the token.
    pub claims: BTreeMap<String, String>,
}
