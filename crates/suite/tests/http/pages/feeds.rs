//! Feeds of releases, and the pages of what is new and downloaded most.

use operations::jobs;
use serde_json::json;

use crate::{
    catalogue::{new_package, new_version},
    content::{cat, upload, upload_published},
    pages::furnished,
};

#[tokio::test]
async fn a_subject_a_repository_and_a_package_have_feeds_of_what_is_released() {
    let (house, ada) = cat().await;
    upload_published(&ada, "ada/tools/cat/1.0/bin/cat.tar", "meow").await;
    new_package(&ada, "ada/tools", "dog").await;
    upload_published(&ada, "ada/tools/dog/2.0/dog.tar", "woof").await;
    upload(&ada, "ada/tools/cat/3.0/draft.tar", "purr").await;
    new_version(&ada, "ada/tools/cat", "4.0").await;
    let browser = house.browser();
    for (path, titles) in [
        ("/-/feed/ada", vec!["dog 2.0", "cat 1.0"]),
        ("/-/feed/ada/tools", vec!["dog 2.0", "cat 1.0"]),
        ("/-/feed/ada/tools/cat", vec!["cat 1.0"]),
        ("/-/explore.atom", vec!["dog 2.0", "cat 1.0"]),
    ] {
        let feed = browser.open(path).await.expect(200);
        assert_eq!(feed.header("content-type"), "application/atom+xml; charset=utf-8", "{path}");
        let text = feed.text();
        let found: Vec<&str> = text.split("<entry>").skip(1).filter_map(title).collect();
        assert_eq!(found, titles, "{path}: without drafts and versions without files");
        assert!(
            text.contains(&format!(
                "rel=\"self\" type=\"application/atom+xml\" href=\"http://{}{path}\"",
                house.address
            ))
        );
    }
    for page in ["/ada", "/ada/tools", "/ada/tools/cat"] {
        let text = browser.open(page).await.expect(200).text();
        assert!(text.contains("type=\"application/atom+xml\" title="), "{page}");
        assert!(text.contains(&format!("href=\"/-/feed{page}\"")), "{page}");
    }
}

fn title(entry: &str) -> Option<&str> {
    entry.split_once("<title>")?.1.split("</title>").next()
}

#[tokio::test]
async fn a_feed_of_what_is_hidden_is_missing() {
    let (house, ada) = furnished().await;
    for (hidden, missing) in
        [("/-/feed/ada/secret", "/-/feed/ada/absent"), ("/-/feed/ada/secret/dog", "/-/feed/ada/absent/dog")]
    {
        ada.open(hidden).await.expect(200);
        let (hidden, missing) = (house.browser().open(hidden).await, house.browser().open(missing).await);
        assert_eq!((hidden.status, hidden.text()), (404, missing.text()));
    }
    house.browser().open("/-/feed/nobody").await.expect(404);
}

#[tokio::test]
async fn the_most_downloaded_packages_are_those_with_public_numbers() {
    let (house, ada) = cat().await;
    upload_published(&ada, "ada/tools/cat/1.0/cat.tar", "meow").await;
    new_package(&ada, "ada/tools", "dog").await;
    upload_published(&ada, "ada/tools/dog/1.0/dog.tar", "woof").await;
    for _ in 0..3 {
        house.anyone().download("/ada/tools/cat.tar").await.expect(200);
        house.anyone().download("/ada/tools/dog.tar").await.expect(200);
    }
    let count = async || {
        for job in ["download_counts", "popular_packages"] {
            jobs::run_once(house.app().house(), job).await.expect("ran");
        }
        house.browser().open("/-/explore?sort=downloads").await.expect(200).text()
    };
    assert!(count().await.contains("No downloads yet"));
    let newest = async || house.browser().open("/-/explore").await.expect(200).text();
    assert!(!newest().await.contains("in 30 days"), "nobody said that the numbers are public");
    ada.patch("/packages/ada/tools/cat").json(json!({"public_download_numbers": true})).await.expect(200);
    let text = count().await;
    let releases = newest().await;
    assert_eq!(releases.matches("downloads in 30 days").count(), 1, "{releases}");
    assert!(releases.contains("3 downloads in 30 days"), "{releases}");
    assert!(
        text.contains("href=\"/ada/tools/cat\">cat</a>") && text.contains("<b class=\"strong ink\">3</b>"),
        "{text}"
    );
    assert!(!text.contains("/ada/tools/dog"), "{text}");
    ada.patch("/packages/ada/tools/cat").json(json!({"public_download_numbers": false})).await.expect(200);
    let text = house.browser().open("/-/explore?sort=downloads").await.expect(200).text();
    assert!(!text.contains("/ada/tools/cat"), "not even before the job runs again: {text}");
    assert!(!newest().await.contains("in 30 days"));
    house.browser().open("/-/explore?sort=size").await.expect(400);
}

#[tokio::test]
async fn no_text_of_a_package_breaks_the_feeds_of_others() {
    let (house, ada) = cat().await;
    let text = "<b>&amp;]]>\u{fffe}\u{ffff}\u{7f}";
    ada.patch("/packages/ada/tools/cat").json(json!({ "desc": &text[..text.len() - 1] })).await.expect(200);
    new_package(&ada, "ada/tools", "dog\u{ffff}").await;
    for name in ["cat", "dog%EF%BF%BF"] {
        upload_published(&ada, &format!("ada/tools/{name}/1.0/{name}.tar"), "meow").await;
    }
    for path in ["/-/feed/ada", "/-/feed/ada/tools/dog%EF%BF%BF", "/-/explore.atom"] {
        let feed = house.browser().open(path).await.expect(200).text();
        assert!(feed.contains("<title>dog 1.0</title>"), "{path}: {feed}");
        assert!(!feed.contains(['\u{fffe}', '\u{ffff}']), "{path}: XML has no such characters");
        assert!(!feed.contains("<b>") && !feed.contains("]]>"), "{path}: {feed}");
    }
}
