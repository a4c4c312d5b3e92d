//! What the publish call means, and the answers to Cargo.

use model::names::{PackageName, VersionName};
use operations::format::{
    Accepted, Dialect, Facts, Native, NativeAnswer, NativeCall, NativeFile, NativeProfile, NativePublish, NativeRoute,
    Refusal, Rows, Sent,
};

use super::{
    answers::{self, CrateOwner, FoundCrate},
    format::Cargo,
    index, inspect, layout,
    name::CrateName,
    publish,
    release::CrateRelease,
    routes::{PUBLISH, ROUTES},
    version,
};
use crate::profile;

impl Native for Cargo {
    fn dialect(&self) -> Dialect {
        Dialect::Cargo
    }

    fn routes(&self) -> &'static [NativeRoute] {
        ROUTES
    }

    fn accept(&self, _call: &NativeCall<'_>, sent: &Sent) -> Result<Accepted, Refusal> {
        let publish = publish_of(sent).map_err(Refusal::Invalid)?;
        Ok(Accepted::Publish(Box::new(publish)))
    }

    fn check_metadata(&self, metadata: &[u8], about: &[u8]) -> Result<(), String> {
        inspect::check_publish(&publish::parse(metadata)?, &index::parse_start(about)?)
    }

    fn sent_facts(&self, metadata: &[u8], about: &[u8]) -> Option<Facts> {
        let (metadata, manifest) = (publish::parse(metadata).ok()?, index::parse_start(about).ok()?);
        inspect::own_registry(&metadata, &manifest).map(Facts)
    }

    fn answer(&self, _call: &NativeCall<'_>, rows: &Rows) -> Option<NativeAnswer> {
        let content = match rows {
            Rows::Repo { is_private } => answers::config(*is_private),
            Rows::Packages { packages, total, .. } => {
                let found = packages.iter().filter_map(|package| {
                    Some(FoundCrate {
                        name: package.name.clone(),
                        max_version: package.latest_version.clone()?,
                        description: package.description.clone(),
                    })
                });
                answers::search(&found.collect::<Vec<_>>(), *total)
            }
            Rows::Publishers(publishers) => {
                let owners = publishers.iter().map(|publisher| CrateOwner {
                    id: short_id(publisher.id),
                    login: publisher.name.clone(),
                    name: publisher.full_name.clone(),
                });
                answers::owners(&owners.collect::<Vec<_>>())
            }
            _ => return None,
        };
        Some(json(content))
    }

    fn done(&self, call: &NativeCall<'_>) -> NativeAnswer {
        json(if call.route.path == PUBLISH { answers::published() } else { answers::done() })
    }

    fn repeated(&self, publish: &NativePublish) -> Option<Refusal> {
        Some(uploaded(publish))
    }

    fn conflict(&self, publish: &NativePublish, reason: String) -> Refusal {
        let is_file = publish.files.iter().any(|file| reason.contains(file.path.file_name()));
        if is_file || reason.contains("'version ") {
            return uploaded(publish);
        }
        Refusal::Conflict(format!(
            "crate `{}` differs from an existing one only by letter case, `-` or `_`: {reason}",
            publish.package
        ))
    }
}

fn uploaded(publish: &NativePublish) -> Refusal {
    Refusal::Conflict(format!("crate version `{}` is already uploaded", publish.version))
}

/// Cargo reads 32 bits.
fn short_id(id: u64) -> u32 {
    u32::try_from(id % u64::from(u32::MAX)).unwrap_or_default()
}

fn json(content: String) -> NativeAnswer {
    NativeAnswer { status: 200, media_type: "application/json", content }
}

fn publish_of(sent: &Sent) -> Result<NativePublish, String> {
    if sent.files.len() != 1 {
        return Err("the call must have one crate".to_owned());
    }
    let release = publish::parse(&sent.document)?;
    let (name, version) = (CrateName::parse(&release.name)?, version::parse(&release.version)?);
    let path = layout::path_of(&name, &version)?;
    Ok(NativePublish {
        package: PackageName::parse(name.as_str()).map_err(|error| error.to_string())?,
        version: VersionName::parse(&version.to_string()).map_err(|error| error.to_string())?,
        files: vec![NativeFile { part: 0, path, metadata: Some(sent.document.clone()) }],
        profile: profile_of(release),
        tags: Vec::new(),
    })
}

fn profile_of(release: CrateRelease) -> NativeProfile {
    let about = release.profile;
    profile::cleaned(NativeProfile {
        description: about.description,
        licenses: about.license.as_deref().map(profile::licenses).unwrap_or_default(),
        website: about.homepage.or(about.documentation),
        vcs: about.repository,
        issue_tracker: None,
        labels: about.keywords,
    })
}

#[cfg(test)]
mod tests;
