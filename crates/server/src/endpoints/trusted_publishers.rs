//! Trusted publishers of users and organizations.

use api::*;

use crate::{
    accounts::{create_publisher, delete_publisher, list_publishers, mint_token},
    endpoints::{Endpoints, delete, get, post},
};

pub(super) fn trusted_publishers(calls: Endpoints) -> Endpoints {
    let calls = calls.add(
        post("/oidc/token", "Exchange the identity token of a build for a token that may publish for 15 minutes")
            .takes::<IdentityToken>()
            .answers::<MintedToken>(200),
        mint_token,
    );
    of_organizations(of_users(calls))
}

fn of_users(calls: Endpoints) -> Endpoints {
    calls
        .add(
            get("/users/{user}/trusted_publishers", "List a user's trusted publishers").lists::<TrustedPublisher>(200),
            list_publishers,
        )
        .add(
            post("/users/{user}/trusted_publishers", "Add a trusted publisher of a user")
                .takes::<NewTrustedPublisher>()
                .answers::<TrustedPublisher>(201),
            create_publisher,
        )
        .add(
            delete("/users/{user}/trusted_publishers/{publisher}", "Delete a trusted publisher of a user")
                .answers::<Message>(200),
            delete_publisher,
        )
}

fn of_organizations(calls: Endpoints) -> Endpoints {
    calls
        .add(
            get("/orgs/{org}/trusted_publishers", "List an organization's trusted publishers")
                .lists::<TrustedPublisher>(200),
            list_publishers,
        )
        .add(
            post("/orgs/{org}/trusted_publishers", "Add a trusted publisher of an organization")
                .takes::<NewTrustedPublisher>()
                .answers::<TrustedPublisher>(201),
            create_publisher,
        )
        .add(
            delete("/orgs/{org}/trusted_publishers/{publisher}", "Delete a trusted publisher of an organization")
                .answers::<Message>(200),
            delete_publisher,
        )
}
