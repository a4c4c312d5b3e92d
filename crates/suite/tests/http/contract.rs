//! Compares the endpoint tables of the contract and of the decisions with the server.

mod table;

use std::collections::BTreeSet;

use reqwest::Method;
use serde_json::json;
use server::Endpoint;
use suite::{Answer, TestHouse};

use crate::{
    catalogue::{new_package, new_repo},
    content::upload_published,
};
use table::{PAGES, Row, TABLE};

/// The router's message for an unknown path.
const NOTHING: &str = "This URL does not exist";

#[test]
fn every_row_is_an_endpoint() {
    let endpoints = server::endpoints();
    for row in rows() {
        assert!(endpoints.iter().any(|endpoint| serves(endpoint, row)), "no endpoint serves `{row}`");
    }
}

#[test]
fn every_endpoint_is_a_row() {
    for endpoint in server::endpoints() {
        let name = format!("{} {}", endpoint.method, endpoint.path);
        let is_known = rows().any(|row| serves(&endpoint, row));
        assert!(is_known, "`{name}` is not in contract/table.rs: add it with its source");
    }
}

#[test]
fn no_row_stands_twice() {
    let all: Vec<String> = rows().map(Row::to_string).collect();
    assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len(), "a row appears twice");
}

#[tokio::test]
async fn every_row_answers() {
    let house = TestHouse::start().await;
    for row in rows() {
        let answer = ask(&house, row.method, &sample(row.path)).await;
        assert!(is_routed(&answer), "`{row}` answers {}: {}", answer.status, answer.text());
    }
}

#[tokio::test]
async fn an_alias_answers_as_what_it_stands_for() {
    let house = TestHouse::start().await;
    let aliases = [("/access_keys", "/download_keys"), ("/maven_public_sync/", "/maven_central_sync/")];
    for row in rows() {
        for (name, alias) in aliases.into_iter().filter(|(name, _)| row.path.contains(name)) {
            let path = sample(row.path).replace(name, alias);
            let answer = ask(&house, row.method, &path).await;
            assert!(is_routed(&answer), "{} {path} answers {}, unlike `{row}`", row.method, answer.status);
        }
    }
}

#[tokio::test]
async fn pages_and_downloads_answer() {
    let house = TestHouse::start().await;
    house.admin().post("/orgs").json(json!({"name": "acme"})).await.expect(201);
    new_repo(&house.admin(), "acme/tools").await;
    new_package(&house.admin(), "acme/tools", "cat").await;
    let file = format!("acme/tools/cat/1.0/{}", value("file_path"));
    upload_published(&house.admin(), &file, "meow").await;
    for row in PAGES {
        let answer = ask(&house, row.method, &format!("/{}", sample(row.path))).await;
        answer.expect(match row.path {
            "/api" => 303,
            // The only page that is just for keys.
            path if path.starts_with("/eula/") => 401,
            _ => 200,
        });
    }
}

fn rows() -> impl Iterator<Item = &'static Row> {
    TABLE.iter().flat_map(|(_, rows)| rows.iter())
}

/// Sends a request without credentials: enough to see whether the route exists, too little to change anything.
async fn ask(house: &TestHouse, method: &str, path: &str) -> Answer {
    house.anyone().call(method.parse::<Method>().expect("a method"), path).await
}

fn is_routed(answer: &Answer) -> bool {
    answer.status != 405 && !(answer.status == 404 && answer.message() == NOTHING)
}

/// Returns whether the endpoint matches the row. The variable segments have the same names; a file's path takes the
/// rest with its slashes; and a fixed name such as `_latest` matches any variable.
fn serves(endpoint: &Endpoint, row: &Row) -> bool {
    if endpoint.method != row.method {
        return false;
    }
    let mut wanted = segments(row.path);
    for taken in segments(endpoint.path) {
        let Some(segment) = wanted.next() else { return false };
        let is_same = match segment.strip_prefix(':') {
            _ if taken == "{file_path}" => return row.path.ends_with("/:file_path"),
            Some(name) => taken == format!("{{{name}}}"),
            None => taken == segment || taken.starts_with('{'),
        };
        if !is_same {
            return false;
        }
    }
    wanted.next().is_none()
}

fn segments(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter(|segment| !segment.is_empty())
}

/// Returns a path with names instead of its variables, written `:name` or `{name}`.
pub(crate) fn sample(path: &'static str) -> String {
    let braced = |segment: &'static str| segment.strip_prefix('{')?.strip_suffix('}');
    let name = |segment: &'static str| segment.strip_prefix(':').or(braced(segment)).map(value);
    let named = path.split('/').map(|segment| name(segment).unwrap_or(segment));
    named.collect::<Vec<_>>().join("/")
}

fn value(name: &str) -> &'static str {
    match name {
        "subject" | "org" | "source_subject" => "acme",
        "user" => "ada",
        "repo" | "source_repo" => "tools",
        "package" | "source_package" => "cat",
        "version" => "1.0",
        // An upload takes the package and the version from it.
        "file_path" => "cat/1.0/cat.tar",
        "log_name" => "downloads-15-01-2026.log.gz",
        _ => "sample",
    }
}
