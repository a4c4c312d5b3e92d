//! Uploads of RPM packages: `PUT upload/<file>`, or `PUT upload/<folder>/<file>`.

use operations::format::{NativeCall, NativeMethod, NativeRoute, SentFile};

use super::inspect::RpmFacts;
use crate::put_native::{PutFile, PutNative, found, take};

/// The requests.
pub(super) static NATIVE: PutNative = PutNative { inspected, ..PutNative::of_paths(ROUTES, place) };

static ROUTES: &[NativeRoute] = &[
    NativeRoute { method: NativeMethod::Put, path: "upload/{file}.rpm", request: take },
    NativeRoute { method: NativeMethod::Put, path: "upload/{folder*}/{file}.rpm", request: take },
];

fn inspected(call: &NativeCall<'_>) -> Option<String> {
    Some(format!("{}.rpm", call.value("file")))
}

fn place(call: &NativeCall<'_>, sent: &SentFile) -> Result<PutFile, String> {
    let facts: RpmFacts = found(sent)?;
    let path = match call.value("folder") {
        "" => facts.usual_path(),
        folder => format!("{folder}/{}.rpm", call.value("file")),
    };
    let version = facts.full_version();
    Ok(PutFile { package: facts.name, version, path, metadata: None })
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use model::file_path::FilePath;
    use operations::format::Format;

    use super::{
        super::{Rpm, samples},
        *,
    };
    use crate::native_samples::{sent_file, with_call};

    #[test]
    fn the_header_says_where_a_package_goes() {
        let path = FilePath::parse("x.rpm").expect("a path");
        let about = Rpm.inspect(&path, &mut Cursor::new(samples::rpm(&samples::hello()))).expect("valid").about;
        let sent = SentFile { about, ..sent_file("", "") };
        let put = |url: &str| with_call(&Rpm, NativeMethod::Put, url, "", |call| place(call, &sent));
        let file = put("upload/x.rpm").expect("a route").expect("a package");
        assert_eq!((file.package.as_str(), file.version.as_str()), ("hello", "2.10-3"));
        assert_eq!(file.path, "Packages/h/hello-2.10-3.x86_64.rpm");
        let file = put("upload/9/x86_64/y.rpm").expect("a route").expect("a package");
        assert_eq!(file.path, "9/x86_64/y.rpm");
        assert!(put("upload/x.txt").is_none());
    }
}
