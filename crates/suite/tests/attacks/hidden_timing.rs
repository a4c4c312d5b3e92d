//! Response times must not reveal private content. Measured times would make these tests flaky, so they count
//! statements; the example `hidden_timing` of the suite measures times.

use serde_json::json;
use sha2::{Digest, Sha256};
use suite::{Call, Person, TestHouse};

/// The number of repetitions of each call: enough that one of them coincides with no background work, even on a busy
/// machine.
const ROUNDS: usize = 20;

/// Starts a house with ada's private repository, and eve, who must not learn of it.
async fn scene() -> (TestHouse, Person, Person) {
    let house = TestHouse::start().await;
    let (ada, eve) = (house.user("ada").await, house.user("eve").await);
    for (who, repo, is_private) in [(&ada, "ada/secret", true), (&eve, "eve/own", false)] {
        who.post(&format!("/repos/{repo}")).json(json!({"type": "generic", "private": is_private})).await.expect(201);
        let package = json!({"name": "cat", "licenses": ["MIT"]});
        who.post(&format!("/packages/{repo}")).json(package).await.expect(201);
    }
    for round in 0..ROUNDS {
        let path = format!("/content/ada/secret/cat/1.0/cat-{round}.bin?publish=1");
        ada.put(&path).body(format!("hidden bytes {round}")).await.expect(201);
    }
    (house, ada, eve)
}

/// Returns the lowest number of statements of a call: background work sometimes adds some.
pub(crate) async fn steps(house: &TestHouse, status: u16, call: impl Fn(usize) -> Call) -> u64 {
    let db = &house.app().house().db;
    let mut fewest = u64::MAX;
    for round in 0..ROUNDS {
        let before = db.statements_run();
        call(round).await.expect(status);
        fewest = fewest.min(db.statements_run() - before);
    }
    fewest
}

/// A kind of request about a repository, its status, and the call.
type Asking<'a> = (&'a str, u16, &'a dyn Fn(&str) -> Call);

#[tokio::test]
async fn a_hidden_repository_takes_as_many_steps_as_a_missing_one() {
    let (house, _ada, eve) = scene().await;
    let anyone = house.anyone();
    let calls: [Asking<'_>; 6] = [
        ("repository", 404, &|repo| eve.get(&format!("/repos/{repo}"))),
        ("package", 404, &|repo| eve.get(&format!("/packages/{repo}/cat"))),
        ("download", 404, &|repo| eve.download(&format!("/{repo}/cat-0.bin"))),
        ("anonymous download", 401, &|repo| anyone.download(&format!("/{repo}/cat-0.bin"))),
        ("anonymous repository", 404, &|repo| anyone.get(&format!("/repos/{repo}"))),
        ("upload", 404, &|repo| eve.put(&format!("/content/{repo}/cat/1.0/new.bin")).body("new")),
    ];
    for (what, status, call) in calls {
        let hidden = steps(&house, status, |_| call("ada/secret")).await;
        assert_eq!(steps(&house, status, |_| call("ada/nothing")).await, hidden, "{what} of a missing repository");
    }
}

#[tokio::test]
async fn content_that_only_others_have_is_stored_like_new_content() {
    let (house, _ada, eve) = scene().await;
    let put = |name: String, bytes: &str| eve.put(&format!("/content/eve/own/cat/1.0/{name}")).body(bytes.to_owned());
    put("first".into(), "first").await.expect(201);
    let new = steps(&house, 201, |round| put(format!("new-{round}"), &format!("new bytes {round}"))).await;
    let hidden = steps(&house, 201, |round| put(format!("hidden-{round}"), &format!("hidden bytes {round}"))).await;
    assert_eq!(hidden, new, "what ada has takes as many steps as what nobody has");
    let own = steps(&house, 201, |round| put(format!("again-{round}"), &format!("hidden bytes {round}"))).await;
    assert!(own < new, "what eve has herself is not stored again: {own} statements, {new} for new content");
}

#[tokio::test]
async fn a_checksum_that_only_others_have_takes_as_many_steps_as_an_unknown_one() {
    let (house, _ada, eve) = scene().await;
    let deploy = |bytes: &str| {
        let sum = model::digest::hex(&Sha256::digest(bytes));
        let call = eve.put("/content/eve/own/cat/1.0/copy.bin").header("x-checksum-deploy", "true");
        call.header("x-checksum-sha2", &sum)
    };
    let hidden = steps(&house, 404, |_| deploy("hidden bytes 0")).await;
    assert_eq!(steps(&house, 404, |_| deploy("what nobody has")).await, hidden);
}

#[tokio::test]
async fn a_missing_repository_is_missing_for_site_administrators_too() {
    let (house, ..) = scene().await;
    house.admin().get("/repos/ada/nothing").await.refuses(404, "Repository 'nothing' was not found");
    house.admin().get("/repos/ada/secret").await.expect(200);
    house.admin().put("/content/ada/nothing/cat/1.0/x").body("x").await.expect(404);
}
