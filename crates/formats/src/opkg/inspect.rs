//! Reads an .ipk: a tar.gz of three members, or an `ar` like a .deb.

use serde::{Deserialize, Serialize};

use crate::{
    debian::{inspect as deb, names::check_version, version::without_epoch},
    indexed::matches,
    readers::{
        Content, Limits, ar,
        deb822::Stanza,
        quoted,
        unpack::{self, Packing, STREAMED_BYTES, Unpacked},
        walk,
    },
};

/// Fields that an index adds, which a package cannot set.
const INDEX_FIELDS: &[&str] = &["Filename", "Size", "MD5Sum", "SHA256sum", "SHA256", "Status", "Conffiles"];

/// The facts about an .ipk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct IpkFacts {
    /// The control fields in their order, without those that an index adds.
    pub control: Stanza,
    /// The name of the package.
    pub package: String,
    /// The version.
    pub version: String,
    /// The architecture, or `all` or `noarch`.
    pub architecture: String,
}

/// Reads the facts of an .ipk.
pub fn inspect(content: &mut dyn Content, limits: &Limits) -> Result<IpkFacts, String> {
    let head = unpack::peek(&mut unpack::open(content, limits)?)?.to_vec();
    let control = if ar::is_start(&head) { deb::read_control(content, limits)? } else { of_tar(content, limits)? };
    facts(&control)
}

/// Reads the control file out of a tar.gz. Its members are compressed themselves, and the data is not looked at.
fn of_tar(content: &mut dyn Content, limits: &Limits) -> Result<Vec<u8>, String> {
    let outer = Limits { bytes: STREAMED_BYTES, ..limits.clone() };
    let size_bytes = content.size();
    let mut packed = unpack::open(content, &outer)?;
    if Packing::of(unpack::peek(&mut packed)?) != Packing::Gzip {
        return Err("it is neither a tar.gz nor an ar archive".to_owned());
    }
    let unpacked = Unpacked::new(packed, Packing::Gzip, size_bytes, &outer)?;
    let mut members = walk::collect(unpacked, &outer, &|path| path == "control.tar.gz")?;
    let (_, control) = members.pop().ok_or("it holds no member `control.tar.gz`")?;
    let stream = Unpacked::new(&control[..], Packing::of(&control), control.len() as u64, limits)?;
    deb::control_of_tar(stream, limits).map_err(|reason| format!("control.tar: {reason}"))
}

fn facts(control: &[u8]) -> Result<IpkFacts, String> {
    let stanza = |reason| format!("control: {reason}");
    let mut control = Stanza::parse(control).map_err(stanza)?;
    control.remove(INDEX_FIELDS);
    let package = control.line("Package").map_err(stanza)?.to_owned();
    let version = control.line("Version").map_err(stanza)?.to_owned();
    let architecture = control.line("Architecture").map_err(stanza)?.to_owned();
    let is_byte = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'.' | b'_' | b'-');
    let is_name = |text: &str| matches(text, |byte| byte.is_ascii_alphanumeric(), is_byte);
    if !is_name(&package) {
        return Err(format!("'{}' is not the name of an opkg package", quoted(&package)));
    }
    if !is_name(&architecture) || architecture.contains("..") {
        return Err(format!("'{}' is not the name of an architecture", quoted(&architecture)));
    }
    check_version(&version)?;
    Ok(IpkFacts { control, package, version, architecture })
}

impl IpkFacts {
    /// The usual file name.
    pub fn file_name(&self) -> String {
        format!("{}_{}_{}.ipk", self.package, without_epoch(&self.version), self.architecture)
    }

    /// Checks that a file name begins with the name of the package.
    pub fn check_file_name(&self, name: &str) -> Result<(), String> {
        let is_own = name.ends_with(".ipk") && name.starts_with(&format!("{}_", self.package));
        let wrong = || format!("the file name '{}' contradicts the package, '{}'", quoted(name), self.file_name());
        is_own.then_some(()).ok_or_else(wrong)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::io::Cursor;

    use super::*;
    use crate::{
        debian::samples::deb,
        readers::{
            container_samples::{pack, tar},
            samples::{gzip, tar_gz},
        },
    };

    pub(in super::super) const CONTROL: &str = "Package: hello\nVersion: 1.0-1\nDepends: libc\nSection: utils\n\
        Architecture: aarch64_generic\nInstalled-Size: 1024\nDescription:  greets\n";

    pub(in super::super) fn look(bytes: Vec<u8>) -> Result<IpkFacts, String> {
        inspect(&mut Cursor::new(bytes), &Limits::default())
    }

    pub(in super::super) fn ipk(control: &str) -> Vec<u8> {
        let control = tar_gz(&[("./control", control.as_bytes())]);
        gzip(&tar(&[("./debian-binary", b"2.0\n"), ("./data.tar.gz", b"x"), ("./control.tar.gz", &control)]))
    }

    #[test]
    fn both_containers_are_read() {
        let facts = look(ipk(CONTROL)).expect("valid");
        assert_eq!(facts.file_name(), "hello_1.0-1_aarch64_generic.ipk");
        assert_eq!(look(deb(CONTROL, Packing::Gzip)), Ok(facts.clone()));
        assert_eq!(facts.check_file_name("hello_1.0-1_aarch64_generic.ipk"), Ok(()));
        assert!(facts.check_file_name("hallo_1.0-1_aarch64_generic.ipk").is_err());
        let upper = look(ipk(&CONTROL.replace("hello", "Py_X"))).expect("valid");
        assert_eq!(upper.package, "Py_X");
    }

    #[test]
    fn bad_packages_are_refused() {
        let refusal = |bytes: Vec<u8>| look(bytes).expect_err("a refusal");
        let none = gzip(&tar(&[("./debian-binary", b"2.0\n")]));
        assert_eq!(refusal(none), "it holds no member `control.tar.gz`");
        let member: (&str, &[u8]) = ("./control.tar.gz", b"x");
        assert_eq!(refusal(gzip(&tar(&[member, member]))), "entry `control.tar.gz` appears in the archive twice");
        assert_eq!(refusal(pack(b"x", Packing::Zstd)), "it is neither a tar.gz nor an ar archive");
        let with = |from: &str, to: &str| refusal(ipk(&CONTROL.replace(from, to)));
        assert_eq!(with("hello", "../x"), "'../x' is not the name of an opkg package");
        assert_eq!(with("aarch64_generic", "../x"), "'../x' is not the name of an architecture");
        assert_eq!(with("1.0-1", "1:"), "'1:' is not a Debian version");
        assert_eq!(with("Section", "Package"), "control: it has the field 'Package' twice");
        assert_eq!(with("Section: utils", ""), "control: it has a blank line inside");
        assert_eq!(with("Package: hello\n", ""), "control: it has no field 'Package'");
        let bomb = tar_gz(&[("./large", &vec![0; 3_000_000])]);
        let bomb = gzip(&tar(&[("./control.tar.gz", &bomb)]));
        assert_eq!(refusal(bomb), "control.tar: the archive unpacks to more than 200 times its size");
    }

    #[test]
    fn fields_of_the_index_are_dropped() {
        let text = format!("Filename: x\nSHA256sum: 00\n{CONTROL}");
        assert_eq!(look(ipk(&text)), look(ipk(CONTROL)));
    }
}
