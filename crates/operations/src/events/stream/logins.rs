//! Records logins to accounts that have a subscriber.
//!
//! Every call presents credentials, so each combination of account, address and outcome is recorded once a minute, and
//! clients that try many addresses or names cannot fill the database. If several nodes see the same login, only the
//! first one to write it records the event.

use std::{
    collections::{HashMap, HashSet},
    mem,
    net::IpAddr,
    sync::{Mutex, PoisonError},
};

use database::{Tx, events};
use model::{
    event::{Event, EventKind},
    id::SubjectId,
    timestamp::Timestamp,
};

use crate::{Error, House, PresentedCredentials, Principal, Result, ids};

const MINUTE_MS: i64 = 60_000;

/// The maximum number of logins that a node records per minute, for one subject and outcome.
const PER_MINUTE: usize = 60;

/// The maximum number of logins waiting to be flushed.
const PENDING: usize = 10_000;

/// The maximum number of characters of a name: no account has a longer one.
const NAME_CHARACTERS: usize = 250;

/// Logins that are not flushed yet, and those that need no further record in this minute.
#[derive(Debug, Default)]
pub(crate) struct LoginBatch(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    minute: i64,
    /// The logins recorded in this minute, by subject and by whether the credentials were right.
    told: HashMap<(SubjectId, bool), HashSet<(String, IpAddr)>>,
    pending: Vec<Login>,
}

#[derive(Debug)]
struct Login {
    subject_id: SubjectId,
    at: Timestamp,
    is_right: bool,
    name: String,
    address: IpAddr,
    agent: Option<String>,
}

impl LoginBatch {
    /// Records presented credentials and their outcome in memory.
    pub(crate) async fn record(&self, house: &House, presented: PresentedCredentials<'_>, outcome: &Result<Principal>) {
        let is_right = match outcome {
            Ok(_) => true,
            Err(Error::Unauthenticated(_) | Error::Denied(_)) => false,
            // The check failed, so it is unknown whether they were right.
            Err(_) => return,
        };
        if let Err(error) = house.followed.catch_up(house).await {
            tracing::warn!("reading the subscriptions failed: {error}");
        }
        let name = match (presented.name, outcome) {
            (Some(name), _) => name,
            // A key alone names its user when it is right.
            (None, Ok(Principal::User(user))) => user.name.as_str(),
            (None, _) => return,
        };
        let owner = name.rsplit_once('@').map_or(name, |(_, owner)| owner);
        let Some(subject_id) = house.followed.find(owner) else { return };
        let login = Login {
            subject_id,
            at: house.clock.now(),
            is_right,
            name: name.chars().take(NAME_CHARACTERS).collect(),
            address: presented.address,
            agent: presented.agent.map(str::to_owned),
        };
        self.0.lock().unwrap_or_else(PoisonError::into_inner).add(login);
    }

    /// Takes the logins to be flushed, as events.
    pub(crate) fn take(&self, house: &House) -> Vec<Event> {
        let pending = mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner).pending);
        pending.into_iter().map(|login| login.into_event(house.next_id())).collect()
    }
}

/// Inserts a login, unless another node has recorded it in the same minute.
pub(crate) async fn write(tx: &mut Tx, login: &Event) -> database::Result<()> {
    let start = Timestamp::from_millis(minute(login.at) * MINUTE_MS);
    if events::was_recorded(tx, login, ids::before(start)).await? { Ok(()) } else { events::insert(tx, login).await }
}

fn minute(at: Timestamp) -> i64 {
    at.millis().div_euclid(MINUTE_MS)
}

impl State {
    fn add(&mut self, login: Login) {
        let minute = minute(login.at);
        if self.minute != minute {
            self.told.clear();
            self.minute = minute;
        }
        let told = self.told.entry((login.subject_id, login.is_right)).or_default();
        let is_new = told.len() < PER_MINUTE && told.insert((login.name.clone(), login.address));
        if is_new && self.pending.len() < PENDING {
            self.pending.push(login);
        }
    }
}

impl Login {
    fn into_event(self, id: i64) -> Event {
        Event {
            id,
            subject_id: self.subject_id,
            at: self.at,
            kind: if self.is_right { EventKind::LoginSuccess } else { EventKind::LoginFailure },
            repo: String::new(),
            package: String::new(),
            version: String::new(),
            path: None,
            actor: self.name,
            address: self.address.to_string(),
            agent: self.agent,
            detail: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    fn login(is_right: bool, minute: i64, host: u32) -> Login {
        Login {
            subject_id: SubjectId::new(1),
            at: Timestamp::from_millis(minute * 60_000),
            is_right,
            name: "ada".into(),
            address: Ipv4Addr::from_bits(host).into(),
            agent: None,
        }
    }

    #[test]
    fn an_address_is_told_once_a_minute() {
        let mut state = State::default();
        for minute in [5, 5, 5, 6, 6] {
            state.add(login(true, minute, 1));
        }
        assert_eq!(state.pending.len(), 2);
    }

    #[test]
    fn a_flood_of_failures_is_cut_and_hides_no_success() {
        let mut state = State::default();
        (0..100_000).for_each(|host| state.add(login(false, 5, host)));
        state.add(login(true, 5, 1));
        assert_eq!(state.pending.len(), PER_MINUTE + 1);
        assert_eq!(state.told.values().map(HashSet::len).sum::<usize>(), PER_MINUTE + 1);
    }
}
