//! `packhouse org`, `team`, `product`, `eula`, `gpg`, `restrictions`, `readme`, `notes`, `usage` and `audit`.

use suite::Ended;

use crate::scene::Scene;

#[tokio::test]
async fn organizations_and_teams_are_managed() {
    let scene = Scene::start().await;
    scene.server.user("grace").await;

    scene.run(&["org", "create", "acme", "--full-name", "Acme Tools"]).await.succeeds();
    assert_eq!(scene.run(&["org", "ls"]).await.succeeds(), "acme");
    assert_eq!(scene.told(&["org", "add", "acme", "grace"]).await, "added grace as member of acme\nexit 0");
    insta::assert_snapshot!(scene.run(&["org", "members", "acme"]).await.succeeds(), @"
    NAME   TYPE
    ada    owner
    grace  member
    ");
    scene.run(&["org", "edit", "acme", "--full-name", "Acme"]).await.succeeds();
    assert!(scene.run(&["org", "show", "acme"]).await.succeeds().starts_with("acme\n  "));

    scene.run(&["repo", "create", "acme/parts"]).await.succeeds();
    scene.run(&["team", "create", "acme", "devs", "--members", "ada,grace"]).await.succeeds();
    scene.run(&["team", "permit", "acme/parts", "devs", "publish"]).await.succeeds();
    assert_eq!(scene.run(&["team", "ls", "acme"]).await.succeeds(), "devs");
    insta::assert_snapshot!(scene.run(&["team", "permissions", "acme/parts"]).await.succeeds(), @"
    TEAM  PERMISSION
    devs  publish
    ");
    scene.run(&["team", "edit", "acme", "devs", "--members", "ada"]).await.succeeds();
    assert!(scene.run(&["team", "show", "acme", "devs"]).await.succeeds().contains("members"));
    scene.run(&["team", "forbid", "acme/parts", "devs", "--yes"]).await.succeeds();
    scene.run(&["team", "delete", "acme", "devs", "--yes"]).await.succeeds();
    scene.run(&["org", "remove", "acme", "grace", "--yes"]).await.succeeds();
    assert_eq!(scene.run(&["org", "delete", "acme"]).await.code, Some(2));
}

#[tokio::test]
async fn texts_are_set_shown_and_removed() {
    let scene = Scene::with_cat().await;
    scene.file("README.md", "# Cat\n");
    scene.file("NOTES.txt", "New.\n");

    let set = scene.told(&["readme", "set", "ada/tools/cat", "README.md"]).await;
    assert_eq!(set, "set the readme of ada/tools/cat\nexit 0");
    assert_eq!(scene.run(&["readme", "show", "ada/tools/cat"]).await.succeeds(), "# Cat");
    scene.run(&["notes", "set", "ada/tools/cat/1.0", "NOTES.txt"]).await.succeeds();
    let notes = scene.run(&["notes", "show", "ada/tools/cat/1.0", "--json"]).await.succeeds();
    assert!(notes.contains("plain_text"), "{notes}");
    scene.run(&["notes", "rm", "ada/tools/cat/1.0", "--yes"]).await.succeeds();
    assert_eq!(scene.run(&["notes", "show", "ada/tools/cat/1.0"]).await.code, Some(5));
    assert_eq!(scene.run(&["readme", "show", "ada/tools"]).await.code, Some(2));
}

#[tokio::test]
async fn products_eulas_and_restrictions_are_managed() {
    let scene = Scene::with_cat().await;
    let plan = serde_json::json!({"plan": "enterprise"});
    scene.server.admin().put("/subjects/ada/plan").json(plan).await.expect(200);
    scene.file("TERMS.md", "Be kind.\n");

    scene.run(&["product", "create", "ada/suite", "--packages", "tools/cat"]).await.succeeds();
    scene.run(&["product", "edit", "ada/suite", "--display-name", "The Suite"]).await.succeeds();
    assert!(scene.run(&["product", "ls", "ada"]).await.succeeds().contains("The Suite"));
    assert!(scene.run(&["product", "show", "ada/suite"]).await.succeeds().contains("tools/cat"));
    scene.run(&["eula", "create", "ada/suite", "terms", "TERMS.md", "--default"]).await.succeeds();
    assert_eq!(scene.run(&["eula", "show", "ada/suite", "terms"]).await.succeeds(), "Be kind.");
    assert!(scene.run(&["eula", "ls", "ada/suite"]).await.succeeds().contains("terms  true"));
    assert_eq!(scene.run(&["eula", "accept", "ada/suite", "terms", "1.0"]).await.code, Some(4));
    assert_eq!(scene.run(&["eula", "signed", "ada/suite"]).await.succeeds(), "");
    scene.run(&["eula", "delete", "ada/suite", "terms", "--yes"]).await.succeeds();
    scene.run(&["product", "delete", "ada/suite", "--yes"]).await.succeeds();

    scene.run(&["restrictions", "networks", "ada/tools", "--deny", "192.0.2.0/24"]).await.succeeds();
    scene.run(&["restrictions", "countries", "ada/tools", "--allow", "DE,FR"]).await.succeeds();
    insta::assert_snapshot!(scene.run(&["restrictions", "show", "ada/tools"]).await.succeeds(), @"
    allowed countries  DE, FR
    denied networks    192.0.2.0/24
    ");
    scene.run(&["restrictions", "clear", "ada/tools", "--yes"]).await.succeeds();
    assert_eq!(scene.told(&["restrictions", "show", "ada/tools"]).await, "ada/tools has no restrictions\nexit 0");
}

#[tokio::test]
async fn signing_keys_are_made_and_replaced_only_when_confirmed() {
    let scene = Scene::start().await;

    assert_eq!(scene.told(&["gpg", "generate"]).await, "generated a key for ada\nexit 0");
    assert_eq!(scene.run(&["gpg", "generate"]).await.code, Some(2));
    assert!(scene.run(&["gpg", "show"]).await.succeeds().contains("fingerprint"));
    let public = scene.run(&["gpg", "public-key"]).await.succeeds();
    assert!(public.starts_with("-----BEGIN PGP PUBLIC KEY BLOCK-----"), "{public}");
    scene.run(&["gpg", "delete", "--yes"]).await.succeeds();
    assert_eq!(scene.run(&["gpg", "show"]).await.code, Some(5));
}

#[tokio::test]
async fn usage_and_the_audit_log_are_tables() {
    let scene = Scene::with_cat().await;

    let usage = scene.run(&["usage", "ada/tools", "--packages"]).await.succeeds();
    assert_eq!(usage.lines().next(), Some("PACKAGE  STORAGE  FILES"), "{usage}");
    assert!(scene.run(&["usage"]).await.succeeds().starts_with("FROM"));
    assert_eq!(scene.run(&["audit"]).await.code, Some(4));
    let admin = scene.server.admin();
    let log = Ended::run(scene.command_as(&admin, &["audit", "--limit", "3"])).await.succeeds();
    assert_eq!(log.lines().count(), 4, "{log}");
    assert!(log.starts_with("AT"), "{log}");
}

#[tokio::test]
async fn a_url_without_a_scheme_and_flags_before_the_command_are_understood() {
    let scene = Scene::with_cat().await;

    insta::assert_snapshot!(scene.told(&["whoami", "--url", "packages.example.com"]).await, @"
    packhouse: `packages.example.com` is not a URL: it does not begin with https:// or http://
    hint: try --url https://packages.example.com
    exit 2
    ");
    for (url, hint) in [
        ("127.0.0.1:8080", "http://127.0.0.1:8080"),
        ("localhost:8080", "http://localhost:8080"),
        ("ftp://[::1]:8080", "http://[::1]:8080"),
        ("http://", "https://packages.example.com"),
    ] {
        let refused = scene.told(&["whoami", "--url", url]).await;
        assert!(refused.contains(&format!("hint: try --url {hint}\nexit 2")), "{refused}");
    }
    let flags = scene.run(&["--json", "--user", "ada", "ls", "ada/tools"]).await.succeeds();
    assert!(flags.starts_with('['), "{flags}");
    let long = scene.run(&["ls", "-l", "ada/tools/cat/1.0"]).await.succeeds();
    assert!(long.starts_with("PATH     SIZE  CREATED"), "{long}");
    assert!(scene.run(&["ls", "--long", "ada"]).await.succeeds().starts_with("OWNER"));
    assert!(scene.run(&["ls", "--long", "ada/tools"]).await.succeeds().contains("1.0"));
}
