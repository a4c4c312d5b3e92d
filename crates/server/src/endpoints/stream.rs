//! The event stream of a subject.

use api::*;

use crate::{
    endpoints::{Endpoints, get},
    events::stream::*,
};

pub(super) fn stream(calls: Endpoints) -> Endpoints {
    calls.add(
        get("/stream/{subject}", "Stream the events of a subject, one line of JSON for each")
            .answers::<StreamEvent>(200),
        follow,
    )
}
