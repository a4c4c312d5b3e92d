//! Compares searches for files with the pure rule, for every source that can serve them.

use std::collections::BTreeSet;

use model::{
    access::Viewer,
    file::FileContent,
    file_path::FilePath,
    id::{BlobId, PackageId, RepoId, VersionId},
    names::{RepoName, SubjectName},
    page::PageRequest,
    prefix::NameRange,
    search::SearchScope,
    timestamp::Timestamp,
    wildcard::Wildcard,
};
use proptest::{
    prelude::*,
    test_runner::{Config, TestRunner},
};

use crate::{
    Database, Result, ScopedFutureExt,
    content::{
        file_names,
        files::{self, NewFile},
    },
    search::{
        file_sample::NameSample,
        file_search::{FileQuery, MOST_RESULTS, Search, SearchOutcome, find},
        file_sources::CandidateFiles,
    },
    testing::scratch::Scratch,
};

/// The repository of all files.
const REPO: RepoId = RepoId::new(2);

const ANYONE: Viewer = Viewer { id: None, sees_everything: false };

#[test]
fn every_source_finds_what_the_rule_says() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let names = names();
    let (_scratch, db) = runtime.block_on(with_files(&names));
    runtime.block_on(file_names::index_new(&db)).expect("learned");
    let config = Config { cases: 300, failure_persistence: None, ..Config::default() };
    let pattern = "[ab.%_!ßé日-]{0,4}(\\*|\\?|\\*\\?)[ab.%_!é日-]{0,4}(\\*|\\?)?[ab.-]{0,3}";
    let result = TestRunner::new(config).run(&pattern, |text| runtime.block_on(check(&db, &names, &text)));
    if let Err(error) = result {
        panic!("{error}");
    }
}

#[tokio::test]
async fn very_many_results_are_not_counted_and_very_wide_patterns_are_refused() {
    let (_scratch, db) = with_files(&[]).await;
    write_many(&db, 50_001).await;
    for (pattern, total) in [
        ("*ile*", MOST_RESULTS),
        ("f*", MOST_RESULTS),
        ("f*1.jar", 5_001),
        ("*-5000?.jar", 2),
        ("file-7.jar", 1),
        ("*nothing*", 0),
        ("g*", 0),
    ] {
        let SearchOutcome::Found(found) = search(&db, pattern, 0).await else { panic!("`{pattern}` is too wide") };
        assert_eq!(found.total, total, "{pattern}");
        assert_eq!(found.items.len() as i64, total.min(50), "{pattern}");
    }
    let newest_first = "file-50001.jar file-50000.jar file-5000.jar";
    assert_eq!(shown(search(&db, "*-5000*", 0).await), newest_first);
    assert_eq!(shown(search(&db, "*.jar", 9_998).await), "file-40003.jar file-40002.jar");
    assert_eq!(shown(search(&db, "*.jar", 10_000).await), "");
    for pattern in ["*", "?", "*a*", "*le?", "?i*"] {
        assert!(matches!(search(&db, pattern, 0).await, SearchOutcome::TooWide), "{pattern}");
    }
    assert!(is_found_by_beginning(&db, "file-?????????.jar").await, "many begin so, but none seem to fit");
    assert!(!is_found_by_beginning(&db, "file-*1.jar").await, "many fit");
    run(&db, "DELETE FROM files WHERE id = 50001").await;
    assert_eq!(shown(search(&db, "*-5000?.jar", 0).await), "file-50000.jar", "an index forgets what is gone");
    assert!(matches!(search(&db, "?", 0).await, SearchOutcome::Found(_)), "so many are looked at one by one");
}

#[tokio::test]
async fn a_common_pattern_in_a_large_repository_reads_the_newest_files_of_that_repository() {
    let (_scratch, db) = with_files(&[]).await;
    write_many(&db, 50_001).await;
    let owner = SubjectName::parse("ada").ok();
    let scope = SearchScope { owner, repo: RepoName::parse("tools").ok(), ..SearchScope::default() };
    for (pattern, is_newest) in [("*.jar", true), ("*nothing-has-this*", false)] {
        let query =
            FileQuery { name: Wildcard::parse(pattern).expect("short"), scope: scope.clone(), ..FileQuery::default() };
        let begun = Search::new(&db, &query, ANYONE).await.expect("begun");
        let chosen = CandidateFiles::choose(&db, &begun).await.expect("chosen");
        assert_eq!(matches!(chosen, Some(CandidateFiles::Newest(_))), is_newest, "{pattern}: {chosen:?}");
        let found = find(&db, &query, ANYONE, PageRequest { start: 0, limit: 2 }).await.expect("found");
        assert_eq!(shown(found), if is_newest { "file-50001.jar file-50000.jar" } else { "" });
    }
}

#[tokio::test]
async fn a_search_makes_the_index_learn_every_name_that_was_written_before_it() {
    let names: Vec<String> = (1..=250).map(|n| format!("name-{n}.jar")).collect();
    let (_scratch, db) = with_files(&names).await;
    assert_eq!(count_by_index(&db, "*ame-*").await, db.per_engine(0, 250));
    run(&db, "DELETE FROM files WHERE id = 1").await;
    let SearchOutcome::Found(found) = search(&db, "*ame-*", 0).await else { panic!("there are few files") };
    assert_eq!(found.total, 249);
    assert_eq!(count_by_index(&db, "*ame-*").await, 249);
    run(&db, "DELETE FROM files WHERE id = 2").await;
    file_names::index_new(&db).await.expect("learned");
    assert_eq!(count_by_index(&db, "*ame-*").await, 248);
}

/// Counts the files in the index of names that match a pattern.
async fn count_by_index(db: &Database, pattern: &str) -> usize {
    let pattern = Wildcard::parse(pattern).expect("short").expect("not empty");
    let query = FileQuery { name: Some(pattern.clone()), ..FileQuery::default() };
    let begun = Search::new(db, &query, ANYONE).await.expect("begun");
    let mut sources = sources(db, &pattern).await.into_iter();
    let by_index = sources.find(|source| matches!(source, CandidateFiles::Holding(_))).expect("a run of letters");
    db.all::<i64>(begun.hits(db, &by_index)).await.expect("found").len()
}

/// Returns names that random patterns have a chance to match.
fn names() -> Vec<String> {
    let letters = ["a", "b", "A", ".", "-", "_", "%", "!", "é", "日", "ß", "ab", "aba", "b.a"];
    let mut names: BTreeSet<String> = BTreeSet::new();
    let mut number: usize = 1;
    while names.len() < 400 {
        let mut rest = number.wrapping_mul(2_654_435_761) % 1_000_000_007;
        let mut name = String::new();
        for _ in 0..2 + number % 5 {
            name += letters[rest % letters.len()];
            rest /= letters.len();
        }
        names.extend(FilePath::parse(&name).is_ok().then_some(name));
        number += 1;
    }
    names.into_iter().collect()
}

async fn check(db: &Database, names: &[String], text: &str) -> std::result::Result<(), TestCaseError> {
    let pattern = Wildcard::parse(text).expect("short").expect("not empty");
    let fitting = (1..).zip(names).filter(|(_, name)| pattern.matches(name)).map(|(id, name)| (id, name.as_str()));
    let newest_first: Vec<(i64, &str)> = fitting.collect::<Vec<_>>().into_iter().rev().collect();
    let expected: Vec<i64> = newest_first.iter().map(|(id, _)| *id).collect();
    let query = FileQuery { name: Some(pattern.clone()), ..FileQuery::default() };
    let begun = Search::new(db, &query, ANYONE).await.expect("begun");
    for source in sources(db, &pattern).await {
        let found: Vec<i64> = db.all(begun.hits(db, &source)).await.expect("found");
        prop_assert_eq!(&found, &expected, "`{}` by {:?}", text, source);
    }
    let SearchOutcome::Found(found) = search(db, text, 0).await else {
        return Err(TestCaseError::fail("there are few files"));
    };
    prop_assert_eq!(found.total, expected.len() as i64);
    let shown: Vec<&str> = found.items.iter().map(|file| file.path.file_name()).collect();
    let expected: Vec<&str> = newest_first.iter().take(50).map(|(_, name)| *name).collect();
    prop_assert_eq!(shown, expected, "`{}`", text);
    Ok(())
}

/// Returns every source that contains all files that match the pattern.
async fn sources(db: &Database, pattern: &Wildcard) -> Vec<CandidateFiles> {
    let mut sources = vec![CandidateFiles::Scope, CandidateFiles::All, CandidateFiles::Newest(vec![REPO])];
    if !pattern.beginning().is_empty() {
        sources.push(CandidateFiles::Beginning(NameRange::beginning_with(pattern.beginning())));
    }
    if pattern.runs().next().is_some() {
        let sample = NameSample::take(db).await.expect("taken");
        sources.push(CandidateFiles::Holding(sample.promise(pattern, None).triples));
    }
    sources
}

async fn search(db: &Database, pattern: &str, start: i64) -> SearchOutcome {
    let query = FileQuery { name: Wildcard::parse(pattern).expect("a pattern"), ..FileQuery::default() };
    find(db, &query, ANYONE, PageRequest { start, limit: 50 }).await.expect("found")
}

async fn is_found_by_beginning(db: &Database, pattern: &str) -> bool {
    let query = FileQuery { name: Wildcard::parse(pattern).expect("a pattern"), ..FileQuery::default() };
    let search = Search::new(db, &query, ANYONE).await.expect("begun");
    matches!(CandidateFiles::choose(db, &search).await.expect("chosen"), Some(CandidateFiles::Beginning(_)))
}

fn shown(outcome: SearchOutcome) -> String {
    let SearchOutcome::Found(found) = outcome else { panic!("it is too wide") };
    found.items.iter().map(|file| file.path.file_name()).collect::<Vec<_>>().join(" ")
}

/// Creates a database with published files with these names, whose ids count from 1.
async fn with_files(names: &[String]) -> (Scratch, Database) {
    let scratch = Scratch::create().await;
    let db = scratch.open().await;
    db.migrate(Timestamp::EPOCH).await.expect("migrated");
    run(&db, PARENTS).await;
    let written: Result<()> = db
        .write(|tx| {
            async move {
                for (id, name) in (1..).zip(names) {
                    let path = FilePath::parse(&format!("{id}/{name}")).expect("a path");
                    let content = FileContent { blob_id: BlobId::new(5), facts: None };
                    let (repo_id, package_id, version_id, created) =
                        (REPO, PackageId::new(3), VersionId::new(4), Timestamp::from_millis(id));
                    let is_published = true;
                    let new = NewFile {
                        id,
                        repo_id,
                        package_id,
                        version_id,
                        path,
                        content,
                        is_published,
                        begins_draft: false,
                        created,
                    };
                    files::insert(tx, &new).await?;
                }
                Ok(())
            }
            .scope_boxed()
        })
        .await;
    written.expect("written");
    (scratch, db)
}

async fn run(db: &Database, sql: &str) {
    let done: Result<()> = db.write(|tx| async move { tx.batch(sql).await }.scope_boxed()).await;
    done.expect(sql);
}

const PARENTS: &str = "
    INSERT INTO subjects (id, kind, name, folded_name, full_name, plan, is_site_admin, registered)
    VALUES (1, 'user', 'ada', 'ada', '', 'free', FALSE, 0);
    INSERT INTO repos (id, owner_id, name, folded_name, type, is_private, description, folded_description, labels,
        gpg_sign_metadata, gpg_sign_files, gpg_use_owner_key, package_count, created)
    VALUES (2, 1, 'tools', 'tools', 'generic', FALSE, '', '', '', FALSE, FALSE, FALSE, 1, 0);
    INSERT INTO packages (id, repo_id, name, folded_name, description, folded_description, labels, licenses,
        custom_licenses, public_download_numbers, rating_sum, rating_count, followers_count, last_ordinal, created,
        updated)
    VALUES (3, 2, 'cat', 'cat', '', '', '', '', '', FALSE, 0, 0, 0, 1, 0, 0);
    INSERT INTO versions (id, package_id, name, description, labels, github_use_tag_release_notes, published_files,
        ordinal, created, updated)
    VALUES (4, 3, '1.0', '', '', FALSE, 0, 1, 0, 0);
    INSERT INTO blobs (id, sha256, sha1, size, is_going)
    VALUES (5, '404cdd7bc109c432f8cc2443b45bcfe95980f5107215c645236e577929ac3e52',
        '7d5c2a2d6136fbf166211d5183bf66214a247f31', 4, FALSE);";

/// Adds published files named `file-1.jar` and so on, some thousands at once.
async fn write_many(db: &Database, count: u32) {
    const AT_ONCE: u32 = 5_000;
    for first in (1..=count).step_by(AT_ONCE as usize) {
        let last = count.min(first + AT_ONCE - 1);
        let sql = format!(
            "INSERT INTO files (id, repo_id, package_id, version_id, path, folded_name, published_blob_id, published,
                 is_listed, created)
             WITH RECURSIVE n (x) AS (SELECT {first} UNION ALL SELECT x + 1 FROM n WHERE x < {last})
             SELECT x, 2, 3, 4, x || '/file-' || x || '.jar', 'file-' || x || '.jar', 5, 0, FALSE, x FROM n"
        );
        run(db, &sql).await;
    }
    run(db, db.per_engine(file_names::LEARN_ALL, "SELECT 1")).await;
}
