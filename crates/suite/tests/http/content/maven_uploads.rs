//! Uploads in Maven's layout: the path determines the version, and a POM must match its path.

use serde_json::json;
use suite::Person;

use crate::{
    catalogue::{new_package, new_repo},
    content::{
        maven::{deploy, lib, pom, put},
        publish, published, read, stored,
    },
};

const JAR: &str = "org/x/lib/1.0/lib-1.0.jar";
const POM: &str = "org/x/lib/1.0/lib-1.0.pom";

/// Returns the versions of the package, newest first.
async fn versions(ada: &Person) -> serde_json::Value {
    ada.get("/packages/ada/m2/lib").await.expect(200).json()["versions"].clone()
}

#[tokio::test]
async fn the_path_tells_the_version() {
    let (house, ada) = lib().await;
    let answer = put(&ada, JAR, "meow").await.expect(201);
    assert_eq!(answer.text(), r#"{"message":"success"}"#);
    put(&ada, "org/x/lib/1.1-rc.1/lib-1.1-rc.1-sources.tar.gz", "meow").await.expect(201);
    assert_eq!(versions(&ada).await, json!(["1.1-rc.1", "1.0"]));
    house.anyone().download(&format!("/ada/m2/{JAR}")).await.expect(404);
    assert_eq!(publish(&ada, "ada/m2/lib/1.0").await, 1);
    assert_eq!(read(&house.anyone(), &format!("/ada/m2/{JAR}")).await, "meow");
}

#[tokio::test]
async fn a_file_may_be_published_at_once_in_every_form() {
    let (house, ada) = lib().await;
    put(&ada, "org/x/lib/1/lib-1.jar?publish=1", "meow").await.expect(201);
    put(&ada, "org/x/lib/2/lib-2.jar;publish=1", "meow").await.expect(201);
    put(&ada, ";publish=1/org/x/lib/3/lib-3.jar", "meow").await.expect(201);
    put(&ada, "org/x;publish=1/lib/4/lib-4.jar", "meow").await.expect(201);
    put(&ada, "org/x/lib/5/lib-5.jar", "meow").header("x-service-publish", "1").await.expect(201);
    ada.put("/maven/ada/m2/lib;publish=1/org/x/lib/6/lib-6.jar").body("meow").await.expect(201);
    put(&ada, ";publish=0/org/x/lib/7/lib-7.jar", "meow").await.expect(201);
    put(&ada, ";publish=0/org/x/lib/8/lib-8.jar?publish=1", "meow").await.expect(400);
    put(&ada, ";publish=yes/org/x/lib/8/lib-8.jar", "meow").await.expect(400);
    let all: Vec<String> = (1..=6).map(|number| format!("org/x/lib/{number}/lib-{number}.jar")).collect();
    assert_eq!(published(&house.anyone(), "ada/m2/lib").await, all);
    assert_eq!(stored(&ada, "ada/m2/lib").await.len(), 7);
}

#[tokio::test]
async fn a_path_out_of_layout_is_refused() {
    let (_house, ada) = lib().await;
    for path in [
        "lib-1.0.jar",
        "lib/1.0/lib-1.0.jar",
        "org/x/lib/1.0/other-1.0.jar",
        "org/x/lib/1.0/lib-1.1.jar",
        "org/x/lib/1.0/lib-1.0",
        "org/x/lib/1.0/lib-1.0.",
        "org/x/lib/1.0/lib.jar",
        "org/x.y/lib/1.0/lib-1.0.jar",
        "org/x/lib/1.0/lib-1.0-SNAPSHOT.jar",
        "org/x/lib/1.0/lib-1.0-20260101.120000-1.jar",
        "org/x/lib/1.0-20260101.120000-1/lib-1.0-20260101.120000-1.jar",
        "org/x/lib/_latest/lib-_latest.jar",
        "org/x/lib/1.0/lib-1.0.sha1",
    ] {
        let refused = put(&ada, &format!("{path}?publish=1"), "meow").await.expect(400);
        assert!(!refused.message().is_empty());
    }
    put(&ada, "org/x/lib/1.0/other.jar", "meow").await.refuses(
        400,
        "path: `org/x/lib/1.0/other.jar` is not in Maven layout: the file's name does not begin with `lib-1.0`",
    );
    assert_eq!((stored(&ada, "ada/m2/lib").await, versions(&ada).await), (vec![], json!([])));
}

#[tokio::test]
async fn a_pom_that_contradicts_its_path_is_refused() {
    let (_house, ada) = lib().await;
    let good = pom("lib", "1.0", "");
    for (bad, reason) in [
        (good.replace("org.x", "org.y"), "the POM's groupId is `org.y`, but its path says `org.x`"),
        (good.replace(">lib<", ">bib<"), "the POM's artifactId is `bib`, but its path says `lib`"),
        (good.replace(">1.0<", ">1.1<"), "the POM's version is `1.1`, but its path says `1.0`"),
        (good.replace("</project>", ""), "the POM ends too early"),
    ] {
        let answer = put(&ada, &format!("{POM}?publish=1"), &bad).await;
        answer.refuses(400, &format!("content: {reason}"));
    }
    assert_eq!((stored(&ada, "ada/m2/lib").await, versions(&ada).await), (vec![], json!([])));
    put(&ada, POM, &good).await.refuses(201, "success");
}

#[tokio::test]
async fn a_pom_is_looked_into_however_it_comes() {
    let (_house, ada) = lib().await;
    let bad = pom("lib", "9", "");
    ada.put(&format!("/content/ada/m2/lib/1.0/{POM}")).body(bad.clone()).await.expect(400);
    ada.put("/content/ada/m2/lib/1.0/readme.pom").body(bad.clone()).await.expect(201);
    let digest = ada.head("//dl/ada/m2/readme.pom").await.expect(200).header("x-checksum-sha2").to_owned();
    let deployed = put(&ada, POM, "").header("x-checksum-deploy", "true").header("x-checksum-sha2", &digest);
    deployed.await.expect(400);
    assert_eq!(stored(&ada, "ada/m2/lib").await, ["readme.pom"]);
}

#[tokio::test]
async fn a_release_takes_other_bytes_only_to_override() {
    let (house, ada) = lib().await;
    deploy(&ada, JAR, "meow").await;
    deploy(&ada, JAR, "meow").await;
    put(&ada, &format!(";publish=1/{JAR}"), "purr").await.expect(409);
    assert_eq!(read(&house.anyone(), &format!("/ada/m2/{JAR}")).await, "meow");
    put(&ada, &format!(";publish=1;override=1/{JAR}"), "purr").await.refuses(201, "success");
    assert_eq!(read(&house.anyone(), &format!("/ada/m2/{JAR}")).await, "purr");
}

#[tokio::test]
async fn what_was_uploaded_is_read_at_the_same_address() {
    let (house, ada) = lib().await;
    let eve = house.user("eve").await;
    let get = |who: &Person, path: &str| who.get(&format!("/maven/ada/m2/lib/;publish=1/{path}"));
    get(&ada, "org/x/lib/maven-metadata.xml").await.expect(404);
    deploy(&ada, JAR, "meow").await;
    for path in ["org/x/lib/maven-metadata.xml", "org/x/lib/maven-metadata.xml.sha1", JAR] {
        let expected = read(&house.anyone(), &format!("/ada/m2/{path}")).await;
        assert_eq!(get(&house.anyone(), path).await.expect(200).text(), expected);
    }
    ada.patch("/repos/ada/m2").json(json!({"private": true})).await.expect(200);
    get(&house.anyone(), JAR).await.expect(401);
    get(&eve, JAR).await.expect(404);
    get(&ada, JAR).await.expect(200);
}

#[tokio::test]
async fn the_package_must_exist_and_be_the_callers() {
    let (house, ada) = lib().await;
    let eve = house.user("eve").await;
    ada.put(&format!("/maven/ada/m2/none/{JAR}")).body("meow").await.refuses(404, "Package 'none' was not found");
    ada.put(&format!("/maven/ada/none/lib/{JAR}")).body("meow").await.refuses(404, "Repository 'none' was not found");
    put(&eve, JAR, "meow").await.expect(403);
    put(&house.anyone(), JAR, "meow").await.expect(401);
    put(&eve, "org/x/lib/maven-metadata.xml", "<metadata/>").await.expect(403);
    put(&house.anyone(), "org/x/lib/maven-metadata.xml", "<metadata/>").await.expect(401);
    assert_eq!(stored(&ada, "ada/m2/lib").await, [""; 0]);
}

#[tokio::test]
async fn an_archive_is_not_unpacked_by_its_path() {
    let (_house, ada) = lib().await;
    put(&ada, "org/x/lib/1.0/lib-1.0.zip?explode=1", "meow").await.expect(400);
    assert_eq!(stored(&ada, "ada/m2/lib").await, [""; 0]);
}

#[tokio::test]
async fn every_repository_takes_the_layout() {
    let (house, ada) = lib().await;
    new_repo(&ada, "ada/tools").await;
    new_package(&ada, "ada/tools", "cat").await;
    let put = |path: &str| ada.put(&format!("/maven/ada/tools/cat/{path}?publish=1")).body("meow");
    put(JAR).await.refuses(201, "success");
    put("cat.bin").await.expect(400);
    assert_eq!(read(&house.anyone(), &format!("/ada/tools/{JAR}")).await, "meow");
    house.anyone().download("/ada/tools/org/x/lib/maven-metadata.xml").await.expect(404);
}

#[tokio::test]
async fn a_path_in_layout_belongs_to_its_version() {
    let (_house, ada) = lib().await;
    ada.put(&format!("/content/ada/m2/lib/2.0/{JAR}"))
        .body("meow")
        .await
        .refuses(400, "path: the path belongs to version '1.0', and the upload is for another one");
    ada.put(&format!("/content/ada/m2/lib/1.0/{JAR}")).body("meow").await.expect(201);
    ada.put("/content/ada/m2/lib/2.0/notes.txt").body("meow").await.expect(201);
    assert_eq!(stored(&ada, "ada/m2/lib").await, ["notes.txt", JAR]);
}

#[tokio::test]
async fn the_latest_version_follows_mavens_order() {
    let (house, ada) = lib().await;
    for (version, latest) in
        [("1.0-SNAPSHOT", "1.0-SNAPSHOT"), ("1.0", "1.0"), ("1.1-beta-1", "1.0"), ("1.10", "1.10"), ("1.9", "1.10")]
    {
        let path = format!(";publish=1/org/x/lib/{version}/lib-{version}.jar");
        put(&ada, &path, "meow").await.expect(201);
        let shown = house.anyone().get("/packages/ada/m2/lib").await.expect(200).json()["latest_version"].clone();
        assert_eq!(shown, latest, "after {version}");
    }
}
