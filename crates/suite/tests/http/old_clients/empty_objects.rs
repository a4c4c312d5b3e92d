//! Clients that cannot omit an optional object.

use serde_json::{Value, json};

use crate::content::cat;

const KEYS: &str = "/users/ada/access_keys";

#[tokio::test]
async fn an_empty_existence_check_is_none_when_a_key_is_made() {
    let (_house, ada) = cat().await;
    for (number, check) in [json!({}), json!({"url": ""}), json!({"url": "", "cache_for_secs": 0})].iter().enumerate() {
        let id = format!("key{number}");
        ada.post(KEYS).json(json!({"id": id, "existence_check": check})).await.expect(201);
        let shown = ada.get(&format!("{KEYS}/{id}")).await.expect(200).json();
        assert_eq!(shown["existence_check"], Value::Null, "{check}");
    }
}

#[tokio::test]
async fn an_empty_existence_check_changes_nothing() {
    let (_house, ada) = cat().await;
    let check = json!({"url": "https://example.org/:username", "cache_for_secs": 30});
    ada.post(KEYS).json(json!({"id": "client", "existence_check": check})).await.expect(201);
    let one = format!("{KEYS}/client");
    let sent = json!({"existence_check": {}, "api_only": true});
    let answered = ada.patch(&one).json(sent).await.expect(200).json();
    assert_eq!((&answered["existence_check"], &answered["api_only"]), (&check, &json!(true)));
    let removed = ada.patch(&one).json(json!({"existence_check": null})).await.expect(200).json();
    assert_eq!(removed["existence_check"], Value::Null);
}

#[tokio::test]
async fn an_existence_check_without_its_address_is_still_refused() {
    let (_house, ada) = cat().await;
    let sent = json!({"id": "a", "existence_check": {"cache_for_secs": 60}});
    ada.post(KEYS).json(sent).await.refuses(400, "existence_check.url: it is required");
}

#[tokio::test]
async fn empty_objects_of_networks_add_and_remove_none() {
    let (_house, ada) = cat().await;
    let rules = "/repos/ada/tools/ip_restrictions";
    ada.put(rules).json(json!({"black_cidrs": ["10.0.0.0/8"]})).await.expect(200);
    let sent = json!({"add": {}, "remove": {}});
    let answered = ada.patch(rules).json(sent).await.expect(200).json();
    assert_eq!(answered, json!({"white_cidrs": [], "black_cidrs": ["10.0.0.0/8"]}));
}
