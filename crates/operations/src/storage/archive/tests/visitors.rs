//! The contract with visitors: what they may do and what they get.

use super::{
    Archive, ArchiveError, Limits,
    make::{stored, tar, zip},
};
use crate::Error;

fn open(archive: &[u8]) -> Archive {
    super::open(archive, Limits::default()).expect("an archive")
}

#[test]
fn content_that_nobody_reads_is_checked_all_the_same() {
    let damaged = stored("a", b"content").with(|entry| entry.packed[0] = b'C');
    let error = open(&zip(&[damaged])).each(|_, _| Ok::<_, ArchiveError>(())).expect_err("a wrong checksum");
    assert!(error.to_string().starts_with("entry `a` is damaged: Invalid checksum"));
}

#[test]
fn content_that_is_read_in_part_does_not_shift_what_follows() {
    let mut first_bytes = Vec::new();
    let each = open(&tar(&[("a", &[1; 2_000]), ("b", &[2; 2_000])])).each(|_, content| {
        let mut byte = [0];
        content.read_exact(&mut byte).expect("read");
        first_bytes.extend(byte);
        Ok::<_, ArchiveError>(())
    });
    each.expect("a good archive");
    assert_eq!(first_bytes, [1, 2]);
}

#[test]
fn a_visitors_own_error_ends_the_visit() {
    let mut visits = 0;
    let each = open(&zip(&[stored("a", b"x"), stored("b", b"y")])).each(|_, _| {
        visits += 1;
        Err(Error::Conflict("enough".to_owned()))
    });
    assert_eq!((each, visits), (Err(Error::Conflict("enough".to_owned())), 1));
}
