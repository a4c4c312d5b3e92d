//! Rights in a part of a repository: what keys for outsiders are given.

use crate::access::Right;

/// A right in a part of a repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grant {
    /// Where it holds.
    pub part: Part,
    /// What may be done there.
    pub right: Right,
}

/// A part of a repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// The package of this key, with all its versions and files.
    Package(i64),
    /// The version of this key, with all its files.
    Version(i64),
    /// The file at this path, or the folder with all below it.
    Path(String),
}

/// Where in a repository something is to be done, as far as that is known. What is not known is not covered.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Place<'p> {
    /// The key of the package.
    pub package_id: Option<i64>,
    /// The key of the version.
    pub version_id: Option<i64>,
    /// The path of a file or a folder.
    pub path: Option<&'p str>,
}

/// What grants allow in a place, beside a right in the whole repository.
pub fn right_at(whole: Right, grants: &[Grant], place: Place<'_>) -> Right {
    let here = grants.iter().filter(|grant| grant.part.covers(place)).map(|grant| grant.right);
    here.fold(whole, Right::max)
}

impl Part {
    fn covers(&self, place: Place<'_>) -> bool {
        match self {
            Part::Package(id) => place.package_id == Some(*id),
            Part::Version(id) => place.version_id == Some(*id),
            Part::Path(part) => place.path.is_some_and(|path| is_below(path, part)),
        }
    }
}

/// Whether a path is this one or lies below it, by whole segments.
fn is_below(path: &str, part: &str) -> bool {
    let part = part.trim_matches('/');
    path.strip_prefix(part).is_some_and(|rest| !part.is_empty() && (rest.is_empty() || rest.starts_with('/')))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn place(package_id: i64, version_id: i64, path: &str) -> Place<'_> {
        Place { package_id: Some(package_id), version_id: Some(version_id), path: Some(path) }
    }

    #[test]
    fn a_grant_holds_in_its_part_only() {
        let grants = [
            Grant { part: Part::Package(1), right: Right::Read },
            Grant { part: Part::Version(12), right: Right::Publish },
            Grant { part: Part::Path("lib/1.0".into()), right: Right::Publish },
        ];
        let at = |place| right_at(Right::None, &grants, place);
        assert_eq!(at(place(1, 11, "x")), Right::Read);
        assert_eq!(at(place(1, 12, "x")), Right::Publish);
        assert_eq!(at(place(2, 21, "x")), Right::None);
        assert_eq!(at(place(2, 21, "lib/1.0/a.jar")), Right::Publish);
        assert_eq!(at(Place::default()), Right::None);
        assert_eq!(right_at(Right::Own, &grants, place(2, 21, "x")), Right::Own);
    }

    #[test]
    fn a_path_covers_whole_segments() {
        let covers = |part: &str, path: &str| Part::Path(part.into()).covers(place(1, 1, path));
        assert!(covers("lib", "lib") && covers("lib", "lib/a") && covers("/lib/", "lib/a/b"));
        assert!(!covers("lib", "library/a") && !covers("lib", "a/lib") && !covers("lib/a", "lib"));
        assert!(!covers("", "lib") && !covers("/", "lib"));
    }

    fn grants() -> impl Strategy<Value = Vec<Grant>> {
        let part = prop_oneof![
            (1i64..4).prop_map(Part::Package),
            (1i64..4).prop_map(Part::Version),
            "[ab](/[ab]){0,2}".prop_map(Part::Path)
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
            let before = right_at(Right::None, &given, place);
            given.extend(more);
            prop_assert!(right_at(Right::None, &given, place) >= before);
        }
    }
}
