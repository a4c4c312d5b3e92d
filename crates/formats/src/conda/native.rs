//! Uploads of conda packages: `PUT <platform>/<file>`, or `PUT upload/<file>` to the folder of the package's platform.

use operations::format::{NativeCall, NativeMethod, NativeRoute, SentFile};

use super::inspect::{CondaFacts, UPLOAD, check_subdir};
use crate::put_native::{PutFile, PutNative, found, split_end, take};

/// The requests.
pub(super) static NATIVE: PutNative = PutNative { inspected, ..PutNative::of_paths(ROUTES, place) };

static ROUTES: &[NativeRoute] = &[
    NativeRoute { method: NativeMethod::Put, path: "upload/{file}.conda", request: take },
    NativeRoute { method: NativeMethod::Put, path: "upload/{file}.tar.bz2", request: take },
    NativeRoute { method: NativeMethod::Put, path: "{subdir}/{file}.conda", request: take },
    NativeRoute { method: NativeMethod::Put, path: "{subdir}/{file}.tar.bz2", request: take },
];

fn inspected(call: &NativeCall<'_>) -> Option<String> {
    call.value("subdir").is_empty().then(|| format!("{UPLOAD}{}", file_name(call)))
}

fn file_name(call: &NativeCall<'_>) -> String {
    let extension = call.route.path.split_once("{file}").map_or("", |(_, extension)| extension);
    format!("{}{extension}", call.value("file"))
}

fn place(call: &NativeCall<'_>, sent: &SentFile) -> Result<PutFile, String> {
    let (subdir, stem) = (call.value("subdir"), call.value("file"));
    if subdir.is_empty() {
        let CondaFacts { name, version, subdir, .. } = found(sent)?;
        return Ok(PutFile { package: name, version, path: format!("{subdir}/{}", file_name(call)), metadata: None });
    }
    check_subdir(subdir)?;
    let wrong = "the file name of a package is '<name>-<version>-<build>'";
    let [package, version, _] = split_end(stem).ok_or(wrong)?;
    let path = format!("{subdir}/{}", file_name(call));
    Ok(PutFile { package: package.to_owned(), version: version.to_owned(), path, metadata: None })
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use model::file_path::FilePath;
    use operations::format::Format;

    use super::{
        super::{
            format::Conda,
            samples::{INDEX, conda},
        },
        *,
    };
    use crate::native_samples::{sent_file, with_call};

    #[test]
    fn the_path_says_where_a_file_goes() {
        let put = |url: &str| with_call(&Conda, NativeMethod::Put, url, "", |call| place(call, &sent_file("", "")));
        let file = put("linux-64/my-lib-1.0-h1_0.tar.bz2").expect("a route").expect("a package");
        assert_eq!((file.package.as_str(), file.version.as_str()), ("my-lib", "1.0"));
        assert_eq!(file.path, "linux-64/my-lib-1.0-h1_0.tar.bz2");
        assert!(put("linux-64/x.conda").expect("a route").is_err());
        assert!(put("Linux/a-1-0.conda").expect("a route").is_err());
        assert!(put("linux-64/a-1-0.txt").is_none());
    }

    #[test]
    fn the_content_says_the_platform() {
        let facts = super::super::inspect::tests::look(conda(INDEX)).expect("valid");
        let name = format!("{}-{}-{}.conda", facts.name, facts.version, facts.build);
        let inspect = |name: &str| {
            let path = FilePath::parse(&format!("upload/{name}")).expect("a path");
            Conda.inspect(&path, &mut Cursor::new(conda(INDEX)))
        };
        assert!(inspect("other-1.0-0.conda").is_err());
        let sent = SentFile { about: inspect(&name).expect("valid").about, ..sent_file("", "") };
        let url = format!("upload/{name}");
        let file = with_call(&Conda, NativeMethod::Put, &url, "", |call| place(call, &sent)).expect("a route");
        assert_eq!(file.expect("a package").path, format!("{}/{name}", facts.subdir));
    }
}
