//! Forms that are not taken, on every page that changes something.

use crate::pages::{furnished, orgs::token};

/// Every address that takes a form of a session.
const FORMS: [&str; 27] = [
    "/account/profile",
    "/account/orgs",
    "/-/orgs/acme",
    "/-/orgs/acme/delete",
    "/-/orgs/acme/members",
    "/-/orgs/acme/members/remove",
    "/-/orgs/acme/teams",
    "/-/orgs/acme/teams/devs",
    "/-/orgs/acme/teams/devs/delete",
    "/-/orgs/acme/teams/devs/repos",
    "/-/orgs/acme/teams/devs/repos/remove",
    "/-/users/ada/gpg_key",
    "/-/users/ada/gpg_key/generate",
    "/-/orgs/acme/gpg_key/delete",
    "/-/users/ada/access_keys",
    "/-/users/ada/access_keys/guest",
    "/-/users/ada/access_keys/guest/password",
    "/-/orgs/acme/access_keys/guest/delete",
    "/-/entitlements/ada/tools",
    "/-/entitlements/ada/tools/cat/1.0",
    "/-/products/ada/suite/entitlements",
    "/-/usage/ada/tools",
    "/-/webhooks/ada/tools/cat",
    "/-/admin/users",
    "/-/admin/users/ada/plan",
    "/-/admin/users/ada/api_key",
    "/-/admin/users/ada/delete",
];

#[tokio::test]
async fn forms_without_their_token_or_from_elsewhere_are_refused() {
    let (house, ada) = furnished().await;
    let before = house.admin().get("/audit").await.header("x-rangelimit-total").to_owned();
    let token = vec![("form_token".to_owned(), token(&ada, "/account").await)];
    for path in FORMS {
        let stale = "The form is out of date; open the page again";
        assert!(ada.post(path, &[]).await.expect(403).text().contains(stale), "{path}");
        let wrong = vec![("form_token".to_owned(), "0".repeat(64))];
        assert!(ada.post(path, &wrong).await.expect(403).text().contains(stale), "{path}");
        let foreign = ada.form(path, &token).header("sec-fetch-site", "cross-site").await.expect(403);
        assert!(foreign.text().contains("The request was sent by a page of another site"), "{path}");
        let foreign = ada.form(path, &token).header("origin", "https://evil.example").await.expect(403);
        assert!(foreign.text().contains("The request was sent by a page of another site"), "{path}");
        // Another visitor's token, and none at all.
        house.browser().post(path, &token).await.expect(401);
    }
    assert_eq!(house.admin().get("/audit").await.header("x-rangelimit-total"), before, "nothing was changed");
}

#[tokio::test]
async fn credentials_in_a_header_change_nothing_on_pages() {
    let (house, _) = furnished().await;
    for path in FORMS {
        house.admin().post(&format!("/{path}")).body("").await.refuses(401, "Your session is over; sign in again");
    }
}
