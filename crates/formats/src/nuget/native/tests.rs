use operations::format::{Format, NativeChange, NativeRequest, PackageView, Question, SentFile};
use serde_json::{Value, json};

use super::{
    super::{indexes::UNLISTED, samples::nupkg},
    *,
};
use crate::native_samples::{mark, package, request, sent_file, version, with_call};

fn sent(contents: &[Vec<u8>]) -> Sent {
    let path = FilePath::parse(UNNAMED).expect("a path");
    let file = |content: &Vec<u8>| {
        let about = Nuget.inspect(&path, &mut std::io::Cursor::new(content)).expect("valid").about;
        SentFile { about, ..sent_file("package", "package.nupkg") }
    };
    Sent { files: contents.iter().map(file).collect(), ..Sent::default() }
}

fn accept(path: &str, sent: &Sent) -> Result<Accepted, Refusal> {
    with_call(&Nuget, NativeMethod::Put, path, "", |call| Nuget.accept(call, sent)).expect("a route")
}

#[test]
fn a_push_is_named_by_its_content() {
    let one = sent(&[nupkg("Acme.Hello", "1.0-RC")]);
    for (route, expected) in [
        ("publish", "flat/acme.hello/1.0.0-rc/acme.hello.1.0.0-rc.nupkg"),
        ("publish/", "flat/acme.hello/1.0.0-rc/acme.hello.1.0.0-rc.nupkg"),
        ("symbols/", "flat/acme.hello/1.0.0-rc/acme.hello.1.0.0-rc.snupkg"),
    ] {
        let Ok(Accepted::Publish(publish)) = accept(route, &one) else { panic!("a publish") };
        assert_eq!((publish.package.as_str(), publish.version.as_str()), ("acme.hello", "1.0.0-rc"));
        assert_eq!(publish.files[0].path.as_str(), expected);
        assert_eq!(publish.profile.labels, ["a", "b"]);
        assert!(matches!(Nuget.repeated(&publish), Some(Refusal::Conflict(_))));
    }
    for bad in [sent(&[]), sent(&[nupkg("a", "1.0"), nupkg("b", "1.0")])] {
        assert!(matches!(accept("publish", &bad), Err(Refusal::Invalid(_))));
    }
}

#[test]
fn versions_are_unlisted_and_listed_again() {
    let change = |method, path: &str| match request(&Nuget, method, path, "") {
        Some(Ok(NativeRequest::Change(mut changes))) => changes.remove(0),
        other => panic!("{other:?}"),
    };
    let NativeChange::Mark { package, mark, versions } = change(NativeMethod::Delete, "publish/Acme.Hello/1.0") else {
        panic!("a mark")
    };
    assert_eq!((package.as_str(), mark), ("acme.hello", UNLISTED));
    assert_eq!(versions.get("1.0.0"), Some(&Some(String::new())));
    let NativeChange::Mark { versions, .. } = change(NativeMethod::Post, "publish/acme.hello/1.0.0-RC") else {
        panic!("a mark")
    };
    assert_eq!(versions.get("1.0.0-rc"), Some(&None));
    assert!(matches!(request(&Nuget, NativeMethod::Delete, "publish/a..b/1.0", ""), Some(Err(Refusal::NotFound))));
    let status = |method, path| with_call(&Nuget, method, path, "", |call| Nuget.done(call).status);
    assert_eq!(status(NativeMethod::Delete, "publish/a/1.0"), Some(204));
    assert_eq!(
        (status(NativeMethod::Post, "publish/a/1.0"), status(NativeMethod::Put, "publish")),
        (Some(200), Some(201))
    );
}

fn hello() -> PackageView {
    let mut hello = package("acme.hello");
    for number in ["1.0.0", "1.1.0", "2.0.0-rc"] {
        let path = format!("flat/acme.hello/{number}/acme.hello.{number}.nupkg");
        hello.versions.push(version(&Nuget, number, &path, &nupkg("Acme.Hello", number)));
    }
    hello.versions[0].marks.push(mark(UNLISTED, ""));
    hello
}

fn answer(path: &str, rows: &Rows) -> Value {
    let answer = with_call(&Nuget, NativeMethod::Get, path, "", |call| Nuget.answer(call, rows));
    serde_json::from_str(&answer.expect("a route").expect("an answer").content.replace('\u{2}', "")).expect("JSON")
}

#[test]
fn searches_leave_unlisted_versions_out() {
    let found = Rows::Found { packages: vec![hello()], total: 1 };
    let result = answer("query?q=hello", &found);
    let data = &result["data"][0];
    assert_eq!(
        (&data["id"], &data["version"], &data["authors"]),
        (&json!("Acme.Hello"), &json!("1.1.0"), &json!("Acme"))
    );
    assert_eq!(data["versions"].as_array().map(Vec::len), Some(1));
    let all = answer("query?q=hello&prerelease=true", &found);
    assert_eq!(all["data"][0]["versions"].as_array().map(Vec::len), Some(2));
    assert_eq!(answer("autocomplete?q=he", &found)["data"], json!(["Acme.Hello"]));
    let package = Rows::Package(Box::new(hello()));
    assert_eq!(answer("autocomplete?id=Acme.Hello", &package)["data"], json!(["1.1.0"]));
    let leaf = answer("registration/acme.hello/1.0.0.json", &package);
    assert_eq!((&leaf["listed"], &leaf["catalogEntry"]["id"]), (&json!(false), &json!("Acme.Hello")));
}

#[test]
fn questions_are_bounded() {
    let get = |path: &str| request(&Nuget, NativeMethod::Get, path, "");
    let asked = get("query?q=packageid:Acme.Hello&take=9999&skip=40");
    let Some(Ok(NativeRequest::Ask(Question::SearchVersions { text, offset, limit }))) = asked else {
        panic!("a search")
    };
    assert_eq!((text.as_str(), offset, limit), ("Acme.Hello", 40, 250));
    let Some(Ok(NativeRequest::Read { path, .. })) = get("registration/Acme.Hello/index.json") else {
        panic!("a file")
    };
    assert_eq!(path.as_str(), "registration/acme.hello/index.json");
    assert!(matches!(get("index.json"), Some(Ok(NativeRequest::Say(_)))));
}
