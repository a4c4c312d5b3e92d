//! Orders of a repository's packages other than by name, and positions in such lists.

use std::cmp::Reverse;

/// An order of packages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PackageOrder {
    /// The last change first.
    Updated,
    /// By licence; packages without one come last.
    License,
    /// The most downloads in thirty days first, then the packages without any, by name.
    Downloads,
}

/// The position of a package in a list. Positions of one order compare like the packages in the list.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum PackageCursor {
    /// The time of the last change, and the id.
    Updated(Reverse<(i64, i64)>),
    /// The licence, and the id.
    License(String, i64),
    /// The number of downloads, and the id.
    Downloads(Reverse<(i64, i64)>),
    /// The name, in a list by downloads, of a package without any.
    Name(String),
}

impl PackageCursor {
    /// Parses what [`Self::to_text`] has written for a list in this order.
    pub fn parse(order: PackageOrder, text: &str) -> Option<Self> {
        let (first, second) = text.split_once('.')?;
        let numbers = || Some(Reverse((first.parse().ok()?, second.parse().ok()?)));
        match order {
            PackageOrder::Updated => Some(Self::Updated(numbers()?)),
            PackageOrder::License => Some(Self::License(second.to_owned(), first.parse().ok()?)),
            PackageOrder::Downloads if first == "name" => Some(Self::Name(second.to_owned())),
            PackageOrder::Downloads => Some(Self::Downloads(numbers()?)),
        }
    }

    /// Writes the position for a URL.
    pub fn to_text(&self) -> String {
        match self {
            Self::Updated(Reverse((number, id))) | Self::Downloads(Reverse((number, id))) => format!("{number}.{id}"),
            Self::License(license, id) => format!("{id}.{license}"),
            Self::Name(name) => format!("name.{name}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_read_as_they_were_written() {
        for (order, position) in [
            (PackageOrder::Updated, PackageCursor::Updated(Reverse((5, 7)))),
            (PackageOrder::License, PackageCursor::License("Apache-2.0\nMIT".to_owned(), 7)),
            (PackageOrder::Downloads, PackageCursor::Downloads(Reverse((5, 7)))),
            (PackageOrder::Downloads, PackageCursor::Name("a.b".to_owned())),
        ] {
            assert_eq!(PackageCursor::parse(order, &position.to_text()), Some(position));
        }
        for (order, text) in [
            (PackageOrder::Updated, ""),
            (PackageOrder::Updated, "1.x"),
            (PackageOrder::Updated, "99999999999999999999.1"),
            (PackageOrder::License, "MIT"),
            (PackageOrder::Downloads, "1"),
        ] {
            assert_eq!(PackageCursor::parse(order, text), None, "{text}");
        }
    }

    #[test]
    fn positions_compare_like_packages_in_a_list() {
        let downloads = |count, id| PackageCursor::Downloads(Reverse((count, id)));
        assert!(downloads(9, 1) < downloads(3, 1) && downloads(9, 2) < downloads(9, 1));
        assert!(downloads(1, 1) < PackageCursor::Name("a".into()));
        assert!(PackageCursor::Name("a".into()) < PackageCursor::Name("b".into()));
        let licensed = |license: &str, id| PackageCursor::License(license.to_owned(), id);
        assert!(licensed("MIT", 2) < licensed("~", 1) && licensed("MIT", 1) < licensed("MIT", 2));
    }
}
