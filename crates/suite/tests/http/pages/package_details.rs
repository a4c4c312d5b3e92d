//! What a package's page shows beside its texts: lines for the visitor's platform, the trend, and the signing key.

use reqwest::Method;
use serde_json::json;

use crate::{
    content::{cat_that_calls, upload, upload_published},
    events::webhooks::release,
    pages::{manage::shown, orgs::browser_of},
};

const PAGE: &str = "/ada/tools/cat";

#[tokio::test]
async fn files_for_several_platforms_offer_the_visitors_first() {
    let (house, ada) = cat_that_calls().await;
    for platform in ["linux-x86_64.tgz", "darwin-arm64.tgz", "windows-x86_64.zip"] {
        upload_published(&ada, &format!("ada/tools/cat/1.0/cat-1.0-{platform}"), platform).await;
    }
    let browser = house.browser();
    let of = async |path: &str, agent: &str| {
        let answer = browser.call(Method::GET, path).header("user-agent", agent).await.expect(200);
        (shown(&answer, "command-download"), answer.text())
    };
    let (line, text) = of(PAGE, "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Safari/605.1.15").await;
    assert!(line.contains("cat-1.0-darwin-arm64.tgz"), "{line}");
    assert!(text.contains("This is for macOS arm64") && text.contains("id=\"command-powershell\""), "{text}");
    let windows = format!("<a href=\"{PAGE}?platform=windows-x86-64\">Windows x86-64</a>");
    assert!(text.contains(&windows), "{text}");
    let (line, _) = of(&format!("{PAGE}?platform=windows-x86-64"), "Mozilla/5.0 (X11; Linux x86_64)").await;
    assert!(line.contains("cat-1.0-windows-x86_64.zip"), "{line}");
    let (line, _) = of(&format!("{PAGE}?platform=amiga"), "curl/8").await;
    assert!(line.contains("cat-1.0-linux-x86_64.tgz"), "{line}");
}

#[tokio::test]
async fn downloads_are_compared_to_the_month_before() {
    let (house, ada) = cat_that_calls().await;
    release(&ada, "1.0").await;
    ada.download("/ada/tools/1.0.bin").await.expect(200);
    house.flush().await;
    let text = browser_of(&house, &ada).await.open(PAGE).await.expect(200).text();
    assert!(!text.contains("id=\"change\""), "there is nothing to compare with: {text}");
    house.clock.advance(31 * 86_400_000);
    for _ in 0..2 {
        ada.download("/ada/tools/1.0.bin").await.expect(200);
    }
    house.flush().await;
    let page = browser_of(&house, &ada).await.open(PAGE).await.expect(200);
    assert_eq!(shown(&page, "change"), "+100 % on the 30 days before");
    let versions = page.text().split("id=\"versions\"").nth(1).expect("versions").to_owned();
    assert!(versions.contains("data-label=\"Downloads, 30 days\">2<"), "only the last month counts: {versions}");
}

#[tokio::test]
async fn the_key_of_the_owner_is_shown_to_everyone() {
    let (house, ada) = cat_that_calls().await;
    assert!(!house.browser().open(PAGE).await.expect(200).text().contains("id=\"signing-key\""));
    let key = ada.post("/users/ada/keys/gpg/generate").await.expect(201).json();
    let text = house.browser().open(PAGE).await.expect(200).text();
    let (_, panel) = text.split_once("id=\"signing-key\"").expect("a panel");
    assert!(panel.contains(key["fingerprint"].as_str().expect("a fingerprint")), "{panel}");
    assert!(panel.contains("href=\"/api/users/ada/keys/gpg/public.key\""), "{panel}");
    // The server signs with its own key, unless the repository uses that of its owner.
    ada.patch("/repos/ada/tools").json(json!({"gpg_sign_files": true})).await.expect(200);
    let own = house.anyone().get("/keys/gpg/public.key").await.expect(200);
    assert!(own.text().contains("PUBLIC KEY"));
    let text = house.browser().open(PAGE).await.expect(200).text();
    let (_, panel) = text.split_once("id=\"signing-key\"").expect("a panel");
    assert!(panel.contains("Key of this server") && panel.contains("href=\"/api/keys/gpg/public.key\""), "{panel}");
    ada.patch("/repos/ada/tools").json(json!({"gpg_use_owner_key": true})).await.expect(200);
    assert!(house.browser().open(PAGE).await.expect(200).text().contains("Key of ada"));
}

#[tokio::test]
async fn a_draft_counts_its_staged_files_for_publishers() {
    let (house, ada) = cat_that_calls().await;
    release(&ada, "1.0").await;
    for file in ["a.bin", "b.bin"] {
        upload(&ada, &format!("ada/tools/cat/2.0/{file}"), "12345").await;
    }
    let text = browser_of(&house, &ada).await.open(PAGE).await.expect(200).text();
    let versions = text.split("id=\"versions\"").nth(1).expect("versions");
    let draft = versions.split("</tr>").find(|row| row.contains(">2.0</a>")).expect("the draft");
    assert!(draft.contains("data-label=\"Files\">2<") && draft.contains(">10 B<"), "{draft}");
    assert!(!draft.contains("Latest"), "{draft}");
    let text = house.browser().open(PAGE).await.expect(200).text();
    assert!(!text.contains(">2.0</a>"), "{text}");
}

#[tokio::test]
async fn a_package_with_nothing_but_a_draft_leads_publishers_to_it() {
    let (house, ada) = cat_that_calls().await;
    upload(&ada, "ada/tools/cat/2.0/a.bin", "12345").await;
    let text = browser_of(&house, &ada).await.open(PAGE).await.expect(200).text();
    let (_, latest) = text.split_once("Latest version</h2>").expect("the version");
    assert!(latest.split("</section>").next().is_some_and(|part| part.contains("Draft</span>")), "{latest}");
    assert!(text.contains("Review 2.0</a>") && text.contains("Publish the draft"), "{text}");
    let text = house.browser().open(PAGE).await.expect(200).text();
    assert!(!text.contains("cat/2.0") && text.contains("Versions appear here once they are published"), "{text}");
}

#[tokio::test]
async fn the_files_of_all_versions_are_on_one_page() {
    let (house, ada) = cat_that_calls().await;
    for (version, file) in [("1.0", "one.tgz"), ("2.0", "two.tgz"), ("2.0", "two.tgz.asc")] {
        upload_published(&ada, &format!("ada/tools/cat/{version}/{file}"), file).await;
    }
    upload(&ada, "ada/tools/cat/3.0/draft.tgz", "draft").await;
    for browser in [house.browser(), browser_of(&house, &ada).await] {
        let page = browser.open("/ada/tools/cat?tab=files").await.expect(200).text();
        assert!(page.contains("href=\"/ada/tools/cat?tab=files\" aria-current=\"page\""), "{page}");
        assert!(page.contains("<a class=\"ink\" href=\"/ada/tools/cat/1.0\">1.0</a>"), "{page}");
        assert!(page.contains("one.tgz</a>") && page.contains("two.tgz</a>"), "{page}");
        assert_eq!(page.matches("signature of two.tgz").count(), 1, "it is shown with what it signs: {page}");
        assert!(!page.contains("draft.tgz"), "staged files are on the page of their version: {page}");
    }
    let versions = house.browser().open("/ada/tools/cat?tab=versions").await.expect(200).text();
    assert_eq!(versions.matches("data-label=\"Files\">1</td>").count(), 2, "signatures do not count: {versions}");
    house.browser().open("/ada/tools/cat?tab=others").await.expect(400);
}

#[tokio::test]
async fn a_package_without_versions_offers_an_upload_to_itself() {
    let (house, ada) = cat_that_calls().await;
    ada.post("/packages/ada/tools").json(json!({"name": "big dog", "licenses": ["MIT"]})).await.expect(201);
    let browser = browser_of(&house, &ada).await;
    let line = shown(&browser.open("/ada/tools/big%20dog").await.expect(200), "command-upload");
    assert!(line.contains("/api/content/ada/tools/big%20dog/VERSION/FILE?publish=1"), "{line}");
    let line = shown(&browser.open("/ada/tools").await.expect(200), "command-upload");
    assert!(line.contains("/api/content/ada/tools/PACKAGE/VERSION/FILE?publish=1"), "{line}");
}
