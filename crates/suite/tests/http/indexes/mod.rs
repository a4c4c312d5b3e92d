//! Indexes of whole repositories, and packages for their tests.

pub(crate) mod alpine;
pub(crate) mod arch;
pub(crate) mod conda;
pub(crate) mod contents;
pub(crate) mod cost;
pub(crate) mod debian;
pub(crate) mod debian_more;
pub(crate) mod debian_uploads;
pub(crate) mod generations;
pub(crate) mod helm;
pub(crate) mod leases;
pub(crate) mod links;
pub(crate) mod opkg;
pub(crate) mod parts;
pub(crate) mod rpm;
pub(crate) mod same_package;
pub(crate) mod uploads;

use std::{fs, io::Write, path::PathBuf};

use flate2::{Compression, write::GzEncoder};
use serde_json::{Value, json};
use suite::{Person, TestHouse};
use tempfile::TempDir;

use crate::catalogue::new_package;

/// Starts a house with the repository `ada/repo` of this type, and ada.
pub(crate) async fn repo_of(kind: &str) -> (TestHouse, Person) {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    ada.post("/repos/ada/repo").json(json!({"type": kind})).await.expect(201);
    (house, ada)
}

/// Runs the job that builds indexes.
pub(crate) async fn run_job(house: &TestHouse) {
    operations::jobs::run_once(house.app().house(), "repo_indexes").await.expect("the job runs");
}

/// Writes files into a new folder, for a program that reads them.
fn written<const N: usize>(files: [(&str, &[u8]); N]) -> (TempDir, [PathBuf; N]) {
    let folder = tempfile::tempdir().expect("the temporary folder is writable");
    let paths = files.map(|(name, content)| {
        let path = folder.path().join(name);
        fs::write(&path, content).expect("writable");
        path
    });
    (folder, paths)
}

/// A tar.gz of these files.
pub(crate) fn tar_gz(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
    for (path, content) in files {
        let mut header = tar::Header::new_ustar();
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        archive.append_data(&mut header, path, *content).expect("memory takes everything");
    }
    archive.into_inner().and_then(GzEncoder::finish).expect("memory takes everything")
}

/// A tar of these files.
pub(crate) fn tar_of(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    for (path, content) in files {
        let mut header = tar::Header::new_ustar();
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        archive.append_data(&mut header, path, *content).expect("memory takes everything");
    }
    archive.into_inner().expect("memory takes everything")
}

/// A chart.
pub(crate) fn chart(name: &str, version: &str, description: &str) -> Vec<u8> {
    let yaml = format!("apiVersion: v2\nname: {name}\nversion: {version}\ndescription: {description}\n");
    tar_gz(&[(&format!("{name}/Chart.yaml"), yaml.as_bytes())])
}

/// Publishes a chart whose package exists.
pub(crate) async fn publish_chart(by: &Person, name: &str, version: &str) {
    let path = format!("/content/ada/repo/{name}/{version}/{name}-{version}.tgz?publish=1");
    by.put(&path).body(chart(name, version, "a chart")).await.refuses(201, "success");
}

/// Creates packages and publishes the version 1.0.0 of a chart in each.
pub(crate) async fn publish_charts(by: &Person, names: &[&str]) {
    for name in names {
        new_package(by, "ada/repo", name).await;
        publish_chart(by, name, "1.0.0").await;
    }
}

/// The index of charts, as this caller reads it.
pub(crate) async fn index(who: &Person) -> Value {
    who.download("/ada/repo/index.yaml").await.expect(200).json()
}

/// The names and versions in the index of charts.
pub(crate) async fn charts(who: &Person) -> Vec<String> {
    let index = index(who).await;
    let entries = index["entries"].as_object().expect("a map").clone();
    let versions = |(name, versions): (String, Value)| {
        let versions = versions.as_array().expect("a list").clone();
        versions.into_iter().map(move |version| format!("{name} {}", version["version"].as_str().expect("a version")))
    };
    entries.into_iter().flat_map(versions).collect()
}

/// A package for Debian and for opkg: an `ar` of three members.
pub(crate) fn deb(name: &str, version: &str, architecture: &str) -> Vec<u8> {
    let control = format!(
        "Package: {name}\nVersion: {version}\nArchitecture: {architecture}\nMaintainer: Ada <ada@example.com>\n\
         Description: {name} of ada\n"
    );
    deb_with(&control, &[])
}

/// A package with this control file and these files.
pub(crate) fn deb_with(control: &str, files: &[(&str, &[u8])]) -> Vec<u8> {
    let control = tar_gz(&[("./control", control.as_bytes())]);
    let data = tar_gz(files);
    let mut bytes = b"!<arch>\n".to_vec();
    for (member, content) in [("debian-binary", &b"2.0\n"[..]), ("control.tar.gz", &control), ("data.tar.gz", &data)] {
        writeln!(bytes, "{member:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`", 0, 0, 0, 100_644, content.len()).expect("memory");
        bytes.extend_from_slice(content);
        if content.len() % 2 == 1 {
            bytes.push(b'\n');
        }
    }
    bytes
}
