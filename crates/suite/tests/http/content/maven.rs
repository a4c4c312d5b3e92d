//! Helpers for Maven repositories.

use serde_json::json;
use suite::{Call, Person, TestHouse};

use crate::catalogue::new_package;

/// Starts a house with the package `ada/m2/lib` in a Maven repository, and ada.
pub(crate) async fn lib() -> (TestHouse, Person) {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    ada.post("/repos/ada/m2").json(json!({"type": "maven"})).await.expect(201);
    new_package(&ada, "ada/m2", "lib").await;
    (house, ada)
}

/// PUT of a file of the package, unpublished unless the path says otherwise.
pub(crate) fn put(by: &Person, path: &str, content: &str) -> Call {
    by.put(&format!("/maven/ada/m2/lib/{path}")).body(content.to_owned())
}

/// Uploads and publishes a file of the package.
pub(crate) async fn deploy(by: &Person, path: &str, content: &str) {
    put(by, &format!(";publish=1/{path}"), content).await.refuses(201, "success");
}

/// Returns the POM of an artifact of the group `org.x` with the elements `more`.
pub(crate) fn pom(artifact: &str, version: &str, more: &str) -> String {
    format!(
        "<project><modelVersion>4.0.0</modelVersion><groupId>org.x</groupId>\
         <artifactId>{artifact}</artifactId><version>{version}</version>{more}</project>"
    )
}

/// Returns the index in a folder of the repository, as this caller reads it.
pub(crate) async fn index(who: &Person, folder: &str) -> String {
    who.download(&format!("/ada/m2/{folder}/maven-metadata.xml")).await.expect(200).text()
}

/// Returns the contents of the elements with this name, in their order.
pub(crate) fn values<'i>(index: &'i str, element: &str) -> Vec<&'i str> {
    let (start, end) = (format!("<{element}>"), format!("</{element}>"));
    index.split(&start).skip(1).filter_map(|rest| Some(rest.split_once(&end)?.0)).collect()
}
