use operations::format::{Format, NativeMethod, NativeRequest, Question};

use super::{super::samples::gem, *};
use crate::native_samples::{mark, package, request, sent_file, version, with_call};

fn accept(method: NativeMethod, path: &str, sent: &Sent) -> Result<Accepted, Refusal> {
    with_call(&Rubygems, method, path, "", |call| Rubygems.accept(call, sent)).expect("a route")
}

fn pushed(content: &[u8]) -> Sent {
    let path = FilePath::parse(UNNAMED).expect("a path");
    let about = Rubygems.inspect(&path, &mut std::io::Cursor::new(content)).expect("valid").about;
    let file = operations::format::SentFile { about, ..sent_file("", "") };
    Sent { files: vec![file], ..Sent::default() }
}

#[test]
fn a_push_is_named_by_its_content() {
    let sent = pushed(&gem("hello", "1.0.0", "java"));
    let Ok(Accepted::Publish(publish)) = accept(NativeMethod::Post, PUSH, &sent) else { panic!("a publish") };
    assert_eq!((publish.package.as_str(), publish.version.as_str()), ("hello", "1.0.0-java"));
    assert_eq!(publish.files[0].path.as_str(), "gems/hello-1.0.0-java.gem");
    assert_eq!(publish.profile.licenses, ["MIT"]);
    let answer = with_call(&Rubygems, NativeMethod::Post, PUSH, "", |call| Rubygems.published(call, &publish));
    assert_eq!(answer.expect("a route").content, "Successfully registered gem: hello (1.0.0-java)");
    assert!(matches!(accept(NativeMethod::Post, PUSH, &Sent::default()), Err(Refusal::Invalid(_))));
    assert!(matches!(Rubygems.repeated(&publish), Some(Refusal::Conflict(_))));
}

#[test]
fn a_yank_marks_a_version() {
    let yank = |form: &str| {
        accept(NativeMethod::Delete, "api/v1/gems/yank", &Sent { document: form.into(), ..Sent::default() })
    };
    let Ok(Accepted::Changes(changes)) = yank("gem_name=hello&version=1.0.0&platform=java") else { panic!("a change") };
    let NativeChange::Mark { package, mark, versions } = &changes[0] else { panic!("a mark") };
    assert_eq!((package.as_str(), *mark), ("hello", YANKED));
    assert_eq!(versions.keys().collect::<Vec<_>>(), ["1.0.0-java"]);
    let answer =
        with_call(&Rubygems, NativeMethod::Delete, "api/v1/gems/yank", "", |call| Rubygems.changed(call, &changes));
    assert_eq!(answer.expect("a route").content, "Successfully deleted gem: hello (1.0.0-java)");
    for bad in ["", "gem_name=hello", "gem_name=..&version=1", "gem_name=hello&version=1&platform=..%2Fx"] {
        assert!(matches!(yank(bad), Err(Refusal::Invalid(_))), "{bad}");
    }
}

#[test]
fn documents_leave_yanked_versions_out() {
    let mut hello = package("hello");
    for number in ["1.0.0", "1.1.0", "2.0.0.rc1"] {
        let path = format!("gems/hello-{number}.gem");
        hello.versions.push(version(&Rubygems, number, &path, &gem("hello", number, "ruby")));
    }
    hello.versions[1].marks.push(mark(YANKED, ""));
    let rows = Rows::Package(Box::new(hello));
    let answer = |path: &str| {
        let answer = with_call(&Rubygems, NativeMethod::Get, path, "", |call| Rubygems.answer(call, &rows));
        serde_json::from_str::<Value>(&answer.expect("a route").expect("an answer").content).expect("JSON")
    };
    assert_eq!(answer("api/v1/gems/hello.json")["version"], "1.0.0");
    let versions = answer("api/v1/versions/hello.json");
    assert_eq!((&versions[0]["number"], &versions[1]["number"]), (&json!("2.0.0.rc1"), &json!("1.0.0")));
    assert_eq!(versions[2], Value::Null);
}

#[test]
fn requests_have_their_meaning() {
    let get = |path: &str| request(&Rubygems, NativeMethod::Get, path, "");
    assert!(matches!(get("api/v1/api_key"), Some(Ok(NativeRequest::SignInByHeader))));
    assert!(matches!(get("api/v1/gems/..json"), Some(Err(Refusal::NotFound))));
    let search = get("api/v1/search.json?query=he&page=2");
    let Some(Ok(NativeRequest::Ask(Question::Search { text, offset, .. }))) = search else { panic!("a search") };
    assert_eq!((text.as_str(), offset), ("he", 30));
    let token = |name: &str| {
        let answer = |call: &NativeCall<'_>| Rubygems.signed_in(call, name, "key").expect("an answer").content;
        with_call(&Rubygems, NativeMethod::Get, "api/v1/api_key", "", answer).expect("a route")
    };
    assert_eq!((token("ada").as_str(), token("id@ada").as_str()), ("key", "aWRAYWRhOmtleQ=="));
}
