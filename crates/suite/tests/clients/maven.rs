//! Maven: `mvn` deploys artifacts, another `mvn` downloads them, and all checksums are right.

use std::io::Write;

use serde_json::json;
use suite::{Person, TestHouse};

use crate::mvn::{Mvn, Ran, plugin};

/// Starts a house with the package `ada/m2/lib` in a Maven repository, and ada.
async fn lib() -> (TestHouse, Person) {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    ada.post("/repos/ada/m2").json(json!({"type": "maven"})).await.expect(201);
    ada.post("/packages/ada/m2").json(json!({"name": "lib"})).await.expect(201);
    (house, ada)
}

/// Uploads and publishes a file without Maven.
async fn put(by: &Person, path: &str, content: impl Into<Vec<u8>>) {
    let call = by.put(&format!("/maven/ada/m2/lib/;publish=1/{path}"));
    call.body(content.into()).await.refuses(201, "success");
}

/// Deploys a version of `org.example:lib` with this jar.
async fn deploy(mvn: &Mvn, house: &TestHouse, version: &str, jar: &str) -> Ran {
    let sources = mvn.write("sources.jar", format!("source of {jar}"));
    let jar = mvn.write("lib.jar", jar);
    let properties = [
        ("groupId", "org.example"),
        ("artifactId", "lib"),
        ("version", version),
        ("packaging", "jar"),
        ("file", jar.as_str()),
        ("sources", sources.as_str()),
    ];
    mvn.deploy(house, "ada/m2/lib", &properties).await
}

/// Returns a POM of the group `org.example` with the elements `more`.
fn pom(artifact: &str, version: &str, more: &str) -> String {
    format!(
        "<project><modelVersion>4.0.0</modelVersion><groupId>org.example</groupId>\
         <artifactId>{artifact}</artifactId><version>{version}</version>{more}</project>"
    )
}

/// Returns a dependency with the elements `more`.
fn dependency(group: &str, artifact: &str, version: &str, more: &str) -> String {
    format!(
        "<dependency><groupId>{group}</groupId><artifactId>{artifact}</artifactId><version>{version}</version>{more}\
         </dependency>"
    )
}

#[tokio::test]
async fn a_release_is_deployed_and_fetched() {
    let (house, ada) = lib().await;
    let publisher = Mvn::new(&house, "ada/m2", &ada);
    deploy(&publisher, &house, "1.0", "meow").await.succeeds();
    let needs = [
        dependency("org.example", "lib", "1.0", ""),
        dependency("org.example", "lib", "1.0", "<classifier>sources</classifier>"),
    ];
    let needs = format!("<packaging>pom</packaging><dependencies>{}</dependencies>", needs.concat());
    put(&ada, "org/example/app/1/app-1.pom", pom("app", "1", &needs)).await;
    let reader = Mvn::new(&house, "ada/m2", &house.anyone());
    reader.get("org.example:app:1:pom").await.succeeds();
    assert_eq!(reader.fetched("org/example/lib/1.0/lib-1.0.jar").as_deref(), Some("meow"));
    assert_eq!(reader.fetched("org/example/lib/1.0/lib-1.0-sources.jar").as_deref(), Some("source of meow"));
}

#[tokio::test]
async fn a_release_is_not_deployed_again_with_other_bytes() {
    let (house, ada) = lib().await;
    put(&ada, "org/example/lib/1.0/lib-1.0.jar", "meow").await;
    let publisher = Mvn::new(&house, "ada/m2", &ada);
    deploy(&publisher, &house, "1.0", "purr").await.fails_with("409");
    put(&ada, "org/example/lib/1.0/lib-1.0.jar", "meow").await;
    assert_eq!(ada.download("/ada/m2/org/example/lib/1.0/lib-1.0.jar").await.expect(200).text(), "meow");
}

#[tokio::test]
async fn a_snapshot_is_deployed_twice_and_the_newest_is_fetched() {
    let (house, ada) = lib().await;
    let publisher = Mvn::new(&house, "ada/m2", &ada);
    deploy(&publisher, &house, "1.0-SNAPSHOT", "meow").await.succeeds();
    deploy(&publisher, &house, "1.0-SNAPSHOT", "purr").await.succeeds();
    let reader = Mvn::new(&house, "ada/m2", &house.anyone());
    reader.get("org.example:lib:1.0-SNAPSHOT").await.succeeds();
    let fetched = reader.fetched("org/example/lib/1.0-SNAPSHOT/lib-1.0-SNAPSHOT.jar");
    assert_eq!(fetched.as_deref(), Some("purr"));
    let index = ada.download("/ada/m2/org/example/lib/1.0-SNAPSHOT/maven-metadata.xml").await.expect(200).text();
    assert!(index.contains("<buildNumber>2</buildNumber>"), "Maven counts on from what it reads: {index}");
}

#[tokio::test]
async fn a_private_repository_is_fetched_with_credentials_and_not_without() {
    let (house, ada) = lib().await;
    put(&ada, "org/example/lib/1.0/lib-1.0.pom", pom("lib", "1.0", "")).await;
    put(&ada, "org/example/lib/1.0/lib-1.0.jar", "meow").await;
    ada.patch("/repos/ada/m2").json(json!({"private": true})).await.expect(200);
    let stranger = Mvn::new(&house, "ada/m2", &house.anyone());
    stranger.get("org.example:lib:1.0").await.fails_with("401");
    assert_eq!(stranger.fetched("org/example/lib/1.0/lib-1.0.jar"), None);
    let owner = Mvn::new(&house, "ada/m2", &ada);
    owner.get("org.example:lib:1.0").await.succeeds();
    assert_eq!(owner.fetched("org/example/lib/1.0/lib-1.0.jar").as_deref(), Some("meow"));
}

/// Returns a plugin whose only goal is the help of Maven's own deploy plugin, so that no Java has to be compiled.
fn greeting() -> (String, Vec<u8>) {
    let helper = plugin("deploy");
    let [group, artifact, version]: [&str; 3] =
        helper.split(':').collect::<Vec<_>>().try_into().expect("three parts name a plugin");
    let needs = dependency(group, artifact, version, "");
    let more = format!("<packaging>maven-plugin</packaging><dependencies>{needs}</dependencies>");
    let descriptor = "<plugin><groupId>org.example</groupId><artifactId>greet-maven-plugin</artifactId>\
        <version>1.0</version><goalPrefix>greet</goalPrefix><mojos><mojo><goal>hello</goal>\
        <requiresProject>false</requiresProject><language>java</language>\
        <instantiationStrategy>per-lookup</instantiationStrategy>\
        <implementation>org.apache.maven.plugins.deploy.HelpMojo</implementation></mojo></mojos></plugin>";
    let mut jar = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    jar.start_file("META-INF/maven/plugin.xml", zip::write::SimpleFileOptions::default()).expect("an entry");
    jar.write_all(descriptor.as_bytes()).expect("its content");
    (pom("greet-maven-plugin", "1.0", &more), jar.finish().expect("a jar").into_inner())
}

#[tokio::test]
async fn a_plugin_is_found_by_its_prefix_and_runs() {
    let (house, ada) = lib().await;
    let (pom, jar) = greeting();
    put(&ada, "org/example/greet-maven-plugin/1.0/greet-maven-plugin-1.0.pom", pom).await;
    put(&ada, "org/example/greet-maven-plugin/1.0/greet-maven-plugin-1.0.jar", jar).await;
    let user = Mvn::new(&house, "ada/m2", &house.anyone());
    user.run("greet:hello", &[("plugins", "1")]).await.succeeds();
    assert!(user.fetched("org/example/greet-maven-plugin/1.0/greet-maven-plugin-1.0.jar").is_some());
}
