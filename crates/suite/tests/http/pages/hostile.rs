//! Hostile texts are only displayed on a page.

use serde_json::json;
use suite::{Person, TestHouse};

use crate::{
    access::eulas::{EULAS, Sold},
    catalogue::{new_repo, segment},
    content::upload_published,
};

const NAME: &str = "<script>alert(1)<'\"&>";
const TEXT: &str = "</p><script>alert(1)</script><img src=x onerror=alert(1)>\" onclick=\"alert(1)";
const MARKDOWN: &str = "<script>alert(1)</script>\n\n<img src=x onerror=alert(1)>\n\n[a](javascript:alert(1)) \
    [b](JAVASCRIPT:alert(1)) [c](data:text/html,x)\n\n<a href=\"javascript:alert(1)\" onclick=\"alert(1)\">d</a>\n\n\
    <iframe src=\"//evil.example\"></iframe><form action=\"/logout\" method=\"post\"><button>e</button></form>\n\n\
    <svg onload=alert(1)></svg><style>body{display:none}</style><p style=\"position:fixed\" id=\"q\">f</p>\n\n\
    ![g](https://evil.example/g.png)";

/// Asserts that a page has nothing that a browser would run, load or send.
fn assert_harmless(path: &str, page: &str) {
    let (_, main) = page.split_once("<main").expect("a page has a main part");
    let (main, _) = main.split_once("</main>").expect("it ends");
    for part in ["<script", "<iframe", "<svg onload", "<style", "href=\"javascript", "href=\"JAVASCRIPT"] {
        assert!(!main.contains(part), "{path} holds {part}: {main}");
    }
    let images = main.matches("<img").count();
    assert_eq!(images, main.matches("<img src=\"/-/image?signature=").count(), "{path} loads only from here: {main}");
    for part in ["href=\"data:", "action=\"/logout\"", "evil.example/", "id=\"q\""] {
        assert!(!main.contains(part), "{path} holds {part}: {main}");
    }
    for tag in main.split('<').skip(1).filter_map(|rest| rest.split('>').next()) {
        // Text between quotes is inert: a quote inside it would be escaped.
        let tag: String = tag.split('"').step_by(2).collect();
        assert!(
            !tag.contains(" onerror=") && !tag.contains(" onclick=") && !tag.contains(" style="),
            "{path}: <{tag}>"
        );
    }
}

/// Creates a package with hostile texts in every field.
async fn hostile() -> (TestHouse, Person, String) {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    ada.patch("/users/ada").json(json!({ "full_name": TEXT })).await.expect(200);
    new_repo(&ada, "ada/tools").await;
    ada.patch("/repos/ada/tools").json(json!({"desc": TEXT, "labels": [NAME]})).await.expect(200);
    let name = NAME.replace(['\\', ';', '?', '#', '%', '/'], "");
    let package = json!({
        "name": name, "desc": TEXT, "labels": [NAME], "website_url": "javascript:alert(1)",
        "vcs_url": "https://evil.example\"onclick=alert(1)", "issue_tracker_url": " javascript:alert(1)//https://",
    });
    ada.post("/packages/ada/tools").json(package).await.expect(201);
    let at = format!("ada/tools/{}", segment(&name));
    upload_published(&ada, &format!("{at}/{}/{}.bin", segment(&name), segment(&name)), "meow").await;
    let document = json!({"syntax": "markdown", "content": MARKDOWN});
    ada.post(&format!("/packages/{at}/readme")).json(document.clone()).await.expect(200);
    let version = format!("{at}/versions/{}", segment(&name));
    ada.post(&format!("/packages/{version}/release_notes")).json(document).await.expect(200);
    ada.patch(&format!("/packages/{version}")).json(json!({"desc": TEXT, "vcs_tag": TEXT})).await.expect(200);
    let attributes = json!([{"name": NAME, "values": [TEXT]}]);
    ada.post(&format!("/packages/{at}/attributes")).json(attributes).await.expect(200);
    let path = format!("/{at}");
    (house, ada, path)
}

#[tokio::test]
async fn names_and_texts_of_others_do_nothing() {
    let (house, ada, package) = hostile().await;
    let browser = house.browser();
    browser.sign_in("ada", ada.key()).await.expect(303);
    let name = package.rsplit('/').next().expect("a name").to_owned();
    let version = format!("{package}/{name}");
    let pages = ["/ada", "/ada/tools", &package, &version, "/-/files/ada/tools", "/account", "/search?q=script"];
    for path in pages {
        let page = browser.open(path).await.expect(200).text();
        assert_harmless(path, &page);
    }
    let hook = json!({"url": "https://example.org/\"onclick=alert(1)/<script>alert(1)</script>"});
    ada.post(&format!("/webhooks{package}")).json(hook).await.expect(201);
    let given = json!({"access": "r", "tags": [NAME]});
    ada.post(&format!("/packages{package}/entitlements")).json(given).await.expect(201);
    let of_package = ["webhooks", "numbers", "entitlements"].map(|about| format!("/-/{about}{package}"));
    let of_repo = ["webhooks", "usage", "entitlements"].map(|about| format!("/-/{about}/ada/tools"));
    for path in of_package.iter().chain(&of_repo) {
        let page = browser.open(path).await.expect(200).text();
        assert_harmless(path, &page);
    }
    let admin = house.browser();
    admin.sign_in("admin", house.admin().key()).await.expect(303);
    for path in ["/-/admin/users", "/-/admin/users/ada", "/-/admin/audit", "/-/admin/audit?target=%3Cscript%3E"] {
        assert_harmless(path, &admin.open(path).await.expect(200).text());
    }
    let page = browser.open(&package).await.expect(200).text();
    assert!(page.contains("&#60;script&#62;alert(1)") && page.contains(">d</a>"), "{page}");
    let searched = browser.open(&format!("/search?q={}", segment(TEXT))).await.expect(200).text();
    assert_harmless("/search", &searched);
    let refused = browser.open(&format!("/search?in={}", segment(TEXT))).await.expect(400).text();
    assert_harmless("/search?in", &refused);
    let page = browser.open(&format!("/login?next={}", segment("/\"><script>"))).await;
    assert!(!page.text().contains("<script>"), "{}", page.text());
}

#[tokio::test]
async fn agreements_do_nothing_either() {
    let sold = Sold::start().await;
    let change = json!({"syntax": "markdown", "content": MARKDOWN});
    sold.ada.patch(&format!("{EULAS}/terms")).json(change).await.expect(200);
    let page = sold.key.get("//eula/ada/suite/1.0").await.expect(200).text();
    assert_harmless("/eula", &page);
    assert!(page.contains("name=\"token\""), "{page}");
}
