//! Draws the downloads of the last days as a picture and as a table.

use std::fmt::Write as _;

use model::{
    day::{Day, Days},
    statistics::DailyDownloads,
};
use operations::usage::statistics::Statistics;

/// The width and height of the picture, in its own units.
const WIDTH: i64 = 600;
const HEIGHT: i64 = 120;

/// Downloads by day.
#[derive(Debug, Clone)]
pub(crate) struct Chart {
    /// The picture as SVG. It contains no input from users.
    pub(crate) picture: String,
    /// The days with their downloads.
    pub(crate) days: Vec<(String, i64)>,
    /// The sum of all days.
    pub(crate) total: i64,
}

impl Chart {
    /// Draws the chart of these statistics.
    pub(crate) fn new(numbers: &Statistics<DailyDownloads>) -> Self {
        let days = counts(numbers.days, &numbers.records);
        let total = days.iter().map(|(_, count)| count).sum();
        Self { picture: picture(&days, total), days, total }
    }
}

fn counts(days: Days, records: &[DailyDownloads]) -> Vec<(String, i64)> {
    let of = |number: i64| records.iter().filter(|record| record.day == number).map(|record| record.count).sum();
    (days.first.number()..=days.last.number()).map(|day| (Day::from_number(day).to_string(), of(day))).collect()
}

/// One bar per day, relative to the tallest one. A tooltip shows the number.
fn picture(days: &[(String, i64)], total: i64) -> String {
    let most = days.iter().map(|(_, count)| *count).max().unwrap_or_default().max(1);
    let step = WIDTH / i64::try_from(days.len().max(1)).unwrap_or(WIDTH).max(1);
    let mut bars = String::new();
    for (place, (day, count)) in (0..).zip(days) {
        let height = (count * (HEIGHT - 4) / most).max(i64::from(*count > 0)).max(1);
        let (x, y, width) = (place * step + 1, HEIGHT - height, (step - 2).max(1));
        let class = if *count > 0 { "bar" } else { "bar none" };
        // Writing to a string cannot fail.
        let _ = write!(
            bars,
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"><title>{day}: {count}</title></rect>"
        );
    }
    format!(
        "<svg class=\"chart\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{total} downloads in {} days\" \
         preserveAspectRatio=\"none\" shape-rendering=\"crispEdges\">{bars}</svg>",
        days.len()
    )
}

#[cfg(test)]
mod tests {
    use model::timestamp::Timestamp;

    use super::*;

    #[test]
    fn every_day_has_a_bar_and_a_row() {
        let today = Day::of(Timestamp::from_millis(1_768_478_400_000));
        let of = |day: Day, version: &str, count| DailyDownloads { day: day.number(), version: version.into(), count };
        let records = vec![of(today, "1.0", 3), of(today, "2.0", 4), of(today.plus(-2), "1.0", 1)];
        let chart = Chart::new(&Statistics { days: Days::until(today, 30), records });
        assert_eq!((chart.days.len(), chart.total), (30, 8));
        assert_eq!(chart.days.last().map(|(_, count)| *count), Some(7));
        assert_eq!(chart.picture.matches("<rect").count(), 30);
        assert!(chart.picture.contains(&format!("<title>{today}: 7</title>")), "{}", chart.picture);
    }
}
