//! `packhouse whoami`: the first thing a person tries.

use serde_json::json;
use suite::{Ended, Process, Stack};

use crate::program::{command, run, run_with, start};

#[tokio::test]
async fn right_credentials_say_who_one_is() {
    let stack = Stack::create().await;
    let server = start(&stack).await;
    server.admin().post("/users").json(json!({"name": "ada", "full_name": "Ada L."})).await.expect(201);
    let key = server.admin().post("/users/ada/api_key").await.expect(201).json();
    let key = key["api_key"].as_str().expect("a key");
    server.person("ada", key).post("/orgs").json(json!({"name": "acme"})).await.expect(201);

    let by_flags = run(&stack, &["whoami", "--url", &server.base, "--user", "ada", "--api-key", key]).await;
    let by_variables = ask(&stack, &server.base, "ada", key).await;

    insta::assert_snapshot!(by_flags.succeeds(), @"
    ada (Ada L.)
      member of acme
    ");
    insta::assert_snapshot!(by_variables.succeeds(), @"
    ada (Ada L.)
      member of acme
    ");
}

#[tokio::test]
async fn wrong_credentials_are_told_and_not_repeated() {
    let stack = Stack::create().await;
    let server = start(&stack).await;
    let ada = server.user("ada").await;

    let wrong_key = ask(&stack, &server.base, "ada", "CANARY").await.fails();
    let wrong_user = ask(&stack, &server.base, "bob", ada.key()).await.fails();

    insta::assert_snapshot!(wrong_key, @"the server answered 401: The user name or the API key is wrong");
    assert_eq!(wrong_user, wrong_key);
}

#[tokio::test]
async fn an_address_where_nobody_listens_is_told_with_a_hint() {
    let stack = Stack::create().await;

    let refused = ask(&stack, "http://127.0.0.1:1", "ada", "CANARY").await.fails();

    insta::assert_snapshot!(refused, @"
    http://127.0.0.1:1 does not answer: Connection refused (os error 111)
    hint: is the address right? set it with --url or PACKHOUSE_URL
    ");
}

#[tokio::test]
async fn a_server_that_is_no_packhouse_is_told() {
    let stack = Stack::create().await;
    let server: Process = start(&stack).await;
    let ada = server.user("ada").await;

    let pages = ask(&stack, &format!("{}/somewhere", server.base), "ada", ada.key()).await.fails();
    let no_address = ask(&stack, "nonsense", "ada", ada.key()).await.fails();

    insta::assert_snapshot!(pages, @"the server answered 404: There is nothing at this address");
    insta::assert_snapshot!(no_address, @"
    nonsense does not answer: relative URL without a base
    hint: is the address right? set it with --url or PACKHOUSE_URL
    ");
}

#[tokio::test]
async fn the_help_does_not_show_the_key_of_the_environment() {
    let stack = Stack::create().await;

    let help = run_with(&stack, &["whoami", "--help"], &[("PACKHOUSE_API_KEY", "CANARY")]).await;

    assert!(!help.succeeds().contains("CANARY"));
}

async fn ask(stack: &Stack, url: &str, user: &str, key: &str) -> Ended {
    let mut command = command(stack);
    command.arg("whoami").envs([("PACKHOUSE_URL", url), ("PACKHOUSE_USER", user), ("PACKHOUSE_API_KEY", key)]);
    Ended::run(command).await
}
