//! `packhouse config`, and the errors for invalid settings.

use std::fs;

use suite::{Ended, Stack};

use crate::program::{command, run, run_with, serve_with};

const SECRETS: [(&str, &str); 2] = [
    ("PACKHOUSE_S3__SECRET_ACCESS_KEY", "CANARY-S3"),
    ("PACKHOUSE_DATABASE_URL", "postgres://ada:CANARY-DB@127.0.0.1:1/packhouse"),
];

#[tokio::test]
async fn config_show_masks_secrets_and_names_sources() {
    let stack = Stack::create().await;

    let ended = run_with(&stack, &["config", "show", "--listen", "127.0.0.1:81"], &SECRETS).await;

    assert!(!format!("{ended:?}").contains("CANARY"), "{ended:?}");
    let shown = ended.succeeds();
    let wanted = ["listen", "database_url", "secret_access_key", "upload_days"];
    let lines: Vec<_> = shown.lines().filter(|line| wanted.iter().any(|key| line.starts_with(key))).collect();
    insta::assert_snapshot!(lines.join("\n"), @r#"
    database_url = "postgres://ada:***@127.0.0.1:1/packhouse"  # PACKHOUSE_DATABASE_URL
    listen = "127.0.0.1:81"  # flag listen
    secret_access_key = "***"  # PACKHOUSE_S3__SECRET_ACCESS_KEY
    upload_days = 5  # default
    "#);
}

#[tokio::test]
async fn config_check_is_content_with_the_settings_of_the_suite() {
    let stack = Stack::create().await;

    assert_eq!(run(&stack, &["config", "check"]).await.succeeds(), "the settings are fine");
}

#[tokio::test]
async fn every_mistake_of_a_file_is_told_with_the_nearest_key() {
    let stack = Stack::create().await;
    let text = "lisen = \"127.0.0.1:1\"\n[limits]\nupload_byte = 5\ndrain_secs = \"soon\"\n[windos]\nupload_days = 1\n";

    let refused = check(&stack, text).await.fails();

    insta::assert_snapshot!(refused, @r#"
    wrong.toml:1: unknown key `lisen`; did you mean `listen`?
    wrong.toml:3: unknown key `limits.upload_byte`; did you mean `limits.upload_bytes`?
    wrong.toml:4: `limits.drain_secs` is `"soon"`; expected a whole number from 1 to 86400
    wrong.toml:5: unknown key `windos`; did you mean `windows`?
    "#);
}

#[tokio::test]
async fn mistakes_about_secrets_do_not_repeat_them() {
    let stack = Stack::create().await;

    let misspelt = check(&stack, "[s3]\nsecret_acess_key = \"CANARY\"\n").await.fails();
    let wrong_kind = check(&stack, "[s3]\nsecret_access_key = [\"CANARY\"]\n").await.fails();
    let unfinished = check(&stack, "[s3]\nsecret_access_key = \"CANARY\n").await.fails();
    let wrong_scheme = check_url(&stack, "mysql://ada:CANARY@host/x").await.fails();
    let no_url = check_url(&stack, "host=x password=CANARY").await.fails();

    let told = [misspelt, wrong_kind, unfinished, wrong_scheme, no_url].join("\n");
    insta::assert_snapshot!(told, @r#"
    wrong.toml:2: unknown key `s3.secret_acess_key`; did you mean `s3.secret_access_key`?
    wrong.toml:2: `s3.secret_access_key` is `***`; expected a string
    wrong.toml:2: invalid basic string, expected `"`
    PACKHOUSE_DATABASE_URL: `database_url` is `mysql://ada:***@host/x`; expected `sqlite://path` or `postgres://user:password@host/name`
    PACKHOUSE_DATABASE_URL: `database_url` is `***`; expected `sqlite://path` or `postgres://user:password@host/name`
    "#);
}

#[tokio::test]
async fn a_settings_file_that_is_named_must_be_there() {
    let stack = Stack::create().await;

    for arguments in [["config", "check"], ["config", "show"]] {
        let refused = run(&stack, &[arguments[0], arguments[1], "--config", "missing.toml"]).await.fails();
        assert_eq!(refused, "cannot read the settings file `missing.toml`: No such file or directory (os error 2)");
    }
    let refused = run(&stack, &["serve", "--config", "missing.toml"]).await.fails();
    assert!(refused.contains("cannot read the settings file `missing.toml`"), "{refused}");
}

#[tokio::test]
async fn an_unknown_variable_is_refused_with_the_nearest_one() {
    let stack = Stack::create().await;
    let slips =
        [("PACKHOUSE_LISTN", "127.0.0.1:1"), ("PACKHOUSE_LOG__LEVL", "debug"), ("PACKHOUSE_log__level", "debug")];

    let checked = run_with(&stack, &["config", "check"], &slips).await.fails();
    let served = serve_with(&stack, &slips[..1]).await.fails();

    let mut lines: Vec<_> = checked.lines().collect();
    lines.sort_unstable();
    insta::assert_snapshot!(lines.join("\n"), @"
    PACKHOUSE_LISTN: unknown key `listn`; did you mean `PACKHOUSE_LISTEN`?
    PACKHOUSE_LOG__LEVL: unknown key `log.levl`; did you mean `PACKHOUSE_LOG__LEVEL`?
    PACKHOUSE_log__level: unknown key `log.level`; did you mean `PACKHOUSE_LOG__LEVEL`?
    ");
    insta::assert_snapshot!(served, @"PACKHOUSE_LISTN: unknown key `listn`; did you mean `PACKHOUSE_LISTEN`?");
}

#[tokio::test]
async fn a_log_level_that_is_none_is_refused() {
    let stack = Stack::create().await;

    let checked = run_with(&stack, &["config", "check"], &[("PACKHOUSE_LOG__LEVEL", "server=loud")]).await.fails();
    let served = serve_with(&stack, &[("PACKHOUSE_LOG__LEVEL", "server=loud")]).await.fails();

    assert!(checked.contains("log.level"), "{checked}");
    assert!(served.contains("log.level"), "{served}");

    for levels in ["info,warning", "info, warning"] {
        let word = run_with(&stack, &["config", "check"], &[("PACKHOUSE_LOG__LEVEL", levels)]).await.fails();
        assert!(word.contains("`warning` is not one of off, error, warn, info, debug, trace"), "{word}");
    }
    for levels in ["warn,server=debug", "WARN, server=debug,"] {
        run_with(&stack, &["config", "check"], &[("PACKHOUSE_LOG__LEVEL", levels)]).await.succeeds();
    }
}

#[tokio::test]
async fn a_server_whose_database_is_away_at_the_start_says_so_without_the_password() {
    let stack = Stack::create().await;

    let refused = serve_with(&stack, &SECRETS).await.fails();

    insta::assert_snapshot!(refused, @"database postgres://ada:***@127.0.0.1:1/packhouse: the database is not available: error connecting to server: Connection refused (os error 111)");
}

#[tokio::test]
async fn settings_that_lock_everybody_out_and_missing_files_are_found() {
    let stack = Stack::create().await;

    let open = run(&stack, &["config", "check", "--listen", "0.0.0.0:8080"]).await.fails();
    let files = check(&stack, "[tls]\ncertificate = \"no.pem\"\nkey = \"no.key\"\n[geo]\ndatabase = \"no.mmdb\"\n");
    let files = files.await.fails();
    let mail = "[mail]\nserver = \"m.example.com\"\nfrom = \"a@example.com\"\nca_file = \"no-mail.pem\"\n";
    let others = check(&stack, &format!("master_key_file = \"no/key\"\n{mail}")).await.fails();

    assert!(open.contains("nobody on another machine can sign in"), "{open}");
    assert!(files.contains("`geo.database` is `no.mmdb`: No such file") && files.contains("no.pem"), "{files}");
    let expected = ["`mail.ca_file` is `no-mail.pem`: No such file", "`master_key_file` is `no/key`: no: No such file"];
    assert!(expected.iter().all(|line| others.contains(line)), "{others}");
}

async fn check(stack: &Stack, text: &str) -> Ended {
    fs::write(stack.data.path().join("wrong.toml"), text).expect("written");
    run(stack, &["config", "check", "--config", "wrong.toml"]).await
}

async fn check_url(stack: &Stack, url: &str) -> Ended {
    let mut command = command(stack);
    command.args(["config", "check"]).env("PACKHOUSE_DATABASE_URL", url);
    Ended::run(command).await
}
