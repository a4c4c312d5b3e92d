//! The event stream of a subject.

use api::*;

use crate::{
    endpoints::{Endpoints, get},
    stream::*,
};

pub(super) fn stream(calls: Endpoints) -> Endpoints {
    calls.add(
        get("/stream/{subject}", "Follow what happens to a subject, a line of JSON for each event")
            .answers::<StreamEvent>(200),
        follow,
    )
}
