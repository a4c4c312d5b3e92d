//! Images of readmes, which the server fetches and caches, and badges, which it draws.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use serde_json::json;
use suite::{Answer, Person, TestHouse};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};

const PNG: &[u8] = b"\x89PNG\r\n\x1a\nnot much of a picture";

const SVG: &[u8] = b"<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>";

/// A site with images, which counts its requests.
struct Site {
    address: String,
    requests: Arc<AtomicUsize>,
}

impl Site {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = format!("http://{}", listener.local_addr().expect("bound"));
        let requests = Arc::new(AtomicUsize::new(0));
        let counted = requests.clone();
        tokio::spawn(async move {
            while let Ok((mut connection, _)) = listener.accept().await {
                counted.fetch_add(1, Ordering::Relaxed);
                let mut head = [0; 4096];
                let read = connection.read(&mut head).await.unwrap_or_default();
                let path = String::from_utf8_lossy(&head[..read]).split(' ').nth(1).unwrap_or_default().to_owned();
                let (status, body) = match path.as_str() {
                    "/a.png" => ("200 OK", PNG.to_vec()),
                    "/badge.svg" => ("200 OK", SVG.to_vec()),
                    "/page.png" => ("200 OK", b"<html>hello</html>".to_vec()),
                    "/large.png" => ("200 OK", [PNG, &vec![0; 5 << 20]].concat()),
                    "/moved.png" => ("302 Found\r\nlocation: /a.png", Vec::new()),
                    "/inside.png" => ("302 Found\r\nlocation: http://169.254.169.254/a.png", Vec::new()),
                    "/round.png" => ("302 Found\r\nlocation: /round.png", Vec::new()),
                    _ => ("404 Not Found", Vec::new()),
                };
                let head =
                    format!("HTTP/1.1 {status}\r\ncontent-type: text/html\r\ncontent-length: {}\r\n", body.len());
                let _ = connection.write_all(&[head.as_bytes(), b"connection: close\r\n\r\n", &body].concat()).await;
            }
        });
        Self { address, requests }
    }
}

/// Stores a readme with these images, and returns the URLs of the images on the package's page.
async fn images(house: &TestHouse, ada: &Person, site: &Site, names: &[&str]) -> Vec<String> {
    ada.post("/repos/ada/tools").json(json!({})).await;
    ada.post("/packages/ada/tools").json(json!({ "name": "cat", "licenses": ["MIT"] })).await;
    let lines: Vec<String> = names.iter().map(|name| format!("![{name}]({}/{name})", site.address)).collect();
    let readme = json!({ "syntax": "markdown", "content": lines.join("\n\n") });
    ada.post("/packages/ada/tools/cat/readme").json(readme).await.expect(200);
    let page = house.browser().open("/ada/tools/cat").await.expect(200).text();
    let sources = page.split("<img src=\"").skip(1).filter_map(|rest| rest.split('"').next());
    sources.map(|source| source.replace("&amp;", "&")).collect()
}

async fn load(house: &TestHouse, source: &str) -> Answer {
    house.anyone().get(&format!("/{source}")).await
}

#[tokio::test]
async fn an_image_of_a_readme_comes_from_the_server_and_is_fetched_once() {
    let house = TestHouse::start_with(&[("outgoing.allow_private", "true")]).await;
    let (ada, site) = (house.user("ada").await, Site::start().await);
    let sources = images(&house, &ada, &site, &["a.png", "moved.png", "badge.svg"]).await;
    assert_eq!((sources.len(), site.requests.load(Ordering::Relaxed)), (3, 0));
    for (source, kind, content) in
        [(&sources[0], "image/png", PNG), (&sources[1], "image/png", PNG), (&sources[2], "image/svg+xml", SVG)]
    {
        let image = load(&house, source).await.expect(200);
        assert_eq!((image.header("content-type"), &image.body[..]), (kind, content));
        let policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
        assert_eq!(
            (image.header("content-security-policy"), image.header("x-content-type-options")),
            (policy, "nosniff")
        );
        assert_eq!(image.header("cache-control"), "public, max-age=86400");
    }
    let fetched = site.requests.load(Ordering::Relaxed);
    for _ in 0..2 * house.apps().count() {
        load(&house, &sources[0]).await.expect(200);
    }
    let more = site.requests.load(Ordering::Relaxed) - fetched;
    assert!(more < house.apps().count(), "each node fetches it once");
}

#[tokio::test]
async fn only_what_a_rendered_text_names_is_fetched() {
    let house = TestHouse::start_with(&[("outgoing.allow_private", "true")]).await;
    let (ada, site) = (house.user("ada").await, Site::start().await);
    let source = &images(&house, &ada, &site, &["a.png"]).await[0];
    for other in [
        source.replace("a.png", "badge.svg"),
        source.replace("signature=", "signature=0"),
        format!("/-/image?url={}/a.png", site.address),
        "/-/image".to_owned(),
    ] {
        load(&house, &other).await.expect(404);
    }
    assert_eq!(site.requests.load(Ordering::Relaxed), 0);
}

#[tokio::test]
async fn what_is_no_small_image_of_a_public_address_is_not_served() {
    let house = TestHouse::start_with(&[("outgoing.allow_private", "true")]).await;
    let (ada, site) = (house.user("ada").await, Site::start().await);
    let names = ["page.png", "large.png", "inside.png", "round.png", "absent.png"];
    for source in images(&house, &ada, &site, &names).await {
        load(&house, &source).await.expect(503);
    }
    let strict = TestHouse::start().await;
    let ada = strict.user("ada").await;
    let before = site.requests.load(Ordering::Relaxed);
    load(&strict, &images(&strict, &ada, &site, &["a.png"]).await[0]).await.expect(503);
    assert_eq!(site.requests.load(Ordering::Relaxed), before);
}

#[tokio::test]
async fn a_setting_turns_images_off() {
    let house = TestHouse::start_with(&[("outgoing.allow_private", "true")]).await;
    let (ada, site) = (house.user("ada").await, Site::start().await);
    let source = images(&house, &ada, &site, &["a.png"]).await.remove(0);
    let house = house.restart_with(&[("readme_images.enabled", "false")]).await;
    let page = house.browser().open("/ada/tools/cat").await.expect(200).text();
    assert!(page.contains("a.png") && !page.contains("<img"), "the alternative text is shown");
    load(&house, &source).await.expect(404);
}

#[tokio::test]
async fn badges_show_what_their_reader_may_see() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    ada.post("/repos/ada/tools").json(json!({})).await.expect(201);
    ada.post("/repos/ada/secret").json(json!({ "private": true })).await.expect(201);
    for repo in ["tools", "secret"] {
        let new = json!({ "name": "cat", "licenses": ["MIT"], "public_download_numbers": true });
        ada.post(&format!("/packages/ada/{repo}")).json(new).await.expect(201);
        ada.put(&format!("/content/ada/{repo}/cat/1.5/cat.txt?publish=1")).body("meow").await.expect(201);
    }
    for (name, text) in [("version", "1.5"), ("downloads", "0 in 30 days"), ("license", "MIT")] {
        let badge = load(&house, &format!("/-/badge/ada/tools/cat/{name}.svg")).await.expect(200);
        assert!(badge.header("content-type").starts_with("image/svg+xml") && badge.text().contains(text), "{name}");
        assert_eq!(badge.header("cache-control"), "public, max-age=300");
        let path = format!("/-/badge/ada/secret/cat/{name}.svg");
        let [hidden, missing] = [path.clone(), path.replace("secret", "absent")];
        let (hidden, missing) = (load(&house, &hidden).await.expect(404), load(&house, &missing).await.expect(404));
        assert_eq!(hidden.text(), missing.text().replace("absent", "secret"));
        let own = ada.get(&format!("/{path}")).await.expect(200);
        assert_eq!(own.header("cache-control"), "private, max-age=300");
    }
    let readme = json!({ "syntax": "markdown", "content": "![v](/-/badge/ada/tools/cat/version.svg)" });
    ada.post("/packages/ada/tools/cat/readme").json(readme).await.expect(200);
    let page = house.browser().open("/ada/tools/cat").await.expect(200).text();
    assert!(page.contains("<img src=\"/-/badge/ada/tools/cat/version.svg\" alt=\"v\""));
}
