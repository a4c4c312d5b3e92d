//! Tests of `release`.

use super::*;

fn dependency() -> CrateDependency {
    CrateDependency {
        name: "serde".to_owned(),
        req: "^1.0".to_owned(),
        features: vec!["derive".to_owned()],
        optional: false,
        default_features: true,
        target: None,
        kind: "normal".to_owned(),
        registry: None,
        package: None,
    }
}

fn release(dependency: CrateDependency) -> CrateRelease {
    let (name, version) = ("hello".to_owned(), "1.0.0".to_owned());
    CrateRelease { name, version, dependencies: vec![dependency], ..CrateRelease::default() }
}

#[test]
fn registries_are_urls_of_an_index() {
    let with = |url: &str| release(CrateDependency { registry: Some(url.to_owned()), ..dependency() }).check();
    for good in [CRATES_IO, "sparse+https://example.org/index/", "registry+ssh://git@example.org/index"] {
        assert_eq!(with(good), Ok(()), "{good}");
    }
    for bad in ["javascript:alert(1)", "", "https://", "sparse+file:///etc", "https://a b", "https://a\n"] {
        assert!(with(bad).is_err(), "{bad}");
    }
    let reason = "dependency 'serde': registry 'javascript:alert(1)' is not a URL of an index";
    assert_eq!(with("javascript:alert(1)"), Err(reason.to_owned()));
}

#[test]
fn dependencies_are_checked() {
    assert_eq!(release(dependency()).check(), Ok(()));
    let bad = [
        CrateDependency { name: "a b".to_owned(), ..dependency() },
        CrateDependency { package: Some("../x".to_owned()), ..dependency() },
        CrateDependency { req: "latest".to_owned(), ..dependency() },
        CrateDependency { kind: "other".to_owned(), ..dependency() },
        CrateDependency { features: vec!["a\n".to_owned()], ..dependency() },
        CrateDependency { target: Some("cfg(unix)\n".to_owned()), ..dependency() },
    ];
    for dependency in bad {
        assert!(release(dependency.clone()).check().is_err(), "{dependency:?}");
    }
    let many = CrateRelease { dependencies: vec![dependency(); 2_001], ..release(dependency()) };
    assert_eq!(many.check(), Err("there are more than 2000 dependencies".to_owned()));
}

#[test]
fn versions_of_rust_are_numbers() {
    let with = |text: &str| CrateRelease { rust_version: Some(text.to_owned()), ..release(dependency()) }.check();
    assert_eq!((with("1.80"), with("1"), with("1.80.1")), (Ok(()), Ok(()), Ok(())));
    for bad in ["", "1.", "1.x", "1.80.1.2", "1.80\n", "1.80-nightly"] {
        assert!(with(bad).is_err(), "{bad}");
    }
}
