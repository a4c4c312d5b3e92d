//! Zips with entries of every kind, valid and invalid.

use super::{
    file, files,
    make::{Zipped, deflated, stored, zip},
    refusal,
};

const UNIX: u16 = 3 << 8 | 20;

fn refused(entry: Zipped) -> String {
    refusal(&zip(&[entry]))
}

fn named(name: &[u8]) -> Zipped {
    stored("", b"x").with(|entry| (entry.name, entry.local_name) = (name.to_vec(), name.to_vec()))
}

#[test]
fn stored_and_deflated_files_are_read_in_order() {
    let archive = zip(&[stored("b", b"one"), stored("folder/", b""), deflated("folder/a", b"two")]);
    assert_eq!(files(&archive), [file("b", "one"), file("folder/a", "two")]);
}

#[test]
fn names_that_lead_elsewhere_are_refused() {
    for (name, reason) in [
        ("../a", "it has a relative segment"),
        ("a/../../b", "it has a relative segment"),
        ("/etc/passwd", "it has an empty segment"),
        ("a//b", "it has an empty segment"),
        ("a\\b", "it holds a backslash"),
        ("a\0b", "it holds an unprintable character"),
        ("C:/a", "it names a drive"),
        ("c:a", "it names a drive"),
        ("./c:a", "it names a drive"),
        ("././a", "it has a relative segment"),
        ("", "it has an empty segment"),
        ("../", "it has a relative segment"),
        ("/", "it has an empty segment"),
    ] {
        let message = refused(named(name.as_bytes()).with(|entry| {
            entry.packed.clear();
            (entry.crc, entry.packed_bytes, entry.bytes, entry.local_claims) = (0, 0, 0, [0; 3]);
        }));
        assert!(message.ends_with(&format!("has a path that is not allowed: {reason}")), "{name}: {message}");
    }
}

#[test]
fn names_that_are_not_utf_8_are_refused() {
    assert_eq!(refused(named(b"\xff")), "entry `\u{fffd}` has a name that is not UTF-8");
}

#[test]
fn a_leading_dot_folder_means_nothing() {
    assert_eq!(files(&zip(&[stored("./", b""), stored("./a", b"x")])), [file("a", "x")]);
}

#[test]
fn one_path_stands_once() {
    let twice = zip(&[stored("a", b"x"), stored("a", b"y")]);
    assert_eq!(refusal(&twice), "entry `a` is in the archive twice");
    let in_two_ways = zip(&[stored("a", b"x"), stored("./a", b"y")]);
    assert_eq!(refusal(&in_two_ways), "entry `./a` is in the archive twice");
}

#[test]
fn names_that_differ_in_the_local_header_are_refused() {
    let hidden = stored("b", b"y").with(|entry| entry.local_name = b"a".to_vec());
    assert_eq!(refusal(&zip(&[stored("a", b"x"), hidden])), "entry `b` has another name or method in its local header");
}

#[test]
fn names_that_differ_in_an_extra_field_are_refused() {
    let field = [b"up\x06\0".as_slice(), &[1, 0, 0, 0, 0], b"b"].concat();
    let listed = stored("a", b"x").with(|entry| entry.extra = field.clone());
    assert_eq!(refused(listed), "entry `a` has two names");
    let local = stored("a", b"x").with(|entry| entry.local_extra = field.clone());
    assert_eq!(refused(local), "entry `a` has two names");
    let same = stored("b", b"x").with(|entry| (entry.extra, entry.local_extra) = (field.clone(), field));
    assert_eq!(files(&zip(&[same])), [file("b", "x")]);
}

#[test]
fn methods_that_differ_in_the_local_header_are_refused() {
    let entry = stored("a", b"x").with(|entry| entry.local_method = 8);
    assert_eq!(refused(entry), "entry `a` has another name or method in its local header");
}

#[test]
fn links_and_devices_are_refused() {
    let unix =
        |mode: u32| stored("a", b"/etc/passwd").with(|entry| (entry.made_by, entry.attributes) = (UNIX, mode << 16));
    assert_eq!(refused(unix(0o120_777)), "entry `a` is a symbolic link");
    assert_eq!(refused(unix(0o010_644)), "entry `a` is neither a file nor a folder");
    assert_eq!(refused(unix(0o040_755)), "entry `a` is neither a file nor a folder");
    assert_eq!(files(&zip(&[unix(0o100_644)])), [file("a", "/etc/passwd")]);
}

#[test]
fn folders_have_no_content() {
    assert_eq!(refused(stored("a/", b"x")), "entry `a/` is a folder with content");
}

#[test]
fn encrypted_entries_are_refused() {
    let listed = stored("a", b"x").with(|entry| entry.flags = 1);
    assert_eq!(refused(listed), "entry `a` is encrypted");
    let local = stored("a", b"x").with(|entry| entry.local_flags = 1);
    assert_eq!(refused(local), "entry `a` is encrypted");
    let aes = stored("a", b"x").with(|entry| (entry.method, entry.local_method) = (99, 99));
    assert_eq!(refused(aes), "entry `a` is encrypted");
}

#[test]
fn other_methods_are_refused() {
    let bzip2 = stored("a", b"x").with(|entry| (entry.method, entry.local_method) = (12, 12));
    assert_eq!(refused(bzip2), "entry `a` is compressed in a way that is not supported");
}

#[test]
fn wrong_checksums_are_refused() {
    let entry = deflated("a", b"content").with(|entry| (entry.crc, entry.local_claims[0]) = (7, 7));
    assert!(refused(entry).starts_with("entry `a` is damaged: Invalid checksum"));
}

#[test]
fn sizes_that_are_not_true_are_refused() {
    let sized = |bytes| deflated("a", b"content").with(|entry| (entry.bytes, entry.local_claims[2]) = (bytes, bytes));
    assert!(refused(sized(8)).starts_with("entry `a` is damaged: Invalid size"));
    assert!(refused(sized(6)).starts_with("entry `a` is damaged: Invalid size"));
}

#[test]
fn bytes_after_the_compressed_content_are_refused() {
    let entry = deflated("a", b"content").with(|entry| {
        entry.packed.extend(b"hidden");
        (entry.packed_bytes, entry.local_claims[1]) = (entry.packed_bytes + 6, entry.packed_bytes + 6);
    });
    assert_eq!(refused(entry), "entry `a` is damaged: other bytes follow its compressed content");
}

#[test]
fn a_zip_without_files_is_refused() {
    assert_eq!(refusal(&zip(&[])), "the archive holds no files");
    assert_eq!(refusal(&zip(&[stored("a/", b"")])), "the archive holds no files");
}
