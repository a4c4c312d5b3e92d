//! A house with something to look at.

use serde_json::json;
use suite::{
    Person, TestHouse,
    chromium::{Tab, Window, open},
};

/// A house, its owner, and a browser.
pub(crate) struct Scene {
    pub(crate) house: TestHouse,
    pub(crate) ada: Person,
    pub(crate) tab: Tab,
}

/// What is shown of `ada/tools/cat`.
pub(crate) const README: &str =
    "# Cat\n\nIt *meows*.\n\n```\ncat --loud\n```\n\n| Sound | When |\n|---|---|\n| meow | always |\n";

impl Scene {
    /// The package `ada/tools/cat` with a published version, and the private `ada/secrets/dog`.
    pub(crate) async fn set(window: Window) -> Self {
        let house = TestHouse::start().await;
        let ada = house.user("ada").await;
        for (repo, package, is_private) in [("tools", "cat", false), ("secrets", "dog", true)] {
            ada.post(&format!("/repos/ada/{repo}"))
                .json(json!({ "private": is_private, "desc": "Tools" }))
                .await
                .expect(201);
            let new = json!({
                "name": package,
                "desc": "An animal",
                "labels": ["animal", "loud"],
                "licenses": ["MIT"],
                "vcs_url": "https://example.com/animals.git",
                "website_url": "https://example.com/animals",
                "public_download_numbers": true,
            });
            ada.post(&format!("/packages/ada/{repo}")).json(new).await.expect(201);
            let file = format!("/content/ada/{repo}/{package}/1.0/{package}.txt?publish=1");
            ada.put(&file).body("meow").await.expect(201);
        }
        let readme = json!({ "syntax": "markdown", "content": README });
        ada.post("/packages/ada/tools/cat/readme").json(readme).await.expect(200);
        let attributes = json!([{ "name": "legs", "values": [4] }, { "name": "colour", "values": ["black", "white"] }]);
        ada.post("/packages/ada/tools/cat/attributes").json(attributes).await.expect(200);
        Self { house, ada, tab: open(window).await }
    }

    /// The address of a page.
    pub(crate) fn at(&self, path: &str) -> String {
        format!("http://{}{path}", self.house.address)
    }

    pub(crate) async fn go(&self, path: &str) {
        self.tab.go(&self.at(path)).await;
    }

    /// Signs ada in, as she would.
    pub(crate) async fn sign_in(&self) {
        self.go("/login").await;
        self.tab.find("#name").await.type_text("ada").await;
        self.tab.find("#secret").await.type_text(self.ada.key()).await;
        self.tab.find_button("Sign in").await.click().await;
        self.tab.find("#sign-out").await;
    }

    /// Pages that everybody may see.
    pub(crate) const PUBLIC: [&'static str; 8] = [
        "/",
        "/login",
        "/search?q=cat",
        "/ada",
        "/ada/tools",
        "/ada/tools/cat",
        "/ada/tools/cat/1.0",
        "/nobody/nothing",
    ];

    /// Pages on which ada manages what is hers.
    pub(crate) const MANAGED: [&'static str; 12] = [
        "/ada/tools",
        "/ada/tools/cat",
        "/ada/tools/cat/1.0",
        "/-/new/repo/ada",
        "/-/new/package/ada/tools",
        "/-/new/version/ada/tools/cat",
        "/-/edit/package/ada/tools/cat",
        "/-/edit/readme/ada/tools/cat",
        "/-/attributes/package/ada/tools/cat",
        "/-/delete/repo/ada/tools",
        "/-/link/ada/tools/cat",
        "/-/signed-url/ada/tools/cat.txt",
    ];

    /// Nothing went wrong, and nobody else was asked for anything, but the browser itself for its empty tab. A page that
    /// is not there says so in the console.
    pub(crate) async fn check_quiet(&self) {
        let is_expected = |said: &String| said.contains("/nobody/nothing");
        let said: Vec<String> =
            self.tab.take_complaints().await.into_iter().filter(|said| !is_expected(said)).collect();
        assert_eq!(said, [""; 0]);
        let here = self.at("/");
        let asked = self.tab.take_requests().await;
        assert!(!asked.is_empty(), "the browser tells what it asks for");
        let elsewhere: Vec<&String> = asked
            .iter()
            .filter(|url| !url.starts_with(&here) && !url.starts_with("data:") && !url.starts_with("chrome:"))
            .collect();
        assert!(elsewhere.is_empty(), "{elsewhere:?}");
    }
}
