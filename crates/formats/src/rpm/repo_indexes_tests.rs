use std::io::Cursor;

use model::{digest::Digest, file_path::FilePath, repo::RepoProfile};
use operations::format::{BuiltForm, Format, PathKind};

use super::{super::samples, *};
use crate::samples::repo;

fn view(path: &str) -> FileView {
    let bytes = samples::rpm(&samples::hello());
    let path = FilePath::parse(path).expect("a path");
    let about = Rpm.inspect(&path, &mut Cursor::new(bytes)).expect("valid").about;
    let (sha256, published) = (Digest::from_bytes([7; 32]), Timestamp::from_millis(5_000));
    let (sha1, md5, sha512) = (String::new(), None, None);
    FileView { path, size_bytes: 9, sha256, sha1, md5, sha512, published, facts: None, about }
}

#[test]
fn the_depth_decides_on_the_streams_of_a_file() {
    let at_depth = |yum_metadata_depth| {
        let repo = Repo { profile: RepoProfile { yum_metadata_depth, ..RepoProfile::default() }, ..repo("rpm") };
        let entries = Rpm.entries(&view("9/x86_64/hello-2.10-3.x86_64.rpm"), &repo);
        entries.into_iter().map(|entry| entry.stream).collect::<Vec<_>>()
    };
    assert_eq!(at_depth(None), ["primary", "filelists", "other"]);
    assert_eq!(at_depth(Some(2)), ["9/x86_64/primary", "9/x86_64/filelists", "9/x86_64/other"]);
    assert!(at_depth(Some(3)).is_empty());
    let text = Rpm.render("9/x86_64/primary", &[view("9/x86_64/hello.rpm")]);
    assert!(String::from_utf8_lossy(&text).contains("<location href=\"hello.rpm\"/>"));
    assert_eq!(Rpm.classify(&FilePath::parse("9/repodata/x").expect("a path")), Ok(PathKind::Reserved));
}

#[test]
fn documents_of_users_are_listed_beside_the_packages() {
    let path = FilePath::parse("modules.yaml").expect("a path");
    let text = b"---\ndocument: modulemd\n";
    let about = Rpm.inspect(&path, &mut Cursor::new(text.to_vec())).expect("valid").about;
    let file = FileView { about, path, ..view("a.rpm") };
    assert_eq!(Rpm.entries(&file, &repo("rpm"))[0].stream, "modules");
    assert_eq!(Rpm.render("modules", std::slice::from_ref(&file)), text);
    let deeper = FileView { path: FilePath::parse("x/modules.yaml").expect("a path"), ..file };
    assert!(Rpm.entries(&deeper, &repo("rpm")).is_empty());
    let form = |digest: &str| BuiltForm { size_bytes: 7, sha256: digest.to_owned() };
    let built =
        |name: &str, entries| BuiltStream { name: name.to_owned(), entries, plain: form("ab"), gzip: Some(form("cd")) };
    let streams = [built("group", 0), built("modules", 1), built("updateinfo", 1), built("primary", 0)];
    let sealed = Rpm.seal(&streams, &repo("rpm"), Timestamp::from_millis(0));
    let paths: Vec<&str> = sealed.files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(
        paths[..4],
        [
            "repodata/cd-primary.xml.gz",
            "repodata/ab-modules.yaml",
            "repodata/cd-updateinfo.xml.gz",
            "repodata/repomd.xml"
        ]
    );
    let SealedContent::Document(text) = &sealed.files[3].content else { panic!("not a document") };
    let text = String::from_utf8_lossy(text);
    assert!(text.contains("<data type=\"modules\"><checksum type=\"sha256\">ab</checksum>"), "{text}");
}

#[test]
fn each_root_has_its_documents() {
    let form = |digest: &str| BuiltForm { size_bytes: 7, sha256: digest.to_owned() };
    let built =
        |name: &str| BuiltStream { name: name.to_owned(), entries: 1, plain: form("0"), gzip: Some(form("ab")) };
    let streams = ["9/other", "9/primary", "9/filelists", "other", "filelists", "primary"].map(built);
    let sealed = Rpm.seal(&streams, &repo("rpm"), Timestamp::from_millis(0));
    let paths: Vec<&str> = sealed.files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(
        paths[..6],
        [
            "repodata/ab-primary.xml.gz",
            "repodata/ab-filelists.xml.gz",
            "repodata/ab-other.xml.gz",
            "repodata/repomd.xml",
            "repodata/repomd.xml.asc",
            "repodata/repomd.xml.key",
        ]
    );
    assert!(paths.contains(&"9/repodata/repomd.xml.asc") && paths.len() == 12);
    let frame = Rpm.frame("9/primary", Timestamp::from_millis(0));
    assert!(frame.before.ends_with(b"packages=\"0\">\n") && frame.after == b"</metadata>\n");
}
