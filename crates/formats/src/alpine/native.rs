//! Uploads of Alpine packages: `PUT <branch>/<repository>/<architecture>/<file>`.

use operations::format::{NativeCall, NativeMethod, NativeRoute};

use crate::put_native::{PutFile, PutNative, split_end, take};

/// The requests.
pub(super) static NATIVE: PutNative = PutNative { routes: ROUTES, place };

static ROUTES: &[NativeRoute] =
    &[NativeRoute { method: NativeMethod::Put, path: "{branch}/{repository}/{arch}/{file}.apk", request: take }];

fn place(call: &NativeCall<'_>) -> Result<PutFile, String> {
    let stem = call.value("file");
    let [package, version, release] = split_end(stem).ok_or("the file name of a package is '<name>-<version>-r<n>'")?;
    let [branch, repository, arch] = ["branch", "repository", "arch"].map(|name| call.value(name));
    let path = format!("{branch}/{repository}/{arch}/{stem}.apk");
    Ok(PutFile { package: package.to_owned(), version: format!("{version}-{release}"), path })
}

#[cfg(test)]
mod tests {
    use super::{super::format::Alpine, *};
    use crate::native_samples::with_call;

    #[test]
    fn the_path_says_where_a_file_goes() {
        let put = |url: &str| with_call(&Alpine, NativeMethod::Put, url, "", place);
        let file = put("v3.20/main/x86_64/my-lib-1.0-r2.apk").expect("a route").expect("a package");
        assert_eq!((file.package.as_str(), file.version.as_str()), ("my-lib", "1.0-r2"));
        assert_eq!(file.path, "v3.20/main/x86_64/my-lib-1.0-r2.apk");
        assert!(put("v3.20/main/x86_64/a-1.apk").expect("a route").is_err());
        assert!(put("main/x86_64/a-1-r0.apk").is_none());
    }
}
