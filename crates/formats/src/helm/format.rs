//! Helm as a repository format.

use std::{cmp::Ordering, collections::BTreeMap};

use model::{
    checksum::ChecksumFile,
    file_path::FilePath,
    names::{PackageName, VersionName},
    repo::Repo,
    timestamp::Timestamp,
};
use operations::format::{
    BuiltStream, Command, CommandPlace, Content, FileView, Format, Frame, Inspected, Native, PathKind, PathOwner,
    RepoIndexes, Sealed, SealedContent, SealedFile, StreamEntry,
};

use super::{
    index,
    inspect::{self, ChartFacts},
    native::{ChartMuseum, SentPart},
    provenance, version,
};
use crate::{
    indexed::{DescribedFile, IndexedFile, decode, encode},
    readers::Limits,
};

/// The path of the index.
const INDEX: &str = "index.yaml";

/// The list of all charts, as ChartMuseum's clients ask for it.
const CHARTS_CALL: &str = "api/charts";

/// The path at which files of a request are inspected before their names are known.
pub(super) const UNNAMED: &str = "api/charts/chart.tgz";

/// The stream of all charts.
const CHARTS: &str = "charts";

/// Chart repositories, as `helm repo add` reads them.
#[derive(Debug)]
pub struct Helm;

impl Format for Helm {
    fn name(&self) -> &'static str {
        "helm"
    }

    fn title(&self) -> &'static str {
        "Helm"
    }

    fn classify(&self, path: &FilePath) -> Result<PathKind, String> {
        if path.as_str() == INDEX {
            return Ok(PathKind::Index);
        }
        if let Some(side) = ChecksumFile::parse(path).filter(|side| is_chart(&side.main)) {
            return Ok(PathKind::Checksum(side));
        }
        if path.as_str() == "api" || path.as_str().starts_with("api/") {
            return Ok(PathKind::Reserved);
        }
        Ok(PathKind::Payload(PathOwner::default()))
    }

    fn inspects(&self, path: &FilePath) -> bool {
        is_chart(path)
    }

    fn inspect(&self, path: &FilePath, content: &mut dyn Content) -> Result<Inspected, String> {
        let is_unnamed = path.as_str() == UNNAMED;
        if is_unnamed && let Some(text) = provenance::read(content)? {
            return Ok(Inspected { facts: None, about: Some(encode(&SentPart::Provenance(text))) });
        }
        let facts = inspect::inspect(content, &Limits::default())?;
        if is_unnamed {
            return Ok(Inspected { facts: None, about: Some(encode(&SentPart::Chart(facts))) });
        }
        facts.check_file_name(path.file_name())?;
        Ok(Inspected { facts: None, about: Some(encode(&facts)) })
    }

    fn is_counted(&self, path: &FilePath) -> bool {
        is_chart(path)
    }

    fn media_type(&self, path: &FilePath) -> Option<&'static str> {
        if path.as_str() == CHARTS_CALL || path.as_str().starts_with("api/charts/") {
            return Some("application/json");
        }
        (path.as_str() == INDEX).then_some("text/yaml")
    }

    fn compare(&self, left: &str, right: &str) -> Ordering {
        version::compare(left, right)
    }

    fn is_prerelease(&self, version: &str) -> bool {
        version::is_prerelease(version)
    }

    fn repo_indexes(&self) -> Option<&dyn RepoIndexes> {
        Some(self)
    }

    fn native(&self) -> Option<&dyn Native> {
        Some(&ChartMuseum)
    }

    fn commands(&self, place: &CommandPlace<'_>) -> Vec<Command> {
        let CommandPlace { base, owner, repo, package, version, user, is_private, .. } = *place;
        let login = match (is_private, user) {
            (true, user) => format!(" --username {} --password YOUR_API_KEY", user.unwrap_or("YOU")),
            (false, _) => String::new(),
        };
        let mut text = format!("helm repo add {owner}-{repo} {base}{login}");
        if let Some(package) = package {
            let version = version.map_or_else(String::new, |version| format!(" --version {version}"));
            text += &format!("\nhelm install {package} {owner}-{repo}/{package}{version}");
        }
        let publish =
            format!("curl --user {}:YOUR_API_KEY --form chart=@CHART.tgz {base}/api/charts", user.unwrap_or("YOU"));
        let command =
            |caption: &str, text, publishes| Command { client: "helm", caption: caption.to_owned(), text, publishes };
        vec![command("Add the repository and install a chart", text, false), command("Publish a chart", publish, true)]
    }
}

/// Whether the file at a path is a chart.
fn is_chart(path: &FilePath) -> bool {
    path.file_name().ends_with(".tgz")
}

fn facts(file: &FileView) -> Option<ChartFacts> {
    decode(file.about.as_deref()?).ok()
}

/// Package and version of a chart, if our names can hold them.
pub(super) fn names(facts: &ChartFacts) -> Result<(PackageName, VersionName), String> {
    let package = PackageName::parse(&facts.name).map_err(|error| error.to_string())?;
    Ok((package, VersionName::parse_new(&facts.version).map_err(|error| error.to_string())?))
}

impl RepoIndexes for Helm {
    fn edition(&self) -> i64 {
        2
    }

    fn fixed_streams(&self) -> &'static [&'static str] {
        &[CHARTS]
    }

    fn entries(&self, file: &FileView, _repo: &Repo) -> Vec<StreamEntry> {
        let entry = |facts: ChartFacts| StreamEntry { stream: CHARTS.to_owned(), group: Some(facts.name) };
        facts(file).map(entry).into_iter().collect()
    }

    fn identities(&self, path: &FilePath, content: &Inspected, _repo: &Repo) -> Vec<String> {
        let about = content.about.as_deref().filter(|_| is_chart(path));
        let chart = about.and_then(|about| decode::<ChartFacts>(about).ok());
        chart.map(|chart| format!("{} {}", chart.name, chart.version)).into_iter().collect()
    }

    fn frame(&self, _stream: &str, at: Timestamp) -> Frame {
        Frame {
            before: index::BEFORE.into(),
            between: index::BETWEEN.into(),
            after: index::after(at.millis()).into_bytes(),
            is_compressed: false,
        }
    }

    fn render(&self, _stream: &str, files: &[FileView]) -> Vec<u8> {
        let read = DescribedFile::<ChartFacts>::read_all(files);
        let mut charts: BTreeMap<&str, Vec<(&ChartFacts, IndexedFile<'_>)>> = BTreeMap::new();
        for chart in &read {
            charts.entry(&chart.facts.name).or_default().push((&chart.facts, chart.file()));
        }
        index::block(charts).into_bytes()
    }

    fn part_of(&self, path: &str) -> Option<String> {
        (path == CHARTS_CALL || path.starts_with("api/charts/")).then(|| INDEX.to_owned())
    }

    fn has_parts(&self, path: &str) -> bool {
        path == INDEX
    }

    fn parts(&self, _path: &str, text: &[u8]) -> Vec<(String, Vec<u8>)> {
        index::calls(CHARTS_CALL, text)
    }

    fn seal(&self, _streams: &[BuiltStream], _repo: &Repo, _at: Timestamp) -> Sealed {
        let streams = [CHARTS.to_owned()];
        let index = SealedFile::new(INDEX, SealedContent::Plain(CHARTS.to_owned()), &streams);
        Sealed { files: vec![index], seal_by: None }
    }
}
