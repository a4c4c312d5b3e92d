//! Texts that cost far more to render than to send.

use std::{future::IntoFuture, time::Duration};

use database::{
    ScopedFutureExt,
    catalogue::renderings::{self, RenderedText, Rendering},
};
use operations::{jobs, rendering::EDITION};
use serde_json::{Value, json};
use suite::{Person, TestHouse};

const README: &str = "/packages/ada/tools/cat/readme";

/// Texts that once used up all memory, or half a minute of processor time per page view.
fn bombs() -> [String; 2] {
    let tags: String = (0..3000).map(|number| format!("<b a{number}>")).collect();
    [format!("<p>{tags}{}", "<p>x".repeat(50_000)), ">".repeat(50_000)]
}

/// Fails if the work takes longer than any request may, even on a busy machine.
async fn soon<F: IntoFuture>(work: F) -> F::Output {
    tokio::time::timeout(Duration::from_secs(20), work).await.expect("soon")
}

fn markdown(content: &str) -> Value {
    json!({"syntax": "markdown", "content": content})
}

async fn house_with_cat() -> (TestHouse, Person) {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    ada.post("/repos/ada/tools").json(json!({})).await.expect(201);
    ada.post("/packages/ada/tools").json(json!({"name": "cat"})).await.expect(201);
    ada.post("/packages/ada/tools/cat/versions").json(json!({"name": "1.0"})).await.expect(201);
    (house, ada)
}

async fn page(house: &TestHouse, path: &str) -> String {
    soon(house.browser().open(path)).await.expect(200).text()
}

#[tokio::test]
async fn a_readme_or_notes_that_would_burst_are_shown_as_plain_text() {
    let (house, ada) = house_with_cat().await;
    let places =
        [(README, "/ada/tools/cat"), ("/packages/ada/tools/cat/versions/1.0/release_notes", "/ada/tools/cat/1.0")];
    for bomb in bombs() {
        for (path, shown_at) in places {
            soon(ada.post(path).json(markdown(&bomb))).await.expect(200);
            let page = page(&house, shown_at).await;
            assert!(page.contains("<pre class=\"plain\">"), "{}", &page[..2000]);
            assert!(page.len() < 6 * bomb.len() + 100_000, "{} bytes", page.len());
        }
        soon(ada.post("/packages/ada/tools/cat/release_notes").json(markdown(&bomb))).await.expect(200);
    }
}

#[tokio::test]
async fn an_address_is_not_written_again_for_each_paragraph() {
    let (house, ada) = house_with_cat().await;
    let address = format!("<p><a href=\"http://{}\">", "A".repeat(100_000));
    soon(ada.post(README).json(markdown(&format!("{address}{}", "<p>a".repeat(30_000))))).await.expect(200);
    let page = page(&house, "/ada/tools/cat").await;
    assert!(page.len() < 2_000_000, "{} bytes", page.len());
}

#[tokio::test]
async fn an_agreement_that_would_burst_is_shown_as_plain_text() {
    let (house, ada) = house_with_cat().await;
    house.admin().put("/subjects/ada/plan").json(json!({"plan": "enterprise"})).await.expect(200);
    ada.put("/content/ada/tools/cat/1.0/cat.bin?publish=1").body("meow").await.expect(201);
    let product = json!({"name": "suite", "display_name": "The Suite", "packages": ["tools/cat"]});
    ada.post("/products/ada").json(product).await.expect(201);
    let key = ada.post("/users/ada/access_keys").json(json!({"id": "guest"})).await.expect(201).json();
    let given = json!({"access": "r", "access_keys": ["guest"]});
    ada.post("/products/ada/suite/entitlements").json(given).await.expect(201);
    let guest = house.person("guest@ada", key["password"].as_str().expect("a password"));
    let eula = json!({"name": "terms", "syntax": "markdown", "content": "# Terms", "default": true});
    ada.post("/products/ada/suite/eulas").json(eula).await.expect(201);
    let shown = guest.get("//eula/ada/suite/1.0").await.expect(200).text();
    assert!(shown.contains(">Terms</h3>"), "{shown}");
    for bomb in bombs() {
        let change = json!({ "content": bomb });
        soon(ada.patch("/products/ada/suite/eulas/terms").json(change)).await.expect(200);
        let page = soon(guest.get("//eula/ada/suite/1.0")).await.expect(200).text();
        assert!(page.contains("<pre class=\"plain\">"), "{}", &page[..2000]);
    }
}

/// Returns all texts with their stored renderings.
async fn kept(house: &TestHouse) -> Vec<(RenderedText, Rendering)> {
    let db = &house.app().house().db;
    let mut kept = Vec::new();
    for text in renderings::list_due(db, EDITION + 1, 100).await.expect("listed") {
        kept.push((text, renderings::find(db, text).await.expect("read").expect("there")));
    }
    kept
}

/// Changes the stored rendering of the only text.
async fn keep(house: &TestHouse, change: impl FnOnce(&mut Rendering)) {
    let db = &house.app().house().db;
    let (text, mut made) = kept(house).await.pop().expect("a text");
    change(&mut made);
    let document = &renderings::find_text(db, text).await.expect("read").expect("there");
    let made = &made;
    db.write(|tx| renderings::set(tx, text, document, made).scope_boxed()).await.expect("written");
}

async fn render_texts(house: &TestHouse) {
    for app in house.apps() {
        jobs::run_once(app.house(), "texts").await.expect("rendered");
    }
}

#[tokio::test]
async fn a_page_shows_what_is_kept_and_renders_nothing() {
    let (house, ada) = house_with_cat().await;
    ada.post(README).json(markdown("# Cat")).await.expect(200);
    assert!(page(&house, "/ada/tools/cat").await.contains(">Cat</h3>"));
    keep(&house, |made| made.html = Some("<b>only kept</b>".to_owned())).await;
    let shown = page(&house, "/ada/tools/cat").await;
    assert!(shown.contains("<b>only kept</b>") && !shown.contains(">Cat</h3>"), "{shown}");
}

#[tokio::test]
async fn a_text_from_before_is_plain_until_it_is_rendered_in_the_background() {
    let (house, ada) = house_with_cat().await;
    ada.post(README).json(markdown("# Cat")).await.expect(200);
    keep(&house, |made| *made = Rendering { html: None, sha256: None, edition: 0 }).await;
    assert!(page(&house, "/ada/tools/cat").await.contains("<pre class=\"plain\">\n# Cat</pre>"));
    // Several servers may render at the same time.
    tokio::join!(render_texts(&house), render_texts(&house));
    assert!(page(&house, "/ada/tools/cat").await.contains(">Cat</h3>"));
    assert_eq!(kept(&house).await[0].1.edition, EDITION);
}

#[tokio::test]
async fn html_of_another_text_is_not_shown_and_is_made_again() {
    let (house, ada) = house_with_cat().await;
    ada.post(README).json(markdown("# Cat")).await.expect(200);
    // The state that a server without HTML rendering leaves behind.
    let other = |made: &mut Rendering| {
        made.html = Some("<b>of another text</b>".to_owned());
        made.sha256 = Some("0".repeat(64));
    };
    keep(&house, other).await;
    for _ in house.apps() {
        assert!(page(&house, "/ada/tools/cat").await.contains("<pre class=\"plain\">\n# Cat</pre>"));
    }
    render_texts(&house).await;
    assert!(page(&house, "/ada/tools/cat").await.contains(">Cat</h3>"));
}

#[tokio::test]
async fn a_new_text_is_rendered_with_the_save_that_brings_it() {
    let (house, ada) = house_with_cat().await;
    for content in ["# One", "# Two"] {
        ada.post(README).json(markdown(content)).await.expect(200);
        let kept = kept(&house).await;
        let title = &content[2..];
        let wanted = format!("<h3 id=\"doc-{}\">{title}</h3>", title.to_lowercase());
        assert_eq!((kept.len(), kept[0].1.edition), (1, EDITION));
        assert_eq!(kept[0].1.html.as_deref().map(str::trim), Some(wanted.as_str()));
    }
    ada.post(README).json(json!({"syntax": "asciidoc", "content": "# Two"})).await.expect(200);
    assert_eq!(kept(&house).await[0].1.html, None);
}
