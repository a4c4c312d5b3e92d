//! Indexes are planned before the rows that they list are written. They must equal those that are rebuilt from the
//! rows.

use serde_json::json;
use suite::{Call, Person, TestHouse};

use crate::{
    content::archives::zip,
    content::maven::{deploy, lib, pom, put},
    content::{SECOND, publish},
};

const INDEXES: [&str; 4] = ["org/x", "org/x/lib", "org/x/lib/2-SNAPSHOT", "org/x/go-maven-plugin"];

/// Returns the status and the text of each index.
async fn indexes(house: &TestHouse) -> Vec<(u16, String)> {
    let mut found = Vec::new();
    for folder in INDEXES {
        let answer = house.anyone().download(&format!("/ada/m2/{folder}/maven-metadata.xml")).await;
        found.push((answer.status, if answer.status == 200 { answer.text() } else { String::new() }));
    }
    found
}

/// A Maven repository whose indexes are compared after each call.
struct Scene {
    house: TestHouse,
    ada: Person,
}

impl Scene {
    /// Makes a call, and compares the planned indexes with rebuilt ones. Advances the clock, so that each file has its
    /// own time.
    async fn then(&self, what: &str, call: Call) {
        self.house.clock.advance(61 * SECOND);
        let answer = call.await;
        assert!(answer.status < 300, "{what}: {}", answer.text());
        self.compare(what).await;
    }

    async fn compare(&self, what: &str) {
        let planned = indexes(&self.house).await;
        self.house.clock.advance(61 * SECOND);
        self.ada.post("/calc_metadata/ada/m2").await.expect(202);
        assert_eq!(planned, indexes(&self.house).await, "{what}");
    }

    fn put(&self, path: &str, content: &str) -> Call {
        put(&self.ada, &format!(";publish=1;override=1/{path}"), content)
    }
}

fn plugin(name: &str) -> String {
    pom("go-maven-plugin", "1", &format!("<packaging>maven-plugin</packaging><name>{name}</name>"))
}

#[tokio::test]
async fn an_index_is_the_one_that_a_rebuild_gives_whatever_was_done() {
    let (house, ada) = lib().await;
    let scene = Scene { house, ada };
    let ada = &scene.ada;
    let snapshot = "org/x/lib/2-SNAPSHOT/lib-2-20260101.120000-1.jar";
    scene.then("a first file", scene.put("org/x/lib/1/lib-1.pom", &pom("lib", "1", ""))).await;
    scene.then("a second version", scene.put("org/x/lib/3/lib-3.jar", "jar")).await;
    scene.then("a snapshot", scene.put(snapshot, "snapshot")).await;
    scene.then("a plugin", scene.put("org/x/go-maven-plugin/1/go-maven-plugin-1.pom", &plugin("Go"))).await;
    scene.then("another name", scene.put("org/x/go-maven-plugin/1/go-maven-plugin-1.pom", &plugin("Run"))).await;
    let sign = json!({"gpg_sign_files": true});
    scene.then("signing", ada.patch("/repos/ada/m2").json(sign)).await;
    scene.then("a signed file", scene.put("org/x/lib/1/lib-1.jar", "jar")).await;
    scene.then("signatures of files that are there", ada.post("/gpg/ada/m2/lib/versions/3")).await;
    let archive = zip(&[("lib-5.jar", "jar"), ("lib-5.pom", &pom("lib", "5", ""))]);
    let archive = ada.put("/content/ada/m2/lib/5/org/x/lib/5/all.zip?explode=1&publish=1").body(archive);
    scene.then("an archive", archive).await;
    let unsigned = json!({"gpg_sign_files": false});
    scene.then("no signing", ada.patch("/repos/ada/m2").json(unsigned)).await;
    scene.then("a replaced file loses its signature", scene.put("org/x/lib/1/lib-1.jar", "other jar")).await;
    scene.then("a deleted file takes its signature along", ada.delete("/content/ada/m2/org/x/lib/3/lib-3.jar")).await;
    put(ada, "org/x/lib/4/lib-4.jar", "staged").await.expect(201);
    put(ada, "org/x/lib/4/lib-4.pom", &pom("lib", "4", "")).await.expect(201);
    scene.house.clock.advance(61 * SECOND);
    assert_eq!(publish(ada, "ada/m2/lib/4").await, 2);
    scene.compare("staged files").await;
    scene.then("a deleted signature", ada.delete("/content/ada/m2/org/x/lib/5/lib-5.jar.asc")).await;
    scene.then("a deleted version", ada.delete("/packages/ada/m2/lib/versions/5")).await;
    scene.then("a deleted snapshot", ada.delete(&format!("/content/ada/m2/{snapshot}"))).await;
    scene.then("a deleted package", ada.delete("/packages/ada/m2/lib")).await;
    assert!(indexes(&scene.house).await.iter().all(|(status, _)| *status == 404));
}

#[tokio::test]
async fn two_packages_share_the_index_of_their_group() {
    let (house, ada) = lib().await;
    crate::catalogue::new_package(&ada, "ada/m2", "go").await;
    let path = ";publish=1/org/x/go-maven-plugin/1/go-maven-plugin-1.pom";
    ada.put(&format!("/maven/ada/m2/go/{path}")).body(plugin("Go")).await.expect(201);
    deploy(&ada, "org/x/lib/1/lib-1.pom", &pom("lib", "1", "<packaging>maven-plugin</packaging>")).await;
    let scene = Scene { house, ada };
    scene.then("a deleted package", scene.ada.delete("/packages/ada/m2/lib")).await;
    assert_eq!(indexes(&scene.house).await[0].0, 200, "the other package is still listed");
}
