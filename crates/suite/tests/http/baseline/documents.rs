//! Documents about the server: the description of the API, its page, the settings, and the names of the metrics.

use std::collections::BTreeSet;

use suite::{Answer, TestHouse};

use super::{assert_recorded, json, mask::Mask, scene::Scene, shown::shown, step::steps, visits::Visitors};
use crate::maintenance::jobs::run_jobs_until;

fn mask(house: &TestHouse) -> Mask {
    Mask::new(vec![(house.address.to_string(), "HOST")])
}

/// Returns the head of a response, without the length of its body.
fn head(answer: &Answer, mask: &Mask) -> String {
    let mut head = Answer { body: Vec::new(), ..answer.clone() };
    assert!(head.headers.remove("content-length").is_some());
    shown(&head, mask)
}

/// Returns a line of the settings. The values of settings about the stores differ between stacks, so only their names
/// remain.
fn without_stack(section: &mut String, line: &str) -> String {
    if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        *section = name.to_owned();
    }
    let name = line.strip_prefix("# ").unwrap_or(line).split(' ').next().unwrap_or_default();
    match (section.as_str(), name) {
        ("", "blobs" | "data" | "database_url") => format!("{name} (of the stack)"),
        ("s3", "access_key_id" | "allow_http" | "endpoint" | "secret_access_key") => format!("{name} (of the stack)"),
        _ => line.to_owned(),
    }
}

/// Returns the name of a metric with the names of its labels.
fn without_values(line: &str) -> String {
    let (name, labels) = line.split_once('{').unwrap_or((line, ""));
    let labels = labels.split("\",").filter_map(|label| label.split_once("=\"")).map(|(label, _)| label);
    let name = name.split(' ').next().unwrap_or_default();
    format!("{name} {{{}}}", labels.collect::<Vec<_>>().join(", "))
}

/// Returns the page without parts that differ between stacks.
async fn settings(scene: &Scene) -> String {
    let page = Visitors::new(scene).await.get("admin").open("/-/admin/settings").await.expect(200);
    let mut section = String::new();
    let lines: Vec<String> = page.text().lines().map(|line| without_stack(&mut section, line)).collect();
    format!("{}\n\n{}", head(&page, &scene.mask), scene.mask.apply(&lines.join("\n")))
}

/// Returns the described metrics and those with values, in alphabetical order.
async fn metrics(scene: &Scene) -> String {
    let answer = scene.house.anyone().get("//metrics").await.expect(200);
    let text = answer.text();
    let described = text.lines().filter(|line| line.starts_with('#')).map(str::to_owned);
    let counted = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).map(without_values);
    let lines: BTreeSet<String> = described.chain(counted).collect();
    format!("{}\n\n{}", head(&answer, &scene.mask), lines.into_iter().collect::<Vec<_>>().join("\n"))
}

/// Returns whether the metrics include a run of a job.
async fn jobs_are_measured(scene: &Scene) -> bool {
    scene.house.anyone().get("//metrics").await.expect(200).text().contains("packhouse_job_seconds_count")
}

#[tokio::test]
async fn the_description_of_the_api_is_as_before() {
    let house = TestHouse::start().await;
    let answer = house.anyone().get("//api/openapi.json").await.expect(200);
    let (head, text) = (head(&answer, &mask(&house)), mask(&house).apply(&answer.text()));
    assert_recorded("openapi", &format!("{head}\n\n{}", json::in_lines(&text)));
    assert_eq!(house.anyone().get("//api").await.expect(303).header("location"), "/api/docs");
    let page = house.browser().open("/api/docs").await.expect(200);
    assert_recorded("api_docs", &shown(&page, &mask(&house)));
}

#[tokio::test]
async fn settings_and_metrics_are_named_as_before() {
    // The stacks have different numbers of connections.
    let mut scene = Scene::start_with(&[("database.connections", "6")]).await;
    // A key that expires adds a metric.
    for step in steps(r#"owner PUT /users/ada/keys/gpg {"private_key":"{private_key}"}"#) {
        scene.ask(&step, "owner").await.expect(200);
    }
    assert_recorded("settings", &settings(&scene).await);
    run_jobs_until(scene.house.state(), async || jobs_are_measured(&scene).await).await;
    assert_recorded("metrics", &metrics(&scene).await);
}
