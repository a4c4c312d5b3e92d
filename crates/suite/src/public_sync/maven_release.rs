//! A release that meets the rules of public registries.

use crate::{Person, public_sync::Gpg};

/// Paths and contents.
pub type Files = Vec<(String, Vec<u8>)>;

const POM: &str = "<project><groupId>org.x</groupId><artifactId>lib</artifactId><version>1.0</version>\
    <name>Lib</name><description>A library</description><url>https://example.org</url>\
    <licenses><license><name>MIT</name></license></licenses>\
    <developers><developer><id>ada</id></developer></developers>\
    <scm><url>https://example.org/scm</url></scm></project>";

/// Returns the files of `org.x:lib:1.0`, each with its signature.
pub fn release(gpg: &Gpg) -> Files {
    let stem = "org/x/lib/1.0/lib-1.0";
    // Larger than the buffers of a connection, and not text.
    let jar: Vec<u8> = (0..300_000_u32).flat_map(|number| number.to_le_bytes()).collect();
    let main = [
        (format!("{stem}.pom"), POM.as_bytes().to_vec()),
        (format!("{stem}.jar"), jar),
        (format!("{stem}-sources.jar"), b"sources".to_vec()),
        (format!("{stem}-javadoc.jar"), b"javadoc".to_vec()),
    ];
    let signed = |(path, content): (String, Vec<u8>)| {
        let signature = gpg.sign(&content);
        [(format!("{path}.asc"), signature), (path, content)]
    };
    main.into_iter().flat_map(signed).collect()
}

impl Person {
    /// Creates the Maven repository `name/central` with the package `lib`, and publishes these files in it.
    pub async fn publish_release(&self, files: &Files) {
        let (repo, name) = (format!("{}/central", self.name()), serde_json::json!({"name": "lib"}));
        self.post(&format!("/repos/{repo}")).json(serde_json::json!({"type": "maven"})).await.expect(201);
        self.post(&format!("/packages/{repo}")).json(name).await.expect(201);
        for (path, content) in files {
            let call = self.put(&format!("/maven/{repo}/lib/{path}?publish=1")).body(content.clone());
            call.await.expect(201);
        }
    }
}
