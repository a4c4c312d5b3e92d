//! The sign-in provider that the operator has chosen.

use std::fmt;

use model::group_rule::GroupRule;

/// The sign-in provider, and what its claims mean here.
#[derive(Debug, Clone)]
pub struct OidcConfig {
    /// The issuer, exactly as its tokens name it.
    pub issuer: String,
    /// The id that this server has at the provider.
    pub client_id: String,
    /// The secret of this server there; public clients have none.
    pub client_secret: Option<ClientSecret>,
    /// The scopes to ask for; `openid` is always one of them.
    pub scopes: Vec<String>,
    /// The claim that gives new users their names.
    pub name_claim: String,
    /// The claim with the e-mail address.
    pub email_claim: String,
    /// The claim with the groups.
    pub groups_claim: String,
    /// What the groups are in organizations.
    pub groups: Vec<GroupRule>,
    /// Whether somebody without a user gets one.
    pub creates_users: bool,
    /// The groups of which one is needed for that; everybody gets a user if it is empty.
    pub create_groups: Vec<String>,
    /// Whether people may also sign in with a password or an API key.
    pub allows_passwords: bool,
    /// The name of the provider on the sign-in page.
    pub label: String,
}

/// The secret that this server has at the provider. It is never printed.
#[derive(Clone)]
pub struct ClientSecret(String);

impl ClientSecret {
    /// Wraps the secret of the settings.
    pub fn new(text: &str) -> Self {
        Self(text.to_owned())
    }

    pub(crate) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for ClientSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ClientSecret(hidden)")
    }
}
