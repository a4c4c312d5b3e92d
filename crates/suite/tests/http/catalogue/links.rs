//! Packages that are linked into other repositories.

use serde_json::{Value, json};
use suite::{Person, TestHouse};

use crate::{
    access::acme::Cast,
    catalogue::{new_package, new_private_repo, new_repo, new_version},
    cluster::together::{statuses, together},
};

const LINK: &str = "/repository/ada/mirror/links/bob/lib/bee";

/// `ada/mirror`, which links to the package `bee` of `bob/lib`.
struct Linked {
    house: TestHouse,
    ada: Person,
    bob: Person,
    eve: Person,
}

impl Linked {
    async fn start() -> Self {
        let linked = Self::unlinked().await;
        linked.ada.put(LINK).await.refuses(201, "success");
        linked
    }

    async fn unlinked() -> Self {
        let house = TestHouse::start().await;
        let (ada, bob, eve) = (house.user("ada").await, house.user("bob").await, house.user("eve").await);
        new_repo(&ada, "ada/mirror").await;
        new_repo(&bob, "bob/lib").await;
        new_package(&bob, "bob/lib", "bee").await;
        new_version(&bob, "bob/lib/bee", "1.0").await;
        Self { house, ada, bob, eve }
    }

    async fn hide_source(&self) {
        self.bob.patch("/repos/bob/lib").json(json!({"private": true})).await.expect(200);
    }
}

/// Returns the names in the list of `ada/mirror`.
async fn mirrored(who: &Person) -> Value {
    let list = who.get("/repos/ada/mirror/packages").await.expect(200);
    let names: Vec<Value> =
        list.json().as_array().expect("a list").iter().map(|package| package["name"].clone()).collect();
    assert_eq!(list.header("x-rangelimit-total"), names.len().to_string());
    json!(names)
}

#[tokio::test]
async fn a_linked_package_answers_as_at_its_source() {
    let Linked { house, ada, bob, .. } = Linked::start().await;
    for who in [&ada, &bob, &house.anyone()] {
        let (there, here) = (who.get("/packages/bob/lib/bee").await, who.get("/packages/ada/mirror/bee").await);
        assert_eq!(here.expect(200).text(), there.expect(200).text());
        for version in ["1.0", "_latest"] {
            let there = who.get(&format!("/packages/bob/lib/bee/versions/{version}")).await.expect(200);
            let here = who.get(&format!("/packages/ada/mirror/bee/versions/{version}")).await.expect(200);
            assert_eq!(here.text(), there.text());
        }
    }
    let shown = ada.get("/packages/ada/mirror/bee").await.expect(200).json();
    assert_eq!((&shown["owner"], &shown["repo"]), (&json!("bob"), &json!("lib")));
    assert_eq!(shown["linked_to_repos"], json!(["ada/mirror"]));
    assert!(shown.get("github_repo").is_none(), "ada is no publisher at the source");
    assert_eq!(bob.get("/packages/ada/mirror/bee").await.expect(200).json()["github_repo"], Value::Null);
}

#[tokio::test]
async fn a_linked_package_can_be_changed_only_at_its_source() {
    let Linked { house, ada, bob, .. } = Linked::start().await;
    let message = "Package 'bee' is linked from 'bob/lib' and can be changed only there";
    ada.patch("/packages/ada/mirror/bee").json(json!({"desc": "Bzz"})).await.refuses(403, message);
    ada.delete("/packages/ada/mirror/bee").await.refuses(403, message);
    ada.post("/packages/ada/mirror/bee/versions").json(json!({"name": "2.0"})).await.refuses(403, message);
    ada.patch("/packages/ada/mirror/bee/versions/1.0").json(json!({"desc": "x"})).await.refuses(403, message);
    ada.delete("/packages/ada/mirror/bee/versions/1.0").await.refuses(403, message);
    house.admin().delete("/packages/ada/mirror/bee").await.refuses(403, message);
    bob.delete("/packages/ada/mirror/bee").await.refuses(403, "You may not do this");
    house.anyone().delete("/packages/ada/mirror/bee").await.expect(401);
    assert_eq!(bob.get("/packages/bob/lib/bee").await.expect(200).json()["versions"], json!(["1.0"]));
}

#[tokio::test]
async fn owners_and_administrators_of_the_repository_link() {
    let cast = Cast::start().await;
    cast.org("acme").await;
    new_repo(&cast.owner, "acme/mirror").await;
    let bob = cast.house.user("bob").await;
    new_repo(&bob, "bob/lib").await;
    new_package(&bob, "bob/lib", "bee").await;
    let path = "/repository/acme/mirror/links/bob/lib/bee";
    let mut seen = String::new();
    for (name, who) in cast.actors() {
        let (link, again, unlink) = (who.put(path).await, who.put(path).await, who.delete(path).await);
        seen += &format!("{name}: {} {} {}\n", link.status, again.status, unlink.status);
    }
    insta::assert_snapshot!(seen, @r"
    owner: 201 409 200
    admin: 201 409 200
    member: 403 403 403
    stranger: 403 403 403
    site admin: 201 409 200
    ");
    bob.put(path).await.refuses(403, "You may not do this");
    cast.house.anyone().put(path).await.refuses(401, "This resource requires authentication");
    cast.house.anyone().put(path).body("no json").await.expect(401);
}

#[tokio::test]
async fn who_links_must_be_able_to_read_the_source() {
    let linked = Linked::unlinked().await;
    linked.hide_source().await;
    let hidden = linked.ada.put(LINK).await.refuses(404, "Repository 'lib' was not found");
    let missing = linked.ada.put("/repository/ada/mirror/links/eve/lib/bee").await.expect(404);
    assert_eq!(hidden.text(), missing.text());
    linked.ada.put("/repository/ada/none/links/bob/lib/bee").await.refuses(404, "Repository 'none' was not found");
    linked.bob.patch("/repos/bob/lib").json(json!({"private": false})).await.expect(200);
    linked.ada.put("/repository/ada/mirror/links/bob/lib/x").await.refuses(404, "Package 'x' was not found");
    linked.ada.put("/repository/ada/mirror/links/bob/lib/a%2Fb").await.expect(400);
    assert_eq!(mirrored(&linked.ada).await, json!([]));
}

#[tokio::test]
async fn a_link_is_seen_by_those_who_may_read_both_ends() {
    let linked = Linked::start().await;
    linked.hide_source().await;
    let anyone = linked.house.anyone();
    for who in [&linked.ada, &linked.eve, &anyone] {
        assert_eq!(mirrored(who).await, json!([]), "the source is hidden");
        for rest in ["", "/versions/1.0", "/versions/_latest"] {
            let hidden = who.get(&format!("/packages/ada/mirror/bee{rest}")).await;
            hidden.refuses(404, "Package 'bee' was not found");
        }
    }
    linked.ada.patch("/packages/ada/mirror/bee").json(json!({})).await.refuses(404, "Package 'bee' was not found");
    assert_eq!(mirrored(&linked.bob).await, json!(["bee"]));
    assert_eq!(mirrored(&linked.house.admin()).await, json!(["bee"]));
    linked.bob.get("/packages/ada/mirror/bee").await.expect(200);
}

#[tokio::test]
async fn the_source_names_only_the_repositories_that_the_caller_may_read() {
    let linked = Linked::start().await;
    new_private_repo(&linked.ada, "ada/secret").await;
    linked.ada.put("/repository/ada/secret/links/bob/lib/bee").await.expect(201);
    let seen =
        async |who: &Person| who.get("/packages/bob/lib/bee").await.expect(200).json()["linked_to_repos"].clone();
    assert_eq!(seen(&linked.ada).await, json!(["ada/mirror", "ada/secret"]));
    assert_eq!(seen(&linked.bob).await, json!(["ada/mirror"]));
    assert_eq!(seen(&linked.house.anyone()).await, json!(["ada/mirror"]));
    linked.bob.get("/packages/ada/secret/bee").await.refuses(404, "Repository 'secret' was not found");
}

#[tokio::test]
async fn a_name_stands_once_in_a_repository() {
    let Linked { house: _house, ada, bob, eve } = Linked::start().await;
    ada.put(LINK).await.refuses(409, "Package 'bee' is already linked");
    for name in ["bee", "Bee"] {
        let message = format!("Package '{name}' already exists");
        ada.post("/packages/ada/mirror").json(json!({ "name": name })).await.refuses(409, &message);
    }
    new_repo(&eve, "eve/lib").await;
    new_package(&eve, "eve/lib", "BEE").await;
    ada.put("/repository/ada/mirror/links/eve/lib/BEE").await.refuses(409, "Package 'BEE' is already linked");
    new_package(&ada, "ada/mirror", "wasp").await;
    new_package(&bob, "bob/lib", "Wasp").await;
    ada.put("/repository/ada/mirror/links/bob/lib/Wasp").await.refuses(409, "Package 'Wasp' already exists");
    ada.put("/repository/ada/mirror/links/ada/mirror/wasp").await.refuses(409, "Package 'wasp' already exists");
    assert_eq!(mirrored(&ada).await, json!(["bee", "wasp"]));
}

#[tokio::test]
async fn a_link_cannot_be_linked_again() {
    let linked = Linked::start().await;
    new_repo(&linked.eve, "eve/copy").await;
    let chained = linked.eve.put("/repository/eve/copy/links/ada/mirror/bee").await;
    chained.refuses(404, "Package 'bee' was not found");
    linked.eve.put("/repository/eve/copy/links/bob/lib/bee").await.expect(201);
}

#[tokio::test]
async fn what_is_not_linked_cannot_be_unlinked() {
    let Linked { house, ada, eve, bob } = Linked::start().await;
    eve.delete(LINK).await.refuses(403, "You may not do this");
    bob.delete(LINK).await.refuses(403, "You may not do this");
    house.anyone().delete(LINK).await.refuses(401, "This resource requires authentication");
    ada.delete("/repository/ada/mirror/links/eve/lib/bee").await.refuses(404, "Link 'eve/lib/bee' was not found");
    ada.delete(LINK).await.refuses(200, "success");
    ada.delete(LINK).await.refuses(404, "Link 'bob/lib/bee' was not found");
    assert_eq!(mirrored(&ada).await, json!([]));
    bob.get("/packages/bob/lib/bee").await.expect(200);
    new_package(&ada, "ada/mirror", "bee").await;
}

#[tokio::test]
async fn a_link_whose_source_was_hidden_can_still_be_removed() {
    let linked = Linked::start().await;
    linked.hide_source().await;
    linked.ada.delete(LINK).await.refuses(200, "success");
    linked.ada.delete(LINK).await.expect(404);
}

#[tokio::test]
async fn links_go_with_their_source_and_with_their_repository() {
    let Linked { house, ada, bob, eve } = Linked::start().await;
    bob.delete("/packages/bob/lib/bee").await.expect(200);
    assert_eq!(mirrored(&ada).await, json!([]));
    ada.get("/packages/ada/mirror/bee").await.refuses(404, "Package 'bee' was not found");
    new_package(&bob, "bob/lib", "bee").await;
    assert_eq!(mirrored(&ada).await, json!([]), "a new package of that name is another one");
    ada.put(LINK).await.expect(201);
    ada.delete("/repos/ada/mirror").await.expect(200);
    let shown = bob.get("/packages/bob/lib/bee").await.expect(200).json();
    assert_eq!(shown["linked_to_repos"], json!([]));
    new_repo(&ada, "ada/mirror").await;
    assert_eq!(mirrored(&ada).await, json!([]), "a new repository of that name is another one");
    ada.put(LINK).await.expect(201);
    bob.delete("/repos/bob/lib").await.expect(200);
    assert_eq!(mirrored(&eve).await, json!([]));
    new_repo(&bob, "bob/lib").await;
    new_package(&bob, "bob/lib", "bee").await;
    ada.put(LINK).await.expect(201);
    house.admin().delete("/users/bob").await.expect(200);
    assert_eq!(mirrored(&ada).await, json!([]));
}

#[tokio::test]
async fn a_link_takes_the_folder_whose_files_it_shows() {
    let Linked { house: _house, ada, .. } = Linked::unlinked().await;
    for bad in [json!(7), json!("/"), json!("../x"), json!("/lib"), json!("a//b"), json!("a\\b"), json!(["lib"])] {
        let answer = ada.put(LINK).json(json!({ "path_prefix": bad })).await.expect(400);
        assert!(answer.message().starts_with("path_prefix: "), "{}", answer.text());
    }
    ada.put(LINK).body("[]").await.refuses(400, "The body must be a JSON object");
    ada.put(LINK).body("{").await.expect(400);
    assert_eq!(mirrored(&ada).await, json!([]));
    for good in
        [json!({"path_prefix": "org/bee/"}), json!({"path_prefix": ""}), json!({"path_prefix": null}), json!({})]
    {
        ada.put(LINK).json(good).await.refuses(201, "success");
        ada.delete(LINK).await.expect(200);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_link_and_a_package_made_at_once_one_wins() {
    let Linked { house: _house, ada, .. } = Linked::unlinked().await;
    let create = || ada.post("/packages/ada/mirror").json(json!({"name": "Bee"}));
    let answers = together((0..8).flat_map(|_| [ada.put(LINK), create()])).await;
    let mut expected = vec![201];
    expected.extend([409; 15]);
    assert_eq!(statuses(&answers), expected);
}
