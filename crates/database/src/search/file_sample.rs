//! A sample of file names, and what it promises about a pattern.
//!
//! An index of three characters in a row costs what the lists cost that it is asked for. So it is asked for few, and for
//! those that the sample says are rare; the names it finds are compared with the pattern anyway.

use model::wildcard::Wildcard;

use crate::{
    Database, Read, Result,
    engine::{
        row::row,
        statement::{Statement, Value, sql},
    },
};

/// Places at which names are taken, evenly over the time of all uploads, and names of each.
const PLACES: i64 = 16;
const NAMES: i64 = 32;

/// The most triples that an index is asked for.
const ASKED_FOR: usize = 6;

/// How much more it costs to look at a file than to pass over it in a list of the index.
const LOOK: f64 = 100.0;

/// From how many files on, in a sense, reading all in their order is better on PostgreSQL, which cannot read an index
/// of triples in that order.
const WORTH: f64 = 500.0;

/// Names of some files.
pub(crate) struct NameSample(Vec<SampledRow>);

row! {
    pub(crate) struct SampledRow { folded_name: String, repo_id: i64 }
}

impl NameSample {
    /// Takes one.
    pub(crate) async fn take(db: &Database) -> Result<NameSample> {
        let first: Option<i64> = db.one(sql!("SELECT COALESCE(MIN(id), 0) FROM files")).await?;
        let last: Option<i64> = db.one(sql!("SELECT COALESCE(MAX(id), 0) FROM files")).await?;
        let (first, last) = (first.unwrap_or_default(), last.unwrap_or_default());
        let step = (last - first) / PLACES;
        let places: Vec<i64> = (0..PLACES).map(|place| first + place * step).collect();
        Ok(NameSample(db.all(names(&places)).await?))
    }

    /// What it promises about a pattern that is looked for in these repositories, or in all.
    pub(crate) fn promise(&self, name: &Wildcard, repos: Option<&[i64]>) -> PatternEstimate {
        let is_hit = |row: &&SampledRow| {
            repos.is_none_or(|repos| repos.contains(&row.repo_id)) && name.matches(&row.folded_name)
        };
        let hits = self.0.iter().filter(is_hit).count();
        let mut triples: Vec<Triple> = name
            .triples()
            .into_iter()
            .map(|(place, text)| {
                let share = self.share(self.0.iter().filter(|row| row.folded_name.contains(&text)).count());
                Triple { place, text, share }
            })
            .collect();
        triples.sort_by(|one, other| one.share.total_cmp(&other.share));
        let chosen = choose(triples);
        let candidates = chosen.iter().map(|triple| triple.share).product();
        let (has_hits, hits) = (hits > 0, self.share(hits));
        PatternEstimate { has_hits, hits, candidates, triples: chosen.into_iter().map(|triple| triple.text).collect() }
    }

    /// The part of all files that some of the sample stand for. None stand for half of one.
    fn share(&self, count: usize) -> f64 {
        (count as f64).max(0.5) / (self.0.len() as f64).max(1.0)
    }
}

/// The names at these places.
pub(crate) fn names(places: &[i64]) -> Statement {
    let part = |place: usize| {
        format!(
            "SELECT folded_name, repo_id
             FROM (SELECT folded_name, repo_id FROM files WHERE id >= ${place} ORDER BY id LIMIT {NAMES}) some_files"
        )
    };
    let parts: Vec<String> = (1..=places.len()).map(part).collect();
    Statement::new(parts.join(" UNION ALL "), places.iter().map(|place| Value::Int(*place)).collect())
}

struct Triple {
    place: usize,
    text: String,
    share: f64,
}

/// Of triples, the rarest first, those that are worth their lists. Triples that share characters often stand together,
/// so they are taken only when there are no others.
fn choose(rarest_first: Vec<Triple>) -> Vec<Triple> {
    let (mut chosen, mut left): (Vec<Triple>, Vec<Triple>) = (Vec::new(), Vec::new());
    let mut candidates = 1.0;
    for triple in rarest_first {
        let is_apart = chosen.iter().all(|other| other.place.abs_diff(triple.place) >= 3);
        if is_apart && triple.share < LOOK * candidates {
            candidates *= triple.share;
            chosen.push(triple);
        } else {
            left.push(triple);
        }
    }
    chosen.truncate(ASKED_FOR);
    let is_alone = chosen.len() == 1;
    chosen.extend(left.into_iter().filter(|triple| is_alone && triple.share < 0.5).take(1));
    chosen
}

/// What a sample says about a pattern.
pub(crate) struct PatternEstimate {
    has_hits: bool,
    /// The part of all files that the pattern fits.
    hits: f64,
    /// The part of all files that have the triples.
    candidates: f64,
    /// Three characters in a row, each of which every name has that the pattern fits.
    pub(crate) triples: Vec<String>,
}

impl PatternEstimate {
    /// Whether the sample has none that the pattern fits.
    pub(crate) fn is_of_few(&self) -> bool {
        !self.has_hits
    }

    /// Whether reading all files, newest first, finds enough that fit sooner than the index does.
    pub(crate) async fn is_kept_by_all(&self, db: &Database) -> Result<bool> {
        if db.per_engine(true, false) {
            return Ok(false);
        }
        let sql = "SELECT CAST(reltuples AS BIGINT) FROM pg_class WHERE oid = 'files'::regclass";
        let files: Option<i64> = db.one(Statement::new(sql, Vec::new())).await?;
        Ok(self.hits * self.candidates * files.unwrap_or_default() as f64 > WORTH)
    }
}
