//! Access keys.

use api::*;

use crate::{
    access::*,
    endpoints::{Endpoints, delete, get, patch, post},
};

pub(super) fn access_keys(calls: Endpoints) -> Endpoints {
    of_organizations(of_users(calls))
}

fn of_users(calls: Endpoints) -> Endpoints {
    calls
        .add(
            get("/users/{user}/access_keys", "List a user's access keys").answers::<AccessKeyList>(200),
            list_access_keys,
        )
        .add(
            post("/users/{user}/access_keys", "Create an access key of a user")
                .takes::<NewAccessKey>()
                .answers::<AccessKeyCredentials>(201),
            create_access_key,
        )
        .add(
            get("/users/{user}/access_keys/{access_key}", "Show an access key of a user").answers::<AccessKey>(200),
            show_access_key,
        )
        .add(
            patch("/users/{user}/access_keys/{access_key}", "Change an access key of a user")
                .takes::<AccessKeyChange>()
                .answers::<AccessKey>(200),
            edit_access_key,
        )
        .add(
            post("/users/{user}/access_keys/{access_key}/password", "Replace the password of a user's access key")
                .answers::<AccessKeyCredentials>(201),
            renew_password,
        )
        .add(
            get("/users/{user}/access_keys/{access_key}/usage", "Show the usage of a user's access key")
                .answers::<AccessKeyUsage>(200),
            show_access_key_usage,
        )
        .add(
            delete("/users/{user}/access_keys/{access_key}", "Delete an access key of a user").answers::<Message>(200),
            delete_access_key,
        )
}

fn of_organizations(calls: Endpoints) -> Endpoints {
    calls
        .add(
            get("/orgs/{org}/access_keys", "List an organization's access keys").answers::<AccessKeyList>(200),
            list_access_keys,
        )
        .add(
            post("/orgs/{org}/access_keys", "Create an access key of an organization")
                .takes::<NewAccessKey>()
                .answers::<AccessKeyCredentials>(201),
            create_access_key,
        )
        .add(
            get("/orgs/{org}/access_keys/{access_key}", "Show an access key of an organization")
                .answers::<AccessKey>(200),
            show_access_key,
        )
        .add(
            patch("/orgs/{org}/access_keys/{access_key}", "Change an access key of an organization")
                .takes::<AccessKeyChange>()
                .answers::<AccessKey>(200),
            edit_access_key,
        )
        .add(
            post(
                "/orgs/{org}/access_keys/{access_key}/password",
                "Replace the password of an organization's access key",
            )
            .answers::<AccessKeyCredentials>(201),
            renew_password,
        )
        .add(
            get("/orgs/{org}/access_keys/{access_key}/usage", "Show the usage of an organization's access key")
                .answers::<AccessKeyUsage>(200),
            show_access_key_usage,
        )
        .add(
            delete("/orgs/{org}/access_keys/{access_key}", "Delete an access key of an organization")
                .answers::<Message>(200),
            delete_access_key,
        )
}
