//! Uploads by plain requests below a repository's URL, whose files say what they are.

use serde_json::json;
use sha2::{Digest, Sha256};

use super::{alpine::apk, chart, charts, conda::conda, deb, repo_of, tar_gz};

/// The SHA-256 in hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[tokio::test]
async fn packages_of_other_formats_say_where_they_go() {
    let (house, ada) = repo_of("opkg").await;
    ada.put("//dl/ada/repo/upload/23.05/base/hello_1.0_all.ipk").body(deb("hello", "1.0", "all")).await.expect(201);
    let text = house.anyone().download("/ada/repo/23.05/base/Packages").await.expect(200).text();
    assert!(text.contains("Filename: hello_1.0_all.ipk\n"), "{text}");
    ada.post("/repos/ada/cran").json(json!({"type": "cran"})).await.expect(201);
    for version in ["1.0", "1.10", "1.9"] {
        let description = format!("Package: tiny\nVersion: {version}\nLicense: MIT\nTitle: Of Ada\n");
        let path = format!("//dl/ada/cran/upload/tiny_{version}.tar.gz");
        ada.put(&path).body(tar_gz(&[("tiny/DESCRIPTION", description.as_bytes())])).await.expect(201);
    }
    let text = house.anyone().download("/ada/cran/src/contrib/PACKAGES").await.expect(200).text();
    assert!(text.starts_with("Package: tiny\nVersion: 1.10\n") && text.matches("Package:").count() == 1, "{text}");
    house.anyone().download("/ada/cran/src/contrib/Archive/tiny/tiny_1.0.tar.gz").await.expect(200);
    house.anyone().download("/ada/cran/src/contrib/Archive/other/tiny_1.0.tar.gz").await.expect(404);
    ada.post("/repos/ada/conda").json(json!({"type": "conda"})).await.expect(201);
    ada.put("//dl/ada/conda/upload/hello-1.0-h0_0.conda").body(conda("hello", "1.0", "linux-64")).await.expect(201);
    let index = house.anyone().download("/ada/conda/linux-64/repodata.json").await.expect(200).json();
    assert!(index["packages.conda"].get("hello-1.0-h0_0.conda").is_some(), "{index}");
    ada.put("//dl/ada/conda/upload/other-1.0-h0_0.conda").body(conda("hello", "1.0", "noarch")).await.expect(400);
}

#[tokio::test]
async fn alpine_packages_for_all_architectures_are_in_each_folder() {
    let (house, ada) = repo_of("alpine").await;
    let anyone = house.anyone();
    let upload = async |name: &str, architecture: &str| {
        let path = format!("//dl/ada/repo/upload/v3.20/main/{name}-1.0-r0.apk");
        ada.put(&path).body(apk(name, "1.0-r0", architecture)).await.refuses(201, "success");
    };
    upload("hello", "x86_64").await;
    upload("pure", "noarch").await;
    upload("hello", "aarch64").await;
    for architecture in ["x86_64", "aarch64"] {
        let folder = format!("/ada/repo/v3.20/main/{architecture}");
        let index = super::alpine::text(&anyone.download(&format!("{folder}/APKINDEX.tar.gz")).await.expect(200).body);
        assert!(index.contains("P:pure\n") && index.contains("P:hello\n"), "{index}");
        assert_eq!(index.matches(&format!("A:{architecture}\n")).count(), 2, "{index}");
        let body = anyone.download(&format!("{folder}/pure-1.0-r0.apk")).await.expect(200).body;
        assert_eq!(body, apk("pure", "1.0-r0", "noarch"));
    }
    anyone.download("/ada/repo/v3.20/main/x86_64/none-1.0-r0.apk").await.expect(404);
    ada.put("//dl/ada/repo/v3.20/main/upload/hello-2.0-r0.apk")
        .body(apk("hello", "2.0-r0", "x86_64"))
        .await
        .expect(400);
}

#[tokio::test]
async fn charts_are_sent_raw_deleted_and_have_checked_provenance() {
    let (house, ada) = repo_of("helm").await;
    let web = chart("web", "1.0.0", "x");
    let sent = ada.post("//dl/ada/repo/api/charts").body(web.clone()).await.expect(201).json();
    assert_eq!(sent, json!({"saved": true}));
    ada.put("//dl/ada/repo/db-2.0.0.tgz").body(chart("db", "2.0.0", "x")).await.expect(201);
    ada.put("//dl/ada/repo/other-2.0.0.tgz").body(chart("db", "2.0.0", "x")).await.expect(400);
    assert_eq!(charts(&house.anyone()).await, ["db 2.0.0", "web 1.0.0"]);
    let entry = house.anyone().get("//dl/ada/repo/api/charts/web/1.0.0").await.expect(200).json();
    assert_eq!((&entry["name"], &entry["digest"]), (&json!("web"), &json!(hex(&web))));
    let all = house.anyone().get("//dl/ada/repo/api/charts").await.expect(200).json();
    assert_eq!((&all["web"][0], all.as_object().expect("a map").len()), (&entry, 2));
    let versions = house.anyone().get("//dl/ada/repo/api/charts/web").await.expect(200).json();
    assert_eq!(versions, json!([entry]));
    house.anyone().get("//dl/ada/repo/api/charts/none").await.expect(404);
    let signed = |digest: &str| {
        format!(
            "-----BEGIN PGP SIGNED MESSAGE-----\n\nfiles:\n  web-1.0.0.tgz: sha256:{digest}\n-----BEGIN PGP SIGNATURE-----\n"
        )
    };
    let wrong = "it lists 'web-1.0.0.tgz', which was uploaded with other content";
    let refused = ada.post("//dl/ada/repo/api/prov").body(signed(&hex(b"x"))).await.expect(400).json();
    assert_eq!(refused, json!({"error": wrong}));
    ada.post("//dl/ada/repo/api/prov").body(signed(&hex(&web))).await.expect(201);
    house.anyone().download("/ada/repo/web-1.0.0.tgz.prov").await.expect(200);
    let deleted = ada.delete("//dl/ada/repo/api/charts/web/1.0.0").await.expect(200).json();
    assert_eq!(deleted, json!({"deleted": true}));
    assert_eq!(charts(&house.anyone()).await, ["db 2.0.0"]);
}

#[tokio::test]
async fn indexes_of_all_types_are_rebuilt_on_request() {
    let (house, ada) = repo_of("debian").await;
    let dsc =
        |version: &str| tar_gz(&[("tiny/DESCRIPTION", format!("Package: tiny\nVersion: {version}\n").as_bytes())]);
    let arch = super::arch::package("hello", "1.0-1", "x86_64");
    for (kind, put, body, index) in [
        (
            "debian",
            "upload/stable/main/hello_1_amd64.deb",
            deb("hello", "1", "amd64"),
            "dists/stable/main/binary-amd64/Packages",
        ),
        ("opkg", "upload/base/hello_1_all.ipk", deb("hello", "1", "all"), "base/Packages"),
        ("helm", "web-1.0.0.tgz", chart("web", "1.0.0", "x"), "index.yaml"),
        ("cran", "upload/tiny_1.0.tar.gz", dsc("1.0"), "src/contrib/PACKAGES"),
        ("conda", "upload/hello-1.0-h0_0.conda", conda("hello", "1.0", "noarch"), "noarch/repodata.json"),
        ("arch", "upload/hello-1.0-1-x86_64.pkg.tar.zst", arch, "x86_64/repo-arch.db"),
        (
            "alpine",
            "upload/v3/main/hello-1.0-r0.apk",
            apk("hello", "1.0-r0", "x86_64"),
            "v3/main/x86_64/APKINDEX.tar.gz",
        ),
    ] {
        let repo = format!("repo-{kind}");
        ada.post(&format!("/repos/ada/{repo}")).json(json!({"type": kind})).await.expect(201);
        ada.put(&format!("//dl/ada/{repo}/{put}")).body(body).await.expect(201);
        let before = house.anyone().download(&format!("/ada/{repo}/{index}")).await.expect(200).body;
        ada.post(&format!("/calc_metadata/ada/{repo}")).await.refuses(202, "success");
        let after = house.anyone().download(&format!("/ada/{repo}/{index}")).await.expect(200).body;
        assert_eq!(before.len(), after.len(), "{kind}");
    }
}
