//! Who sees a form or a button, who may submit it, and from where. Hidden things look like missing ones.

use reqwest::Method;
use suite::{Answer, Browser};

use crate::{
    access::{
        acme::Cast,
        grants::{new_team, permit},
    },
    catalogue::{new_package, new_repo, new_version},
    content::{stored, upload, upload_published},
    pages::manage::signed_in,
    visibility::{cast, comparable},
};

/// Pages with a form for owners of the repository.
const OWNERS: [&str; 2] = ["/-/edit/repo/acme/REPO", "/-/delete/repo/acme/REPO"];

/// Pages for publishers.
const PUBLISHERS: [&str; 13] = [
    "/-/new/package/acme/REPO",
    "/-/new/version/acme/REPO/cat",
    "/-/edit/package/acme/REPO/cat",
    "/-/edit/readme/acme/REPO/cat",
    "/-/edit/notes/acme/REPO/cat",
    "/-/attributes/package/acme/REPO/cat",
    "/-/delete/package/acme/REPO/cat",
    "/-/edit/version/acme/REPO/cat/1.0",
    "/-/edit/notes/acme/REPO/cat/1.0",
    "/-/attributes/version/acme/REPO/cat/1.0",
    "/-/delete/version/acme/REPO/cat/1.0",
    "/-/signed-url/acme/REPO/cat/1.0/cat.tar",
    "/-/delete/file/acme/REPO/cat/1.0/cat.tar",
];

/// Pages for readers who are signed in.
const READERS: [&str; 1] = ["/-/link/acme/REPO/cat"];

/// Buttons of pages for publishers.
const BUTTONS: [&str; 3] =
    ["/-/publish/acme/REPO/cat/1.0", "/-/discard/acme/REPO/cat/1.0", "/-/sign/acme/REPO/cat/1.0"];

/// A button for owners of the repository.
const UNLINK: &str = "/-/unlink/acme/REPO/olga/other/bird";

/// The path of a form with files.
const UPLOAD: &str = "/-/upload/acme/REPO/cat/1.0";

fn forms() -> impl Iterator<Item = &'static str> {
    OWNERS.into_iter().chain(PUBLISHERS).chain(READERS)
}

/// Bodies that pass the parsing of forms. None of them changes anything.
const BODIES: [&[(&str, &str)]; 3] =
    [&[], &[("name", "a b"), ("confirm", "no")], &[("name", "dog"), ("type", "no"), ("syntax", "no"), ("unit", "no")]];

/// Starts a cast with `acme/tools` and the private `acme/secret`; mike may read both, and mary may publish in both.
async fn set() -> Cast {
    let cast = cast().await;
    new_repo(&cast.owner, "acme/tools").await;
    new_package(&cast.owner, "acme/tools", "cat").await;
    new_version(&cast.owner, "acme/tools/cat", "1.0").await;
    upload_published(&cast.owner, "acme/tools/cat/1.0/cat/1.0/cat.tar", "meow").await;
    new_team(&cast.owner, "acme", "readers", &["mike"]).await;
    new_team(&cast.owner, "acme", "publishers", &["mary"]).await;
    for repo in ["acme/tools", "acme/secret"] {
        upload(&cast.owner, &format!("{repo}/cat/1.0/cat/1.0/new.tar"), "purr").await;
        permit(&cast.owner, repo, "readers", "read").await;
        permit(&cast.owner, repo, "publishers", "publish").await;
    }
    cast
}

async fn mary(cast: &Cast) -> Browser {
    let key = cast.site_admin.post("/users/mary/api_key").await.expect(201).json();
    signed_in(&cast.house, &cast.house.person("mary", key["api_key"].as_str().expect("a key"))).await
}

/// Returns the content of each repository, as owners see it.
async fn contents(cast: &Cast) -> String {
    let mut text = String::new();
    for repo in ["tools", "secret"] {
        for path in ["repos/acme/REPO", "packages/acme/REPO/cat", "packages/acme/REPO/cat/versions/1.0"] {
            text += &cast.owner.get(&format!("/{}", path.replace("REPO", repo))).await.expect(200).text();
        }
        text += &stored(&cast.owner, &format!("acme/{repo}/cat")).await.join(" ");
        text += &cast.owner.get(&format!("/packages/acme/{repo}/cat/files")).await.expect(200).text();
    }
    text
}

/// Submits a form with the token of the session.
async fn post(browser: &Browser, token: &str, path: &str, body: &[(&str, &str)]) -> Answer {
    let fields = [("form_token", token)].into_iter().chain(body.iter().copied());
    browser.post(path, &fields.map(|(name, value)| (name.to_owned(), value.to_owned())).collect::<Vec<_>>()).await
}

/// Uploads one file as the page's script does.
async fn put(browser: &Browser, token: &str, path: &str) -> Answer {
    let call = browser.call(Method::PUT, &format!("{path}/x.txt")).header("x-form-token", token);
    call.header("sec-fetch-site", "same-origin").body("meow").await
}

#[tokio::test]
async fn forms_are_shown_to_those_who_may_send_them() {
    let cast = set().await;
    let (owner, publisher) = (signed_in(&cast.house, &cast.owner).await, mary(&cast).await);
    let (reader, stranger) = (signed_in(&cast.house, &cast.member).await, signed_in(&cast.house, &cast.stranger).await);
    for (browser, own, publish, read) in
        [(&owner, 200, 200, 200), (&publisher, 403, 200, 200), (&reader, 403, 403, 200), (&stranger, 403, 403, 200)]
    {
        for (paths, status) in [(&OWNERS[..], own), (&PUBLISHERS, publish), (&READERS, read)] {
            for path in paths {
                browser.open(&path.replace("REPO", "tools")).await.expect(status);
            }
        }
    }
    for path in forms() {
        reader.open(&path.replace("REPO", "secret")).await.expect(if READERS.contains(&path) { 200 } else { 403 });
        stranger.open(&path.replace("REPO", "secret")).await.expect(404);
        let page = path.replace("REPO", "tools");
        let answer = cast.house.browser().open(&page).await.expect(303);
        assert_eq!(answer.header("location"), format!("/login?next={page}"));
    }
}

#[tokio::test]
async fn forms_and_buttons_of_others_change_nothing() {
    let cast = set().await;
    let before = contents(&cast).await;
    for person in [&cast.member, &cast.stranger] {
        let browser = signed_in(&cast.house, person).await;
        let token = browser.form_token().await;
        for path in OWNERS.into_iter().chain(PUBLISHERS).chain(BUTTONS).chain([UNLINK]) {
            let path = path.replace("REPO", "tools");
            post(&browser, &token, &path, &[("name", "dog"), ("confirm", "cat")]).await.expect(403);
        }
        let path = UPLOAD.replace("REPO", "tools");
        put(&browser, &token, &path).await.expect(403);
        browser.post_files(&path, &[("form_token", &token)], &[("x.txt", "meow")]).await.expect(403);
    }
    let publisher = mary(&cast).await;
    let token = publisher.form_token().await;
    for path in OWNERS.into_iter().chain([UNLINK]) {
        post(&publisher, &token, &path.replace("REPO", "tools"), &[("confirm", "tools")]).await.expect(403);
    }
    assert_eq!(contents(&cast).await, before);
}

#[tokio::test]
async fn what_is_hidden_answers_forms_like_what_is_missing() {
    let cast = set().await;
    let before = contents(&cast).await;
    let anonymous = cast.house.browser();
    for path in forms() {
        let hidden = anonymous.open(&path.replace("REPO", "secret")).await.expect(303);
        let missing = anonymous.open(&path.replace("REPO", "absent")).await.expect(303);
        assert_eq!(hidden.header("location"), missing.header("location").replace("absent", "secret"), "{path}");
    }
    let stranger = signed_in(&cast.house, &cast.stranger).await;
    let token = stranger.form_token().await;
    for path in forms() {
        let hidden = stranger.open(&path.replace("REPO", "secret")).await.expect(404);
        let missing = stranger.open(&path.replace("REPO", "absent")).await;
        assert_eq!(comparable(&hidden), comparable(&missing), "{path}");
    }
    for path in forms().chain(BUTTONS).chain([UNLINK]) {
        for body in BODIES {
            let hidden = post(&stranger, &token, &path.replace("REPO", "secret"), body).await.expect(404);
            let missing = post(&stranger, &token, &path.replace("REPO", "absent"), body).await;
            assert_eq!(comparable(&hidden), comparable(&missing), "{path} {body:?}");
        }
    }
    let (hidden, missing) = (UPLOAD.replace("REPO", "secret"), UPLOAD.replace("REPO", "absent"));
    let answers = (put(&stranger, &token, &hidden).await.expect(404), put(&stranger, &token, &missing).await);
    assert_eq!(comparable(&answers.0), comparable(&answers.1));
    let (fields, files) = ([("form_token", token.as_str())], [("x.txt", "meow")]);
    let hidden = stranger.post_files(&hidden, &fields, &files).await.expect(404);
    assert_eq!(comparable(&hidden), comparable(&stranger.post_files(&missing, &fields, &files).await));
    assert_eq!(contents(&cast).await, before);
}

#[tokio::test]
async fn forms_of_another_session_or_another_site_are_refused() {
    let cast = set().await;
    let before = contents(&cast).await;
    let browser = signed_in(&cast.house, &cast.owner).await;
    let (token, foreign) = (browser.form_token().await, signed_in(&cast.house, &cast.owner).await.form_token().await);
    for path in forms().chain(BUTTONS).chain([UNLINK, "/-/new/repo/acme"]) {
        let path = path.replace("REPO", "tools");
        for wrong in ["", "x", &foreign] {
            let page = post(&browser, wrong, &path, &[("name", "dog"), ("confirm", "tools")]).await.expect(403);
            assert!(page.text().contains("The form is out of date"), "{path}");
        }
        for (name, value) in [("sec-fetch-site", "cross-site"), ("origin", "https://evil.example"), ("origin", "null")]
        {
            let fields = [("form_token".to_owned(), token.clone())];
            let page = browser.form(&path, &fields).header(name, value).await.expect(403);
            assert!(page.text().contains("The request was sent by a page of another site"), "{path} {name}: {value}");
        }
        // Credentials in a header only show pages.
        cast.owner.post(&format!("/{path}")).body(format!("form_token={token}")).await.expect(401);
        cast.house.anyone().post(&format!("/{path}")).body(format!("form_token={token}")).await.expect(401);
    }
    assert_eq!(contents(&cast).await, before);
}

#[tokio::test]
async fn buttons_are_shown_to_those_who_may_press_them() {
    let cast = set().await;
    let (owner, publisher) = (signed_in(&cast.house, &cast.owner).await, mary(&cast).await);
    let (reader, anonymous) = (signed_in(&cast.house, &cast.member).await, cast.house.browser());
    for (page, ids, needs_owner) in [
        ("/acme/tools", &["edit", "delete"][..], true),
        ("/acme/tools", &["new-package"], false),
        ("/acme/tools/cat", &["new-version", "edit", "edit-readme", "edit-attributes", "delete"], false),
        ("/acme/tools/cat/1.0", &["edit", "edit-notes", "delete", "upload", "publish", "discard", "staged"], false),
    ] {
        for (browser, is_shown) in [(&owner, true), (&publisher, !needs_owner), (&reader, false), (&anonymous, false)] {
            let text = browser.open(page).await.expect(200).text();
            for id in ids {
                assert_eq!(text.contains(&format!("id=\"{id}\"")), is_shown, "{page} {id}: {text}");
            }
        }
        // Without a session, nothing can be submitted.
        let text = cast.owner.get(&format!("/{page}")).header("accept", "text/html").await.expect(200).text();
        assert!(!text.contains("/-/edit/") && !text.contains("/-/new/") && !text.contains("/-/upload/"), "{page}");
    }
}
