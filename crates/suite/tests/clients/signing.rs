//! A Maven repository that signs: `mvn` deploys as usual, and `gpg` verifies everything that is served.

use serde_json::json;
use suite::{Gpg, Person, TestHouse};

use crate::mvn::Mvn;

async fn signing_lib() -> (TestHouse, Person, Gpg) {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    let repo = json!({"type": "maven", "gpg_sign_files": true, "gpg_sign_metadata": true, "gpg_use_owner_key": true});
    ada.post("/repos/ada/m2").json(repo).await.expect(201);
    ada.post("/packages/ada/m2").json(json!({"name": "lib"})).await.expect(201);
    ada.post("/users/ada/keys/gpg/generate").await.expect(201);
    let gpg = Gpg::new();
    gpg.import(&house.anyone().get("/users/ada/keys/gpg/public.key").await.expect(200).text());
    (house, ada, gpg)
}

async fn is_signed(gpg: &Gpg, house: &TestHouse, path: &str) -> bool {
    let read = async |path: &str| house.anyone().download(&format!("/ada/m2/org/example/lib/{path}")).await.expect(200);
    gpg.verifies(&read(&format!("{path}.asc")).await.body, &read(path).await.body)
}

#[tokio::test]
async fn what_mvn_deploys_is_signed_file_by_file_and_fetched_again() {
    let (house, ada, gpg) = signing_lib().await;
    let publisher = Mvn::new(&house, "ada/m2", &ada);
    let (jar, sources) = (publisher.write("lib.jar", "meow"), publisher.write("sources.jar", "source"));
    let named = [("groupId", "org.example"), ("artifactId", "lib"), ("version", "1.0"), ("packaging", "jar")];
    let files = [("file", jar.as_str()), ("sources", sources.as_str())];
    publisher.deploy(&house, "ada/m2/lib", &[&named[..], &files[..]].concat()).await.succeeds();
    for path in ["1.0/lib-1.0.jar", "1.0/lib-1.0.pom", "1.0/lib-1.0-sources.jar", "maven-metadata.xml"] {
        assert!(is_signed(&gpg, &house, path).await, "{path}");
    }
    let reader = Mvn::new(&house, "ada/m2", &house.anyone());
    reader.get("org.example:lib:1.0").await.succeeds();
    let fetched = reader.fetched("org/example/lib/1.0/lib-1.0.jar").expect("it is fetched");
    // Not with Maven, which does not download the checksum of a signature and then fails because it is missing.
    let signature = house.anyone().download("/ada/m2/org/example/lib/1.0/lib-1.0.jar.asc").await.expect(200);
    assert!(gpg.verifies(&signature.body, fetched.as_bytes()));
}

#[tokio::test]
async fn a_signature_that_mvn_brings_along_takes_the_place_of_ours() {
    let (house, ada, _gpg) = signing_lib().await;
    let publisher = Mvn::new(&house, "ada/m2", &ada);
    let (jar, own) = (publisher.write("lib.jar", "meow"), publisher.write("lib.jar.asc", "ada's own"));
    let named = [("groupId", "org.example"), ("artifactId", "lib"), ("version", "1.0"), ("packaging", "jar")];
    let more = [("file", jar.as_str()), ("files", own.as_str()), ("types", "jar.asc"), ("classifiers", "")];
    publisher.deploy(&house, "ada/m2/lib", &[&named[..], &more[..]].concat()).await.succeeds();
    let read = house.anyone().download("/ada/m2/org/example/lib/1.0/lib-1.0.jar.asc").await.expect(200);
    assert_eq!(read.text(), "ada's own");
}
