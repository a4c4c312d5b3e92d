//! The daily quota of API calls: charged once the caller is known, reported in the response headers.

use std::sync::{Arc, OnceLock};

use axum::http::{HeaderMap, HeaderName, HeaderValue, request::Parts};
use operations::{
    Error, House, UserIdentity,
    accounts::query_limits::{self, DailyQuota, QuotaTarget},
};

use crate::{error::Result, path_names::PathNames};

const LIMIT: HeaderName = HeaderName::from_static("x-ratelimit-limit");
/// Reports the remaining calls.
pub const REMAINING: HeaderName = HeaderName::from_static("x-ratelimit-remaining");

/// Carries the caller's daily quota to the response. Empty for callers without a limit.
#[derive(Debug, Clone, Default)]
pub struct QuotaSlot(Arc<OnceLock<DailyQuota>>);

impl QuotaSlot {
    /// Writes the quota into the response headers.
    pub fn write_to(&self, headers: &mut HeaderMap) {
        if let Some(quota) = self.0.get() {
            write_headers(*quota, headers);
        }
    }
}

/// Writes a quota into the response headers.
pub fn write_headers(quota: DailyQuota, headers: &mut HeaderMap) {
    headers.insert(LIMIT, HeaderValue::from(quota.limit));
    headers.insert(REMAINING, HeaderValue::from(quota.remaining));
}

/// Counts the call for its caller, and rejects it if the daily quota is used up.
pub async fn charge(house: &House, caller: &UserIdentity, parts: &mut Parts) -> Result<()> {
    let named = PathNames::of(parts).map(|path| (path.is_search(), path.named_subject()));
    let target = match &named {
        Some((true, _)) => QuotaTarget::Everyone,
        Some((false, Some(subject))) => QuotaTarget::Subject(subject),
        _ => QuotaTarget::Nobody,
    };
    let charged = query_limits::charge(house, caller, target).await;
    let quota = match &charged {
        Ok(quota) => *quota,
        Err(Error::LimitReached { limit, .. }) => {
            Some(DailyQuota { limit: i64::try_from(*limit).unwrap_or(i64::MAX), remaining: 0 })
        }
        Err(_) => None,
    };
    if let (Some(slot), Some(quota)) = (parts.extensions.get::<QuotaSlot>(), quota) {
        // A request has one caller, so the slot is filled once.
        let _ = slot.0.set(quota);
    }
    charged?;
    Ok(())
}
