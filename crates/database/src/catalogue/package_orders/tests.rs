//! Lists of packages whose names begin with a rare and with a frequent prefix: both are complete and in the same order.

use std::cmp::Reverse;

use model::{
    access::Viewer,
    id::PackageId,
    names::PackageName,
    package::{Package, PackageProfile},
    package_order::{PackageCursor, PackageOrder},
    prefix::NameRange,
    timestamp::Timestamp,
};

use super::{OrderedPart, SeenDownloads, few::FEW_NAMES, list};
use crate::{
    Database, ScopedFutureExt,
    catalogue::blocks::tests::{REPO, package, start},
    engine::statement::sql,
    testing::{
        bulk::{self, BulkPackage},
        scratch::Scratch,
    },
};

const ANYONE: Viewer = Viewer { id: None, sees_everything: false };
const LICENSES: [&str; 3] = ["MIT", "Apache-2.0", ""];
/// Frequent names: one more than the list of a rare prefix reads.
const FREQUENT: i64 = FEW_NAMES.cast_signed() + 1;
const RARE: i64 = 120;
/// Packages with downloads, and how many they have.
const DOWNLOADED: [(i64, i64); 4] = [(5, 3), (6, 9), (FREQUENT + 5, 3), (FREQUENT + 6, 9)];

fn updated(id: i64) -> i64 {
    1_000 + id * 37 % 11
}

fn license(id: i64) -> &'static str {
    LICENSES[usize::try_from(id % 3).expect("small")]
}

fn name(id: i64) -> String {
    format!("{}-{:04}", if id <= FREQUENT { "frequent" } else { "rare" }, id * 7919 % 5_003)
}

fn loaded(id: i64) -> BulkPackage {
    let licenses = Some(license(id).to_owned()).filter(|license| !license.is_empty());
    let profile = PackageProfile { licenses: licenses.into_iter().collect(), ..PackageProfile::default() };
    let (name, updated) = (name(id), Timestamp::from_millis(updated(id)));
    let parsed = PackageName::parse(&name).expect("a name");
    BulkPackage {
        package: Package { id: PackageId::new(id), name: parsed, updated, profile, ..package(&name) },
        versions: vec![],
        attributes: vec![],
    }
}

async fn shelf() -> (Scratch, Database) {
    let (scratch, db) = start(&[]).await;
    let all: Vec<BulkPackage> = (1..=FREQUENT + RARE).map(loaded).collect();
    for part in all.chunks(20) {
        db.write(|tx| bulk::insert(tx, part).scope_boxed()).await.expect("written");
    }
    for (id, downloads) in DOWNLOADED {
        let insert = || {
            sql!(
                "INSERT INTO recent_downloads (package_id, repo_id, downloads) VALUES ($1, $2, $3)",
                PackageId::new(id),
                REPO,
                downloads,
            )
        };
        db.write(|tx| async { tx.run(insert()).await }.scope_boxed()).await.expect("written");
    }
    (scratch, db)
}

fn position(id: i64, order: PackageOrder) -> PackageCursor {
    match order {
        PackageOrder::Updated => PackageCursor::Updated(Reverse((updated(id), id))),
        PackageOrder::License => {
            let license = Some(license(id)).filter(|license| !license.is_empty()).unwrap_or("~");
            PackageCursor::License(license.to_owned(), id)
        }
        PackageOrder::Downloads => match DOWNLOADED.iter().find(|(downloaded, _)| *downloaded == id) {
            Some((_, downloads)) => PackageCursor::Downloads(Reverse((*downloads, id))),
            None => PackageCursor::Name(name(id)),
        },
    }
}

/// Walks through the pages of a list.
async fn walk(db: &Database, prefix: &str, order: PackageOrder) -> Vec<i64> {
    let (range, mut found, mut after) = (NameRange::beginning_with(prefix), Vec::new(), None);
    loop {
        let part = OrderedPart { repo_id: REPO, range: &range, order, after: after.as_ref(), limit: 50 };
        let page = list(db, part, ANYONE, SeenDownloads::All).await.expect("listed");
        let Some(last) = page.last() else { return found };
        after = Some(last.position.clone());
        found.extend(page.iter().map(|package| package.id.get()));
    }
}

#[tokio::test]
async fn rare_and_frequent_prefixes_have_complete_lists_in_each_order() {
    let (_scratch, db) = shelf().await;
    for (prefix, first, last) in [("frequent-", 1, FREQUENT), ("rare-", FREQUENT + 1, FREQUENT + RARE)] {
        for order in [PackageOrder::Updated, PackageOrder::License, PackageOrder::Downloads] {
            let mut expected: Vec<i64> = (first..=last).collect();
            expected.sort_by_key(|id| position(*id, order));
            assert_eq!(walk(&db, prefix, order).await, expected, "{prefix} {order:?}");
        }
    }
}
