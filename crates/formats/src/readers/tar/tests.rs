//! Tests of `tar`.

use std::io::Cursor;

use ::tar::EntryType;
use proptest::prelude::*;

use super::{
    super::samples::{gzip, tar_gz, tar_gz_with},
    *,
};

fn look(bytes: Vec<u8>, limits: &Limits) -> Result<TarScan, String> {
    scan(&mut Cursor::new(bytes), limits, &|path| match path {
        "present" => Interest::Presence,
        path if path.eq_ignore_ascii_case("wanted") => Interest::Content,
        _ => Interest::Nothing,
    })
}

fn refusal(bytes: Vec<u8>) -> String {
    look(bytes, &Limits::default()).expect_err("a refusal")
}

#[test]
fn wanted_files_are_kept_and_all_are_counted() {
    let files: &[(&str, &[u8])] =
        &[("top/a", b"12345"), ("./top//./wanted", b"content"), ("top/x/wanted", b""), ("top/present", b"")];
    let mut scan = look(tar_gz(files), &Limits::default()).expect("valid");
    assert_eq!((scan.top.as_str(), scan.file_count, scan.unpacked_bytes), ("top", 4, 12));
    assert_eq!(scan.present, ["present"]);
    assert_eq!(scan.take("wanted"), Some(b"content".to_vec()));
    assert_eq!(scan.take("wanted"), None);
}

#[test]
fn a_wanted_file_is_plain_and_stands_once() {
    let file: (&str, &[u8]) = ("top/wanted", b"1");
    assert_eq!(refusal(tar_gz(&[file, file])), "entry `top/wanted` appears in the archive twice");
    assert_eq!(refusal(tar_gz(&[file, ("top/./WANTED", b"2")])), "entry `top/./WANTED` appears in the archive twice");
    for (entry_type, reason) in [
        (EntryType::Symlink, "is a symbolic link"),
        (EntryType::Link, "is a hard link"),
        (EntryType::Directory, "is a folder"),
        (EntryType::Char, "is a device"),
    ] {
        let bytes = tar_gz_with(&[], "top/wanted", entry_type);
        assert!(refusal(bytes).ends_with(reason), "{reason}");
        assert!(look(tar_gz_with(&[file], "top/other", entry_type), &Limits::default()).is_ok(), "{reason}");
    }
}

#[test]
fn all_entries_share_a_top_folder() {
    let refused = refusal(tar_gz(&[("a/b", b""), ("c/d", b"")]));
    assert_eq!(refused, "entry `c/d` is not in the same top folder as the others");
    assert_eq!(refusal(gzip(&[0; 1024])), "the archive holds no files");
    for name in ["/a/b", "a/../b", "../a"] {
        assert_eq!(refusal(tar_gz(&[(name, b"")])), format!("entry `{name}` has a path that is not allowed"));
    }
}

#[test]
fn large_members_and_many_entries_are_refused() {
    let tight = Limits { entries: 2, member_bytes: 4, ..Limits::default() };
    let refused = |files: &[(&str, &[u8])]| look(tar_gz(files), &tight).expect_err("a refusal");
    assert_eq!(refused(&[("t/wanted", b"12345")]), "entry `t/wanted` is larger than 4 bytes");
    assert_eq!(refused(&[("t/a", b""), ("t/b", b""), ("t/c", b"")]), "the archive holds more than 2 entries");
    assert!(look(tar_gz(&[("t/a", b"12345")]), &tight).is_ok());
}

#[test]
fn other_content_is_refused() {
    assert_eq!(refusal(b"PK".to_vec()), "it is not a gzip file");
    assert!(refusal(gzip(b"no tar")).contains("it is not a"), "{}", refusal(gzip(b"no tar")));
}

proptest! {
    #[test]
    fn damaged_archives_have_a_reason(position in 0_usize..200, byte: u8) {
        let mut bytes = tar_gz(&[("top/wanted", b"some content"), ("top/b", b"more")]);
        let position = position % bytes.len();
        bytes[position] = byte;
        let _ = look(bytes, &Limits::default());
    }
}
