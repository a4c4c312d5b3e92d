//! Uploads of R packages: `PUT upload/<file>` for sources, and `PUT bin/...` for binaries. Old versions are also found in
//! the archive.

use model::file_path::FilePath;
use operations::format::{NativeCall, NativeMethod, NativeRequest, NativeRoute, Refusal, SentFile};

use super::{
    inspect::CranFacts,
    placement::{archived, source_path},
};
use crate::put_native::{PutFile, PutNative, found, take};

/// The requests.
pub(super) static NATIVE: PutNative = PutNative { inspected, ..PutNative::of_paths(ROUTES, place) };

static ROUTES: &[NativeRoute] = &[
    NativeRoute { method: NativeMethod::Get, path: "src/contrib/Archive/{package}/{file}.tar.gz", request: old_file },
    put("upload/{file}.tar.gz"),
    put("src/contrib/{file}.tar.gz"),
    put("bin/windows/contrib/{r}/{file}.zip"),
    put("bin/macosx/contrib/{r}/{file}.tgz"),
    put("bin/macosx/{system}/contrib/{r}/{file}.tgz"),
];

const fn put(path: &'static str) -> NativeRoute {
    NativeRoute { method: NativeMethod::Put, path, request: take }
}

fn old_file(call: &NativeCall<'_>) -> Result<NativeRequest, Refusal> {
    let path = format!("src/contrib/Archive/{}/{}.tar.gz", call.value("package"), call.value("file"));
    let path = archived(&path).and_then(|path| FilePath::parse(&path).ok()).ok_or(Refusal::NotFound)?;
    Ok(NativeRequest::Read { path, media_type: None, varies: false })
}

/// The path of the file, which is that of the request for all but `upload`.
fn inspected(call: &NativeCall<'_>) -> Option<String> {
    if call.route.path.starts_with("upload/") {
        return Some(source_path(&format!("{}.tar.gz", call.value("file"))));
    }
    let fill = |path: String, name: &str| path.replace(&format!("{{{name}}}"), call.value(name));
    Some(["r", "system", "file"].into_iter().fold(call.route.path.to_owned(), fill))
}

fn place(call: &NativeCall<'_>, sent: &SentFile) -> Result<PutFile, String> {
    let facts: CranFacts = found(sent)?;
    let path = inspected(call).unwrap_or_default();
    Ok(PutFile { package: facts.package, version: facts.version, path, metadata: None })
}

#[cfg(test)]
mod tests {
    use super::{
        super::{
            Cran,
            inspect::tests::{DESCRIPTION, package},
        },
        *,
    };
    use crate::native_samples::{request, sent_file, with_call};

    #[test]
    fn a_package_goes_to_its_folder() {
        use operations::format::Format;
        let path = FilePath::parse("src/contrib/hellotiny_1.0.tar.gz").expect("a path");
        let about =
            Cran.inspect(&path, &mut std::io::Cursor::new(package(DESCRIPTION.as_bytes()))).expect("valid").about;
        let sent = SentFile { about, ..sent_file("", "") };
        let put = |url: &str| with_call(&Cran, NativeMethod::Put, url, "", |call| place(call, &sent));
        let file = put("upload/hellotiny_1.0.tar.gz").expect("a route").expect("a package");
        assert_eq!((file.package.as_str(), file.version.as_str()), ("hellotiny", "1.0"));
        assert_eq!(file.path, "src/contrib/hellotiny_1.0.tar.gz");
        for path in [
            "src/contrib/a_1.0.tar.gz",
            "bin/windows/contrib/4.5/a_1.0.zip",
            "bin/macosx/contrib/4.5/a_1.0.tgz",
            "bin/macosx/big-sur-arm64/contrib/4.5/a_1.0.tgz",
        ] {
            assert_eq!(put(path).expect("a route").expect("a package").path, path);
        }
        assert!(put("upload/a_1.0.zip").is_none());
    }

    #[test]
    fn old_versions_are_in_the_archive() {
        let read = |url| request(&Cran, NativeMethod::Get, url, "").expect("a route");
        let path = FilePath::parse("src/contrib/a_1.0.tar.gz").expect("a path");
        let expected = NativeRequest::Read { path, media_type: None, varies: false };
        assert_eq!(read("src/contrib/Archive/a/a_1.0.tar.gz"), Ok(expected));
        assert_eq!(read("src/contrib/Archive/b/a_1.0.tar.gz"), Err(Refusal::NotFound));
    }
}
