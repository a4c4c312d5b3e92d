//! A right that is revoked on one server is refused by the other at once, even for cached responses.
//!
//! An embedded database has one server, which then plays both roles.

use serde_json::json;
use suite::{Call, Log, Person, TestHouse};

use crate::{
    access::grants::{entitle, new_key, new_product, new_team, permit},
    catalogue::{new_package, new_private_repo},
    content::upload_published,
};

const FILE: &str = "/ada/vault/cat.bin";

/// The maximum number of downloads until one is answered from the cache.
pub(crate) const TRIES: usize = 100;

/// Two servers, if the stack allows them, and ada's private file.
struct Servers {
    log: Log,
    first: TestHouse,
    second: Option<TestHouse>,
    ada: Person,
}

impl Servers {
    async fn start() -> Self {
        let log = Log::listen();
        let first = TestHouse::start().await;
        let second = first.start_another().await;
        let ada = first.user("ada").await;
        first.admin().put("/subjects/ada/plan").json(json!({"plan": "enterprise"})).await.expect(200);
        new_private_repo(&ada, "ada/vault").await;
        new_package(&ada, "ada/vault", "cat").await;
        upload_published(&ada, "ada/vault/cat/1.0/cat.bin", "meow").await;
        Self { log, first, second, ada }
    }

    /// Returns the server that only receives invalidations.
    fn other(&self) -> &TestHouse {
        self.second.as_ref().unwrap_or(&self.first)
    }

    /// Returns the same person at the other server.
    fn there(&self, who: &Person) -> Person {
        self.other().person(who.name(), who.key())
    }

    /// Creates a key that reads the repository, for the other server, and returns it with the id of its entitlement.
    async fn client(&self) -> (Person, String) {
        let client = new_key(&self.first, "ada", "client").await;
        let body = json!({"access": "r", "access_keys": ["client"]});
        let id = entitle(&self.ada, "/repos/ada/vault", body).await;
        (self.there(&client), format!("/repos/ada/vault/entitlements/{id}"))
    }

    /// Downloads a file until a response has no log line, as only cached responses do.
    async fn warm(&self, who: &Person, file: &str) {
        let line = format!("answered GET /dl{file} with 200");
        for _ in 0..TRIES {
            let before = self.log.count(&line);
            assert_eq!(who.download(file).await.expect(200).text(), "meow");
            if self.log.count(&line) == before {
                return;
            }
        }
        panic!("no answer to {file} is kept");
    }

    /// Caches the response, makes the change, and asserts that the other server then refuses.
    async fn refuses_after(&self, change: Call, who: &Person, file: &str, status: u16) {
        self.warm(who, file).await;
        let done = change.await;
        assert!(matches!(done.status, 200 | 201), "{}", done.text());
        who.download(file).await.expect(status);
    }
}

#[tokio::test]
async fn a_key_with_a_new_password_is_refused_with_its_old_one() {
    let servers = Servers::start().await;
    let (client, _) = servers.client().await;
    let change = servers.ada.post("/users/ada/access_keys/client/password");
    servers.refuses_after(change, &client, FILE, 401).await;
}

#[tokio::test]
async fn a_key_that_was_deleted_is_refused() {
    let servers = Servers::start().await;
    let (client, _) = servers.client().await;
    let change = servers.ada.delete("/users/ada/access_keys/client");
    servers.refuses_after(change, &client, FILE, 401).await;
}

#[tokio::test]
async fn a_token_that_was_revoked_is_refused() {
    let servers = Servers::start().await;
    let new = json!({"name": "ci", "scopes": ["read"]});
    let made = servers.ada.post("/users/ada/tokens").json(new).await.expect(201).json();
    let robot = servers.other().person("ada", made["token"].as_str().expect("a token"));
    let change = servers.ada.delete(&format!("/users/ada/tokens/{}", made["id"].as_str().expect("an id")));
    servers.refuses_after(change, &robot, FILE, 401).await;
}

#[tokio::test]
async fn a_key_whose_entitlement_was_deleted_finds_nothing() {
    let servers = Servers::start().await;
    let (client, entitlement) = servers.client().await;
    let change = servers.ada.delete(&entitlement);
    servers.refuses_after(change, &client, FILE, 404).await;
}

#[tokio::test]
async fn a_team_whose_permission_was_taken_away_finds_nothing() {
    let servers = Servers::start().await;
    let (ada, mike) = (&servers.ada, servers.first.user("mike").await);
    ada.post("/orgs").json(json!({"name": "acme"})).await.expect(201);
    crate::access::acme::set_member(ada, "acme", "mike", "member").await;
    new_private_repo(ada, "acme/vault").await;
    new_package(ada, "acme/vault", "cat").await;
    upload_published(ada, "acme/vault/cat/1.0/cat.bin", "meow").await;
    new_team(ada, "acme", "devs", &["mike"]).await;
    permit(ada, "acme/vault", "devs", "read").await;
    let (mike, file) = (servers.there(&mike), "/acme/vault/cat.bin");
    let change = ada.delete("/repos/acme/vault/permissions/devs");
    servers.refuses_after(change, &mike, file, 404).await;
}

#[tokio::test]
async fn a_repository_that_turns_private_is_closed_to_everyone() {
    let servers = Servers::start().await;
    servers.ada.patch("/repos/ada/vault").json(json!({"private": false})).await.expect(200);
    let anyone = servers.other().anyone();
    let change = servers.ada.patch("/repos/ada/vault").json(json!({"private": true}));
    servers.refuses_after(change, &anyone, FILE, 401).await;
}

#[tokio::test]
async fn a_network_that_is_closed_out_is_refused() {
    let servers = Servers::start().await;
    let (client, _) = servers.client().await;
    let body = json!({"black_cidrs": ["127.0.0.0/8"]});
    let change = servers.ada.put("/repos/ada/vault/ip_restrictions").json(body);
    servers.refuses_after(change, &client, FILE, 403).await;
}

#[tokio::test]
async fn a_country_that_is_not_on_the_list_is_refused() {
    let servers = Servers::start().await;
    let (client, _) = servers.client().await;
    let change = servers.ada.put("/repos/ada/vault/geo_restrictions").json(json!({"white_list": ["DE"]}));
    servers.refuses_after(change, &client, FILE, 403).await;
}

#[tokio::test]
async fn a_key_that_has_to_agree_to_something_new_is_refused() {
    let servers = Servers::start().await;
    new_product(&servers.first, "ada", "suite", &["vault/cat"]).await;
    let (client, _) = servers.client().await;
    let eula = json!({"name": "terms", "syntax": "plain_text", "content": "Be kind", "default": true});
    let change = servers.ada.post("/products/ada/suite/eulas").json(eula);
    servers.refuses_after(change, &client, FILE, 403).await;
}

#[tokio::test]
async fn a_signed_address_is_refused_after_a_new_pair_of_keys() {
    let servers = Servers::start().await;
    let signed = servers.ada.post("/signed_url/ada/vault/cat.bin").await.expect(200).json();
    let query = signed["url"].as_str().and_then(|url| url.split_once('?')).expect("an address with a query").1;
    let (anyone, file) = (servers.other().anyone(), format!("{FILE}?{query}"));
    anyone.download(&file).await.expect(200);
    servers.refuses_after(servers.ada.post("/subjects/ada/keypair"), &anyone, &file, 403).await;
}
