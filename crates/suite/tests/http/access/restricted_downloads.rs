//! Downloads from disallowed origins.

use reqwest::header::HeaderMap;
use serde_json::json;
use suite::{Answer, Call, Person, TestHouse, country_file};

use crate::{
    catalogue::{new_package, new_private_repo, new_repo},
    content::{MEOW_SHA256, upload_published},
};

const FILE: &str = "/ada/tools/cat/cat.bin";
const REFUSED: &str = "Downloads from this repository are not allowed from your network or country";

/// IP addresses of the test's country file: one in Germany, one in France, one in no country.
const GERMAN: &str = "198.51.100.7";
const FRENCH: &str = "203.0.113.7";
const NOWHERE: &str = "192.0.2.7";

/// A house behind a proxy on this machine, with a country file.
struct Placed {
    house: TestHouse,
    ada: Person,
    file: tempfile::NamedTempFile,
}

impl Placed {
    async fn start() -> Self {
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), country_file(&[("198.51.100.0/24", "DE"), ("203.0.113.0/24", "FR")]))
            .expect("written");
        let path = file.path().display().to_string();
        let settings =
            [("trusted_proxies", "127.0.0.1/32"), ("geo.database", &path), ("geo.country_header", "CF-IPCountry")];
        let house = TestHouse::start_with(&settings).await;
        let admin = house.admin();
        let created = admin
            .post("/users")
            .header("x-forwarded-proto", "https")
            .json(json!({"name": "ada", "plan": "enterprise"}));
        let key = created.await.expect(201).json()["api_key"].as_str().expect("a key").to_owned();
        let ada = house.person("ada", &key);
        let placed = Self { house, ada, file };
        placed.by_ada("POST", "/repos/ada/tools", "{}").await.expect(201);
        placed.by_ada("POST", "/packages/ada/tools", r#"{"name":"cat"}"#).await.expect(201);
        placed.by_ada("PUT", "/content/ada/tools/cat/1.0/cat/cat.bin?publish=1", "meow").await.expect(201);
        placed
    }

    /// Returns a call by ada from an unknown location.
    fn by_ada(&self, method: &str, path: &str, body: &'static str) -> Call {
        let call = self.ada.call(method.parse().expect("a method"), path).body(body);
        call.header("x-forwarded-proto", "https").header("x-forwarded-for", NOWHERE)
    }

    async fn restrict(&self, body: &'static str) {
        self.by_ada("PUT", "/repos/ada/tools/geo_restrictions", body).await.expect(200);
    }

    fn from(&self, address: &str) -> Call {
        self.house.anyone().download(FILE).header("x-forwarded-for", address)
    }

    async fn seen(&self) -> [u16; 3] {
        [self.from(GERMAN).await.status, self.from(FRENCH).await.status, self.from(NOWHERE).await.status]
    }
}

#[tokio::test]
async fn countries_are_let_in_by_the_file() {
    let placed = Placed::start().await;
    assert_eq!(placed.seen().await, [200; 3]);
    placed.restrict(r#"{"white_list":["DE"]}"#).await;
    assert_eq!(placed.seen().await, [200, 403, 403]);
    placed.from(FRENCH).await.refuses(403, REFUSED);
    placed.restrict(r#"{"black_list":["DE"]}"#).await;
    assert_eq!(placed.seen().await, [403, 200, 200]);
    placed.by_ada("DELETE", "/repos/ada/tools/geo_restrictions", "").await.expect(200);
    assert_eq!(placed.seen().await, [200; 3]);
}

#[tokio::test]
async fn what_a_proxy_tells_goes_before_the_file() {
    let placed = Placed::start().await;
    placed.restrict(r#"{"white_list":["DE"]}"#).await;
    placed.from(NOWHERE).header("cf-ipcountry", "de").await.expect(200);
    placed.from(GERMAN).header("cf-ipcountry", "FR").await.expect(403);
    // An invalid country is ignored, and a repeated header is too, because the client may have sent it.
    placed.from(GERMAN).header("cf-ipcountry", "XX").await.expect(200);
    placed.from(NOWHERE).header("cf-ipcountry", "DE").header("cf-ipcountry", "DE").await.expect(403);
}

#[tokio::test]
async fn a_country_header_of_a_stranger_is_not_believed() {
    let house =
        TestHouse::start_with(&[("trusted_proxies", "192.0.2.0/24"), ("geo.country_header", "cf-ipcountry")]).await;
    let ada = house.user("ada").await;
    house.admin().put("/subjects/ada/plan").json(json!({"plan": "enterprise"})).await.expect(200);
    new_repo(&ada, "ada/tools").await;
    new_package(&ada, "ada/tools", "cat").await;
    upload_published(&ada, "ada/tools/cat/1.0/cat/cat.bin", "meow").await;
    ada.put("/repos/ada/tools/geo_restrictions").json(json!({"white_list": ["DE"]})).await.expect(200);
    house.anyone().download(FILE).header("cf-ipcountry", "DE").await.refuses(403, REFUSED);
}

#[tokio::test]
async fn a_file_of_countries_that_changes_is_read_again() {
    let placed = Placed::start().await;
    placed.restrict(r#"{"white_list":["DE"]}"#).await;
    let reload = || placed.house.apps().map(|app| app.house().geo.reload_if_changed()).collect::<Vec<_>>();
    std::fs::write(placed.file.path(), b"nonsense").expect("written");
    assert!(reload().iter().all(Result::is_err), "a damaged file is a failure of the job");
    assert_eq!(placed.seen().await, [200, 403, 403]);
    std::fs::write(placed.file.path(), country_file(&[("192.0.2.0/24", "DE")])).expect("written");
    assert!(reload().iter().all(Result::is_ok));
    assert_eq!(placed.seen().await, [403, 403, 200]);
}

#[tokio::test]
async fn downloads_are_counted_by_country() {
    let placed = Placed::start().await;
    for address in [GERMAN, GERMAN, FRENCH, NOWHERE] {
        placed.from(address).await.expect(200);
    }
    placed.from(NOWHERE).header("cf-ipcountry", "JP").await.expect(200);
    placed.house.flush().await;
    let shown = placed.house.admin().get("/packages/ada/tools/cat/stats/country_downloads").await.expect(200).json();
    let count = |country: &str, count: i64| json!({ "country": country, "count": count });
    assert_eq!(shown["records"], json!([count("DE", 2), count("FR", 1), count("JP", 1), count("ZZ", 1)]));
}

/// Starts a house with `ada/tools`, and two people without rights in it. The tests connect from this machine.
async fn local() -> (TestHouse, Person) {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    new_repo(&ada, "ada/tools").await;
    new_package(&ada, "ada/tools", "cat").await;
    upload_published(&ada, "ada/tools/cat/1.0/cat/cat.bin", "meow").await;
    (house, ada)
}

async fn close(by: &Person, repo: &str) {
    by.put(&format!("/repos/{repo}/ip_restrictions")).json(json!({"black_cidrs": ["127.0.0.0/8"]})).await.expect(200);
}

async fn open(by: &Person, repo: &str) {
    by.delete(&format!("/repos/{repo}/ip_restrictions")).await.expect(200);
}

#[tokio::test]
async fn every_way_to_a_file_is_closed_for_everyone_and_management_stays_open() {
    let (house, ada) = local().await;
    let signed = ada.get("/content/ada/tools/cat/cat.bin?svc_package=cat").await.expect(302);
    let (_, signed) = signed.header("location").split_once("/dl").expect("a download");
    house.anyone().download(signed).await.expect(200);
    close(&ada, "ada/tools").await;
    for who in [&house.anyone(), &ada, &house.admin()] {
        for path in [FILE, "/ada/tools/cat/cat.bin.sha1", "/ada/tools/", "/ada/tools/cat/", "/ada/tools/none", signed] {
            who.download(path).await.refuses(403, REFUSED);
        }
        who.head(&format!("//dl{FILE}")).await.expect(403);
        who.download(FILE).header("range", "bytes=0-1").await.expect(403);
        who.get("/content/ada/tools/cat/cat.bin?svc_package=cat").await.refuses(403, REFUSED);
    }
    ada.get("/packages/ada/tools/cat/files").await.expect(200);
    upload_published(&ada, "ada/tools/cat/1.0/cat/more.bin", "purr").await;
    open(&ada, "ada/tools").await;
    house.anyone().download(FILE).await.expect(200);
}

#[tokio::test]
async fn a_copy_by_checksum_is_no_way_around_a_rule() {
    let (_house, ada) = local().await;
    new_repo(&ada, "ada/copies").await;
    new_package(&ada, "ada/copies", "cat").await;
    let copy = || {
        let call = ada.put("/content/ada/copies/cat/1.0/copy.bin").header("x-checksum-deploy", "true");
        call.header("x-checksum-sha2", MEOW_SHA256)
    };
    close(&ada, "ada/tools").await;
    copy().await.refuses(404, &format!("Content '{MEOW_SHA256}' was not found"));
    open(&ada, "ada/tools").await;
    copy().await.expect(201);
}

#[tokio::test]
async fn kept_answers_are_held_against_the_rules_at_once() {
    let (house, ada) = local().await;
    for _ in 0..3 {
        house.anyone().download(FILE).await.expect(200);
        ada.download(FILE).await.expect(200);
    }
    close(&ada, "ada/tools").await;
    house.anyone().download(FILE).await.refuses(403, REFUSED);
    ada.download(FILE).await.refuses(403, REFUSED);
    ada.put("/repos/ada/tools/ip_restrictions").json(json!({"white_cidrs": ["127.0.0.1"]})).await.expect(200);
    for _ in 0..3 {
        let answer = house.anyone().download(FILE).await.expect(200);
        assert_eq!(answer.header("cache-control"), "private, no-cache, no-transform");
    }
}

/// A response that is cached for one IP address is not used for another.
#[tokio::test]
async fn a_kept_answer_is_not_for_every_address() {
    let house = TestHouse::start_with(&[("listen", "[::]:0")]).await;
    let ada = house.user("ada").await;
    new_repo(&ada, "ada/tools").await;
    new_package(&ada, "ada/tools", "cat").await;
    upload_published(&ada, "ada/tools/cat/1.0/cat/cat.bin", "meow").await;
    ada.put("/repos/ada/tools/ip_restrictions").json(json!({"white_cidrs": ["::1"]})).await.expect(200);
    let client = reqwest::Client::builder().no_proxy().build().expect("a client");
    let port = house.address.port();
    let ask = async |host: &str| {
        let sent = client.get(format!("http://{host}:{port}/dl{FILE}")).send().await.expect("an answer");
        sent.status().as_u16()
    };
    for _ in 0..3 {
        assert_eq!((ask("[::1]").await, ask("127.0.0.1").await), (200, 403));
    }
}

#[tokio::test]
async fn a_link_is_bound_by_both_repositories() {
    let (house, ada) = local().await;
    let bob = house.user("bob").await;
    new_repo(&bob, "bob/mirror").await;
    bob.put("/repository/bob/mirror/links/ada/tools/cat").await.expect(201);
    let (linked, folder) = ("/bob/mirror/cat/cat.bin", "/bob/mirror/cat/");
    for _ in 0..3 {
        house.anyone().download(linked).await.expect(200);
    }
    close(&ada, "ada/tools").await;
    house.anyone().download(linked).await.refuses(403, REFUSED);
    house.anyone().download(folder).await.expect(404);
    open(&ada, "ada/tools").await;
    house.anyone().download(folder).await.expect(200);
    house.anyone().download(linked).await.expect(200);
    close(&bob, "bob/mirror").await;
    house.anyone().download(linked).await.refuses(403, REFUSED);
    house.anyone().download(folder).await.refuses(403, REFUSED);
    house.anyone().download(FILE).await.expect(200);
}

/// Returns everything of a response but the request id and the time.
fn comparable(answer: Answer) -> (u16, HeaderMap, String) {
    let mut headers = answer.headers.clone();
    assert!(headers.remove("x-request-id").is_some() && headers.remove("date").is_some());
    (answer.status, headers, answer.text().replace("absent", "secret"))
}

#[tokio::test]
async fn nobody_learns_from_a_rule_that_a_private_repository_is_there() {
    let (house, ada) = local().await;
    let eve = house.user("eve").await;
    new_private_repo(&ada, "ada/secret").await;
    new_package(&ada, "ada/secret", "cat").await;
    upload_published(&ada, "ada/secret/cat/1.0/cat.bin", "meow").await;
    close(&ada, "ada/secret").await;
    ada.download("/ada/secret/cat.bin").await.refuses(403, REFUSED);
    for who in [&house.anyone(), &eve] {
        for path in ["", "/cat.bin", "/cat.bin.sha1", "/none"] {
            let hidden = who.download(&format!("/ada/secret{path}")).await;
            let missing = who.download(&format!("/ada/absent{path}")).await;
            assert_eq!(comparable(hidden), comparable(missing), "{path}");
        }
    }
}
