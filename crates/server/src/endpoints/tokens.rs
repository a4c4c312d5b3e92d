//! Tokens of users and organizations.

use api::*;

use crate::{
    accounts::{
        create_device_code, create_token, edit_token, list_tokens, poll_device_code, revoke_token, rotate_token,
        show_token,
    },
    endpoints::{Endpoints, delete, get, patch, post},
};

pub(super) fn tokens(calls: Endpoints) -> Endpoints {
    let calls = calls.add(get("/token", "Show your credentials").answers::<PresentedToken>(200), show_token);
    of_organizations(of_users(of_devices(calls)))
}

fn of_devices(calls: Endpoints) -> Endpoints {
    calls
        .add(
            post("/device_codes", "Begin the sign-in of a device").takes::<NewDeviceCode>().answers::<DeviceCode>(201),
            create_device_code,
        )
        .add(
            post("/device_codes/token", "Ask whether a device may sign in, and get its token")
                .takes::<DevicePoll>()
                .answers::<DeviceAnswer>(200),
            poll_device_code,
        )
}

fn of_users(calls: Endpoints) -> Endpoints {
    calls
        .add(get("/users/{user}/tokens", "List a user's tokens").lists::<ListedToken>(200), list_tokens)
        .add(
            post("/users/{user}/tokens", "Create a token of a user").takes::<NewToken>().answers::<CreatedToken>(201),
            create_token,
        )
        .add(
            patch("/users/{user}/tokens/{token}", "Change a token of a user")
                .takes::<TokenChange>()
                .answers::<Message>(200),
            edit_token,
        )
        .add(
            post("/users/{user}/tokens/{token}/rotate", "Replace the secret of a user's token")
                .takes::<TokenRotation>()
                .answers::<CreatedToken>(201),
            rotate_token,
        )
        .add(delete("/users/{user}/tokens/{token}", "Revoke a token of a user").answers::<Message>(200), revoke_token)
}

fn of_organizations(calls: Endpoints) -> Endpoints {
    calls
        .add(get("/orgs/{org}/tokens", "List an organization's tokens").lists::<ListedToken>(200), list_tokens)
        .add(
            post("/orgs/{org}/tokens", "Create a token of an organization")
                .takes::<NewToken>()
                .answers::<CreatedToken>(201),
            create_token,
        )
        .add(
            patch("/orgs/{org}/tokens/{token}", "Change a token of an organization")
                .takes::<TokenChange>()
                .answers::<Message>(200),
            edit_token,
        )
        .add(
            post("/orgs/{org}/tokens/{token}/rotate", "Replace the secret of an organization's token")
                .takes::<TokenRotation>()
                .answers::<CreatedToken>(201),
            rotate_token,
        )
        .add(
            delete("/orgs/{org}/tokens/{token}", "Revoke a token of an organization").answers::<Message>(200),
            revoke_token,
        )
}
