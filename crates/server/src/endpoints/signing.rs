//! Signing, and the signing keys.

use api::*;

use crate::{
    endpoints::{Endpoints, delete, get, post, put},
    signing::*,
};

pub(super) fn signing(calls: Endpoints) -> Endpoints {
    calls
        .describe(
            post("/gpg/{subject}/{repo}/{package}/versions/{version}", "Sign all files of a version")
                .query(PASSPHRASE)
                .takes::<Signing>()
                .answers::<Message>(200),
        )
        .add(
            post("/gpg/{subject}/{repo}/{file_path}", "Sign a file")
                .query(PASSPHRASE)
                .takes::<Signing>()
                .answers::<Message>(200),
            sign,
        )
        .add(get("/keys/gpg/public.key", "Show the server's own public key"), show_own_public_key)
}

pub(super) fn signing_keys(calls: Endpoints) -> Endpoints {
    calls
        .add(get("/users/{user}/keys/gpg", "Describe a user's signing key").answers::<GpgKey>(200), show_gpg_key)
        .add(
            put("/users/{user}/keys/gpg", "Store a user's private key").takes::<NewGpgKey>().answers::<GpgKey>(200),
            store_gpg_key,
        )
        .add(
            post("/users/{user}/keys/gpg/generate", "Generate a key for a user").answers::<GpgKey>(201),
            generate_gpg_key,
        )
        .add(get("/users/{user}/keys/gpg/public.key", "Show a user's public key"), show_public_key)
        .add(get("/users/{user}/keyring", "Show the keys of a user's indexes").query(FORMAT), show_keyring)
        .add(get("/users/{user}/keyring.gpg", "Show the keys of a user's indexes, in binary"), show_binary_keyring)
        .add(get("/users/{user}/keyring/{key_file}", "Show the RSA key of an index"), show_key_file)
        .add(delete("/users/{user}/keys/gpg", "Delete a user's key").answers::<Message>(200), delete_gpg_key)
        .add(get("/orgs/{org}/keys/gpg", "Describe an organization's signing key").answers::<GpgKey>(200), show_gpg_key)
        .add(
            put("/orgs/{org}/keys/gpg", "Store an organization's private key")
                .takes::<NewGpgKey>()
                .answers::<GpgKey>(200),
            store_gpg_key,
        )
        .add(
            post("/orgs/{org}/keys/gpg/generate", "Generate a key for an organization").answers::<GpgKey>(201),
            generate_gpg_key,
        )
        .add(get("/orgs/{org}/keys/gpg/public.key", "Show an organization's public key"), show_public_key)
        .add(get("/orgs/{org}/keyring", "Show the keys of an organization's indexes").query(FORMAT), show_keyring)
        .add(
            get("/orgs/{org}/keyring.gpg", "Show the keys of an organization's indexes, in binary"),
            show_binary_keyring,
        )
        .add(get("/orgs/{org}/keyring/{key_file}", "Show the RSA key of an index"), show_key_file)
        .add(delete("/orgs/{org}/keys/gpg", "Delete an organization's key").answers::<Message>(200), delete_gpg_key)
}

const FORMAT: &[(&str, &str)] = &[("format", "`binary` for keys that are not armored")];

const PASSPHRASE: &[(&str, &str)] =
    &[("passphrase", "The passphrase of the key; better sent as the header X-GPG-PASSPHRASE or in the body")];
