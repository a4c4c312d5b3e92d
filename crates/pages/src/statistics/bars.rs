//! A bar chart of named amounts, relative to the largest.

/// The length of the longest bar, in the picture's own units.
const LENGTH: i64 = 200;

/// A name with its amount.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Bar {
    pub(super) name: String,
    /// The amount, formatted for people.
    pub(super) label: String,
    /// The length of its bar.
    pub(super) length: i64,
}

/// Computes a bar for each amount. Every amount above zero gets a visible bar.
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
