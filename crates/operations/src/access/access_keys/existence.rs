//! Asks an external service whether a key still exists.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use database::{ScopedFutureExt, access::access_keys};
use model::{
    access_key::{AccessKey, ExistenceCheck},
    audit::NewAuditRecord,
    id::KeyId,
    subject::Subject,
    timestamp::Timestamp,
};
use reqwest::{Method, Request};

use crate::{Error, House, PresentedCredentials, Result, audit::record, outbound::encoded};

/// The time limit for an answer: the request that uses the key waits for it.
const TIMEOUT: Duration = Duration::from_secs(5);

/// The minimum time before a service that does not answer is asked again, even if the key's validity is shorter.
const SILENCE_SECS: i64 = 10;

/// The maximum number of cached keys; beyond it the cache is cleared and all are asked about again.
const KEYS: usize = 10_000;

/// The actor in the audit log when a key is removed by this check.
const ACTOR: &str = "(existence check)";

/// Cached answers about keys.
#[derive(Debug, Default)]
pub(crate) struct ExistenceChecks(Mutex<HashMap<KeyId, Arc<Asked>>>);

/// The cached answer about one key. A request that waits while another one asks uses that answer.
#[derive(Debug, Default)]
struct Asked {
    answers: AtomicU64,
    last: tokio::sync::Mutex<Option<Answer>>,
}

/// Whether the key exists, according to the last answer.
#[derive(Debug)]
struct Answer {
    exists: bool,
    holds_until: Timestamp,
    password_hash: String,
    check: ExistenceCheck,
}

impl ExistenceChecks {
    fn of(&self, key_id: KeyId) -> Arc<Asked> {
        let mut keys = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if keys.len() >= KEYS && !keys.contains_key(&key_id) {
            keys.clear();
        }
        keys.entry(key_id).or_default().clone()
    }

    fn release(&self, key_id: KeyId) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&key_id);
    }
}

/// Makes sure that a key whose password was right still exists. Returns until when it need not be asked about again;
/// `None` if the key has no check.
pub(crate) async fn confirm(
    house: &House,
    presented: PresentedCredentials<'_>,
    key: &AccessKey,
    owner: &Subject,
) -> Result<Option<Timestamp>> {
    let Some(check) = &key.terms.existence_check else { return Ok(None) };
    let asked = house.existence.of(key.id);
    let before = asked.answers.load(Ordering::Acquire);
    let mut last = asked.last.lock().await;
    let has_just_come = asked.answers.load(Ordering::Acquire) != before;
    let now = house.clock.now();
    let still_holds = |answer: &&Answer| answer.is_about(key, check) && (has_just_come || now < answer.holds_until);
    if let Some(answer) = last.as_ref().filter(still_holds) {
        return answer.outcome();
    }
    let username = format!("{}@{}", key.name, owner.name);
    let status = ask(house, check, &username, presented.password.expose()).await;
    if status == Some(404) {
        remove(house, presented, key, owner, check).await?;
    }
    let holds_secs = if status.is_some() { check.cache_for_secs } else { check.cache_for_secs.max(SILENCE_SECS) };
    let answer = last.insert(Answer {
        exists: status != Some(404),
        holds_until: Timestamp::from_millis(now.millis() + 1_000 * holds_secs),
        password_hash: key.password_hash.clone(),
        check: check.clone(),
    });
    asked.answers.fetch_add(1, Ordering::Release);
    answer.outcome()
}

impl Answer {
    fn outcome(&self) -> Result<Option<Timestamp>> {
        if self.exists { Ok(Some(self.holds_until)) } else { Err(Error::wrong_credentials()) }
    }

    fn is_about(&self, key: &AccessKey, check: &ExistenceCheck) -> bool {
        self.password_hash == key.password_hash && self.check == *check
    }
}

/// Returns the status of the answer from the URL, if one arrives.
async fn ask(house: &House, check: &ExistenceCheck, username: &str, password: &str) -> Option<u16> {
    let url = check.url.replace(":username", &encoded(username)).replace(":password", &encoded(password));
    let asked = async {
        let url = house.outgoing.check(&url)?;
        let mut request = Request::new(Method::GET, url);
        *request.timeout_mut() = Some(TIMEOUT);
        house.outgoing.send(request).await.map_err(|problem| problem.to_string())
    };
    match asked.await {
        Ok(reply) => Some(reply.status),
        Err(problem) => {
            tracing::warn!("existence check of access key `{username}` failed: {problem}");
            None
        }
    }
}

async fn remove(
    house: &House,
    presented: PresentedCredentials<'_>,
    key: &AccessKey,
    owner: &Subject,
    check: &ExistenceCheck,
) -> Result<()> {
    let log = &NewAuditRecord {
        at: house.clock.now(),
        actor: ACTOR.to_owned(),
        action: "access_key.delete",
        target: format!("{}/{}", owner.name, key.name),
        detail: "404".to_owned(),
        address: presented.address.to_string(),
        request_id: presented.request_id.to_owned(),
    };
    house.existence.release(key.id);
    house
        .db
        .write(|tx| {
            async move {
                if access_keys::delete_unless_changed(tx, key, &check.url).await? {
                    record(tx, log).await
                } else {
                    Ok(())
                }
            }
            .scope_boxed()
        })
        .await
}
