//! Packages of other repositories, which a link shows in the indexes of a repository of the same type.

use std::io::Read;

use flate2::read::MultiGzDecoder;
use serde_json::json;
use suite::{Person, TestHouse};

use super::{alpine::apk, arch::package, chart, conda::conda, deb, repo_of, rpm::rpm, run_job, tar_gz};

/// A package of a type: its upload, its path, and an index that lists it.
struct Linked {
    kind: &'static str,
    upload: &'static str,
    body: Vec<u8>,
    path: &'static str,
    index: &'static str,
    /// A text of its entry.
    entry: &'static str,
}

fn packages() -> Vec<Linked> {
    let cran = tar_gz(&[("hello/DESCRIPTION", b"Package: hello\nVersion: 1.0\n")]);
    let row =
        |kind, upload, body, path, [index, entry]: [&'static str; 2]| Linked { kind, upload, body, path, index, entry };
    vec![
        row(
            "debian",
            "upload/stable/main/hello_1.0_amd64.deb",
            deb("hello", "1.0", "amd64"),
            "pool/main/h/hello/hello_1.0_amd64.deb",
            ["dists/stable/main/binary-amd64/Packages.gz", "Package: hello\n"],
        ),
        row(
            "opkg",
            "upload/base/hello_1.0_all.ipk",
            deb("hello", "1.0", "all"),
            "base/hello_1.0_all.ipk",
            ["base/Packages.gz", "Package: hello\n"],
        ),
        row(
            "alpine",
            "upload/v3/main/hello-1.0-r0.apk",
            apk("hello", "1.0-r0", "x86_64"),
            "v3/main/x86_64/hello-1.0-r0.apk",
            ["v3/main/x86_64/APKINDEX.tar.gz", "P:hello\n"],
        ),
        row(
            "arch",
            "upload/hello-1.0-1-x86_64.pkg.tar.zst",
            package("hello", "1.0-1", "x86_64"),
            "x86_64/hello-1.0-1-x86_64.pkg.tar.zst",
            ["x86_64/all-arch.db", "%NAME%\nhello\n"],
        ),
        row(
            "rpm",
            "upload/a/hello.rpm",
            rpm("hello", "1.0", "payload"),
            "a/hello.rpm",
            ["repodata/repomd.xml", "<name>hello</name>"],
        ),
        row(
            "conda",
            "upload/hello-1.0-h0_0.conda",
            conda("hello", "1.0", "noarch"),
            "noarch/hello-1.0-h0_0.conda",
            ["noarch/repodata.json", "\"hello-1.0-h0_0.conda\""],
        ),
        row(
            "cran",
            "upload/hello_1.0.tar.gz",
            cran,
            "src/contrib/hello_1.0.tar.gz",
            ["src/contrib/PACKAGES.gz", "Package: hello\n"],
        ),
        row(
            "helm",
            "hello-1.0.0.tgz",
            chart("hello", "1.0.0", "x"),
            "hello-1.0.0.tgz",
            ["index.yaml", "hello-1.0.0.tgz"],
        ),
    ]
}

/// The text of an index, inflated; nothing if it does not exist.
async fn text(who: &Person, repo: &str, path: &str) -> String {
    let answer = who.download(&format!("/ada/{repo}/{path}")).await;
    if answer.status == 404 {
        return String::new();
    }
    let bytes = answer.expect(200).body;
    let mut inflated = Vec::new();
    let is_packed =
        bytes.starts_with(&[0x1f, 0x8b]) && MultiGzDecoder::new(&bytes[..]).read_to_end(&mut inflated).is_ok();
    let text = String::from_utf8_lossy(if is_packed { &inflated } else { &bytes }).into_owned();
    let Some((_, rest)) = text.split_once("-primary.xml.gz").filter(|_| path.ends_with("repomd.xml")) else {
        return text;
    };
    let start = text.len() - rest.len() - "-primary.xml.gz".len();
    let name = text[..start].rsplit('"').next().expect("a path");
    Box::pin(self::text(who, repo, &format!("{name}-primary.xml.gz"))).await
}

/// Whether the index of the linking repository lists the package, after the job has built it.
async fn is_listed(house: &TestHouse, repo: &str, linked: &Linked) -> bool {
    // The first look of the job only remembers the change.
    for _ in 0..2 {
        run_job(house).await;
    }
    text(&house.anyone(), repo, linked.index).await.contains(linked.entry)
}

#[tokio::test]
async fn indexes_list_linked_packages_of_public_repositories() {
    let (house, ada) = repo_of("generic").await;
    for linked in packages() {
        let kind = linked.kind;
        let (source, all) = (format!("source-{kind}"), format!("all-{kind}"));
        for repo in [&source, &all] {
            ada.post(&format!("/repos/ada/{repo}")).json(json!({"type": kind})).await.expect(201);
        }
        ada.put(&format!("//dl/ada/{source}/{}", linked.upload)).body(linked.body.clone()).await.expect(201);
        let link = format!("/repository/ada/{all}/links/ada/{source}/hello");
        let file = format!("/ada/{all}/{}", linked.path);
        assert!(!is_listed(&house, &all, &linked).await, "{kind}");
        ada.put(&link).await.expect(201);
        assert!(is_listed(&house, &all, &linked).await, "{kind}: linked");
        assert_eq!(house.anyone().download(&file).await.expect(200).body, linked.body, "{kind}");
        ada.patch(&format!("/repos/ada/{source}")).json(json!({"private": true})).await.expect(200);
        assert!(!is_listed(&house, &all, &linked).await, "{kind}: private");
        house.anyone().download(&file).await.expect(404);
        ada.patch(&format!("/repos/ada/{source}")).json(json!({"private": false})).await.expect(200);
        assert!(is_listed(&house, &all, &linked).await, "{kind}: public again");
        ada.delete(&link).await.expect(200);
        assert!(!is_listed(&house, &all, &linked).await, "{kind}: not linked");
        house.anyone().download(&file).await.expect(404);
    }
}
