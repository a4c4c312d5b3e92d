//! Conan as a format of repositories.

use std::cmp::Ordering;

use model::file_path::FilePath;
use operations::format::{Command, CommandPlace, Content, Format, Inspected, Native, PathKind, PathOwner};

use super::{
    commands,
    files::{self, INFO, MANIFEST},
    info::{ConanInfo, INFO_BYTES},
    layout::ConanFile,
    manifest::{ConanManifest, MANIFEST_BYTES},
    version::{self, ConanVersion},
};

/// The format of Conan 2, and of Conan 1 with revisions.
#[derive(Debug)]
pub struct Conan;

/// Folders of the server's own.
const RESERVED: &[&str] = &["v1", "v2"];

impl Format for Conan {
    fn name(&self) -> &'static str {
        "conan"
    }

    fn title(&self) -> &'static str {
        "Conan"
    }

    fn classify(&self, path: &FilePath) -> Result<PathKind, String> {
        let top = path.as_str().split('/').next().unwrap_or_default();
        if RESERVED.contains(&top) {
            return Ok(PathKind::Reserved);
        }
        let ConanFile { reference, .. } = ConanFile::parse(path.as_str())?;
        let (package, version) = (reference.package()?, reference.version_name()?);
        Ok(PathKind::Payload(PathOwner { package: Some(package), version: Some(version) }))
    }

    fn inspects(&self, path: &FilePath) -> bool {
        matches!(path.file_name(), INFO | MANIFEST) && ConanFile::parse(path.as_str()).is_ok()
    }

    fn inspect(&self, path: &FilePath, content: &mut dyn Content) -> Result<Inspected, String> {
        let is_manifest = path.file_name() == MANIFEST;
        let bytes = read(content, if is_manifest { MANIFEST_BYTES } else { INFO_BYTES })?;
        if is_manifest {
            ConanManifest::parse(&bytes)?;
            return Ok(Inspected::default());
        }
        ConanInfo::parse(&bytes)?;
        Ok(Inspected { facts: None, about: Some(bytes) })
    }

    fn is_counted(&self, path: &FilePath) -> bool {
        files::is_counted(path.file_name())
    }

    fn media_type(&self, _path: &FilePath) -> Option<&'static str> {
        Some("application/octet-stream")
    }

    fn compare(&self, left: &str, right: &str) -> Ordering {
        version::compare(left, right)
    }

    fn is_prerelease(&self, version: &str) -> bool {
        ConanVersion::parse(version).is_prerelease()
    }

    fn native(&self) -> Option<&dyn Native> {
        Some(self)
    }

    fn commands(&self, place: &CommandPlace<'_>) -> Vec<Command> {
        commands::commands(place)
    }
}

/// Reads a whole file of a bounded size.
fn read(content: &mut dyn Content, max_bytes: usize) -> Result<Vec<u8>, String> {
    if content.size() > max_bytes as u64 {
        return Err(format!("the file is larger than {} KiB", max_bytes / 1024));
    }
    let mut bytes = Vec::new();
    content.read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    const REVISION: &str = "0123456789abcdef0123456789abcdef";
    const ID: &str = "da39a3ee5e6b4b0d3255bfef95601890afd80709";

    fn path(text: &str) -> FilePath {
        FilePath::parse(text).expect("a path")
    }

    fn export(file: &str) -> FilePath {
        path(&format!("hello/1.0/_/_/{REVISION}/export/{file}"))
    }

    fn package(file: &str) -> FilePath {
        path(&format!("hello/1.0/acme/stable/{REVISION}/package/{ID}/{REVISION}/{file}"))
    }

    fn inspect(path: &FilePath, content: Vec<u8>) -> Result<Inspected, String> {
        Conan.inspect(path, &mut Cursor::new(content))
    }

    #[test]
    fn paths_name_recipes_and_versions() {
        let Ok(PathKind::Payload(owner)) = Conan.classify(&package("conan_package.tgz")) else { panic!("a file") };
        assert_eq!(owner.package.expect("a package").as_str(), "hello");
        assert_eq!(owner.version.expect("a version").as_str(), "1.0@acme:stable");
        assert!(Conan.is_counted(&package("conan_package.tgz")) && !Conan.is_counted(&export("conanfile.py")));
        assert_eq!(Conan.classify(&path("v2/conans/hello")), Ok(PathKind::Reserved));
        for bad in ["x.zip", "../conanfile.py", "conan_.tgz", "conaninfo.txt"] {
            let bad = format!("hello/1.0/_/_/{REVISION}/export/{bad}");
            let bad = FilePath::parse(&bad);
            assert!(bad.is_err() || Conan.classify(&bad.expect("a path")).is_err());
        }
        for bad in ["hello/1.0/_/_/../export/conanfile.py", "hello/1.0/_/_/1/export/conanfile.py", "hello/1.0/a"] {
            let bad = FilePath::parse(bad);
            assert!(bad.is_err() || Conan.classify(&bad.expect("a path")).is_err());
        }
    }

    #[test]
    fn small_texts_are_inspected() {
        assert_eq!(inspect(&package(INFO), Vec::new()).expect("valid").about, Some(Vec::new()));
        let info = b"[settings]\nos=Linux\n".to_vec();
        assert_eq!(inspect(&package(INFO), info.clone()).expect("valid").about, Some(info));
        assert!(inspect(&package(INFO), vec![b' '; 10 << 20]).is_err());
        assert!(inspect(&package(INFO), b"a\0b".to_vec()).is_err());
        assert_eq!(inspect(&export(MANIFEST), b"1700000000\n".to_vec()), Ok(Inspected::default()));
        assert!(inspect(&export(MANIFEST), b"no time\n".to_vec()).is_err());
        assert!(!Conan.inspects(&export("conanfile.py")) && Conan.inspects(&export(MANIFEST)));
    }
}
