//! The indexes of a package, rebuilt in the transaction that changes it.

use database::Tx;
use model::{id::PackageId, repo::Repo, timestamp::Timestamp};

use crate::{House, Result};

/// Rebuilds all indexes of a package.
pub(crate) async fn rebuild(
    _tx: &mut Tx,
    _house: &House,
    _repo: &Repo,
    _package_id: PackageId,
    _now: Timestamp,
) -> Result<()> {
    Ok(())
}
