//! Versions before their first publish: only publishers see them.

use serde_json::{Value, json};
use suite::{Answer, Person, TestHouse};

use crate::{
    catalogue::{moments, new_package, new_repo, new_version},
    content::{cat, publish, upload, upload_published},
};

/// Creates `ada/tools/cat` with the published 1.0, the empty 2.0 and the draft 3.0, whose names say what they are.
async fn versions() -> (TestHouse, Person) {
    let (house, ada) = cat().await;
    ada.patch("/packages/ada/tools/cat").json(json!({"public_download_numbers": true})).await.expect(200);
    upload_published(&ada, "ada/tools/cat/1.0/1.bin", "meow").await;
    new_version(&ada, "ada/tools/cat", "2.0").await;
    upload(&ada, "ada/tools/cat/3.0/3.bin", "purr").await;
    for version in ["1.0", "2.0", "3.0"] {
        let at = format!("/packages/ada/tools/cat/versions/{version}");
        ada.post(&format!("{at}/attributes")).json(json!([{"name": "colour", "values": ["black"]}])).await.expect(200);
        let notes = json!({"syntax": "plain_text", "content": "New."});
        ada.post(&format!("{at}/release_notes")).json(notes).await.expect(200);
    }
    (house, ada)
}

async fn readers(house: &TestHouse) -> [Person; 2] {
    [house.anyone(), house.user("eve").await]
}

/// Returns the parts of a response that must not distinguish a draft from a missing version.
fn told(answer: &Answer) -> (u16, String) {
    (answer.status, answer.text().replace("9.9", "3.0"))
}

#[tokio::test]
async fn a_draft_is_to_readers_what_a_missing_version_is() {
    let (house, _ada) = versions().await;
    for reader in readers(&house).await {
        for rest in
            ["", "/attributes", "/files", "/release_notes", "/stats/total_downloads", "/stats/time_range_downloads"]
        {
            let call = |version: &str| reader.get(&format!("/packages/ada/tools/cat/versions/{version}{rest}"));
            let (draft, missing) = (call("3.0").await, call("9.9").await);
            assert_eq!(told(&draft), told(&missing), "{rest}");
            assert!(
                draft.status == 404 || (draft.status == 401 && rest.starts_with("/stats")),
                "{rest}: {}",
                draft.status
            );
            assert_eq!(call("2.0").await.status, call("1.0").await.status, "{rest}: without files it is there");
        }
        let page = async |version: &str| told(&reader.get(&format!("//ada/tools/cat/{version}")).await);
        assert_eq!(page("3.0").await.0, 404);
        assert_eq!(page("2.0").await.0, 200);
    }
}

#[tokio::test]
async fn lists_counts_and_searches_do_not_tell_of_a_draft() {
    let (house, ada) = versions().await;
    for reader in readers(&house).await {
        let shown = reader.get("/packages/ada/tools/cat").await.expect(200).json();
        assert_eq!((&shown["versions"], &shown["latest_version"]), (&json!(["2.0", "1.0"]), &json!("1.0")));
        let found = reader.get("/search/packages?name=cat").await.expect(200).json();
        assert_eq!(found[0]["versions"], json!(["2.0", "1.0"]));
        let page = reader.get("//ada/tools/cat").await.expect(200).text();
        assert!(page.contains("2.0") && !page.contains("3.0"), "{page}");
        let search = reader.post("/search/attributes/ada/tools/cat/versions").json(json!([{"colour": "black"}])).await;
        let search = search.expect(200);
        let listed = search.json();
        assert_eq!((&listed[0]["name"], &listed[1]["name"], &listed[2]), (&json!("2.0"), &json!("1.0"), &Value::Null));
        assert_eq!(search.header("x-rangelimit-total"), "2");
    }
    let shown = ada.get("/packages/ada/tools/cat").await.expect(200).json();
    assert_eq!(shown["versions"], json!(["3.0", "2.0", "1.0"]));
    let search = ada.post("/search/attributes/ada/tools/cat/versions").json(json!([{"colour": "black"}])).await;
    assert_eq!(search.expect(200).header("x-rangelimit-total"), "3");
    ada.get("/packages/ada/tools/cat/versions/3.0").await.expect(200);
}

#[tokio::test]
async fn the_latest_version_of_a_reader_is_no_draft() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    new_repo(&ada, "ada/tools").await;
    new_package(&ada, "ada/tools", "cat").await;
    upload(&ada, "ada/tools/cat/1.0/1.bin", "meow").await;
    let latest = "/packages/ada/tools/cat/versions/_latest";
    house.anyone().get(latest).await.expect(404);
    assert_eq!(house.anyone().get("/packages/ada/tools/cat").await.expect(200).json()["latest_version"], Value::Null);
    assert_eq!(ada.get(latest).await.expect(200).json()["name"], "1.0");
    new_version(&ada, "ada/tools/cat", "0.9").await;
    upload(&ada, "ada/tools/cat/2.0/2.bin", "meow").await;
    assert_eq!(house.anyone().get(latest).await.expect(200).json()["name"], "0.9");
    assert_eq!(publish(&ada, "ada/tools/cat/1.0").await, 1);
    assert_eq!(house.anyone().get(latest).await.expect(200).json()["name"], "1.0");
}

#[tokio::test]
async fn what_was_published_once_is_no_draft_any_more() {
    let (house, ada) = versions().await;
    let draft = "/packages/ada/tools/cat/versions/3.0";
    assert_eq!(publish(&ada, "ada/tools/cat/3.0").await, 1);
    house.anyone().get(draft).await.expect(200);
    upload(&ada, "ada/tools/cat/3.0/more.bin", "hiss").await;
    house.anyone().get(draft).await.expect(200);
    ada.delete("/content/ada/tools/3.bin").await.expect(200);
    house.anyone().get(draft).await.expect(200);
    upload(&ada, "ada/tools/cat/4.0/4.bin", "meow").await;
    house.anyone().get("/packages/ada/tools/cat/versions/4.0").await.expect(404);
    ada.post("/content/ada/tools/cat/4.0/publish").json(json!({"discard": true})).await.expect(200);
    house.anyone().get("/packages/ada/tools/cat/versions/4.0").await.expect(200);
}

/// Returns what this reader sees of the package, its published version, its repository and the storage of its owner.
async fn seen(reader: &Person) -> Vec<String> {
    let mut seen = Vec::new();
    for path in
        ["/packages/ada/tools/cat", "/packages/ada/tools/cat/versions/1.0", "/repos/ada/tools/packages", "/repos/ada"]
    {
        seen.push(reader.get(path).await.expect(200).text());
    }
    seen
}

#[tokio::test]
async fn readers_do_not_see_when_a_draft_changes() {
    let (house, ada) = versions().await;
    upload_published(&ada, "ada/tools/cat/1.0/old.bin", "hiss").await;
    let anyone = house.anyone();
    let before = seen(&anyone).await;
    let draft = "/packages/ada/tools/cat/versions/3.0";
    let calls = [
        ada.put("/content/ada/tools/cat/3.0/more.bin").body("chirp"),
        ada.put("/content/ada/tools/cat/4.0/4.bin").body("chirp"),
        ada.put("/content/ada/tools/cat/1.0/old.bin?override=1").body("chirp"),
        ada.patch(draft).json(json!({"desc": "x"})),
        ada.post(&format!("{draft}/release_notes")).json(json!({"syntax": "plain_text", "content": "x"})),
        ada.patch(&format!("{draft}/attributes")).json(json!([{"name": "colour", "values": ["red"]}])),
        ada.patch(draft).json(json!({"yanked": true})),
        ada.put("/packages/ada/tools/cat/tags/next").json(json!({"version": "3.0"})),
        ada.delete("/packages/ada/tools/cat/tags/next"),
        ada.delete("/content/ada/tools/more.bin"),
        ada.post("/content/ada/tools/cat/1.0/publish").json(json!({"discard": true})),
        ada.delete("/packages/ada/tools/cat/versions/4.0"),
    ];
    for call in calls {
        house.clock.advance(1_000);
        let answer = call.await;
        assert!(answer.status < 300, "{}", answer.text());
        assert_eq!(seen(&anyone).await, before, "{}", answer.text());
    }
    let updated = async |path: &str| moments(&ada.get(path).await.expect(200).json()).1;
    assert!(updated(draft).await > updated("/packages/ada/tools/cat").await, "publishers see when a draft changed");
    publish(&ada, "ada/tools/cat/3.0").await;
    assert_ne!(seen(&anyone).await, before);
}

#[tokio::test]
async fn a_version_that_readers_see_again_changes_its_package() {
    let (house, ada) = versions().await;
    let updated = async || moments(&house.anyone().get("/packages/ada/tools/cat").await.expect(200).json()).1;
    upload(&ada, "ada/tools/cat/3.0/more.bin", "chirp").await;
    for (path, is_seen) in [("more.bin", false), ("3.bin", true)] {
        let before = updated().await;
        house.clock.advance(1_000);
        ada.delete(&format!("/content/ada/tools/{path}")).await.expect(200);
        assert_eq!(updated().await > before, is_seen, "{path}");
    }
}

#[tokio::test]
async fn a_tag_changes_its_package_if_readers_see_it_before_or_afterwards() {
    let (house, ada) = versions().await;
    let updated = async || moments(&house.anyone().get("/packages/ada/tools/cat").await.expect(200).json()).1;
    for (version, is_seen) in [("3.0", false), ("1.0", true), ("3.0", true), ("2.0", false), ("1.0", true)] {
        let before = updated().await;
        house.clock.advance(1_000);
        ada.put("/packages/ada/tools/cat/tags/next").json(json!({ "version": version })).await.expect(200);
        assert_eq!(updated().await > before, is_seen, "{version}");
    }
    let before = updated().await;
    house.clock.advance(1_000);
    ada.delete("/packages/ada/tools/cat/tags/next").await.expect(200);
    assert!(updated().await > before);
}

#[tokio::test]
async fn the_storage_that_others_see_has_no_staged_files() {
    let (house, ada) = versions().await;
    let eve = house.user("eve").await;
    let used = async |who: &Person| who.get("/users/ada").await.expect(200).json()["quota_used_bytes"].clone();
    assert_eq!((used(&eve).await, used(&ada).await, used(&house.admin()).await), (json!(4), json!(8), json!(8)));
    upload(&ada, "ada/tools/cat/3.0/more.bin", "chirp").await;
    assert_eq!((used(&eve).await, used(&ada).await), (json!(4), json!(13)));
    publish(&ada, "ada/tools/cat/3.0").await;
    assert_eq!(used(&eve).await, json!(13));
}
