//! Attributes, links and signed URLs on their pages.

use serde_json::json;

use crate::{
    catalogue::{new_package, new_private_repo, new_repo},
    content::{upload, upload_published},
    pages::manage::{assert_led, cat_at_home, fill_in, problem_of, shown, signed_in},
};

const ATTRIBUTES: &str = "/-/attributes/package/ada/tools/cat";

#[tokio::test]
async fn attributes_are_added_changed_and_removed() {
    let (_house, ada, browser) = cat_at_home().await;
    ada.post("/packages/ada/tools/cat/versions").json(json!({"name": "1.0"})).await.expect(201);
    for (form, call) in [
        (ATTRIBUTES, "/packages/ada/tools/cat/attributes"),
        ("/-/attributes/version/ada/tools/cat/1.0", "/packages/ada/tools/cat/versions/1.0/attributes"),
    ] {
        let found = "detect from the values";
        for (name, kind, values) in [
            ("legs", found, "4"),
            ("colour", "string", "black\r\nwhite, grey"),
            ("tame", "boolean", "true"),
            ("born", "date", "2026-01-02T03:04:05Z"),
            ("needs", "version", "1.0"),
            ("odd", "string", "[\"a\\nb\", null]"),
            ("none", found, ""),
        ] {
            let saved = fill_in(&browser, form, &[("name", name), ("type", kind), ("values", values)]).await;
            assert_led(&browser, saved, form, "The attribute has been saved.").await;
        }
        let all = ada.get(call).await.expect(200).json();
        let expected = json!([
            {"name": "legs", "values": [4], "type": "number"},
            {"name": "colour", "values": ["black", "white, grey"], "type": "string"},
            {"name": "tame", "values": [true], "type": "boolean"},
            {"name": "born", "values": ["2026-01-02T03:04:05Z"], "type": "date"},
            {"name": "needs", "values": ["1.0"], "type": "version"},
            {"name": "odd", "values": ["a\nb", null], "type": "string"},
            {"name": "none", "values": null, "type": "string"},
        ]);
        assert_eq!(all, expected);
        let page = browser.open(&format!("{form}?name=colour")).await.expect(200).text();
        assert!(page.contains("black\nwhite, grey</textarea>") && page.contains("value=\"colour\""), "{page}");
        assert!(page.contains("<option value=\"string\" selected>"), "{page}");
        fill_in(&browser, form, &[("name", "legs"), ("type", "number"), ("values", "3\r\n4")]).await.expect(303);
        fill_in(&browser, form, &[("remove", "colour")]).await.expect(303);
        let all = ada.get(call).await.expect(200).json();
        assert_eq!(all[0], json!({"name": "legs", "values": [3, 4], "type": "number"}));
        assert_eq!(all[1]["name"], "tame");
    }
}

#[tokio::test]
async fn attributes_that_do_not_fit_are_refused_with_what_was_put_in() {
    let (_house, ada, browser) = cat_at_home().await;
    for (name, kind, values, problem) in [
        ("legs", "number", "four", "values: 'four' is not a number"),
        ("tame", "boolean", "perhaps", "values: 'perhaps' is not a boolean"),
        ("born", "date", "soon", "attribute 'born': 'soon' is not a date"),
        ("a,b", "string", "x", "attribute 'a,b': its name holds a comma"),
        ("legs", "colour", "x", "type: It is not one of"),
        ("mixed", "string", "[1, \"x\"]", "attribute 'mixed': its values mix numbers and texts"),
    ] {
        let fields = [("name", name), ("type", kind), ("values", values)];
        let page = fill_in(&browser, ATTRIBUTES, &fields).await.expect(400);
        assert!(problem_of(&page).starts_with(problem), "{}", problem_of(&page));
        assert!(page.text().contains(&format!("value=\"{name}\"")), "{}", page.text());
    }
    assert_eq!(ada.get("/packages/ada/tools/cat/attributes").await.expect(200).json(), json!([]));
}

#[tokio::test]
async fn a_package_is_linked_into_an_own_repository_and_taken_out_again() {
    let (house, ada, browser) = cat_at_home().await;
    upload_published(&ada, "ada/tools/cat/1.0/cat.tar", "meow").await;
    let bob = house.user("bob").await;
    new_repo(&bob, "bob/shelf").await;
    let other = signed_in(&house, &bob).await;
    let form = "/-/link/ada/tools/cat";
    for (repo, status) in [("nothing", 400), ("ada/tools", 403), ("bob/absent", 404)] {
        let page = fill_in(&other, form, &[("repo", repo)]).await.expect(status);
        assert!(!problem_of(&page).is_empty() && page.text().contains(&format!("value=\"{repo}\"")), "{repo}");
    }
    let linked = fill_in(&other, form, &[("repo", "bob/shelf")]).await;
    assert_led(&other, linked, "/bob/shelf", "cat is now linked here.").await;
    let page = fill_in(&other, form, &[("repo", "bob/shelf")]).await.expect(409);
    assert_eq!(problem_of(&page), "Package 'cat' is already linked");
    // Only owners of the linking repository may remove the link, and only they see the button.
    let unlink = "/-/unlink/bob/shelf/ada/tools/cat";
    for path in ["/bob/shelf/cat", form] {
        assert!(other.open(path).await.expect(200).text().contains(unlink), "{path}");
        assert!(!browser.open(path).await.expect(200).text().contains(unlink), "{path}");
    }
    let text = other.open("/bob/shelf/cat").await.expect(200).text();
    assert!(!text.contains("/-/edit/") && text.contains("href=\"/-/link/ada/tools/cat\""), "{text}");
    let page = other.open("/bob/shelf/cat").await.expect(200);
    let gone = other.send(&page, unlink, &[]).await;
    assert_led(&other, gone, "/bob/shelf", "cat is no longer linked here.").await;
    bob.get("/packages/bob/shelf/cat").await.expect(404);
}

#[tokio::test]
async fn a_signed_address_opens_a_private_file_until_it_expires() {
    let (house, ada, browser) = cat_at_home().await;
    new_private_repo(&ada, "ada/secret").await;
    new_package(&ada, "ada/secret", "dog").await;
    upload_published(&ada, "ada/secret/dog/1.0/bin/dog.tar", "woof").await;
    upload(&ada, "ada/secret/dog/1.0/bin/new.tar", "woof").await;
    let form = "/-/signed-url/ada/secret/bin/dog.tar";
    assert!(browser.open("/ada/secret/dog/1.0").await.text().contains(&format!("href=\"{form}\"")));
    let page = fill_in(&browser, form, &[("valid_for", "2"), ("unit", "minutes"), ("callback_id", "mail")]).await;
    let url = shown(&page.expect(200), "made");
    let path = url.replace(&format!("http://{}", house.address), "/");
    assert_eq!(house.anyone().get(&path).await.expect(200).text(), "woof");
    house.clock.advance(121_000);
    house.anyone().get(&path).await.expect(403);
    for (valid_for, unit, problem) in [
        ("366", "days", "Valid for secs: '31622400' is more than 365 days away"),
        ("0", "hours", "Valid for secs: '0' is in the past"),
        ("x", "hours", "valid_for: 'x' is not a whole number"),
        ("1", "years", "unit: It is not one of minutes, hours, days"),
    ] {
        let page = fill_in(&browser, form, &[("valid_for", valid_for), ("unit", unit)]).await.expect(400);
        assert_eq!(problem_of(&page), problem);
        assert!(!page.text().contains("signature="), "{}", page.text());
    }
    let staged = "/-/signed-url/ada/secret/bin/new.tar";
    let page = fill_in(&browser, staged, &[("valid_for", "1"), ("unit", "hours")]).await.expect(404);
    assert_eq!(problem_of(&page), "File 'bin/new.tar' was not found");
    house.admin().put("/subjects/ada/plan").json(json!({"plan": "free"})).await.expect(200);
    let page = fill_in(&browser, form, &[("valid_for", "1"), ("unit", "hours")]).await.expect(403);
    assert!(!problem_of(&page).is_empty());
}
