//! Any tree survives a round trip through any kind of archive, and no input makes a reader panic.

use std::collections::BTreeMap;

use proptest::{collection, prelude::*};

use super::{
    Files, Limits, file, files,
    make::{deflated, gzip, stored, tar, xz, zip, zstd},
    read,
};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn trees_come_out_as_they_went_in(tree in tree()) {
        let expected: Files = tree.iter().map(|(path, content)| file(path, content)).collect();
        let pairs: Vec<(&str, &[u8])> = tree.iter().map(|(path, content)| (&path[..], &content[..])).collect();
        let tar = tar(&pairs);
        prop_assert_eq!(files(&tar), expected.clone());
        prop_assert_eq!(files(&gzip(&tar)), expected.clone());
        prop_assert_eq!(files(&xz(&tar)), expected.clone());
        prop_assert_eq!(files(&zstd(&tar)), expected.clone());
        let zipped: Vec<_> = pairs.iter().map(|(path, content)| stored(path, content)).collect();
        prop_assert_eq!(files(&zip(&zipped)), expected.clone());
        let zipped: Vec<_> = pairs.iter().map(|(path, content)| deflated(path, content)).collect();
        prop_assert_eq!(files(&zip(&zipped)), expected);
    }

    #[test]
    fn changed_bytes_never_make_a_reader_panic(
        changes in collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let tar = tar(&[("a", b"some content"), ("folder/b", &[7; 600])]);
        let zip = zip(&[stored("a", b"some content"), deflated("folder/b", &[7; 600])]);
        for mut archive in [gzip(&tar), xz(&tar), zstd(&tar), tar, zip] {
            for (index, byte) in &changes {
                let index = index.index(archive.len());
                archive[index] = *byte;
            }
            let _ = read(&archive, Limits::default());
        }
    }
}

/// Generates trees. No two names in a folder are alike, and none is both a file and a folder, because each begins with
/// its own number.
fn tree() -> impl Strategy<Value = BTreeMap<String, Vec<u8>>> {
    let segment = "[a-zA-Z0-9äß€_+@%;=~ -][a-zA-Z0-9äß€_.+@%;=~ -]{0,60}";
    let path = collection::vec(segment, 1..5).prop_map(|segments| segments.join("/"));
    let files = collection::vec((path, collection::vec(any::<u8>(), 0..2_000)), 1..8);
    files.prop_map(|files| {
        let numbered = |(number, (path, content)): (usize, (String, _))| (format!("{number}{path}"), content);
        files.into_iter().enumerate().map(numbered).collect()
    })
}
