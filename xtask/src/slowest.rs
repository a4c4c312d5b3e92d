//! The slowest tests, from the output of the runner.

use std::time::Duration;

use crate::summary::without_colour;

/// The number of tests to print.
const SHOWN: usize = 20;

/// How long each test took.
#[derive(Debug, Default)]
pub(crate) struct Slowest(Vec<(Duration, String)>);

impl Slowest {
    /// Parses a line of nextest, such as `PASS [   0.839s] ( 727/1931) packhouse::process config::shown`.
    pub(crate) fn read(&mut self, line: &str) {
        self.0.extend(outcome(&without_colour(line)));
    }

    /// Returns the slowest tests, one per line.
    pub(crate) fn lines(mut self) -> Vec<String> {
        self.0.sort_by(|one, other| other.cmp(one));
        self.0.iter().take(SHOWN).map(|(took, name)| format!("{:8.1} s  {name}", took.as_secs_f64())).collect()
    }
}

fn outcome(line: &str) -> Option<(Duration, String)> {
    let (verdict, rest) = line.trim_start().split_once(' ')?;
    if !matches!(verdict, "PASS" | "FAIL") {
        return None;
    }
    let (seconds, name) = rest.trim_start().strip_prefix('[')?.split_once("s]")?;
    let took = Duration::try_from_secs_f64(seconds.trim().parse().ok()?).ok()?;
    let name = match name.trim_start().strip_prefix('(') {
        Some(counted) => counted.split_once(')')?.1,
        None => name,
    };
    Some((took, name.trim().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slowest_come_first_and_twenty_are_enough() {
        let mut slowest = Slowest::default();
        for seconds in 1..=30 {
            slowest.read(&format!("        PASS [  {seconds}.500s] ( {seconds}/30) suite::http test_{seconds}"));
        }
        let lines = slowest.lines();
        assert_eq!(lines.len(), 20);
        assert_eq!(lines[0], "    30.5 s  suite::http test_30");
        assert_eq!(lines[19], "    11.5 s  suite::http test_11");
    }

    #[test]
    fn other_lines_are_passed_over() {
        let mut slowest = Slowest::default();
        for line in
            ["     Summary [ 815.309s] 1931 tests run: 1931 passed", "   SLOW [> 60.000s] suite::http a", "PASS"]
        {
            slowest.read(line);
        }
        assert_eq!(slowest.lines(), Vec::<String>::new());
    }
}
