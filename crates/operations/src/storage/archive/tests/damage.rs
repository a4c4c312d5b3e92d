//! Archives that were truncated or changed in transit.

use super::{
    Files, Limits, file, files,
    make::{deflated, gzip, stored, tar, xz, zip, zstd},
    read, refusal,
};

const CONTENT: &[(&str, &[u8])] = &[("a", b"some content"), ("folder/b", b"some more content, some more content")];

/// Returns one small archive of each kind that has checksums of its content.
fn checked_kinds() -> [(&'static str, Vec<u8>); 4] {
    let tar = tar(CONTENT);
    let zip = zip(&[stored(CONTENT[0].0, CONTENT[0].1), deflated(CONTENT[1].0, CONTENT[1].1)]);
    [("zip", zip), ("gzip", gzip(&tar)), ("xz", xz(&tar)), ("zstd", zstd(&tar))]
}

fn whole() -> Files {
    CONTENT.iter().map(|(path, content)| file(path, content)).collect()
}

#[test]
fn an_archive_that_is_cut_anywhere_is_refused() {
    for (kind, archive) in checked_kinds() {
        assert_eq!(files(&archive), whole());
        for length in 0..archive.len() {
            assert!(read(&archive[..length], Limits::default()).is_err(), "{kind} cut at {length}");
        }
    }
}

#[test]
fn a_tar_that_is_cut_before_its_end_mark_is_refused() {
    let archive = tar(CONTENT);
    let end_mark = archive.len() - 1024;
    for length in 0..end_mark + 512 {
        assert!(read(&archive[..length], Limits::default()).is_err(), "cut at {length}");
    }
    assert_eq!(files(&archive[..end_mark + 512]), whole());
}

#[test]
fn a_changed_bit_is_refused_or_means_nothing() {
    for (kind, archive) in checked_kinds() {
        for bit in 0..archive.len() * 8 {
            let mut changed = archive.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            if let Ok(files) = read(&changed, Limits::default()) {
                assert_eq!(files, whole(), "{kind} with bit {bit} changed");
            }
        }
    }
}

#[test]
fn bytes_after_compressed_content_are_refused() {
    for (kind, archive) in checked_kinds() {
        let message = refusal(&[&archive[..], b"trailing"].concat());
        assert!(message.starts_with("the archive is damaged: "), "{kind}: {message}");
    }
}
