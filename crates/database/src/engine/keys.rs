//! Statements about several keys at once: one for a whole page instead of one for each of its items.

use std::{collections::HashMap, hash::Hash};

use crate::{
    Read, Result,
    engine::{
        row::FromRow,
        statement::{Statement, Value},
    },
};

/// Keys of one statement: as many as a page has items.
const KEYS: usize = 50;

/// The rows of a statement for all these keys. `$keys` in its text stands for the list of them.
pub(crate) async fn all<T: FromRow>(db: &impl Read, statement: Statement, keys: &[i64]) -> Result<Vec<T>> {
    let mut rows = Vec::new();
    for part in keys.chunks(KEYS) {
        rows.extend(db.all(about(statement.clone(), part)).await?);
    }
    Ok(rows)
}

/// What belongs to each key, in its order.
pub(crate) fn grouped<K: Eq + Hash, V>(rows: impl IntoIterator<Item = (K, V)>) -> HashMap<K, Vec<V>> {
    let mut groups: HashMap<K, Vec<V>> = HashMap::new();
    for (key, value) in rows {
        groups.entry(key).or_default().push(value);
    }
    groups
}

/// The list is of one key, or as long as it may be, the last key repeated: so a statement has two texts, not fifty.
pub(crate) fn about(statement: Statement, keys: &[i64]) -> Statement {
    let length = if keys.len() == 1 { 1 } else { KEYS };
    let first = statement.arguments.len() + 1;
    let places: Vec<String> = (first..first + length).map(|place| format!("${place}")).collect();
    let last = keys.last().copied().map_or(Value::Null, Value::Int);
    let filled = keys.iter().copied().map(Value::Int).chain(std::iter::repeat(last)).take(length);
    Statement {
        sql: statement.sql.replace("$keys", &places.join(", ")).into(),
        arguments: statement.arguments.iter().cloned().chain(filled).collect(),
        ..statement
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_keys_has_one_place_or_fifty() {
        let of = |keys: &[i64]| about(Statement::new("a = $1 AND b IN ($keys)", vec!["x".into()]), keys);
        assert_eq!(of(&[7]).sql, "a = $1 AND b IN ($2)");
        assert_eq!(of(&[7, 8]).sql, of(&[1, 2, 3]).sql);
        assert_eq!(of(&[7, 8]).arguments.len(), 51);
        assert!(of(&[7, 8]).sql.ends_with(", $51)"));
    }
}
