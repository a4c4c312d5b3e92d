//! Hidden things look like missing ones, on every page and to every visitor without the right.

use serde_json::json;
use suite::{Answer, Browser};

use crate::{
    catalogue::{new_package, new_repo},
    content::upload_published,
    visibility::cast,
};

/// The pages of a repository and of its content.
const PAGES: [&str; 16] = [
    "/-/feed/acme/REPO",
    "/-/feed/acme/REPO/cat",
    "/-/badge/acme/REPO/cat/version.svg",
    "/-/badge/acme/REPO/cat/downloads.svg",
    "/acme/REPO?sort=downloads",
    "/acme/REPO/cat?tab=versions",
    "/acme/REPO/cat?tab=files",
    "/acme/REPO",
    "/acme/REPO?start_pos=1",
    "/acme/REPO/cat",
    "/acme/REPO/cat/1.0",
    "/acme/REPO/cat/_latest",
    "/-/files/acme/REPO",
    "/-/files/acme/REPO/cat",
    "/-/files/acme/REPO/cat/1.0/cat.tar",
    "/-/numbers/acme/REPO/cat",
];

/// Management pages. A visitor who is not signed in is asked to sign in first, whether the page exists or not.
const MANAGED: [&str; 10] = [
    "/-/setup/acme/REPO",
    "/-/setup/acme/REPO/cat",
    "/-/restrictions/acme/REPO",
    "/-/logs/acme/REPO/cat",
    "/-/usage/acme/REPO",
    "/-/webhooks/acme/REPO",
    "/-/webhooks/acme/REPO/cat",
    "/-/entitlements/acme/REPO",
    "/-/entitlements/acme/REPO/cat",
    "/-/entitlements/acme/REPO/cat/1.0",
];

/// Returns everything but the request id and the time.
fn comparable(mut answer: Answer) -> (u16, reqwest::header::HeaderMap, String) {
    assert!(answer.headers.remove("x-request-id").is_some() && answer.headers.remove("date").is_some());
    let text = answer.text();
    (answer.status, answer.headers, text)
}

async fn assert_hidden(visitor: &Browser, pages: &[&str]) {
    for path in pages {
        let hidden = comparable(visitor.open(&path.replace("REPO", "secret")).await.expect(404));
        let missing = comparable(visitor.open(&path.replace("REPO", "absent")).await.expect(404));
        assert_eq!(hidden, missing, "{path}");
    }
}

#[tokio::test]
async fn hidden_pages_are_the_page_of_what_is_missing() {
    let cast = cast().await;
    let anonymous = cast.house.browser();
    assert_hidden(&anonymous, &PAGES).await;
    for path in MANAGED {
        anonymous.open(&path.replace("REPO", "secret")).await.expect(303);
        anonymous.open(&path.replace("REPO", "absent")).await.expect(303);
    }
    for person in [&cast.stranger, &cast.member] {
        let visitor = cast.house.browser();
        visitor.sign_in(person.name(), person.key()).await.expect(303);
        assert_hidden(&visitor, &PAGES).await;
        assert_hidden(&visitor, &MANAGED).await;
    }
    // Readers do see it, so the table above tests something.
    let owner = cast.house.browser();
    owner.sign_in(cast.owner.name(), cast.owner.key()).await.expect(303);
    for path in PAGES.into_iter().chain(MANAGED) {
        let answer = owner.open(&path.replace("REPO", "secret")).await;
        assert!(matches!(answer.status, 200 | 303), "{path}: {}", answer.status);
    }
}

#[tokio::test]
async fn lists_searches_and_suggestions_do_not_tell_of_it() {
    let cast = cast().await;
    let stranger = cast.house.browser();
    stranger.sign_in(cast.stranger.name(), cast.stranger.key()).await.expect(303);
    for visitor in [&cast.house.browser(), &stranger] {
        for path in
            ["/acme", "/olga", "/search?q=secret", "/search?q=cat", "/search?q=cat.tar&in=files", "/-/suggest?q=cat"]
        {
            let text = visitor.open(path).await.expect(200).text();
            assert!(!text.contains("/secret"), "{path}: {text}");
        }
    }
}

/// Pages that list or count things of the whole server, or of an owner.
const LISTS: [&str; 28] = [
    "/",
    "/acme/tools/cat",
    "/acme/tools/cat?tab=files",
    "/acme/tools/cat?tab=versions",
    "/acme/tools/cat/1.0",
    "/acme/tools?sort=downloads",
    "/-/files/acme/tools",
    "/-/feed/acme/tools",
    "/search?q=loud.tar&in=files",
    "/search?q=cat&in=repos",
    "/acme",
    "/acme?sort=packages",
    "/olga",
    "/-/explore",
    "/-/explore?sort=downloads",
    "/-/explore?label=loud",
    "/-/explore?format=generic",
    "/-/explore.atom",
    "/-/feed/acme",
    "/search?q=cat",
    "/search?q=cat&in=packages",
    "/search?q=cat&in=packages&license=MIT",
    "/search?q=cat&in=packages&owner=acme&sort=downloads",
    "/search?q=secret&in=repos",
    "/search?label=loud",
    "/-/suggest?q=cat",
    "/-/suggest?q=secret",
    "/acme/tools/bird",
];

async fn lists(visitor: &Browser) -> Vec<(u16, String)> {
    let mut seen = Vec::new();
    for path in LISTS {
        let (status, _, text) = comparable(visitor.open(path).await);
        assert!(status < 500, "{path}: {text}");
        // Each page has a nonce of its own before its main part.
        let main = text.split_once("<main").map_or(text.as_str(), |(_, main)| main);
        seen.push((status, main.to_owned()));
    }
    seen
}

#[tokio::test]
async fn lists_and_counts_are_the_same_without_what_is_hidden() {
    let cast = cast().await;
    new_repo(&cast.owner, "acme/tools").await;
    new_package(&cast.owner, "acme/tools", "cat").await;
    let about = json!({"labels": ["loud"], "licenses": ["MIT"], "public_download_numbers": true});
    for repo in ["acme/tools", "acme/secret", "olga/secret"] {
        upload_published(&cast.owner, &format!("{repo}/cat/1.0/loud.tar"), "meow").await;
        cast.owner.patch(&format!("/packages/{repo}/cat")).json(about.clone()).await.expect(200);
        cast.owner.download(&format!("/{repo}/loud.tar")).await.expect(200);
    }
    // What is linked into a hidden repository does not tell of it either.
    new_package(&cast.owner, "acme/tools", "bird").await;
    cast.owner.put("/repository/olga/secret/links/acme/tools/bird").await.expect(201);
    cast.house.flush().await;
    let stranger = cast.house.browser();
    stranger.sign_in(cast.stranger.name(), cast.stranger.key()).await.expect(303);
    let anonymous = cast.house.browser();
    let before = [lists(&anonymous).await, lists(&stranger).await];
    for repo in ["acme/secret", "olga/secret"] {
        cast.owner.delete(&format!("/repos/{repo}")).await.expect(200);
    }
    let after = [lists(&anonymous).await, lists(&stranger).await];
    for (before, after) in before.iter().zip(&after) {
        for (path, (before, after)) in LISTS.iter().zip(before.iter().zip(after)) {
            assert_eq!(before, after, "{path}");
        }
    }
    assert!(before[0][13].1.contains("/acme/tools/cat"), "what is public is listed");
}
