//! A house with content to look at.

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

/// The readme of `ada/tools/cat`.
pub(crate) const README: &str =
    "# Cat\n\nIt *meows*.\n\n```\ncat --loud\n```\n\n| Sound | When |\n|---|---|\n| meow | always |\n";

impl Scene {
    /// Creates the package `ada/tools/cat` with a published version, and the private `ada/secrets/dog`.
    pub(crate) async fn set(window: Window) -> Self {
        // The webhooks of a test are on this machine.
        let house = TestHouse::start_with(&[("outgoing.allow_private", "true")]).await;
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

    /// Returns the URL of a page.
    pub(crate) fn at(&self, path: &str) -> String {
        format!("http://{}{path}", self.house.address)
    }

    pub(crate) async fn go(&self, path: &str) {
        self.tab.go(&self.at(path)).await;
    }

    /// Signs ada in.
    pub(crate) async fn sign_in(&self) {
        self.sign_in_as("ada", self.ada.key()).await;
    }

    /// Signs a user in.
    pub(crate) async fn sign_in_as(&self, name: &str, key: &str) {
        self.go("/login").await;
        self.tab.find("#name").await.type_text(name).await;
        self.tab.find("#secret").await.type_text(key).await;
        self.tab.find_button("Sign in").await.click().await;
        self.tab.find("#sign-out").await;
    }

    /// Signs out through the menu of the account.
    pub(crate) async fn sign_out(&self) {
        self.choose("#account-menu", "#sign-out").await;
        self.tab.find("#sign-in").await;
    }

    /// Opens a menu and clicks something in it.
    pub(crate) async fn choose(&self, menu: &str, entry: &str) {
        self.tab.find(menu).await.click().await;
        self.tab.find(entry).await.click().await;
    }

    /// Pages that everybody may see.
    pub(crate) const PUBLIC: [&'static str; 14] = [
        "/ada/tools/cat?tab=files",
        "/-/explore?label=animal",
        "/",
        "/-/explore",
        "/login",
        "/search?q=cat",
        "/search?q=cat&format=generic&license=MIT",
        "/-/explore?sort=downloads",
        "/-/key",
        "/ada",
        "/ada/tools",
        "/ada/tools/cat",
        "/ada/tools/cat/1.0",
        "/nobody/nothing",
    ];

    /// Pages on which ada creates and changes packages.
    pub(crate) const MANAGED: [&'static str; 15] = [
        "/-/setup/ada/tools",
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
        "/-/restrictions/ada/tools",
        "/-/logs/ada/tools/cat",
        "/-/signed-url/ada/tools/cat.txt",
    ];

    /// Pages on which ada manages access and sees its use.
    pub(crate) const OWN: [&'static str; 16] = [
        "/account",
        "/-/users/ada/tokens",
        "/search?q=opossum",
        "/acme/tools/opossum",
        "/acme/tools/opossum/1.0",
        "/-/orgs/acme",
        "/-/orgs/acme/teams/devs",
        "/-/users/ada/access_keys",
        "/-/users/ada/access_keys/guest",
        "/-/users/ada/gpg_key",
        "/-/products/ada",
        "/-/users/ada/licenses",
        "/-/usage/ada/tools",
        "/-/numbers/ada/tools/cat",
        "/-/webhooks/ada/tools/cat",
        "/-/entitlements/ada/tools",
    ];

    /// Pages of site administrators.
    pub(crate) const ADMIN: [&'static str; 5] =
        ["/-/admin", "/-/admin/users", "/-/admin/users/ada", "/-/admin/audit", "/-/admin/settings"];

    /// Adds content to the management pages.
    pub(crate) async fn furnish(&self) {
        let ada = &self.ada;
        ada.post("/orgs").json(json!({ "name": "acme" })).await.expect(201);
        ada.post("/orgs/acme/teams").json(json!({ "name": "devs", "members": ["ada"] })).await.expect(201);
        ada.post("/repos/acme/tools").json(json!({})).await.expect(201);
        let given = json!({ "team": "devs", "permission": "read" });
        ada.put("/repos/acme/tools/permissions").json(given).await.expect(200);
        ada.post("/users/ada/access_keys").json(json!({ "id": "guest" })).await.expect(201);
        let given = json!({ "access": "r", "access_keys": ["guest"], "tags": ["trial"] });
        ada.post("/repos/ada/tools/entitlements").json(given).await.expect(201);
        let hook = json!({ "url": "http://127.0.0.1:1/a/long/address/of/a/receiver/that/is/not/there" });
        ada.post("/webhooks/ada/tools/cat").json(hook.clone()).await.expect(201);
        ada.post("/webhooks/ada/tools/cat/1.0").json(hook).await.expect(200);
        ada.post("/users/ada/keys/gpg/generate").await.expect(201);
        ada.download("/ada/tools/cat.txt").await.expect(200);
        self.add_opossum().await;
        self.house.flush().await;
        operations::jobs::run_once(self.house.app().house(), "heartbeat").await.expect("told");
    }

    /// Adds a package with what is wide: many licences, a signature, and a readme with long lines.
    async fn add_opossum(&self) {
        let licenses = ["Apache-2.0", "BSD New", "Eclipse-1.0", "GPL-3.0", "LGPL-3.0", "MIT", "MPL-2.0"];
        let new = json!({ "name": "opossum", "desc": "An animal", "licenses": licenses });
        self.ada.post("/packages/acme/tools").json(new).await.expect(201);
        for file in ["opossum.txt", "opossum.txt.asc"] {
            self.ada.put(&format!("/content/acme/tools/opossum/1.0/{file}?publish=1")).body(file).await.expect(201);
        }
        let wide = "hiss ".repeat(60);
        let content = format!("```\n{wide}\n```\n\n| {} |\n|---|\n| `{wide}` |\n", "Sound");
        let readme = json!({ "syntax": "markdown", "content": content });
        self.ada.post("/packages/acme/tools/opossum/readme").json(readme).await.expect(200);
    }

    /// Asserts that the console has no errors and that no other server was contacted, except by the browser itself for
    /// its empty tab. A missing page is an expected error in the console.
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
