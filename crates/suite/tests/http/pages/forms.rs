//! Refused forms, on every page that changes something.

use reqwest::Method;
use suite::{Answer, Browser};

use crate::pages::{furnished, orgs::token};

/// Every path that accepts a form of a session.
const FORMS: [&str; 67] = [
    "/account/profile",
    "/account/orgs",
    "/account/email",
    "/account/email/send",
    "/account/second_factor",
    "/account/second_factor/confirm",
    "/account/second_factor/codes",
    "/account/second_factor/disable",
    "/account/sessions/end",
    "/account/sessions/end_all",
    "/account/password/remove",
    "/-/orgs/acme/second_factor",
    "/-/orgs/acme/single_sign_on",
    "/-/orgs/acme/invitations",
    "/-/orgs/acme/invitations/1/revoke",
    "/-/invitation",
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
    "/-/users/ada/tokens",
    "/-/users/ada/tokens/1/rotate",
    "/-/users/ada/tokens/1/revoke",
    "/-/users/ada/trusted_publishers",
    "/-/users/ada/trusted_publishers/1/delete",
    "/-/device",
    "/-/device/decide",
    "/account/sso",
    "/account/sso/remove",
    "/-/users/ada/access_keys",
    "/-/users/ada/access_keys/guest",
    "/-/users/ada/access_keys/guest/password",
    "/-/orgs/acme/access_keys/guest/delete",
    "/-/entitlements/ada/tools",
    "/-/entitlements/ada/tools/cat/1.0",
    "/-/products/ada/suite/entitlements",
    "/-/products/ada",
    "/-/products/ada/suite",
    "/-/products/ada/suite/delete",
    "/-/products/ada/suite/eulas",
    "/-/products/ada/suite/eulas/terms/delete",
    "/-/users/ada/licenses",
    "/-/users/ada/licenses/own/delete",
    "/-/restrictions/ada/tools",
    "/-/follow/ada/tools/cat",
    "/-/rate/ada/tools/cat",
    "/-/setup/ada/tools",
    "/-/usage/ada/tools",
    "/-/webhooks/ada/tools/cat",
    "/-/admin/users",
    "/-/admin/users/ada/plan",
    "/-/admin/users/ada/api_key",
    "/-/admin/users/ada/suspend",
    "/-/admin/users/ada/unsuspend",
    "/-/admin/users/ada/reset_password",
    "/-/admin/users/ada/second_factor/reset",
    "/-/admin/users/ada/sessions/end_all",
    "/-/admin/users/ada/rename",
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

/// Sends a form with this body as a signed-in visitor.
async fn send(browser: &Browser, path: &str, body: String) -> Answer {
    let kind = "application/x-www-form-urlencoded";
    browser.call(Method::POST, path).header("content-type", kind).body(body).await
}

#[tokio::test]
async fn a_form_has_each_field_once_and_no_control_characters() {
    let (_house, ada) = furnished().await;
    let token = token(&ada, "/account").await;
    for path in ["/account/profile", "/-/edit/repo/ada/tools", "/-/orgs/acme"] {
        for (fields, message) in [
            ("full_name=A&full_name=A", "The form contains a field twice"),
            ("desc=A&desc=B", "The form contains a field twice"),
            ("form_token=0", "The form contains a field twice"),
            ("full_name=%00", "a field contains a control character"),
            ("desc=a%0Db", "a field contains a control character"),
            ("de%0Asc=a", "a field contains a control character"),
            ("desc=%FF", "it is not UTF-8"),
        ] {
            let answer = send(&ada, path, format!("form_token={token}&{fields}")).await.expect(400);
            assert!(answer.text().contains(message), "{path} {fields}: {}", answer.text());
        }
    }
    let answer = send(&ada, "/account/profile", format!("form_token={token}&full_name=a%0D%0Ab")).await.expect(400);
    assert!(answer.text().contains("Full name: it has more than one line"), "{}", answer.text());
}

#[tokio::test]
async fn a_form_is_small_without_a_session_and_bounded_with_one() {
    let (house, ada) = furnished().await;
    let token = token(&ada, "/account").await;
    let path = "/-/edit/repo/ada/tools";
    let of = |text: String| format!("form_token={token}&desc={text}");
    let answer = send(&ada, path, of("x".repeat(256 * 1024))).await.expect(413);
    assert!(answer.text().contains("The form contains more than 256 KiB of text"), "{}", answer.text());
    let answer = send(&ada, path, of("%41".repeat(257 * 1024))).await.expect(400);
    assert!(answer.text().contains("The form is too large or broken"), "{}", answer.text());
    // Many fields are not slower than few.
    let many: String = (0..90_000).map(|number| format!("&{number:x}=")).collect();
    send(&ada, path, format!("form_token={token}{many}")).await.expect(303);
    let anyone = house.browser();
    let login = crate::pages::orgs::token(&anyone, "/login").await;
    let long = format!("form_token={login}&name=ada&secret={}", "x".repeat(4 * 1024));
    let answer = send(&anyone, "/login", long).await.expect(400);
    assert!(answer.text().contains("The form is too large or broken"), "{}", answer.text());
}
