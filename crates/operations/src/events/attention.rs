//! What waits for a user: versions to publish, and webhooks that fail.

use database::events::attention;
use model::attention::{FailingWebhook, StagedVersion};

use crate::{Caller, House, Result};

/// The most versions in the list.
const VERSIONS: i64 = 5;

/// The most webhooks in the list.
const WEBHOOKS: i64 = 3;

/// What waits for a user.
#[derive(Debug, Default)]
pub struct Attention {
    /// Versions with staged files, where the user may publish.
    pub staged: Vec<StagedVersion>,
    /// Webhooks of the user whose last callbacks failed.
    pub webhooks: Vec<FailingWebhook>,
}

/// Returns what waits for the caller. Nothing waits for a token, which has only a part of its owner's rights.
#[boxed::future]
pub async fn list(house: &House, caller: &Caller) -> Result<Attention> {
    let Some(user) = caller.user().filter(|user| user.token.is_none()) else { return Ok(Attention::default()) };
    Ok(Attention {
        staged: attention::list_staged(&house.db, user.id, VERSIONS).await?,
        webhooks: attention::list_failing(&house.db, user.id, WEBHOOKS).await?,
    })
}
