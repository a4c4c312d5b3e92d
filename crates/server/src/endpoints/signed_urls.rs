//! Signed URLs, which let anyone download a file.

use api::*;

use crate::{
    downloads::signed_urls::*,
    endpoints::{Endpoints, post},
};

pub(super) fn signed_urls(calls: Endpoints) -> Endpoints {
    calls
        .add(
            post("/signed_url/{subject}/{repo}/{file_path}", "Create a signed URL of a file")
                .takes::<NewSignedUrl>()
                .answers::<SignedUrl>(200),
            create_signed_url,
        )
        .add(
            post("/subjects/{subject}/keypair", "Invalidate all signed URLs of a subject").answers::<Message>(201),
            renew_keypair,
        )
}
