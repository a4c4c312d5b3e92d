//! Chart repositories.

use serde_json::json;
use sha2::{Digest, Sha256};

use super::{chart, charts, index, publish_chart, publish_charts, repo_of, run_job};
use crate::{catalogue::new_package, content::publish};

#[tokio::test]
async fn a_chart_is_listed_when_its_publish_is_answered() {
    let (house, ada) = repo_of("helm").await;
    publish_charts(&ada, &["web", "db"]).await;
    publish_chart(&ada, "web", "1.10.0").await;
    publish_chart(&ada, "web", "1.9.0").await;
    let anyone = house.anyone();
    assert_eq!(charts(&anyone).await, ["db 1.0.0", "web 1.10.0", "web 1.9.0", "web 1.0.0"]);
    let entry = &index(&anyone).await["entries"]["web"][0];
    let url = entry["urls"][0].as_str().expect("a URL").to_owned();
    let content = anyone.download(&format!("/ada/repo/{url}")).await.expect(200);
    assert_eq!(content.body, chart("web", "1.10.0", "a chart"));
    assert_eq!(content.header("x-checksum-sha2"), entry["digest"].as_str().expect("a digest"));
    ada.delete("/packages/ada/repo/web/versions/1.9.0").await.expect(200);
    ada.delete("/content/ada/repo/db-1.0.0.tgz").await.expect(200);
    assert_eq!(charts(&anyone).await, ["web 1.10.0", "web 1.0.0"]);
    ada.delete("/packages/ada/repo/web").await.expect(200);
    assert_eq!(index(&anyone).await["entries"], json!({}));
}

#[tokio::test]
async fn staged_charts_are_not_listed() {
    let (house, ada) = repo_of("helm").await;
    new_package(&ada, "ada/repo", "web").await;
    assert_eq!(charts(&house.anyone()).await, [""; 0]);
    run_job(&house).await;
    assert_eq!(charts(&house.anyone()).await, [""; 0]);
    ada.put("/content/ada/repo/web/1.0.0/web-1.0.0.tgz").body(chart("web", "1.0.0", "x")).await.expect(201);
    assert_eq!(charts(&ada).await, [""; 0]);
    let answer = ada.post("/content/ada/repo/web/1.0.0/publish").await.expect(200).json();
    assert_eq!(answer, json!({"files": 1}));
    assert_eq!(charts(&house.anyone()).await, ["web 1.0.0"]);
    assert_eq!(publish(&ada, "ada/repo/web/1.0.0").await, 0);
}

#[tokio::test]
async fn files_that_are_no_charts_are_refused_and_other_files_are_not_listed() {
    let (house, ada) = repo_of("helm").await;
    publish_charts(&ada, &["web"]).await;
    let put = |path: &str, body: Vec<u8>| ada.put(&format!("/content/ada/repo/web/1.0.0/{path}?publish=1")).body(body);
    let name = "content: the file name 'web-2.0.0.tgz' is not that of the chart, 'web-1.0.0.tgz'";
    put("web-2.0.0.tgz", chart("web", "1.0.0", "x")).await.refuses(400, name);
    put("x.tgz", b"no chart".to_vec()).await.expect(400);
    put("web-1.0.0.tgz.prov", b"signed".to_vec()).await.expect(201);
    put("api/charts", b"x".to_vec()).await.expect(400);
    put("index.yaml", b"ignored".to_vec()).await.expect(201);
    assert_eq!(charts(&house.anyone()).await, ["web 1.0.0"]);
}

#[tokio::test]
async fn an_index_has_validators_ranges_and_checksums() {
    let (house, ada) = repo_of("helm").await;
    publish_charts(&ada, &["web"]).await;
    let anyone = house.anyone();
    let path = "/ada/repo/index.yaml";
    let whole = anyone.download(path).await.expect(200);
    assert_eq!(whole.header("content-type"), "text/yaml");
    assert_eq!(whole.header("cache-control"), "public, no-cache, no-transform");
    let etag = whole.header("etag").to_owned();
    for _ in 0..2 {
        anyone.download(path).header("If-None-Match", &etag).await.expect(304);
    }
    let part = anyone.download(path).header("Range", "bytes=2-11").await.expect(206);
    assert_eq!(part.body, whole.body[2..12]);
    let sum = anyone.download(&format!("{path}.sha256")).await.expect(200).text();
    assert_eq!(sum, whole.header("x-checksum-sha2"));
    publish_chart(&ada, "web", "2.0.0").await;
    anyone.download(path).header("If-None-Match", &etag).await.expect(200);
}

#[tokio::test]
async fn a_link_shows_charts_of_public_repositories_only() {
    let (house, ada) = repo_of("helm").await;
    publish_charts(&ada, &["web"]).await;
    ada.post("/repos/ada/all").json(json!({"type": "helm"})).await.expect(201);
    ada.put("/repository/ada/all/links/ada/repo/web").await.expect(201);
    let listed = async || {
        // The first look of the job only remembers the change.
        for _ in 0..2 {
            run_job(&house).await;
        }
        let index = house.anyone().download("/ada/all/index.yaml").await.expect(200).json();
        index["entries"].as_object().expect("a map").len()
    };
    assert_eq!(listed().await, 1);
    house.anyone().download("/ada/all/web-1.0.0.tgz").await.expect(200);
    ada.patch("/repos/ada/repo").json(json!({"private": true})).await.expect(200);
    assert_eq!(listed().await, 0);
    ada.patch("/repos/ada/repo").json(json!({"private": false})).await.expect(200);
    assert_eq!(listed().await, 1);
    ada.delete("/repository/ada/all/links/ada/repo/web").await.expect(200);
    assert_eq!(listed().await, 0);
}

/// A form with one file for each of these names.
fn form(files: &[(&str, &str, Vec<u8>)]) -> Vec<u8> {
    let mut body = Vec::new();
    for (field, name, content) in files {
        let head = format!("--cut\r\ncontent-disposition: form-data; name=\"{field}\"; filename=\"{name}\"\r\n\r\n");
        body.extend_from_slice(head.as_bytes());
        body.extend_from_slice(content);
        body.extend_from_slice(b"\r\n");
    }
    body.extend_from_slice(b"--cut--\r\n");
    body
}

#[tokio::test]
async fn clients_of_chartmuseum_publish_a_chart_with_its_provenance() {
    let (house, ada) = repo_of("helm").await;
    let push = |files: &[(&str, &str, Vec<u8>)]| {
        let call = ada.post("//dl/ada/repo/api/charts").header("content-type", "multipart/form-data; boundary=cut");
        call.body(form(files))
    };
    let web = chart("web", "1.0.0", "x");
    let digest: String = Sha256::digest(&web).iter().map(|byte| format!("{byte:02x}")).collect();
    let provenance = |digest: &str| {
        let text = format!("-----BEGIN PGP SIGNED MESSAGE-----\n\nfiles:\n  web-1.0.0.tgz: sha256:{digest}\n");
        ("prov", "web-1.0.0.tgz.prov", text.into_bytes())
    };
    let wrong = push(&[("chart", "web-1.0.0.tgz", web.clone()), provenance("00")]).await.expect(400).json();
    assert_eq!(wrong, json!({"error": "the provenance file has another digest of 'web-1.0.0.tgz'"}));
    let sent = push(&[("chart", "web-1.0.0.tgz", web), provenance(&digest)]).await.expect(201).json();
    assert_eq!(sent, json!({"saved": true}));
    assert_eq!(charts(&house.anyone()).await, ["web 1.0.0"]);
    house.anyone().download("/ada/repo/web-1.0.0.tgz.prov").await.expect(200);
    let other = push(&[("chart", "web-1.0.0.tgz", chart("web", "1.0.0", "y"))]).await.expect(409).json();
    assert_eq!(other, json!({"error": "web-1.0.0.tgz already exists"}));
    push(&[("chart", "other.tgz", chart("web", "1.0.0", "x"))]).await.expect(201);
    push(&[("chart", "web-2.0.0.tgz", b"x".to_vec())]).await.expect(400);
    assert_eq!(charts(&house.anyone()).await, ["web 1.0.0"]);
    house.anyone().post("//dl/ada/repo/api/charts").body("x").await.expect(401);
}
