//! The daily limit on the way through a request: charged once the caller is known, told in the answer's headers.

use std::sync::{Arc, OnceLock};

use axum::http::{HeaderMap, HeaderName, HeaderValue, request::Parts};
use operations::{
    Error, House, UserIdentity,
    accounts::query_limits::{self, DailyQuota, QuotaTarget},
};

use crate::{error::Result, path_names::PathNames};

const LIMIT: HeaderName = HeaderName::from_static("x-ratelimit-limit");
/// Tells what is left.
pub(crate) const REMAINING: HeaderName = HeaderName::from_static("x-ratelimit-remaining");

/// Where the caller's allowance waits for the answer. Empty for callers without a limit.
#[derive(Debug, Clone, Default)]
pub(crate) struct QuotaSlot(Arc<OnceLock<DailyQuota>>);

impl QuotaSlot {
    /// Tells the allowance in an answer.
    pub(crate) fn tell(&self, headers: &mut HeaderMap) {
        if let Some(allowance) = self.0.get() {
            tell(*allowance, headers);
        }
    }
}

/// Tells an allowance in an answer.
pub(crate) fn tell(allowance: DailyQuota, headers: &mut HeaderMap) {
    headers.insert(LIMIT, HeaderValue::from(allowance.limit));
    headers.insert(REMAINING, HeaderValue::from(allowance.remaining));
}

/// Counts the call for its caller, and refuses it when the day is used up.
pub(crate) async fn charge(house: &House, caller: &UserIdentity, parts: &mut Parts) -> Result<()> {
    let named = PathNames::of(parts).map(|path| (path.is_search(), path.named_subject()));
    let about = match &named {
        Some((true, _)) => QuotaTarget::Everyone,
        Some((false, Some(subject))) => QuotaTarget::Subject(subject),
        _ => QuotaTarget::Nobody,
    };
    let charged = query_limits::charge(house, caller, about).await;
    let allowance = match &charged {
        Ok(allowance) => *allowance,
        Err(Error::LimitReached { limit, .. }) => {
            Some(DailyQuota { limit: i64::try_from(*limit).unwrap_or(i64::MAX), remaining: 0 })
        }
        Err(_) => None,
    };
    if let (Some(slot), Some(allowance)) = (parts.extensions.get::<QuotaSlot>(), allowance) {
        // A request has one caller, so the slot is filled once.
        let _ = slot.0.set(allowance);
    }
    charged?;
    Ok(())
}
