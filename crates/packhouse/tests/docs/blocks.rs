//! The commands of a document: fenced `sh` blocks with their documented status.

/// A command, and the status in the comment before it.
#[derive(Debug)]
pub(crate) struct Block {
    command: String,
    status: Option<u16>,
}

/// The result of a command.
#[derive(Debug)]
pub(crate) struct Outcome {
    code: i32,
    statuses: Vec<u16>,
}

impl Block {
    /// Returns whether a command ended as documented: with this status, or else without a failure.
    pub(crate) fn expects(&self, outcome: &Outcome) -> bool {
        let is_fine = match self.status {
            Some(status) => outcome.statuses == [status],
            None => outcome.statuses.iter().all(|status| (200..300).contains(status)),
        };
        is_fine && outcome.code == 0
    }
}

/// Returns all `sh` blocks of a document, in order.
pub(crate) fn read(document: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut status = None;
    let mut lines = document.lines();
    while let Some(line) = lines.next() {
        if let Some(text) = line.strip_prefix("<!-- expect: ").and_then(|rest| rest.strip_suffix(" -->")) {
            status = Some(text.parse().unwrap_or_else(|_| panic!("`{text}` is no status")));
        } else if line == "```sh" {
            let command = lines.by_ref().take_while(|line| *line != "```").collect::<Vec<_>>().join("\n");
            blocks.push(Block { command, status: status.take() });
        } else {
            assert!(status.is_none(), "an expectation stands before `{line}`, which is no command");
        }
    }
    blocks
}

/// Returns the same, with each line as a separate command, so that none can fail unnoticed.
pub(crate) fn read_lines(document: &str) -> Vec<Block> {
    let lines = |block: Block| block.command.lines().map(str::to_owned).collect::<Vec<_>>();
    let commands = read(document).into_iter().flat_map(lines);
    commands.map(|command| Block { command, status: None }).collect()
}

/// Returns the part of a document from a heading to the next one of the same level.
pub(crate) fn section<'d>(document: &'d str, heading: &str) -> &'d str {
    let (_, rest) = document.split_once(&format!("\n{heading}\n")).unwrap_or_else(|| panic!("`{heading}` is missing"));
    rest.split_once("\n## ").map_or(rest, |(section, _)| section)
}

/// Returns a script of all commands. It prints the number of each command, the status of each request, and the exit
/// code to standard error.
pub(crate) fn script(blocks: &[Block]) -> String {
    let prelude = "set -u -o pipefail\n\
        curl() { command curl --show-error --max-time 20 --write-out '%{stderr}status %{http_code}\\n' \"$@\"; }\n";
    let commands = blocks
        .iter()
        .enumerate()
        .map(|(number, block)| format!("echo 'block {number}' >&2\n{}\necho \"code $?\" >&2; echo\n", block.command));
    prelude.to_owned() + &commands.collect::<String>()
}

/// Returns the result of a command from the script's output; `None` if the script did not get there.
pub(crate) fn outcome(told: &str, number: usize) -> Option<Outcome> {
    let begin = format!("block {number}");
    let lines: Vec<&str> =
        told.lines().skip_while(|line| *line != begin).skip(1).take_while(|line| !line.starts_with("block ")).collect();
    let numbers = |name: &str| lines.iter().filter_map(|line| line.strip_prefix(name)).collect::<Vec<_>>();
    let code = numbers("code ").first()?.parse().ok()?;
    let statuses = numbers("status ").into_iter().filter_map(|status| status.parse().ok()).collect();
    Some(Outcome { code, statuses })
}
