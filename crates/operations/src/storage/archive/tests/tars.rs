//! Tars with entries of every kind, valid and invalid.

use super::{
    file, files,
    make::{gzip, tape, tar, tar_block, tar_entry, zstd},
    refusal,
};

/// Builds a pax header with these raw records.
fn pax(records: &[u8]) -> Vec<u8> {
    tar_entry(b"pax", b'x', records)
}

fn plain(name: &[u8]) -> Vec<u8> {
    tar_entry(name, b'0', b"x")
}

#[test]
fn files_of_all_old_and_new_types_are_read() {
    let archive = tape(&[tar_entry(b"a", b'0', b"x"), tar_entry(b"b", 0, b"y"), tar_entry(b"c", b'7', b"")]);
    assert_eq!(files(&archive), [file("a", "x"), file("b", "y"), file("c", "")]);
}

#[test]
fn folders_are_skipped() {
    let folders = [tar_entry(b"./", b'5', b""), tar_entry(b"a", b'5', b""), tar_entry(b"b/", 0, b"")].concat();
    assert_eq!(files(&tape(&[folders, plain(b"./a/b")])), [file("a/b", "x")]);
}

#[test]
fn folders_have_no_content() {
    assert_eq!(refusal(&tape(&[tar_entry(b"a", b'5', b"x")])), "entry `a/` is a folder with content");
    assert_eq!(refusal(&tape(&[tar_entry(b"a/", b'0', b"x")])), "entry `a/` is a folder with content");
}

#[test]
fn names_that_lead_elsewhere_are_refused() {
    let message = "entry `../a` has a path that is not allowed: it has a relative segment";
    assert_eq!(refusal(&tape(&[plain(b"../a")])), message);
    assert_eq!(refusal(&tape(&[tar_entry(b"././@LongLink", b'L', b"../a\0"), plain(b"a")])), message);
    assert_eq!(refusal(&tape(&[pax(b"13 path=../a\n"), plain(b"a")])), message);
}

#[test]
fn names_with_a_zero_inside_are_refused() {
    let long_name = tar_entry(b"././@LongLink", b'L', b"a\0b\0");
    let message = "entry `a\\0b` has a path that is not allowed: it holds an unprintable character";
    assert_eq!(refusal(&tape(&[long_name, plain(b"a")])), message);
}

#[test]
fn names_that_are_not_utf_8_are_refused() {
    assert_eq!(refusal(&tape(&[plain(b"\xfc")])), "entry `\u{fffd}` has a name that is not UTF-8");
}

#[test]
fn one_path_stands_once() {
    let archive = tape(&[plain(b"a"), plain(b"./a")]);
    assert_eq!(refusal(&archive), "entry `./a` is in the archive twice");
}

#[test]
fn links_devices_and_oddities_are_refused() {
    for (entry_type, reason) in [
        (b'1', "is a hard link"),
        (b'2', "is a symbolic link"),
        (b'3', "is a device"),
        (b'4', "is a device"),
        (b'6', "is a named pipe"),
        (b'S', "is a sparse file"),
        (b'M', "is neither a file nor a folder"),
    ] {
        assert_eq!(refusal(&tape(&[tar_entry(b"a", entry_type, b"")])), format!("entry `a` {reason}"));
    }
}

#[test]
fn sparse_files_of_pax_are_refused() {
    let archive = tape(&[pax(b"22 GNU.sparse.major=1\n"), plain(b"a")]);
    assert_eq!(refusal(&archive), "entry `a` is a sparse file");
}

#[test]
fn pax_sizes_that_contradict_the_header_are_refused() {
    let mut header = tar::Header::new_gnu();
    header.set_path("a").expect("short");
    header.set_size(0);
    let content = [&b"pax says more"[..], &[0; 499]].concat();
    let archive = tape(&[pax(b"11 size=13\n"), tar_block(header, b""), content, plain(b"b")]);
    assert_eq!(refusal(&archive), "entry `a` has another size in its pax header than in its own");
    assert_eq!(refusal(&tape(&[pax(b"10 size=0\n"), plain(b"a")])), refusal(&archive));
}

#[test]
fn pax_sizes_are_of_the_file_and_not_of_headers_between() {
    let long_name = tar_entry(b"././@LongLink", b'L', b"long\0");
    let archive = tape(&[pax(b"10 size=1\n"), long_name, plain(b"a"), plain(b"b")]);
    assert_eq!(files(&archive), [file("long", "x"), file("b", "x")]);
}

#[test]
fn pax_records_inside_of_values_are_not_records() {
    let archive = tape(&[pax(b"33 comment=line\n13 path=evil\nend\n10 path=b\n"), plain(b"a")]);
    assert_eq!(files(&archive), [file("b", "x")]);
}

#[test]
fn malformed_pax_records_are_refused() {
    for records in
        [&b"13 path=b\n"[..], b"8 path=b\n", b"9 path=bc", b"9 path b\n", b"+9 path=b\n", b"10 size=x\n", b"path=b\n"]
    {
        let archive = tape(&[pax(records), plain(b"a")]);
        assert_eq!(refusal(&archive), "the archive is damaged: a pax record is malformed", "{records:?}");
    }
}

#[test]
fn two_names_for_one_entry_are_refused() {
    let message = "the archive is damaged: a path or size is given twice for an entry";
    assert_eq!(refusal(&tape(&[pax(b"10 path=b\n10 path=c\n"), plain(b"a")])), message);
    let long_name = tar_entry(b"././@LongLink", b'L', b"c\0");
    assert_eq!(refusal(&tape(&[pax(b"10 path=b\n"), long_name, plain(b"a")])), message);
}

#[test]
fn global_headers_may_comment_only() {
    let comment = tar_entry(b"pax_global_header", b'g', b"15 comment=abc\n");
    assert_eq!(files(&tape(&[comment, plain(b"a")])), [file("a", "x")]);
    let path = tar_entry(b"pax_global_header", b'g', b"10 path=b\n");
    let message = "the archive is damaged: one path or size is given for all entries";
    assert_eq!(refusal(&tape(&[path, plain(b"a")])), message);
}

#[test]
fn long_names_are_bounded() {
    let long_name = tar_entry(b"././@LongLink", b'L', &vec![b'a'; 1024 * 1024 + 1]);
    assert_eq!(refusal(&tape(&[long_name, plain(b"a")])), "the archive is damaged: an extension header is too long");
}

#[test]
fn sizes_larger_than_the_archive_are_refused() {
    let mut header = tar::Header::new_gnu();
    header.set_path("a").expect("short");
    header.set_size(1 << 40);
    let archive = tape(&[tar_block(header, b"x")]);
    assert_eq!(refusal(&archive), "entry `a` is damaged: it ends too early");
}

#[test]
fn sizes_that_are_not_numbers_are_refused() {
    let mut header = tar::Header::new_gnu();
    header.set_path("a").expect("short");
    header.as_old_mut().size = *b"0000000000x\0";
    assert_eq!(refusal(&tape(&[tar_block(header, b"")])), "entry `a` has a size that is not a number");
}

#[test]
fn an_archive_without_its_end_is_refused() {
    let message = "the archive is damaged: it ends before its end mark";
    assert_eq!(refusal(&plain(b"a")), message);
    assert_eq!(refusal(&gzip(&plain(b"a"))), message);
    assert_eq!(refusal(&[&plain(b"a")[..], &[0; 511]].concat()), message);
}

#[test]
fn wrong_sums_of_headers_are_refused() {
    let mut second = plain(b"b");
    second[0] = b'c';
    assert_eq!(refusal(&tape(&[plain(b"a"), second])), "the archive is damaged: a header has a wrong checksum");
}

#[test]
fn bytes_after_the_end_of_a_tar_mean_nothing() {
    let archive = [&tar(&[("a", b"x")])[..], b"trailing"].concat();
    assert_eq!(files(&archive), [file("a", "x")]);
    assert_eq!(files(&gzip(&archive)), [file("a", "x")]);
}

#[test]
fn what_is_compressed_must_be_a_tar() {
    let message = "it is not a zip, tar, tar.gz, tar.xz or tar.zst archive";
    assert_eq!(refusal(b""), message);
    assert_eq!(refusal(b"text"), message);
    assert_eq!(refusal(&[b'x'; 4096]), message);
    assert_eq!(refusal(&gzip(b"text")), message);
    assert_eq!(refusal(&zstd(&[b'x'; 4096])), message);
}

#[test]
fn a_tar_without_files_is_refused() {
    assert_eq!(refusal(&tape(&[])), "the archive holds no files");
    assert_eq!(refusal(&gzip(&tape(&[tar_entry(b"a/", b'5', b"")]))), "the archive holds no files");
}
