//! The errors of `packhouse admin` for invalid input.

use suite::Stack;

use crate::program::{run, run_with, start};

/// Returns every error, one per line, as `arguments => message`.
async fn refusals(stack: &Stack, inputs: &[&str]) -> String {
    let mut lines = Vec::new();
    for input in inputs {
        let arguments: Vec<_> = ["admin"].into_iter().chain(input.split(' ')).collect();
        lines.push(format!("{input} => {}", run(stack, &arguments).await.fails()));
    }
    lines.join("\n")
}

#[tokio::test]
async fn bad_users_and_keys_are_refused_with_a_reason() {
    let stack = Stack::create().await;
    let server = start(&stack).await;
    server.user("ada").await;

    let refused = refusals(
        &stack,
        &[
            "user create ada",
            "user create ADA",
            "user create a/b",
            "user create api",
            "user create bob --email nowhere",
            "user create bob --plan golden",
            "user create ada --site-admin",
            "user create a/b --site-admin",
            "user delete nobody",
            "user delete admin",
            "key rotate nobody",
            "key rotate a/b",
        ],
    );

    insta::assert_snapshot!(refused.await, @"
    user create ada => Subject 'ada' already exists
    user create ADA => Subject 'ADA' already exists
    user create a/b => subject name 'a/b' is not valid: it may hold letters, digits, '.', '_' and '-' only
    user create api => name: 'api' is reserved
    user create bob --email nowhere => 'nowhere' is not an e-mail address
    user create bob --plan golden => `golden` is not one of free, premium, enterprise
    user create ada --site-admin => Subject 'ada' already exists
    user create a/b --site-admin => subject name 'a/b' is not valid: it may hold letters, digits, '.', '_' and '-' only
    user delete nobody => User 'nobody' was not found
    user delete admin => User 'admin' is the last site administrator
    key rotate nobody => User 'nobody' was not found
    key rotate a/b => subject name 'a/b' is not valid: it may hold letters, digits, '.', '_' and '-' only
    ");
    server.admin().get("/users/bob").await.expect(404);
}

#[tokio::test]
async fn bad_organizations_and_plans_are_refused_with_a_reason() {
    let stack = Stack::create().await;
    let server = start(&stack).await;
    let ada = server.user("ada").await;
    ada.post("/orgs").json(serde_json::json!({"name": "acme"})).await.expect(201);

    let refused = refusals(
        &stack,
        &[
            "org create acme --owner ada",
            "org create ada --owner ada",
            "org create fresh --owner nobody",
            "org create fresh --owner acme",
            "org create a/b --owner ada",
            "org create api --owner ada",
            "org member acme nobody member",
            "org member nowhere ada member",
            "org member acme ada boss",
            "org member acme ada member",
            "org delete nowhere",
            "org delete ada",
            "user delete acme",
            "user delete ada",
            "plan set nobody premium",
            "plan set ada golden",
        ],
    );

    insta::assert_snapshot!(refused.await, @"
    org create acme --owner ada => Subject 'acme' already exists
    org create ada --owner ada => Subject 'ada' already exists
    org create fresh --owner nobody => User 'nobody' was not found
    org create fresh --owner acme => User 'acme' was not found
    org create a/b --owner ada => subject name 'a/b' is not valid: it may hold letters, digits, '.', '_' and '-' only
    org create api --owner ada => name: 'api' is reserved
    org member acme nobody member => User 'nobody' was not found
    org member nowhere ada member => Organization 'nowhere' was not found
    org member acme ada boss => `boss` is not one of owner, admin, member
    org member acme ada member => Organization 'acme' must keep an owner
    org delete nowhere => Organization 'nowhere' was not found
    org delete ada => Organization 'ada' was not found
    user delete acme => User 'acme' was not found
    user delete ada => User 'ada' is the only owner of organization 'acme'
    plan set nobody premium => Subject 'nobody' was not found
    plan set ada golden => `golden` is not one of free, premium, enterprise
    ");
    server.admin().get("/orgs/fresh").await.expect(404);
}

#[tokio::test]
async fn full_names_follow_the_same_rules_as_over_http() {
    let stack = Stack::create().await;
    let long = "x".repeat(201);

    let too_long = run(&stack, &["admin", "user", "create", "ada", "--full-name", &long, "--init"]).await.fails();
    let control = run(&stack, &["admin", "user", "create", "bob", "--full-name", "a\u{1b}[2J", "--init"]).await.fails();

    assert!(too_long.contains("200 bytes"), "{too_long}");
    assert!(control.contains("control character"), "{control}");
}

#[tokio::test]
async fn a_database_that_is_not_there_is_told_without_its_password() {
    let stack = Stack::create().await;
    let nobody = [("PACKHOUSE_DATABASE_URL", "postgres://ada:CANARY@127.0.0.1:1/packhouse")];

    let refused = run_with(&stack, &["admin", "check"], &nobody).await.fails();

    insta::assert_snapshot!(refused, @"database postgres://ada:***@127.0.0.1:1/packhouse: the database is not available: error connecting to server: Connection refused (os error 111)");
}
