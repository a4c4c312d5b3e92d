//! Runs every line of the guides, as their readers would, each guide on a fresh server.

use crate::{blocks, try_out_as};

const QUICKSTART: &str = include_str!("../../../../docs/quickstart.md");
const PUBLISHING: &str = include_str!("../../../../docs/publishing.md");
const CUSTOMERS: &str = include_str!("../../../../docs/customers.md");
const SIGNING: &str = include_str!("../../../../docs/signing.md");
const WEBHOOKS: &str = include_str!("../../../../docs/webhooks.md");
const CI: &str = include_str!("../../../../docs/ci.md");
const TROUBLESHOOTING: &str = include_str!("../../../../docs/troubleshooting.md");
const ARTIFACTORY: &str = include_str!("../../../../docs/migrate/artifactory.md");
const NEXUS: &str = include_str!("../../../../docs/migrate/nexus.md");
const CLOUDSMITH: &str = include_str!("../../../../docs/migrate/cloudsmith.md");

/// Runs all lines of a guide as Ada, and returns what they print.
async fn follow(name: &str, guide: &str, at_least: usize) -> String {
    let blocks = blocks::read_lines(guide);
    assert!(blocks.len() >= at_least, "{name}: only {} lines were found", blocks.len());
    try_out_as(name, &blocks, Some("ada")).await
}

#[tokio::test]
async fn the_quickstart_ends_with_a_published_package() {
    let printed = follow("docs/quickstart.md", QUICKSTART, 10).await;
    assert!(printed.contains("published 1 file of ada/tools/hello/1.0\n"), "{printed}");
    assert!(printed.contains("\nhello\n"), "{printed}");
}

#[tokio::test]
async fn the_guide_to_publishing_works() {
    let printed = follow("docs/publishing.md", PUBLISHING, 20).await;
    assert!(printed.contains("set the release notes of ada/tools/relay/2.0\n"), "{printed}");
}

#[tokio::test]
async fn the_guide_to_customers_works() {
    let printed = follow("docs/customers.md", CUSTOMERS, 18).await;
    assert!(printed.contains("accepted the EULA terms of ada/suite for 5.0\n"), "{printed}");
    assert_eq!(printed.matches("\npro\n").count(), 2, "{printed}");
}

#[tokio::test]
async fn the_guide_to_signing_works() {
    let printed = follow("docs/signing.md", SIGNING, 8).await;
    assert!(printed.contains("1 signature verified"), "{printed}");
}

#[tokio::test]
async fn the_guides_to_webhooks_and_ci_work() {
    let hooks = follow("docs/webhooks.md", WEBHOOKS, 7).await;
    assert!(hooks.contains("secret  "), "{hooks}");
    let jobs = follow("docs/ci.md", CI, 6).await;
    assert!(jobs.contains("published 1 file"), "{jobs}");
    follow("docs/troubleshooting.md", TROUBLESHOOTING, 1).await;
}

#[tokio::test]
async fn the_guides_to_migrations_work() {
    follow("docs/migrate/artifactory.md", ARTIFACTORY, 7).await;
    follow("docs/migrate/nexus.md", NEXUS, 6).await;
    follow("docs/migrate/cloudsmith.md", CLOUDSMITH, 7).await;
}
