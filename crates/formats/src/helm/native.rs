//! ChartMuseum's way to publish: `POST api/charts` with the chart as the body or in a form.

use model::file_path::FilePath;
use operations::format::{
    Accepted, Body, Dialect, Native, NativeAnswer, NativeCall, NativeFile, NativeMethod, NativeProfile, NativePublish,
    NativeRequest, NativeRoute, Refusal, Rows, Sent, SentFile,
};

use super::{format::names, inspect::ChartFacts, version};

/// The requests of ChartMuseum's clients.
#[derive(Debug)]
pub struct ChartMuseum;

const ROUTES: &[NativeRoute] = &[
    NativeRoute {
        method: NativeMethod::Post,
        path: "api/charts",
        request: |_| Ok(NativeRequest::Take(Body::Multipart)),
    },
    NativeRoute {
        method: NativeMethod::Get,
        path: "health",
        request: |_| Ok(NativeRequest::Say(json(200, "{\"healthy\":true}"))),
    },
];

fn json(status: u16, content: &str) -> NativeAnswer {
    NativeAnswer { status, media_type: "application/json", content: content.to_owned() }
}

impl Native for ChartMuseum {
    fn dialect(&self) -> Dialect {
        Dialect::Error
    }

    fn routes(&self) -> &'static [NativeRoute] {
        ROUTES
    }

    fn accept(&self, _call: &NativeCall<'_>, sent: &Sent) -> Result<Accepted, Refusal> {
        let is_chart = |file: &SentFile| file.file_name.ends_with(".tgz");
        let missing = || Refusal::Invalid("the body has no chart: a form with the field 'chart'".to_owned());
        let part = sent.files.iter().position(is_chart).ok_or_else(missing)?;
        let facts = of_file_name(&sent.files[part].file_name).map_err(Refusal::Invalid)?;
        let (package, version) = names(&facts).map_err(Refusal::Invalid)?;
        let mut files = Vec::new();
        for (part, file) in sent.files.iter().enumerate() {
            let is_provenance = file.file_name == format!("{}.prov", facts.file_name());
            if !is_provenance && file.file_name != facts.file_name() {
                return Err(Refusal::Invalid(format!("'{}' is neither the chart nor its provenance", file.file_name)));
            }
            let path = FilePath::parse_new(&file.file_name).map_err(|error| Refusal::Invalid(error.to_string()))?;
            files.push(NativeFile { part, path, metadata: None });
        }
        let publish = NativePublish { package, version, files, profile: NativeProfile::default(), tags: Vec::new() };
        Ok(Accepted::Publish(Box::new(publish)))
    }

    fn answer(&self, _call: &NativeCall<'_>, _rows: &Rows) -> Option<NativeAnswer> {
        None
    }

    fn done(&self, _call: &NativeCall<'_>) -> NativeAnswer {
        json(201, "{\"saved\":true}")
    }

    fn conflict(&self, publish: &NativePublish, _reason: String) -> Refusal {
        Refusal::Conflict(format!("{}-{}.tgz already exists", publish.package, publish.version))
    }
}

/// Name and version in the name of a chart's file. The inspection compares them with the chart.
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
}
