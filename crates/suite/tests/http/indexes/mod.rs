//! Indexes of whole repositories, and packages for their tests.

pub(crate) mod alpine;
pub(crate) mod arch;
pub(crate) mod conda;
pub(crate) mod contents;
pub(crate) mod cost;
pub(crate) mod damaged_blocks;
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
pub(crate) mod unpublished;
pub(crate) mod uploads;

use std::{fs, path::PathBuf};

use serde_json::{Value, json};
pub(crate) use suite::archives::{deb, deb_with, tar_gz, tar_of};
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
