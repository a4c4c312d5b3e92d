//! Syncs of releases with a public registry.

use api::*;

use crate::{
    endpoints::{Endpoints, post},
    staging::*,
};

pub(super) fn staging(calls: Endpoints) -> Endpoints {
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
