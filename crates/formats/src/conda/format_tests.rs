use std::io::Cursor;

use model::digest::Digest;
use operations::format::BuiltForm;
use serde_json::Value;

use super::{super::samples, *};
use crate::samples::repo;

fn view(path: &str, bytes: Vec<u8>) -> FileView {
    let path = FilePath::parse(path).expect("a path");
    let about = Conda.inspect(&path, &mut Cursor::new(bytes)).expect("valid").about;
    FileView {
        path,
        size_bytes: 9,
        sha256: Digest::from_bytes([7; 32]),
        sha1: String::new(),
        md5: None,
        sha512: None,
        published: Timestamp::from_millis(5_000),
        facts: None,
        about,
    }
}

#[test]
fn the_kind_of_a_file_decides_on_its_stream() {
    let new = view("linux-64/hello-1.0-h123_0.conda", samples::conda(samples::INDEX));
    let old =
        view("linux-64/hello-1.0-h123_0.tar.bz2", samples::tar_bz2(&[("info/index.json", samples::INDEX.as_bytes())]));
    let stream = |file: &FileView| Conda.entries(file, &repo("conda")).remove(0).stream;
    assert_eq!((stream(&new).as_str(), stream(&old).as_str()), ("linux-64/packages.conda", "linux-64/packages"));
    let moved = FileView { path: FilePath::parse("osx-64/hello-1.0-h123_0.conda").expect("a path"), ..new };
    assert!(Conda.entries(&moved, &repo("conda")).is_empty());
    let elsewhere = FilePath::parse("noarch/hello-1.0-h123_0.conda").expect("a path");
    assert!(Conda.inspect(&elsewhere, &mut Cursor::new(samples::conda(samples::INDEX))).is_err());
}

#[test]
fn an_index_has_both_kinds_of_files() {
    let built = |name: &str| {
        let plain = BuiltForm { size_bytes: 0, sha256: String::new() };
        BuiltStream { name: name.to_owned(), entries: 0, plain, gzip: None }
    };
    let streams = ["linux-64/packages.conda", "noarch/packages", "noarch/packages.conda"].map(built);
    let sealed = Conda.seal(&streams, &repo("conda"), Timestamp::from_millis(0));
    let paths: Vec<&str> = sealed.files.iter().map(|file| file.path.as_str()).collect();
    let expected = [
        "linux-64/repodata.json",
        "linux-64/shards/none-none.json",
        "linux-64/repodata.json.zst",
        "noarch/repodata.json",
        "noarch/shards/none-none.json",
        "noarch/repodata.json.zst",
    ];
    assert_eq!(paths, expected);
    assert_eq!(sealed.files[0].streams, ["linux-64/packages", "linux-64/packages.conda"]);
    let SealedContent::Pair(pair) = &sealed.files[0].content else { panic!("not a pair") };
    let records = Conda
        .render("linux-64/packages.conda", &[view("linux-64/hello-1.0-h123_0.conda", samples::conda(samples::INDEX))]);
    let text = [&pair.before[..], &pair.between, &records, &pair.after].concat();
    let index: Value = serde_json::from_slice(&text).expect("JSON");
    assert_eq!(index["packages.conda"]["hello-1.0-h123_0.conda"]["name"], "hello");
}
