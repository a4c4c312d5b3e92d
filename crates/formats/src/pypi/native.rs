//! What uploads mean, and the answers to PyPI's clients.

use model::names::{PackageName, VersionName};
use operations::format::{
    Accepted, Dialect, Native, NativeAnswer, NativeCall, NativeFile, NativeProfile, NativePublish, NativeRoute,
    Refusal, Rows, Sent,
};

use super::{
    accept::PageForm,
    format::{Pypi, distribution, version_key},
    routes::ROUTES,
    simple,
    upload::{Upload, UploadForm, UploadedFile},
};
use crate::profile;

/// Labels of project URLs, in lower case and with letters only, by what they lead to.
const SOURCES: &[&str] = &["source", "sourcecode", "repository", "code", "github", "gitlab"];
const TRACKERS: &[&str] = &["issues", "issuetracker", "bugtracker", "bugs", "tracker", "bugreports"];
const HOMEPAGES: &[&str] = &["homepage", "home", "website"];

impl Native for Pypi {
    fn dialect(&self) -> Dialect {
        Dialect::Line
    }

    fn routes(&self) -> &'static [NativeRoute] {
        ROUTES
    }

    fn accept(&self, _call: &NativeCall<'_>, sent: &Sent) -> Result<Accepted, Refusal> {
        let files = sent.files.iter().map(|file| UploadedFile {
            field: file.field.clone(),
            file_name: file.file_name.clone(),
            sha256: file.sha256,
        });
        let form = UploadForm { fields: sent.fields.clone(), files: files.collect() };
        let upload = form.check().map_err(Refusal::Invalid)?;
        let invalid = |error: &dyn ToString| Refusal::Invalid(error.to_string());
        let distribution = &upload.distribution;
        Ok(Accepted::Publish(Box::new(NativePublish {
            package: PackageName::parse(distribution.project.normalized()).map_err(|error| invalid(&error))?,
            version: VersionName::parse(&distribution.version.to_string()).map_err(|error| invalid(&error))?,
            profile: profile_of(&form, &upload),
            files: files_of(upload),
            tags: Vec::new(),
        })))
    }

    fn answer(&self, call: &NativeCall<'_>, rows: &Rows) -> Option<NativeAnswer> {
        let Rows::Packages { packages, .. } = rows else { return None };
        let names: Vec<&str> = packages.iter().map(|package| package.name.as_str()).collect();
        let form = PageForm::choose(call.accept);
        let content = if form == PageForm::Json { simple::list_json(&names) } else { simple::list_html(&names) };
        Some(NativeAnswer { status: 200, media_type: form.content_type(), content })
    }

    fn done(&self, _call: &NativeCall<'_>) -> NativeAnswer {
        NativeAnswer { status: 200, media_type: "text/plain", content: String::new() }
    }

    fn conflict(&self, publish: &NativePublish, reason: String) -> Refusal {
        let file = publish.files.first().and_then(|file| distribution(&file.path));
        let key = file.map(|file| version_key(&file.project, &file.version));
        Refusal::Invalid(match key {
            Some(key) if reason.contains(&format!("'{key}'")) => {
                format!("version '{}' exists in another spelling: {reason}", publish.version)
            }
            // Clients look for these words in an answer with status 400.
            _ => format!("File already exists: {reason}"),
        })
    }
}

fn files_of(upload: Upload) -> Vec<NativeFile> {
    let content = NativeFile { part: upload.content, path: upload.path, metadata: None };
    let signature = upload.signature.map(|(part, path)| NativeFile { part, path, metadata: None });
    [Some(content), signature].into_iter().flatten().collect()
}

/// The form fills an empty profile only.
fn profile_of(form: &UploadForm, upload: &Upload) -> NativeProfile {
    let all = |name: &'static str| {
        form.fields.iter().filter(move |(field, _)| field == name).map(|(_, value)| value.as_str())
    };
    let labelled: Vec<(String, String)> = all("project_urls").filter_map(labelled_url).collect();
    let url = |labels: &[&str]| {
        labelled.iter().find(|(label, _)| labels.contains(&label.as_str())).map(|(_, url)| url.clone())
    };
    profile::cleaned(NativeProfile {
        description: upload.summary.clone(),
        licenses: upload.license.as_deref().map(profile::licenses).unwrap_or_default(),
        website: upload.home_page.clone().or_else(|| url(HOMEPAGES)),
        vcs: url(SOURCES),
        issue_tracker: url(TRACKERS),
        labels: all("keywords").flat_map(|words| words.split(',')).map(str::to_owned).collect(),
    })
}

fn labelled_url(entry: &str) -> Option<(String, String)> {
    let (label, url) = entry.split_once(',')?;
    let label = label.chars().filter(char::is_ascii_alphabetic).map(|c| c.to_ascii_lowercase()).collect();
    Some((label, url.trim().to_owned()))
}

#[cfg(test)]
mod tests;
