//! Attribute search: clauses, intervals, and the attributes that they match.

use crate::{
    attribute::{Attribute, AttributeType, Number, Scalar},
    timestamp::Timestamp,
};

/// Maximum number of clauses in one search.
pub const CLAUSES: usize = 20;

/// Maximum number of values in one clause.
pub const CLAUSE_VALUES: usize = 100;

/// One clause: the name of an attribute and the condition on its values.
#[derive(Debug, Clone, PartialEq)]
pub struct Clause {
    /// The name of the attribute.
    pub name: String,
    /// The condition on its values.
    pub condition: Condition,
}

/// A condition on the values of an attribute.
#[derive(Debug, Clone, PartialEq)]
pub enum Condition {
    /// A scalar is this value; an array contains it.
    Is(Scalar),
    /// A scalar is one of these; an array contains them all.
    Among(Vec<Scalar>),
    /// A value lies in this range.
    Within(Interval),
}

/// A range of numbers or dates.
#[derive(Debug, Clone, PartialEq)]
pub enum Interval {
    /// Every number and every date.
    Everything,
    /// A range of numbers.
    Numbers(Range<f64>),
    /// A range of dates.
    Dates(Range<Timestamp>),
}

/// A range. Either end may be open.
#[derive(Debug, Clone, PartialEq)]
pub struct Range<T> {
    /// The lower end.
    pub from: Option<End<T>>,
    /// The upper end.
    pub to: Option<End<T>>,
}

/// One end of a range.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct End<T> {
    /// The value at this end.
    pub at: T,
    /// Whether the range includes that value.
    pub is_included: bool,
}

/// An interval that does not parse.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("interval '{text}' is not valid at position {position}: {reason}")]
pub struct InvalidInterval {
    /// The interval as it was given, truncated if very long.
    pub text: String,
    /// The position of the first unexpected character, counted from 0.
    pub position: usize,
    /// The expectation at that position.
    pub reason: &'static str,
}

impl Condition {
    /// Returns the condition for a single value: a string that begins with a bracket is an interval.
    pub fn of_scalar(value: Scalar) -> Result<Self, InvalidInterval> {
        match &value {
            Scalar::Text(text) if text.starts_with(['[', ']']) => Interval::parse(text).map(Condition::Within),
            _ => Ok(Condition::Is(value)),
        }
    }

    /// Returns whether an attribute meets the condition. Tests compare the SQL with this rule.
    pub fn matches(&self, attribute: &Attribute) -> bool {
        let stored = attribute.searched();
        let contains = |wanted: &Scalar| stored.iter().any(|value| equals(value, wanted, attribute.kind()));
        match self {
            Condition::Is(wanted) => contains(wanted),
            Condition::Among(wanted) if attribute.is_array() => wanted.iter().all(contains),
            Condition::Among(wanted) => wanted.iter().any(contains),
            Condition::Within(interval) => stored.iter().any(|value| interval.contains(value, attribute.kind())),
        }
    }
}

fn equals(stored: &Scalar, wanted: &Scalar, kind: AttributeType) -> bool {
    match (stored, wanted) {
        (Scalar::Number(one), Scalar::Number(two)) => one.value() == two.value(),
        (Scalar::Text(_), Scalar::Text(_)) if kind == AttributeType::Date => {
            stored.date().is_some_and(|date| wanted.date() == Some(date))
        }
        _ => stored == wanted,
    }
}

impl Interval {
    /// Parses `[a,b]`, `]a,b[` and mixtures of both; an end may be empty.
    pub fn parse(text: &str) -> Result<Self, InvalidInterval> {
        let refuse = |position, reason| InvalidInterval { text: text.chars().take(100).collect(), position, reason };
        let last = text.chars().count().saturating_sub(1);
        let inside = text.get(1..).and_then(|rest| rest.strip_suffix([']', '[']));
        let inside = inside
            .filter(|_| text.starts_with(['[', ']']))
            .ok_or_else(|| refuse(last, "a closing bracket is missing"))?;
        let (from, to) = inside.split_once(',').ok_or_else(|| refuse(last, "a comma is missing"))?;
        let comma = 1 + from.chars().count();
        if let Some(second) = to.find(',') {
            let position = comma + 1 + to[..second].chars().count();
            return Err(refuse(position, "there is a second comma"));
        }
        let bound = |text: &str, position| {
            Bound::parse(text).ok_or_else(|| refuse(position, "a number or an ISO 8601 date is expected"))
        };
        let (low, high) = (bound(from, 1)?, bound(to, comma + 1)?);
        let includes = (text.starts_with('['), text.ends_with(']'));
        Bound::range(low, high, includes).ok_or_else(|| refuse(comma + 1, "both ends must be numbers, or both dates"))
    }

    fn contains(&self, value: &Scalar, kind: AttributeType) -> bool {
        match (self, value, kind) {
            (Interval::Everything, value, AttributeType::Number | AttributeType::Date) => *value != Scalar::Null,
            (Interval::Numbers(range), Scalar::Number(number), _) => range.contains(&number.value()),
            (Interval::Dates(range), value, AttributeType::Date) => {
                value.date().is_some_and(|date| range.contains(&date))
            }
            _ => false,
        }
    }
}

impl<T: PartialOrd> Range<T> {
    fn contains(&self, value: &T) -> bool {
        let above = self.from.as_ref().is_none_or(|end| *value > end.at || end.is_included && *value == end.at);
        let below = self.to.as_ref().is_none_or(|end| *value < end.at || end.is_included && *value == end.at);
        above && below
    }
}

enum Bound {
    Open,
    Number(f64),
    Date(Timestamp),
}

impl Bound {
    fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if text.is_empty() {
            return Some(Bound::Open);
        }
        let number = || {
            Number::parse(text)
                .filter(|_| text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.')))
        };
        Timestamp::parse(text).map(Bound::Date).ok().or_else(|| number().map(|number| Bound::Number(number.value())))
    }

    fn range(low: Bound, high: Bound, (includes_low, includes_high): (bool, bool)) -> Option<Interval> {
        fn end<T>(at: T, is_included: bool) -> Option<End<T>> {
            Some(End { at, is_included })
        }
        Some(match (low, high) {
            (Bound::Open, Bound::Open) => Interval::Everything,
            (Bound::Number(a), Bound::Number(b)) => {
                Interval::Numbers(Range { from: end(a, includes_low), to: end(b, includes_high) })
            }
            (Bound::Number(a), Bound::Open) => Interval::Numbers(Range { from: end(a, includes_low), to: None }),
            (Bound::Open, Bound::Number(b)) => Interval::Numbers(Range { from: None, to: end(b, includes_high) }),
            (Bound::Date(a), Bound::Date(b)) => {
                Interval::Dates(Range { from: end(a, includes_low), to: end(b, includes_high) })
            }
            (Bound::Date(a), Bound::Open) => Interval::Dates(Range { from: end(a, includes_low), to: None }),
            (Bound::Open, Bound::Date(b)) => Interval::Dates(Range { from: None, to: end(b, includes_high) }),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn number(value: f64) -> Scalar {
        Scalar::Number(Number::parse(&value.to_string()).expect("a number"))
    }

    fn within(interval: &str, values: &[Scalar]) -> bool {
        let attribute = Attribute::new("a", Some(values.to_vec()), None).expect("fits");
        Condition::of_scalar(Scalar::Text(interval.into())).expect(interval).matches(&attribute)
    }

    #[test]
    fn every_form_of_interval_includes_what_it_says() {
        let inside = |interval: &str| [1.0, 2.0, 3.0].map(|value| within(interval, &[number(value)]));
        assert_eq!(inside("[1,3]"), [true, true, true]);
        assert_eq!(inside("[1,3["), [true, true, false]);
        assert_eq!(inside("]1,3]"), [false, true, true]);
        assert_eq!(inside("]1,3["), [false, true, false]);
        assert_eq!(inside("[,2]"), [true, true, false]);
        assert_eq!(inside("[,2["), [true, false, false]);
        assert_eq!(inside("]2,]"), [false, false, true]);
        assert_eq!(inside("[2,["), [false, true, true]);
        assert_eq!(inside("[,]"), [true, true, true]);
        assert_eq!(inside("[3,1]"), [false, false, false]);
        assert_eq!(inside("[ 1 , 2 ]"), [true, true, false]);
    }

    #[test]
    fn dates_compare_as_moments() {
        let date = [Scalar::Text("2026-01-02T01:00:00+01:00".into())];
        assert!(within("[2026-01-02T00:00:00Z,2026-01-02T00:00:00.000Z]", &date));
        assert!(within("[2026-01-02,]", &date));
        assert!(!within("]2026-01-02T00:00:00Z,]", &date));
        assert!(!within("[1,2]", &date));
        assert!(!within("[1,2]", &[Scalar::Text("1".into())]));
        assert!(!within("[,]", &[Scalar::Text("x".into())]));
    }

    #[test]
    fn malformed_intervals_show_the_position() {
        let position = |text: &str| Interval::parse(text).expect_err(text).position;
        assert_eq!(position("[1,2"), 3);
        assert_eq!(position("[12]"), 3);
        assert_eq!(position("[x,2]"), 1);
        assert_eq!(position("[1,y]"), 3);
        assert_eq!(position("[1,2,3]"), 4);
        assert_eq!(position("[1,2026-01-02]"), 3);
        assert_eq!(position("["), 0);
        assert_eq!(position("[inf,nan]"), 1);
    }

    #[test]
    fn arrays_and_scalars_follow_the_four_rules() {
        let is = |wanted: f64, stored: &[f64]| Condition::Is(number(wanted)).matches(&attribute(stored));
        let among = |wanted: &[f64], stored: &[f64]| {
            Condition::Among(wanted.iter().copied().map(number).collect()).matches(&attribute(stored))
        };
        assert!(is(1.0, &[1.0]) && is(1.0, &[1.0, 2.0]) && !is(3.0, &[1.0, 2.0]));
        assert!(among(&[1.0, 2.0], &[2.0]) && !among(&[1.0, 2.0], &[3.0]));
        assert!(among(&[1.0, 2.0], &[2.0, 3.0, 1.0]) && !among(&[1.0, 2.0], &[2.0, 3.0]));
    }

    #[test]
    fn null_and_no_value_are_alike() {
        let empty = Attribute::new("a", None, None).expect("fits");
        assert!(Condition::Is(Scalar::Null).matches(&empty));
        assert!(Condition::Among(vec![number(1.0), Scalar::Null]).matches(&empty));
        assert!(!Condition::Is(Scalar::Text(String::new())).matches(&empty));
        assert!(
            !Condition::Among(vec![]).matches(&attribute(&[1.0]))
                && Condition::Among(vec![]).matches(&attribute(&[1.0, 2.0]))
        );
    }

    fn attribute(values: &[f64]) -> Attribute {
        Attribute::new("a", Some(values.iter().copied().map(number).collect()), None).expect("fits")
    }

    proptest! {
        #[test]
        fn no_text_brings_the_parser_down(text in "[\\[\\],0-9.\\-eTZ:é ]{0,30}") {
            if let Err(error) = Interval::parse(&text) {
                prop_assert!(error.position <= text.chars().count());
            }
        }
    }
}
