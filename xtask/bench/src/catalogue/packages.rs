//! The packages of a catalogue, generated from their numbers and different enough for searches.

use database::testing::bulk::BulkPackage;
use model::{
    attribute::{Attribute, Number, Scalar},
    id::{PackageId, RepoId, VersionId},
    names::{PackageName, VersionName},
    package::{Package, PackageProfile},
    timestamp::Timestamp,
    version::{Version, VersionProfile},
};

/// Words for names: every name contains two of them, and each word is in about one of sixteen names.
const WORDS: [&str; 32] = [
    "amber", "basil", "cedar", "delta", "ember", "fjord", "grove", "haven", "inlet", "jetty", "karst", "lemon",
    "maple", "nexus", "olive", "pearl", "quartz", "raven", "slate", "tulip", "umbra", "vapor", "willow", "xenon",
    "yucca", "zephyr", "arrow", "brook", "crane", "drift", "eagle", "flint",
];

/// The channels; each package is in one of them.
const CHANNELS: [&str; 3] = ["stable", "beta", "nightly"];

/// The number of packages with the same origin.
pub(crate) const SAME_ORIGIN: u64 = 5;

const LETTERS: u64 = 26;
const CODE_LETTERS: u32 = 6;

/// The first id of a package. Ids that the server generates are far larger.
pub(crate) const FIRST_KEY: u64 = 1_000;

pub(crate) const CREATED_MS: i64 = 1_750_000_000_000;

/// Returns the name of a package: two words and a unique code.
pub(crate) fn name(number: u64) -> String {
    format!("{}-{}-{}", word(number), word(number / 7 + 3), code(number))
}

/// Returns a word that many names contain.
pub(crate) fn word(number: u64) -> &'static str {
    WORDS[usize::try_from(number % WORDS.len() as u64).unwrap_or_default()]
}

/// Returns a unique code of letters for each number. Codes do not sort like the numbers.
pub(crate) fn code(number: u64) -> String {
    // The factor and the number of letters have no common divisor, so that no two numbers collide.
    let mut mixed = number.wrapping_mul(97_654_321) % LETTERS.pow(CODE_LETTERS);
    let mut code = String::new();
    for _ in 0..CODE_LETTERS {
        code.extend(('a'..='z').nth(usize::try_from(mixed % LETTERS).unwrap_or_default()));
        mixed /= LETTERS;
    }
    code
}

/// Returns the origin of a package, which it shares with few others.
pub(crate) fn origin(number: u64) -> String {
    format!("origin-{}", code(number / SAME_ORIGIN))
}

/// Returns the channel of a package by its size.
pub(crate) fn channel(size: u64) -> &'static str {
    CHANNELS[usize::try_from(size % CHANNELS.len() as u64).unwrap_or_default()]
}

/// Creates the package of a number with its versions and attributes.
pub(crate) fn loaded(number: u64, repo_id: RepoId) -> BulkPackage {
    let id = PackageId::new((FIRST_KEY + number).cast_signed());
    let description = format!("A {} for {} and {}", word(number / 5), word(number / 11), word(number / 17));
    let package = Package {
        id,
        repo_id,
        name: PackageName::parse(&name(number)).expect("letters and hyphens are a name"),
        rating_sum: 0,
        rating_count: 0,
        followers_count: 0,
        created: Timestamp::from_millis(CREATED_MS),
        updated: Timestamp::from_millis(CREATED_MS),
        profile: PackageProfile { description, labels: vec![word(number / 3).into()], ..PackageProfile::default() },
    };
    let versions = (1..=2).map(|ordinal| version(id, ordinal, 2)).collect();
    let size = Number::parse(&number.to_string()).expect("digits are a number");
    let attributes = vec![
        attribute("origin", Scalar::Text(origin(number))),
        attribute("size", Scalar::Number(size)),
        attribute("channel", Scalar::Text(channel(number).into())),
    ];
    BulkPackage { package, versions, attributes }
}

/// Creates a version of a package that has `count` versions.
pub(crate) fn version(package_id: PackageId, ordinal: i64, count: i64) -> Version {
    Version {
        id: VersionId::new(package_id.get() * count + ordinal),
        package_id,
        name: VersionName::parse(&format!("{ordinal}.0")).expect("digits and a point are a name"),
        ordinal,
        created: Timestamp::from_millis(CREATED_MS),
        updated: Timestamp::from_millis(CREATED_MS),
        published_files: 1,
        first_published: Some(Timestamp::from_millis(CREATED_MS)),
        is_draft: false,
        profile: VersionProfile::default(),
    }
}

fn attribute(name: &str, value: Scalar) -> Attribute {
    Attribute::new(name, Some(vec![value]), None).expect("one value is of one kind")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn no_two_packages_have_one_name() {
        let names: BTreeSet<String> = (0..100_000).map(code).collect();
        assert_eq!(names.len(), 100_000);
        assert_eq!(name(0), "amber-delta-aaaaaa");
    }
}
