//! Names that look like other names.

use database::{
    ScopedFutureExt,
    catalogue::{packages, repos, versions},
    content::files::{self, NewFile},
};
use model::{
    file_path::FilePath,
    id::{PackageId, VersionId},
    names::{PackageName, RepoName, SubjectName, VersionName},
    package::Package,
    version::Version,
};
use serde_json::{Value, json};
use suite::{Person, TestHouse};

/// `grün` in composed form, and in decomposed form.
const TOGETHER: &str = "gr%C3%BCn";
const APART: &str = "gru%CC%88n";

/// Invisible characters, and characters that change the direction of text.
const HIDDEN: [char; 14] = [
    '\u{ad}',
    '\u{34f}',
    '\u{61c}',
    '\u{115f}',
    '\u{180e}',
    '\u{200b}',
    '\u{200e}',
    '\u{202e}',
    '\u{2060}',
    '\u{2066}',
    '\u{3164}',
    '\u{fe0f}',
    '\u{feff}',
    '\u{e0041}',
];

async fn tools() -> (TestHouse, Person) {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    house.admin().put("/subjects/ada/plan").json(json!({"plan": "enterprise"})).await.expect(200);
    ada.post("/repos/ada/tools").json(json!({})).await.expect(201);
    ada.post("/packages/ada/tools").json(json!({"name": "cat"})).await.expect(201);
    (house, ada)
}

fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

#[tokio::test]
async fn no_name_holds_what_nobody_sees() {
    let (_house, ada) = tools().await;
    ada.post("/products/ada").json(json!({"name": "suite"})).await.expect(201);
    for hidden in HIDDEN {
        let name = format!("a{hidden}b");
        let refused = async |path: &str, body: Value| {
            let message = ada.post(path).json(body).await.expect(400).message();
            assert!(message.contains("invisible") || message.contains("unprintable"), "{path} {name:?}: {message}");
        };
        refused("/packages/ada/tools", json!({ "name": name })).await;
        refused("/packages/ada/tools/cat/versions", json!({ "name": name })).await;
        refused("/users/ada/licenses", json!({ "name": name })).await;
        let eula = json!({"name": name, "syntax": "plain_text", "content": "x"});
        refused("/products/ada/suite/eulas", eula).await;
        refused("/packages/ada/tools", json!({"name": "dog", "labels": [name]})).await;
        refused("/repos/ada/more", json!({"labels": [name]})).await;
        refused("/packages/ada/tools/cat/attributes", json!([{"name": name, "values": [1]}])).await;
        let file = encoded(&name);
        ada.put(&format!("/content/ada/tools/cat/1.0/{file}")).body("meow").await.expect(400);
        ada.put(&format!("/content/ada/tools/cat/{file}/cat.bin")).body("meow").await.expect(400);
        ada.post("/users/ada/access_keys").json(json!({ "id": name })).await.expect(400);
    }
    assert_eq!(ada.get("/packages/ada/tools/cat").await.expect(200).json()["versions"], json!([]));
}

#[tokio::test]
async fn both_forms_of_a_name_address_one_thing() {
    let (house, ada) = tools().await;
    ada.post("/packages/ada/tools").json(json!({"name": "gru\u{308}n"})).await.expect(201);
    let again = ada.post("/packages/ada/tools").json(json!({"name": "gr\u{fc}n"})).await;
    again.refuses(409, "Package 'gr\u{fc}n' already exists");
    for form in [TOGETHER, APART] {
        let shown = ada.get(&format!("/packages/ada/tools/{form}")).await.expect(200).json();
        assert_eq!(shown["name"], "gr\u{fc}n");
    }
    let versions = format!("/packages/ada/tools/{APART}/versions");
    ada.post(&versions).json(json!({"name": "gr\u{fc}n"})).await.expect(201);
    ada.post(&versions).json(json!({"name": "gru\u{308}n"})).await.expect(409);

    let path = |form: &str| format!("/content/ada/tools/{APART}/{form}/{form}.bin?publish=1");
    ada.put(&path(TOGETHER)).body("meow").await.expect(201);
    ada.put(&path(APART)).body("purr").await.expect(409);
    for form in [TOGETHER, APART] {
        assert_eq!(house.anyone().download(&format!("/ada/tools/{form}.bin")).await.expect(200).text(), "meow");
        house.anyone().get(&format!("/packages/ada/tools/{form}/versions/{form}")).await.expect(200);
        assert_eq!(
            house.anyone().get(&format!("/search/packages?name={form}")).await.expect(200).json()[0]["name"],
            "gr\u{fc}n"
        );
        let found = house.anyone().get(&format!("/search/file?name={form}*")).await.expect(200).json();
        assert_eq!(found[0]["path"], "gr\u{fc}n.bin", "{form}");
    }
    ada.delete(&format!("/packages/ada/tools/{APART}")).await.expect(200);
    ada.get(&format!("/packages/ada/tools/{TOGETHER}")).await.expect(404);
}

#[tokio::test]
async fn packages_do_not_differ_by_how_their_letters_are_written_alone() {
    let (_house, ada) = tools().await;
    for (one, other) in [("fish", "\u{fb01}sh"), ("ｄｏｇ", "DOG"), ("\u{c5}land", "a\u{30a}LAND")] {
        ada.post("/packages/ada/tools").json(json!({ "name": one })).await.expect(201);
        ada.post("/packages/ada/tools").json(json!({ "name": other })).await.expect(409);
    }
}

/// Inserts a package, a version and a published file, as a server without normalization did.
async fn keep_apart(house: &TestHouse) {
    let db = &house.app().house().db;
    let (owner, repo) = (SubjectName::parse("ada").expect("a name"), RepoName::parse("tools").expect("a name"));
    let repo = &repos::find(db, &owner, &repo, None).await.expect("read").expect("there").repo;
    let cat = packages::find(db, repo.id, &PackageName::parse("cat").expect("a name")).await.expect("read");
    let cat = cat.expect("there");
    let one = versions::find(db, cat.id, &VersionName::parse("1.0").expect("a name")).await.expect("read");
    let one = one.expect("there");
    let file = files::find(db, repo.id, &FilePath::parse("cat.bin").expect("a path")).await.expect("read");
    let content = file.expect("there").published.expect("published");
    let package =
        &Package { id: PackageId::new(1_001), name: PackageName::stored("gru\u{308}n").expect("a name"), ..cat };
    let name = VersionName::stored("gru\u{308}n").expect("a name");
    let version = &Version { id: VersionId::new(1_002), package_id: package.id, name, ordinal: 1, ..one };
    let path = FilePath::stored("gru\u{308}n.bin").expect("a path");
    let (repo_id, package_id, version_id, created) = (repo.id, package.id, version.id, version.created);
    let (is_published, begins_draft) = (true, false);
    let id = 1_003;
    let new = &NewFile { id, repo_id, package_id, version_id, path, content, is_published, begins_draft, created };
    let kept: database::Result<()> = db
        .write(|tx| {
            async move {
                packages::insert(tx, package).await?;
                versions::insert(tx, version).await?;
                files::insert(tx, new).await
            }
            .scope_boxed()
        })
        .await;
    kept.expect("kept");
}

#[tokio::test]
async fn names_that_were_kept_in_the_other_form_stay_reachable() {
    let (house, ada) = tools().await;
    ada.put("/content/ada/tools/cat/1.0/cat.bin?publish=1").body("meow").await.expect(201);
    keep_apart(&house).await;
    for form in [TOGETHER, APART] {
        let one = format!("/packages/ada/tools/{form}");
        assert_eq!(ada.get(&one).await.expect(200).json()["versions"], json!(["gru\u{308}n"]), "{form}");
        ada.get(&format!("{one}/versions/{form}")).await.expect(200);
        assert_eq!(house.anyone().download(&format!("/ada/tools/{form}.bin")).await.expect(200).text(), "meow");
        ada.get(&format!("/file_version/ada/tools/{form}.bin")).await.expect(200);
        ada.put(&format!("/content/ada/tools/{form}/{form}/{form}.bin")).body("purr").await.expect(409);
        ada.post(&format!("{one}/versions")).json(json!({"name": "gr\u{fc}n"})).await.expect(409);
    }
    ada.post("/packages/ada/tools").json(json!({"name": "gr\u{fc}n"})).await.expect(409);
}

#[tokio::test]
async fn the_value_of_an_attribute_has_a_limit() {
    let (_house, ada) = tools().await;
    let attributes = "/packages/ada/tools/cat/attributes";
    let sized = |bytes: usize| json!([{"name": "text", "values": ["x".repeat(bytes)]}]);
    ada.post(attributes).json(sized(64 * 1024)).await.expect(200);
    for answer in
        [ada.post(attributes).json(sized(64 * 1024 + 1)).await, ada.patch(attributes).json(sized(70_000)).await]
    {
        answer.refuses(400, "attributes: attribute 'text' has a value longer than 65536 bytes");
    }
}

#[tokio::test]
async fn segments_that_were_encoded_twice_are_refused() {
    let (house, _ada) = tools().await;
    for twice in ["a%252Fb", "a%2Fb%252fc", "%252F%25zz", "a%255Cb", "a%2500", "%252e%252e", "%252E.", "a%2F%252e"] {
        for surface in ["/api/packages/ada/tools/", "/dl/ada/tools/", "/ada/tools/"] {
            let answer = house.anyone().get(&format!("/{surface}{twice}")).await;
            assert_eq!(answer.status, 400, "{surface}{twice}");
        }
    }
}
