//! Uses of tokens. They are recorded in memory and written by a job, so that no request waits for the write.

use std::{
    collections::HashMap,
    mem,
    net::IpAddr,
    sync::{Mutex, PoisonError},
};

use database::{ScopedFutureExt, accounts::tokens};
use model::{id::TokenId, timestamp::Timestamp, token::TokenUse};

use crate::{Error, House, Result};

/// A use from the same address within this time is not recorded again.
const PAUSE_MS: i64 = 10_000;

/// The maximum number of tokens in memory; beyond it their uses are recorded again.
const TOKENS: usize = 10_000;

/// The last uses of tokens, and those that are not written yet.
#[derive(Debug, Default)]
pub(crate) struct TokenUses(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    last: HashMap<TokenId, (Timestamp, IpAddr)>,
    pending: HashMap<TokenId, TokenUse>,
}

impl TokenUses {
    /// Records a use in memory.
    pub(crate) fn record(&self, house: &House, id: TokenId, address: IpAddr, agent: Option<&str>) {
        let now = house.clock.now();
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_recent = |(at, from): &(Timestamp, IpAddr)| {
            *from == address && (0..PAUSE_MS).contains(&(now.millis() - at.millis()))
        };
        if state.last.get(&id).is_some_and(is_recent) {
            return;
        }
        if state.last.len() >= TOKENS {
            state.last.clear();
        }
        state.last.insert(id, (now, address));
        let last = TokenUse { at: now, address: address.to_canonical().to_string(), agent: agent.map(str::to_owned) };
        state.pending.insert(id, last);
    }

    /// Writes the uses that are not written yet. They are lost if that fails.
    pub(crate) async fn flush(&self, house: &House) -> Result<()> {
        let pending = mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner).pending);
        if pending.is_empty() {
            return Ok(());
        }
        // In the order of their ids, so that two nodes do not wait for each other.
        let mut uses: Vec<_> = pending.into_iter().collect();
        uses.sort_by_key(|(id, _)| *id);
        let uses = &uses;
        house
            .db
            .write(|tx| {
                async move {
                    for (id, last) in uses {
                        tokens::record_use(tx, *id, last).await?;
                    }
                    Ok::<_, Error>(())
                }
                .scope_boxed()
            })
            .await
    }
}
