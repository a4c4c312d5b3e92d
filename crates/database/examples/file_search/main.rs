//! How long searches and lists take when there are very many files.
//!
//! ```text
//! cargo run --release -p database --example file_search -- sqlite:///tmp/files.db 10000000
//! cargo run --release -p database --example file_search -- postgres://packhouse@127.0.0.1:5432/files 10000000
//! ```
//!
//! The database is empty the first time; a second run measures what the first has loaded.

mod load;
mod names;

use std::{error::Error, time::Instant};

use database::{
    Database, Options,
    content::file_list::{self, FileListOwner},
    search::file_search::{self, FileQuery, SearchOutcome, SearchSnapshot},
};
use model::{
    access::Viewer,
    file::FileListState,
    names::{RepoName, SubjectName},
    page::PageRequest,
    prefix::NameRange,
    search::SearchScope,
    timestamp::Timestamp,
    wildcard::Wildcard,
};

use load::{LARGE_VERSION, Size};

const ANYONE: Viewer = Viewer { id: None, sees_everything: false };

/// How often each search runs.
const RUNS: usize = 9;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [url, files] = arguments.as_slice() else { return Err("give a database's URL and a number of files".into()) };
    let size = Size { files: files.parse()? };
    let db = Database::open(url, &Options::default()).await?;
    db.migrate(Timestamp::EPOCH).await?;
    load::load(&db, url, size).await?;
    println!("| search | results | median | slowest of {RUNS} |\n|---|---|---|---|");
    for (name, query) in queries(size) {
        measure(name, || search(&db, &query)).await?;
    }
    for start in [0, 500_000, 900_000].into_iter().filter(|start| *start < size.of_large_version()) {
        measure(&format!("files of a version, from {start}"), || list(&db, start)).await?;
    }
    Ok(())
}

async fn measure(name: &str, work: impl AsyncFn() -> database::Result<i64>) -> Result<(), Box<dyn Error>> {
    let (mut times, mut results) = (Vec::new(), 0);
    for _ in 0..RUNS {
        let began = Instant::now();
        results = match work().await {
            Err(database::Error::Unavailable(reason)) => {
                println!("| {name} | {reason} | | |");
                return Ok(());
            }
            answered => answered?,
        };
        times.push(began.elapsed().as_secs_f64() * 1_000.0);
    }
    times.sort_by(f64::total_cmp);
    let (median, slowest) = (times[RUNS / 2], times[RUNS - 1]);
    println!("| {name} | {results} | {median:.1} ms | {slowest:.1} ms |");
    Ok(())
}

async fn search(db: &Database, query: &FileQuery) -> database::Result<i64> {
    match file_search::find(db, query, ANYONE, PageRequest { start: 0, limit: 50 }).await? {
        SearchOutcome::Found(results) => Ok(results.total),
        SearchOutcome::TooWide => Ok(-1),
    }
}

async fn list(db: &Database, start: i64) -> database::Result<i64> {
    let (of, paths) = (FileListOwner::Version(LARGE_VERSION.id), NameRange::beginning_with(""));
    let total = file_list::count(db, of, FileListState::Published, &paths).await?;
    let window = PageRequest { start, limit: 50 };
    let page = file_list::list(db, LARGE_VERSION.repo_id, of, FileListState::Published, &paths, window).await?;
    assert_eq!(page.len(), 50);
    Ok(total)
}

fn queries(size: Size) -> Vec<(&'static str, FileQuery)> {
    let words = names::words();
    let (rare, common) = (&words[25_001], &words[3]);
    let name = |text: String| FileQuery { name: Wildcard::parse(&text).expect("a pattern"), ..FileQuery::default() };
    let large = scope("s1", "r1");
    let small = scope("s2", "r7");
    let newest =
        SearchSnapshot { at: Timestamp::from_millis(size.end_ms() - 60_000), id: size.id_at(size.end_ms() - 60_000) };
    let sha1 = format!("{:040x}", 77).parse().ok();
    vec![
        ("`*word*`, a rare word", name(format!("*{rare}*"))),
        ("`*word-1.*.jar`, a rare word", name(format!("*{rare}-1.*.jar"))),
        ("`*word*`, a common word", name(format!("*{common}*"))),
        ("`*nothing-has-this*`", name("*nothing-has-this*".into())),
        ("`*-7.13.21-sources.jar`, all parts common", name("*-7.13.21-sources.jar".into())),
        ("`*.jar`, half of all", name("*.jar".into())),
        ("`*.jar` of one small repository", FileQuery { scope: small, ..name("*.jar".into()) }),
        ("`*.zip` of one large repository", FileQuery { scope: large.clone(), ..name("*.zip".into()) }),
        ("`*.jar` of the last minute", FileQuery { created_after: Some(newest), ..name("*.jar".into()) }),
        ("`word-*`, a rare word", name(format!("{rare}-*"))),
        ("`word-*`, a common word", name(format!("{common}-*"))),
        ("`t*`", name("t*".into())),
        ("`b?????????.pom`", name("b?????????.pom".into())),
        ("`????*-word-?.??.?.*`, a rare word", name(format!("????*-{rare}-?.??.?.*"))),
        ("`???.txt`, no such name", name("???.txt".into())),
        ("`*a*`, too wide", name("*a*".into())),
        ("SHA-1", FileQuery { sha1, ..FileQuery::default() }),
    ]
}

fn scope(owner: &str, repo: &str) -> SearchScope {
    SearchScope { owner: SubjectName::parse(owner).ok(), repo: RepoName::parse(repo).ok(), ..SearchScope::default() }
}
