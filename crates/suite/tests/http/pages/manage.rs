//! Pages that create, change and delete: what they store, what they show, and that a refused form keeps its input.

use serde_json::{Value, json};
use suite::{Answer, Browser, Person, TestHouse};

use crate::content::{DAY, cat, upload_published};

/// Returns the text of the element with this id: what it begins with, or all of it if it begins with another element.
/// Times are exact.
pub(crate) fn shown(page: &Answer, id: &str) -> String {
    let text = page.text();
    let (before, rest) = text.split_once(&format!("id=\"{id}\"")).unwrap_or_else(|| panic!("no {id}: {text}"));
    let tag = before.rsplit('<').next().and_then(|tag| tag.split([' ', '>']).next()).expect("a tag begins");
    let (_, rest) = rest.split_once('>').expect("a tag ends");
    let inside = rest.split(&format!("</{tag}>")).next().unwrap_or_default();
    let first = inside.split('<').next().unwrap_or_default();
    let inside = if first.trim().is_empty() { inside } else { first };
    let mut shown = String::new();
    for (place, piece) in inside.split('<').enumerate() {
        let (tag, words) = if place == 0 { ("", piece) } else { piece.split_once('>').expect("a tag ends") };
        match tag.strip_prefix("time datetime=\"").and_then(|rest| rest.split('"').next()) {
            Some(exact) => shown.push_str(exact),
            None => shown.push_str(words),
        }
    }
    shown.trim().replace("&#39;", "'").replace("&#38;", "&")
}

/// Returns why a form was refused: the notice of the page, or what stands beside the field that it refers to, after the
/// name of that field.
pub(crate) fn problem_of(page: &Answer) -> String {
    let text = page.text();
    let (_, notice) =
        text.split_once("<div role=\"alert\" id=\"notice\">").unwrap_or_else(|| panic!("no problem: {text}"));
    match notice.strip_prefix("<a href=\"#").and_then(|rest| rest.split_once("-error\">Please correct")) {
        Some((field, _)) => format!("{field}: {}", shown(page, &format!("{field}-error"))),
        None => shown(page, "notice"),
    }
}

/// Returns the notice of a page after a change.
pub(crate) fn success_of(page: &Answer) -> String {
    let is_success = page.text().contains("<div role=\"status\" id=\"notice\">");
    assert!(is_success, "no success: {}", page.text());
    shown(page, "notice")
}

/// Starts a house with ada, and her browser.
pub(crate) async fn ada_at_home() -> (TestHouse, Person, Browser) {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    let browser = signed_in(&house, &ada).await;
    (house, ada, browser)
}

/// Starts the same with `ada/tools/cat`.
pub(crate) async fn cat_at_home() -> (TestHouse, Person, Browser) {
    let (house, ada) = cat().await;
    let browser = signed_in(&house, &ada).await;
    (house, ada, browser)
}

/// Returns a browser in which this user is signed in.
pub(crate) async fn signed_in(house: &TestHouse, who: &Person) -> Browser {
    let browser = house.browser();
    browser.sign_in(who.name(), who.key()).await.expect(303);
    browser
}

/// Opens a page, and submits its form with these fields.
pub(crate) async fn fill_in(browser: &Browser, address: &str, fields: &[(&str, &str)]) -> Answer {
    let page = browser.open(address).await.expect(200);
    browser.send(&page, address.split('?').next().unwrap_or(address), fields).await
}

/// Asserts that a form led to a page with this notice.
pub(crate) async fn assert_led(browser: &Browser, answer: Answer, to: &str, notice: &str) {
    assert_eq!(answer.expect(303).header("location"), to);
    let page = browser.open(to).await.expect(200);
    assert_eq!(success_of(&page), notice);
    // It is shown only once.
    assert!(!browser.open(to).await.expect(200).text().contains("id=\"notice\""), "{to}");
}

async fn detail(who: &Person, path: &str, fields: &[&str]) -> Vec<Value> {
    let detail = who.get(path).await.expect(200).json();
    fields.iter().map(|field| detail[*field].clone()).collect()
}

#[tokio::test]
async fn a_repository_a_package_and_a_version_are_created_and_edited() {
    let (_house, ada, browser) = ada_at_home().await;
    let fields =
        [("name", "tools"), ("type", "maven"), ("private", "1"), ("desc", "Tools\r\nof mine"), ("labels", "a\r\nb, c")];
    let made = fill_in(&browser, "/-/new/repo/ada", &fields).await;
    assert_led(&browser, made, "/ada/tools", "The repository has been created.").await;
    let wanted = [json!("maven"), json!(true), json!("Tools\nof mine"), json!(["a", "b, c"])];
    assert_eq!(detail(&ada, "/repos/ada/tools", &["type", "private", "desc", "labels"]).await, wanted);

    let fields = [("desc", "Changed"), ("gpg_sign_files", "1"), ("version_update_max_days", "9")];
    let edited = fill_in(&browser, "/-/edit/repo/ada/tools", &fields).await;
    assert_led(&browser, edited, "/ada/tools", "The repository has been changed.").await;
    let names = ["desc", "labels", "private", "gpg_sign_files", "version_update_max_days"];
    let wanted = [json!("Changed"), json!([]), json!(false), json!(true), json!(9)];
    assert_eq!(detail(&ada, "/repos/ada/tools", &names).await, wanted);

    let fields = [
        ("name", "cat"),
        ("desc", "An animal"),
        ("licenses", "MIT\r\nApache-2.0"),
        ("vcs_url", "https://example.com/cat.git"),
        ("website_url", ""),
        ("github_repo", "ada/cat"),
        ("public_download_numbers", "1"),
    ];
    let made = fill_in(&browser, "/-/new/package/ada/tools", &fields).await;
    assert_led(&browser, made, "/ada/tools/cat", "The package has been created.").await;
    let names = ["desc", "licenses", "vcs_url", "website_url", "github_repo", "public_download_numbers"];
    let url = json!("https://example.com/cat.git");
    let wanted = [json!("An animal"), json!(["MIT", "Apache-2.0"]), url, json!(null), json!("ada/cat"), json!(true)];
    assert_eq!(detail(&ada, "/packages/ada/tools/cat", &names).await, wanted);
    let page = browser.open("/-/edit/package/ada/tools/cat").await.expect(200).text();
    assert!(page.contains("MIT\nApache-2.0</textarea>") && page.contains("value=\"ada/cat\""), "{page}");

    let fields = [("name", "1.0"), ("desc", "First"), ("released", "2026-01-02"), ("vcs_tag", "v1")];
    let made = fill_in(&browser, "/-/new/version/ada/tools/cat", &fields).await;
    let notice = "The version has been created. Upload its files now.";
    assert_led(&browser, made, "/ada/tools/cat/1.0", notice).await;
    let edited = fill_in(&browser, "/-/edit/version/ada/tools/cat/1.0", &[("desc", "Second")]).await;
    assert_led(&browser, edited, "/ada/tools/cat/1.0", "The version has been changed.").await;
    let names = ["desc", "released", "vcs_tag"];
    let wanted = [json!("Second"), json!(null), json!(null)];
    assert_eq!(detail(&ada, "/packages/ada/tools/cat/versions/1.0", &names).await, wanted);
}

#[tokio::test]
async fn what_is_refused_is_told_with_what_was_put_in_and_stores_nothing() {
    let (_house, ada, browser) = cat_at_home().await;
    for (address, fields, status, problem) in [
        ("/-/new/repo/ada", [("name", "a b"), ("desc", "Kept text")], 400, "name: "),
        ("/-/new/repo/ada", [("name", "tools"), ("desc", "Kept text")], 409, "Repository 'tools' already exists"),
        ("/-/new/package/ada/tools", [("name", "cat"), ("desc", "Kept text")], 409, "Package 'cat' already exists"),
        ("/-/new/package/ada/tools", [("name", "a/b"), ("desc", "Kept text")], 400, "name: "),
        (
            "/-/edit/package/ada/tools/cat",
            [("licenses", "Foo"), ("desc", "Kept text")],
            400,
            "licenses: Choose what to do",
        ),
        (
            "/-/edit/repo/ada/tools",
            [("version_update_max_days", "x"), ("desc", "Kept text")],
            400,
            "'x' is not a whole number",
        ),
        ("/-/new/version/ada/tools/cat", [("name", "_latest"), ("desc", "Kept text")], 400, "name: "),
    ] {
        let page = fill_in(&browser, address, &fields).await.expect(status);
        let told = problem_of(&page);
        assert!(told.contains(problem), "{address}: {told}");
        assert!(page.text().contains("Kept text") && page.text().contains(fields[0].1), "{address}: {}", page.text());
    }
    let fields = [("name", "1.0"), ("released", "soon")];
    let page = fill_in(&browser, "/-/new/version/ada/tools/cat", &fields).await.expect(400);
    assert!(problem_of(&page).starts_with("released: ") && page.text().contains("value=\"soon\""));
    assert_eq!(ada.get("/repos/ada").await.expect(200).json(), json!([{"name": "tools", "owner": "ada"}]));
    assert_eq!(detail(&ada, "/packages/ada/tools/cat", &["desc", "versions"]).await, [json!(""), json!([])]);
    assert_eq!(detail(&ada, "/repos/ada/tools", &["desc"]).await, [json!("")]);
}

#[tokio::test]
async fn deleting_takes_the_name_and_leads_to_what_is_above() {
    let (house, ada, browser) = cat_at_home().await;
    upload_published(&ada, "ada/tools/cat/1.0/cat.tar", "meow").await;
    upload_published(&ada, "ada/tools/cat/2.0/cat2.tar", "meow").await;
    for (address, wrong) in [
        ("/-/delete/version/ada/tools/cat/1.0", "2.0"),
        ("/-/delete/package/ada/tools/cat", ""),
        ("/-/delete/repo/ada/tools", "Tools"),
    ] {
        let page = fill_in(&browser, address, &[("confirm", wrong)]).await.expect(400);
        assert!(problem_of(&page).contains("to confirm"), "{address}");
    }
    assert_eq!(detail(&ada, "/packages/ada/tools/cat", &["versions"]).await, [json!(["2.0", "1.0"])]);
    let gone = fill_in(&browser, "/-/delete/version/ada/tools/cat/1.0", &[("confirm", "1.0")]).await;
    assert_led(&browser, gone, "/ada/tools/cat", "The version 1.0 has been deleted.").await;
    house.clock.advance(30 * DAY + 1_000);
    let browser = signed_in(&house, &ada).await;
    for (address, name) in [
        ("/-/delete/version/ada/tools/cat/2.0", "2.0"),
        ("/-/delete/package/ada/tools/cat", "cat"),
        ("/-/delete/repo/ada/tools", "tools"),
    ] {
        let page = fill_in(&browser, address, &[("confirm", name)]).await.expect(403);
        let told = problem_of(&page);
        assert!(told.contains("can no longer be deleted: the limit is 30 days"), "{told}");
        assert!(page.text().contains(&format!("value=\"{name}\"")), "{}", page.text());
    }
    let admin = signed_in(&house, &house.admin()).await;
    let gone = fill_in(&admin, "/-/delete/repo/ada/tools", &[("confirm", "tools")]).await;
    assert_led(&admin, gone, "/ada", "The repository tools has been deleted.").await;
    ada.get("/repos/ada/tools").await.expect(404);
}

#[tokio::test]
async fn readmes_and_release_notes_are_written_and_emptied() {
    let (_house, ada, browser) = cat_at_home().await;
    ada.post("/packages/ada/tools/cat/versions").json(json!({"name": "1.0"})).await.expect(201);
    let long = "# Cat\n\n".to_owned() + &"A long line of text. ".repeat(4_000);
    for (form, page, call) in [
        ("/-/edit/readme/ada/tools/cat", "/ada/tools/cat", "/packages/ada/tools/cat/readme"),
        ("/-/edit/notes/ada/tools/cat", "/ada/tools/cat", "/packages/ada/tools/cat/release_notes"),
        ("/-/edit/notes/ada/tools/cat/1.0", "/ada/tools/cat/1.0", "/packages/ada/tools/cat/versions/1.0/release_notes"),
    ] {
        let set = fill_in(&browser, form, &[("syntax", "markdown"), ("content", &long.replace('\n', "\r\n"))]).await;
        assert_led(&browser, set, page, "The text has been saved.").await;
        let stored = ada.get(call).await.expect(200).json();
        assert_eq!((&stored["syntax"], &stored["content"]), (&json!("markdown"), &json!(long)));
        let page = fill_in(&browser, form, &[("syntax", "word"), ("content", "x")]).await.expect(400);
        assert!(problem_of(&page).starts_with("syntax: "), "{form}");
        fill_in(&browser, form, &[("syntax", "markdown"), ("content", " \r\n")]).await.expect(303);
        ada.get(call).await.expect(404);
        fill_in(&browser, form, &[("syntax", "markdown"), ("content", "")]).await.expect(303);
    }
    let huge = "x".repeat(256 * 1024 + 1);
    let form = "/-/edit/readme/ada/tools/cat";
    fill_in(&browser, form, &[("syntax", "markdown"), ("content", &huge)]).await.expect(413);
    ada.get("/packages/ada/tools/cat/readme").await.expect(404);
}

#[tokio::test]
async fn repositories_of_an_organization_are_for_those_who_may_create_them() {
    let (house, ada, browser) = ada_at_home().await;
    ada.post("/orgs").json(json!({"name": "acme"})).await.expect(201);
    let made = fill_in(&browser, "/-/new/repo/acme", &[("name", "tools"), ("type", "generic")]).await;
    assert_led(&browser, made, "/acme/tools", "The repository has been created.").await;
    let bob = house.user("bob").await;
    let other = signed_in(&house, &bob).await;
    other.open("/-/new/repo/acme").await.expect(403);
    other.open("/-/new/repo/nobody").await.expect(404);
    assert!(!other.open("/acme").await.expect(200).text().contains("id=\"new-repo\""));
    assert!(browser.open("/acme").await.expect(200).text().contains("href=\"/-/new/repo/acme\""));
    ada.put("/orgs/acme/members/bob").json(json!({"type": "member"})).await.expect(200);
    assert!(!other.open("/acme").await.expect(200).text().contains("id=\"new-repo\""));
    let team = json!({"name": "makers", "members": ["bob"], "allow_repo_creation": true});
    ada.post("/orgs/acme/teams").json(team).await.expect(201);
    assert!(other.open("/acme").await.expect(200).text().contains("href=\"/-/new/repo/acme\""));
    fill_in(&other, "/-/new/repo/acme", &[("name", "things"), ("type", "generic")]).await.expect(303);
    bob.get("/repos/acme/things").await.expect(200);
}

#[tokio::test]
async fn the_form_of_a_repository_names_formats_for_people() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    let page = ada.get("//-/new/repo/ada").await.expect(200).text();
    for (value, title) in [("docker", "Container images"), ("pypi", "PyPI"), ("rubygems", "RubyGems"), ("npm", "npm")] {
        assert!(page.contains(&format!("<option value=\"{value}\">{title}</option>")), "{page}");
    }
    let (_, types) = page.split_once("name=\"type\"").expect("a field");
    let types = types.split("</select>").next().expect("its end");
    assert_eq!(types.matches(">Files</option>").count(), 0, "each format has its own name: {types}");
}
