//! Hidden things look like missing ones, on every page and to every visitor without the right.

use suite::{Answer, Browser};

use crate::visibility::cast;

/// The pages of a repository and of its content.
const PAGES: [&str; 9] = [
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
const MANAGED: [&str; 6] = [
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
