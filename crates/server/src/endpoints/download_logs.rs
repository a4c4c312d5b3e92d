//! Download logs.

use api::*;

use crate::{
    downloads::download_logs::*,
    endpoints::{Endpoints, get},
};

pub(super) fn download_logs(calls: Endpoints) -> Endpoints {
    calls
        .add(
            get("/packages/{subject}/{repo}/{package}/logs", "List the logs of a package's downloads")
                .lists::<LogFile>(200),
            list_logs,
        )
        .add(
            get("/packages/{subject}/{repo}/{package}/logs/{log_name}", "Read a log of a day's downloads, as gzip"),
            read_log,
        )
}
