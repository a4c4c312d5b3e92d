//! Every statement of this crate is prepared on the engine, and none may scan a whole table.

use std::path::Path;

use model::timestamp::Timestamp;

use crate::{
    Database, Read, ScopedFutureExt,
    content::file_list,
    engine::{keys::about, statement::Statement},
    search::{self, attribute_statement, file_search},
    testing::scratch::Scratch,
};

/// Statements that read a whole table on purpose, and why.
const WHOLE_TABLE: &[(&str, &str)] = &[
    ("FROM migrations", "a handful of rows, at start only"),
    ("WHERE is_site_admin ", "walks a partial index that holds these few rows only"),
    ("WHERE md5 IS NULL ", "walks a partial index that holds these rows only"),
    (
        "WHERE version_update_max_days IS NULL",
        "all repositories without a window of their own, when the setting changes",
    ),
    ("repos_of_blob", "walks the repositories of one blob, found by two indexes"),
];

#[tokio::test]
async fn every_statement_prepares_and_uses_an_index() {
    let scratch = Scratch::create().await;
    let db = scratch.open().await;
    db.migrate(Timestamp::EPOCH).await.expect("migrated");
    let statements = statements();
    assert!(statements.len() > 20, "only {} statements found", statements.len());
    for sql in statements {
        let sql = &about(Statement::new(sql, no_arguments(sql)), &[1, 2]).sql;
        let plan = plan(&db, sql).await;
        let is_excused = WHOLE_TABLE.iter().any(|(part, _)| sql.contains(part));
        let scan = scan(&plan);
        assert!(scan.is_none() || is_excused, "{sql}\nscans a whole table: {scan:?}");
    }
}

#[tokio::test]
async fn every_search_prepares_and_uses_the_index_of_its_engine() {
    let scratch = Scratch::create().await;
    let db = scratch.open().await;
    db.migrate(Timestamp::EPOCH).await.expect("migrated");
    let samples = search::Samples::new(&db);
    for Statement { sql, .. } in samples.indexed.iter().chain(&samples.scoped) {
        let plan = plan(&db, sql).await;
        let scan = scan(&plan);
        assert!(scan.is_none(), "{sql}\nscans a whole table: {scan:?}");
    }
    for Statement { sql, .. } in &samples.indexed {
        let plan = plan(&db, sql).await;
        assert!(plan.iter().any(|line| line.contains("_search")), "{sql}\nsearches no index: {plan:#?}");
    }
    for Statement { sql, .. } in &samples.short {
        let plan = plan(&db, sql).await;
        assert!(!plan.iter().any(|line| line.contains("_search")), "{sql}\nreads a whole index: {plan:#?}");
    }
}

#[tokio::test]
async fn every_attribute_search_prepares_and_uses_an_index() {
    let scratch = Scratch::create().await;
    let db = scratch.open().await;
    db.migrate(Timestamp::EPOCH).await.expect("migrated");
    for statement in attribute_statement::samples() {
        let plan = plan(&db, &statement.sql).await;
        let scan = scan(&plan);
        assert!(scan.is_none(), "{}\nscans a whole table: {scan:?}", statement.sql);
    }
}

#[tokio::test]
async fn every_list_and_search_of_files_prepares_and_uses_an_index() {
    let scratch = Scratch::create().await;
    let db = scratch.open().await;
    db.migrate(Timestamp::EPOCH).await.expect("migrated");
    for Statement { sql, .. } in file_list::samples().into_iter().chain(file_search::samples::all(&db)) {
        let plan = plan(&db, &sql).await;
        let scan = scan(&plan);
        assert!(scan.is_none(), "{sql}\nscans a whole table: {scan:?}");
        // Where a scope narrows the search, PostgreSQL may rather walk the files in it.
        let is_narrowed = ["s.name = ", "r.name = ", "f.repo_id IN"].into_iter().any(|scope| sql.contains(scope));
        let is_question = sql.contains("files_search MATCH") || sql.contains("regexp_replace");
        assert!(
            !is_question || is_narrowed || plan.iter().any(|line| line.contains("files_search")),
            "{sql}\nasks no index: {plan:#?}"
        );
    }
}

/// The line of a plan that reads a whole table. SQLite says "scan" also of a search index that it asks for something, of
/// a single made-up row, and of the rows of an inner query.
fn scan(plan: &[String]) -> Option<&String> {
    let asks_an_index = |line: &str| {
        let asked = line.split_once("VIRTUAL TABLE INDEX ").and_then(|(_, index)| index.split_once(':'));
        asked.is_some_and(|(_, asked)| !asked.is_empty())
    };
    let is_inner = |name: &str| {
        ["CO-ROUTINE", "MATERIALIZE"].iter().any(|how| plan.iter().any(|line| *line == format!("{how} {name}")))
    };
    let is_scan = |line: &&String| match line.strip_prefix("SCAN ") {
        Some(what) => !asks_an_index(line) && !is_inner(what) && what != "CONSTANT ROW",
        None => line.contains("Seq Scan"),
    };
    plan.iter().find(is_scan)
}

/// The plan, in the engine's words. A statement that does not prepare fails here.
async fn plan(db: &Database, sql: &str) -> Vec<String> {
    match db.per_engine("sqlite", "postgres") {
        "sqlite" => sqlite_plan(db, sql).await,
        _ => postgres_plan(db, sql).await,
    }
}

async fn sqlite_plan(db: &Database, sql: &str) -> Vec<String> {
    let sql: &'static str = format!("EXPLAIN QUERY PLAN {sql}").leak();
    let rows: Vec<PlanRow> = db.all(Statement::new(sql, no_arguments(sql))).await.expect(sql);
    rows.into_iter().map(|row| row.0).collect()
}

async fn postgres_plan(db: &Database, sql: &str) -> Vec<String> {
    let arguments = vec!["NULL"; no_arguments(sql).len()].join(", ");
    let call = if arguments.is_empty() { String::new() } else { format!("({arguments})") };
    let prepare = format!(
        "SET LOCAL enable_seqscan = off; SET LOCAL plan_cache_mode = force_generic_plan; PREPARE plan AS {sql}"
    );
    let explain: &'static str = format!("EXPLAIN EXECUTE plan{call}").leak();
    let rows: crate::Result<Vec<String>> = db
        .write(|tx| {
            let prepare = prepare.clone();
            async move {
                tx.batch(&prepare).await?;
                let plan = tx.all(Statement::new(explain, Vec::new())).await?;
                tx.batch("DEALLOCATE plan").await?;
                Ok(plan)
            }
            .scope_boxed()
        })
        .await;
    rows.expect(sql)
}

struct PlanRow(String);

impl crate::engine::row::FromRow for PlanRow {
    fn from_row(row: &crate::engine::row::Row<'_>) -> crate::Result<Self> {
        Ok(PlanRow(row.get(3)?))
    }
}

fn no_arguments(sql: &str) -> Vec<crate::engine::statement::Value> {
    let count = (1..100).take_while(|n| sql.contains(&format!("${n}"))).count();
    vec![crate::engine::statement::Value::Null; count]
}

/// The texts of all `sql!(...)` in the crate's sources that run on both engines.
fn statements() -> Vec<&'static str> {
    let mut found = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("the sources are there") {
            let path = entry.expect("readable").path();
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            if path.is_dir() {
                folders.push(path);
            } else if !is_of_one_engine(&path) && name != "tests.rs" && !name.ends_with("_tests.rs") {
                let text: &'static str = std::fs::read_to_string(&path).expect("readable").leak();
                let texts = text.split("sql!(").skip(1);
                found.extend(texts.filter_map(|rest| rest.trim_start().strip_prefix('"')?.split('"').next()));
            }
        }
    }
    found
}

/// The engine itself and its tests speak to one engine at a time.
fn is_of_one_engine(path: &Path) -> bool {
    ["engine/mod.rs", "engine/statement.rs"].iter().any(|end| path.ends_with(end))
        || path.parent().is_some_and(|folder| folder.ends_with("engine/tests"))
}
