use std::io::Cursor;

use super::{
    super::samples::{PKGINFO, package},
    *,
};
use crate::readers::container_samples::{pack, tar, tar_with};

fn look(bytes: Vec<u8>) -> Result<ArchFacts, String> {
    inspect(&mut Cursor::new(bytes), &Limits::default())
}

fn refusal(pkginfo: &str) -> String {
    look(package(pkginfo, Packing::Zstd)).expect_err("a refusal")
}

#[test]
fn a_package_is_read() {
    for packing in [Packing::Zstd, Packing::Xz, Packing::Gzip] {
        let facts = look(package(PKGINFO, packing)).expect("valid");
        assert_eq!((facts.name.as_str(), facts.version.as_str(), facts.installed_bytes), ("hello", "1.0-1", 4096));
        assert_eq!(facts.files, ["etc/", "usr/", "usr/bin/", "usr/bin/hello"]);
        assert_eq!(facts.check_file_name("hello-1.0-1-x86_64.pkg.tar.zst"), Ok(()));
        for bad in ["hello-1.0-2-x86_64.pkg.tar.zst", "hello-1.0-1-any.pkg.tar.zst", "hello-1.0-1-x86_64.pkg.tar"] {
            assert!(facts.check_file_name(bad).is_err(), "{bad}");
        }
    }
}

#[test]
fn bad_values_are_refused() {
    let with = |from: &str, to: &str| refusal(&PKGINFO.replace(from, to));
    assert_eq!(with("= greets", "= %NAME%"), ".PKGINFO: the text '%NAME%' looks like a key of the database");
    assert!(with("= greets", "= gre\n\n%NAME%").contains("has no value"));
    assert_eq!(with("pkgname = hello", "pkgname = ../x"), ".PKGINFO: '../x' is not the name of an Arch package");
    assert!(with("pkgname = hello", "pkgname = he\nllo").contains("has no value"));
    for bad in ["1.0", "1.0-1-1", ":1-1", "x:1-1", "1/2-1"] {
        assert!(with("1.0-1", bad).contains("is not the version"), "{bad}");
    }
    assert_eq!(
        with("size = 4096", "size = 9007199254740992"),
        ".PKGINFO: its 'size' is not a number below 2^53: '9007199254740992'"
    );
    assert_eq!(with("= x86_64", "= ../x"), ".PKGINFO: '../x' is not the name of an architecture");
}

#[test]
fn bad_archives_are_refused() {
    let info: (&str, &[u8]) = (".PKGINFO", PKGINFO.as_bytes());
    let refused = |tar: &[u8]| look(pack(tar, Packing::Zstd)).expect_err("a refusal");
    assert_eq!(refused(&tar(&[info, info])), "entry `.PKGINFO` appears in the archive twice");
    let link = tar_with(&[], ".PKGINFO", ::tar::EntryType::Symlink);
    assert_eq!(refused(&link), "entry `.PKGINFO` is a symbolic link");
    assert_eq!(refused(&tar(&[("a", b"")])), "it holds no file `.PKGINFO`");
    assert!(refused(&tar(&[info, ("a\nb", b"")])).contains("holds a control character"));
    assert_eq!(refused(&tar(&[info, ("%NAME%", b"")])), "the text '%NAME%' looks like a key of the database");
    assert_eq!(look(tar(&[info])), Err("it is not a tar.zst, tar.xz or tar.gz archive".to_owned()));
    let limits = Limits { entries: 2, ..Limits::default() };
    let late = pack(&tar(&[("a", b""), ("b", b""), info]), Packing::Zstd);
    let late = inspect(&mut Cursor::new(late), &limits).expect_err("too late");
    assert_eq!(late, "the archive holds more than 2 entries");
    // The frame header asks for a window of 2 GiB.
    assert!(look(b"\x28\xb5\x2f\xfd\x00\xa8\x01\x00\x00".to_vec()).is_err());
}
