//! The daily limit on the way through a request: charged once the caller is known, told in the answer's headers.

use std::sync::{Arc, OnceLock};

use axum::http::{HeaderMap, HeaderName, HeaderValue, request::Parts};
use operations::{
    Error, House, Identity,
    accounts::query_limits::{self, About, Allowance},
};

use crate::{error::Result, path_names::PathNames};

const LIMIT: HeaderName = HeaderName::from_static("x-ratelimit-limit");
/// Tells what is left.
pub(crate) const REMAINING: HeaderName = HeaderName::from_static("x-ratelimit-remaining");

/// Where the caller's allowance waits for the answer. Empty for callers without a limit.
#[derive(Debug, Clone, Default)]
pub(crate) struct Slot(Arc<OnceLock<Allowance>>);

impl Slot {
    /// Tells the allowance in an answer.
    pub(crate) fn tell(&self, headers: &mut HeaderMap) {
        if let Some(allowance) = self.0.get() {
            tell(*allowance, headers);
        }
    }
}

/// Tells an allowance in an answer.
pub(crate) fn tell(allowance: Allowance, headers: &mut HeaderMap) {
    headers.insert(LIMIT, HeaderValue::from(allowance.limit));
    headers.insert(REMAINING, HeaderValue::from(allowance.remaining));
}

/// Counts the call for its caller, and refuses it when the day is used up.
pub(crate) async fn charge(house: &House, caller: &Identity, parts: &mut Parts) -> Result<()> {
    let named = PathNames::of(parts).map(|path| (path.is_search(), path.named_subject()));
    let about = match &named {
        Some((true, _)) => About::Everyone,
        Some((false, Some(subject))) => About::Subject(subject),
        _ => About::Nobody,
    };
    let charged = query_limits::charge(house, caller, about).await;
    let allowance = match &charged {
        Ok(allowance) => *allowance,
        Err(Error::LimitReached { limit, .. }) => {
            Some(Allowance { limit: i64::try_from(*limit).unwrap_or(i64::MAX), remaining: 0 })
        }
        Err(_) => None,
    };
    if let (Some(slot), Some(allowance)) = (parts.extensions.get::<Slot>(), allowance) {
        // A request has one caller, so the slot is filled once.
        let _ = slot.0.set(allowance);
    }
    charged?;
    Ok(())
}
