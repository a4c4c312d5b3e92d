//! Substring filters of each engine: SQLite uses a trigram table, PostgreSQL a trigram index. Nothing else about a
//! search differs.

use crate::Database;

/// A table whose folded columns are searched, and its alias in the query.
#[derive(Clone, Copy)]
pub(crate) struct SearchTable {
    pub(crate) table: &'static str,
    pub(crate) alias: &'static str,
    /// The columns that words are looked for in; the first is the name.
    pub(crate) columns: &'static [&'static str],
}

/// A condition with a `?`, and its value.
pub(crate) struct Filter {
    pub(crate) condition: String,
    pub(crate) value: String,
}

/// The number of consecutive characters that an index needs.
const INDEXED_CHARACTERS: usize = 3;

/// From this number on, parts of a text that do not overlap are enough to ask PostgreSQL's index for.
const ENOUGH_PARTS: usize = 3;

/// The most parts to ask for. The end of a long name tells more than its beginning, which many names share.
const MOST_PARTS: usize = 6;

// What follows a pattern. PostgreSQL's patterns are escaped like this by default; with these words, it would convert the
// pattern for each row.
pub(crate) const ESCAPE_ON_SQLITE: &str = r" ESCAPE '\'";
pub(crate) const ESCAPE_ON_POSTGRES: &str = "";

/// Returns what follows a pattern whose wildcards are escaped.
pub(crate) fn escape(db: &Database) -> &'static str {
    db.per_engine(ESCAPE_ON_SQLITE, ESCAPE_ON_POSTGRES)
}

impl SearchTable {
    /// Returns the filters for columns that contain these folded texts.
    pub(crate) fn filters(self, db: &Database, terms: &[(&str, &str)]) -> Vec<Filter> {
        db.per_engine(self.on_sqlite(terms), self.on_postgres(terms))
    }

    /// Builds a single query to the index for all terms that it supports: it returns the rows that match them all.
    fn on_sqlite(self, terms: &[(&str, &str)]) -> Vec<Filter> {
        let (indexed, others): (Vec<_>, Vec<_>) = terms.iter().partition(|(_, term)| is_indexed_on_sqlite(term));
        let phrases: Vec<String> =
            indexed.into_iter().map(|(column, term)| format!("{column} : {}", phrase(term))).collect();
        let SearchTable { table, alias, .. } = self;
        let condition = format!("{alias}.id IN (SELECT rowid FROM {table}_search WHERE {table}_search MATCH ?)");
        let matching = (!phrases.is_empty()).then(|| Filter { condition, value: phrases.join(" AND ") });
        matching
            .into_iter()
            .chain(others.into_iter().map(|(column, term)| self.on_every_row(column, term, ESCAPE_ON_SQLITE)))
            .collect()
    }

    /// Builds the filters for PostgreSQL, whose index supports only letters and digits.
    fn on_postgres(self, terms: &[(&str, &str)]) -> Vec<Filter> {
        let indexed = terms.iter().filter(|(_, term)| is_indexed_on_postgres(term)).map(|(column, term)| Filter {
            condition: format!("{}.folded_{column} LIKE ?{ESCAPE_ON_POSTGRES}", self.alias),
            value: indexed_parts(term),
        });
        indexed.chain(terms.iter().map(|(column, term)| self.on_every_row(column, term, ESCAPE_ON_POSTGRES))).collect()
    }

    /// Builds a filter that reads every row. The column is concatenated with an empty text, so that the engine does not
    /// use an index that it would have to read completely.
    fn on_every_row(self, column: &str, term: &str, escape: &str) -> Filter {
        let condition = format!("({}.folded_{column} || '') LIKE ?{escape}", self.alias);
        Filter { condition, value: like(term) }
    }
}

/// Whether the index of the engine supports a term.
pub(crate) fn is_indexed(db: &Database, term: &str) -> bool {
    db.per_engine(is_indexed_on_sqlite(term), is_indexed_on_postgres(term))
}

/// Whether the index of SQLite supports a term.
pub(crate) fn is_indexed_on_sqlite(term: &str) -> bool {
    term.chars().count() >= INDEXED_CHARACTERS
}

/// Whether the index of PostgreSQL supports a term: it has letters and digits only.
pub(crate) fn is_indexed_on_postgres(term: &str) -> bool {
    term.split(|c: char| !c.is_alphanumeric()).any(|word| word.chars().count() >= INDEXED_CHARACTERS)
}

/// Returns a pattern that finds this text anywhere; its wildcards are escaped.
pub(crate) fn like(text: &str) -> String {
    format!("%{}%", escaped(text))
}

/// Returns a pattern for PostgreSQL's index that this text matches, and few others. The index looks up every three
/// characters in a row: for a long text, this takes many times as long as for parts of it.
pub(crate) fn indexed_parts(text: &str) -> String {
    let words: Vec<Vec<char>> = text.split(|c: char| !c.is_alphanumeric()).map(|word| word.chars().collect()).collect();
    let parts = words.iter().flat_map(|word| word.chunks_exact(INDEXED_CHARACTERS));
    let parts: Vec<String> = parts.map(|part| part.iter().collect()).collect();
    if parts.len() < ENOUGH_PARTS {
        return like(text);
    }
    format!("%{}%", parts[parts.len().saturating_sub(MOST_PARTS)..].join("%"))
}

/// Returns a text for a pattern, with its wildcards escaped.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('\\', r"\\").replace('%', r"\%").replace('_', r"\_")
}

/// Returns a query to SQLite's index that finds this text anywhere: one phrase, with its quotes doubled.
pub(crate) fn phrase(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PACKAGES: SearchTable = SearchTable { table: "packages", alias: "p", columns: &["name", "description"] };

    #[test]
    fn wildcards_and_quotes_are_plain_characters() {
        assert_eq!(like(r"100%_\*"), r"%100\%\_\\*%");
        assert_eq!(phrase(r#"a" OR "b*"#), r#""a"" OR ""b*""#);
    }

    #[test]
    fn a_term_that_the_index_does_not_know_is_looked_for_in_every_row() {
        let is_indexed = |filters: Vec<Filter>| filters.iter().any(|filter| !filter.condition.contains("||"));
        assert!(is_indexed(PACKAGES.on_sqlite(&[("name", "c++")])));
        assert!(is_indexed(PACKAGES.on_sqlite(&[("name", "日本語")])));
        assert!(!is_indexed(PACKAGES.on_sqlite(&[("name", "日本")])));
        assert!(is_indexed(PACKAGES.on_postgres(&[("name", "a-lib")])));
        assert!(!is_indexed(PACKAGES.on_postgres(&[("name", "c++")])));
        assert!(!is_indexed(PACKAGES.on_postgres(&[("name", "a-b-c")])));
    }

    #[test]
    fn the_index_of_postgres_is_asked_for_a_few_parts() {
        assert_eq!(indexed_parts("json"), "%json%");
        assert_eq!(indexed_parts("my_lib-core"), r"%my\_lib-core%", "two parts are too few");
        assert_eq!(indexed_parts("json_parser-fast"), "%jso%par%ser%fas%");
        assert_eq!(indexed_parts("@a/internationalization-x"), "%int%ern%ati%ona%liz%ati%");
        assert_eq!(indexed_parts("abcdefghijklmnopqrstuvw"), "%def%ghi%jkl%mno%pqr%stu%");
    }

    #[test]
    fn the_index_of_sqlite_is_asked_once() {
        let filters = PACKAGES.on_sqlite(&[("name", "tool"), ("description", "small")]);
        let values: Vec<&str> = filters.iter().map(|filter| filter.value.as_str()).collect();
        assert_eq!(values, [r#"name : "tool" AND description : "small""#]);
    }
}
