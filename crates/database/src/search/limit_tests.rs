//! Searches for words that match more packages than are ranked.

use model::{
    access::Viewer,
    id::PackageId,
    names::PackageName,
    package::{Package, PackageProfile},
    page::PageRequest,
    search::{SearchOrder, SearchScope, SearchTerms},
    search_words::SearchWords,
};

use crate::{
    Database, ScopedFutureExt,
    catalogue::blocks::tests::{package, start},
    search::{MOST_MATCHES, packages},
    testing::{
        bulk::{self, BulkPackage},
        scratch::Scratch,
    },
};

const ANYONE: Viewer = Viewer { id: None, sees_everything: false };
const FIRST: PageRequest = PageRequest { start: 0, limit: 3 };

/// The oldest packages have the best names; all others have the word in the middle of theirs.
async fn crowded() -> (Scratch, Database) {
    let (scratch, db) = start(&[]).await;
    let names = ["tool", "tools", "old"].into_iter().map(str::to_owned);
    let names = names.chain((0..MOST_MATCHES + 5).map(|number| format!("a-tool-{number:04}")));
    let loaded: Vec<BulkPackage> = names.zip(1..).map(|(name, id)| loaded(&name, id)).collect();
    for part in loaded.chunks(20) {
        db.write(|tx| bulk::insert(tx, part).scope_boxed()).await.expect("written");
    }
    (scratch, db)
}

fn loaded(name: &str, id: i64) -> BulkPackage {
    let profile = PackageProfile {
        description: if name == "old" { "a tool".to_owned() } else { String::new() },
        licenses: vec![if id % 2 == 0 { "MIT" } else { "ISC" }.to_owned()],
        ..PackageProfile::default()
    };
    let (id, parsed) = (PackageId::new(id), PackageName::parse(name).expect("a name"));
    BulkPackage {
        package: Package { id, name: parsed, profile, ..package(name) },
        versions: vec![],
        attributes: vec![],
    }
}

fn words(text: &str) -> SearchTerms {
    SearchTerms { words: SearchWords::parse(text).expect("words"), ..SearchTerms::default() }
}

#[tokio::test]
async fn the_best_names_are_found_among_very_many_matches() {
    let (_scratch, db) = crowded().await;
    let found = packages::find(&db, &words("tool"), &SearchScope::default(), ANYONE, FIRST).await.expect("found");
    let names: Vec<&str> = found.items.iter().map(|package| package.name.as_str()).collect();
    assert_eq!(names, ["tool", "tools", "a-tool-0005"], "the oldest matches with other names are left out");
    assert_eq!(found.total, i64::try_from(MOST_MATCHES).expect("few"));
    let last = PageRequest { start: found.total, limit: 3 };
    let past = packages::find(&db, &words("tool"), &SearchScope::default(), ANYONE, last).await.expect("found");
    assert!(past.items.is_empty(), "{past:?}");
}

#[tokio::test]
async fn a_rare_word_is_found_wherever_it_is() {
    let (_scratch, db) = crowded().await;
    let found = packages::find(&db, &words("old"), &SearchScope::default(), ANYONE, FIRST).await.expect("found");
    assert_eq!((found.items.len(), found.total), (1, 1));
}

#[tokio::test]
async fn a_filter_leaves_older_matches_than_the_newest_ones() {
    let (_scratch, db) = crowded().await;
    let scope = SearchScope { license: Some("MIT".to_owned()), ..SearchScope::default() };
    let terms = SearchTerms { order: SearchOrder::Name, ..words("tool") };
    let (found, facets) = packages::find_with_facets(&db, &terms, &scope, ANYONE, FIRST).await.expect("found");
    assert_eq!(found.items[0].name.as_str(), "a-tool-0000", "it is not among the newest");
    assert_eq!(found.total, 254);
    let licenses: Vec<(&str, u64)> = facets.licenses.iter().map(|facet| (facet.value.as_str(), facet.count)).collect();
    assert_eq!(licenses, [("ISC", 251), ("MIT", 251)], "the newest matches and two names");
}
