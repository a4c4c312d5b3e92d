//! Every page, for visitors with and without the right.

use std::collections::BTreeSet;

use super::{
    assert_recorded,
    forms::posted_shapes,
    record::Record,
    scene::Scene,
    shown::shown,
    visits::{Visitors, shape, ways},
};
use crate::pages::{OPEN, OWN};

/// Pages for browsing.
const BROWSED: &[&str] = &[
    "/",
    "/search",
    "/search?q=cat",
    "/search?q=cat.tar&in=files",
    "/search?q=a&in=users",
    "/search?q=none",
    "/search?q=cat&format=generic&owner=acme&license=MIT",
    "/search?label=pet",
    "/-/suggest?q=ca",
    "/-/explore",
    "/-/explore?format=maven",
    "/-/explore?sort=downloads",
    "/-/explore?label=pet",
    "/-/badge/acme/tools/cat/version.svg",
    "/-/badge/acme/tools/cat/downloads.svg",
    "/-/badge/acme/secret/dog/license.svg",
    "/-/image?url=https://example.com/cat.png&signature=0",
    "/-/explore.atom",
    "/-/feed/acme",
    "/-/feed/acme/tools",
    "/-/feed/acme/tools/cat",
    "/-/key",
    "/login",
    "/login?next=/acme",
    "/acme",
    "/ada",
    "/acme/tools",
    "/acme/mirror",
    "/acme/secret",
    "/acme/tools?sort=updated",
    "/acme?sort=updated",
    "/acme/tools/cat",
    "/acme/tools/cat?tab=versions",
    "/acme/tools/cat?tab=files",
    "/acme/mirror/cat",
    "/acme/jars/lib",
    "/acme/tools/cat/1.0",
    "/acme/tools/cat/2.0",
    "/acme/jars/lib/1.0",
    "/acme/tools/cat/_latest",
    "/-/files/acme/tools",
    "/-/files/acme/tools/cat/1.0",
    "/-/files/acme/tools/cat/1.0/cat.tar",
    "/-/numbers/acme/tools/cat",
    "/-/numbers/acme/tools/cat?from=soon",
    "/-/numbers/acme/tools/cat?as=csv",
    "/eula/acme/sample/1.0",
    "/nobody",
    "/acme/absent",
    "/a/b/c/d/e",
];

/// Pages that manage the catalogue.
const MANAGED: &[&str] = &[
    "/-/new/repo/acme",
    "/-/new/package/acme/tools",
    "/-/new/version/acme/tools/cat",
    "/-/edit/repo/acme/tools",
    "/-/edit/package/acme/tools/cat",
    "/-/edit/version/acme/tools/cat/1.0",
    "/-/edit/readme/acme/tools/cat",
    "/-/edit/notes/acme/tools/cat",
    "/-/edit/notes/acme/tools/cat/1.0",
    "/-/attributes/package/acme/tools/cat",
    "/-/attributes/package/acme/tools/cat?name=legs",
    "/-/attributes/version/acme/tools/cat/1.0",
    "/-/delete/repo/acme/tools",
    "/-/delete/package/acme/tools/cat",
    "/-/delete/version/acme/tools/cat/1.0",
    "/-/delete/file/acme/tools/cat/1.0/cat.tar",
    "/-/signed-url/acme/tools/cat/1.0/cat.tar",
    "/-/link/acme/tools/cat",
    "/-/setup/acme/tools",
    "/-/setup/acme/tools/cat",
    "/-/setup/acme/absent",
    "/-/usage/acme",
    "/-/usage/acme/tools",
    "/-/webhooks/acme/tools",
    "/-/webhooks/acme/tools/cat",
    "/-/edit/repo/acme/absent",
    "/-/restrictions/acme/tools",
    "/-/logs/acme/tools/cat",
    "/-/products/acme",
    "/-/products/acme/sample",
    "/-/products/acme/sample/eulas",
    "/-/products/acme/sample/eulas/sample",
    "/-/products/acme/sample/acceptances",
];

/// Pages that manage accounts.
const ACCOUNTS: &[&str] = &[
    "/account",
    "/account/security",
    "/account/email?token=wrong",
    "/-/orgs/acme",
    "/-/invitation?token=wrong",
    "/-/orgs/acme/teams/sample",
    "/-/users/ada/gpg_key",
    "/-/orgs/acme/gpg_key",
    "/-/users/ada/tokens",
    "/-/orgs/acme/tokens",
    "/-/users/ada/trusted_publishers",
    "/-/orgs/acme/trusted_publishers",
    "/-/device",
    "/-/users/ada/access_keys",
    "/-/orgs/acme/access_keys",
    "/-/users/ada/access_keys/sample",
    "/-/orgs/acme/access_keys/sample",
    "/-/entitlements/acme/tools",
    "/-/entitlements/acme/tools/cat",
    "/-/entitlements/acme/tools/cat/1.0",
    "/-/products/acme/sample/entitlements",
    "/-/users/ada/licenses",
    "/-/orgs/acme/licenses",
    "/-/orgs/acme/licenses/sample",
];

/// Pages for site administrators. The settings name the stores, and are in `documents`.
const ADMIN: &[&str] = &[
    "/-/admin",
    "/-/admin/users",
    "/-/admin/users?start_name=st",
    "/-/admin/users/ada",
    "/-/admin/users/acme",
    "/-/admin/audit",
    "/-/admin/audit?start_pos=20",
];

const SETTINGS: &str = "/-/admin/settings";

fn table() -> BTreeSet<String> {
    let all = [BROWSED, MANAGED, ACCOUNTS, ADMIN, &[SETTINGS]];
    let opened = all.into_iter().flatten().map(|address| format!("GET {}", shape(address)));
    opened.chain(posted_shapes().into_iter().map(|shape| format!("POST {shape}"))).collect()
}

/// Opens pages as each of the visitors, and compares them. All links of the pages must be in the tables.
async fn assert_shown(scene: &Scene, name: &str, addresses: &[&str], visitors: &[&str]) {
    let (browsers, own) = (Visitors::new(scene).await, format!("http://{}", scene.house.address));
    let (mut record, mut led) = (Record::new(), BTreeSet::new());
    for address in addresses {
        record.head(address);
        for visitor in visitors {
            let page = browsers.get(visitor).open(address).await;
            led.extend(ways(&page.text(), &own));
            record.add(visitor, address, shown(&page, &scene.mask));
        }
    }
    let table = table();
    let missing: Vec<_> = led.into_iter().filter(|way| !table.contains(way)).collect();
    assert!(missing.is_empty(), "pages lead to what is not in the tables of the baseline: {missing:#?}");
    assert_recorded(name, record.text());
}

#[test]
fn every_page_of_other_tables_is_in_these() {
    let table = table();
    for address in OPEN.into_iter().chain(OWN) {
        assert!(table.contains(&format!("GET {}", shape(address))), "`{address}` is not in the baseline: add it");
    }
}

#[tokio::test]
async fn pages_are_as_before() {
    let scene = Scene::start().await;
    assert_shown(&scene, "pages_browsed", BROWSED, &["anonymous", "owner"]).await;
    assert_shown(&scene, "pages_managed", MANAGED, &["anonymous", "stranger", "owner"]).await;
    assert_shown(&scene, "pages_accounts", ACCOUNTS, &["anonymous", "stranger", "owner"]).await;
    assert_shown(&scene, "pages_admin", ADMIN, &["anonymous", "owner", "admin"]).await;
}
