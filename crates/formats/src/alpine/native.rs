//! Uploads of Alpine packages: `PUT <branch>/<repository>/<architecture>/<file>`, or
//! `PUT upload/<branch>/<repository>/<file>` to the folder of the package's architecture.

use operations::format::{NativeCall, NativeMethod, NativeRoute, SentFile};

use super::{inspect::ApkFacts, placement::UPLOAD};
use crate::put_native::{PutFile, PutNative, found, split_end, take};

/// The requests.
pub(super) static NATIVE: PutNative = PutNative { inspected, ..PutNative::of_paths(ROUTES, place) };

static ROUTES: &[NativeRoute] = &[
    NativeRoute { method: NativeMethod::Put, path: "upload/{branch}/{repository}/{file}.apk", request: take },
    NativeRoute { method: NativeMethod::Put, path: "{branch}/{repository}/{arch}/{file}.apk", request: take },
];

fn inspected(call: &NativeCall<'_>) -> Option<String> {
    let [branch, repository, file] = ["branch", "repository", "file"].map(|name| call.value(name));
    call.value("arch").is_empty().then(|| format!("{branch}/{repository}/{UPLOAD}/{file}.apk"))
}

fn place(call: &NativeCall<'_>, sent: &SentFile) -> Result<PutFile, String> {
    let stem = call.value("file");
    let [branch, repository, arch] = ["branch", "repository", "arch"].map(|name| call.value(name));
    if arch.is_empty() {
        let ApkFacts { name, version, architecture, .. } = found(sent)?;
        let path = format!("{branch}/{repository}/{architecture}/{stem}.apk");
        return Ok(PutFile { package: name, version, path, metadata: None });
    }
    let [package, version, release] = split_end(stem).ok_or("the file name of a package is '<name>-<version>-r<n>'")?;
    let path = format!("{branch}/{repository}/{arch}/{stem}.apk");
    Ok(PutFile { package: package.to_owned(), version: format!("{version}-{release}"), path, metadata: None })
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use model::file_path::FilePath;
    use operations::format::Format;

    use super::{
        super::{
            format::Alpine,
            samples::{PKGINFO, apk},
        },
        *,
    };
    use crate::native_samples::{sent_file, with_call};

    #[test]
    fn the_path_says_where_a_file_goes() {
        let put = |url: &str| with_call(&Alpine, NativeMethod::Put, url, "", |call| place(call, &sent_file("", "")));
        let file = put("v3.20/main/x86_64/my-lib-1.0-r2.apk").expect("a route").expect("a package");
        assert_eq!((file.package.as_str(), file.version.as_str()), ("my-lib", "1.0-r2"));
        assert_eq!(file.path, "v3.20/main/x86_64/my-lib-1.0-r2.apk");
        assert!(put("v3.20/main/x86_64/a-1.apk").expect("a route").is_err());
        assert!(put("main/x86_64/a-1-r0.apk").is_none());
    }

    #[test]
    fn the_content_says_the_folder() {
        let bytes = apk(&PKGINFO.replace("arch = x86_64", "arch = noarch"));
        let url = "upload/v3.20/main/hello-1.0-r0.apk";
        let file = with_call(&Alpine, NativeMethod::Put, url, "", |call| {
            let path = FilePath::parse(&inspected(call).expect("a path")).expect("a path");
            let about = Alpine.inspect(&path, &mut Cursor::new(bytes)).expect("valid").about;
            place(call, &SentFile { about, ..sent_file("", "") })
        });
        assert_eq!(file.expect("a route").expect("a package").path, "v3.20/main/noarch/hello-1.0-r0.apk");
    }
}
