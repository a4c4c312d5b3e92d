//! Statements about several ids at once: one for a whole page instead of one for each item.

use std::{collections::HashMap, hash::Hash};

use crate::{
    Read, Result,
    engine::{
        row::FromRow,
        statement::{Statement, Value},
    },
};

/// The number of ids in one statement: the number of items on a page.
pub(crate) const KEYS: usize = 50;

/// Returns the rows of a statement for all these ids. `$keys` in its text is replaced by the list of them.
pub(crate) async fn all<T: FromRow>(
    db: &dyn Read,
    statement: Statement,
    keys: &[impl Copy + Into<Value> + Sync],
) -> Result<Vec<T>> {
    let mut rows = Vec::new();
    for part in keys.chunks(KEYS) {
        rows.extend(db.all(about(statement.clone(), part)).await?);
    }
    Ok(rows)
}

/// Marks a statement as a look-up if it is about one id. Only for rows whose number for each id has a small limit.
pub(crate) fn lookup_of_one<K>(statement: Statement, keys: &[K]) -> Statement {
    if keys.len() == 1 { statement.looking_up() } else { statement }
}

/// Groups values by key, in the order of the rows.
pub(crate) fn grouped<K: Eq + Hash, V>(rows: impl IntoIterator<Item = (K, V)>) -> HashMap<K, Vec<V>> {
    let mut groups: HashMap<K, Vec<V>> = HashMap::new();
    for (key, value) in rows {
        groups.entry(key).or_default().push(value);
    }
    groups
}

/// Expands the list to one id, or to the full length by repeating the last id. So a statement has two texts, not fifty.
pub(crate) fn about(statement: Statement, keys: &[impl Copy + Into<Value>]) -> Statement {
    let length = if keys.len() == 1 { 1 } else { KEYS };
    let first = statement.arguments.len() + 1;
    let places: Vec<String> = (first..first + length).map(|place| format!("${place}")).collect();
    let last = keys.last().copied().map_or(Value::Null, Into::into);
    let filled = keys.iter().copied().map(Into::into).chain(std::iter::repeat(last)).take(length);
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
