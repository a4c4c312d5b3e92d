//! Details of file lists, and of the calls about one file.

use serde_json::{Value, json};
use suite::Answer;

use crate::{
    access::acme::Cast,
    catalogue::{new_package, new_private_repo, new_repo, segment},
    content::{MEOW_SHA1, PURR_SHA1, cat, publish, upload, upload_published},
};

/// Returns the paths in a list of files, in its order.
fn in_order(list: &Answer) -> Vec<String> {
    let path = |file: &Value| file["path"].as_str().expect("a path").to_owned();
    list.json().as_array().expect("a list").iter().map(path).collect()
}

#[tokio::test]
async fn files_are_listed_in_the_order_of_their_paths() {
    let (house, ada) = cat().await;
    let paths = ["B.txt", "a-b.txt", "a.txt", "a/1.txt", "a/1/x.txt", "b.txt", "ä.txt"];
    for (number, path) in paths.iter().enumerate().rev() {
        let path: Vec<String> = path.split('/').map(segment).collect();
        upload_published(&ada, &format!("ada/tools/cat/{}.0/{}", number % 2, path.join("/")), "meow").await;
    }
    let all = house.anyone().get("/packages/ada/tools/cat/files").await.expect(200);
    assert_eq!(in_order(&all), paths);
    let from = house.anyone().get("/packages/ada/tools/cat/files?start_pos=5").await.expect(200);
    assert_eq!(in_order(&from), paths[5..]);
    assert_eq!((from.header("x-rangelimit-startpos"), from.header("x-rangelimit-endpos")), ("5", "6"));
    let even = house.anyone().get("/packages/ada/tools/cat/versions/0.0/files?start_pos=1").await.expect(200);
    assert_eq!(in_order(&even), [paths[2], paths[4], paths[6]]);
}

#[tokio::test]
async fn publishers_see_the_newest_content_of_a_file_and_others_the_published() {
    let (house, ada) = cat().await;
    upload_published(&ada, "ada/tools/cat/1.0/cat.bin", "meow").await;
    ada.put("/content/ada/tools/cat/1.0/cat.bin?override=1").body("purr").await.expect(201);
    let sums = async |path: &str| ada.get(path).await.expect(200).json()[0]["sha1"].clone();
    for files in ["/packages/ada/tools/cat/files", "/packages/ada/tools/cat/versions/1.0/files"] {
        assert_eq!(sums(files).await, MEOW_SHA1);
        assert_eq!(sums(&format!("{files}?include_unpublished=1")).await, PURR_SHA1);
        publish(&ada, "ada/tools/cat/1.0").await;
        let seen = house.anyone().get(files).await.expect(200);
        assert_eq!((&seen.json()[0]["sha1"], seen.header("x-rangelimit-total")), (&json!(PURR_SHA1), "1"));
        ada.put("/content/ada/tools/cat/1.0/cat.bin?override=1&publish=1").body("meow").await.expect(201);
        ada.put("/content/ada/tools/cat/1.0/cat.bin?override=1").body("purr").await.expect(201);
    }
}

#[tokio::test]
async fn who_may_not_publish_is_refused_what_is_unpublished() {
    let cast = Cast::start().await;
    cast.org("acme").await;
    new_repo(&cast.owner, "acme/open").await;
    new_private_repo(&cast.owner, "acme/secret").await;
    new_repo(&cast.owner, "acme/mirror").await;
    for repo in ["open", "secret"] {
        new_package(&cast.owner, &format!("acme/{repo}"), "cat").await;
        upload_published(&cast.owner, &format!("acme/{repo}/cat/1.0/cat.bin"), "meow").await;
        upload(&cast.owner, &format!("acme/{repo}/cat/1.0/draft.bin"), "purr").await;
    }
    cast.owner.put("/repository/acme/mirror/links/acme/open/cat").await.expect(201);
    let anyone = cast.house.anyone();
    let mut seen = String::new();
    for (name, who) in cast.actors().into_iter().chain([("anyone", &anyone)]) {
        let ask = async |repo: &str| {
            let list = who.get(&format!("/packages/acme/{repo}/cat/files?include_unpublished=1")).await;
            let version = who.get(&format!("/packages/acme/{repo}/cat/versions/1.0/files?include_unpublished=1")).await;
            assert_eq!((list.status, list.text()), (version.status, version.text()));
            let package = who.get(&format!("/file_package/acme/{repo}/draft.bin")).await.status;
            assert_eq!(package, who.get(&format!("/file_version/acme/{repo}/draft.bin")).await.status);
            format!("{} {package}", list.status)
        };
        seen += &format!("{name}: {}, {}, {}\n", ask("open").await, ask("secret").await, ask("mirror").await);
    }
    insta::assert_snapshot!(seen, @r"
    owner: 200 200, 200 200, 403 404
    admin: 200 200, 200 200, 403 404
    member: 403 404, 404 404, 403 404
    stranger: 403 404, 404 404, 403 404
    site admin: 200 200, 200 200, 403 404
    anyone: 401 404, 401 404, 401 404
    ");
    let denied = cast.owner.get("/packages/acme/mirror/cat/files?include_unpublished=1").await;
    denied.refuses(403, "Package 'cat' is linked from 'acme/open' and can be changed only there");
}

#[tokio::test]
async fn publishers_say_whether_a_file_is_listed() {
    let cast = Cast::start().await;
    cast.org("acme").await;
    new_repo(&cast.owner, "acme/open").await;
    new_private_repo(&cast.owner, "acme/secret").await;
    for repo in ["open", "secret"] {
        new_package(&cast.owner, &format!("acme/{repo}"), "cat").await;
        upload_published(&cast.owner, &format!("acme/{repo}/cat/1.0/cat.bin"), "meow").await;
    }
    let mut seen = String::new();
    for (name, who) in cast.actors() {
        let ask = async |repo: &str| {
            let call = who.put(&format!("/file_metadata/acme/{repo}/cat.bin"));
            call.json(json!({"list_in_downloads": true})).await.status
        };
        seen += &format!("{name}: {} {}\n", ask("open").await, ask("secret").await);
    }
    insta::assert_snapshot!(seen, @r"
    owner: 200 200
    admin: 200 200
    member: 403 404
    stranger: 403 404
    site admin: 200 200
    ");
    let anyone = cast.house.anyone().put("/file_metadata/acme/open/cat.bin");
    anyone.body("no json").await.refuses(401, "This resource requires authentication");
    upload(&cast.owner, "acme/open/cat/1.0/draft.bin", "purr").await;
    let mut refusals = String::new();
    for (path, body) in [
        ("draft.bin", json!({"list_in_downloads": true})),
        ("none.bin", json!({"list_in_downloads": true})),
        ("cat.bin", json!({})),
        ("cat.bin", json!({"list_in_downloads": null})),
    ] {
        let answer = cast.owner.put(&format!("/file_metadata/acme/open/{path}")).json(body).await;
        refusals += &format!("{} {}\n", answer.status, answer.message());
    }
    insta::assert_snapshot!(refusals, @r"
    400 file_path: 'draft.bin' is not published
    404 File 'none.bin' was not found
    400 missing field `list_in_downloads`
    400 list_in_downloads: invalid type: null, expected a boolean
    ");
}

#[tokio::test]
async fn a_path_may_hold_any_printable_character() {
    let (house, ada) = cat().await;
    let path = "my folder/ü;1+2=3 & 100%.txt";
    let encoded: Vec<String> = path.split('/').map(segment).collect();
    let encoded = encoded.join("/");
    upload_published(&ada, &format!("ada/tools/cat/1.0/{encoded}"), "meow").await;
    assert_eq!(in_order(&house.anyone().get("/packages/ada/tools/cat/files").await.expect(200)), [path]);
    house.anyone().get(&format!("/file_version/ada/tools/{encoded}")).await.expect(200);
    house.anyone().get(&format!("/file_package/ada/tools/{}", encoded.replace('/', "%2F"))).await.expect(200);
    ada.put(&format!("/file_metadata/ada/tools/{encoded}")).json(json!({"list_in_downloads": true})).await.expect(200);
}

#[tokio::test]
async fn what_is_deleted_leaves_no_files() {
    let (house, ada) = cat().await;
    for version in ["1.0", "2.0"] {
        upload_published(&ada, &format!("ada/tools/cat/{version}/cat-{version}.bin"), version).await;
    }
    let found = async |name: &str| in_order(&house.anyone().get(&format!("/search/file?name={name}")).await);
    assert_eq!(found("cat-*").await, ["cat-2.0.bin", "cat-1.0.bin"]);
    ada.delete("/packages/ada/tools/cat/versions/2.0").await.expect(200);
    assert_eq!(in_order(&house.anyone().get("/packages/ada/tools/cat/files").await.expect(200)), ["cat-1.0.bin"]);
    assert_eq!(found("*-?.0.bin").await, ["cat-1.0.bin"]);
    house.anyone().get("/file_version/ada/tools/cat-2.0.bin").await.refuses(404, "File 'cat-2.0.bin' was not found");
    ada.delete("/packages/ada/tools/cat").await.expect(200);
    assert_eq!(found("cat-*").await, [""; 0]);
    assert_eq!(found("*-?.0.bin").await, [""; 0]);
}
