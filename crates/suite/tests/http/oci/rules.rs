//! What holds for files holds for images: agreements, origins, signed URLs, logs and webhooks.

use serde_json::{Value, json};
use suite::{Person, Receiver, TestHouse};

use super::tools::{app, digest, push, refused, with_images};
use crate::{content::INSIDE, downloads::download_logs::read_log, events::webhooks::deliver};

/// The parts of the image `app:v1` with the layer `layer`.
fn parts() -> [String; 2] {
    ["manifests/v1".to_owned(), format!("blobs/{}", digest("layer"))]
}

pub(super) async fn with_plan(house: &TestHouse) {
    house.admin().put("/subjects/ada/plan").json(json!({ "plan": "enterprise" })).await.expect(200);
}

#[tokio::test]
async fn a_key_pulls_once_it_has_agreed() {
    let (house, ada) = with_images().await;
    with_plan(&house).await;
    ada.patch("/repos/ada/img").json(json!({ "private": true })).await.expect(200);
    push(&ada, "ada/img/app", "v1", &["layer"]).await;
    ada.post("/products/ada").json(json!({ "name": "suite", "packages": ["img/app"] })).await.expect(201);
    let terms = json!({ "name": "terms", "syntax": "plain_text", "content": "Be kind", "default": true });
    ada.post("/products/ada/suite/eulas").json(terms).await.expect(201);
    let key = house.key(&ada, "red", json!({})).await;
    let grant = json!({ "access": "r", "access_keys": ["red"] });
    ada.post("/products/ada/suite/entitlements").json(grant).await.expect(201);
    for part in parts() {
        let asked = key.get(&app(&part)).await;
        assert!(asked.text().contains("/eula/ada/suite/v1"), "{}", asked.text());
        refused(asked, 403, "DENIED");
        ada.get(&app(&part)).await.expect(200);
    }
    key.post("/products/ada/suite/eulas/terms/accept").json(json!({ "version": "v1" })).await.expect(200);
    for part in parts() {
        key.get(&app(&part)).await.expect(200);
    }
}

#[tokio::test]
async fn origins_bind_pulls_and_no_pushes() {
    let (house, ada) = with_images().await;
    with_plan(&house).await;
    push(&ada, "ada/img/app", "v1", &["layer"]).await;
    for part in parts() {
        house.anyone().get(&app(&part)).await.expect(200);
    }
    ada.put("/repos/ada/img/ip_restrictions").json(json!({ "black_cidrs": ["127.0.0.0/8"] })).await.expect(200);
    for part in parts() {
        refused(house.anyone().get(&app(&part)).await, 403, "DENIED");
    }
    push(&ada, "ada/img/app", "v2", &["other"]).await;
    ada.put("/repos/ada/img/ip_restrictions").json(json!({ "white_cidrs": ["127.0.0.0/8"] })).await.expect(200);
    for part in parts() {
        house.anyone().get(&app(&part)).await.expect(200);
    }
}

#[tokio::test]
async fn a_signed_url_reads_a_part_of_a_private_image() {
    let (house, ada) = with_images().await;
    with_plan(&house).await;
    ada.patch("/repos/ada/img").json(json!({ "private": true })).await.expect(200);
    push(&ada, "ada/img/app", "v1", &["layer"]).await;
    let signed = ada.post(&format!("/signed_url/ada/img/app/{}", parts()[1])).await.expect(200).json();
    let (_, path) = signed["url"].as_str().and_then(|url| url.split_once("/dl/")).expect("a URL");
    assert_eq!(house.anyone().get(&format!("//dl/{path}")).await.expect(200).text(), "layer");
    let (file, _) = path.split_once('?').expect("a signature");
    assert_ne!(house.anyone().get(&format!("//dl/{file}")).await.status, 200);
}

#[tokio::test]
async fn a_pull_is_logged() {
    let (house, ada) = with_images().await;
    with_plan(&house).await;
    push(&ada, "ada/img/app", "v1", &["layer"]).await;
    house.anyone().get(&app("manifests/v1")).header("user-agent", "puller/1").await.expect(200);
    house.flush().await;
    let logs: Value = ada.get("/packages/ada/img/app/logs").await.expect(200).json();
    let name = logs[0]["name"].as_str().expect("a log");
    let log = read_log(&ada, &format!("/packages/ada/img/app/logs/{name}")).await;
    assert!(log.contains("manifests/v1") && log.contains("puller/1"), "{log}");
}

/// The event and the version of each callback.
fn callbacks(receiver: &Receiver) -> Vec<(String, String)> {
    let read = |body: &str| {
        let body: Value = serde_json::from_str(body).expect("JSON");
        let text = |field: &str| body[field].as_str().unwrap_or_default().to_owned();
        (text("event"), text("version"))
    };
    receiver.callbacks().iter().map(|callback| read(&callback.body)).collect()
}

async fn with_receiver() -> (TestHouse, Person, Receiver) {
    let (receiver, house) = (Receiver::start().await, TestHouse::start_with(&[INSIDE]).await);
    let ada = house.user("ada").await;
    ada.post("/repos/ada/img").json(json!({ "type": "docker" })).await.expect(201);
    push(&ada, "ada/img/app", "v1", &["layer"]).await;
    let hook = json!({ "url": receiver.url("/"), "events": ["release", "delete"] });
    ada.post("/webhooks/ada/img/app").json(hook).await.expect(201);
    (house, ada, receiver)
}

#[tokio::test]
async fn webhooks_are_called_for_tags() {
    let (house, ada, receiver) = with_receiver().await;
    push(&ada, "ada/img/app", "v2", &["other"]).await;
    deliver(&house).await;
    ada.delete(&app("manifests/v2")).await.expect(202);
    deliver(&house).await;
    let (release, deletion) = ((String::new(), "v2".to_owned()), ("delete".to_owned(), "v2".to_owned()));
    let found = callbacks(&receiver);
    assert!(found.contains(&release) && found.contains(&deletion), "{found:?}");
}
