//! `packhouse whoami`: the first command that a user tries.

use serde_json::json;
use suite::Ended;

use crate::scene::Scene;

#[tokio::test]
async fn right_credentials_say_who_one_is() {
    let scene = Scene::start().await;
    scene.ada.patch("/users/ada").json(json!({"full_name": "Ada L."})).await.expect(200);
    scene.ada.post("/orgs").json(json!({"name": "acme"})).await.expect(201);

    let by_variables = scene.told(&["whoami"]).await;
    let by_flags = scene.bare(&["whoami", "--user", "ada", "--api-key", scene.ada.key()]);
    let by_flags = scene.transcript(&Ended::run(by_flags).await);

    insta::assert_snapshot!(by_variables, @"
    ada (Ada L.)
      member of acme
    exit 0
    ");
    assert_eq!(by_flags, by_variables);
}

#[tokio::test]
async fn wrong_credentials_are_told_and_not_repeated() {
    let scene = Scene::start().await;

    let wrong_key = Ended::run(scene.command_as(&scene.server.person("ada", "CANARY"), &["whoami"])).await;
    let wrong_user = Ended::run(scene.command_as(&scene.server.person("bob", scene.ada.key()), &["whoami"])).await;
    let none = Ended::run(scene.bare(&["whoami"])).await;

    insta::assert_snapshot!(scene.transcript(&wrong_key), @"
    packhouse: the server answered 401: The user name or the API key is wrong
    hint: run `packhouse login` to store another key; PACKHOUSE_USER and PACKHOUSE_API_KEY override it
    exit 3
    ");
    assert_eq!(scene.transcript(&wrong_user), scene.transcript(&wrong_key));
    insta::assert_snapshot!(scene.transcript(&none), @"
    packhouse: you are not signed in to SERVER
    hint: run `packhouse login`, or set PACKHOUSE_USER and PACKHOUSE_API_KEY
    exit 3
    ");
}

#[tokio::test]
async fn a_wrong_address_is_told_with_a_hint() {
    let scene = Scene::start().await;

    let nobody = scene.told(&["whoami", "--url", "http://127.0.0.1:1"]).await;
    let encrypted = scene.server.base.replacen("http://", "https://", 1);
    let no_tls = scene.told(&["whoami", "--url", &encrypted]).await.replace(&encrypted, "https://SERVER");
    let no_address = scene.told(&["whoami", "--url", "nonsense"]).await;
    let elsewhere = scene.told(&["whoami", "--url", &format!("{}/somewhere", scene.server.base)]).await;

    insta::assert_snapshot!(nobody, @"
    packhouse: http://127.0.0.1:1 does not answer: Connection refused (os error 111)
    hint: is the URL right? set it with --url or PACKHOUSE_URL; run `packhouse doctor` to check
    exit 7
    ");
    insta::assert_snapshot!(no_tls, @"
    packhouse: https://SERVER answers without TLS
    hint: if that is right, try --url SERVER
    exit 7
    ");
    insta::assert_snapshot!(no_address, @"
    packhouse: `nonsense` is not a URL: it does not begin with https:// or http://
    hint: try --url https://nonsense
    exit 2
    ");
    insta::assert_snapshot!(elsewhere, @"
    packhouse: the server answered 404: Repository 'api' was not found
    hint: check the name; what you may not read is not found either, and `packhouse whoami` shows who you are
    exit 5
    ");
}

#[tokio::test]
async fn the_help_does_not_show_the_key_of_the_environment() {
    let scene = Scene::start().await;

    let help = Ended::run(scene.command_as(&scene.server.person("ada", "CANARY"), &["whoami", "--help"])).await;

    assert!(!help.succeeds().contains("CANARY"));
}
