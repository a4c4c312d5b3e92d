use model::target::Target;
use operations::format::{NativeRequest, Refusal};

use super::*;

fn values(pattern: &'static str, path: &str) -> Option<Vec<(&'static str, String)>> {
    let target = Target::parse(path, "").expect("well formed");
    fit(pattern, &target.segments, target.is_folder)
}

fn one(name: &'static str, value: &str) -> Option<Vec<(&'static str, String)>> {
    Some(vec![(name, value.to_owned())])
}

#[test]
fn fixed_segments_are_equal_and_as_many() {
    assert_eq!(values("api/v1/crates/new", "/api/v1/crates/new"), Some(vec![]));
    for other in ["/api/v1/crates", "/api/v1/crates/new/x", "/api/v1/crates/old", "/", "/api/v1/crates/new/"] {
        assert_eq!(values("api/v1/crates/new", other), None, "{other}");
    }
}

#[test]
fn the_repository_itself_has_a_slash_or_none() {
    assert_eq!(values("", "/"), Some(vec![]));
    assert_eq!(values("", ""), Some(vec![]));
    assert_eq!(values("", "/a"), None);
}

#[test]
fn a_slash_at_the_end_tells_folders_from_others() {
    assert_eq!(values("simple/{name}/", "/simple/pip/"), one("name", "pip"));
    assert_eq!(values("simple/{name}/", "/simple/pip"), None);
    assert_eq!(values("simple/{name}", "/simple/pip/"), None);
}

#[test]
fn a_name_may_have_a_beginning_and_an_end() {
    assert_eq!(values("v{version}.json", "/v1.0.json"), one("version", "1.0"));
    assert_eq!(values("v{version}.json", "/v.json"), None);
    assert_eq!(values("v{version}.json", "/v1.0.xml"), None);
    assert_eq!(values("{name}", "/a%2Fb"), None, "a name is one segment");
}

#[test]
fn a_scoped_name_comes_in_one_segment_or_in_two() {
    for path in ["/@acme/hello", "/@acme%2fhello", "/@acme%2Fhello", "/%40acme%2fhello"] {
        assert_eq!(values("{@name}", path), one("name", "@acme/hello"), "{path}");
    }
    assert_eq!(values("{@name}", "/hello"), one("name", "hello"));
    assert_eq!(values("{@name}", "/@acme"), None);
    assert_eq!(values("{@name}", "/a/b"), None);
    assert_eq!(values("{@name}", "/a%2Fb"), None);
    assert_eq!(values("{@name}", "/@a%2Fb%2Fc"), None);
    let both = Some(vec![("name", "@acme/hello".to_owned()), ("version", "1.0".to_owned())]);
    assert_eq!(values("{@name}/{version}", "/@acme/hello/1.0"), both);
    assert_eq!(values("{@name}/{version}", "/@acme%2fhello/1.0"), both);
    assert_eq!(values("{@name}/{version}", "/@acme/hello"), None);
    assert_eq!(values("-/package/{@name}/dist-tags", "/-/package/@a%2fb/dist-tags"), one("name", "@a/b"));
}

#[test]
fn many_segments_leave_what_follows() {
    assert_eq!(values("{module*}/@v/list", "/example.com/a/b/@v/list"), one("module", "example.com/a/b"));
    assert_eq!(values("{module*}/@v/list", "/@v/list"), None);
    assert_eq!(values("{path*}", "/a/b"), one("path", "a/b"));
    let both = Some(vec![("a", "x/-".to_owned()), ("b", "y".to_owned())]);
    assert_eq!(values("{a*}/-/{b}", "/x/-/-/y"), both);
}

fn nothing(_: &operations::format::NativeCall<'_>) -> std::result::Result<NativeRequest, Refusal> {
    Err(Refusal::NotFound)
}

static ROUTES: &[NativeRoute] = &[
    NativeRoute { method: NativeMethod::Get, path: "-/ping", request: nothing },
    NativeRoute { method: NativeMethod::Get, path: "-/{name}", request: nothing },
    NativeRoute { method: NativeMethod::Put, path: "{@name}", request: nothing },
    NativeRoute { method: NativeMethod::Delete, path: "{@name}", request: nothing },
];

#[test]
fn the_first_route_counts_and_get_covers_head() {
    let found = |method: Method, path: &str| {
        let target = Target::parse(path, "").expect("well formed");
        find(ROUTES, &method, &target.segments, target.is_folder).map(|(route, _)| route.path)
    };
    assert_eq!(found(Method::GET, "/-/ping"), Some("-/ping"));
    assert_eq!(found(Method::HEAD, "/-/ping"), Some("-/ping"));
    assert_eq!(found(Method::GET, "/-/pong"), Some("-/{name}"));
    assert_eq!(found(Method::PUT, "/a"), Some("{@name}"));
    for method in [Method::POST, Method::PATCH, Method::OPTIONS, Method::GET] {
        assert_eq!(found(method, "/a"), None);
    }
    let allowed: Vec<_> = other_methods(ROUTES, &["a".to_owned()], false).collect();
    assert_eq!(allowed, ["PUT", "DELETE"]);
}
