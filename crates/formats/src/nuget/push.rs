//! The push and the deletion that `dotnet nuget` sends.

use super::{
    id::NugetId,
    inspect::NugetPackage,
    layout::{nuspec_path, package_path, symbols_path},
    version::NugetVersion,
};

/// The kinds of packages that are pushed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NugetPushKind {
    /// A `.nupkg`.
    Package,
    /// A `.snupkg`.
    Symbols,
}

/// The files and the coordinates of a pushed package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NugetPush {
    /// The id.
    pub id: NugetId,
    /// The version.
    pub version: NugetVersion,
    /// The path of the package.
    pub path: String,
    /// The path and the content of the nuspec; symbols have none.
    pub nuspec: Option<(String, Vec<u8>)>,
}

/// Selects the package among the parts of a multipart body: the only part with a file.
pub fn package_part(parts_with_files: usize) -> Result<(), String> {
    match parts_with_files {
        0 => Err("the request holds no package".to_owned()),
        1 => Ok(()),
        _ => Err("the request holds more than one package; push them one by one".to_owned()),
    }
}

/// Turns an inspected package into the files of a version.
pub fn push(package: NugetPackage, kind: NugetPushKind) -> Result<NugetPush, String> {
    let version = package.nuspec.version()?;
    let id = package.nuspec.id;
    Ok(match kind {
        NugetPushKind::Package => NugetPush {
            path: package_path(&id, &version),
            nuspec: Some((nuspec_path(&id, &version), package.nuspec_bytes)),
            id,
            version,
        },
        NugetPushKind::Symbols => NugetPush { path: symbols_path(&id, &version), nuspec: None, id, version },
    })
}

/// Parses the path of an unlisting or relisting: `publish/<id>/<version>`.
pub fn unlist_target(path: &str) -> Result<(NugetId, NugetVersion), String> {
    let rest = path.strip_prefix("publish/").and_then(|rest| rest.split_once('/'));
    let (id, version) = rest.ok_or("the path is not 'publish/<id>/<version>'")?;
    Ok((NugetId::parse(id)?, NugetVersion::parse(version)?))
}

#[cfg(test)]
mod tests {
    use super::{
        super::{nuspec::Nuspec, nuspec::tests::sample},
        *,
    };

    #[test]
    fn a_push_names_its_files() {
        let bytes = sample("Acme.Hello", "1.0-RC", "").into_bytes();
        let package = NugetPackage { nuspec: Nuspec::parse(&bytes).expect("valid"), nuspec_bytes: bytes.clone() };
        let symbols = push(package.clone(), NugetPushKind::Symbols).expect("valid");
        assert_eq!(symbols.path, "flat/acme.hello/1.0.0-rc/acme.hello.1.0.0-rc.snupkg");
        let push = push(package, NugetPushKind::Package).expect("valid");
        assert_eq!(push.path, "flat/acme.hello/1.0.0-rc/acme.hello.1.0.0-rc.nupkg");
        assert_eq!(push.nuspec, Some(("flat/acme.hello/1.0.0-rc/acme.hello.nuspec".to_owned(), bytes)));
        assert_eq!(push.version.to_string(), "1.0.0-RC");
    }

    #[test]
    fn a_body_has_one_package() {
        assert_eq!(package_part(1), Ok(()));
        assert!(package_part(0).is_err() && package_part(2).is_err());
    }

    #[test]
    fn a_deletion_names_id_and_version() {
        let (id, version) = unlist_target("publish/Acme.Hello/1.0").expect("valid");
        assert_eq!((id.as_str(), version.to_string().as_str()), ("Acme.Hello", "1.0.0"));
        for bad in ["publish", "publish/", "publish/a", "publish/a/1.0/x", "publish/../1.0", "a/b/c"] {
            assert!(unlist_target(bad).is_err(), "{bad}");
        }
    }
}
