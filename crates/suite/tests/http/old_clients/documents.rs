//! Readmes and release notes in their old form.

use serde_json::{Value, json};
use suite::{Person, TestHouse};

use crate::{
    catalogue::{new_package, new_repo, new_version},
    content::cat,
};

const README: &str = "/packages/ada/tools/cat/readme";

async fn house_with_cat() -> (TestHouse, Person) {
    let (house, ada) = cat().await;
    new_version(&ada, "ada/tools/cat", "1.0").await;
    (house, ada)
}

#[tokio::test]
async fn a_text_in_the_first_form_is_taken_and_answered_in_it() {
    let (house, ada) = house_with_cat().await;
    let inner = json!({"syntax": "markdown", "content": "# Cat"});
    for path in [README, "/packages/ada/tools/cat/release_notes", "/packages/ada/tools/cat/versions/1.0/release_notes"]
    {
        // Build plugins send it with this content type.
        let call = ada.post(path).header("content-type", "application/json; charset=utf-8");
        let answer = call.json(json!({ "bintray": inner })).await.expect(200).json();
        assert_eq!(answer, json!({"message": "success", "bintray": inner}));
        let shown = house.anyone().get(path).await.expect(200).json();
        assert_eq!(shown, json!({"syntax": "markdown", "content": "# Cat", "bintray": inner}));
        // A response can be sent back unchanged.
        ada.post(path).json(shown.clone()).await.expect(200);
        assert_eq!(ada.get(path).await.expect(200).json(), shown);
    }
    let page = house.browser().open("/ada/tools/cat").await.expect(200).text();
    assert!(page.contains("<h3 id=\"doc-cat\">Cat</h3>"), "{page}");
}

#[tokio::test]
async fn a_text_in_the_form_of_today_is_answered_in_it_alone() {
    let (_house, ada) = house_with_cat().await;
    ada.post(README).json(json!({"bintray": {"syntax": "markdown", "content": "old"}})).await.expect(200);
    let answer = ada.post(README).json(json!({"syntax": "markdown", "content": "new"})).await.expect(200);
    assert_eq!(answer.json(), json!({"message": "success"}));
    assert_eq!(ada.get(README).await.expect(200).json(), json!({"syntax": "markdown", "content": "new"}));
}

#[tokio::test]
async fn the_syntax_may_be_in_capitals() {
    let (_house, ada) = house_with_cat().await;
    let cases = [("MARKDOWN", "markdown"), ("Asciidoc", "asciidoc"), ("PLAIN_TEXT", "plain_text")];
    for (sent, kept) in cases {
        for body in [json!({"syntax": sent, "content": "x"}), json!({"bintray": {"syntax": sent, "content": "x"}})] {
            ada.post(README).json(body).await.expect(200);
            assert_eq!(ada.get(README).await.expect(200).json()["syntax"], kept);
        }
    }
}

#[tokio::test]
async fn a_wrong_text_in_the_first_form_says_what_is_wrong() {
    let (_house, ada) = house_with_cat().await;
    let refused = async |body: Value| ada.post(README).json(body).await.expect(400).message();
    let text = json!({"syntax": "markdown", "content": "x"});
    assert_eq!(refused(json!({"bintray": {"content": "x"}})).await, "bintray: missing field `syntax`");
    assert_eq!(
        refused(json!({"bintray": {"syntax": "html", "content": "x"}})).await,
        "syntax: 'html' is not one of markdown, asciidoc, plain_text"
    );
    let contradiction = json!({"bintray": text, "syntax": "markdown", "content": "y"});
    assert_eq!(refused(contradiction).await, "bintray: it differs from `syntax` and `content` beside it");
    assert_eq!(refused(json!({"github": "ada/cat"})).await, "missing field `syntax`");
    ada.get(README).await.expect(404);
}

#[tokio::test]
async fn a_package_that_is_made_again_has_no_old_form() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    new_repo(&ada, "ada/tools").await;
    new_package(&ada, "ada/tools", "cat").await;
    ada.post(README).json(json!({"bintray": {"syntax": "markdown", "content": "old"}})).await.expect(200);
    ada.delete(README).await.expect(200);
    ada.post(README).json(json!({"syntax": "markdown", "content": "new"})).await.expect(200);
    assert_eq!(ada.get(README).await.expect(200).json().get("bintray"), None);
}
