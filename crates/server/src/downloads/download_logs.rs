//! Download logs.

use axum::{
    Json,
    body::Body,
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use futures_util::stream;
use operations::downloads::download_logs::{self, LogFile, LogReader};
use web::{App, caller::SignedIn, error::Result, path_names::PathNames};

pub(crate) async fn list_logs(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Json<Vec<api::LogFile>>> {
    let files = download_logs::list(app.house(), &caller, &path.package_address()?).await?;
    let view = |file: LogFile| api::LogFile { name: file.name, size: file.size, update: file.updated.to_second_text() };
    Ok(Json(files.into_iter().map(view).collect()))
}

pub(crate) async fn read_log(State(app): State<App>, SignedIn(caller): SignedIn, path: PathNames) -> Result<Response> {
    let reading = download_logs::read(app.house(), &caller, &path.package_address()?, path.log_name()).await?;
    let pieces = stream::try_unfold((app, reading), |(app, mut reading): (App, LogReader)| async {
        let piece = reading
            .next(app.house())
            .await
            .inspect_err(|error| tracing::warn!("sending a download log failed: {error}"))?;
        Ok::<_, operations::Error>(piece.map(|piece| (piece, (app, reading))))
    });
    Ok(([(header::CONTENT_TYPE, "application/gzip")], Body::from_stream(pieces)).into_response())
}
