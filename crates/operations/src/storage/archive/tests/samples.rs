//! Archives of one small tree, created by other programs.

use super::{Files, file, files};

/// The tree. The long folder makes a path too long for the name field of a tar.
fn tree(folder: &str) -> Files {
    let deep = format!("docs/{folder}/deep.txt");
    vec![
        file("a.txt", "hello\n"),
        file("docs/long.txt", "line of text\n".repeat(40)),
        file(&deep, "deep"),
        file("docs/ü.txt", "umlaut"),
    ]
}

fn sorted_files(archive: &[u8]) -> Files {
    let mut files = files(archive);
    files.sort();
    files
}

#[test]
fn zips_of_info_zip_are_read() {
    assert_eq!(sorted_files(include_bytes!("samples/info-zip.zip")), tree(&"n".repeat(90)));
}

#[test]
fn zips_that_went_through_a_pipe_are_read() {
    assert_eq!(sorted_files(include_bytes!("samples/info-zip-streamed.zip")), tree(&"n".repeat(90)));
}

#[test]
fn zips_with_large_sizes_that_went_through_a_pipe_are_read() {
    assert_eq!(sorted_files(include_bytes!("samples/python-zip64-streamed.zip")), tree(&"n".repeat(90)));
}

#[test]
fn tars_with_long_names_of_gnu_are_read() {
    assert_eq!(sorted_files(include_bytes!("samples/gnu.tar.gz")), tree(&"n".repeat(90)));
}

#[test]
fn tars_with_pax_paths_are_read() {
    assert_eq!(sorted_files(include_bytes!("samples/pax.tar.xz")), tree(&"n".repeat(90)));
}

#[test]
fn tars_with_name_prefixes_are_read() {
    assert_eq!(sorted_files(include_bytes!("samples/ustar.tar.zst")), tree(&"n".repeat(90)));
}

#[test]
fn tars_in_several_gzip_members_are_read() {
    assert_eq!(sorted_files(include_bytes!("samples/two-members.tar.gz")), tree(&"n".repeat(90)));
}

#[test]
fn tars_of_the_seventies_are_read() {
    assert_eq!(sorted_files(include_bytes!("samples/v7.tar.gz")), tree("n"));
}
