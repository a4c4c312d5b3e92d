//! Rights in a repository.

use crate::access::Decision;

/// A right of a caller in a repository. Each right includes the one before it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Right {
    /// No more than everyone may do.
    #[default]
    None,
    /// See it and download from it.
    Read,
    /// Add packages, versions and files.
    Publish,
    /// Manage the repository itself.
    Own,
}

impl Right {
    /// The number that the database stores for it. Higher numbers include lower ones.
    pub fn number(self) -> i64 {
        match self {
            Right::None => 0,
            Right::Read => 1,
            Right::Publish => 2,
            Right::Own => 3,
        }
    }

    /// Returns the right with this number. An unknown number grants nothing.
    pub fn from_number(number: i64) -> Self {
        [Right::Read, Right::Publish, Right::Own].into_iter().find(|right| right.number() == number).unwrap_or_default()
    }
}

/// Whether everyone may read a repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Visibility {
    /// Everyone may read it.
    Public,
    /// Only callers with a right may read it or learn that it exists.
    Private,
}

/// Decides whether a caller with the granted right may do something that needs another right.
pub fn decide_in_repo(needed: Right, granted: Right, visibility: Visibility, is_signed_in: bool) -> Decision {
    let everyone = if visibility == Visibility::Public { Right::Read } else { Right::None };
    let right = granted.max(everyone);
    match right {
        right if right >= needed => Decision::Allowed,
        // Writes require credentials first, whether or not the repository exists.
        _ if !is_signed_in && needed > Right::Read => Decision::SignIn,
        Right::None => Decision::Hidden,
        _ => Decision::Denied,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn a_right_is_kept_as_a_number() {
        for right in [Right::None, Right::Read, Right::Publish, Right::Own] {
            assert_eq!(Right::from_number(right.number()), right);
        }
        assert_eq!(Right::from_number(99), Right::None);
    }
}
