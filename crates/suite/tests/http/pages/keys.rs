//! Access keys, entitlements and signing keys on pages.

use serde_json::json;
use suite::{Gpg, NewKey, TestHouse};

use crate::{
    access::{
        acme::Cast,
        grants::{new_key, new_product},
    },
    catalogue::{new_package, new_private_repo},
    content::upload_published,
    pages::manage::shown,
    pages::orgs::{browser_of, done, refused, token},
};

/// Starts a house whose private `ada/secret/dog` has a published file.
async fn kennel() -> (TestHouse, suite::Person) {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    new_private_repo(&ada, "ada/secret").await;
    new_package(&ada, "ada/secret", "dog").await;
    upload_published(&ada, "ada/secret/dog/1.0/dog.bin", "woof").await;
    (house, ada)
}

#[tokio::test]
async fn a_key_is_made_with_all_its_limits_and_its_password_is_shown_once() {
    let (house, ada) = kennel().await;
    let browser = browser_of(&house, &ada).await;
    let page = "/-/users/ada/access_keys";
    let open = browser.open(page).await.expect(200);
    // Browsers show a calendar for the time.
    assert!(open.text().contains("<input type=\"datetime-local\" step=\"any\" id=\"expiry\""), "{}", open.text());
    let fields = [
        ("id", "guest"),
        ("expiry", "2027-01-01"),
        ("max_downloads", "10"),
        ("white_cidrs", "127.0.0.0/8\r\n10.0.0.0/8"),
        ("black_cidrs", "10.1.0.0/16"),
        ("check_url", "https://example.org/%40"),
        ("check_secs", "5"),
        ("api_only", "1"),
    ];
    let made = browser.send(&open, page, &fields).await.expect(200);
    let (name, password) = (shown(&made, "made-name"), shown(&made, "made-password"));
    assert_eq!(name, "guest@ada");
    let kept = ada.get("/users/ada/access_keys/guest").await.expect(200).json();
    assert_eq!(kept["white_cidrs"], json!(["127.0.0.0/8", "10.0.0.0/8"]));
    assert_eq!((&kept["api_only"], &kept["max_downloads"]), (&json!(true), &json!(10)));
    assert_eq!(kept["expiry"], json!(1_798_761_600_000_i64));
    assert_eq!(kept["existence_check"], json!({"url": "https://example.org/%40", "cache_for_secs": 5}));
    let again = browser.open(page).await.expect(200).text();
    assert!(again.contains(">guest</a>") && !again.contains(&password), "{again}");
    // Emptied fields are removed, and a refused form keeps its input.
    let key = "/-/users/ada/access_keys/guest";
    assert_eq!(refused(&browser, key, key, &[("max_downloads", "many")]).await.0, 400);
    assert_eq!(done(&browser, key, key, &[("max_downloads", "")]).await, format!("{key}"));
    let kept = ada.get("/users/ada/access_keys/guest").await.expect(200).json();
    assert_eq!((&kept["api_only"], &kept["max_downloads"]), (&json!(false), &json!(null)));
    assert_eq!((&kept["white_cidrs"], &kept["expiry"]), (&json!([]), &json!(null)));
}

#[tokio::test]
async fn a_key_gets_a_new_password_and_ends() {
    let (house, ada) = kennel().await;
    let old = new_key(&house, "ada", "guest").await;
    ada.post("/repos/ada/secret/entitlements").json(json!({"access": "r", "access_keys": ["guest"]})).await.expect(201);
    old.download("/ada/secret/dog.bin").await.expect(200);
    let browser = browser_of(&house, &ada).await;
    let key = "/-/users/ada/access_keys/guest";
    let open = browser.open(key).await.expect(200);
    let made = browser.send(&open, &format!("{key}/password"), &[]).await.expect(200);
    let renewed = house.person("guest@ada", &shown(&made, "made-password"));
    old.download("/ada/secret/dog.bin").await.expect(401);
    renewed.download("/ada/secret/dog.bin").await.expect(200);
    done(&browser, key, &format!("{key}/delete"), &[]).await;
    renewed.download("/ada/secret/dog.bin").await.expect(401);
    browser.open(key).await.expect(404);
}

#[tokio::test]
async fn a_key_that_is_refused_is_not_made() {
    let (house, ada) = kennel().await;
    let browser = browser_of(&house, &ada).await;
    let page = "/-/users/ada/access_keys";
    for (field, value) in [
        ("id", "a b"),
        ("expiry", "yesterday"),
        ("expiry", "2020-01-01"),
        ("white_cidrs", "everywhere"),
        ("max_downloads", "0"),
        ("password", "short"),
        ("check_url", "ftp://example.org"),
    ] {
        let fields = [("id", "guest"), (field, value)];
        let fields = if field == "id" { &fields[1..] } else { &fields[..] };
        let (status, said) = refused(&browser, page, page, fields).await;
        assert_eq!(status, 400, "{field}: {said}");
    }
    assert_eq!(ada.get("/users/ada/access_keys").await.json()["access_keys"], json!([]));
    // The input is still there, except for the password.
    let open = browser.open(page).await.expect(200);
    let fields = [("id", "guest"), ("max_downloads", "0"), ("password", "a-long-password")];
    let text = browser.send(&open, page, &fields).await.expect(400).text();
    assert!(text.contains("value=\"guest\"") && !text.contains("a-long-password"), "{text}");
    house.admin().put("/subjects/ada/plan").json(json!({"plan": "free"})).await.expect(200);
    assert_eq!(refused(&browser, page, page, &[("id", "guest")]).await.0, 403);
}

#[tokio::test]
async fn keys_are_for_those_who_run_the_account() {
    let cast = Cast::start().await;
    cast.org("acme").await;
    for page in ["/-/orgs/acme/access_keys", "/-/orgs/acme/gpg_key"] {
        cast.house.browser().open(page).await.expect(303);
        for (name, person) in cast.actors() {
            let runs = !matches!(name, "stranger" | "member");
            let browser = browser_of(&cast.house, person).await;
            assert_eq!(browser.open(page).await.status, if runs { 200 } else { 403 }, "{page} {name}");
            browser.open(&page.replace("acme", "absent")).await.expect(404);
        }
    }
    for page in ["/-/users/olga/access_keys", "/-/users/olga/gpg_key"] {
        for (name, person) in cast.actors() {
            let runs = matches!(name, "owner" | "site admin");
            let browser = browser_of(&cast.house, person).await;
            assert_eq!(browser.open(page).await.status, if runs { 200 } else { 403 }, "{page} {name}");
        }
    }
    let stranger = browser_of(&cast.house, &cast.stranger).await;
    let fields =
        vec![("form_token".to_owned(), token(&stranger, "/account").await), ("id".to_owned(), "guest".to_owned())];
    for path in ["/-/orgs/acme/access_keys", "/-/orgs/acme/gpg_key/generate", "/-/users/olga/access_keys"] {
        stranger.post(path, &fields).await.expect(403);
    }
    assert_eq!(cast.owner.get("/orgs/acme/access_keys").await.json()["access_keys"], json!([]));
    cast.owner.get("/orgs/acme/keys/gpg").await.expect(404);
}

#[tokio::test]
async fn keys_are_given_something_and_lose_it() {
    let (house, ada) = kennel().await;
    let guest = new_key(&house, "ada", "guest").await;
    new_product(&house, "ada", "suite", &["secret/dog"]).await;
    let browser = browser_of(&house, &ada).await;
    let places = ["entitlements/ada/secret", "entitlements/ada/secret/dog", "entitlements/ada/secret/dog/1.0"];
    for place in places.into_iter().chain(["products/ada/suite/entitlements"]) {
        let page = format!("/-/{place}");
        guest.download("/ada/secret/dog.bin").await.expect(404);
        let fields = [("access", "r"), ("access_keys", "guest"), ("tags", "trial\r\nspring")];
        done(&browser, &page, &page, &fields).await;
        guest.download("/ada/secret/dog.bin").await.expect(200);
        let open = browser.open(&page).await.expect(200);
        let text = open.text();
        assert!(text.contains("spring, trial") && text.contains("<th scope=\"row\">guest</th>"), "{text}");
        // The first form of the page removes the entitlement.
        browser.send(&open, &page, &[]).await.expect(303);
        guest.download("/ada/secret/dog.bin").await.expect(404);
    }
    let repo = "/-/entitlements/ada/secret";
    done(&browser, repo, repo, &[("access", "rw"), ("path", "cats"), ("access_keys", "guest")]).await;
    guest.download("/ada/secret/dog.bin").await.expect(404);
    let path = "/-/entitlements/ada/secret/dog";
    assert_eq!(refused(&browser, path, path, &[("access", "r"), ("access_keys", "nobody")]).await.0, 400);
    assert_eq!(refused(&browser, path, path, &[("access", "all")]).await.0, 400);
    assert!(browser.open(path).await.text().contains("Open it for an access key"));
}

#[tokio::test]
async fn a_signing_key_is_stored_replaced_made_and_removed() {
    let (house, ada) = kennel().await;
    ada.post("/orgs").json(json!({"name": "acme"})).await.expect(201);
    let browser = browser_of(&house, &ada).await;
    for (page, call) in
        [("/-/users/ada/gpg_key", "/users/ada/keys/gpg"), ("/-/orgs/acme/gpg_key", "/orgs/acme/keys/gpg")]
    {
        assert!(browser.open(page).await.expect(200).text().contains("id=\"no-gpg-key\""));
        let key = Gpg::new().private_key(NewKey::default());
        done(&browser, page, page, &[("private_key", key.as_str())]).await;
        let stored = ada.get(call).await.expect(200).json()["fingerprint"].clone();
        let text = browser.open(page).await.expect(200).text();
        assert!(text.contains(stored.as_str().expect("a text")) && !text.contains("PRIVATE KEY"), "{text}");
        let (status, said) = refused(&browser, page, page, &[("private_key", "no key")]).await;
        assert_eq!(status, 400, "{said}");
        assert_eq!(ada.get(call).await.json()["fingerprint"], stored, "the one before stays");
        done(&browser, page, &format!("{page}/generate"), &[]).await;
        assert_ne!(ada.get(call).await.json()["fingerprint"], stored);
        done(&browser, page, &format!("{page}/delete"), &[]).await;
        ada.get(call).await.expect(404);
    }
}

#[tokio::test]
async fn the_list_of_keys_says_what_each_opens() {
    let (house, ada) = kennel().await;
    for key in ["guest", "idle"] {
        new_key(&house, "ada", key).await;
    }
    let grant = json!({"access": "r", "access_keys": ["guest"]});
    ada.post("/packages/ada/secret/dog/versions/1.0/entitlements").json(grant.clone()).await.expect(201);
    let browser = browser_of(&house, &ada).await;
    let row = async |name: &str| -> String {
        let text = browser.open("/-/users/ada/access_keys").await.expect(200).text();
        text.split("</tr>").find(|row| row.contains(&format!("{name}@ada"))).expect("the key").to_owned()
    };
    let opens = row("guest").await;
    assert!(opens.contains("<a class=\"label\" href=\"/-/entitlements/ada/secret/dog\">secret/dog/1.0</a>"), "{opens}");
    assert!(row("idle").await.contains("Nothing yet"));
    for scope in ["repos/ada/secret", "packages/ada/secret/dog", "packages/ada/secret/dog"] {
        ada.post(&format!("/{scope}/entitlements")).json(grant.clone()).await.expect(201);
    }
    let opens = row("guest").await;
    assert!(opens.matches("class=\"label\"").count() == 3 && opens.contains("and more"), "{opens}");
}

#[tokio::test]
async fn refused_keys_and_grants_say_why_next_to_the_field() {
    let (house, ada) = kennel().await;
    let browser = browser_of(&house, &ada).await;
    let (keys, grants) = ("/-/users/ada/access_keys", "/-/entitlements/ada/secret");
    type Fields<'a> = &'a [(&'a str, &'a str)];
    let cases: [(&str, Fields<'_>, &str); 3] = [
        (keys, &[("id", "bad name!")], "id"),
        (keys, &[("id", "guest"), ("password", "short")], "password"),
        (grants, &[("access_keys", "nobody"), ("access", "r")], "access_keys"),
    ];
    for (page, fields, wrong) in cases {
        let open = browser.open(page).await;
        let answer = browser.send(&open, page, fields).await.expect(400).text();
        assert!(answer.contains(&format!("id=\"{wrong}-error\"")), "{wrong}: {answer}");
        assert_eq!(answer.matches("aria-invalid=\"true\"").count(), 1, "{wrong}: {answer}");
    }
}
