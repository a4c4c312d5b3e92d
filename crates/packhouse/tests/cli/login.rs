//! `packhouse login` and `packhouse logout`: stored credentials.

use std::{fs, os::unix::fs::PermissionsExt};

use suite::Ended;

use crate::scene::Scene;

#[tokio::test]
async fn credentials_are_kept_for_their_owner_and_used() {
    let scene = Scene::start().await;

    let login = scene.told(&["login"]).await;
    insta::assert_snapshot!(login, @"
    signed in to SERVER as ada; the key is in HOME/packhouse/credentials.toml
    exit 0
    ");
    let mode = fs::metadata(scene.credentials()).expect("it is there").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);

    // Without variables, the file provides the server and the user.
    let mut whoami = scene.bare(&["whoami"]);
    whoami.env_remove("PACKHOUSE_URL");
    assert_eq!(Ended::run(whoami).await.succeeds(), "ada (ada)");
}

#[tokio::test]
async fn flags_go_before_variables_and_variables_before_the_file() {
    let scene = Scene::start().await;
    let (bob, eve) = (scene.server.user("bob").await, scene.server.user("eve").await);
    scene.run(&["login"]).await.succeeds();

    let by_file = Ended::run(scene.bare(&["whoami"])).await;
    let by_variable = Ended::run(scene.command_as(&bob, &["whoami"])).await;
    let by_flag = scene.command_as(&bob, &["whoami", "--user", "eve", "--api-key", eve.key()]);
    // Bob's name does not match Ada's key in the file.
    let mixed = Ended::run(scene.bare(&["whoami", "--user", "bob"])).await;

    assert_eq!(by_file.succeeds(), "ada (ada)");
    assert_eq!(by_variable.succeeds(), "bob (bob)");
    assert_eq!(Ended::run(by_flag).await.succeeds(), "eve (eve)");
    assert_eq!(mixed.code, Some(3), "{mixed:?}");
}

#[tokio::test]
async fn wrong_credentials_are_not_kept() {
    let scene = Scene::start().await;

    let wrong = Ended::run(scene.command_as(&scene.server.person("ada", "CANARY"), &["login"])).await;
    let missing = Ended::run(scene.bare(&["login", "--user", "ada"])).await;

    assert_eq!(wrong.code, Some(3), "{wrong:?}");
    assert!(!scene.credentials().exists());
    insta::assert_snapshot!(scene.transcript(&missing), @"
    packhouse: the API key is missing
    hint: pass --user and pipe the key to --key-stdin, or sign in on a terminal
    exit 2
    ");
}

#[tokio::test]
async fn a_file_that_others_can_read_is_refused() {
    let scene = Scene::start().await;
    scene.run(&["login"]).await.succeeds();
    fs::set_permissions(scene.credentials(), fs::Permissions::from_mode(0o644)).expect("changed");

    let refused = Ended::run(scene.bare(&["whoami"])).await;

    insta::assert_snapshot!(scene.transcript(&refused), @"
    packhouse: HOME/packhouse/credentials.toml: other users of this machine can read it
    hint: run `chmod 600 HOME/packhouse/credentials.toml`
    exit 1
    ");
}

#[tokio::test]
async fn a_logout_forgets() {
    let scene = Scene::start().await;
    scene.run(&["login"]).await.succeeds();

    let logout = Ended::run(scene.bare(&["logout"])).await;
    let again = Ended::run(scene.bare(&["logout"])).await;
    let whoami = Ended::run(scene.bare(&["whoami"])).await;

    assert_eq!(scene.transcript(&logout), "removed the credentials for SERVER\nexit 0");
    assert_eq!(scene.transcript(&again), "there are no stored credentials for SERVER\nexit 0");
    assert_eq!(whoami.code, Some(3), "{whoami:?}");
    let kept = fs::read_to_string(scene.credentials()).expect("it is there");
    assert!(!kept.contains(scene.ada.key()));
}

#[tokio::test]
async fn a_person_signs_in_on_a_page_with_a_code() {
    use tokio::io::{AsyncBufReadExt, BufReader};

    let scene = Scene::start().await;
    let mut command = tokio::process::Command::from(scene.bare(&["login", "--sso", "--scope", "publish"]));
    let mut child = command.kill_on_drop(true).stderr(std::process::Stdio::piped()).spawn().expect("it starts");
    let mut lines = BufReader::new(child.stderr.take().expect("piped")).lines();
    let told = lines.next_line().await.expect("readable").expect("a line");
    assert!(told.starts_with(&format!("Open {}/-/device and enter the code ", scene.server.base)), "{told}");
    let code = told.rsplit(' ').next().expect("a code");

    let browser = scene.server.browser();
    browser.sign_in("ada", scene.ada.key()).await.expect(303);
    let page = browser.open("/-/device").await.expect(200);
    let question = browser.send(&page, "/-/device", &[("code", code)]).await.expect(200);
    browser.send(&question, "/-/device/decide", &[("answer", "allow")]).await.expect(303);

    assert!(child.wait().await.expect("it ends").success());
    assert_eq!(Ended::run(scene.bare(&["whoami"])).await.succeeds(), "ada (ada)");
    assert!(fs::read_to_string(scene.credentials()).expect("it is there").contains("pht_"));
}
