//! Clients that look for "already exists" in an error.

use crate::content::{cat, upload};

#[tokio::test]
async fn the_refusal_of_a_path_that_is_there_says_that_it_already_exists() {
    let (_house, ada) = cat().await;
    upload(&ada, "ada/tools/cat/1.0/cat.bin", "meow").await;
    // Plugins for build tools upload with matrix parameters, and with headers.
    let other = ada.put("/content/ada/tools/cat.bin;bt_package=cat;bt_version=1.0;publish=1").body("purr").await;
    other.refuses(409, "The path 'cat.bin' already exists with other content; override=1 replaces it");
    let call = ada.put("/content/ada/tools/cat.bin").header("X-Bintray-Package", "cat");
    let elsewhere = call.header("X-Bintray-Version", "2.0").body("meow").await;
    elsewhere.refuses(409, "The path 'cat.bin' already exists and belongs to another version");
    // The same bytes already exist, which is what the client wanted.
    upload(&ada, "ada/tools/cat/1.0/cat.bin", "meow").await;
}
