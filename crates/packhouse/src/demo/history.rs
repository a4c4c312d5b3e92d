//! The weeks of the catalogue: what its people do, and what others download.

use model::{names::SubjectName, plan::Plan};
use operations::{
    Caller, Clock,
    accounts::{plans, storage_quotas},
};
use reqwest::Method;
use serde_json::json;
use server::ServerState;

use super::{
    DAY_MS, DAYS,
    catalogue::{RELEASES, REPOS, Release, YANKED},
    client::DemoClient,
    packages::PACKAGES,
};

/// The countries of sample downloads, the more frequent ones more often.
const COUNTRIES: [&str; 10] = ["DE", "US", "US", "FR", "GB", "US", "DE", "IN", "JP", "BR"];

/// The storage quota of the organization.
const QUOTA_BYTES: i64 = 8 << 20;

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
    let quota = storage_quotas::set_of_subject(house, &Caller::operator(), &acme, Some(QUOTA_BYTES)).await;
    quota.map_err(|error| error.to_string())?;
    for age in (0..DAYS).rev() {
        clock.advance(DAY_MS);
        for release in RELEASES.iter().filter(|release| release.age == age) {
            counted.files += publish(client, release).await?;
        }
        match age {
            48 => client.send("grace", Method::PATCH, YANKED.0, &json!({"yanked": YANKED.1})).await?,
            10 => praise(client).await?,
            4 => sell(client).await?,
            _ => {}
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
    client.send("ada", post.clone(), "/orgs/acme/keys/gpg/generate", &json!({})).await?;
    for (name, kind, desc, is_private) in REPOS {
        let repo = json!({"type": kind, "desc": desc});
        client.send("ada", post.clone(), &format!("/repos/acme/{name}"), &repo).await?;
        let permission = json!({"team": "releases", "permission": "publish"});
        client.send("ada", put.clone(), &format!("/repos/acme/{name}/permissions"), &permission).await?;
        if name == "tools" {
            let signed = json!({"gpg_sign_files": true, "gpg_use_owner_key": true});
            client.send("ada", Method::PATCH, "/repos/acme/tools", &signed).await?;
        }
        if is_private {
            client.send("ada", Method::PATCH, &format!("/repos/acme/{name}"), &json!({"private": true})).await?;
        }
    }
    Ok(())
}

/// Uploads a release, and publishes it unless it is a draft. Returns the number of its files.
async fn publish(client: &DemoClient, release: &Release) -> Result<u32, String> {
    let Release { repo, package, version, .. } = release;
    let is_first =
        !RELEASES.iter().any(|other| other.age > release.age && other.repo == *repo && other.package == *package);
    if let Some(new) = PACKAGES.iter().find(|new| is_first && new.repo == *repo && new.name == *package) {
        client.send("ada", Method::POST, &format!("/packages/acme/{repo}"), &new.body()).await?;
        let readme = json!({"syntax": "markdown", "content": new.readme()});
        client.send("ada", Method::POST, &format!("/packages/acme/{repo}/{package}/readme"), &readme).await?;
    }
    let content_path = format!("/content/acme/{repo}/{package}/{version}");
    let paths = release.paths();
    for path in &paths {
        let content = release.content(path).map_err(|error| error.to_string())?;
        client.upload("grace", &format!("{content_path}/{path}{}", release.parameters()), content).await?;
    }
    let notes = json!({"syntax": "markdown", "content": release.notes});
    let at = format!("/packages/acme/{repo}/{package}/versions/{version}/release_notes");
    client.send("grace", Method::POST, &at, &notes).await?;
    if release.goes_public() {
        client.send("grace", Method::POST, &format!("{content_path}/publish"), &json!({})).await?;
    }
    Ok(u32::try_from(paths.len()).unwrap_or_default())
}

/// Rates the packages, and describes the tools with attributes.
async fn praise(client: &DemoClient) -> Result<(), String> {
    for package in &PACKAGES {
        let at = format!("/packages/acme/{}/{}", package.repo, package.name);
        for (who, rating) in package.ratings {
            client.send(who, Method::PUT, &format!("{at}/rating"), &json!({"rating": rating})).await?;
        }
    }
    for name in ["relay", "tarmac"] {
        let attributes = json!([{"name": "maturity", "values": ["stable"]}, {"name": "team", "values": ["releases"]}]);
        let at = format!("/packages/acme/tools/{name}/attributes");
        client.send("ada", Method::POST, &at, &attributes).await?;
    }
    Ok(())
}

/// Sells the private package: a product with terms, a customer's key, and its right to read.
async fn sell(client: &DemoClient) -> Result<(), String> {
    let post = Method::POST;
    let product = json!({"name": "relay-suite", "display_name": "Relay Suite", "desc": "Relay with support",
        "packages": ["enterprise/relay-pro"]});
    client.send("ada", post.clone(), "/products/acme", &product).await?;
    let terms = json!({"name": "terms", "syntax": "markdown", "default": true,
        "content": include_str!("texts/terms.md")});
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
    let paths = release.paths();
    for number in 0..times {
        let seed = usize::try_from(age).unwrap_or_default() + 3 * usize::try_from(number).unwrap_or_default();
        let path = &paths[seed % paths.len()];
        client.download(&format!("acme/{}/{path}", release.repo), number, COUNTRIES[seed % COUNTRIES.len()]).await?;
    }
    Ok(times)
}
