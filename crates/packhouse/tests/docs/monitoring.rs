//! The metrics, the alert rules and the dashboard, checked by promtool and against each other.

use std::{
    collections::BTreeSet,
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use suite::{Process, Stack};

#[tokio::test]
async fn promtool_finds_nothing_wrong_with_the_metrics() {
    let metrics = metrics().await;
    let mut check = Command::new("promtool");
    check.args(["check", "metrics"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = check.spawn().expect("`cargo xtask test` installs promtool");
    child.stdin.take().expect("a pipe").write_all(metrics.as_bytes()).expect("promtool reads");
    let ended = child.wait_with_output().expect("promtool ends");
    let said = String::from_utf8_lossy(&ended.stdout).into_owned() + &String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.success() && said.trim().is_empty(), "{said}\n{metrics}");
}

#[test]
fn promtool_finds_nothing_wrong_with_the_alert_rules() {
    let ended = Command::new("promtool").args(["check", "rules"]).arg(deploy("prometheus/alerts.yaml")).output();
    let ended = ended.expect("`cargo xtask test` installs promtool");
    let said = String::from_utf8_lossy(&ended.stdout).into_owned() + &String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.success() && said.contains("SUCCESS"), "{said}");
}

#[tokio::test]
async fn the_rules_and_the_dashboard_name_metrics_that_exist() {
    let metrics = metrics().await;
    let known: BTreeSet<&str> =
        metrics.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split(' ').next()).collect();
    let texts =
        ["prometheus/alerts.yaml", "grafana/packhouse.json"].map(|file| fs::read_to_string(deploy(file)).unwrap());
    let mut named = BTreeSet::new();
    for text in &texts {
        let words = text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
        named.extend(words.filter(|word| word.starts_with("packhouse_") || word.starts_with("process_")));
    }
    assert!(named.len() > 12, "only these were found: {named:?}");
    let base = |name: &str| {
        let parts = ["_bucket", "_count", "_sum"];
        parts.iter().find_map(|part| name.strip_suffix(part)).unwrap_or(name).to_owned()
    };
    // A key that expires appears when there is one.
    let is_known =
        |name: &&&str| known.contains(base(name).as_str()) || **name == "packhouse_gpg_key_expiry_timestamp_seconds";
    let unknown: Vec<&&str> = named.iter().filter(|name| !is_known(name)).collect();
    assert!(unknown.is_empty(), "these metrics do not exist: {unknown:?}\n{metrics}");
}

/// The metrics of a server that has answered a request.
async fn metrics() -> String {
    let stack = Stack::create().await;
    let server = Process::start(Path::new(env!("CARGO_BIN_EXE_packhouse")), &stack).await;
    server.anyone().get("/repos/nobody").await;
    server.anyone().download("/nobody/nothing/x").await;
    server.anyone().get("//metrics").await.expect(200).text()
}

fn deploy(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy").join(file)
}
