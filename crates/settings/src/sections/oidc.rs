//! Single sign-on.

use model::group_rule::GroupRule;
use serde::{Deserialize, Serialize};

use crate::Secret;

/// `[oidc]`: the OpenID Connect provider that people sign in with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Oidc {
    /// The issuer URL of the provider, exactly as its tokens name it. Not set: no single sign-on.
    pub issuer: Option<String>,
    /// The client id of this server at the provider.
    pub client_id: Option<String>,
    /// The client secret of this server. Not set: it is a public client, which authenticates with PKCE alone.
    pub client_secret: Option<Secret>,
    /// The name of the provider on the button of the sign-in page.
    pub label: String,
    /// The scopes to ask for, in addition to `openid`.
    pub scopes: Vec<String>,
    /// The claim with the name of new users. Only the part before an `@` counts.
    pub name_claim: String,
    /// The claim with the e-mail address of new users.
    pub email_claim: String,
    /// The claim with the groups of a person.
    pub groups_claim: String,
    /// Roles and teams that groups give: `group=org:role`, where the role is `member`, `admin` or `owner`, or
    /// `group=org/team`.
    pub group_map: Vec<String>,
    /// Whether people who sign in for the first time get a user.
    pub create_users: bool,
    /// Groups whose members get a user; one is enough. Empty: everyone whom the provider knows.
    pub create_groups: Vec<String>,
    /// Whether people may also sign in with a password or an API key.
    pub password_sign_in: bool,
}

impl Oidc {
    /// The rules for groups, as far as they are valid.
    pub fn group_rules(&self) -> Vec<GroupRule> {
        self.group_map.iter().filter_map(|text| GroupRule::parse(text)).collect()
    }
}

impl Default for Oidc {
    fn default() -> Self {
        let text = str::to_owned;
        Self {
            issuer: None,
            client_id: None,
            client_secret: None,
            label: text("single sign-on"),
            scopes: ["profile", "email"].map(text).to_vec(),
            name_claim: text("preferred_username"),
            email_claim: text("email"),
            groups_claim: text("groups"),
            group_map: Vec::new(),
            create_users: true,
            create_groups: Vec::new(),
            password_sign_in: true,
        }
    }
}
