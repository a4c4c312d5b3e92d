//! The order of matches: the name itself, names that begin with the text, names with the words, and then the others.

use model::search_words::{SEPARATORS, SearchWords};

use crate::{
    engine::statement::Value,
    search::search_filter::{SearchTable, escaped},
};

/// How well a row matches, as an expression with the patterns to compare it with.
pub(crate) struct Rank {
    /// Cases, each with a `?` for its pattern; the best one first.
    cases: Vec<String>,
    patterns: Vec<String>,
}

impl Rank {
    /// The rank of the rows of a table for these words.
    pub(crate) fn new(searched: SearchTable, words: &SearchWords) -> Self {
        let name = spaced(&format!("{}.folded_name", searched.alias));
        let text = escaped(words.whole());
        let mut cases = vec![
            format!("{name} LIKE ? ESCAPE '!'"),
            format!("{name} LIKE ? ESCAPE '!'"),
            format!("(' ' || {name} || ' ') LIKE ? ESCAPE '!'"),
            format!("(' ' || {name}) LIKE ? ESCAPE '!'"),
            format!("{name} LIKE ? ESCAPE '!'"),
        ];
        let mut patterns =
            vec![text.clone(), format!("{text}%"), format!("% {text} %"), format!("% {text}%"), format!("%{text}%")];
        if searched.columns.contains(&"labels") {
            let labels = spaced(&format!("{}.folded_labels", searched.alias));
            cases.insert(3, format!("('\n' || {labels} || '\n') LIKE ? ESCAPE '!'"));
            patterns.insert(3, format!("%\n{text}\n%"));
        }
        Self { cases, patterns }
    }

    /// Adds its patterns to the arguments of a statement; returns the first part of the order.
    pub(crate) fn add_to(self, arguments: &mut Vec<Value>) -> String {
        let mut order = String::from("CASE");
        for (place, (case, pattern)) in self.cases.iter().zip(self.patterns).enumerate() {
            arguments.push(pattern.into());
            order.push_str(&format!(" WHEN {} THEN {place}", case.replace('?', &format!("${}", arguments.len()))));
        }
        order + &format!(" ELSE {} END, ", self.cases.len())
    }
}

/// The column with a space for each character that separates words.
fn spaced(column: &str) -> String {
    SEPARATORS.iter().fold(column.to_owned(), |text, separator| format!("REPLACE({text}, '{separator}', ' ')"))
}
