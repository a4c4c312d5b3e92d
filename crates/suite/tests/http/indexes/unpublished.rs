//! Indexes of repositories that nothing was published in: clients find one without entries.

use serde_json::json;
use suite::{Person, TestHouse};

use super::{index, publish_charts, repo_of, run_job};
use crate::native::rubygems::gem;

/// Creates a repository of each type whose indexes do not depend on names that only its files have.
async fn repos(ada: &Person, private: bool) {
    for kind in ["rubygems", "helm", "rpm", "arch", "conda", "cran"] {
        let settings = json!({"type": kind, "private": private});
        ada.post(&format!("/repos/ada/{kind}")).json(settings).await.expect(201);
    }
}

/// The first files that clients of these repositories ask for.
const FILES: &[&str] = &[
    "rubygems/versions",
    "rubygems/names",
    "rubygems/specs.4.8.gz",
    "rubygems/latest_specs.4.8.gz",
    "rubygems/prerelease_specs.4.8.gz",
    "helm/index.yaml",
    "rpm/repodata/repomd.xml",
    "arch/x86_64/arch.db",
    "arch/x86_64/arch.files",
    "conda/noarch/repodata.json",
    "cran/src/contrib/PACKAGES",
    "cran/src/contrib/PACKAGES.gz",
];

/// The bytes of all files.
async fn read(who: &Person) -> Vec<Vec<u8>> {
    let mut bodies = Vec::new();
    for path in FILES {
        bodies.push(who.download(&format!("/ada/{path}")).await.expect(200).body);
    }
    bodies
}

#[tokio::test]
async fn a_new_repository_has_indexes_without_entries() {
    let house = TestHouse::start().await;
    let (ada, anyone) = (house.user("ada").await, house.anyone());
    repos(&ada, false).await;
    let found = read(&anyone).await;
    assert_eq!(found[0], b"created_at: 1970-01-01T00:00:00Z\n---\n");
    assert_eq!(found[1], b"---\n");
    let repomd = String::from_utf8_lossy(&found[6]).into_owned();
    let files: Vec<&str> = repomd.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert_eq!(files.len(), 3, "{repomd}");
    for file in files {
        anyone.download(&format!("/ada/rpm/{file}")).await.expect(200);
    }
    for path in ["rubygems/info/hello", "rubygems/version", "helm/index.json", "rpm/repodata/primary.xml.gz"] {
        anyone.download(&format!("/ada/{path}")).await.expect(404);
    }
    // A generation of no files has the same texts, except for the time in some.
    for kind in ["rubygems", "arch", "cran", "conda"] {
        ada.post(&format!("/calc_metadata/ada/{kind}")).await.expect(202);
    }
    let built = read(&anyone).await;
    for (index, path) in FILES.iter().enumerate() {
        assert_eq!(built[index], found[index], "{path}");
    }
}

#[tokio::test]
async fn indexes_without_entries_are_hidden_with_their_repository() {
    let house = TestHouse::start().await;
    let (ada, eve, anyone) = (house.user("ada").await, house.user("eve").await, house.anyone());
    repos(&ada, true).await;
    read(&ada).await;
    for path in FILES {
        anyone.download(&format!("/ada/{path}")).await.expect(401);
        let (repo, rest) = path.split_once('/').expect("a repository");
        let hidden = eve.download(&format!("/ada/{path}")).await.expect(404).text();
        let missing = eve.download(&format!("/ada/missing/{rest}")).await.expect(404).text();
        assert_eq!(hidden, missing.replace("missing", repo), "{path}");
    }
    // A key for one package sees no more than that it has no version.
    ada.post("/packages/ada/rubygems").json(json!({"name": "hello"})).await.expect(201);
    let key = house.key(&ada, "client", json!({})).await;
    let terms = json!({"access": "r", "access_keys": ["client"]});
    ada.post("/packages/ada/rubygems/hello/entitlements").json(terms).await.expect(201);
    assert_eq!(key.download("/ada/rubygems/names").await.expect(200).text(), "---\n");
}

#[tokio::test]
async fn bundler_goes_on_from_the_index_without_entries() {
    let (house, ada) = repo_of("rubygems").await;
    let anyone = house.anyone();
    let before = anyone.download("/ada/repo/versions").await.expect(200);
    let range = format!("bytes={}-", before.body.len() - 1);
    let tag = before.header("etag").to_owned();
    let ask = || anyone.download("/ada/repo/versions").header("if-none-match", &tag).header("range", &range);
    ask().await.expect(304);
    let push = anyone.post("//dl/ada/repo/api/v1/gems").header("authorization", ada.key());
    push.body(gem("hello", "1.0.0")).await.expect(200);
    let added = ask().await.expect(206).body;
    let whole = anyone.download("/ada/repo/versions").await.expect(200).body;
    assert_eq!([&before.body[..before.body.len() - 1], &added[..]].concat(), whole);
}

#[tokio::test]
async fn the_first_publish_ends_the_index_without_entries() {
    let (house, ada) = repo_of("helm").await;
    let anyone = house.anyone();
    assert_eq!(index(&anyone).await["entries"], json!({}));
    publish_charts(&ada, &["web"]).await;
    assert_eq!(index(&anyone).await["entries"].as_object().map(|charts| charts.len()), Some(1));
    run_job(&house).await;
    ada.delete("/packages/ada/repo/web").await.expect(200);
    assert_eq!(index(&anyone).await["entries"], json!({}));
}
