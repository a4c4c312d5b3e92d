//! Syncs of releases with a public registry.

use api::*;

use crate::{
    endpoints::{Endpoints, post},
    public_sync::*,
};

pub(super) fn public_sync(calls: Endpoints) -> Endpoints {
    calls.add(
        post(
            "/maven_public_sync/{subject}/{repo}/{package}/versions/{version}",
            "Push a version to the public staging registry",
        )
        .takes::<NewSync>()
        .answers::<Sync>(200),
        sync_version,
    )
}
