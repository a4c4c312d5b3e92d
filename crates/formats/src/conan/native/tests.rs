use model::{file_path::FilePath, timestamp::Timestamp};
use operations::format::{FileView, NativeChange, NativeMethod, NativeRequest, Question};
use serde_json::{Value, json};

use super::*;
use crate::native_samples::{file, package, request, version_with, with_call};

const OLD: &str = "0123456789abcdef0123456789abcdef";
const NEW: &str = "fedcba9876543210fedcba9876543210";
const ID: &str = "da39a3ee5e6b4b0d3255bfef95601890afd80709";

fn recipe(rest: &str) -> String {
    format!("v2/conans/hello/1.0/_/_{rest}")
}

fn view(path: &str, seconds: i64, about: Option<&str>) -> FileView {
    let path = FilePath::parse(path).expect("a path");
    let published = Timestamp::from_millis(seconds * 1_000);
    FileView { published, ..file(&path, None, about.map(|text| text.as_bytes().to_vec())) }
}

/// Two complete revisions of the recipe, one binary package, and a revision without a manifest.
fn rows() -> Rows {
    let (old, new) = (format!("hello/1.0/_/_/{OLD}"), format!("hello/1.0/_/_/{NEW}"));
    let mut hello = package("hello");
    let mut version = version_with("1.0", view(&format!("{old}/export/conanmanifest.txt"), 1, None));
    version.files.push(view(&format!("{old}/export/conanfile.py"), 1, None));
    version.files.push(view(&format!("{new}/export/conanmanifest.txt"), 2, None));
    version.files.push(view(&format!("{new}/export/conanfile.py"), 2, None));
    version.files.push(view(&format!("{new}/package/{ID}/{OLD}/conanmanifest.txt"), 3, None));
    version.files.push(view(&format!("{new}/package/{ID}/{OLD}/conaninfo.txt"), 3, Some("[settings]\nos=Linux\n")));
    version.files.push(view(&format!("{new}/package/{ID}/{NEW}/conaninfo.txt"), 4, Some("half")));
    version.files.push(view(&format!("hello/1.0/_/_/{}/export/conanfile.py", "a".repeat(32)), 9, None));
    hello.versions.push(version);
    Rows::Package(Box::new(hello))
}

fn answer(rest: &str) -> Option<Value> {
    let answer = with_call(&Conan, NativeMethod::Get, &recipe(rest), "", |call| Conan.answer(call, &rows()));
    answer.expect("a route").map(|answer| serde_json::from_str(&answer.content).expect("JSON"))
}

#[test]
fn complete_revisions_are_listed() {
    assert_eq!(answer("/latest").expect("one")["revision"], NEW);
    let revisions = answer("/revisions").expect("two");
    assert_eq!(revisions["reference"], "hello/1.0");
    assert_eq!(revisions["revisions"].as_array().map(Vec::len), Some(2));
    let files = answer(&format!("/revisions/{OLD}/files")).expect("files");
    assert_eq!(files, json!({ "files": { "conanfile.py": {}, "conanmanifest.txt": {} } }));
    assert_eq!(answer(&format!("/revisions/{}/files", "a".repeat(32))), None);
}

#[test]
fn binary_packages_are_described_by_their_newest_complete_revision() {
    let packages = json!({ ID: { "content": "[settings]\nos=Linux\n" } });
    assert_eq!(answer("/search"), Some(packages.clone()));
    assert_eq!(answer(&format!("/revisions/{NEW}/search")), Some(packages));
    assert_eq!(answer(&format!("/revisions/{OLD}/search")), Some(json!({})));
    let below = format!("/revisions/{NEW}/packages/{ID}");
    assert_eq!(answer(&format!("{below}/latest")).expect("one")["revision"], OLD);
    let revisions = answer(&format!("{below}/revisions")).expect("one");
    assert_eq!(revisions["reference"], format!("hello/1.0#{NEW}:{ID}"));
    assert!(answer(&format!("{below}/revisions/{OLD}/files")).is_some());
    assert_eq!(answer(&format!("{below}/revisions/{NEW}/files")), None);
    assert_eq!(answer(&format!("/revisions/{OLD}/packages/{ID}/latest")), None);
}

#[test]
fn a_file_is_staged_until_the_manifest_comes() {
    let accept = |rest: &str| {
        let accepted =
            with_call(&Conan, NativeMethod::Put, &recipe(rest), "", |call| Conan.accept(call, &Sent::default()));
        match accepted {
            Some(Ok(Accepted::Publish(publish))) => *publish,
            other => panic!("{other:?}"),
        }
    };
    let first = accept(&format!("/revisions/{OLD}/files/conanfile.py"));
    assert_eq!(first.files[0].path.as_str(), format!("hello/1.0/_/_/{OLD}/export/conanfile.py"));
    let url = recipe(&format!("/revisions/{OLD}/files/conanfile.py"));
    let is_staged = with_call(&Conan, NativeMethod::Put, &url, "", |call| Conan.stages(call, &first));
    assert!(is_staged == Some(true) && !Conan.completes(&first));
    let last = accept(&format!("/revisions/{OLD}/packages/{ID}/revisions/{NEW}/files/conanmanifest.txt"));
    assert!(Conan.completes(&last));
    let put = |rest: &str| request(&Conan, NativeMethod::Put, &recipe(rest), "");
    for bad in ["conanfile.sh", "x", "conan_..tgz"] {
        assert!(matches!(put(&format!("/revisions/{OLD}/files/{bad}")), Some(Err(Refusal::Invalid(_)))), "{bad}");
    }
    assert!(matches!(put("/revisions/../files/conanfile.py"), Some(Err(Refusal::Invalid(_)))));
    let id = format!("/revisions/{OLD}/packages/a/revisions/{OLD}/files/conaninfo.txt");
    assert!(matches!(put(&id), Some(Err(Refusal::Invalid(_)))));
    assert_eq!(put(&format!("/revisions/{OLD}/files/a/b")).map(|found| found.is_ok()), None);
}

#[test]
fn deletions_are_of_folders() {
    let folder = |rest: &str| match request(&Conan, NativeMethod::Delete, &recipe(rest), "") {
        Some(Ok(NativeRequest::Change(changes))) => match &changes[0] {
            NativeChange::DeleteFolder { folder, .. } => folder.clone(),
            NativeChange::DeleteVersion { version, .. } => version.to_string(),
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    };
    let start = format!("hello/1.0/_/_/{OLD}/");
    assert_eq!(folder(""), "1.0");
    assert_eq!(folder(&format!("/revisions/{OLD}")), start);
    assert_eq!(folder(&format!("/revisions/{OLD}/packages")), format!("{start}package/"));
    assert_eq!(folder(&format!("/revisions/{OLD}/packages/{ID}")), format!("{start}package/{ID}/"));
    let last = format!("/revisions/{OLD}/packages/{ID}/revisions/{NEW}");
    assert_eq!(folder(&last), format!("{start}package/{ID}/{NEW}/"));
}

#[test]
fn recipes_are_found_by_pattern() {
    let name = |q: &str| match request(&Conan, NativeMethod::Get, &format!("v2/conans/search?q={q}"), "") {
        Some(Ok(NativeRequest::Ask(Question::Versions(name)))) => name.map(|name| name.to_string()),
        other => panic!("{other:?}"),
    };
    assert_eq!((name("hello/*").as_deref(), name("hel*"), name("hel*/1")), (Some("hello"), None, None));
    let pair = |one: &str, two: &str| (one.to_owned(), two.to_owned());
    let rows = Rows::Versions(vec![pair("hello", "1.0"), pair("hello", "1.0@acme:stable"), pair("zlib", "1.3")]);
    let found = with_call(&Conan, NativeMethod::Get, "v2/conans/search?q=hel*", "", |call| Conan.answer(call, &rows));
    let found = found.expect("a route").expect("an answer").content;
    assert_eq!(found, r#"{"results":["hello/1.0","hello/1.0@acme/stable"]}"#);
}

#[test]
fn callers_sign_in_for_a_token() {
    let url = "v2/users/authenticate";
    let token = with_call(&Conan, NativeMethod::Get, url, "", |call| Conan.token_issued(call, "text.mac"));
    assert_eq!(token.flatten().expect("a token").content, "text.mac");
    let get = |path: &str| request(&Conan, NativeMethod::Get, path, "");
    assert!(matches!(get("v2/users/authenticate"), Some(Ok(NativeRequest::IssueToken))));
    let Some(Ok(NativeRequest::Say(answer))) = get("v2/users/check_credentials") else { panic!("an answer") };
    assert_eq!(answer.content, "ada");
    assert!(matches!(get("v1/ping"), Some(Ok(NativeRequest::Say(_)))));
}
