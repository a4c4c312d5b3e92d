//! Facts of a package's bytes.

use super::nuspec::Nuspec;
use crate::{
    documents::clean,
    nuget::{id::NugetId, version::NugetVersion},
    readers::{Content, Limits, quoted, zip::Zip},
};

/// A package or its symbols, as they were read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NugetPackage {
    /// The metadata.
    pub nuspec: Nuspec,
    /// The nuspec as it is in the package. It becomes a file of the version.
    pub nuspec_bytes: Vec<u8>,
}

/// Reads a `.nupkg` or `.snupkg`: a zip with one nuspec at its top.
pub fn inspect(content: &mut dyn Content, limits: &Limits) -> Result<NugetPackage, String> {
    let zip = Zip::open(content, limits).map_err(|reason| format!("the package is not valid: {reason}"))?;
    let is_nuspec = |name: &&str| !name.contains('/') && name.to_ascii_lowercase().ends_with(".nuspec");
    let mut names: Vec<&str> = zip.names().filter(is_nuspec).collect();
    names.sort_unstable();
    let name = match names[..] {
        [name] => name.to_owned(),
        [] => return Err("the package has no nuspec at its top".to_owned()),
        _ => return Err("the package has more than one nuspec".to_owned()),
    };
    let bytes = zip.read(&name)?.ok_or("the package has no nuspec at its top")?;
    let nuspec = Nuspec::parse(&bytes)?;
    let stem = &name[..name.len() - ".nuspec".len()];
    if !stem.eq_ignore_ascii_case(nuspec.id.as_str()) {
        let (id, name) = (clean(nuspec.id.as_str(), 100), quoted(&name));
        return Err(format!("the nuspec '{name}' has the id '{id}'; its name must be the id"));
    }
    Ok(NugetPackage { nuspec, nuspec_bytes: bytes })
}

/// Refuses a package that contradicts the id and the version of its path.
pub fn check_path(nuspec: &Nuspec, id: &NugetId, version: &NugetVersion) -> Result<(), String> {
    if nuspec.id != *id {
        return Err(format!("the package is '{}', but its path says '{}'", nuspec.id.as_str(), id.as_str()));
    }
    let own = nuspec.version()?;
    if own != *version {
        return Err(format!("the package has version {own}, but its path says {version}"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::{super::nuspec::tests::sample, *};
    use crate::readers::samples::zip;

    fn read(files: &[(&str, &[u8])]) -> Result<NugetPackage, String> {
        inspect(&mut Cursor::new(zip(files)), &Limits::default())
    }

    #[test]
    fn the_nuspec_at_the_top_is_read() {
        let nuspec = sample("Acme.Hello", "1.0", "");
        let package = read(&[
            ("[Content_Types].xml", b"<Types/>"),
            ("acme.hello.nuspec", nuspec.as_bytes()),
            ("content/other.nuspec", b""),
            (".signature.p7s", b"x"),
        ]);
        let package = package.expect("valid");
        assert_eq!((package.nuspec.id.as_str(), package.nuspec_bytes.as_slice()), ("Acme.Hello", nuspec.as_bytes()));
        let check = |id: &str, version: &str| {
            let version = NugetVersion::parse(version).expect("a version");
            check_path(&package.nuspec, &NugetId::parse(id).expect("an id"), &version)
        };
        assert_eq!(check("ACME.HELLO", "1.0.0.0"), Ok(()));
        assert_eq!(check("acme", "1.0"), Err("the package is 'Acme.Hello', but its path says 'acme'".to_owned()));
        assert!(check("acme.hello", "1.1").is_err());
    }

    #[test]
    fn other_packages_are_refused() {
        let nuspec = sample("a", "1.0", "");
        let nuspec = nuspec.as_bytes();
        let huge = sample("a", "1.0", &"<!-- x -->".repeat(200_000));
        for (files, reason) in [
            (&[("a.nuspec", nuspec), ("b.nuspec", nuspec)][..], "the package has more than one nuspec"),
            (&[("a.nuspec", nuspec), ("A.NUSPEC", nuspec)], "the package has more than one nuspec"),
            (&[("x/a.nuspec", nuspec)], "the package has no nuspec at its top"),
            (&[("b.nuspec", nuspec)], "the nuspec 'b.nuspec' has the id 'a'; its name must be the id"),
            (&[("a.nuspec", b"<package/>")], "the nuspec is not valid"),
            (&[("a.nuspec", huge.as_bytes())], "entry `a.nuspec` "),
            (&[("a.nuspec", nuspec), ("..\\x", b"")], "the package is not valid: entry `..\\x`"),
            (&[("a.nuspec", nuspec), ("../x", b"")], "the package is not valid: entry `../x`"),
        ] {
            let refusal = read(files).expect_err(reason);
            assert!(refusal.starts_with(reason), "{refusal}");
        }
        assert!(inspect(&mut Cursor::new(b"no zip".to_vec()), &Limits::default()).is_err());
    }

    #[test]
    fn a_size_that_lies_is_refused() {
        let nuspec = sample("a", "1.0", "");
        let mut bytes = zip(&[("a.nuspec", nuspec.as_bytes())]);
        let size = u32::try_from(nuspec.len()).expect("small").to_le_bytes();
        let mut at = 0;
        while let Some(found) = bytes[at..].windows(4).position(|window| window == size) {
            at += found;
            bytes[at] ^= 1;
        }
        assert!(inspect(&mut Cursor::new(bytes), &Limits::default()).is_err());
    }
}
