use std::io::Cursor;

use sha1::{Digest, Sha1};

use super::{
    super::samples::{PKGINFO, apk, cut_tar, data, members},
    *,
};
use crate::readers::{container_samples::tar_with, samples::gzip};

fn look(bytes: Vec<u8>) -> Result<ApkFacts, String> {
    inspect(&mut Cursor::new(bytes), &Limits::default(), false)
}

fn refusal(bytes: Vec<u8>) -> String {
    look(bytes).expect_err("a refusal")
}

/// A package with this control member.
fn with_control(control: &[u8]) -> Vec<u8> {
    let [signature, _, data] = members(PKGINFO);
    [signature, gzip(control), data].concat()
}

#[test]
fn a_package_is_read() {
    let facts = look(apk(PKGINFO)).expect("valid");
    let [_, control, _] = members(PKGINFO);
    assert_eq!(facts.checksum, format!("Q1{}", STANDARD.encode(Sha1::digest(control))));
    assert_eq!((facts.name.as_str(), facts.version.as_str(), facts.installed_bytes), ("hello", "1.0-r0", 4096));
    assert_eq!(facts.depends, ["so:libc.musl-x86_64.so.1", "!conflicting"]);
    assert_eq!(facts.check_file_name("hello-1.0-r0.apk"), Ok(()));
    let wrong = facts.check_file_name("hallo-1.0-r0.apk").expect_err("another name");
    assert_eq!(wrong, "the file name 'hallo-1.0-r0.apk' is not that of the package, 'hello-1.0-r0.apk'");
}

#[test]
fn other_members_are_refused() {
    let [signature, control, data] = members(PKGINFO);
    let unsigned = [control.clone(), data.clone()].concat();
    assert_eq!(refusal(unsigned.clone()), "it is not signed");
    assert!(inspect(&mut Cursor::new(unsigned), &Limits::default(), true).is_ok());
    let fourth = [signature.clone(), control.clone(), data.clone(), gzip(b"")].concat();
    assert_eq!(refusal(fourth), "it has more than a signature, a control and a data member");
    let swapped = [signature.clone(), data.clone(), control.clone()].concat();
    assert_eq!(refusal(swapped), "its control member holds no file `.PKGINFO`");
    let without = [signature.clone(), control].concat();
    assert_eq!(refusal(without), "it is not an Alpine package: its data member is missing");
    assert_eq!(refusal(b"PK".to_vec()), "it is not an Alpine package: its first member is missing");
    let bomb = [signature, gzip(&vec![0; 5 * 1024 * 1024]), data].concat();
    assert_eq!(refusal(bomb), "its control member unpacks to more than 4194304 bytes");
}

#[test]
fn data_has_its_hash() {
    let [signature, control, _] = members(PKGINFO);
    let other = [signature, control, gzip(b"other")].concat();
    assert_eq!(refusal(other), "its data member has another hash than .PKGINFO says");
}

#[test]
fn bad_control_members_are_refused() {
    let file: (&str, &[u8]) = (".PKGINFO", PKGINFO.as_bytes());
    let twice = refusal(with_control(&cut_tar(&[file, file])));
    assert_eq!(twice, "its control member: entry `.PKGINFO` appears in the archive twice");
    let link = tar_with(&[], ".PKGINFO", ::tar::EntryType::Symlink);
    assert_eq!(refusal(with_control(&link)), "its control member: entry `.PKGINFO` is a symbolic link");
    let mut archive = ::tar::Builder::new(Vec::new());
    archive.append_pax_extensions([("path", b".PKGINFO".as_slice())]).expect("memory");
    let mut header = ::tar::Header::new_ustar();
    header.set_path("other").expect("short");
    header.set_size(PKGINFO.len() as u64);
    header.set_cksum();
    archive.append(&header, PKGINFO.as_bytes()).expect("memory");
    let renamed = archive.into_inner().expect("memory");
    assert_eq!(refusal(with_control(&renamed)), "its control member has an entry with two names");
}

#[test]
fn bad_values_are_refused() {
    let with = |from: &str, to: &str| refusal(apk(&PKGINFO.replace(from, to)));
    assert_eq!(with("= hello\npkgver", "= ../x\npkgver"), ".PKGINFO: '../x' is not the name of an Alpine package");
    assert_eq!(with("1.0-r0\npkgdesc", "1.0/r0\npkgdesc"), ".PKGINFO: '1.0/r0' is not an Alpine version");
    assert_eq!(with("x86_64\norigin", "../x\norigin"), ".PKGINFO: '../x' is not the name of an architecture");
    assert!(with("greets", "gre\rets").contains("holds a control character"));
    assert!(with("greets", "gre\nP:evil").contains("has no value"));
    assert_eq!(with("license", "pkgname"), ".PKGINFO: it has the key 'pkgname' twice");
    assert!(with("4096", "-1").contains("is not a number"));
    let _ = data();
}
