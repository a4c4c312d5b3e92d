//! A package that a repository has already at another path with other content.

use serde_json::{Value, json};
use suite::Person;

use super::{
    alpine::apk,
    arch::package,
    chart,
    conda::{conda, conda_of},
    deb, repo_of,
    rpm::rpm,
    tar_gz,
};
use crate::catalogue::new_package;

/// Uploads to a repository that already has the package.
struct Case {
    kind: &'static str,
    /// The path of the package that is there, with its parameters.
    first: &'static str,
    /// The request that sends it again, with other content.
    second: &'static str,
    /// A request that sends the other content to a part of the repository that other clients read.
    elsewhere: Option<&'static str>,
    bodies: [Vec<u8>; 2],
    /// The body of the refusal.
    refusal: Value,
}

/// The same gzip or ar file with another time in its head.
fn dated(bytes: &[u8]) -> Vec<u8> {
    let at = if bytes.starts_with(b"!<arch>") { 24 } else { 4 };
    let mut bytes = bytes.to_vec();
    bytes[at] = b'1';
    bytes
}

fn exists(path: &str) -> Value {
    json!({"message": format!("'{path}' is the same package with other content; delete it first, or upload to its path")})
}

fn case(kind: &'static str, paths: [&'static str; 2], body: &[u8], refusal: Value) -> Case {
    let [first, second] = paths;
    Case { kind, first, second, elsewhere: None, bodies: [body.to_vec(), dated(body)], refusal }
}

fn cases() -> Vec<Case> {
    let deb = deb("hello", "1.0", "all");
    let cran = tar_gz(&[("hello/DESCRIPTION", b"Package: hello\nVersion: 1.0\n")]);
    let info = "pkgname = hello\npkgver = 1.0-1\narch = x86_64\nsize = 1\npkgdesc = of ada\n";
    let of_path = json!({"message": "The file 'hello-1.0-h0_0.conda' already exists with other content"});
    let index = json!({"name": "hello", "version": "1.0", "build": "h0_0", "build_number": 0, "subdir": "linux-64",
        "license": "MIT"});
    let licensed = conda_of(&index);
    let pool = "pool/a/hello_1.0_all.deb;deb_distribution=stable;deb_component=main";
    vec![
        Case {
            elsewhere: Some("upload/testing/contrib/hello_1.0_all.deb"),
            ..case("debian", [pool, "upload/stable/main/hello_1.0_all.deb"], &deb, exists("pool/a/hello_1.0_all.deb"))
        },
        Case {
            elsewhere: Some("upload/more/hello_1.0_all.ipk"),
            ..case("opkg", ["base/hello_1.ipk", "upload/base/hello_1.0_all.ipk"], &deb, exists("base/hello_1.ipk"))
        },
        Case {
            elsewhere: Some("v3/community/x86_64/hello-1.0-r0.apk"),
            ..case(
                "alpine",
                ["v3/main/noarch/hello-1.0-r0.apk", "v3/main/x86_64/hello-1.0-r0.apk"],
                &apk("hello", "1.0-r0", "noarch"),
                exists("v3/main/noarch/hello-1.0-r0.apk"),
            )
        },
        Case {
            bodies: [tar_gz(&[(".PKGINFO", info.as_bytes())]), package("hello", "1.0-1", "x86_64")],
            ..case(
                "arch",
                ["x86_64/hello-1.0-1-x86_64.pkg.tar.gz", "upload/hello-1.0-1-x86_64.pkg.tar.zst"],
                &deb,
                exists("x86_64/hello-1.0-1-x86_64.pkg.tar.gz"),
            )
        },
        Case {
            bodies: [rpm("hello", "1.0", "one"), rpm("hello", "1.0", "two")],
            ..case("rpm", ["a/hello.rpm", "upload/b/hello.rpm"], &deb, exists("a/hello.rpm"))
        },
        // The two forms of a package of conda have entries of their own, so only the same path is taken.
        Case {
            bodies: [conda("hello", "1.0", "linux-64"), licensed],
            ..case("conda", ["linux-64/hello-1.0-h0_0.conda", "upload/hello-1.0-h0_0.conda"], &deb, of_path)
        },
        Case {
            elsewhere: Some("bin/macosx/big-sur-arm64/contrib/4.5/hello_1.0.tgz"),
            ..case(
                "cran",
                ["src/contrib/hello_1.0.old.tar.gz", "upload/hello_1.0.tar.gz"],
                &cran,
                exists("src/contrib/hello_1.0.old.tar.gz"),
            )
        },
        case(
            "helm",
            ["charts/hello-1.0.0.tgz", "hello-1.0.0.tgz"],
            &chart("hello", "1.0.0", "x"),
            json!({"error": "hello-1.0.0.tgz already exists"}),
        ),
    ]
}

/// The version that the package of a type has.
fn version(kind: &str) -> &'static str {
    match kind {
        "alpine" => "1.0-r0",
        "arch" | "rpm" => "1.0-1",
        "helm" => "1.0.0",
        _ => "1.0",
    }
}

async fn send(by: &Person, path: &str, body: &[u8]) -> suite::Answer {
    by.put(&format!("//dl/ada/{path}")).body(body.to_vec()).await
}

#[tokio::test]
async fn a_package_is_not_listed_twice_with_different_content() {
    let (_house, ada) = repo_of("generic").await;
    for Case { kind, first, second, elsewhere, bodies: [body, other], refusal } in cases() {
        let repo = format!("repo-{kind}");
        ada.post(&format!("/repos/ada/{repo}")).json(json!({"type": kind})).await.expect(201);
        new_package(&ada, &format!("ada/{repo}"), "hello").await;
        let target = format!("/content/ada/{repo}/hello/{}/{first}?publish=1", version(kind));
        ada.put(&target).body(body.clone()).await.expect(201);
        let refused = send(&ada, &format!("{repo}/{second}"), &other).await.expect(409).json();
        assert_eq!(refused, refusal, "{kind}");
        if let Some(path) = elsewhere {
            send(&ada, &format!("{repo}/{path}"), &other).await.expect(201);
        }
        // The same content is the same package.
        let ending = |path: &'static str| path.split(';').next().and_then(|path| path.rsplit('.').next());
        if ending(first) == ending(second) {
            send(&ada, &format!("{repo}/{second}"), &body).await.expect(201);
        }
    }
}

#[tokio::test]
async fn a_package_is_found_in_any_version_and_package_of_the_repository() {
    let (_house, ada) = repo_of("debian").await;
    for name in ["hello", "other"] {
        new_package(&ada, "ada/repo", name).await;
    }
    let body = deb("hello", "1.0", "all");
    let put = |at: &str, name: &str, body: &[u8]| {
        let place = "deb_distribution=stable;deb_component=main;publish=1";
        ada.put(&format!("/content/ada/repo/{at}/{name}/hello_1.0_all.deb;{place}")).body(body.to_vec())
    };
    put("hello/1.0", "a", &body).await.expect(201);
    let refused = put("hello/2.0", "b", &dated(&body)).await.expect(409).json();
    assert_eq!(refused, exists("a/hello_1.0_all.deb"));
    // A publisher of one package need not know the files of another.
    let refused = put("other/1.0", "b", &dated(&body)).await.expect(409).json();
    let message =
        "A file of another package is the same package with other content; delete it first, or upload to its path";
    assert_eq!(refused, json!({ "message": message }));
    put("other/1.0", "b", &body).await.expect(201);
    for path in ["a", "b"] {
        put("hello/2.0", "c", &dated(&body)).await.expect(409);
        ada.delete(&format!("/content/ada/repo/{path}/hello_1.0_all.deb")).await.expect(200);
    }
    put("hello/2.0", "c", &dated(&body)).await.expect(201);
    put("other/1.0", "b", &body).await.expect(409);
}

#[tokio::test]
async fn one_of_two_uploads_at_once_is_refused() {
    let (_house, ada) = repo_of("debian").await;
    for name in ["one", "two"] {
        new_package(&ada, "ada/repo", name).await;
    }
    for round in 0..10 {
        let body = deb("hello", &format!("1.{round}"), "all");
        let put = |package: &str, body: Vec<u8>| {
            let place = "deb_distribution=stable;deb_component=main;publish=1";
            let file = format!("{package}/hello_1.{round}_all.deb");
            ada.put(&format!("/content/ada/repo/{package}/1.{round}/{file};{place}")).body(body)
        };
        let (first, second) =
            tokio::join!(async { put("one", body.clone()).await }, async { put("two", dated(&body)).await });
        let mut statuses = [first.status, second.status];
        statuses.sort_unstable();
        assert_eq!(statuses, [201, 409], "round {round}");
    }
}
