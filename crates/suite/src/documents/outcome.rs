//! The results of a script's blocks.

use super::Block;

/// The result of a block.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    /// The commands that failed, with their exit codes.
    pub(super) failures: Vec<String>,
    /// The statuses of its requests.
    pub(super) statuses: Vec<u16>,
    /// What it printed on either output.
    pub(super) output: String,
}

/// Asserts that all blocks of a document ended as documented. `printed` is the output of its script, and then its errors.
#[track_caller]
pub fn check(document: &str, blocks: &[Block], printed: &str) {
    for (number, block) in blocks.iter().enumerate() {
        let outcome = outcome(printed, number);
        let is_as_said = outcome.as_ref().is_some_and(|outcome| block.expects(outcome));
        assert!(is_as_said, "{document}: {block:?}\nended with {outcome:?}\n{printed}");
    }
}

/// Returns the result of a block from the script's output and then its errors; `None` if the script did not get to its
/// end.
fn outcome(printed: &str, number: usize) -> Option<Outcome> {
    let mut outcome = Outcome::default();
    let (mut is_inside, mut has_ended) = (false, false);
    for line in printed.lines() {
        match line.split_once(' ') {
            Some(("output" | "block", text)) if is_number(text) => is_inside = text == number.to_string(),
            Some(("end", text)) if is_number(text) => has_ended |= text == number.to_string(),
            Some(("status", text)) if is_inside && is_number(text) => outcome.statuses.extend(text.parse::<u16>()),
            Some(("failed", text)) if is_inside => outcome.failures.push(text.to_owned()),
            _ if is_inside => outcome.output += &format!("{line}\n"),
            _ => {}
        }
    }
    has_ended.then_some(outcome)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_result_of_a_block_has_its_output_its_statuses_and_its_failures() {
        let printed =
            "\noutput 0\none\n\noutput 1\ntwo\n\nblock 0\n\nend 0\n\nblock 1\n\nstatus 404\n\nfailed 3: x y\n";
        let first = outcome(printed, 0).expect("it has ended");
        assert_eq!((first.output.trim(), first.statuses, first.failures), ("one", vec![], vec![]));
        assert!(outcome(printed, 1).is_none());
        let second = outcome(&format!("{printed}\nend 1\n"), 1).expect("it has ended");
        assert_eq!((second.statuses, second.failures), (vec![404], vec!["3: x y".to_owned()]));
    }
}
