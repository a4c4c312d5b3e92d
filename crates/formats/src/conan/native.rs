//! What uploads mean, and the answers to Conan.

use model::{
    file_path::FilePath,
    names::{PackageName, VersionName},
};
use operations::format::{
    Accepted, Dialect, Native, NativeAnswer, NativeCall, NativeFile, NativeProfile, NativePublish, NativeRoute,
    Refusal, Rows, Sent,
};

use super::{
    answers, documents,
    files::MANIFEST,
    format::Conan,
    pattern,
    reference::ConanReference,
    routes::{self, ROUTES},
};

impl Native for Conan {
    fn dialect(&self) -> Dialect {
        Dialect::Line
    }

    fn routes(&self) -> &'static [NativeRoute] {
        ROUTES
    }

    fn headers(&self) -> &'static [(&'static str, &'static str)] {
        &[answers::CAPABILITIES]
    }

    fn accept(&self, call: &NativeCall<'_>, _sent: &Sent) -> Result<Accepted, Refusal> {
        let publish = publish_of(call).map_err(Refusal::Invalid)?;
        Ok(Accepted::Publish(Box::new(publish)))
    }

    /// Nothing of a revision is shown before its manifest is there, which Conan sends last.
    fn stages(&self, _call: &NativeCall<'_>, _publish: &NativePublish) -> bool {
        true
    }

    fn completes(&self, publish: &NativePublish) -> bool {
        publish.files.iter().any(|file| file.path.file_name() == MANIFEST)
    }

    fn answer(&self, call: &NativeCall<'_>, rows: &Rows) -> Option<NativeAnswer> {
        let content = match rows {
            Rows::Package(package) => documents::document(call, package)?,
            Rows::Versions(versions) => search(call, versions),
            _ => return None,
        };
        Some(NativeAnswer { status: 200, media_type: "application/json", content })
    }

    fn done(&self, _call: &NativeCall<'_>) -> NativeAnswer {
        NativeAnswer { status: 200, media_type: "text/plain; charset=utf-8", content: String::new() }
    }

    fn token_issued(&self, _call: &NativeCall<'_>, token: &str) -> Option<NativeAnswer> {
        Some(NativeAnswer { status: 200, media_type: "text/plain; charset=utf-8", content: token.to_owned() })
    }
}

fn publish_of(call: &NativeCall<'_>) -> Result<NativePublish, String> {
    let file = routes::file(call)?;
    let path = FilePath::parse_new(&file.path()).map_err(|error| error.to_string())?;
    Ok(NativePublish {
        package: file.reference.package()?,
        version: file.reference.version_name()?,
        files: vec![NativeFile { part: 0, path, metadata: None }],
        profile: NativeProfile::default(),
        tags: Vec::new(),
    })
}

fn search(call: &NativeCall<'_>, versions: &[(String, String)]) -> String {
    let wanted = call.query("q").filter(|pattern| !pattern.is_empty()).unwrap_or("*");
    let ignores_case = call.query("ignorecase").is_none_or(|value| !value.eq_ignore_ascii_case("false"));
    let reference = |(package, version): &(String, String)| {
        let (package, version) = (PackageName::parse(package).ok()?, VersionName::parse(version).ok()?);
        ConanReference::of_version(&package, &version)
    };
    let references = versions.iter().filter_map(reference);
    let found: Vec<_> = references.filter(|found| pattern::matches(wanted, found, ignores_case)).collect();
    answers::search_answer(&found)
}

#[cfg(test)]
mod tests;
