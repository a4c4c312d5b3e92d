//! NuGet: the requests that dotnet sends, as they were recorded.

use std::io::Write;

use serde_json::{Value, json};
use suite::{Answer, Person, TestHouse};
use zip::{ZipWriter, write::SimpleFileOptions};

use crate::{content::archives::zip, indexes::repo_of};

/// A package with one library.
fn nupkg(id: &str, version: &str) -> Vec<u8> {
    let nuspec = format!(
        "<package xmlns=\"http://schemas.microsoft.com/packaging/2013/05/nuspec.xsd\"><metadata><id>{id}</id>\
         <version>{version}</version><authors>Acme</authors><description>says hello</description></metadata></package>"
    );
    let mut writer = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, content) in [(format!("{id}.nuspec"), nuspec.as_str()), ("lib/netstandard2.0/a.dll".into(), "MZ")] {
        writer.start_file(name, SimpleFileOptions::default()).expect("memory takes everything");
        writer.write_all(content.as_bytes()).expect("memory takes everything");
    }
    writer.finish().expect("memory takes everything").into_inner()
}

/// What `dotnet nuget push` sends: a form with one file whose name says nothing.
async fn push_to(house: &TestHouse, key: &str, path: &str, packages: &[Vec<u8>]) -> Answer {
    let mut body = Vec::new();
    for package in packages {
        body.extend_from_slice(
            b"--cut\r\nContent-Type: application/octet-stream\r\nContent-Disposition: form-data; name=package; \
              filename=package.nupkg; filename*=utf-8''package.nupkg\r\n\r\n",
        );
        body.extend_from_slice(package);
        body.extend_from_slice(b"\r\n");
    }
    body.extend_from_slice(b"--cut--\r\n");
    let call = house.anyone().put(&format!("//dl/ada/repo/{path}"));
    let call = call.header("x-nuget-apikey", key).header("x-nuget-client-version", "6.12.0");
    call.header("content-type", "multipart/form-data; boundary=\"cut\"").body(body).await
}

async fn push(house: &TestHouse, key: &str, package: Vec<u8>) -> Answer {
    push_to(house, key, "publish/", &[package]).await
}

async fn versions(who: &Person) -> Value {
    who.download("/ada/repo/flat/acme.hello/index.json").await.expect(200).json()["versions"].clone()
}

#[tokio::test]
async fn a_package_is_pushed_and_restored() {
    let (house, ada) = repo_of("nuget").await;
    let package = nupkg("Acme.Hello", "1.0");
    push(&house, ada.key(), package.clone()).await.expect(201);
    let anyone = house.anyone();
    let index = anyone.download("/ada/repo/index.json").await.expect(200).json();
    let resources = index["resources"].as_array().expect("a list").clone();
    let url = |kind: &str| {
        let resource = resources.iter().find(|resource| resource["@type"] == kind).expect("a resource");
        let url = resource["@id"].as_str().expect("a URL").to_owned();
        url.split_once("/dl").expect("below /dl").1.to_owned()
    };
    let flat = url("PackageBaseAddress/3.0.0");
    let listed = anyone.download(&format!("{flat}acme.hello/index.json")).await.expect(200).json();
    assert_eq!(listed, json!({"versions": ["1.0.0"]}));
    let fetched = anyone.download(&format!("{flat}acme.hello/1.0.0/acme.hello.1.0.0.nupkg")).await.expect(200);
    assert_eq!(fetched.body, package);
    let nuspec = anyone.download(&format!("{flat}acme.hello/1.0.0/acme.hello.nuspec")).await.expect(200);
    assert!(nuspec.text().contains("<id>Acme.Hello</id>"));
    let registration = url("RegistrationsBaseUrl/3.6.0");
    let document = anyone.download(&format!("{registration}acme.hello/index.json")).await.expect(200).json();
    assert_eq!(document["items"][0]["items"][0]["catalogEntry"]["id"], "Acme.Hello");
    let leaf = anyone.download(&format!("{registration}acme.hello/1.0.0.json")).await.expect(200).json();
    assert_eq!(leaf["listed"], true);
    anyone.download(&format!("{flat}unknown/index.json")).await.expect(404);
}

#[tokio::test]
async fn a_version_is_pushed_once_in_any_spelling() {
    let (house, ada) = repo_of("nuget").await;
    push(&house, ada.key(), nupkg("Acme.Hello", "1.0")).await.expect(201);
    for (id, version) in [("Acme.Hello", "1.0"), ("ACME.hello", "1.0.0"), ("acme.hello", "1.0.0.0")] {
        let again = push(&house, ada.key(), nupkg(id, version)).await.expect(409);
        assert!(again.text().contains("already contains 'acme.hello 1.0.0'"), "{}", again.text());
    }
    push(&house, ada.key(), nupkg("acme.HELLO", "1.1.0-RC")).await.expect(201);
    assert_eq!(versions(&house.anyone()).await, json!(["1.0.0", "1.1.0-rc"]));
    ada.delete("/packages/ada/repo/acme.hello/versions/1.0.0").await.expect(200);
    push(&house, ada.key(), nupkg("Acme.Hello", "1.0.0")).await.expect(409);
    assert_eq!(versions(&house.anyone()).await, json!(["1.1.0-rc"]));
}

#[tokio::test]
async fn other_bodies_are_refused() {
    let (house, ada) = repo_of("nuget").await;
    push(&house, ada.key(), b"no zip".to_vec()).await.expect(400);
    let two = [nupkg("a", "1.0"), nupkg("b", "1.0")];
    let refused = push_to(&house, ada.key(), "publish", &two).await.expect(400);
    assert!(refused.text().contains("more than one package"), "{}", refused.text());
    push_to(&house, ada.key(), "publish", &[]).await.expect(400);
    push(&house, ada.key(), nupkg("a", "1.0.0.0.0")).await.expect(400);
    push(&house, "ph_wrong", nupkg("a", "1.0")).await.expect(401);
    let stranger = house.user("eve").await;
    push(&house, stranger.key(), nupkg("a", "1.0")).await.expect(403);
    let path = "/content/ada/repo/a/1.0.0/flat/b/1.0.0/b.1.0.0.nupkg?publish=1";
    ada.post("/packages/ada/repo").json(json!({"name": "a"})).await.expect(201);
    ada.put(path).body(nupkg("b", "1.0")).await.expect(400);
}

/// The text of a nuspec with these lines in it.
fn nuspec(before: &str, namespace: &str, more: &str) -> String {
    format!(
        "{before}<package xmlns=\"http://schemas.microsoft.com/packaging/{namespace}/nuspec.xsd\"><metadata><id>a</id>\
         <version>1.0</version><authors>Acme</authors><description>a</description>{more}</metadata></package>"
    )
}

#[tokio::test]
async fn hostile_packages_are_refused_and_leave_nothing() {
    let (house, ada) = repo_of("nuget").await;
    let good = nuspec("", "2013/05", "");
    let document_type = nuspec("<!DOCTYPE x [<!ENTITY e \"e\">]>", "2013/05", "");
    let large = nuspec("", "2013/05", &format!("<tags>{}</tags>", "x".repeat(2 << 20)));
    let lying = {
        let mut bytes = zip(&[("a.nuspec", &good)]);
        let size = u32::try_from(good.len()).expect("small").to_le_bytes();
        for at in 0..bytes.len() - 4 {
            if bytes[at..at + 4] == size {
                bytes[at] ^= 1;
            }
        }
        bytes
    };
    for (what, package) in [
        ("two nuspecs", zip(&[("a.nuspec", &good), ("b.nuspec", &good)])),
        ("a document type", zip(&[("a.nuspec", &document_type)])),
        ("2 MB", zip(&[("a.nuspec", &large)])),
        ("a name that leads elsewhere", zip(&[("a.nuspec", &good), ("..\\x", "")])),
        ("another id", zip(&[("b.nuspec", &good)])),
        ("a size that lies", lying),
    ] {
        let refused = push(&house, ada.key(), package).await;
        assert_eq!(refused.status, 400, "{what}: {}", refused.text());
    }
    ada.get("/packages/ada/repo/a").await.expect(404);
    house.anyone().download("/ada/repo/flat/a/index.json").await.expect(404);
    // Other letters, another namespace and a cycle of dependencies are fine.
    let cycle = "<dependencies><dependency id=\"A\" version=\"1.0\"/></dependencies>";
    push(&house, ada.key(), zip(&[("A.nuspec", &nuspec("", "2099/01", cycle))])).await.expect(201);
}

#[tokio::test]
async fn symbols_are_beside_the_package() {
    let (house, ada) = repo_of("nuget").await;
    push(&house, ada.key(), nupkg("Acme.Hello", "1.0")).await.expect(201);
    push_to(&house, ada.key(), "symbols/", &[nupkg("Acme.Hello", "1.0.0")]).await.expect(201);
    house.anyone().download("/ada/repo/flat/acme.hello/1.0.0/acme.hello.1.0.0.snupkg").await.expect(200);
    assert_eq!(versions(&house.anyone()).await, json!(["1.0.0"]));
}

#[tokio::test]
async fn an_unlisted_version_is_restored_and_not_offered() {
    let (house, ada) = repo_of("nuget").await;
    for version in ["1.0.0", "1.1.0"] {
        push(&house, ada.key(), nupkg("Acme.Hello", version)).await.expect(201);
    }
    let target = "//dl/ada/repo/publish/Acme.Hello/1.1.0";
    house.anyone().delete(target).header("x-nuget-apikey", ada.key()).await.expect(204);
    let anyone = house.anyone();
    assert_eq!(versions(&anyone).await, json!(["1.0.0", "1.1.0"]));
    let search = || async { anyone.download("/ada/repo/query?q=hello&take=20").await.expect(200).json() };
    let found = search().await;
    assert_eq!((&found["data"][0]["id"], &found["data"][0]["version"]), (&json!("Acme.Hello"), &json!("1.0.0")));
    let offered = anyone.download("/ada/repo/autocomplete?id=acme.hello").await.expect(200).json();
    assert_eq!(offered, json!({"data": ["1.0.0"]}));
    house.anyone().post(target).header("x-nuget-apikey", ada.key()).await.expect(200);
    assert_eq!(search().await["data"][0]["version"], "1.1.0");
    house.anyone().delete(target).await.expect(401);
    house.anyone().delete("//dl/ada/repo/publish/a/1.0").header("x-nuget-apikey", ada.key()).await.expect(404);
}

#[tokio::test]
async fn a_search_without_a_text_pages_through_all_packages() {
    let (house, ada) = repo_of("nuget").await;
    for id in ["Acme.Two", "Acme.One", "Acme.Three"] {
        push(&house, ada.key(), nupkg(id, "1.0.0")).await.expect(201);
    }
    let page = async |query: &str| {
        let found = house.anyone().download(&format!("/ada/repo/query?{query}")).await.expect(200).json();
        let ids = found["data"].as_array().expect("a list").iter().map(|hit| hit["id"].clone()).collect::<Vec<_>>();
        (found["totalHits"].clone(), ids)
    };
    assert_eq!(page("take=2").await, (json!(3), vec![json!("Acme.One"), json!("Acme.Three")]));
    assert_eq!(page("q=&skip=2&take=2").await, (json!(3), vec![json!("Acme.Two")]));
    assert_eq!(page("q=&skip=9").await, (json!(3), vec![]));
}

#[tokio::test]
async fn a_private_source_needs_credentials() {
    let (house, ada) = repo_of("nuget").await;
    for id in ["Acme.Hello", "Acme.Other"] {
        push(&house, ada.key(), nupkg(id, "1.0")).await.expect(201);
    }
    ada.patch("/repos/ada/repo").json(json!({"private": true})).await.expect(200);
    let refused = house.anyone().download("/ada/repo/index.json").await.expect(401);
    assert!(refused.header("www-authenticate").starts_with("Basic "));
    ada.download("/ada/repo/index.json").await.expect(200);
    assert_eq!(versions(&ada).await, json!(["1.0.0"]));
    let key = house.key(&ada, "client", json!({})).await;
    let terms = json!({"access": "r", "access_keys": ["client"]});
    ada.post("/packages/ada/repo/acme.hello/entitlements").json(terms).await.expect(201);
    key.download("/ada/repo/index.json").await.expect(200);
    assert_eq!(versions(&key).await, json!(["1.0.0"]));
    key.download("/ada/repo/flat/acme.other/index.json").await.expect(404);
    let found = key.download("/ada/repo/query?q=acme").await.expect(200).json();
    assert_eq!((&found["totalHits"], &found["data"][0]["id"]), (&json!(1), &json!("Acme.Hello")));
}

#[tokio::test]
async fn a_staged_release_is_invisible_until_it_is_published() {
    let (house, ada) = repo_of("nuget").await;
    ada.patch("/repos/ada/repo").json(json!({"native_staged": true})).await.expect(200);
    push(&house, ada.key(), nupkg("Acme.Hello", "1.0")).await.expect(201);
    house.anyone().download("/ada/repo/flat/acme.hello/index.json").await.expect(404);
    ada.post("/content/ada/repo/acme.hello/1.0.0/publish").await.expect(200);
    assert_eq!(versions(&house.anyone()).await, json!(["1.0.0"]));
}

#[tokio::test]
async fn two_publishers_at_once_lose_nothing() {
    let (house, ada) = repo_of("nuget").await;
    let one = push(&house, ada.key(), nupkg("Acme.Hello", "1.0"));
    let two = push(&house, ada.key(), nupkg("Acme.Hello", "1.1"));
    let (one, two) = tokio::join!(one, two);
    one.expect(201);
    two.expect(201);
    assert_eq!(versions(&house.anyone()).await, json!(["1.0.0", "1.1.0"]));
}

#[tokio::test]
async fn a_download_of_the_package_is_counted_once() {
    let (house, ada) = repo_of("nuget").await;
    push(&house, ada.key(), nupkg("Acme.Hello", "1.0")).await.expect(201);
    let anyone = house.anyone();
    for file in ["index.json", "1.0.0/acme.hello.nuspec", "1.0.0/acme.hello.1.0.0.nupkg"] {
        anyone.download(&format!("/ada/repo/flat/acme.hello/{file}")).await.expect(200);
    }
    house.flush().await;
    let shown = ada.get("/packages/ada/repo/acme.hello/stats/total_downloads").await.expect(200).json();
    let counts: Vec<_> = shown["records"].as_array().expect("a list").iter().map(|record| &record["count"]).collect();
    assert_eq!(counts, [&json!(1)]);
}
