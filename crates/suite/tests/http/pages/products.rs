//! Products, their terms, licences, download rules and logs on pages; following and rating.

use operations::jobs;
use serde_json::json;

use crate::{
    access::eulas::Sold,
    content::upload_published,
    pages::{
        manage::cat_at_home,
        orgs::{browser_of, done, refused},
    },
};

#[tokio::test]
async fn a_product_and_its_terms_are_made_changed_and_deleted() {
    let sold = Sold::start().await;
    let browser = browser_of(&sold.house, &sold.ada).await;
    let (list, one, eulas) = ("/-/products/ada", "/-/products/ada/kit", "/-/products/ada/kit/eulas");
    let text = browser.open(list).await.expect(200).text();
    assert!(text.contains("href=\"/-/products/ada/suite\"") && text.contains("The Suite"), "{text}");
    let fields = [("name", "kit"), ("display_name", "The Kit"), ("packages", "secret/dog\r\n")];
    assert_eq!(done(&browser, list, list, &fields).await, one);
    assert_eq!(sold.ada.get("/products/ada/kit").await.expect(200).json()["packages"], json!(["secret/dog"]));
    let (status, why) = refused(&browser, list, list, &[("name", "kit"), ("display_name", "Again")]).await;
    assert_eq!(status, 409, "{why}");
    done(&browser, one, one, &[("display_name", "Our Kit"), ("packages", "")]).await;
    assert_eq!(sold.ada.get("/products/ada/kit").await.expect(200).json()["display_name"], json!("Our Kit"));
    let terms = [("name", "terms"), ("syntax", "markdown"), ("content", "Be *kind*"), ("default", "1")];
    assert_eq!(done(&browser, eulas, eulas, &terms).await, eulas);
    let own = format!("{eulas}/terms");
    done(&browser, &own, &own, &[("syntax", "plain_text"), ("content", "Be kinder"), ("versions", "1.0")]).await;
    let kept = sold.ada.get("/products/ada/kit/eulas/terms").await.expect(200).json();
    assert_eq!((&kept["content"], &kept["versions"]), (&json!("Be kinder"), &json!(["1.0"])));
    let asks = [("form_token", browser.form_token().await), ("ask", "1".to_owned())];
    let fields = asks.map(|(name, value)| (name.to_owned(), value));
    let question = browser.post(&format!("{own}/delete"), &fields).await.expect(200).text();
    assert!(question.contains("Delete these terms?"), "{question}");
    done(&browser, eulas, &format!("{own}/delete"), &[]).await;
    sold.ada.get("/products/ada/kit/eulas/terms").await.expect(404);
    done(&browser, list, &format!("{one}/delete"), &[]).await;
    sold.ada.get("/products/ada/kit").await.expect(404);
    let accepted = browser.open("/-/products/ada/suite/acceptances").await.expect(200).text();
    assert!(accepted.contains("Nobody has accepted terms yet"), "{accepted}");
    sold.key.post("/products/ada/suite/eulas/terms/accept").json(json!({"version": "1.0"})).await.expect(200);
    let accepted = browser.open("/-/products/ada/suite/acceptances").await.expect(200).text();
    assert!(accepted.contains("guest@ada") && accepted.contains("terms"), "{accepted}");
}

#[tokio::test]
async fn licences_are_made_changed_and_deleted_unless_they_are_used() {
    let (_house, ada, browser) = cat_at_home().await;
    let list = "/-/users/ada/licenses";
    assert_eq!(done(&browser, list, list, &[("name", "Own-1"), ("url", "https://example.org/own")]).await, list);
    let one = format!("{list}/Own-1");
    done(&browser, &one, &one, &[("desc", "Our own"), ("url", "https://example.org/own")]).await;
    assert_eq!(ada.get("/users/ada/licenses").await.expect(200).json()[0]["description"], json!("Our own"));
    ada.patch("/packages/ada/tools/cat").json(json!({"custom_licenses": ["Own-1"]})).await.expect(200);
    let (status, why) = refused(&browser, list, &format!("{one}/delete"), &[]).await;
    assert!(status >= 400, "{status} {why}");
    ada.patch("/packages/ada/tools/cat").json(json!({"custom_licenses": []})).await.expect(200);
    done(&browser, list, &format!("{one}/delete"), &[]).await;
    assert_eq!(ada.get("/users/ada/licenses").await.expect(200).json(), json!([]));
}

#[tokio::test]
async fn download_rules_are_set_and_lifted() {
    let (house, ada, browser) = cat_at_home().await;
    upload_published(&ada, "ada/tools/cat/1.0/cat.tar", "meow").await;
    let page = "/-/restrictions/ada/tools";
    let any = ("rule", "from all countries");
    done(&browser, page, page, &[("white_networks", "192.0.2.0/24"), any]).await;
    house.anyone().download("/ada/tools/cat.tar").await.expect(403);
    let (status, why) = refused(&browser, page, page, &[("white_networks", "nonsense"), any]).await;
    assert_eq!(status, 400, "{why}");
    done(&browser, page, page, &[any]).await;
    house.anyone().download("/ada/tools/cat.tar").await.expect(200);
    let fields = [any, ("countries", "FR")];
    assert_eq!(refused(&browser, page, page, &fields).await.1, "rule: Choose what the listed countries mean");
    house.browser().open(page).await.expect(303);
}

#[tokio::test]
async fn logs_are_listed_and_read_by_publishers() {
    let (house, ada, browser) = cat_at_home().await;
    upload_published(&ada, "ada/tools/cat/1.0/cat.tar", "meow").await;
    let page = "/-/logs/ada/tools/cat";
    assert!(browser.open(page).await.expect(200).text().contains("No downloads yet"));
    house.anyone().download("/ada/tools/cat.tar").await.expect(200);
    jobs::run_once(house.app().house(), "download_counts").await.expect("counted");
    let text = browser.open(page).await.expect(200).text();
    let (_, rest) = text.split_once(&format!("href=\"{page}/")).expect("a log");
    let name = rest.split('"').next().expect("a name");
    let log = browser.open(&format!("{page}/{name}")).await.expect(200);
    assert_eq!(log.header("content-type"), "application/gzip");
    assert!(log.body.starts_with(&[0x1f, 0x8b]));
    house.browser().open(page).await.expect(303);
    let eve = house.user("eve").await;
    browser_of(&house, &eve).await.open(page).await.expect(403);
}

#[tokio::test]
async fn packages_are_followed_and_rated() {
    let (house, ada, browser) = cat_at_home().await;
    let page = "/ada/tools/cat";
    assert_eq!(done(&browser, page, "/-/follow/ada/tools/cat", &[]).await, page);
    assert!(browser.open(page).await.expect(200).text().contains("Following <span class=\"count\">1</span>"));
    done(&browser, page, "/-/follow/ada/tools/cat", &[("stop", "1")]).await;
    assert_eq!(ada.get("/packages/ada/tools/cat").await.expect(200).json()["followers_count"], json!(0));
    done(&browser, page, "/-/rate/ada/tools/cat", &[("rating", "4")]).await;
    let text = browser.open(page).await.expect(200).text();
    assert!(text.contains("4.0 of 5 by 1 user") && text.contains("<option value=\"4\" selected>"), "{text}");
    let eve = house.user("eve").await;
    let eve = browser_of(&house, &eve).await;
    done(&eve, "/ada", "/-/follow/ada", &[]).await;
    assert!(eve.open("/ada").await.expect(200).text().contains("Following</button>"));
}

#[tokio::test]
async fn a_licence_of_another_list_is_offered_by_its_name_here_or_as_a_custom_one() {
    let (_house, ada, browser) = cat_at_home().await;
    let page = "/-/edit/package/ada/tools/cat";
    let open = browser.open(page).await.expect(200);
    let fields = [("licenses", "BSD-3-Clause\r\nSSPL-1.0"), ("desc", "Kept")];
    let refused = browser.send(&open, page, &fields).await;
    let text = refused.text();
    assert!(refused.status >= 400, "the API stays strict: {text}");
    assert!(text.contains("value=\"use BSD-3-Clause\">Use BSD New</button>"), "{text}");
    assert!(text.contains("value=\"custom SSPL-1.0\">Make SSPL-1.0 a custom licence</button>"), "{text}");
    let fields = [("licenses", "BSD New\r\nSSPL-1.0"), ("desc", "Kept"), ("offer", "custom SSPL-1.0")];
    browser.send(&open, page, &fields).await.expect(303);
    let kept = ada.get("/packages/ada/tools/cat").await.expect(200).json();
    assert_eq!((&kept["licenses"], &kept["custom_licenses"]), (&json!(["BSD New"]), &json!(["SSPL-1.0"])));
    let fields = [("licenses", "bsd-3-clause"), ("desc", "Kept"), ("offer", "use bsd-3-clause")];
    browser.send(&open, page, &fields).await.expect(303);
    assert_eq!(ada.get("/packages/ada/tools/cat").await.expect(200).json()["licenses"], json!(["BSD New"]));
    // A browser offers the name of the list when another name of the licence is typed.
    let text = browser.open(page).await.expect(200).text();
    let offered = "<option value=\"BSD New\" label=\"BSD-3-Clause, ";
    assert!(text.contains(offered) && text.contains("list=\"add_licenses-list\""), "{text}");
    browser.send(&open, page, &[("licenses", "BSD New"), ("add_licenses", " MIT ")]).await.expect(303);
    assert_eq!(ada.get("/packages/ada/tools/cat").await.expect(200).json()["licenses"], json!(["BSD New", "MIT"]));
}

#[tokio::test]
async fn a_readme_is_previewed_before_it_is_saved() {
    let (_house, ada, browser) = cat_at_home().await;
    let page = "/-/edit/readme/ada/tools/cat";
    let open = browser.open(page).await.expect(200);
    let text = "# Use\n\n- [x] done\n\n[up](#use)\n\n```rust\nfn main() {}\n```\n<script>alert(1)</script>";
    let fields = [("syntax", "markdown"), ("content", text), ("preview", "1")];
    let shown = browser.send(&open, page, &fields).await.expect(200).text();
    let (_, preview) = shown.split_once("id=\"preview\">").expect("a preview");
    for part in ["<h3 id=\"doc-use\">Use</h3>", "\u{2611} done", "href=\"#doc-use\"", "<span class=\"hl-k\">fn</span>"]
    {
        assert!(preview.contains(part), "{part}: {preview}");
    }
    assert!(!preview.contains("<script>alert"), "{preview}");
    ada.get("/packages/ada/tools/cat/readme").await.expect(404);
}
