//! Restrictions of a repository: allowed values, who may set them, and how they are stored.

use serde_json::{Value, json};
use suite::{Person, TestHouse};

use crate::{access::acme::Cast, catalogue::new_repo};

const GEO: &str = "/repos/ada/tools/geo_restrictions";
const IP: &str = "/repos/ada/tools/ip_restrictions";

/// Starts a house with `ada/tools`, whose owner has the highest plan.
async fn tools() -> (TestHouse, Person) {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    house.admin().put("/subjects/ada/plan").json(json!({"plan": "enterprise"})).await.expect(200);
    new_repo(&ada, "ada/tools").await;
    (house, ada)
}

async fn shown(who: &Person, path: &str) -> Value {
    who.get(path).await.expect(200).json()
}

#[tokio::test]
async fn countries_are_set_shown_and_removed() {
    let (_house, ada) = tools().await;
    assert_eq!(shown(&ada, GEO).await, json!({"white_list": [], "black_list": []}));
    ada.put(GEO).json(json!({"white_list": ["us", "DE", "US"]})).await.expect(200);
    assert_eq!(shown(&ada, GEO).await, json!({"white_list": ["DE", "US"], "black_list": []}));
    ada.put(GEO).json(json!({"black_list": ["KP"], "white_list": []})).await.expect(200);
    assert_eq!(shown(&ada, GEO).await, json!({"white_list": [], "black_list": ["KP"]}));
    ada.delete(GEO).await.refuses(200, "success");
    assert_eq!(shown(&ada, GEO).await, json!({"white_list": [], "black_list": []}));
    ada.delete(GEO).await.refuses(200, "success");
}

#[tokio::test]
async fn countries_that_do_not_fit_are_named_and_nothing_is_kept() {
    let (_house, ada) = tools().await;
    ada.put(GEO).json(json!({"white_list": ["DE"]})).await.expect(200);
    for (body, message) in [
        (json!({"white_list": ["DE", "UK"]}), "white_list: 'UK' is not a country of ISO 3166-1"),
        (json!({"black_list": ["ZZ"]}), "black_list: 'ZZ' is not a country of ISO 3166-1"),
        (json!({"black_list": [""]}), "black_list: '' is not a country of ISO 3166-1"),
        (
            json!({"white_list": ["DE"], "black_list": ["FR"]}),
            "black_list: there can be a white_list or a black_list, not both",
        ),
        (json!({}), "white_list: it or black_list must name a country"),
        (
            json!({"whitelist": ["DE"]}),
            "'whitelist' is not a field of this object; did you mean 'white_list'? Correct it or leave it out",
        ),
    ] {
        ada.put(GEO).json(body).await.refuses(400, message);
    }
    ada.put(GEO).json(json!({"white_list": "DE"})).await.expect(400);
    ada.put(GEO).json(json!({"white_list": [49]})).await.expect(400);
    assert_eq!(shown(&ada, GEO).await["white_list"], json!(["DE"]));
}

#[tokio::test]
async fn networks_are_kept_in_one_form() {
    let (_house, ada) = tools().await;
    let lists =
        json!({"white_cidrs": ["10.1.2.3/8", "::ffff:192.0.2.0/120", "2001:DB8::1/32"], "black_cidrs": ["10.9.9.9"]});
    ada.put(IP).json(lists).await.expect(200);
    let kept = json!({"white_cidrs": ["10.0.0.0/8", "192.0.2.0/24", "2001:db8::/32"], "black_cidrs": ["10.9.9.9/32"]});
    assert_eq!(shown(&ada, IP).await, kept);
    ada.delete(IP).await.refuses(200, "success");
    assert_eq!(shown(&ada, IP).await, json!({"white_cidrs": [], "black_cidrs": []}));
}

#[tokio::test]
async fn networks_are_added_and_removed() {
    let (_house, ada) = tools().await;
    ada.patch(IP)
        .json(json!({"add": {"white_cidrs": ["10.0.0.0/8"], "black_cidrs": ["10.1.0.0/16"]}}))
        .await
        .expect(200);
    let change =
        json!({"add": {"white_cidrs": ["10.2.3.4/8", "::/0"]}, "remove": {"black_cidrs": ["10.1.2.3/16", "1.1.1.1"]}});
    ada.patch(IP).json(change).await.expect(200);
    assert_eq!(shown(&ada, IP).await, json!({"white_cidrs": ["10.0.0.0/8", "::/0"], "black_cidrs": []}));
    // Moves from one list to the other, in one call.
    let change = json!({"add": {"black_cidrs": ["::/0"]}, "remove": {"white_cidrs": ["::/0"]}});
    ada.patch(IP).json(change).await.expect(200);
    assert_eq!(shown(&ada, IP).await, json!({"white_cidrs": ["10.0.0.0/8"], "black_cidrs": ["::/0"]}));
}

#[tokio::test]
async fn networks_that_do_not_fit_are_named_and_nothing_is_kept() {
    let (_house, ada) = tools().await;
    ada.put(IP).json(json!({"white_cidrs": ["10.0.0.0/8"]})).await.expect(200);
    let bad = |network: &str| format!("white_cidrs: '{network}' is not a network such as 10.0.0.0/8");
    for network in ["10.0.0.0/33", "localhost", "", "010.0.0.1/8", "10.0.0.0/8\u{7}"] {
        ada.put(IP).json(json!({"white_cidrs": [network]})).await.refuses(400, &bad(network));
        ada.patch(IP).json(json!({"add": {"white_cidrs": [network]}})).await.refuses(400, &bad(network));
    }
    let both = "black_cidrs: '10.0.0.0/8' is in white_cidrs, too";
    ada.put(IP)
        .json(json!({"white_cidrs": ["10.0.0.0/8"], "black_cidrs": ["::ffff:10.1.1.1/104"]}))
        .await
        .refuses(400, both);
    ada.patch(IP).json(json!({"add": {"black_cidrs": ["10.1.2.3/8"]}})).await.refuses(400, both);
    ada.put(IP).json(json!({})).await.refuses(400, "white_cidrs: it or black_cidrs must name a network");
    let many: Vec<String> = (0..1_001).map(|number| format!("10.0.{}.{}", number / 256, number % 256)).collect();
    ada.put(IP).json(json!({"white_cidrs": many})).await.refuses(400, "white_cidrs: there are more than 1000");
    assert_eq!(shown(&ada, IP).await, json!({"white_cidrs": ["10.0.0.0/8"], "black_cidrs": []}));
}

#[tokio::test]
async fn only_those_who_own_a_repository_restrict_it() {
    let cast = Cast::start().await;
    cast.org("acme").await;
    cast.site_admin.put("/subjects/acme/plan").json(json!({"plan": "enterprise"})).await.expect(200);
    new_repo(&cast.owner, "acme/tools").await;
    let mut seen = Vec::new();
    for (name, actor) in cast.actors() {
        let geo = actor.put("/repos/acme/tools/geo_restrictions").json(json!({"white_list": ["DE"]})).await.status;
        let ip = actor.put("/repos/acme/tools/ip_restrictions").json(json!({"white_cidrs": ["::/0"]})).await.status;
        let read = actor.get("/repos/acme/tools/ip_restrictions").await.status;
        let removed = actor.delete("/repos/acme/tools/geo_restrictions").await.status;
        seen.push((name, [geo, ip, read, removed]));
    }
    let (may, may_not) = ([200; 4], [403; 4]);
    let expected = [("owner", may), ("admin", may), ("member", may_not), ("stranger", may_not), ("site admin", may)];
    assert_eq!(seen, expected);
    cast.house.anyone().get("/repos/acme/tools/geo_restrictions").await.expect(401);
}

#[tokio::test]
async fn countries_need_the_plan_and_opening_up_does_not() {
    let (house, ada) = tools().await;
    ada.put(GEO).json(json!({"white_list": ["DE"]})).await.expect(200);
    house.admin().put("/subjects/ada/plan").json(json!({"plan": "premium"})).await.expect(200);
    let refused = "This needs the plan 'enterprise' or more";
    ada.put(GEO).json(json!({"white_list": ["FR"]})).await.refuses(403, refused);
    assert_eq!(shown(&ada, GEO).await["white_list"], json!(["DE"]));
    ada.put(IP).json(json!({"white_cidrs": ["::/0"]})).await.expect(200);
    ada.delete(GEO).await.expect(200);
}

#[tokio::test]
async fn every_change_is_in_the_audit_log() {
    let (house, ada) = tools().await;
    ada.put(GEO).json(json!({"white_list": ["DE"]})).await.expect(200);
    ada.delete(GEO).await.expect(200);
    ada.put(IP).json(json!({"white_cidrs": ["10.0.0.0/8"]})).await.expect(200);
    ada.patch(IP).json(json!({"remove": {"white_cidrs": ["10.0.0.0/8"]}})).await.expect(200);
    ada.delete(IP).await.expect(200);
    let entries = house.admin().get("/audit").await.expect(200).json();
    let actions: Vec<&str> = (0..5).map(|place| entries[place]["action"].as_str().expect("an action")).collect();
    let expected = [
        "ip_restrictions.delete",
        "ip_restrictions.edit",
        "ip_restrictions.set",
        "geo_restrictions.delete",
        "geo_restrictions.set",
    ];
    assert_eq!(actions, expected);
    assert_eq!((&entries[4]["target"], &entries[4]["actor"]), (&json!("ada/tools"), &json!("ada")));
    assert_eq!(entries[4]["detail"], "white_list: [] -> [\"DE\"]");
}
