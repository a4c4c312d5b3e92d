//! Webhooks of packages, with the methods and the retry schedule of their callbacks.

use crate::{
    id::{PackageId, RepoId, SubjectId},
    timestamp::Timestamp,
    webhook_event::WebhookEvents,
};

/// The request method of a callback.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Method {
    /// The payload is the body.
    #[default]
    Post,
    /// The payload is the body, too.
    Put,
    /// The payload is in the query.
    Get,
}

impl Method {
    /// Every method.
    pub const ALL: [Method; 3] = [Method::Post, Method::Put, Method::Get];

    /// Returns the method with this name, in any letter case.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.as_str().eq_ignore_ascii_case(text))
    }

    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Method::Post => "post",
            Method::Put => "put",
            Method::Get => "get",
        }
    }
}

/// The wait in seconds after each failed attempt except the last.
const WAITS_SECS: [i64; 6] = [5, 60, 5 * 60, 30 * 60, 2 * 3_600, 6 * 3_600];

/// Returns the milliseconds until the next attempt of a delivery after this many attempts; `None` after the last one.
///
/// The random number shortens the wait by up to a fifth, so that a receiver that recovers does not get all deliveries
/// at once.
pub fn wait_ms(attempts: i64, random: u64) -> Option<i64> {
    let place = usize::try_from(attempts.checked_sub(1)?).ok()?;
    let longest = WAITS_SECS.get(place)? * 1_000;
    let off = random % (longest / 5 + 1).unsigned_abs();
    Some(longest.saturating_sub_unsigned(off))
}

/// A webhook.
#[derive(Debug, Clone)]
pub struct Webhook {
    /// Its database id.
    pub id: i64,
    /// The id of the repository.
    pub repo_id: RepoId,
    /// The id of the package.
    pub package_id: PackageId,
    /// The id of the user who registered it.
    pub user_id: SubjectId,
    /// The URL, as registered.
    pub url: String,
    /// The HTTP method.
    pub method: Method,
    /// The events that it subscribes to.
    pub events: WebhookEvents,
    /// The MAC of the package's name, made with the user's API key; sealed.
    pub sealed_mac: String,
    /// The secret that signs callbacks, sealed.
    pub sealed_secret: String,
    /// The number of consecutive failed callbacks.
    pub failure_count: i64,
    /// Whether it is active.
    pub is_active: bool,
    /// When it was first registered.
    pub created: Timestamp,
}

/// A webhook in a list.
#[derive(Debug, Clone)]
pub struct WebhookListItem {
    /// The package's name.
    pub package: String,
    /// The URL, as registered.
    pub url: String,
    /// The HTTP method.
    pub method: String,
    /// The number of consecutive failed callbacks.
    pub failure_count: i64,
    /// Whether it is active.
    pub is_active: bool,
    /// The names of the events that it subscribes to, separated by commas.
    pub events: String,
}

impl WebhookListItem {
    /// Returns the names of the events that it subscribes to.
    pub fn event_names(&self) -> Vec<String> {
        self.events.split(',').map(str::to_owned).collect()
    }
}

/// The status of a webhook.
#[derive(Debug, Clone)]
pub struct WebhookStatus {
    /// The number of consecutive failed callbacks.
    pub failure_count: i64,
    /// Whether it is active.
    pub is_active: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_method_reads_as_it_is_written() {
        for method in Method::ALL {
            assert_eq!(Method::parse(method.as_str()), Some(method));
            assert_eq!(Method::parse(&method.as_str().to_uppercase()), Some(method));
        }
        for bad in ["", "delete", "post ", "patch"] {
            assert_eq!(Method::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn an_event_is_tried_seven_times() {
        let waits: Vec<Option<i64>> = (0..9).map(|attempts| wait_ms(attempts, 0)).collect();
        let seconds = |seconds: i64| Some(seconds * 1_000);
        assert_eq!(waits[0], None);
        assert_eq!(waits[1..7], [5, 60, 300, 1_800, 7_200, 21_600].map(seconds));
        assert_eq!(waits[7..], [None, None]);
        assert_eq!((wait_ms(i64::MIN, 1), wait_ms(i64::MAX, 1)), (None, None));
    }

    #[test]
    fn chance_takes_off_a_fifth_at_most() {
        for random in [1, 999, 1_000, 1_001, 123_456_789, u64::MAX] {
            for (attempts, longest) in (1..).zip(WAITS_SECS) {
                let wait = wait_ms(attempts, random).expect("it is tried again");
                assert!((longest * 800..=longest * 1_000).contains(&wait), "{attempts}: {wait}");
            }
        }
        assert_eq!((wait_ms(1, 1_000), wait_ms(1, 1_001)), (Some(4_000), Some(5_000)));
    }
}
