//! What pushes mean, and the answers to NuGet's clients.

use model::file_path::FilePath;
use operations::format::{
    Accepted, Dialect, Native, NativeAnswer, NativeCall, NativeFile, NativeMethod, NativeProfile, NativePublish,
    NativeRoute, Refusal, Rows, Sent,
};

use super::{
    answers,
    format::{Nuget, UNNAMED, owner},
    layout::{package_path, symbols_path},
    nuspec::Nuspec,
    push::package_part,
    routes::{ROUTES, SYMBOLS},
};
use crate::profile;

impl Native for Nuget {
    fn dialect(&self) -> Dialect {
        Dialect::Line
    }

    fn routes(&self) -> &'static [NativeRoute] {
        ROUTES
    }

    fn unnamed_file(&self, call: &NativeCall<'_>) -> Option<FilePath> {
        FilePath::parse(UNNAMED).ok().filter(|_| call.route.method == NativeMethod::Put)
    }

    fn accept(&self, call: &NativeCall<'_>, sent: &Sent) -> Result<Accepted, Refusal> {
        let is_symbols = call.route.path.starts_with(SYMBOLS);
        let publish = publish_of(sent, is_symbols).map_err(Refusal::Invalid)?;
        Ok(Accepted::Publish(Box::new(publish)))
    }

    fn answer(&self, call: &NativeCall<'_>, rows: &Rows) -> Option<NativeAnswer> {
        let content = answers::document(call, rows)?;
        Some(NativeAnswer { status: 200, media_type: "application/json", content })
    }

    fn done(&self, call: &NativeCall<'_>) -> NativeAnswer {
        let status = match call.route.method {
            NativeMethod::Put => 201,
            NativeMethod::Delete => 204,
            _ => 200,
        };
        NativeAnswer { status, media_type: "text/plain", content: String::new() }
    }

    fn repeated(&self, publish: &NativePublish) -> Option<Refusal> {
        Some(Refusal::Conflict(exists(publish)))
    }

    fn conflict(&self, publish: &NativePublish, reason: String) -> Refusal {
        Refusal::Conflict(format!("{} {reason}", exists(publish)))
    }
}

fn exists(publish: &NativePublish) -> String {
    format!("The feed already contains '{} {}'.", publish.package, publish.version)
}

fn publish_of(sent: &Sent, is_symbols: bool) -> Result<NativePublish, String> {
    package_part(sent.files.len())?;
    let about = sent.files[0].about.as_deref().ok_or("the package was not inspected")?;
    let nuspec = Nuspec::parse(about)?;
    let version = nuspec.version()?;
    let of_path = owner(&nuspec.id, &version)?;
    let path = if is_symbols { symbols_path(&nuspec.id, &version) } else { package_path(&nuspec.id, &version) };
    let path = FilePath::parse_new(&path).map_err(|error| error.to_string())?;
    Ok(NativePublish {
        package: of_path.package.ok_or("the package has no id")?,
        version: of_path.version.ok_or("the package has no version")?,
        files: vec![NativeFile { part: 0, path, metadata: None }],
        profile: profile_of(nuspec),
        tags: Vec::new(),
    })
}

fn profile_of(nuspec: Nuspec) -> NativeProfile {
    profile::cleaned(NativeProfile {
        description: Some(nuspec.description),
        licenses: nuspec.license_expression.as_deref().map(profile::licenses).unwrap_or_default(),
        website: nuspec.project_url,
        vcs: None,
        issue_tracker: None,
        labels: nuspec.tags,
    })
}

#[cfg(test)]
mod tests;
