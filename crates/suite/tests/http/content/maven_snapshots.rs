//! Snapshots: many builds in one folder, of which clients use the newest.

use serde_json::json;

use crate::content::{
    SECOND,
    maven::{deploy, index, lib, pom, put, values},
    read, stored,
};

const FOLDER: &str = "org/x/lib/1.0-SNAPSHOT";

/// Returns the path of a file of a build: `20260101.120000-1.jar`.
fn build(ending: &str) -> String {
    format!("{FOLDER}/lib-1.0-{ending}")
}

#[tokio::test]
async fn a_snapshots_index_names_the_newest_of_each_kind() {
    let (house, ada) = lib().await;
    for ending in [
        "20260101.120000-9.jar",
        "20260101.120000-9-sources.jar",
        "20260102.130000-10.jar",
        "20260102.130000-10.pom",
        "20260101.120000-9-dist.tar.gz",
    ] {
        let content = if ending.ends_with("pom") { pom("lib", "1.0-SNAPSHOT", "") } else { ending.to_owned() };
        deploy(&ada, &build(ending), &content).await;
        house.clock.advance(SECOND);
    }
    insta::assert_snapshot!(index(&house.anyone(), FOLDER).await, @r#"
    <?xml version="1.0" encoding="UTF-8"?>
    <metadata modelVersion="1.1.0">
      <groupId>org.x</groupId>
      <artifactId>lib</artifactId>
      <version>1.0-SNAPSHOT</version>
      <versioning>
        <snapshot>
          <timestamp>20260102.130000</timestamp>
          <buildNumber>10</buildNumber>
        </snapshot>
        <lastUpdated>20260115120004</lastUpdated>
        <snapshotVersions>
          <snapshotVersion>
            <extension>jar</extension>
            <value>1.0-20260102.130000-10</value>
            <updated>20260102130000</updated>
          </snapshotVersion>
          <snapshotVersion>
            <extension>pom</extension>
            <value>1.0-20260102.130000-10</value>
            <updated>20260102130000</updated>
          </snapshotVersion>
          <snapshotVersion>
            <classifier>dist</classifier>
            <extension>tar.gz</extension>
            <value>1.0-20260101.120000-9</value>
            <updated>20260101120000</updated>
          </snapshotVersion>
          <snapshotVersion>
            <classifier>sources</classifier>
            <extension>jar</extension>
            <value>1.0-20260101.120000-9</value>
            <updated>20260101120000</updated>
          </snapshotVersion>
        </snapshotVersions>
      </versioning>
    </metadata>
    "#);
    let newest = read(&house.anyone(), &format!("/ada/m2/{}", build("20260102.130000-10.jar"))).await;
    assert_eq!(newest, "20260102.130000-10.jar");
}

#[tokio::test]
async fn all_builds_belong_to_one_version() {
    let (house, ada) = lib().await;
    deploy(&ada, &build("20260101.120000-1.jar"), "meow").await;
    deploy(&ada, &build("20260101.130000-2.jar"), "purr").await;
    deploy(&ada, &format!("{FOLDER}/lib-1.0-SNAPSHOT.txt"), "plain").await;
    let shown = ada.get("/packages/ada/m2/lib").await.expect(200).json();
    assert_eq!(shown["versions"], json!(["1.0-SNAPSHOT"]));
    assert_eq!(stored(&ada, "ada/m2/lib").await.len(), 3);
    let artifact = index(&house.anyone(), "org/x/lib").await;
    assert_eq!(values(&artifact, "version"), ["1.0-SNAPSHOT"]);
    assert_eq!((values(&artifact, "latest"), values(&artifact, "release")), (vec!["1.0-SNAPSHOT"], vec![]));
}

#[tokio::test]
async fn a_release_follows_its_snapshots() {
    let (house, ada) = lib().await;
    deploy(&ada, &build("20260101.120000-1.jar"), "meow").await;
    deploy(&ada, "org/x/lib/1.0/lib-1.0.jar", "meow").await;
    let artifact = index(&house.anyone(), "org/x/lib").await;
    assert_eq!(values(&artifact, "version"), ["1.0-SNAPSHOT", "1.0"]);
    assert_eq!((values(&artifact, "latest"), values(&artifact, "release")), (vec!["1.0"], vec!["1.0"]));
    house.anyone().download("/ada/m2/org/x/lib/1.0/maven-metadata.xml").await.expect(404);
}

#[tokio::test]
async fn a_build_that_is_deleted_gives_way_to_the_one_before() {
    let (house, ada) = lib().await;
    deploy(&ada, &build("20260101.120000-1.jar"), "meow").await;
    deploy(&ada, &build("20260101.130000-2.jar"), "purr").await;
    assert_eq!(values(&index(&house.anyone(), FOLDER).await, "buildNumber"), ["2"]);
    ada.delete(&format!("/content/ada/m2/{}", build("20260101.130000-2.jar"))).await.expect(200);
    let left = index(&house.anyone(), FOLDER).await;
    assert_eq!((values(&left, "buildNumber"), values(&left, "value")), (vec!["1"], vec!["1.0-20260101.120000-1"]));
}

#[tokio::test]
async fn a_build_is_not_uploaded_twice_with_other_bytes() {
    let (_house, ada) = lib().await;
    let path = build("20260101.120000-1.jar");
    deploy(&ada, &path, "meow").await;
    deploy(&ada, &path, "meow").await;
    put(&ada, &path, "purr").await.expect(409);
}

#[tokio::test]
async fn a_pom_names_the_snapshot_or_the_build() {
    let (_house, ada) = lib().await;
    let path = build("20260101.120000-1.pom");
    put(&ada, &path, &pom("lib", "1.0", "")).await.expect(400);
    put(&ada, &path, &pom("lib", "1.0-20260101.120000-2", "")).await.expect(400);
    put(&ada, &path, &pom("lib", "1.0-SNAPSHOT", "")).await.expect(201);
    put(&ada, &build("20260101.130000-2.pom"), &pom("lib", "1.0-20260101.130000-2", "")).await.expect(201);
}
