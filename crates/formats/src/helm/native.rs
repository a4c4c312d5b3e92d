//! ChartMuseum's way to publish, list and delete: calls below `api`. Charts are also taken by a plain PUT.

use model::{
    digest::Digest,
    file_path::FilePath,
    names::{PackageName, VersionName},
};
use operations::format::{
    Accepted, Body, Dialect, ListedFile, Native, NativeAnswer, NativeCall, NativeChange, NativeFile, NativeMethod,
    NativeProfile, NativePublish, NativeRequest, NativeRoute, Question, Refusal, Rows, Sent, SentFile,
};
use serde::{Deserialize, Serialize};

use super::{
    format::{UNNAMED, names},
    index,
    inspect::ChartFacts,
    provenance, version,
};
use crate::indexed::{DescribedFile, decode};

/// The requests of ChartMuseum's clients.
#[derive(Debug)]
pub struct ChartMuseum;

/// The path of one version.
const VERSION: &str = "api/charts/{name}/{version}";

const ROUTES: &[NativeRoute] = &[
    route(NativeMethod::Post, "api/charts", |_| Ok(NativeRequest::Take(Body::FormOrFile))),
    route(NativeMethod::Post, "api/prov", |_| Ok(NativeRequest::Take(Body::FormOrFile))),
    route(NativeMethod::Put, "{file}.tgz", |_| Ok(NativeRequest::Take(Body::Raw))),
    route(NativeMethod::Get, VERSION, |call| {
        Ok(NativeRequest::Ask(Question::Version(package(call)?, call.value("version").to_owned())))
    }),
    route(NativeMethod::Delete, VERSION, |call| {
        let version = VersionName::parse(call.value("version")).map_err(|_| Refusal::NotFound)?;
        Ok(NativeRequest::Change(vec![NativeChange::DeleteVersion { package: package(call)?, version }]))
    }),
    route(NativeMethod::Get, "health", |_| Ok(NativeRequest::Say(json(200, "{\"healthy\":true}")))),
];

const fn route(
    method: NativeMethod,
    path: &'static str,
    request: fn(&NativeCall<'_>) -> Result<NativeRequest, Refusal>,
) -> NativeRoute {
    NativeRoute { method, path, request }
}

fn package(call: &NativeCall<'_>) -> Result<PackageName, Refusal> {
    PackageName::parse(call.value("name")).map_err(|_| Refusal::NotFound)
}

fn json(status: u16, content: &str) -> NativeAnswer {
    NativeAnswer { status, media_type: "application/json", content: content.to_owned() }
}

/// A file of a request.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum SentPart {
    /// A chart.
    Chart(ChartFacts),
    /// The text of a provenance file.
    Provenance(String),
}

impl Native for ChartMuseum {
    fn dialect(&self) -> Dialect {
        Dialect::Error
    }

    fn routes(&self) -> &'static [NativeRoute] {
        ROUTES
    }

    fn unnamed_file(&self, _call: &NativeCall<'_>) -> Option<FilePath> {
        FilePath::parse(UNNAMED).ok()
    }

    fn accept(&self, call: &NativeCall<'_>, sent: &Sent) -> Result<Accepted, Refusal> {
        publish(call, sent).map(|publish| Accepted::Publish(Box::new(publish))).map_err(Refusal::Invalid)
    }

    /// A provenance file that comes alone is about a chart that exists.
    fn lists(&self, _call: &NativeCall<'_>, sent: &Sent) -> Result<Vec<ListedFile>, Refusal> {
        match &parts(sent).map_err(Refusal::Invalid)?[..] {
            [SentPart::Provenance(text)] => Ok(vec![listed(text).map_err(Refusal::Invalid)?]),
            _ => Ok(Vec::new()),
        }
    }

    fn answer(&self, _call: &NativeCall<'_>, rows: &Rows) -> Option<NativeAnswer> {
        let Rows::Package(package) = rows else { return None };
        let charts = DescribedFile::<ChartFacts>::read_all(&package.versions.first()?.files);
        let chart = charts.first()?;
        Some(json(200, &index::entry(&chart.facts, &chart.file()).to_string()))
    }

    fn done(&self, call: &NativeCall<'_>) -> NativeAnswer {
        match call.route.method {
            NativeMethod::Delete => json(200, "{\"deleted\":true}"),
            _ => json(201, "{\"saved\":true}"),
        }
    }

    fn conflict(&self, publish: &NativePublish, _reason: String) -> Refusal {
        Refusal::Conflict(format!("{}-{}.tgz already exists", publish.package, publish.version))
    }
}

/// The files of a request, as their inspection has found them.
fn parts(sent: &Sent) -> Result<Vec<SentPart>, String> {
    let part =
        |file: &SentFile| decode(file.about.as_deref().ok_or("the body is neither a chart nor a provenance file")?);
    sent.files.iter().map(part).collect()
}

fn publish(call: &NativeCall<'_>, sent: &Sent) -> Result<NativePublish, String> {
    let parts = parts(sent)?;
    let chart = parts.iter().zip(&sent.files).find_map(|(part, file)| match part {
        SentPart::Chart(facts) => Some((facts.file_name(), file)),
        SentPart::Provenance(_) => None,
    });
    let name = match (&chart, &parts[..]) {
        (Some((name, _)), _) => name.clone(),
        (None, [SentPart::Provenance(text)]) => chart_of(text)?.0.to_owned(),
        _ => return Err("the body has no chart: send it as the body, or in the field 'chart' of a form".to_owned()),
    };
    if !call.value("file").is_empty() && name != format!("{}.tgz", call.value("file")) {
        return Err(format!("the file name is not that of the chart, '{name}'"));
    }
    let mut files = Vec::new();
    for (part, found) in parts.iter().enumerate() {
        let path = match (found, &chart) {
            (SentPart::Chart(facts), _) if facts.file_name() == name => name.clone(),
            (SentPart::Chart(_), _) => return Err("the body has two charts".to_owned()),
            (SentPart::Provenance(text), Some((_, file))) => {
                provenance::check(text.as_bytes(), &name, &file.sha256.to_string())?;
                format!("{name}.prov")
            }
            (SentPart::Provenance(_), None) => format!("{name}.prov"),
        };
        let path = FilePath::parse_new(&path).map_err(|error| error.to_string())?;
        files.push(NativeFile { part, path, metadata: None });
    }
    let (package, version) = names(&of_file_name(&name)?)?;
    Ok(NativePublish { package, version, files, profile: NativeProfile::default(), tags: Vec::new() })
}

fn chart_of(text: &str) -> Result<(&str, &str), String> {
    provenance::chart(text).ok_or_else(|| "the provenance file names no chart".to_owned())
}

fn listed(text: &str) -> Result<ListedFile, String> {
    let (name, digest) = chart_of(text)?;
    let path = FilePath::parse(name).map_err(|error| error.to_string())?;
    let sha256: Digest = digest.parse().map_err(|_| "the provenance file has no SHA-256 of its chart")?;
    Ok(ListedFile { path, sha256 })
}

/// Name and version in the name of a chart's file, which was compared with the chart.
fn of_file_name(name: &str) -> Result<ChartFacts, String> {
    let stem = name.strip_suffix(".tgz").unwrap_or(name);
    let cuts = stem.match_indices('-').map(|(at, _)| (&stem[..at], &stem[at + 1..]));
    let found = cuts.into_iter().find(|(name, version)| !name.is_empty() && version::is_valid(version));
    let (name, version) = found.ok_or("the file name of a chart is '<name>-<version>.tgz'")?;
    Ok(ChartFacts { name: name.to_owned(), version: version.to_owned(), fields: Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_name_has_name_and_version() {
        let read = |name: &str| of_file_name(name).map(|facts| (facts.name, facts.version)).ok();
        assert_eq!(read("my-chart-1.2.0-rc.1.tgz"), Some(("my-chart".into(), "1.2.0-rc.1".into())));
        assert_eq!(read("ch-0.1.0.tgz"), Some(("ch".into(), "0.1.0".into())));
        assert_eq!((read("chart.tgz"), read("-1.0.0.tgz")), (None, None));
    }

    #[test]
    fn a_provenance_file_alone_is_about_a_chart_that_exists() {
        let digest = "ab".repeat(32);
        let text = format!("-----BEGIN PGP SIGNED MESSAGE-----\n\nfiles:\n  ch-0.1.0.tgz: sha256:{digest}\n");
        let listed = listed(&text).expect("a chart");
        assert_eq!((listed.path.as_str(), listed.sha256.to_string()), ("ch-0.1.0.tgz", digest));
        assert!(super::listed("-----BEGIN PGP SIGNED MESSAGE-----\n").is_err());
    }
}
