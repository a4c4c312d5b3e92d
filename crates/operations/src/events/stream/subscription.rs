//! A subscription to the events of a subject. It ends when the caller loses the right to it.

use std::collections::BTreeSet;

use database::{
    accounts::{api_keys, subjects, tokens},
    engine::epochs::Epoch,
    events,
};
use model::{names::SubjectName, subject::Subject, timestamp::Timestamp};

use crate::{
    Caller, Error, House, Result, UserIdentity,
    access::products,
    events::stream::{
        StreamCursor, StreamEvent, connections, stream_event,
        window::{KEYS, OverlapWindow, horizon, start_before},
    },
    ids,
};

/// The interval at which the lease of the connection is renewed.
const RENEW_EVERY_MS: i64 = 20_000;

/// A subscription to a subject's events.
#[derive(Debug)]
pub struct Subscription {
    connection_id: i64,
    caller: Caller,
    subject: Subject,
    /// The ids of the caller's keys: a difference means that the credentials were changed.
    key_ids: Vec<i64>,
    accounts: Epoch,
    renewed: Timestamp,
    window: OverlapWindow,
    position: StreamCursor,
    /// The events of this row up to the line were sent before.
    resumed: Option<StreamCursor>,
}

/// Subscribes to a subject, from now on or from a cursor.
#[boxed::future]
pub async fn open(
    house: &House,
    caller: &Caller,
    name: &SubjectName,
    from: Option<StreamCursor>,
) -> Result<Subscription> {
    let accounts = house.db.changes().accounts();
    let subject = products::manager(&house.db, caller, name).await?;
    let key_ids = key_ids(house, caller).await?;
    let connection_id = connections::enter(house, &subject).await?;
    let (window, position) = match from {
        None => begin_now(house, &subject).await?,
        Some(from) => (begin_at(house, &subject, from).await?, from),
    };
    Ok(Subscription {
        connection_id,
        caller: caller.clone(),
        subject,
        key_ids,
        accounts,
        renewed: house.clock.now(),
        window,
        position,
        resumed: from,
    })
}

/// Treats all existing events as sent.
async fn begin_now(house: &House, subject: &Subject) -> Result<(OverlapWindow, StreamCursor)> {
    let now = house.clock.now();
    let settled = horizon(now);
    let seen = list_between(house, subject, settled, i64::MAX).await?;
    let row = seen.last().copied().unwrap_or_else(|| ids::before(now));
    let window = OverlapWindow::open(settled, seen);
    let known = window.count_known(row, now);
    Ok((window, StreamCursor { row, line: 0, known }))
}

/// Treats the events before the cursor as sent, unless a late event was added: then the whole window is sent again, and
/// the subscriber recognizes repeated events by their ids.
async fn begin_at(house: &House, subject: &Subject, from: StreamCursor) -> Result<OverlapWindow> {
    let settled = start_before(from.row);
    let mut seen = list_between(house, subject, settled, from.row).await?;
    if from.known.is_none_or(|known| known == seen.len()) {
        // The row may contain more events.
        seen.remove(&from.row);
    } else {
        seen.clear();
    }
    Ok(OverlapWindow::open(settled, seen))
}

impl Subscription {
    /// The id of its connection, needed to close it.
    pub fn connection_id(&self) -> i64 {
        self.connection_id
    }

    /// The name of the subject.
    pub fn subject(&self) -> &SubjectName {
        &self.subject.name
    }

    /// The current cursor.
    pub fn position(&self) -> StreamCursor {
        self.position
    }

    /// Returns the next batch of new events; empty if nothing is new. `None` if the subscription has ended, because the
    /// caller lost the right to it or was too slow.
    #[boxed::future]
    pub async fn next(&mut self, house: &House) -> Result<Option<Vec<StreamEvent>>> {
        if !self.may_go_on(house).await? {
            return Ok(None);
        }
        loop {
            let page = list_ids(house, &self.subject, self.window.cursor()).await?;
            let new = self.window.take(&page, house.clock.now());
            let told = self.read(house, &new.ids).await?;
            if !told.is_empty() || new.is_all {
                return Ok(Some(told));
            }
        }
    }

    async fn read(&mut self, house: &House, ids: &[i64]) -> Result<Vec<StreamEvent>> {
        let mut all = Vec::new();
        for event in events::list(&house.db, ids).await? {
            let (row, known) = (event.id, self.window.count_known(event.id, house.clock.now()));
            let first = self.resumed.filter(|resumed| resumed.row == row).map_or(0, |resumed| resumed.line + 1);
            for (line, told) in stream_event::from_row(&self.subject.name, event).into_iter().enumerate().skip(first) {
                self.position = StreamCursor { row, line, known };
                all.push(StreamEvent { position: self.position, ..told });
            }
        }
        Ok(all)
    }

    async fn may_go_on(&mut self, house: &House) -> Result<bool> {
        let accounts = house.db.changes().accounts();
        if accounts != self.accounts {
            if !self.is_allowed(house).await? {
                return Ok(false);
            }
            self.accounts = accounts;
        }
        let now = house.clock.now();
        if now.millis() - self.renewed.millis() >= RENEW_EVERY_MS {
            self.renewed = now;
            return connections::renew(house, self.connection_id).await;
        }
        Ok(true)
    }

    /// Checks the caller's credentials and rights again after a change to accounts.
    async fn is_allowed(&self, house: &House) -> Result<bool> {
        match products::manager(&house.db, &self.caller, &self.subject.name).await {
            Ok(subject) => Ok(subject.id == self.subject.id && key_ids(house, &self.caller).await? == self.key_ids),
            Err(Error::NotFound { .. } | Error::Denied(_) | Error::Unauthenticated(_)) => Ok(false),
            Err(error) => Err(error),
        }
    }
}

async fn list_between(house: &House, subject: &Subject, mut after: i64, last: i64) -> Result<BTreeSet<i64>> {
    let mut found = BTreeSet::new();
    loop {
        let page = list_ids(house, subject, after).await?;
        found.extend(page.iter().copied().filter(|id| *id <= last));
        match page.last() {
            Some(end) if page.len() == KEYS && *end < last => after = *end,
            _ => return Ok(found),
        }
    }
}

async fn list_ids(house: &House, subject: &Subject, after: i64) -> Result<Vec<i64>> {
    Ok(events::list_ids(&house.db, subject.id, after, i64::try_from(KEYS).unwrap_or(i64::MAX)).await?)
}

async fn key_ids(house: &House, caller: &Caller) -> Result<Vec<i64>> {
    if let Some(user) = caller.user()
        && subjects::find_active(&house.db, user.id).await?.is_none()
    {
        return Ok(Vec::new());
    }
    match caller.user() {
        Some(UserIdentity { token: Some(token), .. }) => {
            let found = tokens::find_by_id(&house.db, token.id).await?.filter(|found| found.terms == token.terms);
            Ok(found.map(|found| found.id.get()).into_iter().collect())
        }
        Some(user) => Ok(api_keys::list_ids(&house.db, user.id).await?),
        None => Ok(Vec::new()),
    }
}
