//! The download logs of a package, one file a day.

use askama::Template;
use axum::{
    body::Body,
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use futures_util::stream;
use model::{access::Right, timestamp::Timestamp};
use operations::{
    catalogue::packages,
    downloads::download_logs::{self, LogReader},
};
use web::{App, error::Result, path_names::PathNames};

use super::settings_nav;
use crate::{
    address,
    band::{Band, Tab},
    layout::{Layout, render},
    sizes,
    visitor::Visitor,
};

#[derive(Template)]
#[template(path = "manage/logs.html")]
struct Page {
    layout: Layout,
    band: Band,
    nav: Vec<Tab>,
    logs: Vec<Log>,
}

struct Log {
    name: String,
    address: String,
    size: String,
    updated: Timestamp,
}

pub(super) async fn show(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    let at = path.package_address()?;
    let access = packages::show_for(app.house(), &visitor.caller, &at, Right::Publish).await?;
    let listed = download_logs::list(app.house(), &visitor.caller, &at).await?;
    let page = format!("/-/logs{}", address::package(&at));
    let log = |log: download_logs::LogFile| Log {
        address: format!("{page}{}", address::path([log.name.as_str()])),
        size: sizes::bytes(log.size.unsigned_abs()),
        updated: log.updated,
        name: log.name,
    };
    let layout = visitor.layout(&app);
    let page = Page {
        band: Band::of_package(&at, &access).at("Settings"),
        nav: settings_nav::of_package(&at, "Download logs"),
        logs: listed.into_iter().rev().map(log).collect(),
        layout: layout.clone(),
    };
    Ok(render(&layout, &page))
}

/// Sends the log of a day.
pub(super) async fn read(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    let at = path.package_address()?;
    let reading = download_logs::read(app.house(), &visitor.caller, &at, path.log_name()).await?;
    let pieces = stream::try_unfold((app, reading), |(app, mut reading): (App, LogReader)| async {
        let piece = reading
            .next(app.house())
            .await
            .inspect_err(|error| tracing::warn!("sending a download log failed: {error}"))?;
        Ok::<_, operations::Error>(piece.map(|piece| (piece, (app, reading))))
    });
    let headers = [(header::CONTENT_TYPE, "application/gzip"), (header::CONTENT_DISPOSITION, "attachment")];
    Ok((headers, Body::from_stream(pieces)).into_response())
}
