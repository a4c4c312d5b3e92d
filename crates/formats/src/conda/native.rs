//! Uploads of conda packages: `PUT <platform>/<file>`.

use operations::format::{NativeCall, NativeMethod, NativeRoute};

use super::inspect::check_subdir;
use crate::put_native::{PutFile, PutNative, split_end, take};

/// The requests.
pub(super) static NATIVE: PutNative = PutNative { routes: ROUTES, place };

static ROUTES: &[NativeRoute] = &[
    NativeRoute { method: NativeMethod::Put, path: "{subdir}/{file}.conda", request: take },
    NativeRoute { method: NativeMethod::Put, path: "{subdir}/{file}.tar.bz2", request: take },
];

fn place(call: &NativeCall<'_>) -> Result<PutFile, String> {
    let (subdir, stem) = (call.value("subdir"), call.value("file"));
    check_subdir(subdir)?;
    let wrong = "the file name of a package is '<name>-<version>-<build>'";
    let [package, version, _] = split_end(stem).ok_or(wrong)?;
    let extension = call.route.path.split_once("{file}").map_or("", |(_, extension)| extension);
    let path = format!("{subdir}/{stem}{extension}");
    Ok(PutFile { package: package.to_owned(), version: version.to_owned(), path })
}

#[cfg(test)]
mod tests {
    use super::{super::format::Conda, *};
    use crate::native_samples::with_call;

    #[test]
    fn the_path_says_where_a_file_goes() {
        let put = |url: &str| with_call(&Conda, NativeMethod::Put, url, "", place);
        let file = put("linux-64/my-lib-1.0-h1_0.tar.bz2").expect("a route").expect("a package");
        assert_eq!((file.package.as_str(), file.version.as_str()), ("my-lib", "1.0"));
        assert_eq!(file.path, "linux-64/my-lib-1.0-h1_0.tar.bz2");
        assert!(put("linux-64/x.conda").expect("a route").is_err());
        assert!(put("Linux/a-1-0.conda").expect("a route").is_err());
        assert!(put("linux-64/a-1-0.txt").is_none());
    }
}
