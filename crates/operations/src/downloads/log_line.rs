//! Formats a download as a line of the log.

use std::fmt::{self, Display, Write};

use model::timestamp::Timestamp;

use crate::downloads::CompletedDownload;

/// The formatted time of the last line, because many lines share a second.
#[derive(Default)]
pub(super) struct LogTime {
    second: Option<i64>,
    text: String,
}

impl LogTime {
    fn of(&mut self, at: Timestamp) -> &str {
        let second = at.millis().div_euclid(1_000);
        if self.second != Some(second) {
            (self.second, self.text) = (Some(second), at.to_log_time());
        }
        &self.text
    }
}

impl CompletedDownload {
    /// Appends the log line. Text from clients is escaped, so that it cannot imitate another line.
    pub(super) fn write_line(&self, time: &mut LogTime, lines: &mut String) {
        let user = self.user.as_deref().unwrap_or("-");
        let (colon, callback_id) = self.callback_id.as_deref().map_or(("", ""), |id| (":", id));
        let written = writeln!(
            lines,
            "{} - {user}{colon}{} [{}] \"GET {} HTTP/1.1\" {} {} \"{}\" \"{}\"",
            self.address,
            Word(callback_id),
            time.of(self.at),
            Escaped(&self.path),
            self.status,
            self.bytes,
            Escaped(self.referer.as_deref().unwrap_or("-")),
            Escaped(self.agent.as_deref().unwrap_or("-")),
        );
        written.expect("a string takes what is written");
    }
}

struct Escaped<'t>(&'t str);

impl Display for Escaped<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_plain = |character: char| !matches!(character, '"' | '\\') && !character.is_control();
        if self.0.chars().all(is_plain) {
            return formatter.write_str(self.0);
        }
        for character in self.0.chars() {
            match character {
                '"' | '\\' => write!(formatter, "\\{character}")?,
                _ if character.is_control() => write!(formatter, "{}", character.escape_default())?,
                _ => formatter.write_char(character)?,
            }
        }
        Ok(())
    }
}

/// Text that is escaped to a single word.
struct Word<'t>(&'t str);

impl Display for Word<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for character in self.0.chars() {
            match character {
                '"' | '\\' => write!(formatter, "\\{character}")?,
                _ if character.is_control() || character.is_whitespace() => {
                    write!(formatter, "{}", character.escape_unicode())?;
                }
                _ => formatter.write_char(character)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use model::id::{PackageId, VersionId};

    use super::*;
    use crate::downloads::CountedVersion;

    fn delivered() -> CompletedDownload {
        CompletedDownload {
            counted: CountedVersion { package_id: PackageId::new(1), version_id: VersionId::new(2) },
            at: Timestamp::from_millis(1_768_478_400_000),
            address: Ipv4Addr::LOCALHOST.into(),
            country: None,
            user: Some("ada".into()),
            callback_id: None,
            key_id: None,
            path: "/ada/tools/a\"b".into(),
            status: 200,
            bytes: 4,
            referer: None,
            agent: Some("curl\n127.0.0.1 - \u{9b}".into()),
        }
    }

    fn line(delivered: &CompletedDownload) -> String {
        let mut line = String::new();
        delivered.write_line(&mut LogTime::default(), &mut line);
        line
    }

    #[test]
    fn what_a_signed_address_is_called_stands_behind_the_user() {
        let called = |user: Option<&str>, id: &str| {
            let delivered =
                CompletedDownload { user: user.map(Into::into), callback_id: Some(id.into()), ..delivered() };
            line(&delivered).split(" [").next().expect("a start").to_owned()
        };
        assert_eq!(called(Some("ada"), "order-17"), "127.0.0.1 - ada:order-17");
        assert_eq!(called(None, "17 [x]\"\u{a0}"), "127.0.0.1 - -:17\\u{20}[x]\\\"\\u{a0}");
    }

    #[test]
    fn a_line_cannot_be_made_to_look_like_two() {
        assert_eq!(
            line(&delivered()),
            "127.0.0.1 - ada [15/Jan/2026:12:00:00 +0000] \"GET /ada/tools/a\\\"b HTTP/1.1\" 200 4 \"-\" \"curl\\n127.0.0.1 - \\u{9b}\"\n"
        );
    }

    #[test]
    fn the_time_changes_with_the_second() {
        let mut time = LogTime::default();
        let of = [0, 999, 1_000, 0].map(|millis| time.of(Timestamp::from_millis(millis)).to_owned());
        assert_eq!(of[0], "01/Jan/1970:00:00:00 +0000");
        assert_eq!([&of[1], &of[3]], [&of[0], &of[0]]);
        assert_eq!(of[2], "01/Jan/1970:00:00:01 +0000");
    }
}
