//! The matches of a search by words that are read and ranked. Their number has a limit, so that a frequent word costs no
//! more than a rare one. `model` ranks them, so that the order is the same on both engines.

use model::page::PageRequest;

use crate::{
    engine::statement::Statement,
    search::{SearchQuery, word_filter::TextMatch},
};

/// The most matches of a search by words. If there are more, the newest ones are ranked, together with those whose names
/// begin with the words.
pub const MOST_MATCHES: usize = 500;

impl SearchQuery {
    /// Selects the first of the matches.
    pub(crate) fn candidates(mut self, columns: &str, joins: &str, found: TextMatch, limit: usize) -> Statement {
        let TextMatch { tables, order, filters, .. } = found;
        for filter in filters {
            self = self.and_word(filter);
        }
        let conditions = self.conditions.join(" AND ");
        let text = format!("SELECT {columns} FROM {tables} {joins} WHERE {conditions} ORDER BY {order} LIMIT {limit}");
        Statement::new(text, self.arguments)
    }

    /// Selects the ids of matches among the newest rows of a table.
    pub(crate) fn sample(self, found: TextMatch, rows: usize, limit: usize) -> Statement {
        let (query, TextMatch { tables, order, .. }) = self.among_newest(found, rows, limit);
        let alias = tables.rsplit(' ').next().unwrap_or_default();
        Statement::new(format!("SELECT {alias}.id FROM {tables} ORDER BY {order}"), query.arguments)
    }

    /// Replaces a table by the matches among its newest rows, the newest ones first. The conditions so far, such as rights,
    /// are applied to these afterwards, so that the engine reads the rows in their order and stops when it has enough.
    pub(crate) fn among_newest(mut self, found: TextMatch, rows: usize, limit: usize) -> (Self, TextMatch) {
        let TextMatch { tables, order, filters, .. } = found.clone();
        let conditions = std::mem::take(&mut self.conditions);
        for filter in filters {
            self = self.and_word(filter);
        }
        let matching = std::mem::replace(&mut self.conditions, conditions).join(" AND ");
        let newest = format!("(SELECT * FROM {tables} ORDER BY {order} LIMIT {rows})");
        let alias = tables.rsplit(' ').next().unwrap_or_default();
        let tables =
            format!("(SELECT * FROM {newest} {alias} WHERE {matching} ORDER BY {order} LIMIT {limit}) {alias}");
        (self, TextMatch { tables, filters: Vec::new(), ..found })
    }
}

/// The part of ranked matches that is on a page.
pub(crate) fn on_page<T>(ranked: &[T], window: PageRequest) -> &[T] {
    let start = usize::try_from(window.start).unwrap_or(usize::MAX).min(ranked.len());
    let limit = usize::try_from(window.limit).unwrap_or_default();
    &ranked[start..start.saturating_add(limit).min(ranked.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_a_part_of_the_matches() {
        let page = |start, limit| on_page(&[1, 2, 3], PageRequest { start, limit }).to_vec();
        assert_eq!(page(0, 2), [1, 2]);
        assert_eq!(page(2, 2), [3]);
        assert_eq!(page(9, 2), [0; 0]);
    }
}
