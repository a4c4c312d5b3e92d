//! The pages of subjects, repositories, packages, versions and folders.

use serde_json::json;
use suite::{Browser, TestHouse};

use crate::{
    catalogue::{new_package, new_private_repo, segment},
    content::{
        MEOW_SHA1, MEOW_SHA256, cat,
        maven::{deploy, lib, pom},
        upload, upload_published,
    },
    pages::furnished,
};

async fn text(browser: &Browser, path: &str) -> String {
    browser.open(path).await.expect(200).text()
}

fn has(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "`{part}` is not in {text}");
    }
}

#[tokio::test]
async fn a_subject_shows_the_repositories_that_the_visitor_may_read() {
    let (house, ada) = furnished().await;
    let open = text(&house.browser(), "/ada").await;
    assert!(open.contains("href=\"/ada/tools\"") && !open.contains("secret"), "{open}");
    assert!(!open.contains("Followers"), "{open}");
    has(&text(&ada, "/ada").await, &["href=\"/ada/tools\"", "href=\"/ada/secret\"", "Followers", "<dt>User</dt>"]);
    has(&text(&ada, "/").await, &["href=\"/ada/secret\"", "Your repositories"]);
    house.admin().post("/orgs").json(json!({"name": "acme", "full_name": "Acme & Co"})).await.expect(201);
    has(&text(&ada, "/acme").await, &["<dt>Organization</dt><dd>Acme &#38; Co</dd>"]);
}

#[tokio::test]
async fn a_repository_lists_its_packages_page_by_page() {
    let (house, ada) = cat().await;
    for number in 0..60 {
        new_package(&ada, "ada/tools", &format!("dog{number:02}")).await;
    }
    let browser = house.browser();
    let first = text(&browser, "/ada/tools").await;
    has(&first, &["href=\"/ada/tools/cat\"", "1 to 50 of 61", "href=\"/ada/tools?start_pos=50\""]);
    let second = text(&browser, "/ada/tools?start_pos=50").await;
    has(&second, &["51 to 61 of 61", "href=\"/ada/tools/dog59\"", "href=\"/ada/tools?start_pos=0\""]);
    let filtered = text(&browser, "/ada/tools?start_name=dog5").await;
    has(&filtered, &["dog59", "value=\"dog5\""]);
    assert!(!filtered.contains("/ada/tools/cat\"") && !filtered.contains("dog49"), "{filtered}");
    browser.open("/ada/tools?start_pos=x").await.expect(400);
}

#[tokio::test]
async fn a_repository_tells_its_type_its_size_and_how_to_use_it() {
    let (house, ada) = furnished().await;
    let open = text(&house.browser(), "/ada/tools").await;
    let own = format!("http://{}", house.address);
    has(
        &open,
        &[
            "<dd id=\"format\">Generic</dd>",
            "<dd id=\"size\">4 B</dd>",
            &format!("curl -fLO &#39;{own}/dl/ada/tools/PATH&#39;"),
        ],
    );
    has(
        &open,
        &[&format!(
            "curl -u NAME:API_KEY -T FILE &#39;{own}/api/content/ada/tools/PACKAGE/VERSION/FILE?publish=1&#39;"
        )],
    );
    assert!(!open.contains("id=\"private\"") && !open.contains("id=\"restrictions\""));
    let secret = text(&ada, "/ada/secret").await;
    has(&secret, &["id=\"private\"", "id=\"credentials\"", "curl -u ada:API_KEY -fLO", "id=\"size\""]);
}

#[tokio::test]
async fn restrictions_are_told_to_owners() {
    let (house, ada) = cat().await;
    let lists = json!({"white_cidrs": ["127.0.0.0/8"], "black_cidrs": ["10.0.0.0/8"]});
    ada.put("/repos/ada/tools/ip_restrictions").json(lists).await.expect(200);
    let browser = house.browser();
    browser.sign_in("ada", ada.key()).await.expect(303);
    has(
        &text(&browser, "/ada/tools").await,
        &["<dd id=\"restrictions\">only from 127.0.0.0/8; not from 10.0.0.0/8</dd>"],
    );
    assert!(!text(&house.browser(), "/ada/tools").await.contains("127.0.0.0/8"));
}

#[tokio::test]
async fn a_package_shows_what_is_known_of_it() {
    let (house, ada) = cat().await;
    let change = json!({
        "desc": "A <quiet> cat", "labels": ["pet"], "licenses": ["MIT"], "website_url": "https://example.org/cat",
        "vcs_url": "git@example.org:cat.git", "public_download_numbers": true,
    });
    ada.patch("/packages/ada/tools/cat").json(change).await.expect(200);
    let readme = json!({"syntax": "markdown", "content": "# Cat\n\nA *quiet* cat."});
    ada.post("/packages/ada/tools/cat/readme").json(readme).await.expect(200);
    let attributes = json!([{"name": "legs", "values": [4]}, {"name": "_notes", "values": ["x"]}]);
    ada.post("/packages/ada/tools/cat/attributes").json(attributes).await.expect(200);
    upload_published(&ada, "ada/tools/cat/1.0/cat.tar", "meow").await;
    house.anyone().download("/ada/tools/cat.tar").await.expect(200);
    house.flush().await;
    let page = text(&house.browser(), "/ada/tools/cat").await;
    has(&page, &["A &#60;quiet&#62; cat", ">Cat</h3>", "<em>quiet</em>", "<dd id=\"licenses\">MIT</dd>", ">pet</a>"]);
    has(&page, &["href=\"https://example.org/cat\"", "id=\"latest\">1.0</a>", "href=\"/ada/tools/cat/1.0\""]);
    has(
        &page,
        &["<dt title=\"number\">legs</dt><dd>4</dd>", "id=\"downloads\"", "<span class=\"big number\">1</span>"],
    );
    assert!(!page.contains("_notes") && !page.contains("git@"), "{page}");
    assert_eq!(page.matches("<polyline").count(), 1);
    has(&page, &[&format!("curl -fLO &#39;http://{}/dl/ada/tools/cat.tar&#39;", house.address)]);
}

#[tokio::test]
async fn numbers_are_for_publishers_unless_they_are_public() {
    let (house, ada) = furnished().await;
    assert!(!text(&house.browser(), "/ada/tools/cat").await.contains("id=\"downloads\""));
    assert!(text(&ada, "/ada/tools/cat").await.contains("id=\"downloads\""));
}

#[tokio::test]
async fn a_version_lists_published_files_with_what_proves_them() {
    let (house, ada) = cat().await;
    ada.patch("/repos/ada/tools").json(json!({"gpg_sign_files": true})).await.expect(200);
    upload_published(&ada, "ada/tools/cat/1.0/bin/cat.tar", "meow").await;
    upload(&ada, "ada/tools/cat/1.0/bin/later.tar", "purr").await;
    let notes = json!({"syntax": "plain_text", "content": "Fewer <hairs>"});
    ada.post("/packages/ada/tools/cat/versions/1.0/release_notes").json(notes).await.expect(200);
    let own = format!("http://{}/dl/ada/tools/bin/cat.tar", house.address);
    let page = text(&house.browser(), "/ada/tools/cat/1.0").await;
    has(
        &page,
        &[
            &format!("href=\"{own}\""),
            &format!("href=\"{own}.asc\" aria-label=\"Signed: signature of"),
            MEOW_SHA1,
            MEOW_SHA256,
            "4 B",
        ],
    );
    has(&page, &["Fewer &lt;hairs&gt;", "<dt>Published</dt><dd><time datetime=\"2026-01-15T"]);
    assert!(!page.contains("later.tar"), "{page}");
    let latest = house.browser().open("/ada/tools/cat/_latest").await.expect(303);
    assert_eq!(latest.header("location"), "/ada/tools/cat/1.0");
}

#[tokio::test]
async fn maven_packages_tell_their_coordinates() {
    let (house, ada) = lib().await;
    deploy(&ada, "org/x/lib/1.0/lib-1.0.pom", &pom("lib", "1.0", "")).await;
    deploy(&ada, "org/x/lib/1.0/lib-1.0.jar", "jar").await;
    for path in ["/ada/m2/lib", "/ada/m2/lib/1.0"] {
        let page = text(&house.browser(), path).await;
        has(
            &page,
            &[
                "&#60;groupId&#62;org.x&#60;/groupId&#62;",
                "implementation &#39;org.x:lib:1.0&#39;",
                "rev=&#34;1.0&#34;",
            ],
        );
    }
    let page = text(&house.browser(), "/ada/m2").await;
    let url = format!("&#60;url&#62;http://{}/dl/ada/m2&#60;/url&#62;", house.address);
    has(&page, &[&url, "&#60;id&#62;ada-m2&#60;/id&#62;", "m2compatible", "url = uri(", "command-settings"]);
}

#[tokio::test]
async fn folders_are_walked_and_files_are_downloads() {
    let (house, ada) = furnished().await;
    let browser = house.browser();
    has(&text(&browser, "/-/files/ada/tools").await, &["href=\"/-/files/ada/tools/bin\">bin/</a>"]);
    let own = format!("http://{}/dl/ada/tools/bin/cat.tar", house.address);
    has(
        &text(&browser, "/-/files/ada/tools/bin").await,
        &[&format!("href=\"{own}\">cat.tar</a>"), "4 B", "2026-01-15"],
    );
    assert_eq!(browser.open("/-/files/ada/tools/bin/cat.tar").await.expect(303).header("location"), own);
    has(&text(&ada, "/-/files/ada/secret").await, &["This folder is empty."]);
}

#[tokio::test]
async fn names_of_all_kinds_have_their_pages() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    new_private_repo(&ada, "ada/odd").await;
    let browser = house.browser();
    browser.sign_in("ada", ada.key()).await.expect(303);
    for name in ["org.x:lib", "a+b", "c@d", "e f", "g~h", "files", "-", "login", "b&c=d", "größe"] {
        new_package(&ada, "ada/odd", name).await;
        let at = format!("ada/odd/{}", segment(name));
        upload_published(&ada, &format!("{at}/1%200/{}.bin", segment(name)), name).await;
        let links = text(&browser, "/ada/odd").await;
        let shown = name.replace('&', "&#38;");
        let link = links.split("href=\"").find(|rest| rest.contains(&format!("\">{shown}</a>"))).expect(name);
        let link = link.split('"').next().unwrap_or_default().replace("&#38;", "&");
        has(&text(&browser, &link).await, &[&format!("<h1>{shown} <span"), "1 0"]);
        has(&text(&browser, &format!("{link}/1%200")).await, &[".bin", "4 B".get(1..).unwrap_or_default()]);
    }
}
