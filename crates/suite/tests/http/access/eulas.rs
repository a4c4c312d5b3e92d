//! Agreements: which one applies to a file, and what a key has to do before it downloads.

use serde_json::{Value, json};
use suite::{Person, TestHouse};

use crate::{
    access::{
        grants::{entitle, new_key},
        products::pets,
    },
    catalogue::new_repo,
    content::upload_published,
};

pub(crate) const EULAS: &str = "/products/ada/suite/eulas";
const FILE: &str = "/ada/secret/dog.bin";
const ACCEPT: &str = "/products/ada/suite/eulas/terms/accept";

/// A house whose product `suite` contains `ada/secret/dog` with version 1.0 and a default agreement, and a key for it.
pub(crate) struct Sold {
    pub(crate) house: TestHouse,
    pub(crate) ada: Person,
    pub(crate) key: Person,
}

impl Sold {
    pub(crate) async fn start() -> Self {
        let (house, ada) = pets().await;
        upload_published(&ada, "ada/secret/dog/1.0/dog.bin", "woof").await;
        let product = json!({"name": "suite", "display_name": "The Suite", "packages": ["secret/dog"]});
        ada.post("/products/ada").json(product).await.expect(201);
        let eula = json!({"name": "terms", "syntax": "plain_text", "content": "Be kind <b>", "default": true});
        ada.post(EULAS).json(eula).await.expect(201);
        let key = new_key(&house, "ada", "guest").await;
        entitle(&ada, "/products/ada/suite", json!({"access": "r", "access_keys": ["guest"]})).await;
        Self { house, ada, key }
    }

    async fn accept(&self, version: &str) {
        self.key.post(ACCEPT).json(json!({ "version": version })).await.refuses(200, "success");
    }
}

/// Returns the error with the URL at which to agree.
fn owed(house: &TestHouse, product: &str, version: &str) -> String {
    format!(
        "The EULA of product '{product}' for version '{version}' has to be accepted before the download: \
         http://{}/eula/ada/{product}/{version}",
        house.address
    )
}

#[tokio::test]
async fn an_agreement_is_made_shown_changed_and_deleted() {
    let sold = Sold::start().await;
    let ada = &sold.ada;
    let body =
        json!({"name": "old terms", "syntax": "markdown", "content": "# Old", "versions": ["0.9", "0.8", "0.9"]});
    let made = ada.post(EULAS).json(body).await.expect(201).json();
    let old = json!({"name": "old terms", "syntax": "markdown", "content": "# Old", "default": false, "versions": ["0.8", "0.9"]});
    assert_eq!(made, old);
    assert_eq!(ada.get(&format!("{EULAS}/old%20terms")).await.expect(200).json(), old);
    let listed = json!([
        {"name": "old terms", "syntax": "markdown", "default": false, "versions": ["0.8", "0.9"]},
        {"name": "terms", "syntax": "plain_text", "default": true, "versions": []},
    ]);
    assert_eq!(ada.get(EULAS).await.expect(200).json(), listed);
    let change = json!({"content": "# Older", "default": true, "versions": ["0.8"]});
    ada.patch(&format!("{EULAS}/old%20terms")).json(change).await.refuses(200, "success");
    let listed = ada.get(EULAS).await.expect(200).json();
    assert_eq!((&listed[0]["default"], &listed[1]["default"]), (&json!(true), &json!(false)));
    assert_eq!(listed[0]["versions"], json!(["0.8"]));
    ada.delete(&format!("{EULAS}/old%20terms")).await.refuses(200, "success");
    ada.get(&format!("{EULAS}/old%20terms")).await.refuses(404, "EULA 'old terms' was not found");
}

#[tokio::test]
async fn agreements_that_do_not_fit_are_refused() {
    let sold = Sold::start().await;
    let ada = &sold.ada;
    let new = |change: Value| {
        let mut body = json!({"name": "more", "syntax": "plain_text", "content": "x"});
        body.as_object_mut().expect("fields").extend(change.as_object().expect("fields").clone());
        ada.post(EULAS).json(body)
    };
    new(json!({"name": "terms"})).await.refuses(409, "EULA 'terms' already exists");
    new(json!({"syntax": "html"})).await.refuses(400, "syntax: 'html' is not one of markdown, asciidoc, plain_text");
    new(json!({"syntax": null})).await.refuses(400, "syntax: it is required");
    new(json!({"content": null})).await.refuses(400, "content: it is required");
    new(json!({"content": " "})).await.refuses(400, "content: it is empty; give the text of the EULA");
    new(json!({"content": "\u{7}"})).await.refuses(400, "content: it holds a control character");
    for bad in
        [json!({"versions": ["a/b"]}), json!({"versions": "1.0"}), json!({"default": "yes"}), json!({"name": "a/b"})]
    {
        new(bad).await.expect(400);
    }
    ada.patch(&format!("{EULAS}/terms")).json(json!({"versions": ["1.0"]})).await.expect(200);
    new(json!({"versions": ["2.0", "1.0"]})).await.refuses(409, "Version '1.0' has the EULA 'terms' already");
    assert_eq!(ada.get(EULAS).await.expect(200).json().as_array().expect("a list").len(), 1);
    ada.post("/products/ada/none/eulas")
        .json(json!({"name": "x", "syntax": "plain_text", "content": "x"}))
        .await
        .expect(404);
}

#[tokio::test]
async fn a_key_downloads_once_it_has_agreed() {
    let sold = Sold::start().await;
    for _ in 0..3 {
        sold.key.download(FILE).await.refuses(403, &owed(&sold.house, "suite", "1.0"));
    }
    sold.key.download("/ada/secret/dog.bin.sha1").await.expect(403);
    sold.key.head(&format!("//dl{FILE}")).await.expect(403);
    let latest = "/content/ada/secret/dog.bin?svc_package=dog";
    sold.key.get(latest).await.refuses(403, &owed(&sold.house, "suite", "1.0"));
    sold.accept("1.0").await;
    sold.accept("1.0").await;
    for _ in 0..3 {
        assert_eq!(sold.key.download(FILE).await.expect(200).text(), "woof");
    }
    sold.key.get(latest).await.expect(302);
    // Neither the owner nor a site administrator has to agree.
    sold.ada.download(FILE).await.expect(200);
    sold.house.admin().download(FILE).await.expect(200);
}

#[tokio::test]
async fn a_changed_text_has_to_be_agreed_to_again() {
    let sold = Sold::start().await;
    sold.accept("1.0").await;
    for _ in 0..3 {
        sold.key.download(FILE).await.expect(200);
    }
    sold.ada.patch(&format!("{EULAS}/terms")).json(json!({"content": "Be kinder"})).await.expect(200);
    sold.key.download(FILE).await.expect(403);
    sold.accept("1.0").await;
    sold.key.download(FILE).await.expect(200);
    // An earlier agreement is valid again when its text returns.
    sold.ada.patch(&format!("{EULAS}/terms")).json(json!({"content": "Be kind <b>"})).await.expect(200);
    sold.key.download(FILE).await.expect(200);
}

#[tokio::test]
async fn what_binds_follows_products_and_agreements_at_once() {
    let sold = Sold::start().await;
    let seen = async || sold.key.download(FILE).await.status;
    assert_eq!(seen().await, 403);
    sold.ada.patch(&format!("{EULAS}/terms")).json(json!({"default": false})).await.expect(200);
    assert_eq!((seen().await, seen().await), (200, 200));
    sold.ada.patch(&format!("{EULAS}/terms")).json(json!({"versions": ["1.0"]})).await.expect(200);
    assert_eq!(seen().await, 403);
    sold.ada.delete(&format!("{EULAS}/terms")).await.expect(200);
    assert_eq!((seen().await, seen().await), (200, 200));
    let eula = json!({"name": "new", "syntax": "plain_text", "content": "x", "default": true});
    sold.ada.post(EULAS).json(eula).await.expect(201);
    assert_eq!(seen().await, 403);
    // The key has access to the package only through the product.
    sold.ada.delete("/products/ada/suite").await.expect(200);
    assert_eq!(seen().await, 404);
}

#[tokio::test]
async fn all_products_that_hold_a_package_bind() {
    let sold = Sold::start().await;
    sold.accept("1.0").await;
    sold.key.download(FILE).await.expect(200);
    sold.ada.post("/products/ada").json(json!({"name": "bundle", "packages": ["secret/dog"]})).await.expect(201);
    sold.key.download(FILE).await.expect(200);
    let eula = json!({"name": "more", "syntax": "plain_text", "content": "More", "versions": ["1.0"]});
    sold.ada.post("/products/ada/bundle/eulas").json(eula).await.expect(201);
    sold.key.download(FILE).await.refuses(403, &owed(&sold.house, "bundle", "1.0"));
    sold.key.post("/products/ada/bundle/eulas/more/accept").json(json!({"version": "1.0"})).await.expect(200);
    sold.key.download(FILE).await.expect(200);
    sold.ada.patch("/products/ada/bundle").json(json!({"packages": []})).await.expect(200);
    sold.key.post("/products/ada/bundle/eulas/more/accept").json(json!({"version": "1.0"})).await.expect(404);
}

#[tokio::test]
async fn a_key_is_bound_by_products_of_its_owner_alone() {
    let sold = Sold::start().await;
    upload_published(&sold.ada, "ada/tools/cat/1.0/cat.bin", "meow").await;
    sold.ada.patch("/products/ada/suite").json(json!({"packages": ["secret/dog", "tools/cat"]})).await.expect(200);
    let bob = sold.house.user("bob").await;
    new_repo(&bob, "bob/mirror").await;
    bob.put("/repository/bob/mirror/links/ada/tools/cat").await.expect(201);
    let (own, foreign) = (&sold.key, new_key(&sold.house, "bob", "guest").await);
    for file in ["/ada/tools/cat.bin", "/bob/mirror/cat.bin"] {
        own.download(file).await.refuses(403, &owed(&sold.house, "suite", "1.0"));
        foreign.download(file).await.expect(200);
    }
}

#[tokio::test]
async fn a_key_that_publishes_is_not_asked() {
    let sold = Sold::start().await;
    let publisher = new_key(&sold.house, "ada", "builder").await;
    entitle(&sold.ada, "/repos/ada/secret", json!({"access": "rw", "access_keys": ["builder"]})).await;
    publisher.download(FILE).await.expect(200);
}

#[tokio::test]
async fn a_link_is_no_way_around_an_agreement() {
    let sold = Sold::start().await;
    let reader = new_key(&sold.house, "ada", "reader").await;
    entitle(&sold.ada, "/repos/ada/secret", json!({"access": "r", "access_keys": ["reader"]})).await;
    sold.ada.put("/repository/ada/tools/links/ada/secret/dog").await.expect(201);
    reader.download("/ada/tools/dog.bin").await.refuses(403, &owed(&sold.house, "suite", "1.0"));
    reader.post(ACCEPT).json(json!({"version": "1.0"})).await.expect(200);
    reader.download("/ada/tools/dog.bin").await.expect(200);
}

#[tokio::test]
async fn only_a_key_that_may_read_the_product_agrees_and_only_to_what_binds() {
    let sold = Sold::start().await;
    let body = || json!({"version": "1.0"});
    sold.house.anyone().post(ACCEPT).json(body()).await.expect(401);
    sold.ada.post(ACCEPT).json(body()).await.refuses(403, "Only access keys have to agree to EULAs");
    let stranger = new_key(&sold.house, "ada", "stranger").await;
    stranger.post(ACCEPT).json(body()).await.refuses(404, "Product 'suite' was not found");
    sold.key
        .post("/products/bob/suite/eulas/terms/accept")
        .json(body())
        .await
        .refuses(404, "Product 'suite' was not found");
    sold.key.post(&format!("{EULAS}/none/accept")).json(body()).await.refuses(404, "EULA 'none' was not found");
    let not_bound = "version: EULA 'terms' does not bind version '9.9'";
    sold.key.post(ACCEPT).json(json!({"version": "9.9"})).await.refuses(400, not_bound);
    sold.key.post(ACCEPT).json(json!({})).await.expect(400);
    let eula = json!({"name": "special", "syntax": "plain_text", "content": "x", "versions": ["1.0"]});
    sold.ada.post(EULAS).json(eula).await.expect(201);
    let not_bound = "version: EULA 'terms' does not bind version '1.0'";
    sold.key.post(ACCEPT).json(body()).await.refuses(400, not_bound);
    assert_eq!(sold.ada.get("/products/ada/suite/signed_eulas").await.expect(200).json(), json!([]));
}

#[tokio::test]
async fn who_has_agreed_is_listed_for_managers_and_audited() {
    let sold = Sold::start().await;
    sold.accept("1.0").await;
    let page = sold.ada.get("/products/ada/suite/signed_eulas").await.expect(200);
    let signed = json!([{
        "eula": "terms", "version": "1.0", "username": "guest@ada", "accepted": "2026-01-15T12:00:00.000Z",
        "address": "127.0.0.1",
    }]);
    assert_eq!(page.json(), signed);
    let range = |name: &str| page.header(&format!("x-rangelimit-{name}")).to_owned();
    assert_eq!((range("total"), range("startpos"), range("endpos")), ("1".into(), "0".into(), "0".into()));
    let past = sold.ada.get("/products/ada/suite/signed_eulas?start_pos=1").await.expect(200);
    assert_eq!((past.json(), past.header("x-rangelimit-total")), (json!([]), "1"));
    sold.key.get("/products/ada/suite/signed_eulas").await.expect(403);
    let entries = sold.house.admin().get("/audit").await.expect(200).json();
    let entry = &entries[0];
    assert_eq!((&entry["action"], &entry["actor"]), (&json!("eula.accept"), &json!("guest@ada")));
    assert_eq!((&entry["target"], &entry["detail"]), (&json!("ada/suite"), &json!("terms for 1.0")));
    assert_eq!(entries[1]["action"], "entitlement.create");
}

#[tokio::test]
async fn the_agreement_of_a_file_is_shown_to_its_readers() {
    let sold = Sold::start().await;
    let path = "/file_eula/ada/secret/dog.bin";
    let bound = json!({"name": "terms", "product": "suite", "version": "1.0", "syntax": "plain_text", "content": "Be kind <b>"});
    assert_eq!(sold.key.get(path).await.expect(200).json(), bound);
    assert_eq!(sold.ada.get(path).await.expect(200).json(), bound);
    let eve = sold.house.user("eve").await;
    eve.get(path).await.refuses(404, "Repository 'secret' was not found");
    sold.house.anyone().get(path).await.refuses(404, "Repository 'secret' was not found");
    sold.ada.get("/file_eula/ada/secret/none.bin").await.refuses(404, "File 'none.bin' was not found");
    upload_published(&sold.ada, "ada/tools/cat/1.0/cat.bin", "meow").await;
    sold.ada.get("/file_eula/ada/tools/cat.bin").await.refuses(404, "EULA of file 'cat.bin' was not found");
}
