//! Draws the downloads of a range of days: as columns with axes, as a line, and as a table.

use std::fmt::Write as _;

use model::{
    day::{Day, Days},
    statistics::DailyDownloads,
};
use operations::usage::statistics::Statistics;

use crate::{
    parts::{self, Markup},
    sizes, times,
};

/// The number of lines of the scale above zero.
const STEPS: i64 = 4;

/// Downloads by day.
#[derive(Debug, Clone)]
pub(crate) struct Chart {
    /// The picture as SVG. It contains no input from users.
    pub(crate) picture: String,
    /// The numbers of the scale, from the top to zero.
    pub(crate) scale: Vec<String>,
    /// The days with their downloads.
    pub(crate) days: Vec<(Day, i64)>,
    /// The sum of all days.
    pub(crate) total: i64,
}

impl Chart {
    /// Draws the chart of these statistics. The column of today is lighter, because the day is not over.
    pub(crate) fn new(numbers: &Statistics<DailyDownloads>, today: Day) -> Self {
        let days = counts(numbers.days, &numbers.records);
        let total = days.iter().map(|(_, count)| count).sum();
        let top = top(days.iter().map(|(_, count)| *count).max().unwrap_or_default());
        let scale = (0..=STEPS).rev().map(|step| sizes::number(top / STEPS * step)).collect();
        Self { picture: picture(&days, total, top, today), scale, days, total }
    }

    /// The sum, formatted for people.
    pub(crate) fn total_text(&self) -> String {
        sizes::number(self.total)
    }

    /// The average of a day.
    pub(crate) fn average(&self) -> String {
        let days = i64::try_from(self.days.len()).unwrap_or(i64::MAX).max(1);
        let tenths = (self.total * 10 + days / 2) / days;
        if tenths < 100 { format!("{}.{}", tenths / 10, tenths % 10) } else { sizes::number(tenths / 10) }
    }

    /// The day with the most downloads, and their number.
    pub(crate) fn busiest(&self) -> Option<(String, String)> {
        let most = self.days.iter().rev().max_by_key(|(_, count)| *count).filter(|(_, count)| *count > 0)?;
        Some((times::short_day(most.0), sizes::number(most.1)))
    }

    /// The days in words with their downloads.
    pub(crate) fn rows(&self) -> Vec<(String, String)> {
        self.days.iter().map(|(day, count)| (times::day(*day), sizes::number(*count))).collect()
    }

    /// The downloads as a line without axes; none if there are no downloads.
    pub(crate) fn spark(&self) -> Option<Markup> {
        let counts = self.days.iter().map(|(_, count)| *count).collect::<Vec<_>>();
        (self.total > 0).then(|| parts::spark(&counts, "full"))
    }
}

fn counts(days: Days, records: &[DailyDownloads]) -> Vec<(Day, i64)> {
    let of = |number: i64| records.iter().filter(|record| record.day == number).map(|record| record.count).sum();
    (days.first.number()..=days.last.number()).map(|day| (Day::from_number(day), of(day))).collect()
}

/// The top of the scale: the next round number whose steps are whole.
fn top(most: i64) -> i64 {
    let mut power = STEPS;
    loop {
        for factor in [1, 2, 3, 5] {
            if power.saturating_mul(factor) >= most {
                return power.saturating_mul(factor);
            }
        }
        power = power.saturating_mul(10);
    }
}

/// One column per day, with lines of the scale and some days below. A tooltip shows the number. Places are in percent,
/// so that nothing is stretched.
fn picture(days: &[(Day, i64)], total: i64, top: i64, today: Day) -> String {
    let mut parts = String::new();
    // Writing to a string cannot fail.
    for step in 0..STEPS {
        let y = 100 * step / STEPS;
        let _ = write!(parts, "<line x1=\"0\" x2=\"100%\" y1=\"{y}%\" y2=\"{y}%\"/>");
    }
    parts.push_str("<line class=\"base\" x1=\"0\" x2=\"100%\" y1=\"100%\" y2=\"100%\"/>");
    let number = i64::try_from(days.len().max(1)).unwrap_or(1);
    let (width, every) = (10_000 / number, (number + 4) / 5);
    for (place, (day, count)) in (0..).zip(days) {
        let height = i64::try_from(i128::from(*count) * 1000 / i128::from(top)).unwrap_or(1000);
        let height = height.max(5 * i64::from(*count > 0));
        let (x, inner) = (place * 10_000 / number, width * 7 / 10);
        let _ = write!(
            parts,
            "<g><title>{}: {count}</title><rect class=\"hit\" x=\"{}%\" width=\"{}%\" height=\"100%\"/>\
             <rect class=\"column{}\" x=\"{}%\" width=\"{}%\" y=\"{}%\" height=\"{}%\" rx=\"2\"/></g>",
            times::day(*day),
            hundredths(x),
            hundredths(width),
            if *day == today { " part" } else { "" },
            hundredths(x + (width - inner) / 2),
            hundredths(inner),
            tenths(1000 - height),
            tenths(height),
        );
        if place % every == every / 2 {
            let (x, day) = (hundredths(x + width / 2), times::short_day(*day));
            let _ = write!(parts, "<text x=\"{x}%\" y=\"100%\" dy=\"18\">{day}</text>");
        }
    }
    format!("<svg role=\"img\" aria-label=\"{total} downloads in {} days\">{parts}</svg>", days.len())
}

fn hundredths(value: i64) -> String {
    format!("{}.{:02}", value / 100, value % 100)
}

fn tenths(value: i64) -> String {
    format!("{}.{}", value / 10, value % 10)
}

#[cfg(test)]
mod tests {
    use model::timestamp::Timestamp;

    use super::*;

    #[test]
    fn every_day_has_a_column_and_a_row() {
        let today = Day::of(Timestamp::from_millis(1_768_478_400_000));
        let of = |day: Day, version: &str, count| DailyDownloads { day: day.number(), version: version.into(), count };
        let records = vec![of(today, "1.0", 3), of(today, "2.0", 4), of(today.plus(-2), "1.0", 1)];
        let chart = Chart::new(&Statistics { days: Days::until(today, 30), records }, today);
        assert_eq!((chart.days.len(), chart.total), (30, 8));
        assert_eq!(chart.days.last().map(|(_, count)| *count), Some(7));
        assert_eq!(chart.picture.matches("class=\"column\"").count(), 29);
        assert_eq!(chart.picture.matches("class=\"column part\"").count(), 1);
        assert!(chart.picture.contains("<title>15 January 2026: 7</title>"), "{}", chart.picture);
        assert_eq!(chart.scale, ["8", "6", "4", "2", "0"]);
        assert_eq!(chart.busiest(), Some(("15 Jan".to_owned(), "7".to_owned())));
        assert_eq!(chart.average(), "0.3");
        assert!(chart.spark().is_some());
        assert!(Chart::new(&Statistics { days: Days::until(today, 30), records: Vec::new() }, today).spark().is_none());
    }

    #[test]
    fn the_scale_ends_at_a_round_number() {
        assert_eq!([0, 4, 5, 118, 1_000_000].map(top), [4, 4, 8, 120, 1_200_000]);
        assert!(top(i64::MAX) == i64::MAX);
    }
}
