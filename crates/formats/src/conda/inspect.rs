//! Reads a conda package: info/index.json in a .conda or a .tar.bz2.

use operations::storage::archive::zip::ZipFile;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{record, version};
use crate::{
    indexed::matches,
    readers::{
        Content, Limits, quoted,
        unpack::{self, Packing, Unpacked},
        walk::{self, TarWalk},
    },
};

const INDEX: &str = "info/index.json";

/// The maximum size of the compressed info member.
const INFO_BYTES: u64 = 16 * 1024 * 1024;

/// The folder that stands for the one of a package's platform.
pub(super) const UPLOAD: &str = "upload/";

/// The facts about a conda package.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CondaFacts {
    /// The name of the package.
    pub name: String,
    /// The version.
    pub version: String,
    /// The build.
    pub build: String,
    /// The platform's folder.
    pub subdir: String,
    /// The known keys of info/index.json.
    pub record: Map<String, Value>,
}

/// Reads the facts of a package.
pub fn inspect(content: &mut dyn Content, limits: &Limits) -> Result<CondaFacts, String> {
    let head = unpack::peek(&mut unpack::open(content, limits)?)?.to_vec();
    let index = match Packing::of(&head) {
        Packing::Bzip2 => of_tar(content, limits)?,
        _ if head.starts_with(b"PK") => of_zip(content, limits)?,
        _ => return Err("it is neither a .conda nor a .tar.bz2 file".to_owned()),
    };
    facts(&index).map_err(|reason| format!("{INDEX}: {reason}"))
}

fn of_zip(content: &mut dyn Content, limits: &Limits) -> Result<Vec<u8>, String> {
    let size_bytes = content.size();
    let zip = ZipFile::open(content, size_bytes, limits.entries).map_err(|error| error.to_string())?;
    let is_info = |name: &&str| name.starts_with("info-") && name.ends_with(".tar.zst");
    let mut infos = zip.names().filter(is_info);
    let name = infos.next().ok_or("it has no member `info-*.tar.zst`")?;
    if infos.next().is_some() {
        return Err("it has more than one member `info-*.tar.zst`".to_owned());
    }
    if zip.sizes(name).is_some_and(|(packed, unpacked)| packed != unpacked) {
        return Err(format!("its member `{}` is compressed by the zip", quoted(name)));
    }
    let info = zip.read(name, INFO_BYTES).map_err(|error| error.to_string())?.unwrap_or_default();
    if Packing::of(&info) != Packing::Zstd {
        return Err(format!("its member `{}` is not a zst archive", quoted(name)));
    }
    let unpacked = Unpacked::new(&info[..], Packing::Zstd, info.len() as u64, limits)?;
    let mut files = walk::collect(unpacked, limits, &|path| path == INDEX)?;
    files.pop().map(|(_, bytes)| bytes).ok_or_else(|| format!("it holds no file `{INDEX}`"))
}

/// Reads the entries of the folder `info` at the front; the rest is not looked at.
fn of_tar(content: &mut dyn Content, limits: &Limits) -> Result<Vec<u8>, String> {
    let size_bytes = content.size();
    let packed = unpack::open(content, limits)?;
    let mut walk = TarWalk::new(Unpacked::new(packed, Packing::Bzip2, size_bytes, limits)?, limits);
    let mut index = None;
    while let Some(entry) = walk.next_entry()? {
        if entry.path == INDEX {
            if index.is_some() {
                return Err(format!("entry `{INDEX}` appears in the archive twice"));
            }
            index = Some(walk.read(&entry)?);
        } else if index.is_some() && !entry.path.starts_with("info/") {
            break;
        }
    }
    index.ok_or_else(|| format!("it holds no file `{INDEX}`"))
}

fn facts(index: &[u8]) -> Result<CondaFacts, String> {
    let record = record::select(index)?;
    let text = |key: &str| record::required(&record, key);
    let (name, version, build, subdir) = (text("name")?, text("version")?, text("build")?, text("subdir")?);
    let is_word = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    if !matches(&name, is_word, |byte| is_word(byte) || matches!(byte, b'.' | b'-')) {
        return Err(format!("'{}' is not the name of a conda package", quoted(&name)));
    }
    if !version::is_valid(&version) || version.contains('-') {
        return Err(format!("'{}' is not a conda version", quoted(&version)));
    }
    let is_build = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'+');
    if !matches(&build, is_build, is_build) {
        return Err(format!("'{}' is not the name of a conda build", quoted(&build)));
    }
    check_subdir(&subdir)?;
    Ok(CondaFacts { name, version, build, subdir, record })
}

/// Checks the name of a platform's folder.
pub fn check_subdir(subdir: &str) -> Result<(), String> {
    let is_word = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let is_valid = matches(subdir, is_word, |byte| is_word(byte) || matches!(byte, b'-' | b'_'));
    is_valid.then_some(()).ok_or_else(|| format!("'{}' is not the name of a conda platform", quoted(subdir)))
}

impl CondaFacts {
    /// Checks the path of the file: `<subdir>/<name>-<version>-<build>` with `.conda` or `.tar.bz2`.
    pub fn check_path(&self, path: &str) -> Result<(), String> {
        let stem = format!("{}/{}-{}-{}", self.subdir, self.name, self.version, self.build);
        // An upload does not say the platform.
        let path = &path.strip_prefix(UPLOAD).map_or_else(|| path.to_owned(), |file| format!("{}/{file}", self.subdir));
        let is_own = path.strip_prefix(&stem).is_some_and(|rest| matches!(rest, ".conda" | ".tar.bz2"));
        let wrong = || format!("the path '{}' is not that of the package, '{stem}.conda'", quoted(path));
        is_own.then_some(()).ok_or_else(wrong)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::io::Cursor;

    use ::tar::EntryType;
    use ::zip::CompressionMethod;

    use super::{
        super::samples::{INDEX as JSON, conda, conda_of, tar_bz2},
        *,
    };
    use crate::readers::container_samples::{pack, tar, tar_with};

    pub(in super::super) fn look(bytes: Vec<u8>) -> Result<CondaFacts, String> {
        inspect(&mut Cursor::new(bytes), &Limits::default())
    }

    fn refusal(bytes: Vec<u8>) -> String {
        look(bytes).expect_err("a refusal")
    }

    #[test]
    fn both_containers_are_read() {
        let facts = look(conda(JSON)).expect("valid");
        assert_eq!((facts.name.as_str(), facts.version.as_str(), facts.build.as_str()), ("hello", "1.0", "h123_0"));
        let files: &[(&str, &[u8])] = &[("info/index.json", JSON.as_bytes()), ("info/a", b""), ("lib/x", b"")];
        assert_eq!(look(tar_bz2(files)), Ok(facts.clone()));
        assert_eq!(facts.check_path("linux-64/hello-1.0-h123_0.conda"), Ok(()));
        for bad in ["hello-1.0-h123_0.conda", "noarch/hello-1.0-h123_0.conda", "linux-64/hello-1.0-h123_1.conda"] {
            assert!(facts.check_path(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn bad_records_are_refused() {
        let with = |from: &str, to: &str| refusal(conda(&JSON.replace(from, to)));
        assert_eq!(with("\"hello\"", "\"a/b\""), "info/index.json: 'a/b' is not the name of a conda package");
        assert_eq!(with("linux-64", "../x"), "info/index.json: '../x' is not the name of a conda platform");
        assert_eq!(with("\"1.0\"", "\"1..0\""), "info/index.json: '1..0' is not a conda version");
        assert_eq!(with("h123_0", "a-b"), "info/index.json: 'a-b' is not the name of a conda build");
        assert_eq!(with("\"MIT\"", "{}"), "info/index.json: its 'license' is not a text");
        let noise: String = (0..700_000_u32).map(|at| format!("{:x}", at.wrapping_mul(2_654_435_761))).collect();
        let large = with("python >=3.9", &noise);
        assert_eq!(large, "entry `info/index.json` is larger than 1048576 bytes");
    }

    #[test]
    fn bad_archives_are_refused() {
        let file: (&str, &[u8]) = ("info/index.json", JSON.as_bytes());
        let zst = |tar: &[u8]| conda_of(&pack(tar, Packing::Zstd), CompressionMethod::Stored);
        let twice = "entry `info/index.json` appears in the archive twice";
        assert_eq!(refusal(zst(&tar(&[file, file]))), twice);
        assert_eq!(refusal(tar_bz2(&[file, file])), twice);
        let link = tar_with(&[], "info/index.json", EntryType::Symlink);
        assert_eq!(refusal(zst(&link)), "entry `info/index.json` is a symbolic link");
        assert_eq!(refusal(pack(&link, Packing::Bzip2)), "entry `info/index.json` is a symbolic link");
        let bomb = zst(&tar(&[("info/x", &vec![0; 3_000_000]), file]));
        assert_eq!(refusal(bomb), "the archive unpacks to more than 200 times its size");
        let packed = conda_of(&vec![b'x'; 1_000], CompressionMethod::Deflated);
        assert_eq!(refusal(packed), "its member `info-hello-1.0-h123_0.tar.zst` is compressed by the zip");
        assert_eq!(refusal(b"x".to_vec()), "it is neither a .conda nor a .tar.bz2 file");
        assert_eq!(refusal(tar_bz2(&[("a", b"")])), "it holds no file `info/index.json`");
    }
}
