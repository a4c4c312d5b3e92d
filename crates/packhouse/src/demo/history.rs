//! The forty days of the catalogue: what its people do, and what others download.

use model::{names::SubjectName, plan::Plan};
use operations::{Caller, Clock, accounts::plans};
use reqwest::Method;
use serde_json::json;
use server::ServerState;

use super::{
    DAY_MS, DAYS,
    catalogue::{RELEASES, REPOS, Release},
    client::DemoClient,
};

/// The countries of sample downloads, the more frequent ones more often.
const COUNTRIES: [&str; 10] = ["DE", "US", "US", "FR", "GB", "US", "DE", "IN", "JP", "BR"];

/// What was made.
#[derive(Debug, Default)]
pub(super) struct Counted {
    pub(super) files: u32,
    pub(super) downloads: u32,
}

/// Plays the history from its first day to today.
pub(super) async fn play(client: &DemoClient, state: &ServerState, clock: &Clock) -> Result<Counted, String> {
    let mut counted = Counted::default();
    organize(client).await?;
    let (house, acme) = (state.app().house(), SubjectName::parse("acme").map_err(|error| error.to_string())?);
    plans::set(house, &Caller::operator(), &acme, Plan::Enterprise).await.map_err(|error| error.to_string())?;
    for age in (0..DAYS).rev() {
        clock.advance(DAY_MS);
        for release in RELEASES.iter().filter(|release| release.age == age) {
            publish(client, release).await?;
            counted.files += 1;
        }
        if age == 4 {
            sell(client).await?;
        }
        for release in RELEASES.iter().filter(|release| release.age >= age && release.popularity > 0) {
            counted.downloads += download(client, release, age).await?;
        }
        house.counter.flush(house).await.map_err(|error| error.to_string())?;
    }
    Ok(counted)
}

/// Creates the organization, its team and its repositories.
async fn organize(client: &DemoClient) -> Result<(), String> {
    let (post, put) = (Method::POST, Method::PUT);
    client.send("ada", post.clone(), "/orgs", &json!({"name": "acme", "full_name": "Acme Corporation"})).await?;
    client.send("ada", put.clone(), "/orgs/acme/members/grace", &json!({"type": "member"})).await?;
    let team = json!({"name": "releases", "members": ["ada", "grace"]});
    client.send("ada", post.clone(), "/orgs/acme/teams", &team).await?;
    for (name, kind, desc, is_private) in REPOS {
        let repo = json!({"type": kind, "desc": desc});
        client.send("ada", post.clone(), &format!("/repos/acme/{name}"), &repo).await?;
        let permission = json!({"team": "releases", "permission": "publish"});
        client.send("ada", put.clone(), &format!("/repos/acme/{name}/permissions"), &permission).await?;
        if is_private {
            client.send("ada", Method::PATCH, &format!("/repos/acme/{name}"), &json!({"private": true})).await?;
        }
    }
    Ok(())
}

/// Uploads a release, and publishes it unless it is a draft.
async fn publish(client: &DemoClient, release: &Release) -> Result<(), String> {
    let Release { repo, package, version, .. } = release;
    let is_first =
        !RELEASES.iter().any(|other| other.age > release.age && other.repo == *repo && other.package == *package);
    if is_first {
        let new = json!({"name": package, "desc": describe(package), "licenses": ["Apache-2.0"],
            "labels": ["demo"], "public_download_numbers": true});
        client.send("ada", Method::POST, &format!("/packages/acme/{repo}"), &new).await?;
        let readme = json!({"syntax": "markdown", "content": format!("# {package}\n\n{}.\n", describe(package))});
        client.send("ada", Method::POST, &format!("/packages/acme/{repo}/{package}/readme"), &readme).await?;
    }
    let (path, content) = release.file().map_err(|error| error.to_string())?;
    let content_path = format!("/content/acme/{repo}/{package}/{version}");
    client.upload("grace", &format!("{content_path}/{path}"), content).await?;
    let notes = json!({"syntax": "markdown", "content": release.notes});
    let at = format!("/packages/acme/{repo}/{package}/versions/{version}/release_notes");
    client.send("grace", Method::POST, &at, &notes).await?;
    if release.goes_public() {
        client.send("grace", Method::POST, &format!("{content_path}/publish"), &json!({})).await?;
    }
    Ok(())
}

/// Sells the private package: a product with terms, a customer's key, and its right to read.
async fn sell(client: &DemoClient) -> Result<(), String> {
    let post = Method::POST;
    let product = json!({"name": "relay-suite", "display_name": "Relay Suite", "desc": "Relay with support",
        "packages": ["enterprise/relay-pro"]});
    client.send("ada", post.clone(), "/products/acme", &product).await?;
    let terms = json!({"name": "terms", "syntax": "plain_text", "default": true,
        "content": "These are the terms of a sample product."});
    client.send("ada", post.clone(), "/products/acme/relay-suite/eulas", &terms).await?;
    client.send("ada", post.clone(), "/orgs/acme/access_keys", &json!({"id": "northwind"})).await?;
    let entitlement = json!({"access": "r", "access_keys": ["northwind"], "tags": ["contract-2026"]});
    client.send("ada", post, "/repos/acme/enterprise/entitlements", &entitlement).await
}

/// Downloads a release as often as on a usual day: less on weekends, and less when it is no longer the newest.
async fn download(client: &DemoClient, release: &Release, age: i64) -> Result<u32, String> {
    let is_newest = !RELEASES.iter().any(|other| {
        other.repo == release.repo
            && other.package == release.package
            && other.age < release.age
            && other.age >= age
            && other.goes_public()
    });
    let usual = if is_newest { release.popularity } else { release.popularity.div_ceil(3) };
    let times = if age % 7 < 2 { usual.div_ceil(2) } else { usual + u32::try_from(age % 3).unwrap_or_default() };
    let (path, _) = release.file().map_err(|error| error.to_string())?;
    let path = path.split(';').next().unwrap_or_default();
    for number in 0..times {
        let seed = usize::try_from(age).unwrap_or_default() + 3 * usize::try_from(number).unwrap_or_default();
        client.download(&format!("acme/{}/{path}", release.repo), number, COUNTRIES[seed % COUNTRIES.len()]).await?;
    }
    Ok(times)
}

fn describe(package: &str) -> &'static str {
    match package {
        "relay" => "Forwards messages between services",
        "relay-pro" => "Relay with clustering and audit reports",
        "acme-sdk" => "Talks to relay from Python",
        _ => "Accessible widgets for the web",
    }
}
