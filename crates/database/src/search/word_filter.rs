//! Filters for words that may be in any of a table's columns, and where to read the rows that match them, newest first.

use model::{search::SearchTerms, search_term::SearchTerm};

use crate::{
    Database,
    search::search_filter::{
        ESCAPE_ON_POSTGRES, ESCAPE_ON_SQLITE, SearchTable, escape, indexed_parts, is_indexed_on_postgres,
        is_indexed_on_sqlite, like, phrase,
    },
};

/// A condition with marks, and the values for the marks.
#[derive(Clone)]
pub(crate) struct WordFilter {
    pub(crate) condition: String,
    pub(crate) values: Vec<(&'static str, String)>,
}

/// Where the rows that match some words come from, so that the newest of them are read first and no others.
#[derive(Clone)]
pub(crate) struct TextMatch {
    /// The tables: the one that is searched, perhaps with its index before it.
    pub(crate) tables: String,
    /// The order in which the engine reads the rows without looking at others: newest first, unless they are few.
    pub(crate) order: String,
    /// Whether the engine finds all matches before it sorts them.
    pub(crate) is_sorted_last: bool,
    /// Another order, in which it costs less to read all of them.
    pub(crate) cheaper_order: Option<String>,
    pub(crate) filters: Vec<WordFilter>,
}

// The marks for what a name is compared with, and for what the other texts are compared with.
const NAME: &str = "?name";
const TEXT: &str = "?text";

impl SearchTable {
    /// Returns where the rows come from that have each word in at least one of the columns, and the label.
    pub(crate) fn newest(self, db: &Database, terms: &SearchTerms, label: Option<&SearchTerm>) -> TextMatch {
        let words = terms.words.as_ref().map(|words| words.words()).unwrap_or_default();
        db.per_engine(self.newest_on_sqlite(words, label), self.newest_on_postgres(words, label))
    }

    /// Returns the same for a few rows, which other conditions choose: each of them is compared with the words.
    pub(crate) fn newest_of_few(self, db: &Database, terms: &SearchTerms) -> TextMatch {
        let words = terms.words.as_ref().map(|words| words.words()).unwrap_or_default();
        self.without_index(words.iter().map(|word| self.on_rows(word, " || ''", escape(db))).collect())
    }

    /// Begins with a single query to the index for all words that it supports. It returns the newest rows first, and stops
    /// when enough are read.
    fn newest_on_sqlite(self, words: &[SearchTerm], label: Option<&SearchTerm>) -> TextMatch {
        let is_indexed = |word: &&SearchTerm| is_indexed_on_sqlite(word.alike()) && is_indexed_on_sqlite(word.folded());
        let (indexed, others): (Vec<&SearchTerm>, Vec<_>) = words.iter().partition(is_indexed);
        let label = label.map(SearchTerm::folded).filter(|label| is_indexed_on_sqlite(label));
        let phrases = indexed.into_iter().map(|word| self.phrases(word));
        let phrases: Vec<String> = phrases.chain(label.map(|label| format!("labels : {}", phrase(label)))).collect();
        let others = others.into_iter().map(|word| self.on_rows(word, " || ''", ESCAPE_ON_SQLITE));
        if phrases.is_empty() {
            return self.without_index(others.collect());
        }
        let SearchTable { table, alias, .. } = self;
        let values = vec![(TEXT, phrases.join(" AND "))];
        let matching = WordFilter { condition: format!("{table}_search MATCH {TEXT}"), values };
        TextMatch {
            tables: format!("{table}_search CROSS JOIN {table} {alias} ON {alias}.id = {table}_search.rowid"),
            order: format!("{table}_search.rowid DESC"),
            is_sorted_last: false,
            cheaper_order: Some(format!("{table}_search.rowid")),
            filters: std::iter::once(matching).chain(others).collect(),
        }
    }

    /// Finds the matches with the index if it supports a word. The sum hides the order of the ids from the engine, which
    /// would otherwise compare all rows in that order.
    fn newest_on_postgres(self, words: &[SearchTerm], label: Option<&SearchTerm>) -> TextMatch {
        let mut filters = self.words_on_postgres(words);
        if let Some(label) = label.filter(|label| is_indexed_on_postgres(label.folded())) {
            let condition = format!("{}.folded_labels LIKE {TEXT}{ESCAPE_ON_POSTGRES}", self.alias);
            filters.push(WordFilter { condition, values: vec![(TEXT, indexed_parts(label.folded()))] });
        }
        let is_indexed = filters.iter().any(|filter| !filter.condition.contains("||"));
        let sum = if is_indexed { " + 0" } else { "" };
        let order = format!("{}.id{sum} DESC", self.alias);
        TextMatch { order, is_sorted_last: is_indexed, ..self.without_index(filters) }
    }

    fn without_index(self, filters: Vec<WordFilter>) -> TextMatch {
        let SearchTable { table, alias, .. } = self;
        TextMatch {
            tables: format!("{table} {alias}"),
            order: format!("{alias}.id DESC"),
            is_sorted_last: false,
            cheaper_order: None,
            filters,
        }
    }

    /// A query to SQLite's index: the word in the name, or in one of the other columns. Most words are looked for in all
    /// columns as they are, which is one query instead of two.
    fn phrases(self, word: &SearchTerm) -> String {
        if word.alike() == word.folded() {
            return phrase(word.folded());
        }
        let others: Vec<&str> = self.columns.iter().skip(1).copied().collect();
        let (alike, folded) = (phrase(word.alike()), phrase(word.folded()));
        format!("(name : {alike} OR {{{}}} : {folded})", others.join(" "))
    }

    /// Builds the filters for PostgreSQL: each column has an index of its own, and what that finds is compared with the
    /// whole word.
    fn words_on_postgres(self, words: &[SearchTerm]) -> Vec<WordFilter> {
        let is_indexed =
            |word: &SearchTerm| is_indexed_on_postgres(word.folded()) && is_indexed_on_postgres(word.alike());
        let indexed = words.iter().filter(|word| is_indexed(word)).map(|word| WordFilter {
            values: vec![(NAME, indexed_parts(word.alike())), (TEXT, indexed_parts(word.folded()))],
            ..self.on_rows(word, "", ESCAPE_ON_POSTGRES)
        });
        indexed.chain(words.iter().map(|word| self.on_rows(word, " || ''", ESCAPE_ON_POSTGRES))).collect()
    }

    /// Builds a filter on the columns, with a suffix that decides whether an index may be used.
    fn on_rows(self, word: &SearchTerm, suffix: &str, escape: &str) -> WordFilter {
        let column = |column: &&str| {
            let mark = if *column == "name" { NAME } else { TEXT };
            format!("({}.folded_{column}{suffix}) LIKE {mark}{escape}", self.alias)
        };
        let columns: Vec<String> = self.columns.iter().map(column).collect();
        let values = vec![(NAME, like(word.alike())), (TEXT, like(word.folded()))];
        WordFilter { condition: format!("({})", columns.join(" OR ")), values }
    }
}
