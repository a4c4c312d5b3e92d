//! The one permission table: who may do what. Hidden is told apart from denied only here.

use crate::role::Role;

/// What the caller is to the account that an action is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Standing {
    /// Nobody signed in.
    Anonymous,
    /// Signed in, with no tie to the account.
    Stranger,
    /// Belongs to the organisation in this role.
    Member(Role),
    /// The account's own user.
    Oneself,
    /// A site administrator.
    SiteAdmin,
}

/// What a caller wants to do with an account or the site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    /// See the profile of a user or an organisation.
    SeeProfile,
    /// See the members of an organisation, or all organisations of a user.
    SeeMembers,
    /// Change a profile.
    EditProfile,
    /// Add, change or remove members that are not owners.
    ManageMembers,
    /// Make someone an owner, or touch one.
    ManageOwners,
    /// Delete the account.
    DeleteAccount,
    /// Replace the account's API key.
    RotateKey,
    /// Create a repository of the account.
    CreateRepo,
    /// Create an organisation.
    CreateOrg,
    /// Create a user, set a plan, read the audit log.
    Administer,
}

/// The answer of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Decision {
    /// Go on.
    Allowed,
    /// Credentials are needed.
    SignIn,
    /// The caller is known and may not.
    Denied,
    /// The caller may not even know that it is there.
    Hidden,
}

/// What a caller may do in a repository. Each right holds the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Right {
    /// Nothing that everyone may not do.
    None,
    /// See it and download from it.
    Read,
    /// Add packages, versions and files.
    Publish,
    /// Manage the repository itself.
    Own,
}

/// Whether everyone may read a repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Visibility {
    /// Everyone may.
    Public,
    /// Only those with a right may, and only they know of it.
    Private,
}

/// Whether a caller who was granted one right may do what needs another.
pub fn decide_in_repo(needed: Right, granted: Right, visibility: Visibility, is_signed_in: bool) -> Decision {
    let everyone = if visibility == Visibility::Public { Right::Read } else { Right::None };
    let right = granted.max(everyone);
    match right {
        right if right >= needed => Decision::Allowed,
        // Writes ask for credentials first, whether the repository is there or not.
        _ if !is_signed_in && needed > Right::Read => Decision::SignIn,
        Right::None => Decision::Hidden,
        _ => Decision::Denied,
    }
}

/// Whether a caller of this standing may do this.
pub fn decide(action: Action, standing: Standing) -> Decision {
    use Action::*;
    use Standing::*;
    match (action, standing) {
        (_, SiteAdmin) => Decision::Allowed,
        (_, Anonymous) => Decision::SignIn,
        (SeeProfile | CreateOrg, _) => Decision::Allowed,
        (SeeMembers, Member(_) | Oneself) => Decision::Allowed,
        (EditProfile | ManageMembers | CreateRepo, Member(Role::Admin | Role::Owner)) => Decision::Allowed,
        (ManageOwners | DeleteAccount, Member(Role::Owner)) => Decision::Allowed,
        (EditProfile | DeleteAccount | RotateKey | CreateRepo, Oneself) => Decision::Allowed,
        _ => Decision::Denied,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ACTIONS: [Action; 10] = [
        Action::SeeProfile,
        Action::SeeMembers,
        Action::EditProfile,
        Action::ManageMembers,
        Action::ManageOwners,
        Action::DeleteAccount,
        Action::RotateKey,
        Action::CreateRepo,
        Action::CreateOrg,
        Action::Administer,
    ];

    fn allowed(standing: Standing) -> Vec<Action> {
        ACTIONS.into_iter().filter(|action| decide(*action, standing) == Decision::Allowed).collect()
    }

    #[test]
    fn each_standing_has_its_actions() {
        use Action::*;
        assert_eq!(allowed(Standing::Anonymous), []);
        assert_eq!(allowed(Standing::Stranger), [SeeProfile, CreateOrg]);
        assert_eq!(allowed(Standing::Member(Role::Member)), [SeeProfile, SeeMembers, CreateOrg]);
        assert_eq!(
            allowed(Standing::Member(Role::Admin)),
            [SeeProfile, SeeMembers, EditProfile, ManageMembers, CreateRepo, CreateOrg]
        );
        assert_eq!(
            allowed(Standing::Member(Role::Owner)),
            [SeeProfile, SeeMembers, EditProfile, ManageMembers, ManageOwners, DeleteAccount, CreateRepo, CreateOrg]
        );
        assert_eq!(
            allowed(Standing::Oneself),
            [SeeProfile, SeeMembers, EditProfile, DeleteAccount, RotateKey, CreateRepo, CreateOrg]
        );
        assert_eq!(allowed(Standing::SiteAdmin), ACTIONS);
    }

    #[test]
    fn a_private_repository_is_hidden_and_a_public_one_is_read() {
        use Decision::*;
        use Visibility::*;
        let cases = [
            (Right::Read, Right::None, Public, false, Allowed),
            (Right::Read, Right::None, Private, false, Hidden),
            (Right::Read, Right::None, Private, true, Hidden),
            (Right::Publish, Right::None, Public, false, SignIn),
            (Right::Publish, Right::None, Private, false, SignIn),
            (Right::Publish, Right::None, Public, true, Denied),
            (Right::Publish, Right::None, Private, true, Hidden),
            (Right::Publish, Right::Read, Private, true, Denied),
            (Right::Publish, Right::Publish, Private, true, Allowed),
            (Right::Own, Right::Publish, Public, true, Denied),
            (Right::Own, Right::Own, Private, true, Allowed),
        ];
        for (needed, granted, visibility, is_signed_in, expected) in cases {
            let decision = decide_in_repo(needed, granted, visibility, is_signed_in);
            assert_eq!(decision, expected, "{needed:?} with {granted:?} in {visibility:?}, signed in: {is_signed_in}");
        }
    }

    #[test]
    fn a_stronger_role_never_loses_a_right() {
        for pair in Role::ALL.windows(2) {
            let (weak, strong) = (allowed(Standing::Member(pair[0])), allowed(Standing::Member(pair[1])));
            assert!(weak.iter().all(|action| strong.contains(action)));
        }
    }
}
