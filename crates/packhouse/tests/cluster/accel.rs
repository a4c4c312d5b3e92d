//! nginx sends files from a folder itself, with the location from the manual.

use std::{
    fs,
    net::TcpStream,
    time::{Duration, Instant},
};

use serde_json::json;
use suite::{ADMIN_KEY, Process};

use crate::{door::Door, node::path, ports::free_address, program::Program};

const CONFIGURATION: &str = include_str!("accel.conf");
const OPERATING: &str = include_str!("../../../../docs/operating.md");

/// How long nginx may take to start, and how long a download may take to be counted.
const PATIENCE: Duration = Duration::from_secs(10);

/// Returns the location in the manual.
fn location() -> &'static str {
    let (_, rest) = OPERATING.split_once("  location /packhouse-content/ {").expect("the manual has the location");
    rest.split_once("\n  }\n").expect("the location has an end").0
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nginx_sends_what_lies_in_the_folder() {
    let folder = tempfile::tempdir().expect("the temporary folder is writable");
    let (node, front) = (free_address(), free_address());
    let mut command = std::process::Command::new(path());
    command.env_clear().envs(std::env::vars().filter(|(name, _)| !name.starts_with("PACKHOUSE_"))).envs([
        ("PACKHOUSE_DATA", folder.path().join("data").display().to_string()),
        ("PACKHOUSE_ADMIN_KEY", ADMIN_KEY.into()),
        ("PACKHOUSE_TRUSTED_PROXIES", "127.0.0.1".into()),
        ("PACKHOUSE_DOWNLOADS__ACCEL_PREFIX", "/packhouse-content".into()),
    ]);
    let _server = Process::launch_at(command, &node.to_string()).await;
    let blobs = folder.path().join("data/blobs");
    let location = location().replace("/var/lib/packhouse/blobs", &blobs.display().to_string());
    let configuration = CONFIGURATION
        .replace("{LOCATION}", &format!("location /packhouse-content/ {{{location}\n}}"))
        .replace("{FOLDER}", &folder.path().display().to_string())
        .replace("{FRONT}", &front.to_string())
        .replace("{NODE}", &node.to_string());
    let file = folder.path().join("nginx.conf");
    fs::write(&file, configuration).expect("a file can be written");
    let mut command = Program::command("PACKHOUSE_TEST_NGINX");
    command.arg("-p").arg(folder.path()).arg("-c").arg(&file).args(["-e", "stderr"]);
    let _nginx = Program::start(command, &folder.path().join("log"));
    let began = Instant::now();
    while TcpStream::connect(front).is_err() {
        assert!(began.elapsed() < PATIENCE, "{:?}", fs::read_to_string(folder.path().join("log")));
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    is_sent(&Door::at(front)).await;
}

async fn is_sent(front: &Door) {
    let ada = front.user("ada").await;
    ada.post("/repos/ada/tools").json(json!({})).await.expect(201);
    ada.post("/packages/ada/tools").json(json!({"name": "cat"})).await.expect(201);
    let content = "<script>meow</script>".repeat(20_000);
    ada.put("/content/ada/tools/cat/1.0/cat.html?publish=1").body(content.clone()).await.expect(201);

    let whole = front.anyone().download("/ada/tools/cat.html").await.expect(200);
    let asked = front.anyone().head("//dl/ada/tools/cat.html").await.expect(200);

    assert_eq!(whole.text(), content);
    assert_eq!(whole.header("x-accel-redirect"), "");
    // The server itself answers HEAD.
    let names =
        ["content-type", "etag", "last-modified", "cache-control", "content-security-policy", "x-checksum-sha2"];
    for name in names.iter().chain(&["content-length", "x-content-type-options", "x-checksum-sha1"]) {
        assert_eq!(whole.header(name), asked.header(name), "{name}");
        assert_ne!(whole.header(name), "", "{name}");
    }
    let part = front.anyone().download("/ada/tools/cat.html").header("range", "bytes=8-11").await.expect(206);
    assert_eq!(part.text(), "meow");
    let outside = front.anyone().get("//packhouse-content/sha256/").await;
    assert_eq!(outside.status, 404, "the folder is not open");
    let began = Instant::now();
    loop {
        let counted = ada.get("/packages/ada/tools/cat/stats/total_downloads").await.expect(200).json();
        if counted["records"] == json!([{"version": "1.0", "count": 1}]) {
            return;
        }
        assert!(began.elapsed() < PATIENCE, "{counted}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}
