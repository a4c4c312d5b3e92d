//! Estimates the number of files that match a pattern from a sample of file names.
//!
//! A trigram index costs as much as the posting lists that it has to read. So queries use few trigrams, and those that
//! are rare in the sample; the names found are compared with the pattern anyway.

use model::{id::RepoId, wildcard::Wildcard};

use crate::{
    Database, Result,
    engine::{row::row, statement::Statement},
};

/// The number of positions from which names are sampled, spread evenly over the time of all uploads, and the number of
/// names at each.
const PLACES: i64 = 16;
const NAMES: i64 = 32;

/// The maximum number of trigrams in a query to the index.
const ASKED_FOR: usize = 6;

/// How much more it costs to read a file than to skip it in a posting list of the index.
const LOOK: f64 = 100.0;

/// The estimate above which reading all files in order is better on PostgreSQL, which cannot read a trigram index in
/// that order.
const WORTH: f64 = 500.0;

/// The share of all files above which a pattern is common: as many as are read one by one among ten million.
const MANY: f64 = 0.005;

/// Names of some files.
pub(crate) struct NameSample(Vec<SampledRow>);

row! {
    /// A name, and about how many files there are, which matters on PostgreSQL alone.
    pub(crate) struct SampledRow { folded_name: String, repo_id: RepoId, files: i64 }
}

impl NameSample {
    /// Takes a sample.
    pub(crate) async fn take(db: &Database) -> Result<NameSample> {
        Ok(NameSample(db.all(names(db)).await?))
    }

    /// Estimates the matches of a pattern in these repositories, or in all.
    pub(crate) fn promise(&self, name: &Wildcard, repos: Option<&[RepoId]>) -> PatternEstimate {
        let is_in_scope = |row: &&&SampledRow| repos.is_none_or(|repos| repos.contains(&row.repo_id));
        let everywhere: Vec<&SampledRow> = self.0.iter().filter(|row| name.matches(&row.folded_name)).collect();
        let hits = everywhere.iter().filter(is_in_scope).count();
        let everywhere = self.share(everywhere.len());
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
        let triples = chosen.into_iter().map(|triple| triple.text).collect();
        let files = self.0.first().map_or(0, |row| row.files);
        PatternEstimate { has_hits, hits, everywhere, candidates, files, triples }
    }

    /// Converts a number of sampled files into a share of all files. Zero counts as half a file.
    fn share(&self, count: usize) -> f64 {
        (count as f64).max(0.5) / (self.0.len() as f64).max(1.0)
    }
}

/// Selects the names at the positions, and PostgreSQL's own estimate of the number of files.
pub(crate) fn names(db: &Database) -> Statement {
    let files = "(SELECT CAST(reltuples AS BIGINT) FROM pg_class WHERE oid = 'files'::regclass)";
    let files = db.per_engine("CAST(0 AS BIGINT)", files);
    let part = |place| {
        format!(
            "SELECT folded_name, repo_id, (SELECT files FROM bounds)
             FROM (SELECT folded_name, repo_id FROM files
                 WHERE id >= (SELECT first_id + {place} * (last_id - first_id) / {PLACES} FROM bounds)
                 ORDER BY id LIMIT {NAMES}) some_files"
        )
    };
    let parts: Vec<String> = (0..PLACES).map(part).collect();
    let text = format!(
        "WITH bounds (first_id, last_id, files) AS
             (SELECT (SELECT MIN(id) FROM files), (SELECT MAX(id) FROM files), {files})
         {}",
        parts.join(" UNION ALL ")
    );
    Statement::new(text, Vec::new())
}

struct Triple {
    place: usize,
    text: String,
    share: f64,
}

/// Chooses the trigrams that are worth reading their posting lists; the rarest come first. Trigrams that share
/// characters often occur together, so they are used only if no others are left.
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

/// The estimate for a pattern.
pub(crate) struct PatternEstimate {
    has_hits: bool,
    /// The share of all files that match the pattern in the scope.
    hits: f64,
    /// The share of all files that match the pattern anywhere.
    everywhere: f64,
    /// The share of all files that contain the trigrams.
    candidates: f64,
    /// The number of all files; zero on SQLite.
    files: i64,
    /// Trigrams that every matching name contains.
    pub(crate) triples: Vec<String>,
}

impl PatternEstimate {
    /// Returns whether no file of the sample matches the pattern.
    pub(crate) fn is_of_few(&self) -> bool {
        !self.has_hits
    }

    /// Returns whether so many files contain the trigrams that the files of some repositories are read sooner.
    pub(crate) fn is_of_many(&self) -> bool {
        self.everywhere.max(self.candidates) >= MANY
    }

    /// Returns whether reading all files, newest first, finds enough matches sooner than the index does.
    pub(crate) fn prefers_all_files(&self) -> bool {
        self.hits * self.candidates * self.files as f64 > WORTH
    }
}
