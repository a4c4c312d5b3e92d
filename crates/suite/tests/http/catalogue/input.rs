//! Invalid input for repositories, packages and versions: each error is a 400 that names the field, and nothing
//! changes.

use reqwest::Method;
use serde_json::{Value, json};
use suite::{Person, TestHouse};

use crate::catalogue::{new_package, new_repo, new_version};

/// Starts a house with `ada/tools/cat/1.0`, and ada.
pub(crate) async fn tools() -> (TestHouse, Person) {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    new_repo(&ada, "ada/tools").await;
    new_package(&ada, "ada/tools", "cat").await;
    new_version(&ada, "ada/tools/cat", "1.0").await;
    (house, ada)
}

/// Returns everything that a refused call could have changed.
pub(crate) async fn state(house: &TestHouse) -> String {
    let mut shown = String::new();
    let paths =
        ["/repos/ada", "/repos/ada/tools", "/packages/ada/tools/cat", "/packages/ada/tools/cat/versions/1.0", "/audit"];
    for path in paths {
        let answer = house.admin().get(path).await.expect(200);
        shown += &format!("{} {}\n", answer.header("x-rangelimit-total"), answer.text());
    }
    shown
}

/// Sends each body, asserts a 400 that names the field, or what the value should name, and that nothing has changed,
/// and returns the messages.
pub(crate) async fn refusals(method: Method, path: &str, cases: Vec<(&str, Value)>) -> String {
    let (house, ada) = tools().await;
    let before = state(&house).await;
    let mut messages = String::new();
    for (field, body) in cases {
        let answer = ada.call(method.clone(), path).json(body).await.expect(400);
        let message = answer.message();
        let begins = [": ", "[", " '"].map(|end| format!("{field}{end}"));
        assert!(begins.iter().any(|begin| message.starts_with(begin)), "{message}");
        messages += &format!("{}\n", shown(&message));
    }
    assert_eq!(state(&house).await, before);
    messages.replace(&house.app().house().repo_types().join(", "), "TYPES")
}

/// Prepares a message for a test: long names are cut, and invisible characters escaped.
fn shown(message: &str) -> String {
    let is_visible = |c: char| c.is_ascii_graphic() || c == ' ' || c.is_alphanumeric();
    let spell = |c: char| if is_visible(c) { c.to_string() } else { c.escape_unicode().to_string() };
    let text: String = message.chars().map(spell).collect();
    text.replace(&"x".repeat(201), "(long)").replace(&"é".repeat(101), "(long)")
}

/// Returns invalid labels.
fn bad_labels() -> Vec<(&'static str, Value)> {
    vec![
        ("labels", json!({"labels": "text"})),
        ("labels", json!({"labels": [1]})),
        ("labels", json!({"labels": [null]})),
        ("labels", json!({"labels": [""]})),
        ("labels", json!({"labels": ["a\nb"]})),
        ("labels", json!({"labels": ["x".repeat(101)]})),
        ("labels", json!({"labels": vec!["x"; 101]})),
    ]
}

/// Adds a name to the same bodies.
fn named(cases: Vec<(&'static str, Value)>) -> Vec<(&'static str, Value)> {
    let with_name = |mut body: Value| {
        body["name"] = json!("dog");
        body
    };
    cases.into_iter().map(|(field, body)| (field, with_name(body))).collect()
}

fn bad_repos() -> Vec<(&'static str, Value)> {
    let mut cases = vec![
        ("private", json!({"private": "yes"})),
        ("private", json!({"private": 1})),
        ("desc", json!({"desc": 5})),
        ("desc", json!({"desc": ["a"]})),
        ("desc", json!({"desc": "a\u{7}"})),
        ("desc", json!({"desc": "x".repeat(10_001)})),
        ("gpg_sign_metadata", json!({"gpg_sign_metadata": "on"})),
        ("gpg_sign_files", json!({"gpg_sign_files": 0})),
        ("gpg_use_owner_key", json!({"gpg_use_owner_key": {}})),
        ("version_update_max_days", json!({"version_update_max_days": 0})),
        ("version_update_max_days", json!({"version_update_max_days": -5})),
        ("version_update_max_days", json!({"version_update_max_days": 1.5})),
        ("version_update_max_days", json!({"version_update_max_days": "5"})),
        ("version_update_max_days", json!({"version_update_max_days": 36_501})),
        ("version_update_max_days", json!({"version_update_max_days": u64::MAX})),
        ("default_debian_distribution", json!({"default_debian_distribution": 1})),
        ("default_debian_component", json!({"default_debian_component": "a\nb"})),
        ("default_debian_architecture", json!({"default_debian_architecture": "x".repeat(1_001)})),
        ("yum_metadata_depth", json!({"yum_metadata_depth": -1})),
        ("yum_metadata_depth", json!({"yum_metadata_depth": 101})),
        ("yum_metadata_depth", json!({"yum_metadata_depth": 1e300})),
    ];
    cases.extend(bad_labels());
    cases
}

#[tokio::test]
async fn a_new_repository_with_a_bad_field_is_refused() {
    let mut cases = bad_repos();
    cases.extend([
        ("type", json!({"type": "Generic"})),
        ("type", json!({"type": ""})),
        ("type", json!({"type": 1})),
        ("type", json!({"type": "tarballs"})),
    ]);
    insta::assert_snapshot!(refusals(Method::POST, "/repos/ada/attic", cases).await, @r#"
    private: invalid type: string "yes", expected a boolean
    private: invalid type: integer `1`, expected a boolean
    desc: invalid type: integer `5`, expected a string
    desc: invalid type: sequence, expected a string
    desc: it holds a control character
    desc: it is longer than 10,000 bytes
    gpg_sign_metadata: invalid type: string "on", expected a boolean
    gpg_sign_files: invalid type: integer `0`, expected a boolean
    gpg_use_owner_key: invalid type: map, expected a boolean
    version_update_max_days: '0' is not a number of days from 1 to 36500
    version_update_max_days: '-5' is not a number of days from 1 to 36500
    version_update_max_days: invalid type: floating point `1.5`, expected i64
    version_update_max_days: invalid type: string "5", expected i64
    version_update_max_days: '36501' is not a number of days from 1 to 36500
    version_update_max_days: invalid value: integer `18446744073709551615`, expected i64
    default_debian_distribution: invalid type: integer `1`, expected a string
    default_debian_component: it holds a control character
    default_debian_architecture: it is longer than 1,000 bytes
    yum_metadata_depth: '-1' is not a number from 0 to 100
    yum_metadata_depth: '101' is not a number from 0 to 100
    yum_metadata_depth: invalid type: floating point `1e+300`, expected i64
    labels: invalid type: string "text", expected a sequence
    labels[0]: invalid type: integer `1`, expected a string
    labels[0]: invalid type: null, expected a string
    labels: one is empty
    labels: one holds a control character
    labels: one is longer than 100 bytes
    labels: there are more than 100
    type: 'Generic' is not one of TYPES
    type: '' is not one of TYPES
    type: invalid type: integer `1`, expected a string
    type: 'tarballs' is not one of TYPES
    "#);
}

#[tokio::test]
async fn a_repository_is_not_changed_by_a_bad_field() {
    let created = refusals(Method::POST, "/repos/ada/attic", bad_repos()).await;
    assert_eq!(refusals(Method::PATCH, "/repos/ada/tools", bad_repos()).await, created);
}

fn bad_packages() -> Vec<(&'static str, Value)> {
    let mut cases = vec![
        ("desc", json!({"desc": false})),
        ("desc", json!({"desc": "a\u{1b}[31m"})),
        ("desc", json!({"desc": "x".repeat(10_001)})),
        ("License", json!({"licenses": ["Foo"]})),
        ("License", json!({"licenses": ["MIT", "mit"]})),
        ("License", json!({"licenses": [""]})),
        ("licenses", json!({"licenses": "MIT"})),
        ("licenses", json!({"licenses": [7]})),
        ("custom_licenses", json!({"custom_licenses": "House"})),
        ("custom_licenses", json!({"custom_licenses": [{}]})),
        ("custom_licenses", json!({"custom_licenses": ["a\nb"]})),
        ("custom_licenses", json!({"custom_licenses": [""]})),
        ("website_url", json!({"website_url": 1})),
        ("website_url", json!({"website_url": "https://example.org/\n"})),
        ("issue_tracker_url", json!({"issue_tracker_url": "x".repeat(1_001)})),
        ("issue_tracker_url", json!({"issue_tracker_url": []})),
        ("vcs_url", json!({"vcs_url": true})),
        ("vcs_url", json!({"vcs_url": "a\u{7f}"})),
        ("github_repo", json!({"github_repo": 1.5})),
        ("github_repo", json!({"github_repo": "a\tb"})),
        ("github_release_notes", json!({"github_release_notes": 1})),
        ("github_release_notes_file", json!({"github_release_notes_file": "a\rb"})),
        ("github_release_notes", json!({"github_release_notes": "A", "github_release_notes_file": "B"})),
        ("public_download_numbers", json!({"public_download_numbers": "no"})),
    ];
    cases.extend(bad_labels());
    cases
}

#[tokio::test]
async fn a_new_package_with_a_bad_field_is_refused() {
    insta::assert_snapshot!(refusals(Method::POST, "/packages/ada/tools", named(bad_packages())).await, @r#"
    desc: invalid type: boolean `false`, expected a string
    desc: it holds a control character
    desc: it is longer than 10,000 bytes
    License 'Foo' does not exist
    License 'mit' does not exist
    License '' does not exist
    licenses: invalid type: string "MIT", expected a sequence
    licenses[0]: invalid type: integer `7`, expected a string
    custom_licenses: invalid type: string "House", expected a sequence
    custom_licenses[0]: invalid type: map, expected a string
    custom_licenses: license name 'a\u{a}b' is not valid: it holds an unprintable character
    custom_licenses: license name '' is not valid: it is empty
    website_url: invalid type: integer `1`, expected a string
    website_url: it holds a control character
    issue_tracker_url: it is longer than 1,000 bytes
    issue_tracker_url: invalid type: sequence, expected a string
    vcs_url: invalid type: boolean `true`, expected a string
    vcs_url: it holds a control character
    github_repo: invalid type: floating point `1.5`, expected a string
    github_repo: it holds a control character
    github_release_notes: invalid type: integer `1`, expected a string
    github_release_notes_file: it holds a control character
    github_release_notes: it differs from github_release_notes_file, which is the same value
    public_download_numbers: invalid type: string "no", expected a boolean
    labels: invalid type: string "text", expected a sequence
    labels[0]: invalid type: integer `1`, expected a string
    labels[0]: invalid type: null, expected a string
    labels: one is empty
    labels: one holds a control character
    labels: one is longer than 100 bytes
    labels: there are more than 100
    "#);
}

#[tokio::test]
async fn a_package_is_not_changed_by_a_bad_field() {
    let created = refusals(Method::POST, "/packages/ada/tools", named(bad_packages())).await;
    assert_eq!(refusals(Method::PATCH, "/packages/ada/tools/cat", bad_packages()).await, created);
}

fn bad_versions() -> Vec<(&'static str, Value)> {
    let mut cases = vec![
        ("desc", json!({"desc": {"a": 1}})),
        ("desc", json!({"desc": "a\u{1}b"})),
        ("desc", json!({"desc": "é".repeat(5_001)})),
        ("released", json!({"released": 1_750_000_000})),
        ("released", json!({"released": " "})),
        ("released", json!({"released": "yesterday"})),
        ("released", json!({"released": "2026-02-30"})),
        ("released", json!({"released": "2026-01-15T12:00:00"})),
        ("released", json!({"released": "2026-01-15 12:00:00Z"})),
        ("released", json!({"released": "+12026-01-15T12:00:00Z"})),
        ("released", json!({"released": "2026-01-15T25:00:00Z"})),
        ("vcs_tag", json!({"vcs_tag": 1})),
        ("vcs_tag", json!({"vcs_tag": "v1\n"})),
        ("vcs_tag", json!({"vcs_tag": "x".repeat(1_001)})),
        ("github_use_tag_release_notes", json!({"github_use_tag_release_notes": "1"})),
    ];
    cases.extend(bad_labels());
    cases
}

#[tokio::test]
async fn a_new_version_with_a_bad_field_is_refused() {
    let path = "/packages/ada/tools/cat/versions";
    insta::assert_snapshot!(refusals(Method::POST, path, named(bad_versions())).await, @r#"
    desc: invalid type: map, expected a string
    desc: it holds a control character
    desc: it is longer than 10,000 bytes
    released: invalid type: integer `1750000000`, expected a string
    released: ' ' is not an ISO 8601 date or time with an offset
    released: 'yesterday' is not an ISO 8601 date or time with an offset
    released: '2026-02-30' is not an ISO 8601 date or time with an offset
    released: '2026-01-15T12:00:00' is not an ISO 8601 date or time with an offset
    released: '2026-01-15 12:00:00Z' is not an ISO 8601 date or time with an offset
    released: '+12026-01-15T12:00:00Z' is not an ISO 8601 date or time with an offset
    released: '2026-01-15T25:00:00Z' is not an ISO 8601 date or time with an offset
    vcs_tag: invalid type: integer `1`, expected a string
    vcs_tag: it holds a control character
    vcs_tag: it is longer than 1,000 bytes
    github_use_tag_release_notes: invalid type: string "1", expected a boolean
    labels: invalid type: string "text", expected a sequence
    labels[0]: invalid type: integer `1`, expected a string
    labels[0]: invalid type: null, expected a string
    labels: one is empty
    labels: one holds a control character
    labels: one is longer than 100 bytes
    labels: there are more than 100
    "#);
}

#[tokio::test]
async fn a_version_is_not_changed_by_a_bad_field() {
    let created = refusals(Method::POST, "/packages/ada/tools/cat/versions", named(bad_versions())).await;
    assert_eq!(refusals(Method::PATCH, "/packages/ada/tools/cat/versions/1.0", bad_versions()).await, created);
}
