//! Runs every line of the guides, as their readers would, each guide on a fresh server.

use suite::documents::{self, followed_blocks};

use crate::{lines, snippets::pipeline_scripts, try_out_as};

const QUICKSTART: &str = include_str!("../../../../docs/quickstart.md");
const PUBLISHING: &str = include_str!("../../../../docs/publishing.md");
const CUSTOMERS: &str = include_str!("../../../../docs/customers.md");
const SIGNING: &str = include_str!("../../../../docs/signing.md");
const WEBHOOKS: &str = include_str!("../../../../docs/webhooks.md");
const CI: &str = include_str!("../../../../docs/ci.md");
const TRUSTED_PUBLISHING: &str = include_str!("../../../../docs/trusted-publishing.md");
const TROUBLESHOOTING: &str = include_str!("../../../../docs/troubleshooting.md");
const ARTIFACTORY: &str = include_str!("../../../../docs/migrate/artifactory.md");
const NEXUS: &str = include_str!("../../../../docs/migrate/nexus.md");
const CLOUDSMITH: &str = include_str!("../../../../docs/migrate/cloudsmith.md");

/// Runs all lines of a guide as Ada, and returns what they print.
async fn follow(name: &str, guide: &str, at_least: usize) -> String {
    let blocks = followed_blocks(guide);
    assert!(lines(&blocks) >= at_least, "{name}: only {} lines were found", lines(&blocks));
    try_out_as(name, &blocks, Some("ada")).await
}

#[tokio::test]
async fn the_quickstart_ends_with_a_published_package() {
    let printed = try_out_as("docs/quickstart.md", &followed_blocks(QUICKSTART), None).await;
    assert!(printed.contains("published 1 file of ada/tools/hello/1.0\n"), "{printed}");
    assert!(printed.contains("}hello\n"), "{printed}");
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
async fn the_guides_to_webhooks_and_troubleshooting_work() {
    let hooks = follow("docs/webhooks.md", WEBHOOKS, 7).await;
    assert!(hooks.contains("secret  "), "{hooks}");
    follow("docs/troubleshooting.md", TROUBLESHOOTING, 1).await;
}

/// The tag that a pipeline publishes, and what it builds.
const TAG: &str = r"export GITHUB_REF_NAME=v2.NUMBER CI_COMMIT_TAG=v2.NUMBER GITHUB_PATH=$START/path
export PACKHOUSE_API_KEY=$(cat ../token.txt)
printf 'dist:\n\tmkdir dist && echo NUMBER > dist/relay-2.NUMBER.txt\n' > Makefile";

#[tokio::test]
async fn the_guide_to_ci_and_its_pipelines_work() {
    let mut blocks = followed_blocks(CI);
    let pipelines: Vec<_> = documents::blocks(CI).into_iter().filter(|block| block.language == "yaml").collect();
    for (number, pipeline) in pipelines.iter().enumerate() {
        let steps = format!("{}\n{}", TAG.replace("NUMBER", &number.to_string()), pipeline_scripts(pipeline).await);
        blocks.extend(followed_blocks(&format!(
            "<!-- in: pipeline-{number} -->\n<!-- prints: published 1 file -->\n```sh\n{steps}\n```\n"
        )));
    }
    assert_eq!(pipelines.len(), 2, "{blocks:?}");
    let printed = try_out_as("docs/ci.md", &blocks, Some("ada")).await;
    assert_eq!(printed.matches("published 1 file\n").count(), 4, "{printed}");
}

/// What the guide to trusted publishing expects.
const CREATE_CAT: &str = "```sh\npackhouse org create acme\npackhouse repo create acme/tools\npackhouse package create acme/tools/cat\n```\n";

#[tokio::test]
async fn the_guide_to_trusted_publishing_works() {
    let mut blocks = followed_blocks(CREATE_CAT);
    blocks.extend(followed_blocks(TRUSTED_PUBLISHING));
    try_out_as("docs/trusted-publishing.md", &blocks, Some("ada")).await;
}

#[tokio::test]
async fn the_guides_to_migrations_work() {
    follow("docs/migrate/artifactory.md", ARTIFACTORY, 7).await;
    follow("docs/migrate/nexus.md", NEXUS, 6).await;
    follow("docs/migrate/cloudsmith.md", CLOUDSMITH, 7).await;
}
