//! Files that programs look for on every site.

use serde_json::json;
use suite::TestHouse;

#[tokio::test]
async fn search_engines_read_pages_and_no_content() {
    let house = TestHouse::start().await;
    let robots = house.anyone().get("//robots.txt").await.expect(200);
    assert_eq!(robots.header("content-type"), "text/plain; charset=utf-8");
    assert!(robots.text().contains("Disallow: /dl/\n") && !robots.text().contains("Disallow: /\n"));
}

#[tokio::test]
async fn browsers_find_an_icon() {
    let house = TestHouse::start().await;
    let icon = house.anyone().get("//favicon.ico").await.expect(200);
    assert_eq!(icon.header("content-type"), "image/x-icon");
    assert_eq!(icon.body[..4], [0, 0, 1, 0]);
}

#[tokio::test]
async fn people_who_find_a_hole_find_the_contact_if_it_is_set() {
    let house = TestHouse::start().await;
    house.anyone().get("//.well-known/security.txt").await.expect(404);

    let settings = [("security_contact", "mailto:a@example.com"), ("public_url", "https://packages.example.com")];
    let house = TestHouse::start_with(&settings).await;
    let text = house.anyone().get("//.well-known/security.txt").await.expect(200).text();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "Contact: mailto:a@example.com");
    assert!(lines[1].starts_with("Expires: 20") && lines[1].ends_with('Z'), "{text}");
    assert_eq!(lines[2], "Canonical: https://packages.example.com/.well-known/security.txt");
}

#[tokio::test]
async fn nobody_takes_the_names_of_these_files() {
    let house = TestHouse::start().await;
    for name in ["robots.txt", "favicon.ico"] {
        house.admin().post("/users").json(json!({"name": name, "email": "a@example.com"})).await.expect(400);
    }
}
