//! The chart in `deploy`, checked by helm, the schemas of Kubernetes and the program itself.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use suite::Ended;
use tempfile::TempDir;

const CHART: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/helm/packhouse");
const PROXIES: &str = "trustedProxies={10.244.0.0/16}";
const TRIAL: &str = "trial.enabled=true,s3.endpoint=http://packhouse-store:9000,s3.allowHttp=true";
/// Settings of operators. Each of them makes a valid deployment.
const SETS: [&str; 5] = [
    "nodes=3",
    TRIAL,
    "apiHost=api.example.com,downloadHost=dl.example.com,image.pullSecrets={registry},metricsFrom={10.1.0.0/16}",
    "ingress.enabled=false,networkPolicy.enabled=false,s3.keysFromSecret=false,s3.prefix=,metricsFrom=null",
    "secret=mine,nodes=1,strategy=RollingUpdate,quietSeconds=0,environment.PACKHOUSE_NODE_NAME=a",
];

#[tokio::test]
async fn helm_finds_nothing_wrong_with_the_chart() {
    let said = helm(&["lint", "--strict", CHART, "--set", PROXIES]).await.succeeds();
    assert!(said.ends_with("1 chart(s) linted, 0 chart(s) failed"), "{said}");
}

#[tokio::test]
async fn kubernetes_knows_all_that_the_chart_makes() {
    let folder = TempDir::new().unwrap();
    let mut files: Vec<PathBuf> = Vec::new();
    for (number, set) in SETS.iter().enumerate() {
        files.push(folder.path().join(format!("{number}.yaml")));
        fs::write(&files[number], template(set).await.succeeds()).unwrap();
    }
    // The oldest version that the chart supports, and the newest known one.
    for version in ["1.27", "1.37"] {
        let mut check = tool("kubernetes-validate");
        check.args(["--strict", "--kubernetes-version", version]).args(&files);
        let said = Ended::run(check).await;
        let passed = said.stdout.matches(" passed for resource deployment/packhouse ").count();
        assert_eq!((said.code, passed), (Some(0), SETS.len()), "{said:?}");
    }
}

#[tokio::test]
async fn the_program_takes_all_settings_that_the_chart_makes() {
    for set in SETS {
        let manifest = template(set).await.succeeds();
        let settings = settings(&manifest);
        assert!(settings.len() > 10, "only these were found: {settings:?}");
        let folder = TempDir::new().unwrap();
        let mut check = Command::new(env!("CARGO_BIN_EXE_packhouse"));
        check.args(["config", "check"]).current_dir(folder.path()).env_clear().envs(settings);
        // The folder of the secret is there in a pod only.
        check.env("PACKHOUSE_MASTER_KEY_FILE", folder.path().join("master.key"));
        assert_eq!(Ended::run(check).await.succeeds(), "the settings are fine", "{set}");
    }
}

#[tokio::test]
async fn the_chart_refuses_what_would_mislead_it() {
    for (set, reason) in [
        ("trustedProxies=null", "trustedProxies must name the networks of the ingress controller"),
        ("trustedProxy=10.0.0.1", "Additional property trustedProxy is not allowed"),
        ("strategy=Rolling", "strategy must be one of the following"),
        ("nodes=0", "nodes: Must be greater than or equal to 1"),
        ("networkPolicy.namespaces=null", "networkPolicy.namespaces must name that of the ingress controller"),
        ("trial.enabled=true", "trial.enabled needs s3.endpoint=http://packhouse-store:9000 and s3.allowHttp=true"),
        // It would arrive as `5.36870912e+09`.
        ("environment.PACKHOUSE_LIMITS__UPLOAD_BYTES=5368709120", "Expected: string, given: integer"),
    ] {
        let refused = template(set).await;
        assert!(refused.code == Some(1) && refused.stderr.contains(reason), "{set}: {refused:?}");
    }
}

async fn template(set: &str) -> Ended {
    helm(&["template", "packhouse", CHART, "--set", PROXIES, "--set", set]).await
}

async fn helm(arguments: &[&str]) -> Ended {
    let mut command = tool("helm");
    command.args(arguments);
    Ended::run(command).await
}

/// Returns a program that `cargo xtask test` has downloaded, or the system's own if no download is available.
fn tool(name: &str) -> Command {
    let folder = env::var("PACKHOUSE_TEST_HELM").expect("`cargo xtask test` says where helm is");
    let fetched = Path::new(&folder).join(name);
    Command::new(if fetched.is_file() { fetched } else { name.into() })
}

/// Returns the variables of the nodes, with a valid placeholder for each value from a secret.
fn settings(manifest: &str) -> Vec<(String, &str)> {
    let variables = manifest.split("- name: PACKHOUSE_").skip(1);
    let lines = variables.filter_map(|rest| rest.split_once('\n'));
    let values = lines.map(|(name, rest)| {
        let value = rest.lines().next().and_then(|line| line.trim().strip_prefix("value: "));
        let from_secret = match name {
            "DATABASE_URL" => "postgres://packhouse:secret@db.example.com/packhouse",
            _ => "of-a-secret-that-is-long-enough-for-a-key",
        };
        (format!("PACKHOUSE_{name}"), value.map_or(from_secret, |value| value.trim_matches('"')))
    });
    values.collect()
}
