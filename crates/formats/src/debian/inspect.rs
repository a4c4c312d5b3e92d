//! Reads a .deb: the control file in the first archive of an `ar`.

use serde::{Deserialize, Serialize};

use super::{names, version};
use crate::readers::{Content, Limits, ar::Ar, deb822::Stanza, quoted, walk};

/// Fields that an index adds, which a package cannot set.
const INDEX_FIELDS: &[&str] =
    &["Filename", "Size", "MD5sum", "SHA1", "SHA256", "SHA512", "Status", "Conffiles", "Description-md5"];

/// The facts about a .deb.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DebFacts {
    /// The control fields in their order, without those that an index adds.
    pub control: Stanza,
    /// The name of the package.
    pub package: String,
    /// The version, with its epoch.
    pub version: String,
    /// The architecture, or `all`.
    pub architecture: String,
    /// The name of the source package.
    pub source: String,
}

/// Reads the facts of a .deb.
pub fn inspect(content: &mut dyn Content, limits: &Limits) -> Result<DebFacts, String> {
    facts(&read_control(content, limits)?)
}

/// Reads the control file out of an `ar`.
pub(crate) fn read_control(content: &mut dyn Content, limits: &Limits) -> Result<Vec<u8>, String> {
    let mut archive = Ar::open(content, limits)?;
    let mut members = archive.members.iter();
    if members.next().is_none_or(|member| member.name != "debian-binary") {
        return Err("it is not a Debian package: its first member is not `debian-binary`".to_owned());
    }
    // Some packages have members for other tools, whose names begin with `_`, in between.
    let control = members.find(|member| !member.name.starts_with('_')).cloned();
    let control = control.filter(|member| is_control(&member.name));
    let control = control.ok_or("it is not a Debian package: `control.tar` does not follow `debian-binary`")?;
    if archive.members.iter().filter(|member| is_control(&member.name)).count() > 1 {
        return Err("it has more than one `control.tar`".to_owned());
    }
    control_of_tar(archive.unpack(&control)?, limits).map_err(|reason| format!("control.tar: {reason}"))
}

/// Reads the control file out of a control.tar.
pub(crate) fn control_of_tar(stream: impl std::io::Read, limits: &Limits) -> Result<Vec<u8>, String> {
    let mut files = walk::collect(stream, limits, &|path| path == "control")?;
    files.pop().map(|(_, bytes)| bytes).ok_or_else(|| "it holds no file `control`".to_owned())
}

fn is_control(name: &str) -> bool {
    name.strip_prefix("control.tar").is_some_and(|rest| matches!(rest, "" | ".gz" | ".xz" | ".zst"))
}

fn facts(control: &[u8]) -> Result<DebFacts, String> {
    let stanza = |reason| format!("control: {reason}");
    let mut control = Stanza::parse(control).map_err(stanza)?;
    control.remove(INDEX_FIELDS);
    let package = control.line("Package").map_err(stanza)?.to_owned();
    let version = control.line("Version").map_err(stanza)?.to_owned();
    let architecture = control.line("Architecture").map_err(stanza)?.to_owned();
    names::check_package(&package)?;
    names::check_version(&version)?;
    names::check_word("an architecture", &architecture)?;
    // `Source: hello (1.0)` names another version.
    let source = control.get("Source").and_then(|source| source.split_whitespace().next()).unwrap_or(&package);
    let source = source.to_owned();
    names::check_package(&source)?;
    Ok(DebFacts { control, package, version, architecture, source })
}

impl DebFacts {
    /// Checks that a file name does not contradict the package. Names of another form than
    /// `name_version_architecture.deb` are free.
    pub fn check_file_name(&self, name: &str) -> Result<(), String> {
        let stem = name.strip_suffix(".deb").ok_or("the file name does not end with `.deb`")?;
        let [package, file_version, architecture] = stem.split('_').collect::<Vec<_>>()[..] else { return Ok(()) };
        let wrong = |what: &str, own: &str| {
            Err(format!("the file name '{}' contradicts the {what} of the package, '{own}'", quoted(name)))
        };
        if package != self.package {
            return wrong("name", &self.package);
        }
        if architecture != self.architecture {
            return wrong("architecture", &self.architecture);
        }
        let file_version = file_version.replace("%3a", ":").replace("%3A", ":");
        let is_same = file_version == self.version || file_version == version::without_epoch(&self.version);
        // Some publishers have names like `hello_current_amd64.deb`.
        if !is_same && file_version.starts_with(|first: char| first.is_ascii_digit()) {
            return wrong("version", &self.version);
        }
        Ok(())
    }

    /// The path of the file in the pool.
    pub fn pool_path(&self, component: &str) -> String {
        let name = names::deb_name(&self.package, &self.version, &self.architecture);
        names::pool_path(component, &self.source, &name)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::{
        super::samples::{CONTROL, deb},
        *,
    };
    use crate::readers::{
        container_samples::{ar, pack, tar, tar_with},
        samples::gzip,
        unpack::Packing,
    };

    fn look(bytes: Vec<u8>) -> Result<DebFacts, String> {
        inspect(&mut Cursor::new(bytes), &Limits::default())
    }

    fn refusal(control: &str) -> String {
        look(deb(control, Packing::Gzip)).expect_err("a refusal")
    }

    #[test]
    fn the_control_file_is_read() {
        for packing in [Packing::Plain, Packing::Gzip, Packing::Xz, Packing::Zstd] {
            let facts = look(deb(CONTROL, packing)).expect("valid");
            assert_eq!((facts.package.as_str(), facts.version.as_str()), ("hello", "1:2.10-3"));
            assert_eq!((facts.architecture.as_str(), facts.source.as_str()), ("amd64", "hello"));
            assert_eq!(facts.control.get("Description"), Some("greets\n A long text.\n .\n More."));
            assert_eq!(facts.pool_path("main"), "pool/main/h/hello/hello_2.10-3_amd64.deb");
        }
        let facts = look(deb(&CONTROL.replace("Version", "Source: src (1)\nVersion"), Packing::Gzip)).expect("valid");
        assert_eq!(facts.source, "src");
    }

    #[test]
    fn fields_of_the_index_are_dropped() {
        let text = format!("Filename: ../x\nSize: 1\nSHA256: 00\nmd5sum: 00\n{CONTROL}");
        assert_eq!(look(deb(&text, Packing::Gzip)), look(deb(CONTROL, Packing::Gzip)));
    }

    #[test]
    fn bad_control_files_are_refused() {
        assert_eq!(refusal(&format!("{CONTROL}Package: x\n")), "control: it has the field 'Package' twice");
        assert_eq!(refusal("Version: 1\nArchitecture: all\n"), "control: it has no field 'Package'");
        assert_eq!(refusal(&CONTROL.replace(" .\n", "\n")), "control: it has a blank line inside");
        let stanza = CONTROL.replace("greets\n", "greets\n\nPackage: evil\n");
        assert_eq!(refusal(&stanza), "control: it has a blank line inside");
        assert_eq!(refusal(&CONTROL.replace("1:2.10-3", "1:")), "'1:' is not a Debian version");
        assert_eq!(refusal(&CONTROL.replace("amd64", "../x")), "'../x' is not the name of an architecture");
        assert_eq!(refusal(&CONTROL.replace("hello", "../x")), "'../x' is not the name of a Debian package");
        let source = CONTROL.replace("Version", "Source: ../y\nVersion");
        assert_eq!(refusal(&source), "'../y' is not the name of a Debian package");
    }

    #[test]
    fn bad_archives_are_refused() {
        let control = gzip(&tar(&[("control", CONTROL.as_bytes())]));
        let binary: (&str, &[u8]) = ("debian-binary", b"2.0\n");
        let data: (&str, &[u8]) = ("data.tar.gz", b"x");
        let late = look(ar(&[binary, data, ("control.tar.gz", &control)])).expect_err("control after data");
        assert_eq!(late, "it is not a Debian package: `control.tar` does not follow `debian-binary`");
        assert!(look(ar(&[("control.tar.gz", &control), data])).is_err());
        let twice = look(ar(&[binary, ("control.tar.gz", &control), ("control.tar", b"")])).expect_err("two");
        assert_eq!(twice, "it has more than one `control.tar`");
        assert!(look(ar(&[binary, ("_gpgbuilder", b"x"), ("control.tar.gz", &control), data])).is_ok());
        let link = gzip(&tar_with(&[], "control", ::tar::EntryType::Symlink));
        let link = look(ar(&[binary, ("control.tar.gz", &link)])).expect_err("a link");
        assert_eq!(link, "control.tar: entry `control` is a symbolic link");
        let none = look(ar(&[binary, ("control.tar.gz", &gzip(&tar(&[("a", b"")])))])).expect_err("no control");
        assert_eq!(none, "control.tar: it holds no file `control`");
        assert_eq!(look(b"PK".to_vec()), Err("it is not an ar archive".to_owned()));
    }

    #[test]
    fn a_bomb_is_refused() {
        let large = vec![b' '; 70 * 1024 * 1024];
        let bomb = pack(&tar(&[("large", &large), ("control", CONTROL.as_bytes())]), Packing::Zstd);
        let refusal = look(ar(&[("debian-binary", b"2.0\n"), ("control.tar.zst", &bomb)])).expect_err("a bomb");
        assert_eq!(refusal, "control.tar: the archive unpacks to more than 200 times its size");
    }

    #[test]
    fn a_file_name_does_not_contradict_the_package() {
        let facts = look(deb(CONTROL, Packing::Gzip)).expect("valid");
        for good in ["hello_2.10-3_amd64.deb", "hello_1%3a2.10-3_amd64.deb", "hello_current_amd64.deb", "x.deb"] {
            assert_eq!(facts.check_file_name(good), Ok(()));
        }
        for bad in ["hallo_2.10-3_amd64.deb", "hello_2.10-4_amd64.deb", "hello_2.10-3_i386.deb", "hello.rpm"] {
            assert!(facts.check_file_name(bad).is_err(), "{bad}");
        }
    }
}
