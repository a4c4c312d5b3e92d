//! Every call that changes something is in the log, and no call that is refused.

use operations::maintenance::site;
use reqwest::Method;
use serde_json::json;
use server::Endpoint;
use suite::TestHouse;

use super::{entries, scenario::scenario, total};
use crate::{
    access::{acme::set_member, grants::new_product},
    content::{INSIDE, cat, upload as upload_waiting},
};

#[tokio::test]
async fn every_call_that_changes_something_adds_one_entry() {
    let house = TestHouse::start_with(&[INSIDE]).await;
    let mut covered = Vec::new();
    let mut last = String::new();
    for step in scenario() {
        if step.path == "/products/acme/suite/entitlements" {
            new_product(&house, "acme", "suite", &[]).await;
        }
        let before = total(&house).await;
        let answer = step.by(&house.admin(), &last).await;
        assert!(answer.status < 300, "{} {}: {}", step.method, step.path, answer.text());
        assert_eq!(total(&house).await, before + 1, "{} {}", step.method, step.path);
        last = answer.json()["id"].as_str().map_or(last, str::to_owned);
        covered.push(format!("{} {}", step.method, step.endpoint));
    }
    let is_read =
        |path: &str| ["/search/", "/usage/"].iter().any(|start| path.starts_with(start)) || path.contains("/stats/");
    let changes = |endpoint: &Endpoint| endpoint.method != Method::GET && !is_read(endpoint.path);
    // Agreeing needs a key, a sync a registry, a replay a delivery, and others a session or a second factor; their own
    // tests check the log entries.
    let changes = |endpoint: &Endpoint| changes(endpoint) && !endpoint.path.ends_with("/accept");
    let changes = |endpoint: &Endpoint| changes(endpoint) && !endpoint.path.starts_with("/maven_public_sync/");
    let changes = |endpoint: &Endpoint| changes(endpoint) && !endpoint.path.ends_with("/replay/{event}");
    let changes = |endpoint: &Endpoint| changes(endpoint) && !endpoint.path.ends_with("/sessions/{session}");
    let changes = |endpoint: &Endpoint| changes(endpoint) && !endpoint.path.ends_with("/second_factor");
    // An exchange needs an issuer, and a device a person; their own tests check the log entries, too.
    let changes = |endpoint: &Endpoint| changes(endpoint) && endpoint.path != "/oidc/token";
    let changes = |endpoint: &Endpoint| changes(endpoint) && !endpoint.path.starts_with("/device_codes");
    for endpoint in server::endpoints().into_iter().filter(changes) {
        let name = format!("{} {}", endpoint.method, endpoint.path);
        assert!(covered.contains(&name), "`{name}` changes something: add it to the scenario of this test");
    }
    insta::assert_snapshot!(entries(&house).await, @r##"
    admin user.delete bea ()
    admin org.delete acme ()
    admin repo.delete acme/tools ()
    admin package.delete acme/tools/cat ()
    admin version.delete acme/tools/cat/1.0 ()
    admin entitlement.delete acme/suite (ID)
    admin entitlement.edit acme/suite (ID; access: r -> rw)
    admin entitlement.create acme/suite (ID r)
    admin product.create acme/suite ()
    admin plan.set acme (plan: enterprise)
    admin entitlement.delete acme/tools/cat/1.0 (ID)
    admin entitlement.edit acme/tools/cat/1.0 (ID; access: r -> rw)
    admin entitlement.create acme/tools/cat/1.0 (ID r)
    admin entitlement.delete acme/tools/cat (ID)
    admin entitlement.edit acme/tools/cat (ID; access: r -> rw)
    admin entitlement.create acme/tools/cat (ID r)
    admin entitlement.delete acme/tools (ID)
    admin entitlement.edit acme/tools (ID; access: r -> rw)
    admin entitlement.create acme/tools (ID r)
    admin gpg_key.delete acme ()
    admin content.sign acme/tools/cat/1.0 ()
    admin content.sign acme/tools/cat/1.0 (org/x/cat/1.0/cat-1.0.jar)
    admin repo.edit acme/tools (gpg_sign_files: false -> true; gpg_use_owner_key: false -> true)
    admin gpg_key.import acme (ID)
    admin gpg_key.generate acme (ID)
    admin gpg_key.delete bea ()
    admin gpg_key.generate bea (ID)
    admin gpg_key.import bea (ID)
    admin team.delete acme/devs ()
    admin permission.delete acme/tools (devs)
    admin permission.set acme/tools (devs; permission: none -> read)
    admin team.edit acme/devs (allow_repo_creation: false -> true)
    admin team.create acme/devs ()
    admin license.delete acme/House ()
    admin license.edit acme/House (description: "" -> "Ours")
    admin license.create acme/House ()
    admin license.delete bea/House ()
    admin license.edit bea/House (description: "" -> "Ours")
    admin license.create bea/House ()
    admin user.unfollow bea ()
    admin user.follow bea ()
    admin product.delete acme/suite ()
    admin eula.delete acme/suite/terms ()
    admin eula.edit acme/suite/terms (default: false -> true)
    admin eula.create acme/suite/terms ()
    admin product.edit acme/suite (desc: "" -> "All")
    admin product.create acme/suite ()
    admin usage_threshold.delete acme/tools ()
    admin usage_threshold.edit acme/tools (monthly_storage_bytes: none -> 1)
    admin usage_threshold.create acme/tools ()
    admin usage_threshold.delete acme ()
    admin usage_threshold.edit acme (monthly_storage_bytes: none -> 1)
    admin usage_threshold.create acme ()
    admin ip_restrictions.delete acme/tools (black_cidrs: [10.0.0.0/8, ::1/128] -> [])
    admin ip_restrictions.edit acme/tools (black_cidrs: [10.0.0.0/8] -> [10.0.0.0/8, ::1/128])
    admin ip_restrictions.set acme/tools (black_cidrs: [] -> [10.0.0.0/8])
    admin geo_restrictions.delete acme/tools (white_list: ["DE"] -> [])
    admin geo_restrictions.set acme/tools (white_list: [] -> ["DE"])
    admin plan.set acme (plan: premium -> enterprise)
    admin webhook.delete acme/tools/cat ()
    admin webhook.test acme/tools/cat/1.0 (http://127.0.0.1:1)
    admin webhook.register acme/tools/cat (post http://127.0.0.1:1)
    admin link.delete acme/mirror (acme/tools/cat)
    admin link.create acme/mirror (acme/tools/cat)
    admin repo.create acme/mirror (generic)
    admin repo.calc_metadata acme/tools (org/x)
    admin repo.calc_metadata acme/tools ()
    admin content.publish acme/tools/cat/1.0 (upload)
    admin content.delete acme/tools (cat.tar)
    admin signed_url.revoke_all acme ()
    admin signed_url.create acme/tools (cat.tar until 2026-01-15T12:01:00.000Z)
    admin file.edit acme/tools (cat.tar; list_in_downloads: true)
    admin content.discard acme/tools/cat/1.0 ()
    admin content.publish acme/tools/cat/1.0 ()
    admin file.edit acme/tools (cat.tar; list_in_downloads: false -> true)
    admin content.publish acme/tools/cat/1.0 (upload)
    admin package.rate acme/tools/cat (rating: none -> 4)
    admin package.unfollow acme/tools/cat ()
    admin package.follow acme/tools/cat ()
    admin release_notes.delete acme/tools/cat/1.0 ()
    admin release_notes.set acme/tools/cat/1.0 (syntax: none -> markdown; content: "" -> "# Cat")
    admin release_notes.delete acme/tools/cat ()
    admin release_notes.set acme/tools/cat (syntax: none -> markdown; content: "" -> "# Cat")
    admin readme.delete acme/tools/cat ()
    admin readme.set acme/tools/cat (syntax: none -> markdown; content: "" -> "# Cat")
    admin attributes.delete acme/tools/cat/1.0 (a: [1] -> none; b: ["x"] -> none)
    admin attributes.edit acme/tools/cat/1.0 (b: none -> ["x"])
    admin attributes.replace acme/tools/cat/1.0 (a: none -> [1])
    admin attributes.delete acme/tools/cat (a: [1] -> none; b: ["x"] -> none)
    admin attributes.edit acme/tools/cat (b: none -> ["x"])
    admin attributes.replace acme/tools/cat (a: none -> [1])
    admin package.tag acme/tools/cat (tag stable: "1.0" -> none)
    admin package.tag acme/tools/cat (tag stable: none -> "1.0")
    admin version.edit acme/tools/cat/1.0 (desc: "" -> "The first")
    admin version.create acme/tools/cat/1.0 ()
    admin package.edit acme/tools/cat (desc: "" -> "Cat")
    admin package.create acme/tools/cat ()
    admin quota.set acme/tools (quota_bytes none to 1000000)
    admin repo.edit acme/tools (desc: "" -> "Tools")
    admin repo.create acme/tools (maven)
    admin trusted_publisher.delete acme/ci ()
    admin trusted_publisher.create acme/ci (resource: acme; issuer: https://token.actions.githubusercontent.com; claims: repository=acme/tools)
    admin trusted_publisher.delete admin/ci ()
    admin trusted_publisher.create admin/ci (resource: admin; issuer: https://token.actions.githubusercontent.com; claims: repository=acme/tools)
    admin token.revoke acme/ci ()
    admin token.rotate acme/ci (overlap: 0 s)
    admin token.edit acme/ci (scopes: read -> publish; cidrs: all -> 127.0.0.0/8)
    admin token.create acme/ci (scopes: read; resources: everywhere; expiry: never; cidrs: all)
    admin token.revoke admin/ci ()
    admin token.rotate admin/ci (overlap: 60 s)
    admin token.edit admin/ci (scopes: read -> publish; cidrs: all -> 127.0.0.0/8)
    admin token.create admin/ci (scopes: read; resources: everywhere; expiry: never; cidrs: all)
    admin quota.set bea (quota_bytes none to 1000000)
    admin plan.set bea (plan: premium -> free)
    admin invitation.revoke acme/new@example.org ()
    admin invitation.create acme/new@example.org (type: member)
    admin member.remove acme/bea ()
    admin member.set acme/bea (type: none -> admin)
    admin org.edit acme (full_name: "acme" -> "Acme")
    admin access_key.delete acme/client ()
    admin access_key.new_password acme/client ()
    admin access_key.edit acme/client (api_only: false -> true; password: replaced)
    admin access_key.create acme/client ()
    admin org.create acme ()
    admin access_key.delete bea/client ()
    admin access_key.new_password bea/client ()
    admin access_key.edit bea/client (api_only: false -> true; password: replaced)
    admin access_key.create bea/client ()
    admin user.rename beate (name: beate -> bea)
    admin user.rename bea (name: bea -> beate)
    admin user.reset_password bea ()
    admin user.unsuspend bea ()
    admin user.suspend bea ()
    admin session.delete_all bea ()
    admin user.rotate_key bea ()
    admin user.edit bea (email: none -> "bea@example.org"; password: replaced)
    admin user.create bea (plan premium)
    (console) user.create admin (plan enterprise)
    "##);
    assert_eq!(site::find_damage(house.app().house()).await.expect("it looks"), [""; 0]);
}

#[tokio::test]
async fn an_upload_that_waits_for_its_publish_adds_nothing() {
    let (house, ada) = cat().await;
    let before = total(&house).await;
    upload_waiting(&ada, "ada/tools/cat/1.0/cat.tar", "meow").await;
    upload_waiting(&ada, "ada/tools/cat/1.0/cat.tar", "meow").await;
    assert_eq!(total(&house).await, before);
}

#[tokio::test]
async fn refused_calls_add_nothing() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    house.user("bea").await;
    house.admin().post("/orgs").json(json!({"name": "acme"})).await.expect(201);
    set_member(&house.admin(), "acme", "bea", "member").await;
    house.admin().post("/repos/acme/tools").json(json!({})).await.expect(201);
    house.admin().post("/repos/acme/mirror").json(json!({})).await.expect(201);
    house.admin().post("/packages/acme/tools").json(json!({"name": "cat"})).await.expect(201);
    house.admin().post("/packages/acme/tools/cat/versions").json(json!({"name": "1.0"})).await.expect(201);
    let before = total(&house).await;
    for step in scenario() {
        step.by(&house.anyone(), "0").await.refuses(401, "This resource requires authentication");
    }
    for step in scenario().into_iter().filter(|step| !step.is_open_to_users()) {
        let refused = step.by(&ada, "0").await.status;
        assert!(matches!(refused, 403 | 409), "{} {}: {refused}", step.method, step.path);
    }
    house.admin().post("/users").json(json!({"name": "ada"})).await.expect(409);
    house.admin().post("/users").json(json!({"name": "api"})).await.expect(400);
    house.admin().delete("/users/admin").await.expect(409);
    house.admin().delete("/users/nobody").await.expect(404);
    house.admin().delete("/orgs/acme/members/admin").await.expect(409);
    house.admin().delete("/orgs/acme/members/ada").await.expect(404);
    assert_eq!(total(&house).await, before);
}
