//! Uploads of .ipk files: `PUT upload/<feed>/<file>`.

use operations::format::{NativeCall, NativeMethod, NativeRoute, SentFile};

use super::inspect::IpkFacts;
use crate::put_native::{PutFile, PutNative, found, take};

/// The requests.
pub(super) static NATIVE: PutNative = PutNative { inspected, ..PutNative::of_paths(ROUTES, place) };

static ROUTES: &[NativeRoute] =
    &[NativeRoute { method: NativeMethod::Put, path: "upload/{feed*}/{file}.ipk", request: take }];

fn inspected(call: &NativeCall<'_>) -> Option<String> {
    Some(format!("{}/{}.ipk", call.value("feed"), call.value("file")))
}

fn place(call: &NativeCall<'_>, sent: &SentFile) -> Result<PutFile, String> {
    let facts: IpkFacts = found(sent)?;
    let path = inspected(call).unwrap_or_default();
    Ok(PutFile { package: facts.package, version: facts.version, path, metadata: None })
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use model::file_path::FilePath;
    use operations::format::Format;

    use super::{super::Opkg, *};
    use crate::{
        debian::samples,
        native_samples::{sent_file, with_call},
        readers::unpack::Packing,
    };

    #[test]
    fn a_package_goes_to_its_feed() {
        let path = FilePath::parse("base/x.ipk").expect("a path");
        let bytes = samples::deb(samples::CONTROL, Packing::Gzip);
        let about = Opkg.inspect(&path, &mut Cursor::new(bytes)).expect("valid").about;
        let sent = SentFile { about, ..sent_file("", "") };
        let put = |url: &str| with_call(&Opkg, NativeMethod::Put, url, "", |call| place(call, &sent));
        let file = put("upload/23.05/base/x.ipk").expect("a route").expect("a package");
        assert_eq!((file.package.as_str(), file.version.as_str()), ("hello", "1:2.10-3"));
        assert_eq!(file.path, "23.05/base/x.ipk");
        assert!(put("upload/x.ipk").is_none());
    }
}
