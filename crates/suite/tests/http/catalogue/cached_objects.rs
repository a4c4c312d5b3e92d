//! Objects and lists for callers without credentials come from a cache, and are always what a look-up would give.

use serde_json::json;
use suite::{Answer, Call, Person, TestHouse};

use crate::{
    access::{
        acme::Cast,
        grants::{new_team, permit},
    },
    catalogue::{new_package, new_repo},
    content::{cat, upload_published},
    downloads::cache::hears,
};

/// The reads whose responses are cached.
const READS: [&str; 19] = [
    "/repos/ada",
    "/repos/ada/tools",
    "/repos/ada/tools/packages",
    "/repos/ada/tools/packages?start_name=c",
    "/repos/ada/others/packages",
    "/packages/ada/tools/cat",
    "/packages/ada/tools/cat?attribute_values=1",
    "/packages/ada/others/cat",
    "/packages/ada/tools/cat/attributes",
    "/packages/ada/tools/cat/readme",
    "/packages/ada/tools/cat/release_notes",
    "/packages/ada/tools/cat/files",
    "/packages/ada/tools/cat/versions/1.0",
    "/packages/ada/tools/cat/versions/_latest",
    "/packages/ada/tools/cat/versions/1.0/files",
    "/packages/ada/tools/cat/versions/1.0/attributes",
    "/packages/ada/tools/cat/versions/1.0/release_notes",
    "/file_package/ada/tools/cat.bin",
    "/file_version/ada/tools/cat.bin",
];

/// Returns the part of a response that is the same each time.
fn comparable(answer: &Answer) -> (u16, Vec<(String, String)>, String) {
    let headers = answer.headers.iter().filter(|(name, _)| !["x-request-id", "date"].contains(&name.as_str()));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let headers = headers.map(|(name, value)| (name.to_string(), text(value.as_bytes()))).collect();
    (answer.status, headers, answer.text())
}

/// Returns a URL that means the same and was never requested: unknown parameters are ignored.
fn unseen(path: &str, step: &str) -> String {
    let separator = if path.contains('?') { '&' } else { '?' };
    format!("{path}{separator}unseen={}", step.replace([' ', '/', ':', '?', '='], "-"))
}

/// Compares all reads with look-ups: right after a change, and again when their responses are cached.
async fn compare(house: &TestHouse, step: &str) {
    let anyone = house.anyone();
    for path in READS {
        let expected = anyone.get(&unseen(path, step)).await;
        for _ in 0..2 {
            assert_eq!(comparable(&anyone.get(path).await), comparable(&expected), "{path} after {step}");
        }
    }
}

/// Returns the number of responses that came from the cache of objects.
async fn hits(house: &TestHouse) -> u64 {
    let metrics = house.anyone().get("//metrics").await.expect(200).text();
    let line = metrics.lines().find_map(|line| line.strip_prefix("packhouse_object_cache_hits_total "));
    line.map_or(0, |count| count.parse().expect("a number"))
}

/// Returns changes of all kinds, in their order.
fn changes(ada: &Person, eve: &Person) -> Vec<(&'static str, Call)> {
    let cat = "/packages/ada/tools/cat";
    let version = "/packages/ada/tools/cat/versions/1.0";
    let at = |rest: &str| format!("{cat}{rest}");
    vec![
        ("description", ada.patch(cat).json(json!({"desc": "Says meow", "labels": ["pet"]}))),
        ("attributes", ada.post(&at("/attributes")).json(json!([{"name": "sound", "values": ["meow"]}]))),
        ("value", ada.patch(&at("/attributes")).json(json!([{"name": "sound", "values": ["purr"]}]))),
        ("readme", ada.post(&at("/readme")).json(json!({"syntax": "markdown", "content": "# Cat"}))),
        ("notes", ada.post(&at("/release_notes")).json(json!({"syntax": "markdown", "content": "New"}))),
        ("upload", ada.put("/content/ada/tools/cat/1.0/cat.bin").body("meow")),
        ("publish", ada.post("/content/ada/tools/cat/1.0/publish").json(json!({}))),
        ("version", ada.patch(version).json(json!({"desc": "The first"}))),
        ("yank", ada.patch(version).json(json!({"yanked": "It scratches"}))),
        ("unyank", ada.patch(version).json(json!({"yanked": false}))),
        (
            "attributes of version",
            ada.post(&format!("{version}/attributes")).json(json!([{"name": "a", "values": [1]}])),
        ),
        ("notes of version", {
            let notes = json!({"syntax": "plain_text", "content": "Sharp claws"});
            ada.post(&format!("{version}/release_notes")).json(notes)
        }),
        ("tag", ada.put(&at("/tags/stable")).json(json!({"version": "1.0"}))),
        ("untag", ada.delete(&at("/tags/stable"))),
        ("rating", eve.put(&at("/rating")).json(json!({"rating": 4}))),
        ("follow", eve.put(&at("/follow"))),
        ("package", ada.post("/packages/ada/tools").json(json!({"name": "cow"}))),
        ("link", ada.put("/repository/ada/others/links/ada/tools/cat").json(json!({}))),
        ("link to private", ada.patch("/repos/ada/others").json(json!({"private": true}))),
        ("link to public", ada.patch("/repos/ada/others").json(json!({"private": false}))),
        ("private", ada.patch("/repos/ada/tools").json(json!({"private": true}))),
        ("public", ada.patch("/repos/ada/tools").json(json!({"private": false}))),
        ("labels of repository", ada.patch("/repos/ada/tools").json(json!({"labels": ["x"]}))),
        ("content", ada.put("/content/ada/tools/cat/1.0/cat.bin?publish=1&override=1").body("purr")),
        ("second version", ada.put("/content/ada/tools/cat/2.0/cat2.bin?publish=1").body("hiss")),
        ("file", ada.delete("/content/ada/tools/cat2.bin")),
        ("deleted version", ada.delete("/packages/ada/tools/cat/versions/2.0")),
        ("unlink", ada.delete("/repository/ada/others/links/ada/tools/cat")),
        ("deleted package", ada.delete("/packages/ada/tools/cow")),
        ("deleted cat", ada.delete(cat)),
        ("deleted repository", ada.delete("/repos/ada/tools")),
    ]
}

#[tokio::test]
async fn a_cached_object_is_what_a_look_up_gives_after_every_change() {
    let (house, ada) = cat().await;
    let eve = house.user("eve").await;
    new_repo(&ada, "ada/others").await;
    hears(&house).await;
    compare(&house, "nothing").await;
    for (step, call) in changes(&ada, &eve) {
        let done = call.await;
        assert!((200..300).contains(&done.status), "{step}: {}", done.text());
        compare(&house, step).await;
    }
    assert!(hits(&house).await > 0, "nothing came from the cache");
}

#[tokio::test]
async fn a_renamed_owner_is_seen_at_once() {
    let (house, ada) = cat().await;
    upload_published(&ada, "ada/tools/cat/1.0/cat.bin", "meow").await;
    let (admin, anyone) = (house.admin(), house.anyone());
    hears(&house).await;
    compare(&house, "publish").await;
    admin.post("/subjects/ada/rename").json(json!({"name": "ida"})).await.expect(200);
    compare(&house, "rename").await;
    anyone.get("/packages/ada/tools/cat").await.expect(404);
    assert_eq!(anyone.get("/packages/ida/tools/cat").await.expect(200).json()["owner"], "ida");
    admin.post("/subjects/ida/rename").json(json!({"name": "ada"})).await.expect(200);
    compare(&house, "renamed back").await;
    anyone.get("/packages/ada/tools/cat").await.expect(200);
}

#[tokio::test]
async fn a_granted_right_is_seen_at_once() {
    let cast = Cast::start().await;
    cast.org("acme").await;
    new_repo(&cast.owner, "acme/open").await;
    new_team(&cast.owner, "acme", "devs", &["mike"]).await;
    hears(&cast.house).await;
    let list = async || {
        let anyone = cast.house.anyone();
        let [first, second] = [anyone.get("/repos/mike").await, anyone.get("/repos/mike").await];
        assert_eq!(comparable(&first), comparable(&second));
        second.expect(200).text()
    };
    assert!(!list().await.contains("open"));
    permit(&cast.owner, "acme/open", "devs", "publish").await;
    assert!(list().await.contains("open"));
    cast.owner.delete("/repos/acme/open/permissions/devs").await.expect(200);
    assert!(!list().await.contains("open"));
    permit(&cast.owner, "acme/open", "devs", "publish").await;
    assert!(list().await.contains("open"));
    cast.owner.delete("/orgs/acme/teams/devs").await.expect(200);
    assert!(!list().await.contains("open"));
}

#[tokio::test]
async fn an_object_is_not_sent_again_to_a_client_that_has_it() {
    let (house, ada) = cat().await;
    let (path, anyone, eve) = ("/packages/ada/tools/cat", house.anyone(), house.user("eve").await);
    hears(&house).await;
    let answer = anyone.get(path).await.expect(200);
    let tag = answer.header("etag").to_owned();
    assert!(tag.starts_with('"') && tag.len() == 66, "{tag}");
    assert_eq!((answer.header("vary"), answer.header("cache-control")), ("authorization", "public, no-cache"));
    for who in [&anyone, &eve, &anyone] {
        let unchanged = who.get(path).header("if-none-match", &format!("\"x\", {tag}")).await.expect(304);
        assert_eq!((unchanged.header("etag"), unchanged.text().as_str()), (tag.as_str(), ""), "{}", who.name());
        assert_eq!((unchanged.header("content-type"), unchanged.header("content-length")), ("", ""));
    }
    anyone.get(path).header("if-none-match", "\"x\"").await.expect(200);
    ada.patch(path).json(json!({"desc": "Another"})).await.expect(200);
    let changed = anyone.get(path).header("if-none-match", &tag).await.expect(200);
    assert_ne!(changed.header("etag"), tag);
}

#[tokio::test]
async fn the_total_of_a_list_is_part_of_its_tag() {
    let (house, ada) = cat().await;
    let (path, anyone) = ("/repos/ada/tools/packages?start_pos=50", house.anyone());
    let tag = anyone.get(path).await.expect(200).header("etag").to_owned();
    new_package(&ada, "ada/tools", "dog").await;
    let changed = anyone.get(path).header("if-none-match", &tag).await.expect(200);
    assert_eq!((changed.text().as_str(), changed.header("x-rangelimit-total")), ("[]", "2"));
}

#[tokio::test]
async fn the_headers_of_an_object_are_the_same_without_it() {
    let (house, _ada) = cat().await;
    let (path, anyone) = ("/packages/ada/tools/cat", house.anyone());
    hears(&house).await;
    let looked_up = anyone.head(path).await.expect(200);
    let whole = anyone.get(path).await.expect(200);
    let cached = anyone.head(path).await.expect(200);
    assert!(looked_up.text().is_empty() && cached.text().is_empty());
    assert_eq!(comparable(&looked_up), comparable(&cached));
    assert_eq!(comparable(&cached).1, comparable(&whole).1);
    assert_eq!(whole.header("content-length"), whole.body.len().to_string());
}

#[tokio::test]
async fn what_one_caller_sees_is_not_cached_for_others() {
    let (house, ada) = cat().await;
    ada.post("/packages/ada/tools/cat/attributes").json(json!([{"name": "_own", "values": [1]}])).await.expect(200);
    let (path, anyone) = ("/packages/ada/tools/cat", house.anyone());
    hears(&house).await;
    for _ in 0..3 {
        assert!(ada.get(path).await.expect(200).text().contains("_own"));
        assert!(!anyone.get(path).await.expect(200).text().contains("_own"));
    }
    assert_eq!(ada.get(path).await.header("cache-control"), "no-store");
    house.person("ada", "wrong").get(path).await.expect(401);
    ada.patch("/repos/ada/tools").json(json!({"private": true})).await.expect(200);
    let hidden = anyone.get(path).await;
    let missing = anyone.get("/packages/ada/nothing/cat").await;
    assert_eq!(hidden.status, missing.status);
    assert_eq!(hidden.header("etag"), "");
    ada.patch("/repos/ada/tools").json(json!({"private": false})).await.expect(200);
    anyone.get(path).await.expect(200);
}
