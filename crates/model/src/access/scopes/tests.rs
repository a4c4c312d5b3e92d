use super::*;
use crate::access::{AccountRelation, Decision, Visibility, decide, decide_in_repo};

fn of(method: &str, path: &str) -> Scope {
    let segments: Vec<String> = path.split('/').skip(1).map(str::to_owned).collect();
    scope_of_call(method, &segments)
}

#[test]
fn scopes_have_names() {
    for scope in Scope::ALL {
        assert_eq!(Scope::parse(scope.as_str()), Some(scope));
    }
    for bad in ["", "READ", "write", "read "] {
        assert_eq!(Scope::parse(bad), None, "{bad}");
    }
}

#[test]
fn calls_have_their_scopes() {
    use Scope::*;
    for (method, path, scope) in [
        ("GET", "/api/packages/acme/tools/cat", Read),
        ("GET", "/dl/acme/tools/cat.tar", Read),
        ("HEAD", "/v2/acme/img/manifests/1", Read),
        ("POST", "/api/search/attributes/acme/tools", Read),
        ("POST", "/api/packages/acme/tools/cat/stats/total_downloads", Read),
        ("POST", "/api/packages/acme/tools/cat/versions/1/stats/total_downloads", Read),
        ("POST", "/api/usage/acme", Read),
        ("PUT", "/api/content/acme/tools/cat/1/cat.tar", Publish),
        ("PUT", "/api/v1/content/acme/tools/cat/1/cat.tar", Publish),
        ("POST", "/api/content/acme/tools/cat/1/publish", Publish),
        ("PUT", "/api/maven/acme/tools/cat/org/cat.pom", Publish),
        ("PUT", "/dl/acme/npm/cat", Publish),
        ("POST", "/v2/acme/img/blobs/uploads/", Publish),
        ("DELETE", "/v2/acme/img/blobs/uploads/1", Publish),
        ("DELETE", "/v2/acme/img/manifests/1", Manage),
        ("DELETE", "/api/content/acme/tools/cat.tar", Manage),
        ("POST", "/api/packages/acme/tools", Manage),
        ("POST", "/api/repos/acme/stats", Manage),
        ("POST", "/api/packages/acme/stats", Manage),
        ("POST", "/api/packages/acme/tools/stats/attributes", Manage),
        ("PATCH", "/api/repos/acme/tools", Manage),
        ("GET", "/api/webhooks/acme", Manage),
        ("GET", "/api/search/entitlements", Manage),
        ("POST", "/api/users/jane/access_keys", Manage),
        ("POST", "/api/orgs/acme/teams", Admin),
        ("POST", "/api/users/jane/tokens", Admin),
        ("POST", "/api/users/jane/api_key", Admin),
        ("PUT", "/api/subjects/acme/plan", Admin),
        ("POST", "/account", Admin),
    ] {
        assert_eq!(of(method, path), scope, "{method} {path}");
    }
}

#[test]
fn what_changes_things_needs_more_than_to_read() {
    for path in ["/api/repos/acme/tools", "/api/users", "/dl/acme/npm/cat", "/v2/acme/img/manifests/1", "/api", "/"] {
        for method in ["PUT", "POST", "PATCH", "DELETE", "BREW"] {
            assert!(of(method, path) > Scope::Read, "{method} {path}");
        }
    }
}

#[test]
fn a_scope_only_takes_away() {
    for needed in [Right::None, Right::Read, Right::Publish, Right::Own] {
        for owned in [Right::None, Right::Read, Right::Publish, Right::Own] {
            for scope in Scope::ALL {
                let capped = owned.min(scope.highest_right());
                assert!(capped <= owned);
                // A scope that is enough for a right has it.
                assert_eq!(scope >= scope_of_right(needed), scope.highest_right() >= needed || needed == Right::None);
                for visibility in [Visibility::Public, Visibility::Private] {
                    let with_token = decide_in_repo(needed, capped, visibility, true);
                    let with_key = decide_in_repo(needed, owned, visibility, true);
                    let is_more = with_token == Decision::Allowed && with_key != Decision::Allowed;
                    assert!(!is_more, "{needed:?} {owned:?} {scope:?}");
                    // What the owner sees is not hidden from a token of the owner, and the other way round.
                    assert_eq!(with_token == Decision::Hidden, with_key == Decision::Hidden);
                }
            }
        }
    }
}

#[test]
fn reading_needs_the_lowest_scope_and_accounts_need_the_highest() {
    assert_eq!(scope_of_action(Action::SeeProfile), Scope::Read);
    for action in
        [Action::MakeTokens, Action::RevokeTokens, Action::RotateKey, Action::DeleteAccount, Action::Administer]
    {
        assert_eq!(scope_of_action(action), Scope::Admin);
    }
    assert_eq!(decide(Action::MakeTokens, AccountRelation::SiteAdmin), Decision::Denied);
}
