//! What a version's page shows beside its files: platforms, how to verify them, other versions, and what a publisher
//! looks at before publishing.

use serde_json::json;

use crate::{
    content::{cat_that_calls, upload, upload_published},
    pages::orgs::browser_of,
    signing::signing_cat,
};

const PAGE: &str = "/ada/tools/cat/1.0";

#[tokio::test]
async fn files_name_their_platform_and_can_be_verified() {
    let (house, ada) = cat_that_calls().await;
    upload_published(&ada, "ada/tools/cat/1.0/cat-linux-x86_64.tgz", "meow").await;
    upload_published(&ada, "ada/tools/cat/1.0/read me.txt", "purr").await;
    upload_published(&ada, "ada/tools/cat/2.0-rc.1/cat-2.bin", "other").await;
    let text = house.browser().open(PAGE).await.expect(200).text();
    assert!(text.contains("data-label=\"Platform\">Linux x86-64<"), "{text}");
    let (_, commands) = text.split_once("id=\"verify\"").expect("commands");
    let commands = commands.split("</pre>").next().unwrap_or_default();
    let line = format!("{}  cat-linux-x86_64.tgz\n", crate::content::MEOW_SHA256);
    assert!(commands.contains(&line) && !commands.contains("read me.txt"), "{commands}");
    let (_, others) = text.split_once("id=\"other-versions\"").expect("others");
    let others = others.split("</details>").next().unwrap_or_default();
    assert!(others.contains("href=\"/ada/tools/cat/2.0-rc.1\"") && !others.contains("cat/1.0\""), "{others}");
}

#[tokio::test]
async fn a_yanked_version_says_why() {
    let (house, ada) = cat_that_calls().await;
    upload_published(&ada, "ada/tools/cat/1.0/cat.bin", "meow").await;
    assert!(!house.browser().open(PAGE).await.expect(200).text().contains("id=\"yanked\""));
    let reason = json!({"yanked": "it bites"});
    ada.patch("/packages/ada/tools/cat/versions/1.0").json(reason).await.expect(200);
    let text = house.browser().open(PAGE).await.expect(200).text();
    assert!(text.contains("id=\"yanked\"") && text.contains("it bites"), "{text}");
}

#[tokio::test]
async fn a_draft_lists_what_to_look_at_before_publishing() {
    let (house, ada) = cat_that_calls().await;
    for platform in ["linux-x86_64", "darwin-arm64"] {
        upload_published(&ada, &format!("ada/tools/cat/1.0/cat-1.0-{platform}.tgz"), platform).await;
    }
    upload(&ada, "ada/tools/cat/2.0/cat-2.0-linux-x86_64.tgz", "12345").await;
    let browser = browser_of(&house, &ada).await;
    let checks = async || {
        let text = browser.open("/ada/tools/cat/2.0").await.expect(200).text();
        assert!(!text.contains("id=\"public\"") && text.contains("<dd>5 B</dd>"), "{text}");
        let (_, checks) = text.split_once("id=\"checks\"").expect("checks");
        checks.split("</section>").next().unwrap_or_default().to_owned()
    };
    let open = checks().await;
    assert!(open.contains("1 file uploaded") && open.contains("No release notes yet"), "{open}");
    assert!(open.contains("Not for macOS arm64, unlike 1.0"), "{open}");
    let notes = json!({"syntax": "markdown", "content": "Quieter."});
    ada.post("/packages/ada/tools/cat/versions/2.0/release_notes").json(notes).await.expect(200);
    upload(&ada, "ada/tools/cat/2.0/cat-2.0-darwin-arm64.tgz", "").await;
    let done = checks().await;
    assert!(done.contains("Release notes written") && done.contains("All platforms of 1.0"), "{done}");
    let text = browser.open(PAGE).await.expect(200).text();
    assert!(!text.contains("id=\"checks\"") && text.contains("id=\"upload-end\""), "{text}");
    assert!(!house.browser().open(PAGE).await.expect(200).text().contains("id=\"upload-end\""));
}

#[tokio::test]
async fn signed_files_come_with_their_key_and_how_to_verify_them() {
    let (house, ada) = signing_cat().await;
    upload_published(&ada, "ada/tools/cat/1.0/cat.bin", "meow").await;
    let text = house.browser().open(PAGE).await.expect(200).text();
    assert!(text.contains("Signed by</h2>") && text.contains("gpg --verify cat.bin.asc cat.bin"), "{text}");
    assert!(text.contains("Files <span class=\"count\">1</span>"), "a signature is no line of its own: {text}");
}
