//! The command line as people see it: commands in groups, each with examples, and flags at any place.

use std::ffi::OsString;

use clap::{Command, CommandFactory};

use crate::{arguments::Arguments, examples};

/// The groups of commands in the help of the program.
const GROUPS: [(&str, &[&str]); 7] = [
    ("Server commands", &["serve", "config", "admin", "demo", "upgrade-check"]),
    ("Account commands", &["login", "logout", "whoami", "can-i", "token", "publisher", "org", "team", "gpg"]),
    ("Publish and download commands", &["push", "publish", "discard", "pull", "sign", "sign-url", "delete"]),
    ("Browse commands", &["ls", "show", "search", "stats", "usage", "logs", "stream", "audit"]),
    ("Catalogue commands", &["repo", "package", "version", "readme", "notes", "tag", "attributes", "link"]),
    ("Customer commands", &["keys", "entitlements", "product", "eula", "restrictions"]),
    ("Other commands", &["webhook", "doctor", "completions", "man", "help"]),
];

/// The flags that may come before the command: those with a value, and those without.
const WITH_VALUE: [&str; 7] = ["--url", "--user", "--api-key", "--timeout", "--config", "--listen", "--data"];
const WITHOUT_VALUE: [&str; 9] = ["--json", "--quiet", "-q", "--dry-run", "--yes", "-y", "-qy", "-yq", "--init"];

/// The whole command line, with groups and examples.
pub(crate) fn command() -> Command {
    let command = with_examples(Arguments::command(), "");
    let groups: String = GROUPS.iter().map(|(title, names)| group(&command, title, names)).collect();
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{groups}Options:\n{{options}}\n\n\
         Flags such as --url, --json and --data may stand before or after the command.\n\
         `packhouse COMMAND --help` describes a command, with examples.\n"
    );
    command.help_template(template)
}

/// Adds the examples to the help of a command and of its subcommands.
fn with_examples(command: Command, path: &str) -> Command {
    let names: Vec<String> = command.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    let command = names.into_iter().fold(command, |command, name| {
        let path = if path.is_empty() { name.clone() } else { format!("{path} {name}") };
        command.mut_subcommand(&name, |command| with_examples(command, &path))
    });
    let lines: Vec<String> = match path {
        "" => Vec::new(),
        path => examples::of(path).map(|(line, meaning)| format!("  # {meaning}\n  {line}")).collect(),
    };
    if lines.is_empty() { command } else { command.after_help(format!("Examples:\n{}", lines.join("\n"))) }
}

fn group(command: &Command, title: &str, names: &[&str]) -> String {
    let line = |name: &&str| {
        let about = command.find_subcommand(name).and_then(|command| command.get_about());
        let about = about.map_or_else(|| "Print the help of a command".to_owned(), ToString::to_string);
        format!("  {name:<14}{about}\n")
    };
    format!("{title}:\n{}\n", names.iter().map(line).collect::<String>())
}

/// Moves flags from before the command to after it, where the command defines them.
pub(crate) fn reorder(arguments: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut rest = arguments.into_iter();
    let mut ordered: Vec<OsString> = rest.next().into_iter().collect();
    let mut flags = Vec::new();
    while let Some(argument) = rest.next() {
        let text = argument.to_string_lossy();
        let name = text.split('=').next().unwrap_or_default();
        if WITH_VALUE.contains(&name) {
            let has_value = text.contains('=');
            flags.push(argument);
            flags.extend(if has_value { None } else { rest.next() });
        } else if WITHOUT_VALUE.contains(&&*text) {
            flags.push(argument);
        } else {
            ordered.push(argument);
            break;
        }
    }
    ordered.extend(flags);
    ordered.extend(rest);
    ordered
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn flags_before_the_command_move_behind_it() {
        for (given, wanted) in [
            ("packhouse --url http://x --json ls ada", "packhouse ls --url http://x --json ada"),
            ("packhouse --url=http://x ls", "packhouse ls --url=http://x"),
            ("packhouse --data d serve --listen 127.0.0.1:1", "packhouse serve --data d --listen 127.0.0.1:1"),
            ("packhouse -q push a -- --json", "packhouse push -q a -- --json"),
            ("packhouse -yq --data d --init admin check", "packhouse admin -yq --data d --init check"),
            ("packhouse --version", "packhouse --version"),
            ("packhouse --url", "packhouse --url"),
        ] {
            assert_eq!(reorder(words(given)), words(wanted), "{given}");
        }
    }

    #[test]
    fn every_command_is_in_one_group() {
        let command = Arguments::command();
        let mut named: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        let mut known: Vec<&str> = command.get_subcommands().map(Command::get_name).chain(["help"]).collect();
        named.sort_unstable();
        known.sort_unstable();
        assert_eq!(named, known);
    }

    #[test]
    fn flags_are_known_at_any_place() {
        for line in [
            "packhouse --config c config show",
            "packhouse config --config c check",
            "packhouse --data d --init admin user ls",
            "packhouse -yq delete ada/tools",
            "packhouse --url http://x repo --json create ada/tools",
        ] {
            let parsed = command().try_get_matches_from(reorder(words(line)));
            assert!(parsed.is_ok(), "{line}: {}", parsed.unwrap_err());
        }
    }

    /// Splits a line like a shell, as far as the examples need it.
    fn split(line: &str) -> Vec<String> {
        let mut parts = vec![String::new()];
        let mut is_quoted = false;
        for letter in line.chars() {
            match letter {
                '"' => is_quoted = !is_quoted,
                ' ' if !is_quoted => parts.push(String::new()),
                letter => parts.last_mut().expect("one part").push(letter),
            }
        }
        let end = parts.iter().position(|part| part == ">" || part == "<").unwrap_or(parts.len());
        parts.truncate(end);
        parts
    }

    #[test]
    fn every_example_is_a_valid_command() {
        for (line, _) in examples::EXAMPLES {
            let parsed = command().try_get_matches_from(split(line));
            assert!(parsed.is_ok(), "{line}: {}", parsed.unwrap_err());
        }
    }

    #[test]
    fn every_command_has_an_example() {
        fn leaves(command: &Command, path: &str, missing: &mut Vec<String>) {
            for child in command.get_subcommands() {
                let path = format!("{path} {}", child.get_name()).trim().to_owned();
                leaves(child, &path, missing);
                if examples::of(&path).next().is_none() {
                    missing.push(path);
                }
            }
        }
        let mut missing = Vec::new();
        leaves(&Arguments::command(), "", &mut missing);
        assert!(missing.is_empty(), "commands without an example: {missing:?}");
    }
}
