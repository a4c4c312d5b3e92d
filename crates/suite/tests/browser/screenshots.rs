//! Ten pages look as they did. A difference is either a mistake, or a change of the look: then
//! `cargo xtask pictures` keeps the new pictures.

use std::path::{Path, PathBuf};

use suite::{
    TestHouse,
    chromium::{Tab, Window, open},
};

use crate::{pictures, png::Picture};

/// The kept pictures have a sixteenth of the pixels. An average of sixteen pixels hides how one of them was smoothed,
/// which depends on the version of the browser, and shows every word and every color.
const SHRINK: usize = 4;

/// The difference of a color from which on a pixel is another one: a line of a pixel changes an average by a quarter of
/// its contrast.
const COLOR: u8 = 24;

/// The share of pixels that may be others. A word of body text takes more on the smallest of these pages.
const SHARE: f64 = 0.002;

/// The pages on a desk, by the name of their picture.
const PAGES: [(&str, &str); 5] = [
    ("home", "/"),
    ("explore", "/-/explore"),
    ("search", "/search?q=lighthouse"),
    ("package", "/harbour/tools/lighthouse"),
    ("sign-in", "/login"),
];

/// Pages in other windows.
const ELSEWHERE: [(&str, &str, Window); 2] = [
    ("package-dark", "/harbour/tools/lighthouse", Window { is_dark: true, ..Window::DESK }),
    ("version-phone", "/harbour/tools/lighthouse/1.4.0", Window::PHONE),
];

/// The pages of a signed-in user.
const OWN: [(&str, &str); 3] = [
    ("repository", "/harbour/tools"),
    ("downloads", "/-/numbers/harbour/tools/lighthouse"),
    ("settings", "/-/edit/package/harbour/tools/lighthouse"),
];

#[tokio::test]
async fn ten_pages_look_as_they_did() {
    let house = TestHouse::start_with(&[("public_url", "https://packages.example.org")]).await;
    let harbour = house.user("harbour").await;
    pictures::furnish(&harbour).await;
    pictures::sail(&house).await;
    let mut wrong = Vec::new();
    for (name, path, window) in ELSEWHERE {
        wrong.extend(compare(&open(window).await, &house, name, path).await);
    }
    let tab = open(Window::DESK).await;
    for (name, path) in PAGES {
        wrong.extend(compare(&tab, &house, name, path).await);
    }
    // The URL in the settings is not that of the server, so the form for signing in does not work here.
    tab.send_credentials(harbour.name(), harbour.key()).await;
    for (name, path) in OWN {
        wrong.extend(compare(&tab, &house, name, path).await);
    }
    assert!(wrong.is_empty(), "{}\nIf they are right, run `cargo xtask pictures`.", wrong.join("\n"));
}

fn kept(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/browser/screenshots/{name}.png"))
}

/// Opens the page and compares it with the kept picture; returns what is wrong.
async fn compare(tab: &Tab, house: &TestHouse, name: &str, path: &str) -> Option<String> {
    tab.go(&format!("http://{}{path}", house.address)).await;
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("page.png");
    tab.save_picture(&file).await;
    let picture = Picture::read(&std::fs::read(&file).expect("a picture")).shrunk(SHRINK);
    let (kept, bytes) = (kept(name), picture.write());
    assert!(bytes.len() < 60_000, "{name} takes {} bytes", bytes.len());
    if std::env::var_os("PACKHOUSE_KEEP_SCREENSHOTS").is_some() {
        std::fs::write(&kept, bytes).expect("written");
        return None;
    }
    let before = Picture::read(&std::fs::read(&kept).unwrap_or_else(|error| panic!("{}: {error}", kept.display())));
    let difference = picture.difference(&before, COLOR);
    (difference > SHARE).then(|| {
        let new = kept.with_extension("new.png");
        std::fs::write(&new, bytes).expect("written");
        format!("{name} differs in {:.2} % of its pixels; see {}", difference * 100.0, new.display())
    })
}
