//! Folder listings on the download surface.

use suite::{Answer, Person, TestHouse};

use crate::content::{cat, publish, upload, upload_published};

/// Starts a house with `README` and `lib/cat.bin` published, and `lib/draft.bin` and `unseen/cat.bin` staged.
async fn filled() -> (TestHouse, Person) {
    let (house, ada) = cat().await;
    upload_published(&ada, "ada/tools/cat/1.0/README", "A cat").await;
    upload_published(&ada, "ada/tools/cat/1.0/lib/cat.bin", "meow").await;
    upload(&ada, "ada/tools/cat/1.0/lib/draft.bin", "purr").await;
    upload(&ada, "ada/tools/cat/1.0/unseen/cat.bin", "purr").await;
    (house, ada)
}

/// Returns the entries of a JSON listing: each name with its kind, in alphabetical order.
async fn listed(who: &Person, path: &str) -> Vec<String> {
    let answer = who.download(path).header("accept", "application/json").await.expect(200);
    assert!(answer.header("content-type").starts_with("application/json"), "{}", answer.header("content-type"));
    let json = answer.json();
    let text = |value: &serde_json::Value| value.as_str().expect("a text").to_owned();
    let entry = |item: &serde_json::Value| format!("{} {}", text(&item["type"]), text(&item["name"]));
    let mut entries: Vec<String> = json.as_array().expect("a list").iter().map(entry).collect();
    entries.sort_unstable();
    entries
}

/// Returns the listing for a browser.
async fn page(who: &Person, path: &str) -> Answer {
    let answer = who.download(path).header("accept", "text/html,application/xhtml+xml,*/*;q=0.8").await.expect(200);
    assert!(answer.header("content-type").starts_with("text/html"), "{}", answer.header("content-type"));
    answer
}

#[tokio::test]
async fn a_folder_lists_its_files_and_folders_as_json() {
    let (house, _) = filled().await;
    assert_eq!(listed(&house.anyone(), "/ada/tools/").await, ["file README", "folder lib"]);
    assert_eq!(listed(&house.anyone(), "/ada/tools/lib/").await, ["file cat.bin"]);
    let list = house.anyone().download("/ada/tools/lib/").header("accept", "application/json").await.expect(200);
    assert_eq!(list.json()[0]["size"], 4);
}

#[tokio::test]
async fn a_folder_is_a_page_for_browsers() {
    let (house, _) = filled().await;
    let text = page(&house.anyone(), "/ada/tools/").await.text();
    assert!(text.contains("README") && text.contains("lib"), "{text}");
    assert!(!text.contains("unseen"), "{text}");
    let text = page(&house.anyone(), "/ada/tools/lib/").await.text();
    assert!(text.contains("cat.bin") && !text.contains("draft.bin"), "{text}");
}

#[tokio::test]
async fn publishers_see_what_waits() {
    let (house, ada) = filled().await;
    assert_eq!(listed(&ada, "/ada/tools/").await, ["file README", "folder lib", "folder unseen"]);
    assert_eq!(listed(&ada, "/ada/tools/lib/").await, ["file cat.bin", "file draft.bin"]);
    assert!(page(&ada, "/ada/tools/lib/").await.text().contains("draft.bin"));
    publish(&ada, "ada/tools/cat/1.0").await;
    assert_eq!(listed(&house.anyone(), "/ada/tools/unseen/").await, ["file cat.bin"]);
}

#[tokio::test]
async fn a_folder_of_what_may_not_be_seen_is_not_there() {
    let (house, _) = filled().await;
    let eve = house.user("eve").await;
    for who in [&eve, &house.anyone()] {
        who.download("/ada/tools/unseen/").await.expect(404);
        who.download("/ada/tools/none/").await.expect(404);
        who.download("/ada/tools/READ/").await.expect(404);
        who.download("/ada/tools/li/").await.expect(404);
    }
}

#[tokio::test]
async fn a_repository_without_files_lists_nothing() {
    let (house, _) = cat().await;
    assert_eq!(listed(&house.anyone(), "/ada/tools/").await, [""; 0]);
}

#[tokio::test]
async fn a_folder_goes_with_its_last_file() {
    let (house, ada) = filled().await;
    ada.delete("/content/ada/tools/lib/cat.bin").await.expect(200);
    assert_eq!(listed(&house.anyone(), "/ada/tools/").await, ["file README"]);
    house.anyone().download("/ada/tools/lib/").await.expect(404);
}

#[tokio::test]
async fn names_are_written_as_text() {
    let (house, ada) = cat().await;
    let name = "%3Cb%3Ex%22y%26%27";
    upload_published(&ada, &format!("ada/tools/cat/1.0/{name}"), "meow").await;
    let text = page(&house.anyone(), "/ada/tools/").await.text();
    assert!(!text.contains("<b>x") && !text.contains("x\"y"), "{text}");
    assert!(text.contains("&lt;b&gt;x") || text.contains("&#60;b&#62;x"), "{text}");
    assert_eq!(listed(&house.anyone(), "/ada/tools/").await, ["file <b>x\"y&'"]);
    assert_eq!(house.anyone().download(&format!("/ada/tools/{name}")).await.expect(200).text(), "meow");
}

#[tokio::test]
async fn links_of_a_page_lead_to_the_files() {
    let (house, ada) = cat().await;
    upload_published(&ada, "ada/tools/cat/1.0/lib/a%20b%3Bc%25d%3Fe%23f.bin", "meow").await;
    let text = page(&house.anyone(), "/ada/tools/lib/").await.text();
    let links = text.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next());
    let link = links.map(|link| link.replace("&amp;", "&")).find(|link| link.contains("f.bin")).expect("a link");
    let base = format!("http://{}/dl/ada/tools/lib/", house.address);
    let target = reqwest::Url::parse(&base).and_then(|base| base.join(&link)).expect("an address");
    assert_eq!(house.anyone().get(&format!("/{}", target.path())).await.expect(200).text(), "meow");
}

#[tokio::test]
async fn head_of_a_folder_answers_like_get() {
    let (house, _) = filled().await;
    let answer = house.anyone().head("//dl/ada/tools/lib/").await.expect(200);
    assert!(answer.body.is_empty());
    assert!(answer.header("content-type").starts_with("text/html"));
}
