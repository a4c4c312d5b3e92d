//! Common properties of all pages: which scripts may run, their size, and the responses to unknown paths.

pub(crate) mod account;
pub(crate) mod admin;
mod attention;
pub(crate) mod audit;
pub(crate) mod browse;
pub(crate) mod details;
pub(crate) mod eula;
mod feeds;
pub(crate) mod fill;
pub(crate) mod forms;
pub(crate) mod hidden;
mod home;
pub(crate) mod hostile;
mod key_holders;
pub(crate) mod keys;
pub(crate) mod manage;
pub(crate) mod manage_rights;
pub(crate) mod orgs;
mod package_details;
mod package_orders;
mod products;
mod readme_images;
mod refused_forms;
pub(crate) mod search;
pub(crate) mod sessions;
mod setup;
pub(crate) mod sign_in;
pub(crate) mod statistics;
pub(crate) mod tokens;
mod version_details;
mod well_known;

use std::collections::BTreeSet;

use reqwest::Method;
use serde_json::json;
use suite::{Answer, Browser, TestHouse};

use crate::{
    catalogue::{new_package, new_private_repo},
    content::{cat, upload_published},
};

/// The maximum size of a page in bytes.
const WEIGHT: usize = 100 * 1024;

/// Starts a house with content on every page, and ada's browser.
pub(crate) async fn furnished() -> (TestHouse, Browser) {
    let (house, ada) = cat().await;
    upload_published(&ada, "ada/tools/cat/1.0/bin/cat.tar", "meow").await;
    let readme = json!({"syntax": "markdown", "content": "# Cat\n\nA *quiet* cat."});
    ada.post("/packages/ada/tools/cat/readme").json(readme).await.expect(200);
    new_private_repo(&ada, "ada/secret").await;
    new_package(&ada, "ada/secret", "dog").await;
    let browser = house.browser();
    browser.sign_in("ada", ada.key()).await.expect(303);
    (house, browser)
}

/// The paths of pages that everyone may open in such a house.
pub(crate) const OPEN: [&str; 14] = [
    "/",
    "/login",
    "/search",
    "/search?q=cat",
    "/search?q=cat&format=generic",
    "/-/explore",
    "/-/explore?sort=downloads",
    "/-/key",
    "/ada",
    "/ada/tools",
    "/ada/tools/cat",
    "/ada/tools/cat/1.0",
    "/-/files/ada/tools",
    "/-/files/ada/tools/bin",
];

/// The paths of pages that ada may open as the owner.
pub(crate) const OWN: [&str; 28] = [
    "/-/setup/ada/tools",
    "/account/security",
    "/ada/tools/cat/1.0",
    "/-/new/repo/ada",
    "/-/new/package/ada/tools",
    "/-/new/version/ada/tools/cat",
    "/-/edit/repo/ada/tools",
    "/-/edit/package/ada/tools/cat",
    "/-/edit/readme/ada/tools/cat",
    "/-/edit/version/ada/tools/cat/1.0",
    "/-/attributes/version/ada/tools/cat/1.0",
    "/-/delete/repo/ada/tools",
    "/-/link/ada/tools/cat",
    "/-/signed-url/ada/tools/bin/cat.tar",
    "/-/users/ada/tokens",
    "/-/users/ada/access_keys",
    "/-/users/ada/gpg_key",
    "/-/restrictions/ada/tools",
    "/-/logs/ada/tools/cat",
    "/-/products/ada",
    "/-/users/ada/licenses",
    "/-/usage/ada",
    "/-/usage/ada/tools",
    "/-/numbers/ada/tools/cat",
    "/-/webhooks/ada/tools",
    "/-/webhooks/ada/tools/cat",
    "/-/entitlements/ada/tools",
    "/-/entitlements/ada/tools/cat/1.0",
];

/// Returns the value of the first attribute of this name.
fn attribute<'p>(page: &'p str, name: &str) -> Option<&'p str> {
    page.split_once(&format!("{name}=\""))?.1.split('"').next()
}

fn assert_safe(path: &str, page: &Answer) {
    let (text, policy) = (page.text(), page.header("content-security-policy"));
    assert!(page.header("content-type").starts_with("text/html"), "{path}");
    assert!(
        policy.starts_with("default-src 'none'; style-src 'self'; img-src 'self'; script-src '"),
        "{path}: {policy}"
    );
    assert!(!policy.contains("unsafe") && policy.contains("frame-ancestors 'none'"), "{path}: {policy}");
    let nonce = attribute(&text, "<script nonce").unwrap_or("none");
    assert!(policy.contains(&format!("script-src 'nonce-{nonce}'")), "{path}: {policy}");
    assert!(text.matches("<script").count() == 1 && text.contains("defer></script>"), "{path}");
    assert!(!text.contains(" style=") && !text.contains("<style"), "{path}");
    assert!(!text.contains(" onclick=") && !text.contains("javascript:"), "{path}");
    assert_eq!(page.header("cache-control"), "no-store", "{path}");
    assert!(text.len() < WEIGHT, "{path} weighs {} bytes", text.len());
    assert!(text.contains("<html lang=\"en\">") && text.contains("<main id=\"main\""), "{path}");
    assert_eq!(text.matches("<h1").count(), 1, "{path}");
}

#[tokio::test]
async fn pages_are_light_and_run_nothing_but_their_own_script() {
    let (house, ada) = furnished().await;
    for path in OPEN {
        assert_safe(path, &house.browser().open(path).await.expect(200));
    }
    for path in ["/", "/account", "/ada/tools/cat", "/ada/secret", "/ada/secret/dog"].into_iter().chain(OWN) {
        assert_safe(path, &ada.open(path).await.expect(200));
    }
    let admin = house.browser();
    admin.sign_in("admin", house.admin().key()).await.expect(303);
    for path in ["/-/admin", "/-/admin/users", "/-/admin/users/ada", "/-/admin/audit", "/-/admin/settings"] {
        assert_safe(path, &admin.open(path).await.expect(200));
    }
}

#[tokio::test]
async fn no_two_pages_share_what_lets_their_script_run() {
    let house = TestHouse::start().await;
    let (first, second) = (house.browser().open("/").await, house.browser().open("/").await);
    assert_ne!(first.header("content-security-policy"), second.header("content-security-policy"));
}

#[tokio::test]
async fn style_script_and_icon_are_kept_for_good_under_the_name_of_their_content() {
    let house = TestHouse::start().await;
    let page = house.browser().open("/").await.expect(200).text();
    let known = [("\"stylesheet\" href", "text/css"), ("src", "text/javascript"), ("svg+xml\" href", "image/svg+xml")];
    for (name, kind) in known {
        let address = page.split(&format!("{name}=\"")).skip(1).find(|rest| rest.starts_with("/assets/"));
        let address = address.and_then(|rest| rest.split('"').next()).expect("the page names it");
        let asset = house.anyone().get(&format!("/{address}")).await.expect(200);
        assert!(asset.header("content-type").starts_with(kind));
        assert_eq!(asset.header("cache-control"), "public, max-age=31536000, immutable");
        assert!(asset.body.len() < 32 * 1024);
    }
    for other in ["//assets/page.css", "//assets/page.0000000000000000.js", "//assets/", "//assets/a/b"] {
        house.anyone().get(other).await.refuses(404, "This URL does not exist");
    }
}

#[tokio::test]
async fn where_nothing_is_browsers_get_a_page_and_programs_json() {
    let (house, _) = furnished().await;
    for path in [
        "/nobody",
        "/ada/nothing",
        "/ada/tools/dog",
        "/ada/tools/cat/9",
        "/a/b/c/d/e",
        "/-/files/ada/tools/x",
        "/-/nothing",
        "/-",
    ] {
        let page = house.browser().open(path).await.expect(404);
        assert!(page.header("content-type").starts_with("text/html"), "{path}");
        assert!(page.text().contains("<h1 id=\"problem\">Not found</h1>"), "{path}: {}", page.text());
        assert!(page.header("content-security-policy").contains("script-src 'none'"), "{path}");
        let told = house.anyone().get(&format!("/{path}")).await.expect(404);
        assert_eq!(told.header("content-type"), "application/json", "{path}");
    }
}

#[tokio::test]
async fn other_surfaces_never_answer_with_a_page() {
    let house = TestHouse::start().await;
    for path in ["/api/nothing", "/api/users/ada", "/livez/x", "/assets/x", "/dl/ada/tools/x", "/metrics/x/y"] {
        let answer = house.browser().open(path).await;
        assert_eq!(answer.header("content-type"), "application/json", "{path}");
    }
}

#[tokio::test]
async fn a_wrong_method_is_told_in_the_words_of_the_visitor() {
    let (house, _) = furnished().await;
    for (path, allowed) in [("/ada", "GET,HEAD"), ("/logout", "POST"), ("/login", "GET,HEAD,POST")] {
        let answer = house.browser().call(Method::DELETE, path).await.expect(405);
        assert_eq!(answer.header("allow"), allowed, "{path}");
        assert!(answer.text().contains("<h1 id=\"problem\">"), "{path}");
        house.anyone().delete(&format!("/{path}")).await.refuses(405, "This URL does not support this method");
    }
}

#[tokio::test]
async fn every_link_of_a_page_leads_somewhere() {
    let (house, ada) = furnished().await;
    let anyone = house.browser();
    let of_ada = OPEN.into_iter().filter(|path| *path != "/login").chain(OWN);
    for (browser, path) in OPEN.map(|path| (&anyone, path)).into_iter().chain(of_ada.map(|path| (&ada, path))) {
        let text = browser.open(path).await.expect(200).text();
        let links: Vec<&str> = text.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        let own = format!("http://{}", house.address);
        // Icons are parts of one file.
        let pages = links.iter().filter_map(|link| link.split('#').next());
        let pages: BTreeSet<&str> = pages.filter(|link| link.starts_with('/') || link.starts_with(&own)).collect();
        for link in pages {
            let answer = browser.open(&link.replace(&own, "").replace("&#38;", "&")).await;
            assert!(matches!(answer.status, 200 | 303), "{path} links to {link}: {}", answer.status);
        }
        for anchor in links.iter().filter_map(|link| link.strip_prefix('#')) {
            assert!(text.contains(&format!("id=\"{anchor}\"")), "{path}#{anchor}");
        }
    }
}
