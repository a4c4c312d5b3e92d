//! Compares with Python's `packaging`: `oracles/pypi.py` writes its answers to `oracles/pypi-*.tsv`.

use std::cmp::Ordering;

use super::{
    file_name::{Distribution, DistributionName},
    name,
    version::{self, PypiVersion},
};

/// Versions in ascending order: a sign that compares with the line before, a spelling, its normal form, and whether it
/// is a prerelease.
const VERSIONS: &str = include_str!("../../oracles/pypi-versions.tsv");

/// File names with project, version, build tag and tags; a name alone is not valid.
const FILES: &str = include_str!("../../oracles/pypi-files.tsv");

#[test]
fn versions_are_those_of_packaging() {
    let mut sorted: Vec<(PypiVersion, &str, usize)> = Vec::new();
    let mut invalid = 0;
    for line in VERSIONS.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let [sign, spelling, normal, prerelease] = fields[..] else { panic!("{line}") };
        if sign == "!" {
            assert!(PypiVersion::parse(spelling).is_err(), "{spelling}");
            invalid += 1;
            continue;
        }
        let version = PypiVersion::parse(spelling).expect(spelling);
        assert_eq!(version.to_string(), normal, "{spelling}");
        assert_eq!(version.is_prerelease(), prerelease == "1", "{spelling}");
        let class = sorted.last().map_or(0, |(_, _, class)| class + usize::from(sign == "<"));
        sorted.push((version, spelling, class));
    }
    assert!(sorted.len() > 1_000 && invalid > 100);
    for (index, (left, left_text, left_class)) in sorted.iter().enumerate() {
        // Every pair would take seconds; these are some thousand, near and far.
        for (right, right_text, right_class) in sorted[index..].iter().take(8).chain(sorted[index..].iter().step_by(97))
        {
            assert_eq!(left.cmp(right), left_class.cmp(right_class), "{left_text} {right_text}");
            if left_class != right_class {
                assert_eq!(version::compare(right_text, left_text), Ordering::Greater, "{left_text} {right_text}");
            }
        }
    }
}

#[test]
fn file_names_are_those_of_packaging() {
    let (mut valid, mut invalid) = (0, 0);
    for line in FILES.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let [file_name, project, version, build, tags] = fields[..] else {
            assert!(DistributionName::parse(line).is_err(), "{line}");
            invalid += 1;
            continue;
        };
        let name = DistributionName::parse(file_name).expect(file_name);
        assert_eq!((name.project.normalized(), name.version.to_string().as_str()), (project, version), "{file_name}");
        assert_eq!(name::normalize(name.project.spelled()), project);
        if let Distribution::Wheel(wheel) = name.kind {
            assert_eq!(wheel.build.unwrap_or_default(), build, "{file_name}");
            assert_eq!(format!("{}-{}-{}", wheel.python, wheel.abi, wheel.platform), tags, "{file_name}");
        }
        valid += 1;
    }
    assert!(valid > 200 && invalid > 100);
}
