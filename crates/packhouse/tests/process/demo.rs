//! `packhouse demo`: a catalogue for an empty server.

use suite::{Process, Stack};

use crate::program::{command, run, start};

#[tokio::test]
async fn the_demo_fills_an_empty_server_and_no_other() {
    let stack = Stack::create().await;

    let said = run(&stack, &["demo"]).await.succeeds();

    assert!(said.starts_with("filled the server with 46 files and "), "{said}");
    let again = run(&stack, &["demo"]).await.fails();
    assert!(again.contains("the server is not empty"), "{again}");
    let server = Process::launch(command(&stack)).await;
    let anyone = server.anyone();
    anyone.download("/acme/tools/relay/relay-2.0.0-linux-x86_64.tar.gz").await.expect(200);
    anyone.download("/acme/tools/relay/relay-2.0.0-windows-x86_64.tar.gz.asc").await.expect(200);
    let versions = anyone.get("/packages/acme/python/acme-sdk/versions/0.9.1").await.expect(200).json();
    assert_eq!(versions["yanked"], "It loses the last message of a batch");
    anyone.download("/acme/tools/relay/relay-2.1.0-linux-x86_64.tar.gz").await.expect(404);
    anyone.download("/acme/enterprise/relay-pro/relay-pro-5.0.0-linux-x86_64.tar.gz").await.expect(401);
    let wheel = anyone.download("/acme/python/simple/acme-sdk/").await.expect(200).text();
    assert!(wheel.contains("acme_sdk-1.0.0-py3-none-any.whl"), "{wheel}");
    let npm = anyone.download("/acme/npm/acme-widgets").await.expect(200).json();
    assert_eq!(npm["dist-tags"]["latest"], "3.2.0");
    assert!(anyone.download("/acme/charts/index.yaml").await.expect(200).text().contains("0.5.0"));
    assert!(
        anyone.download("/acme/apt/dists/stable/main/binary-amd64/Packages").await.expect(200).text().contains("relay")
    );
    let days = anyone.get("/packages/acme/tools/relay/stats/time_range_downloads").await.expect(200).json();
    assert!(days["records"].as_array().expect("a list").len() > 20, "{days}");
    let counts = days["records"].as_array().expect("a list").iter().flat_map(|day| day["downloads"].as_array());
    let recent: i64 = counts.flatten().filter_map(|version| version["count"].as_i64()).sum();
    let home = server.browser().open("/").await.expect(200).text();
    assert!(home.contains(&format!("{recent} downloads in 30 days")), "{recent} downloads: {home}");
    let countries = anyone.get("/packages/acme/tools/relay/stats/country_downloads").await.expect(200).json();
    assert!(countries["records"].as_array().expect("a list").len() > 4, "{countries}");
    let ada = said.lines().skip_while(|line| line.trim() != "user  ada").nth(1).expect("a key");
    let ada = server.person("ada", ada.trim().trim_start_matches("key").trim());
    let entitlements = ada.get("/repos/acme/enterprise/entitlements").await.expect(200).json();
    assert_eq!(entitlements.as_array().expect("a list").len(), 1);
    run(&stack, &["admin", "verify"]).await.succeeds();
}

#[tokio::test]
async fn the_demo_refuses_a_server_with_users() {
    let stack = Stack::create().await;
    let server = start(&stack).await;
    server.user("ada").await;

    let refused = run(&stack, &["demo"]).await.fails();

    assert!(refused.contains("the server is not empty"), "{refused}");
}
