//! Suggestions of the search box while the visitor types. For the script of the pages; not a call of the API.

use axum::{
    Json,
    extract::State,
    response::{IntoResponse, Response},
};
use web::{App, error::Result, path_names::PathNames};

use super::hits::{SearchHit, suggest};
use crate::visitor::Visitor;

/// The number of suggestions of each kind.
const OF_EACH: usize = 5;

/// The fewest characters to search for; shorter texts would match almost anything.
const CHARACTERS: usize = 2;

pub(crate) async fn list(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    let query = path.query("q")?.unwrap_or_default().trim();
    let mut hits: Vec<SearchHit> = Vec::new();
    for kind in ["packages", "repos", "users"] {
        if query.chars().count() < CHARACTERS {
            break;
        }
        hits.extend(suggest(&app, &visitor, kind, query, OF_EACH).await?);
    }
    Ok(Json(hits).into_response())
}
