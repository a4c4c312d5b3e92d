//! `maven-metadata.xml`: rebuilt from published files at the moment of each publish.

use serde_json::json;

use crate::{
    catalogue::{new_package, new_repo},
    cluster::together::together,
    content::{
        SECOND, discard,
        maven::{deploy, index, lib, pom, put, values},
        publish, upload_published,
    },
};

const LIB: &str = "org/x/lib";

/// Returns the path of a version's jar.
fn jar(version: &str) -> String {
    format!("{LIB}/{version}/lib-{version}.jar")
}

#[tokio::test]
async fn an_artifacts_index_lists_its_versions() {
    let (house, ada) = lib().await;
    for version in ["1.10", "1.9", "2.0-rc1", "1.9.1-SNAPSHOT"] {
        deploy(&ada, &jar(version), "meow").await;
        house.clock.advance(SECOND);
    }
    let answer = house.anyone().download("/ada/m2/org/x/lib/maven-metadata.xml").await.expect(200);
    assert_eq!(answer.header("content-type"), "application/xml");
    assert_eq!(answer.header("cache-control"), "public, no-cache, no-transform");
    insta::assert_snapshot!(answer.text(), @r#"
    <?xml version="1.0" encoding="UTF-8"?>
    <metadata modelVersion="1.1.0">
      <groupId>org.x</groupId>
      <artifactId>lib</artifactId>
      <versioning>
        <latest>2.0-rc1</latest>
        <release>2.0-rc1</release>
        <versions>
          <version>1.9</version>
          <version>1.9.1-SNAPSHOT</version>
          <version>1.10</version>
          <version>2.0-rc1</version>
        </versions>
        <lastUpdated>20260115120003</lastUpdated>
      </versioning>
    </metadata>
    "#);
}

#[tokio::test]
async fn a_groups_index_lists_its_plugins() {
    let (house, ada) = lib().await;
    let plugin = |name: &str| pom(name, "1", "<packaging>maven-plugin</packaging><name>Go &amp; run</name>");
    for name in ["go-maven-plugin", "maven-run-plugin"] {
        deploy(&ada, &format!("org/x/{name}/1/{name}-1.pom"), &plugin(name)).await;
    }
    deploy(&ada, "org/x/lib/1/lib-1.pom", &pom("lib", "1", "")).await;
    insta::assert_snapshot!(index(&house.anyone(), "org/x").await, @r#"
    <?xml version="1.0" encoding="UTF-8"?>
    <metadata modelVersion="1.1.0">
      <plugins>
        <plugin>
          <name>Go &amp; run</name>
          <prefix>go</prefix>
          <artifactId>go-maven-plugin</artifactId>
        </plugin>
        <plugin>
          <name>Go &amp; run</name>
          <prefix>run</prefix>
          <artifactId>maven-run-plugin</artifactId>
        </plugin>
      </plugins>
    </metadata>
    "#);
    ada.delete("/content/ada/m2/org/x/go-maven-plugin/1/go-maven-plugin-1.pom").await.expect(200);
    assert_eq!(values(&index(&house.anyone(), "org/x").await, "prefix"), ["run"]);
    let path = "org/x/maven-run-plugin/1/maven-run-plugin-1.pom";
    put(&ada, &format!(";publish=1;override=1/{path}"), &pom("maven-run-plugin", "1", "")).await.expect(201);
    house.anyone().download("/ada/m2/org/x/maven-metadata.xml").await.expect(404);
}

#[tokio::test]
async fn what_waits_is_not_listed() {
    let (house, ada) = lib().await;
    put(&ada, &jar("1"), "meow").await.expect(201);
    for who in [&ada, &house.anyone()] {
        who.download("/ada/m2/org/x/lib/maven-metadata.xml").await.expect(404);
    }
    assert_eq!(publish(&ada, "ada/m2/lib/1").await, 1);
    let before = index(&house.anyone(), LIB).await;
    assert_eq!(values(&before, "version"), ["1"]);
    put(&ada, &jar("2"), "meow").await.expect(201);
    discard(&ada, "ada/m2/lib/2").await;
    assert_eq!(index(&house.anyone(), LIB).await, before);
}

#[tokio::test]
async fn uploads_below_content_are_listed_too() {
    let (house, ada) = lib().await;
    upload_published(&ada, &format!("ada/m2/lib/1/{}", jar("1")), "meow").await;
    upload_published(&ada, "ada/m2/lib/1/readme.txt", "purr").await;
    assert_eq!(values(&index(&house.anyone(), LIB).await, "version"), ["1"]);
}

#[tokio::test]
async fn an_override_changes_the_moment_only() {
    let (house, ada) = lib().await;
    deploy(&ada, &jar("1"), "meow").await;
    deploy(&ada, &jar("2"), "meow").await;
    let before = index(&house.anyone(), LIB).await;
    house.clock.advance(SECOND);
    put(&ada, &format!("{}?override=1", jar("1")), "purr").await.expect(201);
    assert_eq!(index(&house.anyone(), LIB).await, before, "it waits");
    assert_eq!(publish(&ada, "ada/m2/lib/1").await, 1);
    let moments = ["<lastUpdated>20260115120000<", "<lastUpdated>20260115120001<"];
    assert_eq!(index(&house.anyone(), LIB).await, before.replace(moments[0], moments[1]));
    assert!(before.contains(moments[0]), "{before}");
}

#[tokio::test]
async fn what_is_deleted_is_taken_out() {
    let (house, ada) = lib().await;
    new_package(&ada, "ada/m2", "other").await;
    for version in ["1", "2", "3", "4-SNAPSHOT"] {
        deploy(&ada, &jar(version), "meow").await;
    }
    ada.put(&format!("/maven/ada/m2/other/{}?publish=1", jar("5"))).body("meow").await.expect(201);
    let versions = async || values(&index(&house.anyone(), LIB).await, "version").join(" ");
    assert_eq!(versions().await, "1 2 3 4-SNAPSHOT 5");
    ada.delete("/packages/ada/m2/lib/versions/4-SNAPSHOT").await.expect(200);
    assert_eq!(versions().await, "1 2 3 5");
    house.anyone().download("/ada/m2/org/x/lib/4-SNAPSHOT/maven-metadata.xml").await.expect(404);
    ada.delete(&format!("/content/ada/m2/{}", jar("2"))).await.expect(200);
    assert_eq!(versions().await, "1 3 5");
    ada.delete("/packages/ada/m2/other").await.expect(200);
    assert_eq!(versions().await, "1 3");
    assert_eq!(values(&index(&house.anyone(), LIB).await, "release"), ["3"]);
    ada.delete("/packages/ada/m2/lib").await.expect(200);
    for path in ["maven-metadata.xml", "maven-metadata.xml.sha1", ""] {
        house.anyone().download(&format!("/ada/m2/org/x/lib/{path}")).await.expect(404);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn versions_that_are_published_at_once_are_all_listed() {
    let (house, ada) = lib().await;
    new_package(&ada, "ada/m2", "other").await;
    for number in 0..10 {
        put(&ada, &jar(&number.to_string()), "meow").await.expect(201);
    }
    let waiting = (0..10).map(|number| ada.post(&format!("/content/ada/m2/lib/{number}/publish")));
    let sent = (10..20).map(|number| {
        let path = jar(&number.to_string());
        ada.put(&format!("/maven/ada/m2/other/;publish=1/{path}")).body("meow")
    });
    for answer in together(waiting.chain(sent)).await {
        assert!(matches!(answer.status, 200 | 201), "{}: {}", answer.status, answer.text());
    }
    let all: Vec<String> = (0..20).map(|number: u32| number.to_string()).collect();
    assert_eq!(values(&index(&house.anyone(), LIB).await, "version"), all);
}

#[tokio::test]
async fn indexes_made_anew_are_the_same() {
    let (house, ada) = lib().await;
    let plugin = pom("go-maven-plugin", "1", "<packaging>maven-plugin</packaging>");
    deploy(&ada, "org/x/go-maven-plugin/1/go-maven-plugin-1.pom", &plugin).await;
    deploy(&ada, "org/x/lib/1-SNAPSHOT/lib-1-20260101.120000-1.jar", "meow").await;
    let folders = ["org/x", "org/x/go-maven-plugin", "org/x/lib", "org/x/lib/1-SNAPSHOT"];
    let mut before = Vec::new();
    for folder in folders {
        before.push(index(&house.anyone(), folder).await);
    }
    house.clock.advance(SECOND);
    for path in ["", "/org/x", "/org/x/lib", "/none"] {
        ada.post(&format!("/calc_metadata/ada/m2{path}")).await.refuses(202, "success");
        for (folder, before) in folders.iter().zip(&before) {
            assert_eq!(&index(&house.anyone(), folder).await, before, "{path}");
        }
    }
}

#[tokio::test]
async fn only_publishers_make_indexes_anew_and_only_where_there_are_any() {
    let (house, ada) = lib().await;
    let eve = house.user("eve").await;
    new_repo(&ada, "ada/tools").await;
    ada.post("/calc_metadata/ada/tools").await.expect(400);
    ada.post("/calc_metadata/ada/tools/org/x").await.expect(400);
    ada.post("/calc_metadata/ada/none").await.refuses(404, "Repository 'none' was not found");
    eve.post("/calc_metadata/ada/m2").await.expect(403);
    house.anyone().post("/calc_metadata/ada/m2").await.expect(401);
}

#[tokio::test]
async fn a_private_repositorys_index_is_for_its_readers() {
    let (house, ada) = lib().await;
    let eve = house.user("eve").await;
    deploy(&ada, &jar("1"), "meow").await;
    ada.patch("/repos/ada/m2").json(json!({"private": true})).await.expect(200);
    for path in ["maven-metadata.xml", "maven-metadata.xml.sha1"] {
        let path = format!("/ada/m2/org/x/lib/{path}");
        let asked = house.anyone().download(&path).await.expect(401);
        assert!(asked.header("www-authenticate").starts_with("Basic "), "clients wait for it");
        eve.download(&path).await.expect(404);
        assert_eq!(ada.download(&path).await.expect(200).header("cache-control"), "private, no-cache, no-transform");
    }
}
