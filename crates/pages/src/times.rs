//! Times for people: how long ago, with the exact time on hover; days and months in words.

use model::{day::Day, timestamp::Timestamp};

use crate::parts::Markup;

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// The time as an element: relative to now in sight, exact on hover.
pub(crate) fn when(now: Timestamp, at: Timestamp) -> Markup {
    let (exact, words) = (at.to_string(), relative(now, at));
    let (day, time) = (exact.get(..10).unwrap_or_default(), exact.get(11..19).unwrap_or_default());
    Markup(format!("<time datetime=\"{day}T{time}Z\" title=\"{day} {time} UTC\">{words}</time>"))
}

/// The time of day as an element, exact on hover, for lists under a day.
pub(crate) fn clock(at: Timestamp) -> Markup {
    let exact = at.to_string();
    let (day, time) = (exact.get(..10).unwrap_or_default(), exact.get(11..19).unwrap_or_default());
    let minutes = time.get(..5).unwrap_or_default();
    Markup(format!("<time datetime=\"{day}T{time}Z\" title=\"{day} {time} UTC\">{minutes}</time>"))
}

/// The day of a time in words, as a heading.
pub(crate) fn heading(now: Timestamp, at: Timestamp) -> String {
    let today = Day::of(now);
    match Day::of(at) {
        day if day == today => "Today".to_owned(),
        day if day == today.plus(-1) => "Yesterday".to_owned(),
        other => day(other),
    }
}

/// How long ago a time is, or how long until then.
fn relative(now: Timestamp, at: Timestamp) -> String {
    let seconds = now.millis().saturating_sub(at.millis()) / 1_000;
    let (is_past, seconds) = (seconds >= 0, seconds.abs());
    let (count, unit) = match seconds {
        0..45 => return if is_past { "just now" } else { "in a moment" }.to_owned(),
        45..HOUR => ((seconds + MINUTE / 2) / MINUTE, "minute"),
        HOUR..DAY => (seconds / HOUR, "hour"),
        _ => match seconds / DAY {
            1 => return if is_past { "yesterday" } else { "tomorrow" }.to_owned(),
            days @ 2..14 => (days, "day"),
            days @ 14..60 => (days / 7, "week"),
            // Whole months: 60 days are nearly two.
            days @ 60..365 => ((days * 12 + 12) / 365, "month"),
            days => (days / 365, "year"),
        },
    };
    let counted = match (count, unit) {
        (1, "hour") => "an hour".to_owned(),
        (1, unit) => format!("a {unit}"),
        (count, unit) => format!("{count} {unit}s"),
    };
    if is_past { format!("{counted} ago") } else { format!("in {counted}") }
}

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// A day in words, such as `2 October 2026`.
pub(crate) fn day(day: Day) -> String {
    let (year, month, number) = parts(day);
    format!("{number} {month} {year}")
}

/// A day for the axis of a chart, such as `2 Oct`.
pub(crate) fn short_day(day: Day) -> String {
    let (_, month, number) = parts(day);
    format!("{number} {}", &month[..3])
}

/// The month of a day in words, such as `October 2026`.
pub(crate) fn month(day: Day) -> String {
    let (year, month, _) = parts(day);
    format!("{month} {year}")
}

/// The year, the name of the month and the number of the day.
fn parts(day: Day) -> (String, &'static str, String) {
    let text = day.to_string();
    let mut numbers = text.split('-');
    let mut next = || numbers.next().unwrap_or_default();
    let (year, month, number) = (next().to_owned(), next().parse::<usize>().unwrap_or(1), next());
    let name = MONTHS.get(month.saturating_sub(1)).copied().unwrap_or(MONTHS[0]);
    (year, name, number.trim_start_matches('0').to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ago(seconds: i64) -> String {
        let now = Timestamp::from_millis(1_768_478_400_000);
        relative(now, Timestamp::from_millis(now.millis() - seconds * 1_000))
    }

    #[test]
    fn times_are_told_as_people_do() {
        let told =
            [0, 50, 20 * MINUTE, HOUR, 5 * HOUR, DAY, 3 * DAY, 20 * DAY, 60 * DAY, 70 * DAY, 400 * DAY, 800 * DAY]
                .map(ago);
        let expected = [
            "just now",
            "a minute ago",
            "20 minutes ago",
            "an hour ago",
            "5 hours ago",
            "yesterday",
            "3 days ago",
            "2 weeks ago",
            "2 months ago",
            "2 months ago",
            "a year ago",
            "2 years ago",
        ];
        assert_eq!(told, expected.map(str::to_owned));
        assert_eq!([-10, -DAY, -40 * DAY].map(ago), ["in a moment", "tomorrow", "in 5 weeks"].map(str::to_owned));
    }

    #[test]
    fn the_exact_time_is_on_hover() {
        let at = Timestamp::from_millis(1_768_478_400_123);
        let shown = when(at, at).0;
        assert_eq!(shown, "<time datetime=\"2026-01-15T12:00:00Z\" title=\"2026-01-15 12:00:00 UTC\">just now</time>");
    }

    #[test]
    fn days_and_months_are_in_words() {
        let at = Day::of(Timestamp::from_millis(1_767_312_000_000));
        assert_eq!(
            (day(at), short_day(at), month(at)),
            ("2 January 2026".into(), "2 Jan".into(), "January 2026".into())
        );
        let last = Day::of(Timestamp::from_millis(1_798_675_200_000));
        assert_eq!((day(last), short_day(last)), ("31 December 2026".into(), "31 Dec".into()));
    }
}
