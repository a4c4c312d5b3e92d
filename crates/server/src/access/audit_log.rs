//! The audit log, for site administrators.

use axum::{extract::State, response::Response};
use model::{audit::AuditRecord, timestamp::Timestamp};
use web::{App, caller::SignedIn, error::Result, paging, path_names::PathNames};

pub(crate) async fn list_audit(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Response> {
    let page = operations::access::audit_log::list(app.house(), &caller, path.start_position()?).await?;
    Ok(paging::respond(page, view))
}

fn view(entry: AuditRecord) -> api::AuditEntry {
    api::AuditEntry {
        seq: entry.seq,
        at: Timestamp::from_millis(entry.at).to_string(),
        actor: entry.actor,
        action: entry.action,
        target: entry.target,
        detail: entry.detail,
        address: entry.address,
        request_id: entry.request_id,
        hash: entry.hash,
    }
}
