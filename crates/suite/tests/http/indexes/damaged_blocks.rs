//! Blocks whose bytes are not what they were: they are rendered again as soon as they are read.

use std::io::Read as _;

use flate2::read::GzDecoder;

use super::{
    cost::fill,
    debian::{FOLDER, publish_deb},
    repo_of,
};
use crate::catalogue::new_package;

/// The number of packages: several full blocks.
const COUNT: usize = 2_000;

#[tokio::test]
async fn a_damaged_block_is_rendered_again() {
    let (house, ada) = repo_of("debian").await;
    new_package(&ada, "ada/repo", "hello").await;
    publish_deb(&ada, "hello", "1", "amd64").await;
    fill(&house, 1, COUNT).await;
    publish_deb(&ada, "last", "1", "amd64").await;
    let bytes = if house.stack().is_cluster() { "'\\x00ff'" } else { "X'00ff'" };
    let damage = format!(
        "UPDATE index_block_bytes SET bytes = {bytes}
         WHERE block_id IN (SELECT id FROM index_blocks WHERE last_generation IS NULL AND entries > 100)"
    );
    database::testing::run_batch(&house.app().house().db, &damage).await.expect("updated");
    // All blocks come after the one that the package was in.
    ada.delete("/content/ada/repo/pool/hello_1_amd64.deb").await.expect(200);
    let path = format!("{FOLDER}/main/binary-amd64/Packages");
    let (gzip, mut text) = (house.anyone().download(&format!("{path}.gz")).await.expect(200).body, String::new());
    GzDecoder::new(&gzip[..]).read_to_string(&mut text).expect("gzip");
    assert_eq!(text.matches("\nArchitecture: amd64\n").count(), COUNT);
    assert!(!text.contains("Package: hello\n") && text.contains("Package: last\n"));
    assert_eq!(house.anyone().download(&path).await.expect(200).text(), text);
}
