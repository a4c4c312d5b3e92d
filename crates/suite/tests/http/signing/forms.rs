//! How calls choose the signing key: the passphrase in every form, and supplied keys.

use serde_json::json;
use suite::{Gpg, NewKey};

use crate::{
    catalogue::{new_package, new_repo},
    content::{read, upload, upload_published},
    signing::{is_signed, locked_cat, signing_cat},
};

const SESAME: &str = "öffne dich: \"sesame\"";

#[tokio::test]
async fn the_passphrase_comes_as_header_as_query_or_in_the_body() {
    let (house, ada, gpg) = locked_cat(SESAME).await;
    upload(&ada, "ada/tools/cat/1.0/cat.tar", "meow").await;
    for sign in ["/gpg/ada/tools/cat.tar", "/gpg/ada/tools/cat/versions/1.0"] {
        let query = format!("{sign}?passphrase={}", crate::catalogue::segment(SESAME));
        let forms = [
            ada.post(sign).header("X-GPG-PASSPHRASE", SESAME),
            ada.post(&query),
            ada.post(sign).json(json!({"passphrase": SESAME})),
            ada.post(&query).json(json!({"passphrase": SESAME})).header("X-GPG-PASSPHRASE", SESAME),
        ];
        for form in forms {
            form.await.refuses(200, "success");
            assert!(is_signed(&gpg, &ada, "/ada/tools/cat.tar").await, "{sign}");
            ada.delete("/content/ada/tools/cat.tar.asc").await.expect(200);
        }
    }
    let publish = ada.post("/content/ada/tools/cat/1.0/publish").header("X-GPG-PASSPHRASE", SESAME);
    publish.await.expect(200);
    assert!(is_signed(&gpg, &house.anyone(), "/ada/tools/cat.tar").await);
    let publish = ada.put("/content/ada/tools/cat/1.0/dog.tar?publish=1").header("X-GPG-PASSPHRASE", SESAME);
    publish.body("woof").await.expect(201);
    assert!(is_signed(&gpg, &house.anyone(), "/ada/tools/dog.tar").await);
}

#[tokio::test]
async fn forms_that_disagree_and_values_that_are_no_text_are_refused_without_being_repeated() {
    let (_house, ada, _gpg) = locked_cat(SESAME).await;
    upload(&ada, "ada/tools/cat/1.0/cat.tar", "meow").await;
    let sign = "/gpg/ada/tools/cat.tar";
    let refusals = [
        ada.post(sign).header("X-GPG-PASSPHRASE", SESAME).json(json!({"passphrase": "417417"})),
        ada.post(&format!("{sign}?passphrase=417417")).header("X-GPG-PASSPHRASE", SESAME),
        ada.post(&format!("{sign}?passphrase=417417&passphrase=x")),
        ada.post(sign).header("X-GPG-PASSPHRASE", "417417").header("X-GPG-PASSPHRASE", "x"),
        ada.post(sign).json(json!({"passphrase": 417_417})),
        ada.post(sign).json(json!({"passphrase": ["417417"]})),
        ada.post(sign).json(json!({"private_key": "417417"})),
        ada.post(sign).json(json!({"private_key": {"417417": 1}})),
        ada.post(sign).body("{\"passphrase\": \"417417"),
    ];
    for refusal in refusals {
        let answer = refusal.await.expect(400);
        assert!(!answer.text().contains("417"), "{}", answer.text());
    }
    let missing = "passphrase: the GPG key needs one: send X-GPG-PASSPHRASE or a JSON body";
    ada.post(sign).await.refuses(400, missing);
    ada.post(sign).header("X-GPG-PASSPHRASE", "").json(json!({"passphrase": ""})).await.refuses(400, missing);
}

#[tokio::test]
async fn a_key_in_the_body_signs_and_is_kept_nowhere() {
    let (house, ada) = signing_cat().await;
    let gpg = Gpg::new();
    let open = gpg.private_key(NewKey { name: "visitor", ..NewKey::default() });
    let locked = gpg.private_key(NewKey { name: "guest", passphrase: "x y", ..NewKey::default() });
    upload_published(&ada, "ada/tools/cat/1.0/cat.tar", "meow").await;
    for body in [json!({"private_key": open}), json!({"private_key": locked, "passphrase": "x y"})] {
        ada.post("/gpg/ada/tools/cat.tar").json(body).await.refuses(200, "success");
        assert!(is_signed(&gpg, &house.anyone(), "/ada/tools/cat.tar").await);
    }
    upload(&ada, "ada/tools/cat/1.0/dog.tar", "woof").await;
    let publish = ada.post("/content/ada/tools/cat/1.0/publish").json(json!({"private_key": open}));
    publish.await.expect(200);
    assert!(is_signed(&gpg, &house.anyone(), "/ada/tools/dog.tar").await);
    ada.get("/users/ada/keys/gpg").await.expect(404);
    let wrong = json!({"private_key": locked, "passphrase": "x"});
    ada.post("/gpg/ada/tools/cat.tar").json(wrong).await.refuses(400, "passphrase: it does not open the GPG key");
}

#[tokio::test]
async fn another_subjects_key_signs_for_those_who_run_it() {
    let (house, ada) = signing_cat().await;
    let eve = house.user("eve").await;
    ada.post("/orgs").json(json!({"name": "acme"})).await.expect(201);
    ada.post("/orgs/acme/keys/gpg/generate").await.expect(201);
    eve.post("/users/eve/keys/gpg/generate").await.expect(201);
    upload_published(&ada, "ada/tools/cat/1.0/cat.tar", "meow").await;
    ada.post("/gpg/ada/tools/cat.tar").json(json!({"subject": "acme"})).await.refuses(200, "success");
    let gpg = Gpg::new();
    gpg.import(&read_key(&house, "/orgs/acme/keys/gpg/public.key").await);
    assert!(is_signed(&gpg, &house.anyone(), "/ada/tools/cat.tar").await);
    let before = read(&ada, "/ada/tools/cat.tar.asc").await;
    let sign = |subject: &str| ada.post("/gpg/ada/tools/cat.tar").json(json!({ "subject": subject }));
    sign("eve").await.refuses(403, "You may not do this");
    sign("nobody").await.refuses(404, "GPG key of 'nobody' was not found");
    sign("ada").await.refuses(404, "GPG key of 'ada' was not found");
    sign("no/name").await.expect(400);
    assert_eq!(read(&ada, "/ada/tools/cat.tar.asc").await, before);
}

#[tokio::test]
async fn a_key_in_the_body_has_to_be_the_one_whose_public_part_the_subject_shows() {
    let (house, ada, _gpg) = locked_cat("x y").await;
    upload_published_with(&ada, "x y").await;
    let other = Gpg::new().private_key(NewKey { name: "other", ..NewKey::default() });
    let body = json!({"subject": "ada", "private_key": other});
    let refusal = "private_key: it does not belong to the public key of 'ada'";
    ada.post("/gpg/ada/tools/cat.tar").json(body).await.refuses(400, refusal);
    drop(house);
}

#[tokio::test]
async fn without_the_flag_for_the_owners_key_the_servers_signs() {
    let (house, ada) = signing_cat().await;
    ada.post("/users/ada/keys/gpg/generate").await.expect(201);
    upload_published(&ada, "ada/tools/cat/1.0/cat.tar", "meow").await;
    let gpg = crate::signing::ring_of_server(&house).await;
    assert!(is_signed(&gpg, &house.anyone(), "/ada/tools/cat.tar").await);
    new_repo(&ada, "ada/more").await;
    new_package(&ada, "ada/more", "cat").await;
    let flags = json!({"gpg_sign_files": true, "gpg_use_owner_key": true});
    ada.patch("/repos/ada/more").json(flags).await.expect(200);
    upload_published(&ada, "ada/more/cat/1.0/cat.tar", "meow").await;
    assert!(!is_signed(&gpg, &house.anyone(), "/ada/more/cat.tar").await);
}

async fn upload_published_with(ada: &suite::Person, passphrase: &str) {
    let call = ada.put("/content/ada/tools/cat/1.0/cat.tar?publish=1").body("meow");
    call.header("X-GPG-PASSPHRASE", passphrase).await.expect(201);
}

async fn read_key(house: &suite::TestHouse, path: &str) -> String {
    house.anyone().get(path).await.expect(200).text()
}
