use proptest::prelude::*;

use super::*;

fn version(text: &str) -> NugetVersion {
    NugetVersion::parse(text).expect(text)
}

#[test]
fn versions_are_those_of_nuget() {
    let check = |version: &NugetVersion, text: &str, columns: &[&str]| {
        assert_eq!(version.to_string(), columns[0], "{text}");
        assert_eq!(version.is_prerelease(), columns[1] == "1", "{text}");
    };
    let file = include_str!("../../oracles/nuget-versions.tsv");
    crate::oracle::assert_order(file, |text| NugetVersion::parse(text).ok(), NugetVersion::cmp, check);
}

#[test]
fn versions_have_a_normal_form() {
    for (text, normal) in [
        ("1", "1.0.0"),
        ("1.0", "1.0.0"),
        ("01.002.3", "1.2.3"),
        ("1.2.3.0", "1.2.3"),
        ("1.2.3.4", "1.2.3.4"),
        ("1.0.0-Beta.1+git.5", "1.0.0-Beta.1"),
        ("1.0-a-b", "1.0.0-a-b"),
        ("2147483647.0.0", "2147483647.0.0"),
    ] {
        assert_eq!(version(text).to_string(), normal);
    }
    assert_eq!(version("1.0-RC.1").lower(), "1.0.0-rc.1");
    assert!(version("1.0-a.b").is_semver2() && version("1.0+a").is_semver2() && !version("1.0-a").is_semver2());
    for bad in [
        "",
        "1.0.0.0.0",
        "v1",
        "1..0",
        "1.0-",
        "1.0-a..b",
        "1.0+",
        "1.0-a_b",
        "1.0-01",
        "-1",
        "2147483648",
        "1.a",
        " 1",
    ] {
        assert!(NugetVersion::parse(bad).is_err(), "{bad}");
    }
}

#[test]
fn versions_have_their_order() {
    let rising = "0.9 1.0.0-1 1.0.0-2 1.0.0-10 1.0.0-99999999999 1.0.0-ALPHA 1.0.0-alpha.1 1.0.0-alpha.beta \
                  1.0.0-beta 1.0.0-rc.2 1.0.0-RC.10 1.0.0 1.0.0.1-a 1.0.0.1 1.0.1 1.2 1.10 2.0";
    let versions: Vec<&str> = rising.split_whitespace().collect();
    for (at, low) in versions.iter().enumerate() {
        for high in &versions[at + 1..] {
            assert_eq!(compare(low, high), Ordering::Less, "{low} < {high}");
            assert_eq!(compare(high, low), Ordering::Greater, "{high} > {low}");
        }
    }
    for (left, right) in [("1.0", "1.0.0.0"), ("1.0-A", "1.0.0-a"), ("1.0+x", "1.0+y")] {
        assert_eq!(version(left), version(right));
    }
    assert_eq!(compare("x", "0.0.1"), Ordering::Less);
}

proptest! {
    #[test]
    fn the_normal_form_is_the_same_version(text in "[0-9]{1,3}(\\.[0-9]{1,3}){0,3}(-[a-zA-Z-][0-9a-zA-Z-]{0,3}(\\.[1-9a-c][0-9a-c]{0,2}){0,2})?(\\+[a-z0-9]{1,3})?") {
        let version = version(&text);
        prop_assert_eq!(NugetVersion::parse(&version.to_string()).expect("valid"), version.clone());
        prop_assert_eq!(NugetVersion::parse(&version.lower()).expect("valid"), version);
    }

    #[test]
    fn the_order_is_total(texts in prop::collection::vec("[0-2]\\.[01](-[0-2ab](\\.[0-2a])?)?", 3)) {
        let [a, b, c] = [version(&texts[0]), version(&texts[1]), version(&texts[2])];
        prop_assert_eq!(a.cmp(&b), b.cmp(&a).reverse());
        prop_assert!(a > b || b > c || a <= c);
    }
}
