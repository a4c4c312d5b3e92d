//! Rights in a scope of a repository, as access keys have them.

use crate::{
    access::Right,
    id::{PackageId, VersionId},
};

/// A right in a scope of a repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grant {
    /// The scope in which it applies.
    pub part: GrantScope,
    /// The actions that it allows.
    pub right: Right,
}

/// A scope inside a repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GrantScope {
    /// The package with this id, with all its versions and files.
    Package(PackageId),
    /// The version with this id, with all its files.
    Version(VersionId),
    /// The file at this path, or the folder with everything below it.
    Path(String),
}

/// The target of an action in a repository, with the parts that are known. A grant does not cover unknown parts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct GrantTarget<'p> {
    /// The id of the package.
    pub package_id: Option<PackageId>,
    /// The id of the version.
    pub version_id: Option<VersionId>,
    /// The path of a file or a folder.
    pub path: Option<&'p str>,
}

/// Returns the right for a target: the highest of the right in the whole repository and the grants that cover the
/// target.
pub fn right_in(whole: Right, grants: &[Grant], place: GrantTarget<'_>) -> Right {
    let here = grants.iter().filter(|grant| grant.part.covers(place)).map(|grant| grant.right);
    here.fold(whole, Right::max)
}

impl GrantScope {
    fn covers(&self, place: GrantTarget<'_>) -> bool {
        match self {
            GrantScope::Package(id) => place.package_id == Some(*id),
            GrantScope::Version(id) => place.version_id == Some(*id),
            GrantScope::Path(part) => place.path.is_some_and(|path| is_below(path, part)),
        }
    }
}

/// Returns whether a path is this one or lies below it, compared by whole segments.
fn is_below(path: &str, part: &str) -> bool {
    let part = part.trim_matches('/');
    path.strip_prefix(part).is_some_and(|rest| !part.is_empty() && (rest.is_empty() || rest.starts_with('/')))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn place(package_id: i64, version_id: i64, path: &str) -> GrantTarget<'_> {
        let (package_id, version_id) = (Some(PackageId::new(package_id)), Some(VersionId::new(version_id)));
        GrantTarget { package_id, version_id, path: Some(path) }
    }

    #[test]
    fn a_grant_holds_in_its_part_only() {
        let grants = [
            Grant { part: GrantScope::Package(PackageId::new(1)), right: Right::Read },
            Grant { part: GrantScope::Version(VersionId::new(12)), right: Right::Publish },
            Grant { part: GrantScope::Path("lib/1.0".into()), right: Right::Publish },
        ];
        let at = |place| right_in(Right::None, &grants, place);
        assert_eq!(at(place(1, 11, "x")), Right::Read);
        assert_eq!(at(place(1, 12, "x")), Right::Publish);
        assert_eq!(at(place(2, 21, "x")), Right::None);
        assert_eq!(at(place(2, 21, "lib/1.0/a.jar")), Right::Publish);
        assert_eq!(at(GrantTarget::default()), Right::None);
        assert_eq!(right_in(Right::Own, &grants, place(2, 21, "x")), Right::Own);
    }

    #[test]
    fn a_path_covers_whole_segments() {
        let covers = |part: &str, path: &str| GrantScope::Path(part.into()).covers(place(1, 1, path));
        assert!(covers("lib", "lib") && covers("lib", "lib/a") && covers("/lib/", "lib/a/b"));
        assert!(!covers("lib", "library/a") && !covers("lib", "a/lib") && !covers("lib/a", "lib"));
        assert!(!covers("", "lib") && !covers("/", "lib"));
    }

    fn grants() -> impl Strategy<Value = Vec<Grant>> {
        let part = prop_oneof![
            (1i64..4).prop_map(|id| GrantScope::Package(PackageId::new(id))),
            (1i64..4).prop_map(|id| GrantScope::Version(VersionId::new(id))),
            "[ab](/[ab]){0,2}".prop_map(GrantScope::Path)
        ];
        let right = prop_oneof![Just(Right::Read), Just(Right::Publish)];
        proptest::collection::vec((part, right).prop_map(|(part, right)| Grant { part, right }), 0..5)
    }

    proptest! {
        #[test]
        fn more_grants_never_take_a_right_away(
            mut given in grants(), more in grants(), package in 1i64..5, version in 1i64..5, path in "[abc](/[abc]){0,3}"
        ) {
            let place = place(package, version, &path);
            let before = right_in(Right::None, &given, place);
            given.extend(more);
            prop_assert!(right_in(Right::None, &given, place) >= before);
        }
    }
}
