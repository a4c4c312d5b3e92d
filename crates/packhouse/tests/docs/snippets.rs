//! Checks the settings, configurations and pipelines in the documents with the programs that read them.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use rcgen::{CertifiedKey, generate_simple_self_signed};
use serde_json::Value;
use suite::{
    Ended,
    documents::{Block, blocks},
};
use tempfile::TempDir;

use crate::{
    coverage::{manuals, top},
    program,
};

/// Prints the scripts in a pipeline of GitHub or GitLab.
const SCRIPTS: &str = r#"
import sys, yaml

def scripts(node):
    if isinstance(node, dict):
        for key, value in node.items():
            if key == "run":
                yield value
            elif key == "script":
                yield "\n".join(value)
            else:
                yield from scripts(value)
    elif isinstance(node, list):
        for value in node:
            yield from scripts(value)

for text in scripts(yaml.safe_load(sys.argv[1])):
    print("(\nset -e\n" + text + "\n)")
"#;

#[tokio::test]
async fn the_program_takes_all_settings_in_the_documents() {
    let folder = folder_with_certificate();
    let mut checked = 0;
    for (place, block) in of_language("toml") {
        let file = folder.path().join("packhouse.toml");
        fs::write(&file, at(&folder, &block.content)).expect("written");
        let mut check = Command::new(program());
        check.env_clear().args(["config", "check", "--config"]).arg(&file).current_dir(folder.path());
        let ended = Ended::run(check).await;
        assert_eq!(ended.code, Some(0), "{place}: {ended:?}");
        checked += 1;
    }
    assert!(checked >= 7, "only {checked} blocks were found");
}

#[tokio::test]
async fn nginx_takes_all_configurations_in_the_documents() {
    let folder = folder_with_certificate();
    let deployed = fs::read_to_string(top().join("deploy/nginx/packhouse.conf")).expect("a text");
    let mut configurations = vec![("deploy/nginx/packhouse.conf".to_owned(), deployed)];
    configurations.extend(of_language("nginx").into_iter().map(|(place, block)| (place, in_server(&block.content))));
    assert!(configurations.len() >= 3, "only {} were found", configurations.len());
    for (place, text) in configurations {
        // Without the ports of the machine, which need rights.
        let text = at(&folder, &text).replace("443 ssl", "18443 ssl").replace(":80;", ":18080;");
        let main = format!(
            "pid {0}/nginx.pid;\nerror_log {0}/error.log;\nevents {{}}\nhttp {{\naccess_log off;\n{text}\n}}\n",
            folder.path().display()
        );
        let file = folder.path().join("nginx.conf");
        fs::write(&file, main).expect("written");
        let mut check = Command::new(nginx());
        check.arg("-t").arg("-p").arg(folder.path()).arg("-c").arg(&file);
        let ended = Ended::run(check).await;
        assert_eq!(ended.code, Some(0), "{place}: {ended:?}");
    }
}

#[tokio::test]
async fn the_pipelines_in_the_documents_are_yaml_with_scripts_for_bash() {
    let pipelines = of_language("yaml");
    assert!(pipelines.len() >= 4, "only {} were found", pipelines.len());
    for (place, block) in pipelines {
        let scripts = pipeline_scripts(&block).await;
        assert!(scripts.contains("curl "), "{place}: {scripts}");
        let mut check = Command::new("bash");
        check.args(["-n", "-c", &scripts]);
        let ended = Ended::run(check).await;
        assert_eq!(ended.code, Some(0), "{place}: {ended:?}");
    }
}

/// Returns the scripts in a pipeline of GitHub or GitLab, each for a shell of its own.
pub(crate) async fn pipeline_scripts(pipeline: &Block) -> String {
    let programs = env::var("PACKHOUSE_TEST_HELM").expect("`cargo xtask test` says where helm and Python are");
    let mut python = Command::new(Path::new(&programs).join("python"));
    python.args(["-c", SCRIPTS, &pipeline.content]);
    Ended::run(python).await.succeeds()
}

#[test]
fn the_json_in_the_documents_is_json() {
    let texts = of_language("json");
    assert!(texts.len() >= 3, "only {} were found", texts.len());
    for (place, block) in texts {
        let parsed: Result<Value, _> = serde_json::from_str(&block.content);
        assert!(parsed.is_ok(), "{place}: {parsed:?}");
    }
}

/// The blocks of a language in the manuals, each with its place, without those that tests follow.
fn of_language(language: &str) -> Vec<(String, Block)> {
    let mut found = Vec::new();
    for file in manuals() {
        for block in blocks(&fs::read_to_string(&file).expect("a text")) {
            if block.language == language && !block.is_followed() && block.note("not run").is_none() {
                found.push((format!("{}:{}", file.display(), block.line), block));
            }
        }
    }
    found
}

/// A folder with the files that the examples name.
fn folder_with_certificate() -> TempDir {
    let folder = TempDir::new().expect("a folder");
    let CertifiedKey { cert, signing_key } =
        generate_simple_self_signed(["packages.example.com".to_owned()]).expect("a certificate");
    for name in ["certificate.pem", "packages.pem", "database-ca.pem"] {
        fs::write(folder.path().join(name), cert.pem()).expect("written");
    }
    for name in ["key.pem", "packages.key"] {
        fs::write(folder.path().join(name), signing_key.serialize_pem()).expect("written");
    }
    folder
}

/// Replaces the folders of the examples.
fn at(folder: &TempDir, text: &str) -> String {
    let at = format!("{}/", folder.path().display());
    ["/etc/packhouse/", "/etc/nginx/"].iter().fold(text.to_owned(), |text, name| text.replace(name, &at))
}

/// A location stands in a server.
fn in_server(text: &str) -> String {
    if text.starts_with("server") { text.to_owned() } else { format!("server {{\nlisten 127.0.0.1:18080;\n{text}\n}}") }
}

/// nginx, which Debian installs in a folder that is only on root's search path.
fn nginx() -> PathBuf {
    let inherited = env::var_os("PATH").unwrap_or_default();
    let folders = env::split_paths(&inherited).chain([PathBuf::from("/usr/sbin")]);
    let found = folders.map(|folder| folder.join("nginx")).find(|path| path.is_file());
    found.expect("`cargo xtask test` installs nginx")
}
