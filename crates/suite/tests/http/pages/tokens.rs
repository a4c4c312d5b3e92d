//! Tokens on pages.

use serde_json::json;
use suite::TestHouse;

use crate::{
    access::acme::Cast,
    catalogue::new_private_repo,
    pages::manage::shown,
    pages::orgs::{browser_of, done, refused},
};

#[tokio::test]
async fn a_token_is_made_rotated_and_revoked() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    new_private_repo(&ada, "ada/secret").await;
    let (browser, page) = (browser_of(&house, &ada).await, "/-/users/ada/tokens");
    assert!(browser.open("/account").await.expect(200).text().contains(&format!("href=\"{page}\"")));
    let open = browser.open(page).await.expect(200);
    let fields = [
        ("name", "ci"),
        ("scope", "publish"),
        ("resources", "ada/secret\r\n"),
        ("expiry", "2027-01-01"),
        ("cidrs", "127.0.0.0/8"),
    ];
    let made = browser.send(&open, page, &fields).await.expect(200);
    let robot = house.person(&shown(&made, "made-name"), &shown(&made, "made-token"));
    robot.get("/repos/ada/secret").await.expect(200);
    let kept = ada.get("/users/ada/tokens").await.expect(200).json()[0].clone();
    assert_eq!((&kept["scopes"], &kept["resources"]), (&json!(["publish"]), &json!(["ada/secret"])));
    assert_eq!((&kept["expiry"], &kept["cidrs"]), (&json!(1_798_761_600_000_i64), &json!(["127.0.0.0/8"])));
    let listed = browser.open(page).await.expect(200);
    let again = listed.text();
    assert!(again.contains(">ci<p>publish</p>") && !again.contains(robot.key()), "{again}");
    let one = format!("{page}/{}", kept["id"].as_str().expect("an id"));
    let rotated = browser.send(&listed, &format!("{one}/rotate"), &[("overlap", "1")]).await.expect(200);
    for key in [robot.key().to_owned(), shown(&rotated, "made-token")] {
        house.person("ada", &key).get("/repos/ada/secret").await.expect(200);
    }
    assert_eq!(refused(&browser, page, page, &[("name", "x"), ("scope", "all")]).await.0, 400);
    assert_eq!(done(&browser, page, &format!("{one}/revoke"), &[]).await, page);
    robot.get("/repos/ada/secret").await.expect(401);
}

#[tokio::test]
async fn robots_are_for_owners() {
    let cast = Cast::start().await;
    cast.org("acme").await;
    let page = "/-/orgs/acme/tokens";
    let owner = browser_of(&cast.house, &cast.owner).await;
    assert!(owner.open("/-/orgs/acme").await.expect(200).text().contains("id=\"org-tokens\""));
    let open = owner.open(page).await.expect(200);
    owner.send(&open, page, &[("name", "robot"), ("scope", "manage")]).await.expect(200);
    let admin = browser_of(&cast.house, &cast.admin).await;
    assert!(!admin.open("/-/orgs/acme").await.expect(200).text().contains("id=\"org-tokens\""));
    admin.open(page).await.expect(403);
    cast.house.browser().open(page).await.expect(303);
}
