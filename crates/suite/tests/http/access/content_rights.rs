//! Rights on content, in a public and a private repository.

use serde_json::json;
use suite::{Answer, Call, Person};

use crate::{
    access::{
        acme::{Cast, set_member},
        grants::{new_team, permit},
        guests::{give, guests},
    },
    catalogue::new_package,
    content::{upload, upload_published},
};

/// Returns the calls on a repository `acme/...` that has the published file `old.bin` and the unpublished `new.bin`.
fn acts(who: &Person, repo: &str) -> Vec<(&'static str, Call)> {
    let version = format!("/content/{repo}/cat/1.0");
    vec![
        ("upload", who.put(&format!("{version}/more.bin")).body("hiss")),
        ("upload of what is there", who.put(&format!("{version}/old.bin")).body("meow")),
        ("upload to a package that is not there", who.put(&format!("/content/{repo}/dog/1.0/dog.bin")).body("woof")),
        ("file_metadata", who.put(&format!("/file_metadata/{repo}/old.bin")).json(json!({"list_in_downloads": true}))),
        ("publish", who.post(&format!("{version}/publish"))),
        ("publish of a version that is not there", who.post(&format!("/content/{repo}/cat/9/publish"))),
        ("discard", who.post(&format!("{version}/publish")).json(json!({"discard": true}))),
        ("delete", who.delete(&format!("/content/{repo}/old.bin"))),
        ("delete of what is not there", who.delete(&format!("/content/{repo}/none.bin"))),
        ("download", who.download(&format!("/{repo}/cat.bin"))),
    ]
}

/// Makes every call as everyone, each in a new repository, and returns the statuses as a table.
async fn table(cast: &Cast, is_private: bool) -> String {
    let (anyone, guests) = (cast.house.anyone(), guests(cast, "acme").await);
    let guests = guests.iter().map(|(name, guest)| (*name, guest));
    let actors: Vec<(&str, &Person)> =
        cast.actors().into_iter().chain([("anonymous", &anyone)]).chain(guests).collect();
    let mut rows: Vec<String> = Vec::new();
    for (column, (name, who)) in actors.iter().enumerate() {
        let repo = format!("acme/r{column}-{is_private}");
        cast.owner.post(&format!("/repos/{repo}")).json(json!({ "private": is_private })).await.expect(201);
        new_package(&cast.owner, &repo, "cat").await;
        upload_published(&cast.owner, &format!("{repo}/cat/1.0/old.bin"), "meow").await;
        upload_published(&cast.owner, &format!("{repo}/cat/1.0/cat.bin"), "meow").await;
        upload(&cast.owner, &format!("{repo}/cat/1.0/new.bin"), "purr").await;
        give(cast, name, &repo).await;
        for (row, (_, call)) in acts(who, &repo).into_iter().enumerate() {
            let status = call.await.status;
            rows.resize(rows.len().max(row + 1), String::new());
            rows[row] += &format!("{status:>12}");
        }
    }
    let names = acts(&anyone, "").into_iter().map(|(name, _)| name);
    let lines = rows.iter().zip(names).map(|(row, name)| format!("{row}  {name}\n"));
    actors.iter().map(|(name, _)| format!("{name:>12}")).collect::<String>() + "\n" + &lines.collect::<String>()
}

#[tokio::test]
async fn content_of_a_public_repository_is_read_by_all_and_changed_by_its_publishers() {
    let cast = Cast::start().await;
    cast.org("acme").await;
    insta::assert_snapshot!(table(&cast, false).await, @r"
       owner       admin      member    stranger  site admin   anonymous      reader   publisher       key r      key rw key package
         201         201         403         403         201         401         403         201         403         201         403  upload
         201         201         403         403         201         401         403         201         403         201         403  upload of what is there
         404         404         403         403         404         401         403         404         403         404         403  upload to a package that is not there
         200         200         403         403         200         401         403         200         403         200         403  file_metadata
         200         200         403         403         200         401         403         200         403         200         403  publish
         404         404         403         403         404         401         403         404         403         404         403  publish of a version that is not there
         200         200         403         403         200         401         403         200         403         200         403  discard
         200         200         403         403         200         401         403         200         403         200         403  delete
         404         404         403         403         404         401         403         404         403         404         403  delete of what is not there
         200         200         200         200         200         200         200         200         200         200         200  download
    ");
}

#[tokio::test]
async fn content_of_a_private_repository_is_for_its_publishers() {
    let cast = Cast::start().await;
    cast.org("acme").await;
    insta::assert_snapshot!(table(&cast, true).await, @r"
       owner       admin      member    stranger  site admin   anonymous      reader   publisher       key r      key rw key package
         201         201         404         404         201         401         403         201         403         201         403  upload
         201         201         404         404         201         401         403         201         403         201         403  upload of what is there
         404         404         404         404         404         401         403         404         403         404         404  upload to a package that is not there
         200         200         404         404         200         401         403         200         403         200         403  file_metadata
         200         200         404         404         200         401         403         200         403         200         403  publish
         404         404         404         404         404         401         403         404         403         404         403  publish of a version that is not there
         200         200         404         404         200         401         403         200         403         200         403  discard
         200         200         404         404         200         401         403         200         403         200         403  delete
         404         404         404         404         404         401         403         404         403         404         404  delete of what is not there
         200         200         404         404         200         401         200         200         200         200         200  download
    ");
}

#[tokio::test]
async fn refused_calls_change_nothing() {
    let cast = Cast::start().await;
    cast.org("acme").await;
    cast.owner.post("/repos/acme/tools").json(json!({})).await.expect(201);
    new_package(&cast.owner, "acme/tools", "cat").await;
    upload_published(&cast.owner, "acme/tools/cat/1.0/old.bin", "meow").await;
    upload_published(&cast.owner, "acme/tools/cat/1.0/cat.bin", "meow").await;
    upload(&cast.owner, "acme/tools/cat/1.0/new.bin", "purr").await;
    let state = async || {
        let files = cast.owner.get("/packages/acme/tools/cat/files?include_unpublished=1").await.expect(200).text();
        files + &cast.site_admin.get("/audit").await.expect(200).text()
    };
    let before = state().await;
    for who in [&cast.member, &cast.stranger, &cast.house.anyone()] {
        for (name, call) in acts(who, "acme/tools") {
            let answer: Answer = call.await;
            assert!(name == "download" || matches!(answer.status, 401 | 403), "{name}: {}", answer.text());
        }
    }
    assert_eq!(state().await, before);
}

/// Uploads often enough that every server has cached the caller's rights, and returns the statuses.
async fn upload_often(who: &Person) -> Vec<u16> {
    let mut statuses = Vec::new();
    for _ in 0..9 {
        statuses.push(who.put("/content/acme/tools/cat/1.0/cat.bin").body("meow").await.status);
    }
    statuses.dedup();
    statuses
}

#[tokio::test]
async fn whoever_uploads_all_the_time_is_shut_out_and_let_in_at_once() {
    let cast = Cast::start().await;
    cast.org("acme").await;
    let pat = cast.house.user("pat").await;
    set_member(&cast.owner, "acme", "pat", "member").await;
    new_team(&cast.owner, "acme", "crew", &["pat"]).await;
    cast.owner.post("/repos/acme/tools").json(json!({"private": true})).await.expect(201);
    new_package(&cast.owner, "acme/tools", "cat").await;
    assert_eq!(upload_often(&pat).await, [404]);
    permit(&cast.owner, "acme/tools", "crew", "publish").await;
    assert_eq!(upload_often(&pat).await, [201]);
    permit(&cast.owner, "acme/tools", "crew", "read").await;
    assert_eq!(upload_often(&pat).await, [403]);
    permit(&cast.owner, "acme/tools", "crew", "publish").await;
    assert_eq!(upload_often(&pat).await, [201]);
    cast.owner.patch("/orgs/acme/teams/crew").json(json!({"members": []})).await.expect(200);
    assert_eq!(upload_often(&pat).await, [404]);
}

#[tokio::test]
async fn what_is_deleted_under_those_who_upload_all_the_time_is_gone_at_once() {
    let cast = Cast::start().await;
    cast.org("acme").await;
    cast.owner.post("/repos/acme/tools").await.expect(201);
    for gone in ["/packages/acme/tools/cat", "/repos/acme/tools"] {
        new_package(&cast.owner, "acme/tools", "cat").await;
        assert_eq!(upload_often(&cast.owner).await, [201]);
        cast.owner.delete(gone).await.expect(200);
        assert_eq!(upload_often(&cast.owner).await, [404], "{gone}");
    }
}
