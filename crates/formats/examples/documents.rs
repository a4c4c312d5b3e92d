//! Measures how long the indexes of a package with 1,000 versions take to build:
//! `cargo run --release -p formats --example documents`.

use std::{fmt::Write, io::Cursor, time::Instant};

use flate2::{Compression, write::GzEncoder};
use formats::{FORMATS, tar_text};
use model::{
    digest::Digest,
    file_path::FilePath,
    names::{PackageName, VersionName},
    package::PackageProfile,
    timestamp::Timestamp,
};
use operations::format::{FileView, Format, PackageView, VersionView};

/// The number of versions.
const VERSIONS: usize = 1_000;

fn main() {
    for format in FORMATS {
        let Some(indexes) = format.package_indexes() else { continue };
        let Some(package) = package(*format) else { continue };
        let started = Instant::now();
        let texts = indexes.build(&package).expect("indexes");
        let elapsed = started.elapsed();
        let bytes: usize = texts.iter().map(|text| text.content.len()).sum();
        println!("{}: {} indexes of {VERSIONS} versions, {bytes} bytes, {elapsed:?}", format.name(), texts.len());
    }
}

fn package(format: &dyn Format) -> Option<PackageView> {
    let versions = (0..VERSIONS).map(|number| version(format, &format!("1.{number}.0")));
    Some(PackageView {
        name: PackageName::parse("hello").expect("a name"),
        owner: "acme".to_owned(),
        created: Timestamp::EPOCH,
        updated: Timestamp::EPOCH,
        profile: PackageProfile::default(),
        tags: Vec::new(),
        versions: versions.collect::<Option<_>>()?,
    })
}

fn version(format: &dyn Format, version: &str) -> Option<VersionView> {
    let mut dependencies = String::new();
    let (path, name, metadata) = match format.name() {
        "pypi" => {
            let metadata = format!("Name: hello\nVersion: {version}\nRequires-Python: >=3.9\n");
            let file = format!("packages/hello/{version}/hello-{version}.tar.gz");
            (file, format!("hello-{version}/PKG-INFO"), metadata)
        }
        "cargo" => {
            for number in 0..20 {
                let _ = writeln!(dependencies, "dependency{number} = \"1.{number}\"");
            }
            let head = format!("[package]\nname = \"hello\"\nversion = \"{version}\"\n[dependencies]\n");
            let file = format!("crates/hello/hello-{version}.crate");
            (file, format!("hello-{version}/Cargo.toml"), head + &dependencies)
        }
        "npm" => {
            for number in 0..20 {
                let _ = write!(dependencies, "\"dependency{number}\":\"^1.{number}.0\",");
            }
            let metadata = format!(
                "{{\"name\":\"hello\",\"version\":\"{version}\",\"dependencies\":{{{}}},\"description\":\"{}\"}}",
                dependencies.trim_end_matches(','),
                "x".repeat(500)
            );
            (format!("hello/-/hello-{version}.tgz"), "package/package.json".to_owned(), metadata)
        }
        _ => return None,
    };
    let path = FilePath::parse(&path).expect("a path");
    let tar = [tar_text::entry(&name, metadata.as_bytes(), 0), tar_text::END.to_vec()].concat();
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    std::io::Write::write_all(&mut packed, &tar).expect("memory");
    let content = packed.finish().expect("memory");
    let inspected = format.inspect(&path, &mut Cursor::new(content)).expect("valid");
    let file = FileView {
        path,
        size_bytes: 1_000,
        sha256: Digest::from_bytes([7; 32]),
        sha1: "07".repeat(20),
        md5: None,
        sha512: Some("07".repeat(64)),
        published: Timestamp::EPOCH,
        facts: inspected.facts,
        about: inspected.about,
    };
    let name = VersionName::parse(version).expect("a version");
    Some(VersionView { name, published: Timestamp::EPOCH, marks: Vec::new(), files: vec![file] })
}
