use super::*;
use crate::{Plan, Secret};

fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

fn load(environment: &[(&str, &str)], flags: &[(&str, &str)]) -> Result<Settings, SettingsError> {
    let environment = pairs(environment).into_iter();
    Settings::load(Sources { file: None, environment, flags: pairs(flags) })
}

fn load_file(text: &str, environment: &[(&str, &str)]) -> Result<Settings, SettingsError> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("house.toml");
    std::fs::write(&path, text).expect("a written file");
    let environment = pairs(environment).into_iter();
    Settings::load(Sources { file: Some(path), environment, flags: Vec::new() })
}

/// Returns the message without the folder of the settings file.
fn message(outcome: Result<Settings, SettingsError>) -> String {
    let text = outcome.expect_err("an error").to_string();
    let lines: Vec<&str> =
        text.lines().map(|line| line.find("house.toml").and_then(|at| line.get(at..)).unwrap_or(line)).collect();
    lines.join("\n")
}

#[test]
fn without_sources_the_defaults_hold() {
    assert_eq!(load(&[], &[]).expect("settings"), Settings::default());
}

#[test]
fn later_sources_win() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("house.toml");
    let text = "listen = \"127.0.0.1:1\"\ndata = \"file\"\nblobs = \"file\"\n";
    std::fs::write(&path, text).expect("a written file");
    let environment = pairs(&[("PACKHOUSE_DATA", "environment"), ("PACKHOUSE_BLOBS", "environment")]);
    let settings = Settings::load(Sources {
        file: Some(path.clone()),
        environment: environment.into_iter(),
        flags: pairs(&[("blobs", "flag")]),
    })
    .expect("settings");

    assert_eq!(settings.listen.port(), 1);
    assert_eq!(settings.data, PathBuf::from("environment"));
    assert_eq!(settings.blobs.as_deref(), Some("flag"));
    assert_eq!(settings.origins.of("listen"), Origin::File { path, line: 1 });
    assert_eq!(settings.origins.of("data"), Origin::Environment { name: "PACKHOUSE_DATA".to_owned() });
    assert_eq!(settings.origins.of("blobs"), Origin::Flag { key: "blobs".to_owned() });
    assert_eq!(settings.origins.of("api_host"), Origin::Default);
}

#[test]
fn every_kind_is_read_from_the_environment() {
    let settings = load(
        &[
            ("PACKHOUSE_OPEN_REGISTRATION", "true"),
            ("PACKHOUSE_TRUSTED_PROXIES", "10.0.0.0/8, 192.0.2.1,"),
            ("PACKHOUSE_LIMITS__UPLOAD_BYTES", "1024"),
            ("PACKHOUSE_DEFAULT_PLAN", "free"),
            ("PACKHOUSE_S3__SECRET_ACCESS_KEY", "hush"),
        ],
        &[],
    )
    .expect("settings");

    assert!(settings.open_registration);
    assert_eq!(settings.trusted_proxies.len(), 2);
    assert_eq!(settings.limits.upload_bytes, 1024);
    assert_eq!(settings.default_plan, Plan::Free);
    assert_eq!(settings.s3.secret_access_key, Some(Secret::new("hush")));
}

#[test]
fn every_kind_is_read_from_the_file() {
    let text = "open_registration = true\nmetrics_from = ['::1', '10.0.0.0/8']\nlimits.upload_bytes = 0x400\n[log]\nformat = 'json'\n";
    let settings = load_file(text, &[]).expect("settings");

    assert!(settings.open_registration);
    assert_eq!(settings.metrics_from.len(), 2);
    assert_eq!(settings.limits.upload_bytes, 1024);
    assert_eq!(settings.log.format, crate::LogFormat::Json);
}

#[test]
fn an_empty_text_unsets_what_an_earlier_source_set() {
    let settings = load_file("api_host = 'api.example.com'\n", &[("PACKHOUSE_API_HOST", "")]);
    assert_eq!(settings.expect("settings").api_host, None);
}

#[test]
fn an_empty_list_replaces_a_default() {
    let settings = load(&[("PACKHOUSE_METRICS_FROM", "")], &[]).expect("settings");
    assert_eq!(settings.metrics_from, Vec::new());
}

#[test]
fn variables_of_others_are_passed_over() {
    let settings = load(
        &[
            ("HOME", "/home/ada"),
            ("PACKHOUSE_ADMIN_KEY", "hush"),
            ("PACKHOUSE_TEST_POSTGRES", "x"),
            ("PACKHOUSE_SERVICE_HOST", "10.0.0.1"),
            ("PACKHOUSE_PORT", "tcp://10.0.0.1:80"),
            ("PACKHOUSE_PORT_80_TCP_ADDR", "10.0.0.1"),
        ],
        &[],
    );
    assert_eq!(settings.expect("settings"), Settings::default());
}

#[test]
fn unknown_keys_name_their_source_and_the_nearest_key() {
    let outcome = load_file(
        "data = 'x'\n\n[limits]\nconections = 5\n[lgo]\nlevel = 'x'\n",
        &[("PACKHOUSE_LOG_LEVEL", "debug"), ("PACKHOUSE_listen", "127.0.0.1:1")],
    );
    assert_eq!(
        message(outcome),
        "house.toml:4: unknown key `limits.conections`; did you mean `limits.connections`?\n\
         house.toml:5: unknown key `lgo`; did you mean `log`?\n\
         PACKHOUSE_LOG_LEVEL: unknown key `log_level`; did you mean `PACKHOUSE_LOG__LEVEL`?\n\
         PACKHOUSE_listen: unknown key `listen`; did you mean `PACKHOUSE_LISTEN`?"
    );
}

#[test]
fn an_unknown_flag_is_an_error() {
    assert_eq!(
        message(load(&[], &[("lisen", "127.0.0.1:1")])),
        "flag lisen: unknown key `lisen`; did you mean `listen`?"
    );
}

#[test]
fn a_value_of_the_wrong_kind_names_source_value_and_expectation() {
    let outcome = load_file(
        "listen = 8080\ntrusted_proxies = '10.0.0.1'\nwindows.upload_days = '5'\n",
        &[
            ("PACKHOUSE_LISTEN", "localhost:8080"),
            ("PACKHOUSE_OPEN_REGISTRATION", "yes"),
            ("PACKHOUSE_DATABASE__CONNECTIONS", "-1"),
            ("PACKHOUSE_DEFAULT_PLAN", "gold"),
            ("PACKHOUSE_METRICS_FROM", "10.0.0.0/8,home"),
        ],
    );
    assert_eq!(
        message(outcome),
        "house.toml:1: `listen` is `8080`; expected an address and port such as `127.0.0.1:8080`\n\
         house.toml:2: `trusted_proxies` is `'10.0.0.1'`; expected networks such as `10.0.0.0/8` or single addresses\n\
         house.toml:3: `windows.upload_days` is `'5'`; expected a whole number from 1 to 36500\n\
         PACKHOUSE_LISTEN: `listen` is `localhost:8080`; expected an address and port such as `127.0.0.1:8080`\n\
         PACKHOUSE_OPEN_REGISTRATION: `open_registration` is `yes`; expected `true` or `false`\n\
         PACKHOUSE_DATABASE__CONNECTIONS: `database.connections` is `-1`; expected a whole number from 1 to 1000000\n\
         PACKHOUSE_DEFAULT_PLAN: `default_plan` is `gold`; expected `free`, `premium` or `enterprise`\n\
         PACKHOUSE_METRICS_FROM: `metrics_from` is `10.0.0.0/8,home`; expected networks such as `10.0.0.0/8` or single addresses"
    );
}

#[test]
fn a_message_never_repeats_a_secret() {
    let wrong_kind = load_file("database_url = ['postgres://ada:hush@host/x']\n[s3]\nsecret_access_key = 4242\n", &[]);
    let wrong_form = load(&[("PACKHOUSE_DATABASE_URL", "mysql://ada:hush@host/x")], &[]);
    let not_toml = load_file("[s3]\nsecret_access_key = hush\n", &[]);
    let twice = load_file("[s3]\nsecret_access_key = 'hush'\nsecret_access_key = 'hush'\n", &[]);
    let unknown = load(&[("PACKHOUSE_S3__SECRET", "hush")], &[]);
    let text = [wrong_kind, wrong_form, not_toml, twice, unknown].map(message).join("\n");

    assert!(!text.contains("hush") && !text.contains("4242"), "{text}");
    assert!(text.contains("`s3.secret_access_key` is `***`; expected a string"), "{text}");
    assert!(text.contains("`database_url` is `mysql://ada:***@host/x`"), "{text}");
}

#[test]
fn a_file_that_is_not_toml_names_the_line() {
    let text = message(load_file("data = 'x'\nlisten 8080\n", &[]));
    assert!(text.starts_with("house.toml:2: "), "{text}");
}

#[test]
fn a_named_file_must_exist() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = Some(folder.path().join("house.toml"));
    let outcome = Settings::load(Sources { file, environment: std::iter::empty(), flags: Vec::new() });
    assert!(matches!(outcome, Err(SettingsError::Unreadable { .. })), "{outcome:?}");
}

#[test]
fn a_value_wrong_in_an_overruled_source_is_told_all_the_same() {
    let outcome = load_file("listen = 'here'\n", &[("PACKHOUSE_LISTEN", "127.0.0.1:1")]);
    assert!(message(outcome).starts_with("house.toml:1: `listen` is `here`"));
}

#[test]
fn the_examples_of_the_manual_are_good_settings() {
    let manual = include_str!("../../../../docs/settings.md");
    let blocks: Vec<&str> = manual.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    let loaded: Vec<Settings> = blocks.iter().map(|text| load_file(text, &[]).expect("settings")).collect();
    assert_eq!(loaded.len(), 2);
}
