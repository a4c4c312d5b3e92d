//! Misspelt names of known fields in a body.

use serde_json::json;

use crate::content::cat;

#[tokio::test]
async fn a_slip_is_refused_with_what_was_meant() {
    let (house, ada) = cat().await;
    let refused = "'pirvate' is not a field of this object; did you mean 'private'? Correct it or leave it out";
    ada.post("/repos/ada/vault").json(json!({"pirvate": true})).await.refuses(400, refused);
    house.anyone().get("/repos/ada/vault").await.expect(404);
    ada.patch("/repos/ada/tools").json(json!({"pirvate": true})).await.refuses(400, refused);
    for (path, slip, meant) in [
        ("/packages/ada/tools/cat", "licences", "licenses"),
        ("/packages/ada/tools/cat", "vcsurl", "vcs_url"),
        ("/packages/ada/tools/cat", "lables", "labels"),
        ("/repos/ada/tools", "privat", "private"),
        ("/repos/ada/tools", "gpg_sign_file", "gpg_sign_files"),
    ] {
        let message = ada.patch(path).json(json!({ slip: [] })).await;
        match slip {
            // Responses contain it by contract, so clients may send it back.
            "lables" => drop(message.expect(200)),
            _ => assert!(
                message
                    .expect(400)
                    .message()
                    .contains(&format!("'{slip}' is not a field of this object; did you mean '{meant}'"))
            ),
        }
    }
}

#[tokio::test]
async fn slips_are_found_in_parts_and_in_lists() {
    let (_house, ada) = cat().await;
    let key = json!({"id": "k", "existence_check": {"ulr": "https://example.org/"}});
    let message = ada.post("/users/ada/access_keys").json(key).await.expect(400).message();
    assert!(message.starts_with("existence_check: 'ulr' is not a field"), "{message}");
    let networks = json!({"add": {"black_cidr": ["10.0.0.0/8"]}});
    let message = ada.patch("/repos/ada/tools/ip_restrictions").json(networks).await.expect(400).message();
    assert!(message.starts_with("add: 'black_cidr' is not a field"), "{message}");
    let list = json!([{"name": "a", "value": [1]}]);
    let message = ada.post("/packages/ada/tools/cat/attributes").json(list).await.expect(400).message();
    assert!(message.contains("'value' is not a field of this object; did you mean 'values'"), "{message}");
    // The name is parsed separately.
    let message = ada.post("/packages/ada/tools").json(json!({"nmae": "dog"})).await.expect(400).message();
    assert!(message.contains("did you mean 'name'"), "{message}");
}

#[tokio::test]
async fn other_fields_are_ignored() {
    let (_house, ada) = cat().await;
    let dog = json!({
        "name": "dog", "description": "x", "repo": "tools", "subject": "ada", "override": true, "vcs_tag": "1", "foo": 1,
        "labels": ["a"], "lables": ["b"], "attributes": [{"name": "x"}],
    });
    let made = ada.post("/packages/ada/tools").json(dog).await.expect(201).json();
    assert_eq!(made["labels"], json!(["a"]));
    // A whole response may be sent back.
    for path in ["/packages/ada/tools/cat", "/repos/ada/tools"] {
        let shown = ada.get(path).await.expect(200).json();
        ada.patch(path).json(shown).await.expect(200);
    }
    let data = json!({"name": "1.0"});
    let version = ada.post("/packages/ada/tools/cat/versions").json(data).await.expect(201).json();
    ada.patch("/packages/ada/tools/cat/versions/1.0").json(version).await.expect(200);
}
