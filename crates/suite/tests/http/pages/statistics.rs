//! Downloads, usage and webhooks on pages.

use operations::jobs;
use serde_json::json;
use suite::{Receiver, ReceiverBehaviour};

use crate::{
    content::{cat_that_calls, cat_with},
    events::webhooks::{HOOKS, deliver, release},
    pages::manage::{problem_of, shown, success_of},
    pages::orgs::{browser_of, done, refused, token},
};

const PAGE: &str = "/-/webhooks/ada/tools/cat";

#[tokio::test]
async fn downloads_are_shown_by_day_version_and_country() {
    let (house, ada) = cat_that_calls().await;
    for version in ["1.0", "2.0"] {
        release(&ada, version).await;
    }
    for file in ["1.0.bin", "2.0.bin", "2.0.bin"] {
        ada.download(&format!("/ada/tools/{file}")).await.expect(200);
    }
    house.flush().await;
    let browser = browser_of(&house, &ada).await;
    let page = "/-/numbers/ada/tools/cat";
    let all = browser.open(page).await.expect(200);
    let text = all.text();
    assert_eq!(shown(&all, "total"), "3");
    assert!(
        text.matches("class=\"column\"").count() == 29
            && text.matches("class=\"column part\"").count() == 1
            && text.contains("id=\"csv\""),
        "{text}"
    );
    let versions = text.split("id=\"by-version\"").nth(1).expect("versions");
    let places =
        ["2.0", "1.0"].map(|version| versions.find(&format!("<th scope=\"row\" class=\"tight\">{version}</th>")));
    assert!(places[0].is_some() && places[0] < places[1], "the most first: {versions}");
    let countries = text.split("id=\"by-country\"").nth(1).expect("countries");
    assert!(
        countries.contains(">unknown</th>") && countries.contains("<td class=\"number tight\">3</td>"),
        "{countries}"
    );
    assert_eq!(shown(&browser.open(&format!("{page}?version=1.0")).await.expect(200), "total"), "1");
    let none = browser.open(&format!("{page}?from=2025-12-01&to=2025-12-31")).await.expect(200);
    assert_eq!(shown(&none, "total"), "0");
    for (query, status) in [("from=soon", 400), ("from=2026-01-02&to=2026-01-01", 400), ("version=9", 404)] {
        let answer = browser.open(&format!("{page}?{query}")).await.expect(status);
        assert!(!problem_of(&answer).is_empty(), "{query}");
    }
    // Others see them if the package allows it, as in the API.
    house.browser().open(page).await.expect(303);
    ada.patch("/packages/ada/tools/cat").json(json!({"public_download_numbers": true})).await.expect(200);
    assert_eq!(shown(&house.browser().open(page).await.expect(200), "total"), "3");
}

#[tokio::test]
async fn charts_have_presets_axes_the_top_ten_countries_by_name_and_a_file() {
    let header = ("geo.country_header", "x-country");
    let (house, ada) = cat_with(&[header, ("trusted_proxies", "127.0.0.1/32")]).await;
    for number in 1..=12 {
        release(&ada, &format!("{number}.0")).await;
        for _ in 0..number {
            let file = format!("/ada/tools/{number}.0.bin");
            ada.download(&file).header("x-country", "FR").await.expect(200);
        }
    }
    house.flush().await;
    let browser = browser_of(&house, &ada).await;
    let page = "/-/numbers/ada/tools/cat";
    let text = browser.open(page).await.expect(200).text();
    let presets = text.split("id=\"periods\"").nth(1).and_then(|rest| rest.split("</nav>").next()).expect("presets");
    let presets: Vec<&str> = presets.split("href=\"").skip(1).filter_map(|link| link.split('"').next()).collect();
    assert_eq!(presets.len(), 3, "{presets:?}");
    for (days, preset) in [7, 30, 90].into_iter().zip(presets) {
        let text = browser.open(&preset.replace("&#38;", "&")).await.expect(200).text();
        assert_eq!(text.matches("class=\"column\"").count() + 1, days);
        assert!(text.contains(&format!("aria-current=\"true\">{days} days</a>")), "{text}");
    }
    // The scale of the axis up to the next round number, and days below it.
    assert!(text.contains("<span>80</span><span>60</span><span>40</span><span>20</span><span>0</span>"), "{text}");
    assert_eq!(text.matches("dy=\"18\">").count(), 5, "{text}");
    let versions = text.split("id=\"by-version\"").nth(1).and_then(|rest| rest.split("</section>").next());
    let versions = versions.expect("versions");
    assert_eq!(versions.matches("<tr><th scope=\"row\"").count(), 11, "ten and the others: {versions}");
    assert!(versions.contains(">2 others</th>") && !versions.contains(">2.0</th>"), "{versions}");
    assert!(text.contains(">France (FR)</th>"), "{text}");
    let file = browser.open(&format!("{page}?as=csv")).await.expect(200);
    assert_eq!(file.header("content-type"), "text/csv; charset=utf-8");
    let lines = file.text();
    assert_eq!(lines.lines().count(), 13, "a head and a line for each version of the day: {lines}");
}

#[tokio::test]
async fn use_is_shown_by_month_beside_thresholds_that_owners_set() {
    let (house, ada) = cat_that_calls().await;
    release(&ada, "1.0").await;
    ada.post("/orgs").json(json!({"name": "acme"})).await.expect(201);
    for subject in ["ada", "acme"] {
        house.admin().put(&format!("/subjects/{subject}/plan")).json(json!({"plan": "enterprise"})).await.expect(200);
    }
    let browser = browser_of(&house, &ada).await;
    let text = browser.open("/-/usage/ada").await.expect(200).text();
    assert!(text.contains("<td class=\"number tight\">4 B</td>") && !text.contains("id=\"thresholds-form\""), "{text}");
    let page = "/-/usage/ada/tools";
    let text = browser.open(page).await.expect(200).text();
    assert!(text.contains("4 B, 1 file") && text.contains("id=\"thresholds-form\""), "{text}");
    let threshold = async || ada.get("/usage_threshold/repo/ada/tools").await;
    done(&browser, page, page, &[("monthly_storage_bytes", "4")]).await;
    assert_eq!(threshold().await.expect(200).json()["monthly_storage_bytes"], json!(4));
    assert!(browser.open(page).await.text().contains("4 B of 4 B"));
    assert_eq!(refused(&browser, page, page, &[("daily_download_bytes", "much")]).await.0, 400);
    assert_eq!(refused(&browser, page, page, &[("daily_download_bytes", "0")]).await.0, 400);
    let form = browser.open(page).await.expect(200);
    let typed = [("monthly_storage_bytes", "3 GB"), ("daily_download_bytes", "much")];
    let again = browser.send(&form, page, &typed).await.expect(400).text();
    assert!(again.contains("value=\"3 GB\"") && again.contains("value=\"much\""), "{again}");
    done(&browser, page, page, &[("daily_download_bytes", "9")]).await;
    assert_eq!(threshold().await.json()["daily_download_bytes"], json!(9));
    done(&browser, page, page, &[]).await;
    threshold().await.expect(404);
    done(&browser, "/-/usage/acme", "/-/usage/acme", &[("daily_download_bytes", "9")]).await;
    ada.get("/usage_threshold/organization/acme").await.expect(200);
    let eve = browser_of(&house, &house.user("eve").await).await;
    for page in ["/-/usage/ada", "/-/usage/ada/tools", "/-/usage/acme"] {
        eve.open(page).await.expect(403);
    }
}

#[tokio::test]
async fn a_webhook_is_registered_tried_and_deleted() {
    let (receiver, (house, ada)) = (Receiver::start().await, cat_that_calls().await);
    release(&ada, "1.0").await;
    let browser = browser_of(&house, &ada).await;
    let url = receiver.url("/hook");
    let open = browser.open(PAGE).await.expect(200);
    let fields = [("url", url.as_str()), ("method", "put"), ("api_key", ada.key())];
    let made = browser.send(&open, PAGE, &fields).await.expect(200);
    assert!(shown(&made, "webhook-secret").starts_with("whsec_"));
    assert!(!browser.open(PAGE).await.text().contains("whsec_"));
    // The first form now tests the webhook.
    let tested = browser.send(&browser.open(PAGE).await, PAGE, &[("version", "1.0")]).await.expect(200);
    assert_eq!(success_of(&tested), "The receiver has accepted the test callback.");
    let [told] = &receiver.callbacks()[..] else { panic!("one callback") };
    assert_eq!(told.method, "PUT");
    assert_eq!(told.header("x-service-webhook-hmac"), crate::events::webhook_delivery::mac(ada.key(), "cat"));
    receiver.behave(ReceiverBehaviour::Status(500));
    let (status, said) = refused(&browser, PAGE, PAGE, &[("version", "1.0")]).await;
    assert_eq!((status, said.as_str()), (400, "The callback failed: the receiver answered with 500"));
    assert!(browser.open("/-/webhooks/ada/tools").await.expect(200).text().contains("Consecutive failures: 1"));
    let token = token(&browser, PAGE).await;
    let act = async |act: &str, more: &[(&str, &str)]| {
        let fields = [("form_token", token.as_str()), ("act", act)].into_iter().chain(more.iter().copied());
        browser.post(PAGE, &fields.map(|(k, v)| (k.to_owned(), v.to_owned())).collect::<Vec<_>>()).await
    };
    let wrong = act("register", &[("url", "https://example.org"), ("api_key", "wrong")]).await.expect(403);
    assert_eq!(problem_of(&wrong), "The API key is not yours");
    act("register", &[("url", "ftp://example.org"), ("api_key", ada.key())]).await.expect(400);
    act("dance", &[]).await.expect(400);
    act("delete", &[]).await.expect(303);
    act("delete", &[]).await.expect(404);
    assert_eq!(ada.get("/webhooks/ada/tools").await.json(), json!([]));
}

#[tokio::test]
async fn a_webhook_is_registered_for_the_ticked_events() {
    let (house, ada) = cat_that_calls().await;
    let browser = browser_of(&house, &ada).await;
    let open = browser.open(PAGE).await.expect(200).text();
    assert!(open.contains(r#"name="event_release" value="1" checked"#), "a release is ticked");
    for event in ["publish", "upload", "delete"] {
        assert!(open.contains(&format!(r#"name="event_{event}" value="1">"#)), "{event} is not");
    }
    let token = token(&browser, PAGE).await;
    for (number, (ticked, expected)) in
        [(&["event_upload", "event_delete"][..], "upload, delete"), (&[], "release")].into_iter().enumerate()
    {
        let url = format!("https://example.org/{number}");
        let fields = [("form_token", token.as_str()), ("act", "register"), ("url", &url), ("api_key", ada.key())];
        let fields = fields.into_iter().chain(ticked.iter().map(|name| (*name, "1")));
        let fields: Vec<(String, String)> = fields.map(|(k, v)| (k.to_owned(), v.to_owned())).collect();
        let made = browser.post(PAGE, &fields).await.expect(200).text();
        assert!(made.contains(&format!("Events: {expected}</p>")), "{made}");
        let listed = ada.get("/webhooks/ada/tools").await.json()[number]["events"].clone();
        assert_eq!(listed, json!(expected.split(", ").collect::<Vec<_>>()));
    }
    let of_repo = browser.open("/-/webhooks/ada/tools").await.expect(200).text();
    assert!(of_repo.contains(">upload, delete</td>") && of_repo.contains(">release</td>"), "{of_repo}");
}

#[tokio::test]
async fn a_callback_is_sent_again_from_its_line() {
    let (receiver, (house, ada)) = (Receiver::start().await, cat_that_calls().await);
    ada.post(HOOKS).json(json!({ "url": receiver.url("/hook") })).await.expect(201);
    release(&ada, "1.0").await;
    deliver(&house).await;
    let browser = browser_of(&house, &ada).await;
    let text = browser.open(PAGE).await.expect(200).text();
    let (_, rest) = text.split_once("name=\"event\" value=\"").expect("it can be sent again");
    let (event, token) = (rest.split('"').next().unwrap_or_default(), token(&browser, PAGE).await);
    let fields = [("form_token", token.as_str()), ("act", "replay"), ("event", event)];
    let fields: Vec<(String, String)> = fields.map(|(k, v)| (k.to_owned(), v.to_owned())).into();
    browser.post(PAGE, &fields).await.expect(303);
    assert_eq!(
        problem_of(&browser.post(PAGE, &fields).await.expect(409)).split(';').next(),
        Some("The delivery is still pending")
    );
    assert_eq!(deliver(&house).await, 1);
    assert_eq!(receiver.callbacks().len(), 2);
    assert_eq!(receiver.callbacks()[1].header("webhook-id"), event);
    // Those who may not publish neither see deliveries nor send them.
    let eve = browser_of(&house, &house.user("eve").await).await;
    eve.open(PAGE).await.expect(403);
    let fields = [
        ("form_token", crate::pages::orgs::token(&eve, "/account").await),
        ("act", "replay".into()),
        ("event", event.into()),
    ];
    eve.post(PAGE, &fields.map(|(k, v): (&str, String)| (k.to_owned(), v))).await.expect(403);
    assert_eq!(deliver(&house).await, 0);
    jobs::run_once(house.app().house(), "expired_deliveries").await.expect("nothing is old yet");
    assert!(browser.open(PAGE).await.text().contains(event));
}
