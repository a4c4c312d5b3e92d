use proptest::prelude::*;

use super::*;

fn resource(text: &str) -> Resource {
    Resource::parse(text).expect("a resource")
}

#[test]
fn a_resource_has_up_to_three_names() {
    for text in ["acme", "acme/tools", "acme/tools/cat", "acme/tools/c++ ~1"] {
        assert_eq!(resource(text).to_string(), text);
    }
    for bad in ["", "/", "acme/", "/tools", "acme//cat", "acme/tools/cat/1", "acme/tools/", "a b", "acme/../x"] {
        assert_eq!(Resource::parse(bad), None, "{bad}");
    }
}

#[test]
fn a_resource_includes_its_parts() {
    let all = ["acme", "acme/tools", "acme/tools/cat", "acme/tool", "beta"].map(resource);
    let included: Vec<String> = all
        .iter()
        .flat_map(|one| all.iter().filter(|other| one.includes(other)).map(move |other| format!("{one}>{other}")))
        .collect();
    assert_eq!(
        included,
        [
            "acme>acme",
            "acme>acme/tools",
            "acme>acme/tools/cat",
            "acme>acme/tool",
            "acme/tools>acme/tools",
            "acme/tools>acme/tools/cat",
            "acme/tools/cat>acme/tools/cat",
            "acme/tool>acme/tool",
            "beta>beta"
        ]
    );
}

fn terms() -> impl Strategy<Value = TokenTerms> {
    let scope = proptest::sample::subsequence(Scope::ALL.to_vec(), 1..=4);
    let resources = ["a", "a/r", "a/r/p", "a/s", "b"].map(resource).to_vec();
    let resources = proptest::option::of(proptest::sample::subsequence(resources, 0..=3));
    let networks = ["10.0.0.0/8", "10.1.0.0/16", "192.0.2.0/24"].map(|text| text.parse().expect("a network")).to_vec();
    let cidrs = proptest::sample::subsequence(networks, 0..=2);
    (scope, resources, proptest::option::of(1..4_i64), cidrs).prop_map(|(scopes, resources, expiry, cidrs)| {
        TokenTerms { name: "t".into(), scopes, resources, expiry: expiry.map(Timestamp::from_millis), cidrs }
    })
}

/// Whether a token with these terms may use a scope on a resource, at a time, from an address.
fn may(terms: &TokenTerms, scope: Scope, place: &Resource, at: i64, from: &str) -> bool {
    terms.scope() >= scope
        && terms.resources.as_ref().is_none_or(|all| all.iter().any(|one| one.includes(place)))
        && terms.expiry.is_none_or(|expiry| Timestamp::from_millis(at) < expiry)
        && terms.networks().admit(from.parse().expect("an address"))
}

proptest! {
    #[test]
    fn terms_within_others_allow_nothing_more(one in terms(), other in terms()) {
        if one.is_within(&other) {
            for scope in Scope::ALL {
                for place in ["a", "a/r", "a/r/p", "a/r/q", "a/s", "b", "b/x"].map(resource) {
                    for at in 0..4 {
                        for from in ["10.0.0.1", "10.1.0.1", "192.0.2.1", "203.0.113.1"] {
                            prop_assert!(!may(&one, scope, &place, at, from) || may(&other, scope, &place, at, from));
                        }
                    }
                }
            }
        }
        prop_assert!(one.is_within(&one));
    }
}
