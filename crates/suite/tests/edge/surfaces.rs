//! The choice of the surface: by path, by version, by host.

use suite::TestHouse;

const HOSTS: [(&str, &str); 3] = [
    ("public_url", "https://packages.example.com"),
    ("api_host", "api.example.com"),
    ("download_host", "dl.example.com"),
];

#[tokio::test]
async fn the_api_answers_the_same_with_and_without_its_version() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    for path in ["/users/ada", "/users/nobody", "/audit", "/nothing", "/orgs/acme", "/openapi.json", "/docs"] {
        let (latest, first) = (ada.get(path).await, ada.get(&format!("/v1{path}")).await);
        assert_eq!((latest.status, latest.body), (first.status, first.body), "{path}");
    }
}

#[tokio::test]
async fn other_versions_and_surfaces_do_not_answer_for_the_api() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    for path in
        ["/v2/users/ada", "/v1/v1/users/ada", "//v1/users/ada", "//users/ada", "//dl/users/ada", "/API/users/ada"]
    {
        ada.get(path).await.expect(404);
    }
}

#[tokio::test]
async fn the_api_host_serves_the_api_at_its_root() {
    let house = TestHouse::start_with(&HOSTS).await;
    let ada = house.user("ada").await;
    let plain = ada.get("/users/ada").await.expect(200).body;
    for (host, path) in [
        ("api.example.com", "//users/ada"),
        ("API.Example.COM:8443", "//v1/users/ada"),
        ("api.example.com", "/users/ada"),
        ("api.example.com", "/v1/users/ada"),
        ("other.example.com", "/users/ada"),
    ] {
        assert_eq!(ada.get(path).header("host", host).await.expect(200).body, plain, "{host} {path}");
    }
    ada.get("//users/ada").header("host", "other.example.com").await.expect(404);
    ada.get("//users/ada").header("host", "evil.api.example.com").await.expect(404);
    ada.get("//users/ada").header("host", "api.example.com.evil").await.expect(404);
}

#[tokio::test]
async fn the_download_host_serves_downloads_only() {
    let house = TestHouse::start_with(&HOSTS).await;
    let ada = house.user("ada").await;
    for path in ["//users/ada", "/users/ada", "/v1/users/ada", "/docs", "/openapi.json", "//"] {
        let answer = ada.get(path).header("host", "dl.example.com").await;
        assert!(!answer.text().contains("full_name"), "{path}: {}", answer.text());
        assert_ne!(answer.status, 200, "{path}: {}", answer.text());
    }
}

#[tokio::test]
async fn every_host_tells_its_health() {
    let house = TestHouse::start_with(&HOSTS).await;
    for host in ["api.example.com", "dl.example.com", "packages.example.com", "10.1.2.3:8080", "[::1]:8080"] {
        house.anyone().get("//livez").header("host", host).await.expect(200);
        house.anyone().get("//readyz").header("host", host).await.expect(200);
    }
}

#[tokio::test]
async fn what_the_docs_page_needs_is_on_its_host_too() {
    let house = TestHouse::start_with(&HOSTS).await;
    let at = |path: &str| house.anyone().get(&format!("/{path}")).header("host", "api.example.com");
    let page = at("/docs").await.expect(200).text();
    for address in crate::docs::references(&page).into_iter().filter(|address| address.starts_with('/')) {
        at(&address).await.expect(200);
    }
}

#[tokio::test]
async fn links_come_from_the_settings_and_never_from_the_request() {
    let house = TestHouse::start_with(&[("public_url", "https://packages.example.com/")]).await;
    for path in ["//", "/docs", "/openapi.json"] {
        let call = house.anyone().get(path).header("host", "evil.example.net").header("x-forwarded-host", "evil");
        let text = call.header("forwarded", "host=evil;proto=http").await.expect(200).text();
        assert!(text.contains("https://packages.example.com/api"), "{path}: {text}");
        assert!(!text.contains("evil"), "{path}: {text}");
    }
}

#[tokio::test]
async fn links_name_the_host_of_their_surface() {
    let house = TestHouse::start_with(&HOSTS).await;
    let description = house.anyone().get("/openapi.json").await.expect(200).json();
    assert_eq!(description["servers"][0]["url"], "https://api.example.com");
    assert!(house.anyone().get("//").await.expect(200).text().contains("https://dl.example.com"));
}
