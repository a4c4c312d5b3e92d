//! Prepares every statement of this crate on the engine; none may scan a whole table.

use model::timestamp::Timestamp;

use crate::{
    Database, ScopedFutureExt,
    catalogue::{packages::PackageRow, repos::RepoRow},
    content::{file_list, files::FileRow},
    engine::{
        keys::about,
        row::Columns,
        statement::{Cost, Statement},
    },
    search::{self, attribute_statement, file_search},
    testing::{
        scratch::Scratch,
        statement_source::{FoundStatement, Sources},
    },
};

/// Statements that read a whole table on purpose, with the reason.
const WHOLE_TABLE: &[(&str, &str)] = &[
    ("FROM migrations", "a handful of rows, at start only"),
    ("WHERE is_site_admin ", "walks a partial index that holds these few rows only"),
    ("WHERE b.md5 IS NULL ", "walks a partial index that holds these rows only"),
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
    let statements = Sources::read().statements();
    assert!(statements.len() > 400, "only {} statements found", statements.len());
    for FoundStatement { sql, .. } in statements {
        let arguments = no_arguments(&sql);
        let sql = &about(Statement::new(sql, arguments), &[1, 2]).sql;
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
    let samples = search::samples::Samples::new(&db);
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
        // If a scope narrows the search, PostgreSQL may prefer to walk the files in it.
        let is_narrowed = ["s.name = ", "r.name = ", "f.repo_id IN"].into_iter().any(|scope| sql.contains(scope));
        let is_question = sql.contains("files_search MATCH") || sql.contains("regexp_replace");
        assert!(
            !is_question || is_narrowed || plan.iter().any(|line| line.contains("files_search")),
            "{sql}\nasks no index: {plan:#?}"
        );
    }
}

/// Deletions in texts that are not in a macro, with the reason why they do not run on both engines.
const OTHER_DELETIONS: &[(&str, usize, &str)] = &[
    ("content/content_facts.rs", 1, "a test's"),
    ("content/file_names.rs", 1, "SQLite's alone, and long"),
    ("engine/shown_tables.rs", 4, "beginnings that statements are compared with"),
    ("maintenance/snapshot/fill.rs", 1, "a batch of a restore"),
    ("maintenance/snapshot/postgres.rs", 2, "statements of a restore"),
];

#[test]
fn every_deletion_may_take_long() {
    let sources = Sources::read();
    let statements = sources.statements();
    let is_deletion = |found: &&FoundStatement| found.sql.starts_with("DELETE");
    for FoundStatement { file, sql, is_long, .. } in statements.iter().filter(is_deletion) {
        assert!(is_long, "{file}: deletions cascade, so this one needs .long():\n{sql}");
    }
    for (file, deletions) in sources.count("\"DELETE") {
        let made = statements.iter().filter(is_deletion).filter(|found| found.file == file).count();
        let others = OTHER_DELETIONS.iter().find(|(other, ..)| *other == file).map_or(0, |(_, others, _)| *others);
        assert_eq!(deletions, made + others, "{file}: a deletion that no macro makes");
    }
}

#[tokio::test]
async fn every_statement_that_is_prepared_once_may_take_long() {
    let scratch = Scratch::create().await;
    let db = scratch.open().await;
    let samples = attribute_statement::samples().into_iter().chain(file_search::samples::all(&db));
    let (mut once, mut kept) = (0, 0);
    for statement in samples.chain(file_list::samples()) {
        if statement.is_cached {
            kept += 1;
        } else {
            once += 1;
            assert_eq!(statement.cost, Cost::Long, "{}", statement.sql);
        }
    }
    assert!(once > 0 && kept > 0, "{once} are prepared once, {kept} are kept");
}

#[test]
fn the_sources_are_read_as_the_compiler_reads_them() {
    let sources = Sources::read();
    let list = |row: &str| sources.select_list("", row).split_whitespace().collect::<Vec<_>>().join(" ");
    let compiled = |list: &str| list.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(list("PackageRow"), compiled(PackageRow::COLUMNS));
    assert_eq!(list("RepoRow"), compiled(RepoRow::COLUMNS));
    assert_eq!(list("FileRow"), compiled(FileRow::COLUMNS));
    for macro_name in ["sql", "select", "insert", "update"] {
        assert!(sources.statements().iter().any(|found| found.made_by == macro_name), "no {macro_name}! is found");
    }
}

/// Returns the line of a plan that reads a whole table. SQLite also says "scan" for a query to a search index, for a
/// single generated row, and for the rows of an inner query.
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

/// Returns the plan as the engine prints it. Fails if the statement cannot be prepared.
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
