//! Downloads with access keys: counted like all downloads, and charged to the quota of keys that have one.

use std::collections::BTreeMap;

use database::{
    ScopedFutureExt, Tx,
    access::{access_key_downloads, access_key_transfers},
};
use model::{access_key::AccessKeyUsage, download_quota::PaidContent, id::KeyId, timestamp::Timestamp};
use tokio::sync::{Mutex, MutexGuard};

use crate::{AccessKeyIdentity, Error, House, Result, downloads::CompletedDownload};

/// The time after which the unsent remainder of a download expires. Until then, the client may resume it.
const EXPIRY_MS: i64 = 30 * 24 * 60 * 60 * 1_000;

/// The usage of access keys to be written, in the same order on every node.
#[derive(Debug, Default)]
pub(super) struct KeyUsageBatch {
    usage: BTreeMap<KeyId, AccessKeyUsage>,
    /// Bytes that were charged but not sent, by key and content.
    given_back: BTreeMap<(KeyId, PaidContent), i64>,
}

/// A transfer to charge to a key with a download quota.
#[derive(Debug, Clone, Copy)]
pub struct Taking {
    /// The content.
    pub content: PaidContent,
    /// The number of bytes to send.
    pub bytes: i64,
}

/// Serializes charges to the quota of a key. All of them would wait for the same row; waiting outside the database does
/// not block a connection.
#[derive(Debug, Default)]
pub(super) struct KeyQuotaLocks([Mutex<()>; 32]);

impl KeyQuotaLocks {
    async fn wait(&self, key_id: KeyId) -> MutexGuard<'_, ()> {
        let index = usize::try_from(key_id.get().unsigned_abs()).unwrap_or_default() % self.0.len();
        self.0[index].lock().await
    }
}

/// Charges bytes to the downloads of a key with a quota: to a download that is already paid but not completely sent, or
/// else to a new one. Bytes that are not sent are refunded. Must run to completion: after a cancellation, the caller
/// does not know whether anything was charged.
#[boxed::future]
pub async fn take(house: &House, key: &AccessKeyIdentity, taking: Taking) -> Result<()> {
    let _turn = house.counter.turns.wait(key.id).await;
    if try_take(house, key.id, taking).await? {
        return Ok(());
    }
    // A running flush may be writing refunds right now, so wait for it.
    drop(house.counter.writing.lock().await);
    if try_take(house, key.id, taking).await? {
        Ok(())
    } else {
        Err(Error::Denied(format!("The downloads of access key '{}' are used up", key.full_name())))
    }
}

/// Charges the bytes. Pending refunds are written in the same transaction, so that no download is refused because of
/// them.
async fn try_take(house: &House, key_id: KeyId, taking: Taking) -> Result<bool> {
    let (given_back, now) = (house.counter.take_given_back(key_id), house.clock.now());
    let (before, Taking { content, bytes }) = (&given_back, taking);
    let taken = house
        .db
        .write(|tx| {
            async move {
                for (content, bytes) in before {
                    access_key_transfers::give_back(tx, key_id, *content, *bytes, now).await?;
                }
                access_key_transfers::take(tx, key_id, content, bytes, now).await
            }
            .scope_boxed()
        })
        .await;
    // If the outcome is unknown, the refunds count as written: a key may lose bytes, but never gains any.
    if matches!(&taken, Err(error) if !matches!(error, database::Error::Unanswered(_))) {
        house.counter.return_given_back(key_id, given_back);
    }
    Ok(taken?)
}

/// Deletes the remainders of downloads that were not resumed for a long time.
#[boxed::future]
pub async fn delete_expired(house: &House) -> Result<()> {
    let before = Timestamp::from_millis(house.clock.now().millis() - EXPIRY_MS);
    Ok(house.db.write(|tx| access_key_transfers::delete_old(tx, before).scope_boxed()).await?)
}

impl KeyUsageBatch {
    pub(super) fn is_empty(&self) -> bool {
        self.usage.is_empty() && self.given_back.is_empty()
    }

    pub(super) fn count(&mut self, delivered: &CompletedDownload) {
        if let Some(key_id) = delivered.key_id {
            let usage = AccessKeyUsage {
                downloads: 1,
                bytes: i64::try_from(delivered.bytes).unwrap_or(i64::MAX),
                last_used: delivered.at.millis(),
                last_address: delivered.address.to_string(),
            };
            self.add(key_id, usage);
        }
    }

    pub(super) fn give_back(&mut self, key_id: KeyId, content: PaidContent, bytes: i64) {
        *self.given_back.entry((key_id, content)).or_default() += bytes;
    }

    pub(super) fn take_given_back(&mut self, key_id: KeyId) -> Vec<(PaidContent, i64)> {
        let of_key: Vec<_> = self.given_back.extract_if(.., |(id, _), _| *id == key_id).collect();
        of_key.into_iter().map(|((_, content), bytes)| (content, bytes)).collect()
    }

    /// Drops the refunds, because they may already be written.
    pub(super) fn drop_given_back(&mut self) {
        self.given_back.clear();
    }

    /// Takes back a batch that was not written.
    pub(super) fn take_back(&mut self, other: KeyUsageBatch) {
        for (key_id, usage) in other.usage {
            self.add(key_id, usage);
        }
        for ((key_id, content), bytes) in other.given_back {
            self.give_back(key_id, content, bytes);
        }
    }

    pub(super) async fn write(&self, tx: &mut Tx, now: Timestamp) -> database::Result<()> {
        for ((key_id, content), bytes) in &self.given_back {
            access_key_transfers::give_back(tx, *key_id, *content, *bytes, now).await?;
        }
        for (key_id, usage) in &self.usage {
            access_key_downloads::add_usage(tx, *key_id, usage).await?;
        }
        Ok(())
    }

    fn add(&mut self, key_id: KeyId, new: AccessKeyUsage) {
        let Some(sum) = self.usage.get_mut(&key_id) else {
            self.usage.insert(key_id, new);
            return;
        };
        sum.downloads += new.downloads;
        sum.bytes = sum.bytes.saturating_add(new.bytes);
        if new.last_used >= sum.last_used {
            (sum.last_used, sum.last_address) = (new.last_used, new.last_address);
        }
    }
}
