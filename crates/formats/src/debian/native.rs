//! Uploads of Debian packages: `PUT upload/<suite>/<component>/<file>`, as dput sends the files of a `.changes`.

use model::{digest::Digest, file_path::FilePath};
use operations::format::{Facts, ListedFile, NativeCall, NativeMethod, NativeRoute, SentFile};

use super::{
    format::{is_changes, is_deb, is_dsc},
    inspect::DebFacts,
    names::{check_component, check_package, check_version, check_word, pool_path},
    placement::DebPlacement,
    source::SourceFacts,
    stream::SOURCE,
};
use crate::{
    indexed::decode,
    put_native::{PutFile, PutNative, found, take},
    readers::quoted,
};

/// The requests.
pub(super) static NATIVE: PutNative = PutNative { routes: ROUTES, inspected, place, facts, lists };

static ROUTES: &[NativeRoute] =
    &[NativeRoute { method: NativeMethod::Put, path: "upload/{suite}/{component*}/{file}", request: take }];

fn inspected(call: &NativeCall<'_>) -> Option<String> {
    Some(format!("pool/{}", call.value("file")))
}

fn place(call: &NativeCall<'_>, sent: &SentFile) -> Result<PutFile, String> {
    let [suite, component, file] = ["suite", "component", "file"].map(|name| call.value(name));
    check_word("a suite", suite)?;
    check_component(component)?;
    let listed = Some(format!("{suite};{component}"));
    if is_deb(file) {
        let facts: DebFacts = found(sent)?;
        let path = facts.pool_path(component);
        return Ok(PutFile { package: facts.package, version: facts.version, path, metadata: listed });
    }
    if is_dsc(file) || is_changes(file) {
        let facts: SourceFacts = found(sent)?;
        let path = pool_path(component, &facts.source, file);
        let metadata = listed.filter(|_| is_dsc(file));
        return Ok(PutFile { package: facts.source, version: facts.version, path, metadata });
    }
    let (source, version) = of_name(file)?;
    let path = pool_path(component, source, file);
    Ok(PutFile { package: source.to_owned(), version: version.to_owned(), path, metadata: None })
}

/// The source package and the version in the name of another file of an upload, such as `hello_2.10.orig.tar.gz` or
/// `hello_2.10-3_amd64.buildinfo`. Names have no epoch.
fn of_name(file: &str) -> Result<(&str, &str), String> {
    let wrong = || format!("'{}' is not the name of a file of a Debian package", quoted(file));
    let (source, rest) = file.split_once('_').ok_or_else(wrong)?;
    let ends = [".orig", ".debian.tar.", ".diff.gz", ".tar.", "_"];
    let end = ends.iter().filter_map(|end| rest.find(end)).min().ok_or_else(wrong)?;
    check_package(source)?;
    check_version(&rest[..end])?;
    Ok((source, &rest[..end]))
}

fn facts(metadata: &str, about: &[u8]) -> Option<Facts> {
    let deb: Result<DebFacts, String> = decode(about);
    let architecture = deb.map_or_else(|_| SOURCE.to_owned(), |deb| deb.architecture);
    let placement = DebPlacement::parse(&format!("{metadata};{architecture}")).ok()?;
    Some(Facts(placement.to_string()))
}

/// The files of a `.changes`, which dput sends before it.
fn lists(call: &NativeCall<'_>, sent: &SentFile) -> Result<Vec<ListedFile>, String> {
    if !is_changes(call.value("file")) {
        return Ok(Vec::new());
    }
    let changes: SourceFacts = found(sent)?;
    let listed = changes.files.iter().map(|file| {
        let path = pool_path(call.value("component"), &changes.source, &file.name);
        let path = FilePath::parse(&path).map_err(|error| error.to_string())?;
        let sha256: Digest = file.sha256.parse().map_err(|_| format!("'{}' has no SHA-256", quoted(&file.name)))?;
        Ok(ListedFile { path, sha256 })
    });
    listed.collect()
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use operations::format::Format;

    use super::{
        super::{Debian, samples, source::tests::dsc},
        *,
    };
    use crate::{
        native_samples::{sent_file, with_call},
        readers::unpack::Packing,
    };

    fn put<T>(url: &str, content: &[u8], see: fn(&NativeCall<'_>, &SentFile) -> T) -> Option<T> {
        with_call(&Debian, NativeMethod::Put, url, "", |call| {
            let path = FilePath::parse(&inspected(call).expect("a path")).expect("a path");
            let about = Debian.inspect(&path, &mut Cursor::new(content)).expect("valid").about;
            see(call, &SentFile { about, ..sent_file("", "") })
        })
    }

    #[test]
    fn a_package_goes_to_its_place_in_the_pool() {
        let bytes = samples::deb(samples::CONTROL, Packing::Zstd);
        let name = "hello_2.10-3_amd64.deb";
        let file = put(&format!("upload/stable/updates/main/{name}"), &bytes, place).expect("a route").expect("valid");
        assert_eq!((file.package.as_str(), file.version.as_str()), ("hello", "1:2.10-3"));
        assert_eq!(file.path, format!("pool/updates/main/h/hello/{name}"));
        assert_eq!(file.metadata.as_deref(), Some("stable;updates/main"));
        assert!(put(&format!("upload/a b/main/{name}"), &bytes, place).expect("a route").is_err());
        assert!(put(&format!("upload/stable/a/b/c/{name}"), &bytes, place).expect("a route").is_err());
        assert!(put("upload/stable/x.deb", &bytes, place).is_none());
    }

    #[test]
    fn the_files_of_a_source_package_are_placed_by_their_names() {
        let names = |file| of_name(file).map_err(|_| ());
        assert_eq!(names("hello_2.10.orig.tar.gz"), Ok(("hello", "2.10")));
        assert_eq!(names("hello_2.10.orig-x.tar.xz"), Ok(("hello", "2.10")));
        assert_eq!(names("hello_2.10-3.debian.tar.xz"), Ok(("hello", "2.10-3")));
        assert_eq!(names("hello_2.10-3_amd64.buildinfo"), Ok(("hello", "2.10-3")));
        assert_eq!(names("hello_2.10.tar.xz"), Ok(("hello", "2.10")));
        for bad in ["hello", "hello_1", "../x_1.tar.gz", "Hello_1.tar.gz", "hello_.tar.gz"] {
            assert!(of_name(bad).is_err(), "{bad}");
        }
        let url = "upload/stable/main/hello_2.10-3.dsc";
        let file = put(url, dsc().as_bytes(), place).expect("a route").expect("valid");
        assert_eq!((file.path.as_str(), file.version.as_str()), ("pool/main/h/hello/hello_2.10-3.dsc", "1:2.10-3"));
        let about = Debian.inspect(&FilePath::parse(&file.path).expect("a path"), &mut Cursor::new(dsc()));
        let about = about.expect("valid").about.expect("facts");
        assert_eq!(facts("stable;main", &about), Some(Facts("stable;main;source".to_owned())));
    }

    #[test]
    fn a_changes_file_lists_the_others() {
        let url = "upload/stable/main/hello_2.10-3_source.changes";
        let listed = put(url, dsc().as_bytes(), lists).expect("a route").expect("valid");
        let paths: Vec<&str> = listed.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(paths, ["pool/main/h/hello/hello_2.10.orig.tar.gz", "pool/main/h/hello/hello_2.10-3.debian.tar.xz"]);
        let file = put(url, dsc().as_bytes(), place).expect("a route").expect("valid");
        assert_eq!((file.package.as_str(), file.metadata), ("hello", None));
        assert_eq!(put("upload/stable/main/hello_2.10-3.dsc", dsc().as_bytes(), lists), Some(Ok(Vec::new())));
    }
}
