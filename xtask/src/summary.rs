//! Parses the summary lines of test runners.

use std::fmt;
use std::ops::AddAssign;

/// The number of tests by result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Count {
    /// Tests that passed.
    pub(crate) passed: u64,
    /// Tests that failed, timed out, or did not start.
    pub(crate) failed: u64,
    /// Tests that were skipped.
    pub(crate) skipped: u64,
}

impl Count {
    /// Parses `Summary [ 0.1s] 3 tests run: 2 passed (1 slow), 1 timed out, 0 skipped`.
    pub(crate) fn from_nextest(line: &str) -> Option<Self> {
        let line = without_colour(line);
        let (_, counts) = line.trim_start().strip_prefix("Summary [")?.split_once(" run: ")?;
        Some(Self::read(&without_parentheses(counts), ','))
    }

    /// Parses `test result: ok. 2 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out`.
    pub(crate) fn from_cargo_test(line: &str) -> Option<Self> {
        let line = without_colour(line);
        let (_, counts) = line.strip_prefix("test result: ")?.split_once(". ")?;
        Some(Self::read(counts, ';'))
    }

    /// Returns the number of tests that ran.
    pub(crate) fn ran(self) -> u64 {
        self.passed + self.failed
    }

    fn read(counts: &str, separator: char) -> Self {
        let mut count = Self::default();
        for part in counts.split(separator) {
            let Some((number, word)) = part.trim().split_once(' ') else {
                continue;
            };
            let Ok(number) = number.parse::<u64>() else {
                continue;
            };
            match word {
                "passed" => count.passed += number,
                "failed" | "exec failed" | "timed out" => count.failed += number,
                "skipped" | "ignored" | "filtered out" => count.skipped += number,
                _ => {}
            }
        }
        count
    }
}

impl AddAssign for Count {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }
}

impl fmt::Display for Count {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} passed, {} failed", self.passed, self.failed)?;
        if self.skipped > 0 {
            write!(formatter, ", {} skipped", self.skipped)?;
        }
        Ok(())
    }
}

/// Returns the line without color codes.
pub(crate) fn without_colour(line: &str) -> String {
    let mut plain = String::with_capacity(line.len());
    let mut is_escape = false;
    for character in line.chars() {
        match character {
            '\u{1b}' => is_escape = true,
            'm' if is_escape => is_escape = false,
            _ if is_escape => {}
            _ => plain.push(character),
        }
    }
    plain
}

fn without_parentheses(text: &str) -> String {
    let mut depth = 0_u32;
    let mut plain = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            _ => plain.push(character),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(passed: u64, failed: u64, skipped: u64) -> Option<Count> {
        Some(Count { passed, failed, skipped })
    }

    #[test]
    fn a_plain_nextest_summary_is_read() {
        let line = "     Summary [   0.012s] 123 tests run: 122 passed, 1 failed, 4 skipped";
        assert_eq!(Count::from_nextest(line), count(122, 1, 4));
    }

    #[test]
    fn every_way_to_fail_in_nextest_is_a_failure() {
        let line = "Summary [ 9.1s] 7/9 tests run: 3 passed (1 slow, 1 leaky), 1 failed (1 due to \
                    being leaky), 1 exec failed, 2 timed out, 0 skipped";
        assert_eq!(Count::from_nextest(line), count(3, 4, 0));
    }

    #[test]
    fn a_coloured_nextest_summary_is_read() {
        let line = "\u{1b}[32;1m     Summary\u{1b}[0m [   0.006s] \u{1b}[1m2\u{1b}[0m tests run: \
                    \u{1b}[1m2\u{1b}[0m \u{1b}[32;1mpassed\u{1b}[0m, \u{1b}[1m0\u{1b}[0m skipped";
        assert_eq!(Count::from_nextest(line), count(2, 0, 0));
    }

    #[test]
    fn a_cargo_test_result_is_read() {
        let line = "test result: FAILED. 2 passed; 1 failed; 1 ignored; 0 measured; 0 filtered \
                    out; finished in 0.00s";
        assert_eq!(Count::from_cargo_test(line), count(2, 1, 1));
    }

    #[test]
    fn other_lines_are_no_summary() {
        assert_eq!(Count::from_nextest("PASS [ 0.005s] model names::run"), None);
        assert_eq!(Count::from_cargo_test("test result_is_kept ... ok"), None);
    }

    #[test]
    fn skipped_tests_are_only_told_when_there_are_any() {
        let whole = Count { passed: 3, ..Count::default() };
        assert_eq!(whole.to_string(), "3 passed, 0 failed");
        let partial = Count { skipped: 2, ..whole };
        assert_eq!(partial.to_string(), "3 passed, 0 failed, 2 skipped");
    }
}
