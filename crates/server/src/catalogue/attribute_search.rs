//! Searches packages and versions by their attributes.

use axum::{extract::State, response::Response};
use model::{
    attribute::check_name,
    attribute_query::{Clause, Condition},
    page::start_position,
};
use operations::{Page, search::attribute_search};
use serde_json::Value;
use web::{
    App,
    attribute_values::scalar,
    caller::RequestCaller,
    error::{Failure, Result},
    json::JsonList,
    paging,
    path_names::PathNames,
};

use crate::catalogue::{packages, versions};

pub(crate) async fn search_packages_by_attributes(
    State(app): State<App>,
    RequestCaller(caller): RequestCaller,
    path: PathNames,
    JsonList(body): JsonList<api::AttributeClause>,
) -> Result<Response> {
    let (clauses, start) = (clauses(body)?, start(&path)?);
    let found = attribute_search::packages(app.house(), &caller, &path.repo_address()?, &clauses, start).await?;
    let items = packages::views_as_asked(&app, &path, found.items).await?;
    Ok(paging::respond(Page { items, start, total: found.total }, |item| item))
}

pub(crate) async fn search_versions_by_attributes(
    State(app): State<App>,
    RequestCaller(caller): RequestCaller,
    path: PathNames,
    JsonList(body): JsonList<api::AttributeClause>,
) -> Result<Response> {
    let (clauses, start) = (clauses(body)?, start(&path)?);
    let found = attribute_search::versions(app.house(), &caller, &path.package_address()?, &clauses, start).await?;
    let items = versions::views_as_asked(&app, &path, found.items).await?;
    Ok(paging::respond(Page { items, start, total: found.total }, |item| item))
}

fn start(path: &PathNames) -> Result<u64> {
    start_position(path.query("start_pos")?).map_err(|error| Failure::bad_request(format!("start_pos: {error}")))
}

fn clauses(body: Vec<api::AttributeClause>) -> Result<Vec<Clause>> {
    body.into_iter().enumerate().map(|(place, clause)| read(place, clause)).collect()
}

/// Parses an object with a single key, the attribute's name.
fn read(place: usize, clause: api::AttributeClause) -> Result<Clause> {
    let mut entries = clause.0.into_iter();
    let (Some((name, wanted)), None) = (entries.next(), entries.next()) else {
        return Err(Failure::bad_request(format!("[{place}]: a clause has one key, the attribute's name")));
    };
    let shown: String = name.chars().take(60).collect();
    let refuse = |reason: &dyn std::fmt::Display| Failure::bad_request(format!("[{place}].{shown}: {reason}"));
    check_name(&name).map_err(|reason| refuse(&reason))?;
    let condition = match wanted {
        Value::Array(values) => {
            let values = values.into_iter().map(|value| scalar(value).map_err(|reason| refuse(&reason)));
            Condition::Among(values.collect::<Result<_>>()?)
        }
        single => {
            let value = scalar(single).map_err(|reason| refuse(&reason))?;
            Condition::of_scalar(value).map_err(|error| refuse(&error))?
        }
    };
    Ok(Clause { name, condition })
}
