//! Screenshots of the pages for the README: `cargo xtask pictures` saves them in `docs/pictures`.

use std::path::PathBuf;

use serde_json::json;
use suite::{
    Person, TestHouse,
    chromium::{Window, open},
};

const DAY: i64 = 86_400_000;

const README: &str = "# Lighthouse\n\nA small program that watches over others, and tells when one of them goes dark.\n\n\
    ```sh\nlighthouse watch --every 30s https://example.org\n```\n\n\
    | Signal | Meaning |\n|---|---|\n| steady | all is well |\n| blinking | somebody should have a look |\n";

/// Returns the folder for screenshots: a temporary one, unless the task sets another one.
fn folder() -> PathBuf {
    let folder = std::env::var_os("PACKHOUSE_PICTURES").map(PathBuf::from);
    folder.unwrap_or_else(|| std::env::temp_dir().join(format!("packhouse-pictures-{}", std::process::id())))
}

#[tokio::test]
async fn the_pages_have_their_pictures() {
    // The displayed URL is the same each time.
    let house = TestHouse::start_with(&[("public_url", "https://packages.example.org")]).await;
    let harbour = house.user("harbour").await;
    furnish(&harbour).await;
    sail(&house).await;
    let folder = folder();
    std::fs::create_dir_all(&folder).expect("a folder for pictures");
    for (name, path, window) in [
        ("package", "/harbour/tools/lighthouse", Window { size: (1_100, 1_600), ..Window::DESK }),
        ("version-dark", "/harbour/tools/lighthouse/1.4.0", Window { is_dark: true, ..Window::DESK }),
        ("repository-phone", "/harbour/tools", Window::PHONE),
    ] {
        let tab = open(window).await;
        tab.go(&format!("http://{}{path}", house.address)).await;
        let file = folder.join(format!("{name}.png"));
        tab.save_picture(&file).await;
        let bytes = std::fs::read(&file).expect("a picture");
        assert!(bytes.starts_with(b"\x89PNG") && bytes.len() > 10_000, "{name} is no picture of a page");
    }
}

/// Fills a realistic repository.
pub(crate) async fn furnish(harbour: &Person) {
    harbour.post("/repos/harbour/tools").json(json!({ "desc": "Programs for those at sea" })).await.expect(201);
    for (name, desc) in [
        ("lighthouse", "Watches over others, and tells when one of them goes dark"),
        ("logbook", "Writes down what happened, and when"),
        ("sextant", "Finds out where you are"),
    ] {
        let new = json!({
            "name": name, "desc": desc, "labels": ["sea", "tools"], "licenses": ["Apache-2.0"],
            "vcs_url": format!("https://example.org/harbour/{name}.git"),
            "website_url": format!("https://example.org/{name}"), "public_download_numbers": true,
        });
        harbour.post("/packages/harbour/tools").json(new).await.expect(201);
    }
    let readme = json!({ "syntax": "markdown", "content": README });
    harbour.post("/packages/harbour/tools/lighthouse/readme").json(readme).await.expect(200);
    for version in ["1.2.0", "1.3.0", "1.4.0"] {
        for platform in ["linux-x86_64.tar.gz", "macos-arm64.tar.gz", "windows-x86_64.zip"] {
            let file = format!("lighthouse/{version}/lighthouse-{version}-{platform}?publish=1");
            let path = format!("/content/harbour/tools/lighthouse/{version}/{file}");
            harbour.put(&path).body(file.repeat(40)).await.expect(201);
        }
    }
    let attributes = json!([{ "name": "channel", "values": ["stable"] }, { "name": "platforms", "values": [3] }]);
    harbour.post("/packages/harbour/tools/lighthouse/attributes").json(attributes).await.expect(200);
}

/// Simulates a month of downloads.
pub(crate) async fn sail(house: &TestHouse) {
    let anyone = house.anyone();
    for day in 0..30_usize {
        house.clock.advance(DAY);
        for number in 0..3 + (day * 7) % 11 + day / 3 {
            let version = ["1.4.0", "1.4.0", "1.3.0", "1.2.0"][number % 4];
            let file = format!("lighthouse/{version}/lighthouse-{version}-linux-x86_64.tar.gz");
            anyone.download(&format!("/harbour/tools/{file}")).await.expect(200);
        }
        house.flush().await;
    }
}
