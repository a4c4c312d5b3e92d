//! Times for people: how long ago, with the exact time on hover.

use model::timestamp::Timestamp;

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
}
