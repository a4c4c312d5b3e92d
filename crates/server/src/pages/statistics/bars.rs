//! Amounts of named things beside each other: a bar each, as long as its share of the longest.

/// How long the longest bar is, in the picture's own units.
const LENGTH: i64 = 200;

/// Something with its amount.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Bar {
    pub(super) name: String,
    /// The amount, as people read it.
    pub(super) label: String,
    /// How long its bar is.
    pub(super) length: i64,
}

/// A bar for each. What is more than nothing has one that can be seen.
pub(super) fn bars(amounts: Vec<(String, i64, String)>) -> Vec<Bar> {
    let most = amounts.iter().map(|(_, amount, _)| *amount).max().unwrap_or_default().max(1);
    let bar = |(name, amount, label): (String, i64, String)| {
        let length = i64::try_from(i128::from(amount) * i128::from(LENGTH) / i128::from(most)).unwrap_or(LENGTH);
        Bar { name, label, length: length.max(i64::from(amount > 0)) }
    };
    amounts.into_iter().map(bar).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_as_long_as_their_share() {
        let lengths = |amounts: &[i64]| {
            let amounts = amounts.iter().map(|amount| (String::new(), *amount, String::new())).collect();
            bars(amounts).iter().map(|bar| bar.length).collect::<Vec<_>>()
        };
        assert_eq!(lengths(&[100, 50, 1, 0]), [200, 100, 2, 0]);
        assert_eq!(lengths(&[i64::MAX, 1]), [200, 1]);
        assert_eq!(lengths(&[]), [0; 0]);
    }
}
