//! The requests of the go command, and the upload of modules.

use model::{file_path::FilePath, names::VersionName};
use operations::format::{
    Accepted, Body, Dialect, Native, NativeAnswer, NativeCall, NativeFile, NativeMethod, NativeProfile, NativePublish,
    NativeRequest, NativeRoute, Refusal, Rows, Sent,
};

use super::{GoPath, format::Go, layout::file_path};
use crate::readers::quoted;

/// The maximum size of an `.info` or a `.mod`, which are read and not stored.
const DOCUMENT_BYTES: usize = 1 << 20;

/// The table. Everything that is read is a file, a part of one, or an index.
static ROUTES: &[NativeRoute] = &[
    NativeRoute { method: NativeMethod::Get, path: "sumdb/{rest*}", request: no_checksums },
    NativeRoute { method: NativeMethod::Put, path: "{module*}/@v/{file}", request: upload },
];

/// The repository is not a checksum database, and passes no requests on to one.
fn no_checksums(_call: &NativeCall<'_>) -> Result<NativeRequest, Refusal> {
    Err(Refusal::NotFound)
}

fn upload(call: &NativeCall<'_>) -> Result<NativeRequest, Refusal> {
    Ok(NativeRequest::Take(match path(call)? {
        GoPath::Zip(module, version) => {
            module.check_version(&version).map_err(Refusal::Invalid)?;
            Body::Raw
        }
        _ => Body::Text(DOCUMENT_BYTES),
    }))
}

/// The file of a version that an upload names.
fn path(call: &NativeCall<'_>) -> Result<GoPath, Refusal> {
    let text = format!("{}/@v/{}", call.value("module"), call.value("file"));
    let other = || Refusal::Invalid(format!("'{}' is not '<module>/@v/<version>.zip' of v1.2.3", quoted(&text)));
    match GoPath::parse(&text).map_err(Refusal::Invalid)? {
        Some(GoPath::List(_) | GoPath::Latest(_)) | None => Err(other()),
        Some(found) => Ok(found),
    }
}

impl Native for Go {
    fn dialect(&self) -> Dialect {
        Dialect::Line
    }

    fn routes(&self) -> &'static [NativeRoute] {
        ROUTES
    }

    fn accept(&self, call: &NativeCall<'_>, sent: &Sent) -> Result<Accepted, Refusal> {
        // An .info or a .mod is made of the zip, so one that is sent changes nothing.
        let GoPath::Zip(module, version) = path(call)? else { return Ok(Accepted::Changes(Vec::new())) };
        if sent.files.len() != 1 {
            return Err(Refusal::Invalid("the body is not one zip".to_owned()));
        }
        let invalid = |error: &dyn ToString| Refusal::Invalid(error.to_string());
        let path = FilePath::parse_new(&file_path(&module, &version, "zip")).map_err(|error| invalid(&error))?;
        Ok(Accepted::Publish(Box::new(NativePublish {
            package: module.package().map_err(Refusal::Invalid)?,
            version: VersionName::parse_new(version.as_str()).map_err(|error| invalid(&error))?,
            files: vec![NativeFile { part: 0, path, metadata: None }],
            profile: NativeProfile::default(),
            tags: Vec::new(),
        })))
    }

    fn answer(&self, _call: &NativeCall<'_>, _rows: &Rows) -> Option<NativeAnswer> {
        None
    }

    fn done(&self, _call: &NativeCall<'_>) -> NativeAnswer {
        NativeAnswer { status: 201, media_type: "text/plain; charset=utf-8", content: String::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::native_samples::{request, sent_file, with_call};

    fn put(url: &str) -> Option<Result<NativeRequest, Refusal>> {
        request(&Go, NativeMethod::Put, url, "")
    }

    fn accept(url: &str, files: usize) -> Result<Accepted, Refusal> {
        let sent = Sent { files: vec![sent_file("file", ""); files], ..Sent::default() };
        with_call(&Go, NativeMethod::Put, url, "", |call| Go.accept(call, &sent)).expect("a route")
    }

    #[test]
    fn a_zip_is_published() {
        let url = "github.com/!azure/x/@v/v1.0.0-!r!c1.zip";
        assert_eq!(put(url), Some(Ok(NativeRequest::Take(Body::Raw))));
        let Ok(Accepted::Publish(publish)) = accept(url, 1) else { panic!("a publish") };
        assert_eq!((publish.package.as_str(), publish.version.as_str()), ("github.com:Azure:x", "v1.0.0-RC1"));
        assert_eq!(publish.files[0].path.as_str(), url);
        assert!(accept(url, 0).is_err() && accept(url, 2).is_err());
        assert_eq!(with_call(&Go, NativeMethod::Put, url, "", |call| Go.done(call).status), Some(201));
    }

    #[test]
    fn other_files_of_a_version_are_read_and_ignored() {
        for url in ["a.b/c/@v/v1.0.0.info", "a.b/c/@v/v1.0.0.mod"] {
            assert_eq!(put(url), Some(Ok(NativeRequest::Take(Body::Text(DOCUMENT_BYTES)))), "{url}");
            assert_eq!(accept(url, 0), Ok(Accepted::Changes(Vec::new())), "{url}");
        }
    }

    #[test]
    fn bad_paths_are_refused() {
        for bad in [
            "!Az.b/c/@v/v1.0.0.zip",
            "a.b/Az/@v/v1.0.0.zip",
            "a.b/@v/c/@v/v1.0.0.zip",
            "a.b/c/@v/v1.zip",
            "a.b/c/@v/v1.0.0+meta.zip",
            "a.b/c/@v/main.zip",
            "a.b/c/@v/list",
            "a.b/c/@v/v2.0.0.zip",
            "a.b/c/v2/@v/v1.0.0.zip",
            "nodot/c/@v/v1.0.0.zip",
        ] {
            assert!(matches!(put(bad), Some(Err(Refusal::Invalid(_)))), "{bad}");
        }
        assert_eq!(put("a.b//c/@v/v1.0.0.zip"), None);
        let sums = request(&Go, NativeMethod::Get, "sumdb/sum.golang.org/supported", "");
        assert_eq!(sums, Some(Err(Refusal::NotFound)));
    }
}
