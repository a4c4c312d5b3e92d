//! Public syncs: what is sent to the registry, early refusals, and the messages when the registry fails.

mod refusals;

use serde_json::{Value, json};
use suite::{
    Answer, Person, TestHouse,
    public_sync::{Fault, Files, Gpg, PASSWORD, StandIn, USERNAME, release},
};

const CALL: &str = "/maven_public_sync/ada/central/lib/versions/1.0";

/// Both protocols.
const PROTOCOLS: [&str; 2] = ["nexus", "portal"];

/// A registry, and a house with a release to sync with it.
struct Scene {
    house: TestHouse,
    ada: Person,
    files: Files,
    remote: StandIn,
}

impl Scene {
    /// Starts a scene with a registry that fails at this point, and more settings.
    async fn start(protocol: &'static str, fault: Option<Fault>, more: &[(&str, &str)]) -> Self {
        let gpg = Gpg::create();
        let remote = StandIn::start(&gpg, fault).await;
        let own = remote.settings(protocol);
        let settings: Vec<(&str, &str)> = own.iter().map(|(key, value)| (*key, value.as_str())).collect();
        let house = TestHouse::start_with(&[&settings, more].concat()).await;
        let ada = house.user("ada").await;
        let files = release(&gpg);
        ada.publish_release(&files).await;
        Self { house, ada, files, remote }
    }

    async fn sync(&self, close: &str) -> Answer {
        self.ada.post(CALL).json(body(close)).await
    }
}

fn body(close: &str) -> Value {
    json!({"username": USERNAME, "password": PASSWORD, "close": close})
}

/// Returns the messages of a response.
fn messages(answer: &Answer) -> Vec<String> {
    let messages = answer.json()["messages"].as_array().cloned().unwrap_or_else(|| panic!("{}", answer.text()));
    messages.iter().filter_map(Value::as_str).map(str::to_owned).collect()
}

#[tokio::test]
async fn a_release_is_closed_and_made_public_with_both_protocols() {
    for protocol in PROTOCOLS {
        let scene = Scene::start(protocol, None, &[]).await;
        let answer = scene.ada.post(CALL).json(json!({"username": USERNAME, "password": PASSWORD})).await.expect(200);
        assert_eq!(answer.json()["status"], "Successfully synced and closed");
        assert_eq!(messages(&answer).len(), 1);
        let public = scene.remote.released();
        for (path, content) in &scene.files {
            assert!(public.contains(&(path.clone(), content.clone())), "{protocol}: {path}");
        }
        // Four files with a checksum of each kind, and four signatures.
        assert_eq!(public.len(), 16, "{protocol}");
    }
}

#[tokio::test]
async fn a_release_waits_to_be_made_public_by_hand_with_both_protocols() {
    for (protocol, state) in [("nexus", "open"), ("portal", "VALIDATED")] {
        let scene = Scene::start(protocol, None, &[]).await;
        let answer = scene.sync("0").await.expect(200);
        assert_eq!(answer.json()["status"], "Successfully synced");
        assert_eq!((scene.remote.unreleased(), scene.remote.released().len()), (vec![state], 0));
    }
}

#[tokio::test]
async fn nexus_is_asked_in_its_order() {
    let scene = Scene::start("nexus", None, &[("staging.profile", "org.x")]).await;
    scene.sync("1").await.expect(200);
    let log = scene.remote.log();
    let staging = "/service/local/staging";
    assert_eq!(log[..2], [format!("GET {staging}/profiles"), format!("POST {staging}/profiles/profile-1/start")]);
    let deployed = log.iter().filter(|line| line.starts_with("PUT ")).count();
    assert_eq!(deployed, 16);
    assert_eq!(log[18], format!("POST {staging}/profiles/profile-1/finish"));
    assert_eq!(log.iter().filter(|line| line.ends_with("/bulk/promote")).count(), 1);
    assert_eq!(log.iter().filter(|line| line.ends_with("/bulk/drop")).count(), 0);
}

#[tokio::test]
async fn the_old_name_of_the_call_works() {
    let scene = Scene::start("portal", None, &[]).await;
    scene.ada.post(&CALL.replace("public", "central")).json(body("1")).await.expect(200);
    assert_eq!(scene.remote.released().len(), 16);
}

#[tokio::test]
async fn a_signature_that_is_none_is_refused_by_the_registry_in_its_own_words() {
    for protocol in PROTOCOLS {
        let scene = Scene::start(protocol, None, &[]).await;
        let forged = "/maven/ada/central/lib/org/x/lib/1.0/lib-1.0.jar.asc?publish=1&override=1";
        scene.ada.put(forged).body("no signature").await.expect(201);
        let answer = scene.sync("1").await.expect(502);
        assert_eq!(answer.json()["status"], "Sync Failed");
        assert_eq!(messages(&answer), ["Invalid signature of 'org/x/lib/1.0/lib-1.0.jar'"], "{protocol}");
        assert_eq!(scene.remote.unreleased(), [""; 0], "{protocol}");
    }
}

#[tokio::test]
async fn nexus_may_fail_at_every_step_and_nothing_is_left() {
    let at = "the staging repository 'orgx-1001'";
    let stem = "org/x/lib/1.0/lib-1.0";
    for (fault, expected) in [
        (Fault::Profiles, "Finding the staging profile: 500 Profiles are away".to_owned()),
        (Fault::NoProfile, "There is no staging profile for these files and credentials".to_owned()),
        (Fault::Start, "Starting a staging repository: 400 No more repositories".to_owned()),
        (Fault::Upload(1), format!("Deploying '{stem}-javadoc.jar': 507 No room left")),
        (Fault::Upload(2), format!("Deploying '{stem}-javadoc.jar.sha1': 507 No room left")),
        (Fault::Upload(16), format!("Deploying '{stem}.pom.asc': 507 No room left")),
        (Fault::Close, format!("Closing {at}: 500 Closing is away")),
        (Fault::Rule, "Rule of the house broken".to_owned()),
        (Fault::Release, format!("Releasing {at}: 500 Releasing is away")),
        (Fault::Unreleased, "Not released after all".to_owned()),
    ] {
        let scene = Scene::start("nexus", Some(fault), &[]).await;
        let answer = scene.sync("1").await.expect(502);
        assert_eq!(messages(&answer), [expected], "{fault:?}");
        assert_eq!((scene.remote.unreleased(), scene.remote.released().len()), (vec![], 0), "{fault:?}");
    }
}

#[tokio::test]
async fn the_portal_may_fail_at_every_step_and_nothing_is_left() {
    for (fault, expected) in [
        (Fault::Bundle, "Uploading the bundle: 400 The bundle is bad"),
        (Fault::Rule, "Rule of the house broken"),
        (Fault::Unreleased, "Not released after all"),
    ] {
        let scene = Scene::start("portal", Some(fault), &[]).await;
        let answer = scene.sync("1").await.expect(502);
        assert_eq!(messages(&answer), [expected], "{fault:?}");
        assert_eq!((scene.remote.unreleased(), scene.remote.released().len()), (vec![], 0), "{fault:?}");
    }
}

#[tokio::test]
async fn wrong_credentials_are_the_registrys_affair() {
    for (protocol, doing) in [("nexus", "Finding the staging profile"), ("portal", "Uploading the bundle")] {
        let scene = Scene::start(protocol, None, &[]).await;
        let answer = scene.ada.post(CALL).json(json!({"username": USERNAME, "password": "other"})).await.expect(502);
        assert_eq!(messages(&answer), [format!("{doing}: 401 401 - Unauthorized")]);
    }
}

#[tokio::test]
async fn a_registry_that_never_ends_is_not_waited_for() {
    for protocol in PROTOCOLS {
        for fault in [Fault::Hang, Fault::Silence] {
            let scene = Scene::start(protocol, Some(fault), &[("staging.timeout_secs", "1")]).await;
            let said = messages(&scene.sync("1").await.expect(502));
            assert_eq!(said[0], "The sync timed out", "{protocol} {fault:?}");
        }
    }
}

#[tokio::test]
async fn what_is_being_released_is_not_taken_back() {
    for protocol in PROTOCOLS {
        // Long enough for a busy machine to reach the release.
        let scene = Scene::start(protocol, Some(Fault::HangReleasing), &[("staging.timeout_secs", "5")]).await;
        let answer = scene.sync("1").await.expect(200);
        assert_eq!(messages(&answer), ["The registry has the release and is still publishing it"]);
        assert_eq!(
            scene.remote.log().iter().filter(|line| line.contains("drop") || line.contains("DELETE")).count(),
            0
        );
    }
}

#[tokio::test]
async fn what_cannot_be_taken_back_is_told() {
    let scene = Scene::start("portal", Some(Fault::Drop), &[]).await;
    let said = messages(&scene.sync("1").await.expect(502));
    assert_eq!(said[0], "Rule of the house broken");
    assert!(
        said[1].starts_with("Dropping the deployment '") && said[1].ends_with(": 500 Dropping is away"),
        "{said:?}"
    );
}

#[tokio::test]
async fn a_registry_that_is_away_for_a_moment_is_asked_again() {
    for protocol in PROTOCOLS {
        let scene = Scene::start(protocol, Some(Fault::Flaky), &[]).await;
        scene.sync("1").await.expect(200);
        assert_eq!(scene.remote.released().len(), 16, "{protocol}");
    }
}

#[tokio::test]
async fn a_release_that_cannot_be_watched_may_have_happened() {
    for protocol in PROTOCOLS {
        let scene = Scene::start(protocol, Some(Fault::Blind), &[]).await;
        let said = messages(&scene.sync("1").await.expect(502));
        assert!(said[0].ends_with(": 503 Away for a moment"), "{protocol}: {said:?}");
        assert_eq!(said[1..], ["The registry was asked to release, and may have done so"], "{protocol}");
    }
}
