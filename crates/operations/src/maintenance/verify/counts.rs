//! Compares stored counts with the rows that they count.

use database::maintenance::verify::{Count, published_files, stored_bytes};
use model::id::{RepoId, VersionId};

use crate::{House, Result, maintenance::verify::Finding};

/// The number of versions per page.
const PAGE: i64 = 500;

pub(super) async fn verify(house: &House, report: &mut impl FnMut(Finding)) -> Result<()> {
    let mut last = RepoId::NONE;
    while let Some((id, count)) = stored_bytes(&house.db, last).await? {
        last = id;
        miscounted("bytes", count).into_iter().for_each(&mut *report);
    }
    let mut last = VersionId::NONE;
    loop {
        let page = published_files(&house.db, last, PAGE).await?;
        let Some((end, _)) = page.last() else { return Ok(()) };
        last = *end;
        page.into_iter().filter_map(|(_, count)| miscounted("published files", count)).for_each(&mut *report);
    }
}

fn miscounted(what: &'static str, count: Count) -> Option<Finding> {
    let Count { name, kept, found } = count;
    (kept != found).then_some(Finding::Miscounted { what, name, kept, found })
}
