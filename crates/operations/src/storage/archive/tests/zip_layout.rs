//! Zips whose parts are not contiguous, or not where the directory says.

use super::{
    file, files,
    make::{deflated, end_zip, length, put_wide, stored, zip},
    refusal,
};

#[test]
fn the_directory_gives_the_order() {
    let (first, second) = (stored("a", b"one"), stored("b", b"two"));
    let directory = [second.listed(length(&first.local())), first.listed(0)].concat();
    let archive = end_zip([first.local(), second.local()].concat(), &directory, 2);
    assert_eq!(files(&archive), [file("b", "two"), file("a", "one")]);
}

#[test]
fn descriptors_of_all_four_forms_are_read() {
    let entry = deflated("a", b"content");
    let claims = [entry.crc, entry.packed_bytes, entry.bytes].map(u32::to_le_bytes).concat();
    let wide_claims = [entry.crc, entry.packed_bytes, 0, entry.bytes, 0].map(u32::to_le_bytes).concat();
    for descriptor in [
        claims.clone(),
        [b"PK\x07\x08", &claims[..]].concat(),
        wide_claims.clone(),
        [b"PK\x07\x08", &wide_claims[..]].concat(),
    ] {
        assert_eq!(files(&zip(&[entry.clone().streamed(&descriptor)])), [file("a", "content")], "{descriptor:?}");
    }
}

#[test]
fn descriptors_that_say_something_else_are_refused() {
    let entry = stored("a", b"x");
    let claims = [entry.crc, 1, 2].map(u32::to_le_bytes).concat();
    assert_eq!(refusal(&zip(&[entry.streamed(&claims)])), "entry `a` has other sizes in its local header");
}

#[test]
fn zip64_sizes_are_read() {
    let mut sizes = vec![1, 0, 16, 0];
    put_wide(&mut sizes, &[1, 0, 1, 0]);
    let entry = stored("a", b"x").with(|entry| {
        (entry.packed_bytes, entry.bytes) = (u32::MAX, u32::MAX);
        entry.local_claims = [entry.crc, u32::MAX, u32::MAX];
        (entry.extra, entry.local_extra) = (sizes.clone(), sizes);
    });
    assert_eq!(files(&zip(&[entry])), [file("a", "x")]);
}

#[test]
fn zip64_sizes_that_lie_are_refused() {
    for claims in [[2, 0, 1, 0], [1, 0, 2, 0], [0, 1, 0, 1], [u32::MAX, u32::MAX, u32::MAX, u32::MAX]] {
        let mut sizes = vec![1, 0, 16, 0];
        put_wide(&mut sizes, &claims);
        let entry = stored("a", b"x").with(|entry| {
            (entry.packed_bytes, entry.bytes) = (u32::MAX, u32::MAX);
            entry.local_claims = [entry.crc, u32::MAX, u32::MAX];
            (entry.extra, entry.local_extra) = (sizes.clone(), sizes);
        });
        assert_ne!(refusal(&zip(&[entry])), "", "{claims:?}");
    }
}

#[test]
fn sizes_that_differ_in_the_local_header_are_refused() {
    let entry = stored("a", b"x").with(|entry| entry.local_claims[2] = 2);
    assert_eq!(refusal(&zip(&[entry])), "entry `a` has other sizes in its local header");
}

#[test]
fn bytes_between_entries_are_refused() {
    let hidden = stored("hidden", b"y").local();
    let entry = stored("a", b"x").with(|entry| entry.descriptor = hidden);
    assert_eq!(refusal(&zip(&[entry, stored("b", b"x")])), "entry `a` is followed by bytes that belong to no entry");
}

#[test]
fn bytes_before_the_first_entry_are_refused() {
    let program = [b"#!/bin/sh\n", &zip(&[stored("a", b"x")])[..]].concat();
    assert_eq!(refusal(&program), "it is not a zip, tar, tar.gz, tar.xz or tar.zst archive");
    let zip_in_front = [stored("hidden", b"y").local(), zip(&[stored("a", b"x")])].concat();
    assert_eq!(refusal(&zip_in_front), "the archive is damaged: its directory is not where its end says");
    let (hidden, entry) = (stored("hidden", b"y").local(), stored("a", b"x"));
    let adapted = end_zip([&hidden[..], &entry.local()].concat(), &entry.listed(length(&hidden)), 1);
    assert_eq!(refusal(&adapted), "the archive is damaged: other bytes precede its first entry");
}

#[test]
fn bytes_after_the_end_are_refused() {
    let archive = [&zip(&[stored("a", b"x")])[..], b"\0"].concat();
    assert_eq!(refusal(&archive), "the archive is damaged: other bytes follow its end");
}

#[test]
fn a_directory_that_miscounts_is_refused() {
    let mut archive = zip(&[stored("a", b"x"), stored("b", b"x")]);
    let end = archive.len() - 22;
    (archive[end + 8], archive[end + 10]) = (1, 1);
    assert_eq!(refusal(&archive), "the archive is damaged: its directory has another length than it says");
}

#[test]
fn entries_inside_of_others_are_refused() {
    let inner = stored("b", b"y");
    let outer = stored("a", &inner.local());
    let directory = [outer.listed(0), inner.listed(31)].concat();
    let archive = end_zip(outer.local(), &directory, 2);
    assert_eq!(refusal(&archive), "entry `a` shares bytes with what follows it");
}

#[test]
fn entries_that_share_one_place_are_refused() {
    let entry = stored("a", b"x");
    let directory = [entry.listed(0), stored("b", b"x").listed(0)].concat();
    let archive = end_zip(entry.local(), &directory, 2);
    assert_eq!(refusal(&archive), "entry `a` shares bytes with what follows it");
}

#[test]
fn a_directory_that_is_not_where_the_end_says_is_refused() {
    let archive = zip(&[stored("a", b"x"), stored("b", b"x")]);
    let end = archive.len() - 22;
    for field in [12, 16] {
        let mut changed = archive.clone();
        changed[end + field] -= 1;
        assert!(refusal(&changed).starts_with("the archive is damaged: "), "field {field}");
    }
    let mut without_the_first = archive;
    without_the_first[end + 12] -= 47;
    let message = "the archive is damaged: its directory is not where its end says";
    assert_eq!(refusal(&without_the_first), message);
}

/// Builds a zip of one entry, with its directory at 32 and its wide end record at 79, and with these values for the
/// directory in the end record.
fn wide_zip(start: u64, size_bytes: u64, record: u64) -> Vec<u8> {
    let entry = stored("a", b"x");
    let mut archive = [entry.local(), entry.listed(0)].concat();
    archive.extend(b"PK\x06\x06");
    put_wide(&mut archive, &[44, 0, 45 << 16 | 45, 0, 0, 1, 0, 1, 0]);
    archive.extend([size_bytes, start].map(u64::to_le_bytes).concat());
    archive.extend(b"PK\x06\x07\0\0\0\0");
    archive.extend(record.to_le_bytes());
    put_wide(&mut archive, &[1]);
    archive.extend(b"PK\x05\x06\0\0\0\0\x01\0\x01\0\xff\xff\xff\xff\xff\xff\xff\xff\0\0");
    archive
}

#[test]
fn zips_with_a_wide_end_are_read() {
    assert_eq!(files(&wide_zip(32, 47, 79)), [file("a", "x")]);
}

#[test]
fn a_directory_that_is_not_where_the_wide_end_says_is_refused() {
    let message = "the archive is damaged: its directory is not where its end says";
    assert_eq!(refusal(&wide_zip(32, 46, 79)), message);
    assert!(refusal(&wide_zip(31, 47, 79)).starts_with("the archive is damaged: "));
    assert!(refusal(&wide_zip(32, 47, 78)).starts_with("the archive is damaged: "));
}

#[test]
fn ends_that_contradict_each_other_are_refused() {
    let mut archive = wide_zip(32, 47, 79);
    let narrow_start = archive.len() - 6;
    archive[narrow_start..narrow_start + 4].copy_from_slice(&[31, 0, 0, 0]);
    assert!(refusal(&archive).starts_with("the archive is damaged: "));
}

#[test]
fn offsets_that_no_file_has_are_the_senders_fault() {
    assert!(refusal(&wide_zip(32, 47, u64::MAX)).starts_with("the archive is damaged: "));
    assert!(refusal(&wide_zip(u64::MAX, 47, 79)).starts_with("the archive is damaged: "));
}

#[test]
fn a_wide_end_inside_of_a_comment_is_refused() {
    let entry = stored("a", b"x");
    let hidden = &wide_zip(32, 47, 79)[79..79 + 76];
    let mut listed = entry.listed(0);
    listed[32] = 76;
    let directory = [&listed[..], hidden].concat();
    let archive = end_zip(entry.local(), &directory, 1);
    assert_eq!(refusal(&archive), "the archive is damaged: its directory is not where its end says");
}
