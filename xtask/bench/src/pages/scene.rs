//! What the measured pages show besides the catalogue.

use serde_json::json;

use crate::catalogue::REPO;
use crate::client::{Call, Caller, Client};
use crate::house::ADMIN_KEY;
use crate::owner::OWNER;
use xtask::failure::Result;

/// The number of files of the one version that has files.
const FILES: u64 = 20;

/// The password of the customer's access key.
const PASSWORD: &str = "a long password";

/// Those who request pages.
pub(super) struct Callers {
    pub(super) owner: Caller,
    /// Somebody with an access key.
    pub(super) customer: Caller,
    /// The administrator of the site.
    pub(super) admin: Caller,
}

/// Creates what the pages show.
pub(super) async fn set(owner: &Caller) -> Result<Callers> {
    let mut client = Client::connect(owner).await?;
    write_guide(&mut client).await?;
    sell(&mut client).await?;
    let webhook = json!({ "url": "https://example.org/released" });
    client.send(&Call::post(format!("/api/webhooks/{OWNER}/{REPO}/guide"), webhook)).await?;
    client.send(&Call::post("/api/orgs", json!({ "name": "acme" }))).await?;
    client.send(&Call::post("/api/orgs/acme/teams", json!({ "name": "devs", "members": [OWNER] }))).await?;
    let license = json!({ "name": "House rules", "description": "Be kind" });
    client.send(&Call::post(format!("/api/users/{OWNER}/licenses"), license)).await?;
    let caller = |name: String, key: &str| Caller { address: owner.address.clone(), name, key: key.to_owned() };
    Ok(Callers {
        owner: owner.clone(),
        customer: caller(format!("guest@{OWNER}"), PASSWORD),
        admin: caller("admin".to_owned(), ADMIN_KEY),
    })
}

/// Creates a package with a readme, files and a draft, as real ones have.
async fn write_guide(client: &mut Client) -> Result<()> {
    let package = json!({ "name": "guide", "licenses": ["MIT"], "public_download_numbers": true });
    client.send(&Call::post(format!("/api/packages/{OWNER}/{REPO}"), package)).await?;
    let content = "## A part\n\nSome *words* and a [link](https://example.org).\n\n```sh\nls\n```\n\n".repeat(110);
    let readme = json!({ "syntax": "markdown", "content": content });
    client.send(&Call::post(format!("/api/packages/{OWNER}/{REPO}/guide/readme"), readme)).await?;
    for number in 0..FILES {
        let path = format!("/api/content/{OWNER}/{REPO}/guide/1.0/guide/part-{number}.json?publish=1");
        client.send(&Call::put(path, json!({ "part": number }))).await?;
    }
    let draft = format!("/api/content/{OWNER}/{REPO}/guide/2.0/guide/draft.json");
    client.send(&Call::put(draft, json!({ "part": "draft" }))).await?;
    client.send(&Call::get(format!("/dl/{OWNER}/{REPO}/guide/part-0.json"))).await.map(drop)
}

/// Sells the package with terms to a customer.
async fn sell(client: &mut Client) -> Result<()> {
    let product = json!({ "name": "suite", "packages": [format!("{REPO}/guide")] });
    client.send(&Call::post(format!("/api/products/{OWNER}"), product)).await?;
    let terms = json!({ "name": "terms", "syntax": "markdown", "content": "# Terms\n\nBe kind.", "default": true });
    client.send(&Call::post(format!("/api/products/{OWNER}/suite/eulas"), terms)).await?;
    let key = json!({ "id": "guest", "password": PASSWORD });
    client.send(&Call::post(format!("/api/users/{OWNER}/access_keys"), key)).await?;
    let right = json!({ "access": "r", "access_keys": ["guest"] });
    client.send(&Call::post(format!("/api/products/{OWNER}/suite/entitlements"), right)).await.map(drop)
}
