//! Requests of pacman, and uploads: `PUT upload/<file>`.

use model::file_path::FilePath;
use operations::format::{NativeCall, NativeMethod, NativeRequest, NativeRoute, Refusal, SentFile};

use super::placement::ANY;
use crate::put_native::{PutFile, PutNative, split_end, take};

/// The requests. pacman asks for packages in the folder of its own architecture, also for those of any.
pub(super) static NATIVE: PutNative = PutNative::of_paths(ROUTES, place);

static ROUTES: &[NativeRoute] = &[
    get("{arch}/{file}-any.pkg.tar.zst"),
    get("{arch}/{file}-any.pkg.tar.zst.sig"),
    get("{arch}/{file}-any.pkg.tar.xz"),
    get("{arch}/{file}-any.pkg.tar.xz.sig"),
    get("{arch}/{file}-any.pkg.tar.gz"),
    get("{arch}/{file}-any.pkg.tar.gz.sig"),
    put("upload/{file}.pkg.tar.zst"),
    put("upload/{file}.pkg.tar.zst.sig"),
    put("upload/{file}.pkg.tar.xz"),
    put("upload/{file}.pkg.tar.xz.sig"),
    put("upload/{file}.pkg.tar.gz"),
    put("upload/{file}.pkg.tar.gz.sig"),
];

const fn get(path: &'static str) -> NativeRoute {
    NativeRoute { method: NativeMethod::Get, path, request: any_file }
}

const fn put(path: &'static str) -> NativeRoute {
    NativeRoute { method: NativeMethod::Put, path, request: take }
}

/// The part of a route's path after the file's name.
fn extension(call: &NativeCall<'_>) -> &'static str {
    call.route.path.split_once("{file}").map_or("", |(_, extension)| extension)
}

fn any_file(call: &NativeCall<'_>) -> Result<NativeRequest, Refusal> {
    let path = format!("{ANY}/{}{}", call.value("file"), extension(call));
    let path = FilePath::parse(&path).map_err(|_| Refusal::NotFound)?;
    Ok(NativeRequest::Read { path, media_type: None, varies: false })
}

fn place(call: &NativeCall<'_>, _sent: &SentFile) -> Result<PutFile, String> {
    let stem = call.value("file");
    let wrong = "the file name of a package is '<name>-<version>-<release>-<architecture>'";
    let [package, version, release, architecture] = split_end(stem).ok_or(wrong)?;
    let path = format!("{architecture}/{stem}{}", extension(call));
    Ok(PutFile { package: package.to_owned(), version: format!("{version}-{release}"), path, metadata: None })
}

#[cfg(test)]
mod tests {
    use super::{super::format::Arch, *};
    use crate::native_samples::{request, sent_file, with_call};

    #[test]
    fn packages_for_any_have_one_folder() {
        let read = request(&Arch, NativeMethod::Get, "x86_64/a-1:2-1-any.pkg.tar.zst.sig", "").expect("a route");
        let path = FilePath::parse("any/a-1:2-1-any.pkg.tar.zst.sig").expect("a path");
        assert_eq!(read, Ok(NativeRequest::Read { path, media_type: None, varies: false }));
        assert!(request(&Arch, NativeMethod::Get, "x86_64/a-1-1-x86_64.pkg.tar.zst", "").is_none());
    }

    #[test]
    fn the_file_name_says_where_an_upload_goes() {
        let put = |url: &str| with_call(&Arch, NativeMethod::Put, url, "", |call| place(call, &sent_file("", "")));
        let file = put("upload/my-lib-1:1.0-2-x86_64.pkg.tar.xz.sig").expect("a route").expect("a package");
        assert_eq!((file.package.as_str(), file.version.as_str()), ("my-lib", "1:1.0-2"));
        assert_eq!(file.path, "x86_64/my-lib-1:1.0-2-x86_64.pkg.tar.xz.sig");
        assert!(put("upload/a-1.pkg.tar.zst").expect("a route").is_err());
    }
}
