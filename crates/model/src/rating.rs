//! Ratings of packages by users.

/// A rating of one to five stars.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rating(i64);

impl Rating {
    /// Creates a rating with this many stars; `None` outside of one to five.
    pub fn new(stars: i64) -> Option<Self> {
        (1..=5).contains(&stars).then_some(Self(stars))
    }

    /// The number of stars.
    pub fn stars(self) -> i64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rating_has_one_to_five_stars() {
        let good: Vec<i64> = (-2..9).filter_map(Rating::new).map(Rating::stars).collect();
        assert_eq!(good, [1, 2, 3, 4, 5]);
    }
}
