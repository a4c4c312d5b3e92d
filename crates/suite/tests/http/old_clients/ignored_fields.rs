//! Fields that must not be dropped silently.

use serde_json::{Value, json};

use crate::content::{cat, upload_published};

#[tokio::test]
async fn the_file_of_release_notes_is_kept_for_packages_and_versions() {
    let (_house, ada) = cat().await;
    let package = "/packages/ada/tools/cat";
    ada.patch(package).json(json!({"github_release_notes_file": "NOTES.md"})).await.expect(200);
    let shown = ada.get(package).await.expect(200).json();
    assert_eq!(
        (&shown["github_release_notes_file"], &shown["github_release_notes"]),
        (&json!("NOTES.md"), &json!("NOTES.md"))
    );

    // The request of a deployment tool of a continuous integration service.
    let version = json!({
        "name": "1.0", "desc": "First", "released": "2026-01-15", "vcs_tag": "v1.0",
        "github_release_notes_file": "RELEASE.txt", "github_use_tag_release_notes": true, "attributes": [],
    });
    let made = ada.post(&format!("{package}/versions")).json(version).await.expect(201).json();
    assert_eq!(made["github_release_notes_file"], "RELEASE.txt");
    let one = format!("{package}/versions/1.0");
    ada.patch(&one).json(json!({"github_release_notes_file": "CHANGES"})).await.expect(200);
    assert_eq!(ada.get(&one).await.expect(200).json()["github_release_notes_file"], "CHANGES");
    ada.patch(&one).json(json!({"github_release_notes_file": null})).await.expect(200);
    assert_eq!(ada.get(&one).await.expect(200).json()["github_release_notes_file"], Value::Null);
    ada.patch(&one).json(json!({"github_release_notes_file": "a\nb"})).await.expect(400);
}

#[tokio::test]
async fn public_statistics_and_public_numbers_are_one_value() {
    let (house, ada) = cat().await;
    let dog = json!({"name": "dog", "public_download_numbers": true, "public_stats": true});
    let made = ada.post("/packages/ada/tools").json(dog).await.expect(201).json();
    assert_eq!((&made["public_stats"], &made["public_download_numbers"]), (&json!(true), &json!(true)));
    ada.patch("/packages/ada/tools/dog").json(json!({"public_stats": false})).await.expect(200);
    let shown = ada.get("/packages/ada/tools/dog").await.expect(200).json();
    assert_eq!((&shown["public_stats"], &shown["public_download_numbers"]), (&json!(false), &json!(false)));
    let both = json!({"public_stats": false, "public_download_numbers": true});
    let refused = ada.patch("/packages/ada/tools/dog").json(both).await.expect(400).message();
    assert!(refused.starts_with("public_stats: it differs from public_download_numbers"), "{refused}");
    let nulls = json!({"public_stats": null, "public_download_numbers": true});
    ada.patch("/packages/ada/tools/dog").json(nulls).await.expect(200);
    assert_eq!(house.anyone().get("/packages/ada/tools/dog").await.expect(200).json()["public_stats"], Value::Null);
}

#[tokio::test]
async fn an_encrypted_download_is_refused_until_there_is_one() {
    let (_house, ada) = cat().await;
    upload_published(&ada, "ada/tools/cat/1.0/cat.bin", "meow").await;
    let sign = "/signed_url/ada/tools/cat.bin";
    for asked in ["true", "1", "yes"] {
        let refused = ada.post(&format!("{sign}?encrypt={asked}")).await.expect(400).message();
        assert!(refused.starts_with("encrypt: "), "{refused}");
    }
    ada.post(sign).json(json!({"encrypt": "true"})).await.expect(400);
    ada.post(&format!("{sign}?encrypt=false")).json(json!({"valid_for_secs": 60, "encrypt": false})).await.expect(200);
}

#[tokio::test]
async fn mails_about_thresholds_are_refused_since_none_are_sent() {
    let (house, ada) = cat().await;
    ada.post("/orgs").json(json!({"name": "acme"})).await.expect(201);
    house.admin().put("/subjects/acme/plan").json(json!({"plan": "enterprise"})).await.expect(200);
    let at = "/usage_threshold/organization/acme";
    for (field, value) in [("alert_to_emails", json!(["ada@example.org"])), ("alert_to_admins", json!(true))] {
        let refused = ada.post(at).json(json!({"monthly_storage_bytes": 1, field: value})).await.expect(400).message();
        assert!(refused.starts_with(&format!("{field}: e-mail is not supported")), "{refused}");
    }
    let nobody = json!({"monthly_storage_bytes": 5, "alert_to_emails": [], "alert_to_admins": false});
    ada.post(at).json(nobody).await.expect(201);
    ada.patch(at).json(json!({"alert_to_admins": "true"})).await.expect(400);
    ada.patch(at).json(json!({"monthly_storage_bytes": 7, "alert_to_admins": null})).await.expect(200);
    assert_eq!(ada.get(at).await.expect(200).json()["monthly_storage_bytes"], 7);
}

#[tokio::test]
async fn an_entitlement_is_not_given_another_id_than_the_servers() {
    let (_house, ada) = cat().await;
    ada.post("/users/ada/access_keys").json(json!({"id": "client"})).await.expect(201);
    let all = "/repos/ada/tools/entitlements";
    let named = json!({"id": "mine", "access": "r", "access_keys": ["client"]});
    let refused = ada.post(all).json(named).await.expect(400).message();
    assert!(refused.starts_with("id: the server chooses it"), "{refused}");
    assert_eq!(ada.get(all).await.expect(200).json(), json!([]));
    let unnamed = json!({"id": "", "access": "r", "access_keys": ["client"]});
    let made = ada.post(all).json(unnamed).await.expect(201).json();
    let one = format!("{all}/{}", made["id"].as_str().expect("an id"));
    // Sent back unchanged.
    ada.patch(&one).json(made.clone()).await.expect(200);
    ada.patch(&one).json(json!({"id": "other"})).await.expect(400);
}

#[tokio::test]
async fn labels_of_a_version_are_taken_in_the_contracts_spelling() {
    let (_house, ada) = cat().await;
    let versions = "/packages/ada/tools/cat/versions";
    let made = ada.post(versions).json(json!({"name": "1.0", "lables": ["a"]})).await.expect(201).json();
    assert_eq!((&made["lables"], &made["labels"]), (&json!(["a"]), &json!(["a"])));
    let both = json!({"lables": ["a"], "labels": ["b"]});
    ada.patch(&format!("{versions}/1.0")).json(both).await.expect(200);
    assert_eq!(ada.get(&format!("{versions}/1.0")).await.expect(200).json()["lables"], json!(["b"]));
}
