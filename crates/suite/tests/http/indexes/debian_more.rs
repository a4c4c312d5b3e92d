//! Debian repositories: packages for all architectures, source packages, and documents that end.

use serde_json::json;
use suite::Person;

use super::{
    debian::{FOLDER, publish_deb},
    repo_of, run_job,
};
use crate::{catalogue::new_package, content::DAY};

async fn names(who: &Person, path: &str) -> Vec<String> {
    let text = who.download(&format!("{FOLDER}/{path}")).await.expect(200).text();
    let names = text.lines().filter_map(|line| line.strip_prefix("Package: "));
    let mut names: Vec<String> = names.map(str::to_owned).collect();
    names.sort();
    names
}

#[tokio::test]
async fn packages_for_all_architectures_are_listed_for_each() {
    let (house, ada) = repo_of("debian").await;
    new_package(&ada, "ada/repo", "hello").await;
    let anyone = house.anyone();
    publish_deb(&ada, "hello", "1", "amd64").await;
    for number in 0..40 {
        publish_deb(&ada, &format!("doc{number}"), "1", "all").await;
    }
    assert_eq!(names(&anyone, "main/binary-all/Packages").await.len(), 40);
    assert_eq!(names(&anyone, "main/binary-amd64/Packages").await.len(), 41);
    // A new architecture begins with all of them, and others that come later are added to it.
    publish_deb(&ada, "hello", "1", "arm64").await;
    publish_deb(&ada, "late", "1", "all").await;
    for architecture in ["amd64", "arm64"] {
        let found = names(&anyone, &format!("main/binary-{architecture}/Packages")).await;
        assert_eq!(found.len(), 42, "{architecture}: {found:?}");
    }
    ada.delete("/content/ada/repo/pool/doc7_1_all.deb").await.expect(200);
    for architecture in ["all", "amd64", "arm64"] {
        let found = names(&anyone, &format!("main/binary-{architecture}/Packages")).await;
        assert!(!found.contains(&"doc7".to_owned()) && found.contains(&"doc8".to_owned()), "{found:?}");
    }
    let grown = names(&anyone, "main/binary-arm64/Packages").await;
    ada.post("/calc_metadata/ada/repo").await.refuses(202, "success");
    assert_eq!(names(&anyone, "main/binary-arm64/Packages").await, grown);
}

const DSC: &str = "Format: 3.0 (native)\nSource: hello\nBinary: hello\nArchitecture: any\nVersion: 1:1.0\n\
    Maintainer: Ada <ada@example.com>\n\
    Checksums-Sha256:\n 2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824 5 hello_1.0.tar.xz\n\
    Files:\n 5d41402abc4b2a76b9719d911017c592 5 hello_1.0.tar.xz\n";

#[tokio::test]
async fn source_packages_are_listed() {
    let (house, ada) = repo_of("debian").await;
    new_package(&ada, "ada/repo", "hello").await;
    let put = |name: &str, place: &str, body: &'static str| {
        ada.put(&format!("/content/ada/repo/hello/1:1.0/pool/h/{name}?publish=1{place}")).body(body)
    };
    put("hello_1.0.tar.xz", "", "hello").await.expect(201);
    let place = "&deb_distribution=stable&deb_component=main";
    put("hello_2.0.dsc", place, DSC).await.expect(400);
    put("hello_1.0.dsc", place, DSC).await.expect(201);
    let anyone = house.anyone();
    let text = anyone.download(&format!("{FOLDER}/main/source/Sources")).await.expect(200).text();
    assert!(text.starts_with("Package: hello\nFormat: 3.0 (native)\n"), "{text}");
    assert!(text.contains("\nDirectory: pool/h\n") && text.contains(" 5 hello_1.0.tar.xz\n"), "{text}");
    assert!(text.contains(&format!(" {} hello_1.0.dsc\n", DSC.len())), "{text}");
    let release = anyone.download(&format!("{FOLDER}/Release")).await.expect(200).text();
    assert!(release.contains(" main/source/Sources.gz\n") && !release.contains("Architectures"), "{release}");
}

#[tokio::test]
async fn a_release_that_ends_is_signed_again_in_time() {
    let (house, ada) = repo_of("debian").await;
    new_package(&ada, "ada/repo", "hello").await;
    publish_deb(&ada, "hello", "1", "amd64").await;
    let anyone = house.anyone();
    let field = async |name: &str| {
        let release = anyone.download(&format!("{FOLDER}/Release")).await.expect(200).text();
        release.lines().find_map(|line| line.strip_prefix(name)).map(str::to_owned)
    };
    assert_eq!(field("Valid-Until: ").await, None);
    let change = |days| ada.patch("/repos/ada/repo").json(json!({"debian_valid_days": days}));
    change(0).await.refuses(400, "debian_valid_days: '0' is not a number of days from 1 to 3650");
    change(10).await.expect(200);
    publish_deb(&ada, "hello", "2", "amd64").await;
    let first = field("Valid-Until: ").await.expect("an end");
    house.clock.advance(4 * DAY);
    run_job(&house).await;
    assert_eq!(field("Valid-Until: ").await.as_deref(), Some(first.as_str()));
    house.clock.advance(2 * DAY);
    run_job(&house).await;
    assert_ne!(field("Valid-Until: ").await.expect("an end"), first);
    anyone.download(&format!("{FOLDER}/main/binary-amd64/Packages.gz")).await.expect(200);
}
