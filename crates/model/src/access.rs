//! The access policy: who may do what. Only this module distinguishes hidden from denied.
//!
//! This file has the table for accounts. The submodules have the rules for repositories, for grants in a scope of a
//! repository, and for downloads.

mod cidrs;
mod countries;
mod downloads;
mod grants;
mod networks;
mod origins;
mod rights;
mod scopes;
mod viewer;

pub use cidrs::InvalidCidrs;
pub use countries::Country;
pub use downloads::{Download, DownloadRequest, LONGEST_SIGNED_URL_SECS, Refusal, decide_download};
pub use grants::{Grant, GrantScope, GrantTarget, right_in};
pub use networks::{Networks, parse_network};
pub use origins::{Countries, Origin, Restrictions};
pub use rights::{Right, Visibility, decide_in_repo};
pub use scopes::{Scope, scope_of_action, scope_of_call, scope_of_right};
pub use viewer::Viewer;

use crate::role::Role;

/// The relation of the caller to the account that an action is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AccountRelation {
    /// Not signed in.
    Anonymous,
    /// Uses an access key.
    KeyHolder,
    /// Signed in, without any relation to the account.
    Stranger,
    /// Belongs to the organization with this role.
    Member(Role),
    /// The account's own user.
    Oneself,
    /// A site administrator.
    SiteAdmin,
}

/// An action of a caller on an account or on the site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    /// See the profile of a user or an organization.
    SeeProfile,
    /// See the members of an organization, or all organizations of a user.
    SeeMembers,
    /// Change a profile.
    EditProfile,
    /// Add, change or remove members that are not owners, and teams.
    ManageMembers,
    /// Make someone an owner, or change or remove one.
    ManageOwners,
    /// Delete the account.
    DeleteAccount,
    /// Replace the account's API key.
    RotateKey,
    /// See and revoke the account's tokens.
    RevokeTokens,
    /// Create, change and rotate the account's tokens, which act as the account: nobody does this for another person.
    MakeTokens,
    /// Create a repository of the account.
    CreateRepo,
    /// Create an organization.
    CreateOrg,
    /// Create a user, set a plan, read the audit log.
    Administer,
}

/// The result of an access decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Decision {
    /// The caller may do it.
    Allowed,
    /// The caller has to sign in first.
    SignIn,
    /// The caller is signed in but may not do it.
    Denied,
    /// The caller may not even learn that the thing exists.
    Hidden,
}

/// Decides whether a caller with this relation may do this.
pub fn decide(action: Action, standing: AccountRelation) -> Decision {
    use AccountRelation::*;
    use Action::*;
    match (action, standing) {
        (MakeTokens, SiteAdmin) => Decision::Denied,
        (_, SiteAdmin) => Decision::Allowed,
        (_, Anonymous) => Decision::SignIn,
        (_, KeyHolder) => Decision::Denied,
        (SeeProfile | CreateOrg, _) => Decision::Allowed,
        (SeeMembers, Member(_) | Oneself) => Decision::Allowed,
        (EditProfile | ManageMembers | CreateRepo, Member(Role::Admin | Role::Owner)) => Decision::Allowed,
        (ManageOwners | DeleteAccount | RevokeTokens | MakeTokens, Member(Role::Owner)) => Decision::Allowed,
        (EditProfile | DeleteAccount | RotateKey | RevokeTokens | MakeTokens | CreateRepo, Oneself) => {
            Decision::Allowed
        }
        _ => Decision::Denied,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ACTIONS: [Action; 12] = [
        Action::SeeProfile,
        Action::SeeMembers,
        Action::EditProfile,
        Action::ManageMembers,
        Action::ManageOwners,
        Action::DeleteAccount,
        Action::RotateKey,
        Action::RevokeTokens,
        Action::MakeTokens,
        Action::CreateRepo,
        Action::CreateOrg,
        Action::Administer,
    ];

    fn allowed(standing: AccountRelation) -> Vec<Action> {
        ACTIONS.into_iter().filter(|action| decide(*action, standing) == Decision::Allowed).collect()
    }

    #[test]
    fn each_standing_has_its_actions() {
        use Action::*;
        assert_eq!(allowed(AccountRelation::Anonymous), []);
        assert_eq!(allowed(AccountRelation::KeyHolder), []);
        assert_eq!(allowed(AccountRelation::Stranger), [SeeProfile, CreateOrg]);
        assert_eq!(allowed(AccountRelation::Member(Role::Member)), [SeeProfile, SeeMembers, CreateOrg]);
        assert_eq!(
            allowed(AccountRelation::Member(Role::Admin)),
            [SeeProfile, SeeMembers, EditProfile, ManageMembers, CreateRepo, CreateOrg]
        );
        assert_eq!(
            allowed(AccountRelation::Member(Role::Owner)),
            [
                SeeProfile,
                SeeMembers,
                EditProfile,
                ManageMembers,
                ManageOwners,
                DeleteAccount,
                RevokeTokens,
                MakeTokens,
                CreateRepo,
                CreateOrg
            ]
        );
        assert_eq!(
            allowed(AccountRelation::Oneself),
            [
                SeeProfile,
                SeeMembers,
                EditProfile,
                DeleteAccount,
                RotateKey,
                RevokeTokens,
                MakeTokens,
                CreateRepo,
                CreateOrg
            ]
        );
        let not_as_another = ACTIONS.into_iter().filter(|action| *action != MakeTokens);
        assert_eq!(allowed(AccountRelation::SiteAdmin), not_as_another.collect::<Vec<_>>());
    }

    #[test]
    fn a_stronger_role_never_loses_a_right() {
        for pair in Role::ALL.windows(2) {
            let (weak, strong) = (allowed(AccountRelation::Member(pair[0])), allowed(AccountRelation::Member(pair[1])));
            assert!(weak.iter().all(|action| strong.contains(action)));
        }
    }
}
