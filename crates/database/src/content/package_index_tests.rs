//! Rows that indexes of packages are made of, on both engines.

use model::{
    file_path::FilePath,
    id::{BlobId, PackageId, RepoId, VersionId},
    prefix::NameRange,
    timestamp::Timestamp,
};

use crate::{
    Database, Result, ScopedFutureExt,
    catalogue::latest_versions,
    content::{
        content_facts,
        derived_files::{self, NewIndex},
        package_files::{self, ALL},
        spent_names,
    },
    testing::scratch::Scratch,
};

const REPO: RepoId = RepoId::new(1);
const CAT: PackageId = PackageId::new(1);

/// The package `cat` with a published and a staged version, and the empty package `dog`.
const ROWS: &str = "
    INSERT INTO subjects (id, kind, name, folded_name, full_name, plan, is_site_admin, registered)
    VALUES (1, 'user', 'ada', 'ada', '', 'free', FALSE, 0);
    INSERT INTO repos (id, owner_id, name, folded_name, type, is_private, description, folded_description, labels,
        gpg_sign_metadata, gpg_sign_files, gpg_use_owner_key, package_count, created)
    VALUES (1, 1, 'tools', 'tools', 'npm', FALSE, '', '', '', FALSE, FALSE, FALSE, 2, 0);
    INSERT INTO packages (id, repo_id, name, folded_name, description, folded_description, labels, licenses,
        custom_licenses, public_download_numbers, rating_sum, rating_count, followers_count, last_ordinal, created, updated)
    VALUES (1, 1, 'cat', 'cat', '', '', '', '', '', FALSE, 0, 0, 0, 2, 0, 0),
        (2, 1, 'dog', 'dog', '', '', '', '', '', FALSE, 0, 0, 0, 0, 0, 0);
    INSERT INTO versions (id, package_id, name, description, labels, github_use_tag_release_notes, published_files,
        first_published, ordinal, created, updated)
    VALUES (1, 1, '1.0', '', '', FALSE, 2, 5, 1, 0, 0), (2, 1, '2.0', '', '', FALSE, 0, NULL, 2, 0, 0);
    INSERT INTO blobs (id, sha256, sha1, sha512, size, is_going)
    VALUES (1, '0000000000000000000000000000000000000000000000000000000000000001', 'one', 'long', 3, FALSE),
        (2, '0000000000000000000000000000000000000000000000000000000000000002', 'two', NULL, 4, FALSE);
    INSERT INTO files (id, repo_id, package_id, version_id, path, folded_name, published_blob_id, published, is_listed, created)
    VALUES (1, 1, 1, 1, 'a/1', '1', 1, 5, FALSE, 0), (2, 1, 1, 1, 'b/2', '2', 2, 6, FALSE, 0);
    INSERT INTO files (id, repo_id, package_id, version_id, path, folded_name, staged_blob_id, is_listed, created)
    VALUES (3, 1, 1, 2, 'a/3', '3', 1, FALSE, 0);";

async fn start() -> (Scratch, Database) {
    let scratch = Scratch::create().await;
    let db = scratch.open().await;
    db.migrate(Timestamp::EPOCH).await.expect("a fresh database takes the schema");
    batch(&db, ROWS).await;
    for (blob, format, about) in [(1, "npm", &b"facts"[..]), (2, "pypi", b"other")] {
        let blob = BlobId::new(blob);
        let stored: Result<()> = db.write(|tx| content_facts::insert(tx, blob, format, about).scope_boxed()).await;
        stored.expect("stored");
    }
    (scratch, db)
}

async fn batch(db: &Database, sql: &'static str) {
    let written: Result<()> = db.write(|tx| tx.batch(sql).scope_boxed()).await;
    written.expect("it runs");
}

fn path(text: &str) -> FilePath {
    FilePath::parse(text).expect("a path")
}

#[tokio::test]
async fn a_package_has_its_published_files_with_the_facts_of_one_format() {
    let (_scratch, db) = start().await;
    let size = package_files::measure(&db, CAT, "npm", &ALL).await.expect("measured");
    assert_eq!((size.files, size.about_bytes), (2, 5));
    let empty = package_files::measure(&db, PackageId::new(2), "npm", &ALL).await.expect("measured");
    assert_eq!((empty.files, empty.about_bytes), (0, 0));
    let files = package_files::list(&db, CAT, "npm", &ALL).await.expect("read");
    let shown: Vec<_> = files.iter().map(|file| (file.path.as_str(), file.about.as_deref(), file.size)).collect();
    assert_eq!(shown, [("a/1", Some(&b"facts"[..]), 3), ("b/2", None, 4)]);
    let later = &(2..=9);
    assert!(package_files::list(&db, CAT, "npm", later).await.expect("read").is_empty());
    assert_eq!(package_files::measure(&db, CAT, "npm", later).await.expect("measured").files, 0);
    let versions = package_files::list_versions(&db, CAT, &ALL).await.expect("read");
    assert_eq!(versions.iter().map(|version| version.name.as_str()).collect::<Vec<_>>(), ["1.0"]);
    let missing = package_files::list_uninspected(&db, CAT, "npm", "").await.expect("read");
    assert_eq!(missing.iter().map(|(path, _)| path.as_str()).collect::<Vec<_>>(), ["b/2"]);
    assert!(package_files::list_uninspected(&db, CAT, "npm", "b/2").await.expect("read").is_empty());
    for (folder, after, expected) in [("", "", 1), ("a/", "", 1), ("c/", "", 0), ("", "cat", 0)] {
        let range = NameRange::beginning_with(folder);
        let listed = package_files::list_packages(&db, REPO, &range, after).await.expect("read");
        assert_eq!(listed.len(), expected, "{folder} {after}");
    }
}

#[tokio::test]
async fn an_index_of_a_package_ends_with_it() {
    let (_scratch, db) = start().await;
    for (place, package, text) in [("i", Some(CAT), "one"), ("i", Some(CAT), "two"), ("j", None, "folder")] {
        let index = NewIndex { path: &path(place), content: text, framed: None };
        let stored: Result<()> =
            db.write(|tx| derived_files::insert(tx, REPO, package, index, Timestamp::EPOCH).scope_boxed()).await;
        stored.expect("stored");
    }
    let listed = derived_files::list_of_package(&db, CAT).await.expect("read");
    assert_eq!(listed, [("i".to_owned(), "two".to_owned())]);
    assert!(derived_files::exists(&db, REPO, &path("i")).await.expect("read"));
    batch(&db, "DELETE FROM files; DELETE FROM packages WHERE id = 1").await;
    assert!(!derived_files::exists(&db, REPO, &path("i")).await.expect("read"));
    assert!(derived_files::exists(&db, REPO, &path("j")).await.expect("read"));
}

#[tokio::test]
async fn the_latest_version_is_known_while_it_has_published_files() {
    let (_scratch, db) = start().await;
    let latest = async || latest_versions::find(&db, CAT).await.expect("read").map(|version| version.id);
    assert_eq!(latest().await, None);
    for (id, expected) in [(1, Some(VersionId::new(1))), (2, None), (9, None)] {
        let id = Some(VersionId::new(id));
        let set: Result<()> = db.write(|tx| latest_versions::set(tx, CAT, id).scope_boxed()).await;
        set.expect("set");
        assert_eq!(latest().await, expected);
    }
    let listed = latest_versions::list_of_packages(&db, &[CAT, PackageId::new(2)]).await.expect("read");
    assert_eq!(listed.into_iter().collect::<Vec<_>>(), [(CAT, VersionId::new(9))]);
}

#[tokio::test]
async fn a_name_is_taken_once_and_freed_only_for_its_version() {
    let (_scratch, db) = start().await;
    let take = async |name: &'static str, holder: &'static str, version: i64| {
        let version = VersionId::new(version);
        let taken: Result<bool> = db.write(|tx| spent_names::take(tx, REPO, name, holder, version).scope_boxed()).await;
        taken.expect("written")
    };
    assert!(take("a", "x", 1).await && take("b", "y", 2).await && take("c", "z", 9).await);
    assert!(!take("a", "y", 2).await);
    let state = async |name: &'static str| {
        let found = spent_names::find(&db, REPO, name).await.expect("read")?;
        Some((found.holder, found.has_version, found.is_published))
    };
    assert_eq!(state("a").await, Some(("x".into(), true, true)));
    assert_eq!(state("b").await, Some(("y".into(), true, false)));
    assert_eq!(state("c").await, Some(("z".into(), false, false)));
    let freed: Result<()> = db.write(|tx| spent_names::free_unpublished(tx, CAT).scope_boxed()).await;
    freed.expect("freed");
    assert!(state("a").await.is_some() && state("b").await.is_none() && state("c").await.is_some());
    let (mine, other) = (VersionId::new(1), VersionId::new(2));
    let freed: Result<()> = db.write(|tx| spent_names::free_name(tx, REPO, "a", other).scope_boxed()).await;
    freed.expect("nothing to free");
    assert!(state("a").await.is_some());
    let moved: Result<()> = db.write(|tx| spent_names::hand_over(tx, REPO, "a", other).scope_boxed()).await;
    moved.expect("moved");
    let freed: Result<()> = db.write(|tx| spent_names::free(tx, mine).scope_boxed()).await;
    freed.expect("nothing to free");
    assert_eq!(state("a").await, Some(("x".into(), true, false)));
}
