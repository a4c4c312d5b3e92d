//! Small uploads that consume a lot of resources.

use super::{
    Limits, file, files,
    make::{deflated, gzip, stored, tape, tar, tar_entry, xz, zip, zstd},
    read, refusal,
};

const MIB: usize = 1024 * 1024;

fn refusal_within(archive: &[u8], limits: Limits) -> String {
    read(archive, limits).expect_err("a bad archive").to_string()
}

#[test]
fn dense_archives_are_refused() {
    let message = "the archive unpacks to more than 100 times its size";
    let zeros = vec![0; 4 * MIB];
    let tar = tar(&[("a", &zeros)]);
    assert_eq!(refusal(&zip(&[deflated("a", &zeros)])), message);
    assert_eq!(refusal(&gzip(&tar)), message);
    assert_eq!(refusal(&xz(&tar)), message);
    assert_eq!(refusal(&zstd(&tar)), message);
}

#[test]
fn density_is_of_the_whole_archive() {
    let zeros = vec![0; MIB];
    let entries: Vec<_> = (0..4).map(|number| deflated(&number.to_string(), &zeros)).collect();
    assert_eq!(refusal(&zip(&entries)), "the archive unpacks to more than 100 times its size");
}

#[test]
fn small_archives_may_be_dense() {
    let zeros = vec![0; MIB];
    assert_eq!(files(&zip(&[deflated("a", &zeros)])), [file("a", &zeros)]);
    let zeros = vec![0; MIB - 512 * 4];
    assert_eq!(files(&gzip(&tar(&[("a", &zeros)]))), [file("a", &zeros)]);
}

#[test]
fn zeros_after_the_end_of_a_tar_count_too() {
    let tail = vec![0; 4 * MIB];
    let archive = gzip(&[&tar(&[("a", b"x")])[..], &tail].concat());
    assert_eq!(refusal(&archive), "the archive unpacks to more than 100 times its size");
}

#[test]
fn what_comes_out_is_bounded_in_all() {
    let limits = Limits { bytes: 3_000, ..Limits::default() };
    let message = "the archive unpacks to more than 3000 bytes";
    let within = zip(&[stored("a", &[1; 1_500]), deflated("b", &[1; 1_500])]);
    assert_eq!(read(&within, limits.clone()).expect("within").len(), 2);
    let beyond = zip(&[stored("a", &[1; 1_500]), deflated("b", &[1; 1_501])]);
    assert_eq!(refusal_within(&beyond, limits.clone()), message);
    let tar = tar(&[("a", &[1; 1_000]), ("b", &[1; 1_000])]);
    assert_eq!(refusal_within(&tar, limits.clone()), message);
    assert_eq!(refusal_within(&zstd(&tar), limits), message);
}

#[test]
fn entries_are_bounded_and_folders_count() {
    let limits = Limits { entries: 2, ..Limits::default() };
    let message = "the archive holds more than 2 entries";
    let (folder, a, b) = (stored("f/", b""), stored("a", b"x"), stored("b", b"x"));
    assert_eq!(read(&zip(&[folder.clone(), a.clone()]), limits.clone()).expect("within").len(), 1);
    assert_eq!(refusal_within(&zip(&[folder, a, b]), limits.clone()), message);
    let entries = [tar_entry(b"f", b'5', b""), tar_entry(b"a", b'0', b""), tar_entry(b"b", b'0', b"")];
    assert_eq!(read(&tape(&entries[..2]), limits.clone()).expect("within").len(), 1);
    assert_eq!(refusal_within(&tape(&entries), limits), message);
}

/// Builds a tar.xz whose block needs a window of the given code; the formula is that of the format.
fn xz_with_window(code: u8) -> Vec<u8> {
    let mut archive = xz(&tar(&[("a", b"x")]));
    let header = 12;
    let end = header + (usize::from(archive[header]) + 1) * 4 - 4;
    assert_eq!(archive[header + 1..header + 4], [0, 0x21, 1], "one filter, LZMA2, with one property");
    archive[header + 4] = code;
    let checksum = rawzip::crc32(&archive[header..end]);
    archive[end..end + 4].copy_from_slice(&checksum.to_le_bytes());
    archive
}

#[test]
fn xz_windows_are_bounded() {
    assert_eq!(files(&xz_with_window(30)), [file("a", "x")], "128 MiB");
    let message = refusal(&xz_with_window(31));
    assert!(message.contains("needed memory too big"), "192 MiB: {message}");
}

/// Builds a tar.zst of one frame that needs a window of two to the given power, with uncompressed content.
fn zstd_with_window(log: u8) -> Vec<u8> {
    let tar = tar(&[("a", b"x")]);
    let block = u32::try_from(tar.len()).expect("small") << 3 | 1;
    [&[0x28, 0xb5, 0x2f, 0xfd, 0, (log - 10) << 3], &block.to_le_bytes()[..3], &tar].concat()
}

#[test]
fn zstd_windows_are_bounded() {
    assert_eq!(files(&zstd_with_window(27)), [file("a", "x")], "128 MiB");
    let message = refusal(&zstd_with_window(28));
    assert!(message.contains("too much memory"), "256 MiB: {message}");
}
