use super::*;

fn pattern(claim: &str, pattern: &str) -> ClaimPattern {
    ClaimPattern { claim: claim.to_owned(), pattern: pattern.to_owned() }
}

#[test]
fn a_pattern_fits_whole_values() {
    for (text, value) in [
        ("acme/tools", "acme/tools"),
        ("refs/tags/*", "refs/tags/v1"),
        ("refs/tags/*", "refs/tags/"),
        ("a*b*c", "a1b2b3c"),
        ("*", ""),
        ("a*a", "aa"),
    ] {
        assert!(pattern("x", text).matches(value), "{text} {value}");
    }
    for (text, value) in [
        ("acme/tools", "acme/tools2"),
        ("acme/tools", "xacme/tools"),
        ("acme/tools", "Acme/tools"),
        ("refs/tags/*", "refs/heads/tags/v1"),
        ("a*a", "a"),
        ("a*b*c", "a1c2b"),
        ("a?c", "abc"),
    ] {
        assert!(!pattern("x", text).matches(value), "{text} {value}");
    }
}

#[test]
fn providers_require_the_claims_that_say_whose_build_it_is() {
    assert!(Provider::GitHub.check(&[pattern("repository", "acme/tools"), pattern("ref", "refs/tags/*")]).is_ok());
    for claims in [vec![], vec![pattern("ref", "main")], vec![pattern("repository", "acme/*")]] {
        assert!(Provider::GitHub.check(&claims).is_err(), "{claims:?}");
    }
    assert!(Provider::Buildkite.check(&[pattern("organization_slug", "acme")]).is_err());
    assert!(Provider::Generic.check(&[pattern("sub", "system:ci:*")]).is_ok());
    for sub in ["", "*", "*:ci"] {
        assert!(Provider::Generic.check(&[pattern("sub", sub)]).is_err(), "{sub}");
    }
}

#[test]
fn a_publisher_is_selected_by_every_token_that_it_accepts() {
    let publisher = |provider: Provider, claims: &[(&str, &str)]| TrustedPublisher {
        id: PublisherId::NONE,
        owner_id: SubjectId::NONE,
        name: "ci".to_owned(),
        provider,
        issuer: "https://issuer.example".to_owned(),
        claims: claims.iter().map(|(claim, text)| pattern(claim, text)).collect(),
        resource: Resource::parse("ada").expect("a resource"),
        created: Timestamp::from_millis(0),
    };
    let cases = [
        (publisher(Provider::GitHub, &[("repository", "acme/tools")]), ("repository", "acme/tools")),
        (publisher(Provider::Generic, &[("sub", "ci")]), ("sub", "ci")),
        (publisher(Provider::Generic, &[("sub", "c*")]), ("sub", "ci")),
        (publisher(Provider::Generic, &[("sub", "system:ci:*")]), ("sub", "system:ci:release")),
        (publisher(Provider::Generic, &[("sub", "system:c*:x")]), ("sub", "system:ci:x")),
        (publisher(Provider::Generic, &[("sub", "a/b/*/c")]), ("sub", "a/b//c")),
        (publisher(Provider::Generic, &[("sub", &format!("{}*", "/".repeat(40)))]), ("sub", &"/".repeat(41))),
    ];
    for (publisher, (claim, value)) in cases {
        let value_of = |name: &str| (name == claim).then(|| value.to_owned());
        assert!(publisher.accepts(value_of), "{value}");
        assert!(selectors_of(value_of).contains(&publisher.selector()), "{value}");
        let others = selectors_of(|name| (name == claim).then(|| "another".to_owned()));
        assert!(!others.contains(&publisher.selector()) || publisher.selector() == "generic^\n", "{value}");
    }
}

#[test]
fn a_build_is_read_as_it_was_written() {
    let claims = [("sub".to_owned(), "repo:acme/tools=x".to_owned()), ("ref".to_owned(), "a\nb".to_owned())];
    let build = Build::new("ci", "https://issuer.example", claims);
    assert_eq!(Build::from_text(&build.to_text()), Some(build.clone()));
    assert_eq!(build.claims[1].1, "ab");
    assert_eq!(Build::from_text("ci"), None);
    assert_eq!(Build::from_text("ci\nissuer\nbroken"), None);
}
