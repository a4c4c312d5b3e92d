//! RubyGems: what gem and Bundler depend on beyond their commands.

use base64::{Engine, prelude::BASE64_STANDARD};
use flate2::{Compression, read::GzDecoder, write::GzEncoder};
use md5::{Digest, Md5};
use serde_json::json;
use std::io::{Read, Write};
use suite::{Answer, Person, TestHouse};

use crate::indexes::repo_of;

/// A gem with these lines in its specification.
fn gem_of(metadata: &str) -> Vec<u8> {
    tar_of_metadata(&[metadata])
}

/// A gem with these specifications.
fn tar_of_metadata(metadata: &[&str]) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    let mut append = |path: &str, content: &[u8]| {
        let mut header = tar::Header::new_ustar();
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        archive.append_data(&mut header, path, content).expect("memory takes everything");
    };
    for text in metadata {
        let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
        packed.write_all(text.as_bytes()).expect("memory takes everything");
        append("metadata.gz", &packed.finish().expect("memory takes everything"));
    }
    append("data.tar.gz", b"");
    archive.into_inner().expect("memory takes everything")
}

pub(crate) fn gem(name: &str, version: &str) -> Vec<u8> {
    gem_of(&format!(
        "--- !ruby/object:Gem::Specification\nname: {name}\nversion: !ruby/object:Gem::Version\n  version: {version}\n\
         platform: ruby\nauthors:\n- Acme\ndependencies: []\nsummary: hello\nrubygems_version: 3.3.15\n"
    ))
}

async fn push(house: &TestHouse, key: &str, gem: Vec<u8>) -> Answer {
    house.anyone().post("//dl/ada/repo/api/v1/gems").header("authorization", key).body(gem).await
}

async fn text(who: &Person, path: &str) -> String {
    who.download(&format!("/ada/repo/{path}")).await.expect(200).text()
}

#[tokio::test]
async fn the_compact_index_agrees_with_itself() {
    let (house, ada) = repo_of("rubygems").await;
    let anyone = house.anyone();
    for (name, version) in [("hello", "1.0.0"), ("other", "2.0"), ("hello", "1.1.0")] {
        push(&house, ada.key(), gem(name, version)).await.expect(200);
        for name in text(&anyone, "names").await.lines().skip(1) {
            let info = anyone.download(&format!("/ada/repo/info/{name}")).await.expect(200);
            let md5: String = Md5::digest(&info.body).iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(info.header("etag"), format!("\"{md5}\""));
            let versions = text(&anyone, "versions").await;
            let line = versions.lines().rfind(|line| line.starts_with(&format!("{name} "))).expect("a line");
            assert!(line.ends_with(&md5), "{line}");
        }
    }
    assert_eq!(text(&anyone, "names").await, "---\nhello\nother\n");
    let versions = anyone.download("/ada/repo/versions").await.expect(200);
    let sha256 = BASE64_STANDARD.encode(<sha2::Sha256 as sha2::Digest>::digest(&versions.body));
    assert_eq!(versions.header("repr-digest"), format!("sha-256=:{sha256}:"));
    let lines: Vec<String> = versions.text().lines().skip(2).map(|line| line.replace(' ', "\t")).collect();
    let starts = ["hello\t1.0.0\t", "other\t2.0\t", "hello\t1.1.0\t"];
    assert!(lines.len() == 3 && lines.iter().zip(starts).all(|(line, start)| line.starts_with(start)), "{lines:?}");
}

#[tokio::test]
async fn bundler_asks_for_what_was_added() {
    let (house, ada) = repo_of("rubygems").await;
    push(&house, ada.key(), gem("hello", "1.0.0")).await.expect(200);
    let anyone = house.anyone();
    let before = anyone.download("/ada/repo/versions").await.expect(200);
    let tag = before.header("etag").to_owned();
    let range = format!("bytes={}-", before.body.len() - 1);
    let ask = || anyone.download("/ada/repo/versions").header("if-none-match", &tag).header("range", &range);
    ask().await.expect(304);
    // A new gem, a new version of a known one, and one that is yanked: all of them only add.
    for change in ["other 1.0.0", "hello 1.1.0", "hello -1.0.0", "other 2.0", "hello 1.0.0"] {
        let (name, version) = change.split_once(' ').expect("two words");
        match (version.strip_prefix('-'), change) {
            (Some(yanked), _) => mark_yanked(&ada, name, yanked, true).await,
            (None, "hello 1.0.0") => mark_yanked(&ada, name, version, false).await,
            (None, _) => drop(push(&house, ada.key(), gem(name, version)).await.expect(200)),
        }
        let added = ask().await.expect(206);
        let whole = [&before.body[..before.body.len() - 1], &added.body[..]].concat();
        let last = String::from_utf8_lossy(&whole).lines().last().expect("a line").to_owned();
        assert!(last.starts_with(&format!("{change} ")), "{last}");
        let md5: String = Md5::digest(&whole).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(added.header("etag"), format!("\"{md5}\""), "what was there stays as it is");
    }
    let now = anyone.download("/ada/repo/versions").await.expect(200);
    let packed = anyone.download("/ada/repo/specs.4.8.gz").await.expect(200);
    let mut list = Vec::new();
    GzDecoder::new(packed.body.as_slice()).read_to_end(&mut list).expect("one member");
    assert!(list.starts_with(b"\x04\x08[\x09"), "four versions: {list:?}");
    let beyond = format!("bytes={}-", now.body.len());
    anyone.download("/ada/repo/versions").header("range", &beyond).await.expect(416);
}

#[tokio::test]
async fn a_yanked_version_leaves_all_indexes_and_its_file_stays() {
    let (house, ada) = repo_of("rubygems").await;
    for version in ["1.0.0", "1.1.0"] {
        push(&house, ada.key(), gem("hello", version)).await.expect(200);
    }
    let yank = |form: &'static str| {
        let call = house.anyone().delete("//dl/ada/repo/api/v1/gems/yank").header("authorization", ada.key());
        call.header("content-type", "application/x-www-form-urlencoded").body(form)
    };
    let answer = yank("gem_name=hello&version=1.1.0").await.expect(200).text();
    assert_eq!(answer, "Successfully deleted gem: hello (1.1.0)");
    let anyone = house.anyone();
    assert!(text(&anyone, "versions").await.contains("\nhello -1.1.0 "));
    assert!(!text(&anyone, "info/hello").await.contains("1.1.0"));
    anyone.download("/ada/repo/gems/hello-1.1.0.gem").await.expect(200);
    yank("gem_name=hello&version=9").await.expect(404);
    yank("gem_name=hello").await.expect(400);
    ada.patch("/packages/ada/repo/hello/versions/1.1.0").json(json!({"yanked": false})).await.expect(200);
    let versions = text(&anyone, "versions").await;
    assert!(versions.lines().last().expect("a line").starts_with("hello 1.1.0 "), "{versions}");
    ada.delete("/packages/ada/repo/hello/versions/1.1.0").await.expect(200);
    assert!(text(&anyone, "versions").await.lines().last().expect("a line").starts_with("hello -1.1.0 "));
    // A rebuild finds nothing that the log does not say.
    let before = text(&anyone, "versions").await;
    ada.post("/calc_metadata/ada/repo").await.expect(202);
    assert_eq!(text(&anyone, "versions").await, before);
}

async fn mark_yanked(who: &Person, name: &str, version: &str, is_yanked: bool) {
    let path = format!("/packages/ada/repo/{name}/versions/{version}");
    who.patch(&path).json(json!({"yanked": is_yanked})).await.expect(200);
}

#[tokio::test]
async fn lists_and_quick_specifications_are_ruby_data() {
    let (house, ada) = repo_of("rubygems").await;
    push(&house, ada.key(), gem("hello", "1.0.0")).await.expect(200);
    let anyone = house.anyone();
    let packed = anyone.download("/ada/repo/specs.4.8.gz").await.expect(200);
    let mut list = Vec::new();
    GzDecoder::new(packed.body.as_slice()).read_to_end(&mut list).expect("one member");
    assert!(list.starts_with(b"\x04\x08[\x06[\x08I\"\x0ahello"), "{list:?}");
    let empty = anyone.download("/ada/repo/prerelease_specs.4.8.gz").await.expect(200);
    let mut list = Vec::new();
    GzDecoder::new(empty.body.as_slice()).read_to_end(&mut list).expect("one member");
    assert_eq!(list, b"\x04\x08[\x00");
    let quick = anyone.download("/ada/repo/quick/Marshal.4.8/hello-1.0.0.gemspec.rz").await.expect(200);
    assert_eq!((quick.header("content-type"), quick.body[0]), ("application/octet-stream", 0x78));
    anyone.download("/ada/repo/quick/Marshal.4.8/hello-9.gemspec.rz").await.expect(404);
}

#[tokio::test]
async fn hostile_gems_are_refused() {
    let (house, ada) = repo_of("rubygems").await;
    for (what, metadata) in [
        ("another object", "--- !ruby/object:Gem::Installer\ni: x\n"),
        ("no name", "--- !ruby/object:Gem::Specification\nversion: 1\n"),
        ("a forged version", "--- !ruby/object:Gem::Specification\nname: a\nversion: \"1|2\"\n"),
        ("a forged platform", "--- !ruby/object:Gem::Specification\nname: a\nversion: 1\nplatform: ../x\n"),
    ] {
        let refused = push(&house, ada.key(), gem_of(metadata)).await;
        assert_eq!(refused.status, 400, "{what}: {}", refused.text());
    }
    push(&house, ada.key(), b"no gem".to_vec()).await.expect(400);
    push(&house, ada.key(), gem("versions", "1.0")).await.expect(200);
    assert!(text(&house.anyone(), "versions").await.contains("\nversions 1.0 "));
    ada.post("/packages/ada/repo").json(json!({"name": "other"})).await.expect(201);
    let path = "/content/ada/repo/other/1.0/gems/hello-1.0.gem?publish=1";
    ada.put(path).body(gem("hello", "1.0")).await.expect(400);
    house.anyone().post("//dl/ada/repo/api/v1/gems").body(gem("a", "1")).await.expect(401);
}

#[tokio::test]
async fn forged_specifications_are_refused_and_leave_nothing() {
    let (house, ada) = repo_of("rubygems").await;
    let specification = |more: &str| {
        format!(
            "--- !ruby/object:Gem::Specification\nname: a\nversion: !ruby/object:Gem::Version\n  version: 1.0\n{more}"
        )
    };
    let dependency = |version: &str| {
        specification(&format!(
            "dependencies:\n- !ruby/object:Gem::Dependency\n  name: b\n  requirement: !ruby/object:Gem::Requirement\n    \
             requirements:\n    - - \">=\"\n      - !ruby/object:Gem::Version\n        version: \"{version}\"\n  \
             type: :runtime\n"
        ))
    };
    push(&house, ada.key(), gem_of(&dependency("1.0").replace("name: a", "name: good"))).await.expect(200);
    for (what, metadata) in [
        ("a name of a megabyte", specification("").replace("name: a", &format!("name: {}", "a".repeat(1 << 20)))),
        ("a version of two lines", specification("").replace("version: 1.0", "version: \"1.0\\n2.0\"")),
        ("a requirement of two lines", dependency("1.0\\n2.0 |checksum:00")),
        ("a requirement that forges a gem", dependency("1.0,evil:>= 0")),
        ("a requirement that forges a second one", dependency("1.0&< 2")),
        ("a requirement that forges a checksum", dependency("1.0|checksum:00")),
        ("a bomb", specification(&"# x\n".repeat(1 << 20))),
    ] {
        let refused = push(&house, ada.key(), gem_of(&metadata)).await;
        assert_eq!(refused.status, 400, "{what}: {}", refused.text());
    }
    push(&house, ada.key(), tar_of_metadata(&[&specification(""), &specification("")])).await.expect(400);
    ada.get("/packages/ada/repo/a").await.expect(404);
    assert_eq!(text(&house.anyone(), "names").await, "---\ngood\n");
}

#[tokio::test]
async fn a_key_is_answered_to_its_owner() {
    let (house, ada) = repo_of("rubygems").await;
    assert_eq!(ada.get("//dl/ada/repo/api/v1/api_key").await.expect(200).text(), ada.key());
    assert_eq!(ada.post("//dl/ada/repo/api/v1/api_key").body("name=x").await.expect(200).text(), ada.key());
    house.anyone().get("//dl/ada/repo/api/v1/api_key").await.expect(401);
}

#[tokio::test]
async fn a_key_for_one_gem_sees_no_other() {
    let (house, ada) = repo_of("rubygems").await;
    for name in ["hello", "other"] {
        push(&house, ada.key(), gem(name, "1.0.0")).await.expect(200);
    }
    ada.patch("/repos/ada/repo").json(json!({"private": true})).await.expect(200);
    let key = house.key(&ada, "client", json!({})).await;
    let terms = json!({"access": "r", "access_keys": ["client"]});
    ada.post("/packages/ada/repo/hello/entitlements").json(terms).await.expect(201);
    assert_eq!(text(&key, "names").await, "---\nhello\n");
    assert!(text(&key, "info/hello").await.contains("1.0.0"));
    for path in ["info/other", "gems/other-1.0.0.gem", "quick/Marshal.4.8/other-1.0.0.gemspec.rz"] {
        let hidden = key.download(&format!("/ada/repo/{path}")).await.expect(404).text();
        let missing = key.download(&format!("/ada/repo/{}", path.replace("other", "nothi"))).await.expect(404).text();
        assert_eq!(hidden.replace("other", "nothi"), missing);
    }
    let seen = text(&key, "versions").await;
    assert!(seen.contains("\nhello 1.0.0 ") && !seen.contains("other"), "{seen}");
    house.anyone().download("/ada/repo/versions").await.expect(401);
}
