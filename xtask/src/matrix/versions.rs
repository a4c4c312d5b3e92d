//! The versions of clients.

use std::process::{Command, Stdio};

use crate::clients;
use crate::failure::{Attempt, Failure, Result};

/// Returns the version of a client: the pinned one, or what the program on the search path says.
pub(super) fn of(client: &str) -> Result<String> {
    if let Some(version) = clients::pinned(client) {
        return Ok(version.to_owned());
    }
    let argument = if client == "go" { "version" } else { "--version" };
    let ran = Command::new(client).arg(argument).env("COMPOSER_ALLOW_SUPERUSER", "1").stdin(Stdio::null()).output();
    let ran = ran.attempt(format!("cannot start `{client}`"))?;
    let printed = String::from_utf8_lossy(&[ran.stdout, ran.stderr].concat()).into_owned();
    number(&printed).ok_or_else(|| Failure::new(format!("`{client} {argument}` prints no version")))
}

/// Finds the first word with two numbers, such as `2.5.5`, `v1.0` or `go1.19.8`.
fn number(printed: &str) -> Option<String> {
    printed.split_whitespace().find_map(|word| {
        let start = word.find(|c: char| c.is_ascii_digit())?;
        let is_prefix = word[..start].chars().all(|c| c.is_ascii_lowercase());
        let version = word[start..].trim_end_matches(|c: char| !c.is_ascii_alphanumeric());
        (is_prefix && version.contains('.')).then(|| version.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_found_in_what_a_program_prints() {
        for (printed, version) in [
            ("Composer version 2.5.5 2023-03-21 11:50:05\n", "2.5.5"),
            ("go version go1.19.8 linux/amd64\n", "1.19.8"),
            ("Vagrant 2.3.4\n", "2.3.4"),
            ("cargo 1.95.0 (f2d3ce0bd 2026-03-21)\n", "1.95.0"),
            ("v3.17.3+g1\n", "3.17.3+g1"),
        ] {
            assert_eq!(number(printed).as_deref(), Some(version));
        }
        assert_eq!(number("no version 7\n"), None);
    }
}
