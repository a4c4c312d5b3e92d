//! Which three characters of a pattern SQLite's index of file names is asked for.
//!
//! That index reads the whole list of every three characters that it is asked for, however short the others are. So it
//! is asked for the rarest only, and the names it promises are compared with the pattern.

use model::wildcard::Wildcard;

use crate::{
    Database, Read, Result,
    search_filter::phrase,
    statement::{Statement, sql},
};

/// The most triples that are looked at.
const LOOKED_AT: usize = 24;

/// How many triples are asked for at most.
const ASKED_FOR: usize = 3;

/// How much more often than the rarest another one may stand in names to be worth its list.
const WORTH: i64 = 16;

/// A question to the index that finds all names which the pattern fits, and not many others.
pub(crate) async fn question(db: &Database, name: &Wildcard) -> Result<String> {
    let triples = name.triples();
    let step = triples.len().div_ceil(LOOKED_AT).max(1);
    let newest: i64 = db.one(sql!("SELECT COALESCE(MAX(id), 0) FROM files")).await?.unwrap_or_default();
    let mut found = Vec::new();
    for (place, text) in triples.into_iter().step_by(step) {
        let text = phrase(&text);
        let rarity = rarity(db, &text, newest).await?;
        if rarity == i64::MAX {
            return Ok(text);
        }
        found.push(Triple { place, text, rarity });
    }
    found.sort_by_key(|triple| -triple.rarity);
    let chosen: Vec<String> = choose(found).into_iter().map(|triple| triple.text).collect();
    Ok(chosen.join(" AND "))
}

struct Triple {
    place: usize,
    text: String,
    rarity: i64,
}

/// How far back the hundreds of newest names reach that hold a text: the rarer it is, the farther.
async fn rarity(db: &Database, text: &str, newest: i64) -> Result<i64> {
    let sql = "SELECT rowid FROM files_search WHERE files_search MATCH $1 ORDER BY rowid DESC LIMIT 1 OFFSET 200";
    let id: Option<i64> = db.one(Statement::new(sql, vec![text.into()])).await?;
    Ok(id.map_or(i64::MAX, |id| newest.saturating_sub(id)))
}

/// The rarest first, and others that are not much more frequent and share no character with those before.
fn choose(rarest_first: Vec<Triple>) -> Vec<Triple> {
    let mut chosen: Vec<Triple> = Vec::new();
    for triple in rarest_first {
        let is_apart = chosen.iter().all(|other| other.place.abs_diff(triple.place) >= 3);
        let is_worth = chosen.first().is_none_or(|rarest| triple.rarity >= rarest.rarity / WORTH);
        if is_apart && is_worth && chosen.len() < ASKED_FOR {
            chosen.push(triple);
        }
    }
    chosen
}
