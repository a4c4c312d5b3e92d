//! A format with owners of paths, facts, taken names and indexes of packages, and a house that uses it.

use std::{cmp::Ordering, path::Path, time::Duration};

use blobs::Location;
use model::{
    digest::Digest,
    file_path::FilePath,
    index_frame,
    names::{PackageName, VersionName},
    plan::Plan,
    timestamp::Timestamp,
};
use operations::{
    Clock, Entropy, House, Policy,
    format::{
        Content, Format, IndexFrame, IndexSections, IndexText, Inspected, PackageIndexes, PackageView, PathKind,
        PathOwner, ReleaseFile, TakenName, build_joined,
    },
    maintenance::scrub,
    open::{self, HouseConfig, Purpose, StoreConfig},
    outbound::OutboundRules,
    rendering::images::ImageRules,
};

/// Paths are `package/version/file`; the server's own ones are below `index` and `reserved`.
#[derive(Debug)]
pub(crate) struct Shelf {
    inspects: bool,
}

pub(crate) const FORMATS: &[&dyn Format] = &[&Shelf { inspects: true }];

/// An earlier edition, which did not inspect files and stored whole texts.
pub(crate) const EARLIER: &[&dyn Format] = &[&Shelf { inspects: false }];

impl Format for Shelf {
    fn name(&self) -> &'static str {
        "npm"
    }

    fn title(&self) -> &'static str {
        "Shelf"
    }

    fn classify(&self, path: &FilePath) -> Result<PathKind, String> {
        let segments: Vec<&str> = path.as_str().split('/').collect();
        match segments[..] {
            ["index", ..] => Ok(PathKind::Index),
            ["reserved", ..] => Ok(PathKind::Reserved),
            [package, version, _] => Ok(PathKind::Payload(PathOwner {
                package: Some(PackageName::parse(package).map_err(|error| error.to_string())?),
                version: Some(VersionName::parse(version).map_err(|error| error.to_string())?),
            })),
            _ => Err("three segments are needed".into()),
        }
    }

    fn inspects(&self, _path: &FilePath) -> bool {
        self.inspects
    }

    fn inspect(&self, _path: &FilePath, content: &mut dyn Content) -> Result<Inspected, String> {
        let mut about = Vec::new();
        std::io::Read::read_to_end(content, &mut about).map_err(|error| error.to_string())?;
        if about == b"rotten" {
            return Err("it is rotten".into());
        }
        Ok(Inspected { facts: None, about: Some(about) })
    }

    fn needs_sha512(&self) -> bool {
        true
    }

    fn taken_names(&self, path: &FilePath, sha256: Digest) -> Vec<TakenName> {
        let (folder, name) = path.as_str().rsplit_once('/').unwrap_or_default();
        let package = folder.split('/').next().unwrap_or_default();
        vec![
            TakenName { key: format!("file {name}"), holder: sha256.to_string(), is_lasting: false },
            TakenName {
                key: format!("package {}", package.replace('_', "-")),
                holder: package.to_owned(),
                is_lasting: true,
            },
        ]
    }

    fn compare(&self, left: &str, right: &str) -> Ordering {
        left.cmp(right)
    }

    fn is_prerelease(&self, version: &str) -> bool {
        version.contains("rc")
    }

    fn package_indexes(&self) -> Option<&dyn PackageIndexes> {
        Some(self)
    }

    fn release_gaps(&self, _files: &[ReleaseFile]) -> Vec<String> {
        Vec::new()
    }
}

impl PackageIndexes for Shelf {
    fn in_sections(&self) -> Option<&dyn IndexSections> {
        self.inspects.then_some(self)
    }

    fn build(&self, package: &PackageView) -> Result<Vec<IndexText>, String> {
        build_joined(self, package)
    }
}

impl IndexSections for Shelf {
    fn render(&self, package: &PackageView) -> Result<Vec<String>, String> {
        let mut content = String::new();
        for version in &package.versions {
            for file in &version.files {
                let about = String::from_utf8_lossy(file.about.as_deref().unwrap_or(b"?")).into_owned();
                let sum = file.sha512.as_ref().map_or(0, String::len);
                content += &format!("{} {} {} {about} {sum}\n", version.name, file.path, file.size_bytes);
            }
        }
        Ok(vec![content])
    }

    fn frames(&self, package: &PackageView) -> Result<Vec<IndexFrame>, String> {
        let path = FilePath::parse(&format!("index/{}", package.name)).map_err(|error| error.to_string())?;
        let (name, owner, description) = (&package.name, &package.owner, &package.profile.description);
        let frame = format!("{name} by {owner}: {description}\n{}", index_frame::place(0, ""));
        Ok(vec![IndexFrame { path, frame, sections: 0..=0 }])
    }
}

/// Opens a house with these formats, on stores in a folder.
pub(crate) async fn open_house(folder: &Path, formats: &'static [&'static dyn Format]) -> House {
    let database_url = format!("sqlite://{}", folder.join("packhouse.db").display());
    let stores = StoreConfig {
        shown_database_url: database_url.clone(),
        database_url,
        connections: 2,
        timeout: Duration::from_secs(30),
        ca_file: None,
        blobs: Location::Folder(folder.join("blobs")),
    };
    let (master_key, policy) = (folder.join("master.key"), policy(folder));
    let config = HouseConfig { stores, master_key, runs: folder.join("runs"), policy, formats };
    let clock = Clock::frozen(Timestamp::from_millis(1_800_000_000_000));
    open::house(config, clock, Entropy::seeded(7), Purpose::Serve).await.expect("it opens").house
}

fn policy(folder: &Path) -> Policy {
    Policy {
        default_plan: Plan::Enterprise,
        open_registration: true,
        free_queries_per_day: 100,
        premium_queries_per_day: 100,
        upload_days: 180,
        delete_days: 180,
        signed_url_hours: 1,
        upload_bytes: 1 << 20,
        spool: folder.join("spool"),
        download_log_days: 1,
        garbage_grace_hours: 1,
        scrub: scrub::Rules { period_days: 0, bytes_per_second: 1, replica: None },
        geo_database: None,
        outgoing: OutboundRules { allow_private: false, refused: Vec::new() },
        readme_images: ImageRules { is_on: false, cache_bytes: 1, folder: folder.join("images") },
        extra_licenses: Vec::new(),
        staging: None,
        mail: None,
        free_storage_bytes: i64::MAX,
        premium_storage_bytes: i64::MAX,
        enterprise_storage_bytes: i64::MAX,
        webhooks_per_user: 1,
        webhook_failures: 1,
        wrong_credentials_per_name: 10,
        wrong_credentials_per_address: 10,
        node_name: "test".into(),
        oidc: None,
        tells_old_names: false,
    }
}
