//! Filters for words that may be in any of a table's columns.

use model::search_term::SearchTerm;

use crate::{
    Database,
    search::search_filter::{SearchTable, is_indexed_on_postgres, is_indexed_on_sqlite, like, phrase},
};

/// A condition with marks, and the values for the marks.
pub(crate) struct WordFilter {
    pub(crate) condition: String,
    pub(crate) values: Vec<(&'static str, String)>,
}

// The marks for what a name is compared with, and for what the other texts are compared with.
const NAME: &str = "?name";
const TEXT: &str = "?text";

impl SearchTable {
    /// Returns the filters for rows that have each word in at least one of the columns.
    pub(crate) fn filters_of_words(self, db: &Database, words: &[SearchTerm]) -> Vec<WordFilter> {
        db.per_engine(self.words_on_sqlite(words), self.words_on_postgres(words))
    }

    /// Builds a single query to the index for all words that it supports.
    fn words_on_sqlite(self, words: &[SearchTerm]) -> Vec<WordFilter> {
        let is_indexed = |word: &&SearchTerm| is_indexed_on_sqlite(word.alike()) && is_indexed_on_sqlite(word.folded());
        let (indexed, others): (Vec<&SearchTerm>, Vec<_>) = words.iter().partition(is_indexed);
        let phrases: Vec<String> = indexed.into_iter().map(|word| self.phrases(word)).collect();
        let SearchTable { table, alias, .. } = self;
        let condition = format!("{alias}.id IN (SELECT rowid FROM {table}_search WHERE {table}_search MATCH {TEXT})");
        let values = vec![(TEXT, phrases.join(" AND "))];
        let matching = (!phrases.is_empty()).then_some(WordFilter { condition, values });
        matching.into_iter().chain(others.into_iter().map(|word| self.on_rows(word, " || ''"))).collect()
    }

    /// A query to SQLite's index: the word in the name, or in one of the other columns.
    fn phrases(self, word: &SearchTerm) -> String {
        let others: Vec<&str> = self.columns.iter().skip(1).copied().collect();
        let (alike, folded) = (phrase(word.alike()), phrase(word.folded()));
        format!("(name : {alike} OR {{{}}} : {folded})", others.join(" "))
    }

    /// Builds the filters for PostgreSQL: each column has an index of its own.
    fn words_on_postgres(self, words: &[SearchTerm]) -> Vec<WordFilter> {
        let is_indexed =
            |word: &SearchTerm| is_indexed_on_postgres(word.folded()) && is_indexed_on_postgres(word.alike());
        words.iter().map(|word| self.on_rows(word, if is_indexed(word) { "" } else { " || ''" })).collect()
    }

    /// Builds a filter on the columns, with a suffix that decides whether an index may be used.
    fn on_rows(self, word: &SearchTerm, suffix: &str) -> WordFilter {
        let column = |column: &&str| {
            let mark = if *column == "name" { NAME } else { TEXT };
            format!("({}.folded_{column}{suffix}) LIKE {mark} ESCAPE '!'", self.alias)
        };
        let columns: Vec<String> = self.columns.iter().map(column).collect();
        let values = vec![(NAME, like(word.alike())), (TEXT, like(word.folded()))];
        WordFilter { condition: format!("({})", columns.join(" OR ")), values }
    }
}
