//! The parts of index entries that follow from the content alone, as ready text.

use serde::{Deserialize, Serialize};

use super::{
    dependencies::{self, RpmDependency},
    header::RpmHeader,
    inspect::{RpmFacts, RpmFile},
    tags, xml,
};

/// The number of changelogs in `other`.
const CHANGELOGS: usize = 10;

/// Ready texts of index entries. Size, digest, time and path are added when an entry is written.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct RpmFragments {
    /// From the name to the version.
    pub identity: String,
    /// From the summary to the URL.
    pub description: String,
    /// The time of the build, in seconds since the start of 1970.
    pub build_time: u64,
    /// The size after installation.
    pub installed_bytes: u64,
    /// The size of the unpacked payload.
    pub archive_bytes: u64,
    /// The element `format` of `primary`.
    pub format: String,
    /// Name and architecture as attributes, for `filelists` and `other`.
    pub attributes: String,
    /// The content of the element in `filelists`.
    pub files: String,
    /// The content of the element in `other`.
    pub changelogs: String,
}

pub(super) fn build(
    facts: &RpmFacts,
    signature: &RpmHeader,
    header: &RpmHeader,
    range: (u64, u64),
    files: &[RpmFile],
    dependencies: &[(&'static str, Vec<RpmDependency>)],
) -> Result<RpmFragments, String> {
    let text = |tag| header.text(tag);
    let version = format!(
        "<version epoch=\"{}\" ver=\"{}\" rel=\"{}\"/>",
        facts.epoch,
        xml::text(&facts.version),
        xml::text(&facts.release)
    );
    let (name, architecture) = (&facts.name, &facts.architecture);
    let number = |first: Option<u64>, second: Option<u64>| first.or(second).unwrap_or(0);
    let long_payload = signature.number(tags::SIGNATURE_LONG_PAYLOAD_SIZE)?;
    let payload = long_payload.or(signature.number(tags::SIGNATURE_PAYLOAD_SIZE)?);
    Ok(RpmFragments {
        identity: format!("{}{}{version}", xml::leaf("name", name), xml::leaf("arch", architecture)),
        description: [
            xml::leaf("summary", &text(tags::SUMMARY)?),
            xml::leaf("description", &text(tags::DESCRIPTION)?),
            xml::leaf("packager", &text(tags::PACKAGER)?),
            xml::leaf("url", &text(tags::URL)?),
        ]
        .concat(),
        build_time: number(header.number(tags::BUILD_TIME)?, None),
        installed_bytes: number(header.number(tags::LONG_SIZE)?, header.number(tags::SIZE)?),
        archive_bytes: number(payload, header.number(tags::ARCHIVE_SIZE)?),
        format: format(header, range, files, dependencies)?,
        attributes: format!("name=\"{}\" arch=\"{}\"", xml::text(name), xml::text(architecture)),
        files: format!("{version}{}", files.iter().map(file_element).collect::<String>()),
        changelogs: format!("{version}{}", changelogs(header)?),
    })
}

fn format(
    header: &RpmHeader,
    range: (u64, u64),
    files: &[RpmFile],
    dependencies: &[(&'static str, Vec<RpmDependency>)],
) -> Result<String, String> {
    let mut text = "<format>".to_owned();
    for (name, tag) in [
        ("rpm:license", tags::LICENSE),
        ("rpm:vendor", tags::VENDOR),
        ("rpm:group", tags::GROUP),
        ("rpm:buildhost", tags::BUILD_HOST),
        ("rpm:sourcerpm", tags::SOURCE_RPM),
    ] {
        text.push_str(&xml::leaf(name, &header.text(tag)?));
    }
    text.push_str(&format!("<rpm:header-range start=\"{}\" end=\"{}\"/>", range.0, range.1));
    let primary: Vec<&RpmFile> = files.iter().filter(|file| is_primary(&file.path)).collect();
    let paths: Vec<&str> = primary.iter().map(|file| file.path.as_str()).collect();
    let provided = dependencies.iter().find(|(kind, _)| *kind == "provides").map_or(&[][..], |(_, list)| list);
    for (kind, list) in dependencies {
        dependencies::write(&mut text, kind, list, provided, &paths);
    }
    primary.iter().for_each(|file| text.push_str(&file_element(file)));
    text.push_str("</format>");
    Ok(text)
}

/// Returns whether `primary` lists a file, because others often depend on it.
fn is_primary(path: &str) -> bool {
    path.starts_with("/etc/") || path.contains("bin/") || path == "/usr/lib/sendmail"
}

fn file_element(file: &RpmFile) -> String {
    let path = xml::text(&file.path);
    match file.file_type {
        "" => format!("<file>{path}</file>"),
        file_type => format!("<file type=\"{file_type}\">{path}</file>"),
    }
}

/// The newest changelogs, from the oldest to the newest. The header has them the other way.
fn changelogs(header: &RpmHeader) -> Result<String, String> {
    let (times, names) = (header.numbers(tags::CHANGELOG_TIME)?, header.texts(tags::CHANGELOG_NAME)?);
    let texts = header.texts(tags::CHANGELOG_TEXT)?;
    let all = times.into_iter().zip(names).zip(texts).take(CHANGELOGS);
    let elements: Vec<String> = all
        .map(|((time, name), text)| {
            format!("<changelog author=\"{}\" date=\"{time}\">{}</changelog>", xml::text(&name), xml::text(&text))
        })
        .collect();
    Ok(elements.into_iter().rev().collect())
}
