//! The page on which a key agrees: a form that a browser without scripts can submit, but no other site.

use serde_json::json;
use suite::{Answer, Call};

use crate::access::eulas::{EULAS, Sold};

const PAGE: &str = "//eula/ada/suite/1.0";

/// Returns the body of the page's form.
fn form(page: &Answer) -> String {
    let text = page.text();
    let (_, rest) = text.split_once("name=\"token\" value=\"").expect("the form has a token");
    format!("token={}", rest.split('"').next().expect("a value"))
}

fn send(sold: &Sold, body: &str) -> Call {
    sold.key.post(PAGE).header("content-type", "application/x-www-form-urlencoded").body(body.to_owned())
}

#[tokio::test]
async fn a_key_reads_the_text_and_agrees_with_a_button() {
    let sold = Sold::start().await;
    let page = sold.key.get(PAGE).await.expect(200);
    assert!(page.header("content-type").starts_with("text/html"));
    assert_eq!(page.header("referrer-policy"), "same-origin");
    let text = page.text();
    assert!(text.contains("<h1>Terms of The Suite 1.0</h1>") && text.contains("I accept</button>"), "{text}");
    assert!(!text.contains("Be kind <b>") && text.contains("Be kind"), "{text}");
    sold.key.download("/ada/secret/dog.bin").await.expect(403);
    let own = format!("http://{}", sold.house.address);
    let said =
        send(&sold, &form(&page)).header("origin", &own).header("sec-fetch-site", "same-origin").await.expect(200);
    assert!(said.text().contains("You have accepted this agreement"), "{}", said.text());
    sold.key.download("/ada/secret/dog.bin").await.expect(200);
    let again = sold.key.get(PAGE).await.expect(200).text();
    assert!(again.contains("You have accepted this agreement") && !again.contains("id=\"accept\""), "{again}");
}

#[tokio::test]
async fn a_form_of_another_site_is_refused() {
    let sold = Sold::start().await;
    let body = form(&sold.key.get(PAGE).await.expect(200));
    for (name, value) in [
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-site", "same-site"),
        ("origin", "https://evil.example"),
        ("origin", "null"),
    ] {
        let refused = send(&sold, &body).header(name, value).await.expect(403);
        assert!(refused.message().starts_with("The request was sent by a page of another site"), "{name}: {value}");
    }
    let call = sold.key.post("/products/ada/suite/eulas/terms/accept").json(json!({"version": "1.0"}));
    call.header("sec-fetch-site", "cross-site").await.expect(403);
    send(&sold, "").await.refuses(400, "token: it is required");
    let changed = "The text has changed since the page was shown; open the page again";
    send(&sold, "token=guess").await.refuses(409, changed);
    send(&sold, &"x".repeat(5_000)).await.expect(400);
    sold.key.download("/ada/secret/dog.bin").await.expect(403);
    // A browser that sends no origin still has the token.
    send(&sold, &body).await.expect(200);
}

#[tokio::test]
async fn nobody_agrees_to_a_text_that_was_not_shown() {
    let sold = Sold::start().await;
    let body = form(&sold.key.get(PAGE).await.expect(200));
    sold.ada.patch(&format!("{EULAS}/terms")).json(json!({"content": "Be kinder"})).await.expect(200);
    let changed = "The text has changed since the page was shown; open the page again";
    send(&sold, &body).await.refuses(409, changed);
    sold.key.download("/ada/secret/dog.bin").await.expect(403);
}

#[tokio::test]
async fn the_page_is_for_keys_of_the_product() {
    let sold = Sold::start().await;
    let asked = sold.house.anyone().get(PAGE).await.expect(401);
    assert!(asked.header("www-authenticate").starts_with("Basic"));
    sold.ada.get(PAGE).await.refuses(403, "Only access keys have to agree to EULAs");
    sold.key.get("//eula/ada/none/1.0").await.refuses(404, "Product 'none' was not found");
    sold.key.get("//eula/ada/suite/9.9").await.refuses(404, "EULA of version '9.9' was not found");
    sold.house.person("guest@ada", "wrong").get(PAGE).await.expect(401);
}
