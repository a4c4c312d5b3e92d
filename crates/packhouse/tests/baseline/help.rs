//! The help of the program and of every command in it.

use std::process::{Command, Stdio};

use crate::{assert_recorded, program};

/// Returns the long help of a command, as `--help` prints it.
fn help(command: &[String]) -> String {
    let mut asked = Command::new(program());
    let others = std::env::vars_os().filter(|(name, _)| !name.to_string_lossy().starts_with("PACKHOUSE_"));
    // Personal settings and the width of the terminal must not affect the output.
    asked.env_clear().envs(others).env_remove("COLUMNS").args(command).arg("--help").stdin(Stdio::null());
    let output = asked.output().expect("the program starts");
    assert!(output.status.success(), "{command:?}: {output:?}");
    String::from_utf8(output.stdout).expect("help is text")
}

/// Returns the commands that a help text lists.
fn listed(help: &str) -> Vec<String> {
    // The program lists its commands in groups, and each command lists its own in one.
    let groups = help.split("\n\n").filter(|part| part.lines().next().is_some_and(|line| line.ends_with("ommands:")));
    let lines = groups.flat_map(|group| group.lines().skip(1));
    // A line with more indentation continues the line above.
    let names = lines.filter_map(|line| line.strip_prefix("  ")).filter(|line| !line.starts_with(' '));
    let names = names.filter_map(|line| line.split(' ').next()).filter(|name| *name != "help");
    names.map(str::to_owned).collect()
}

/// Appends the help of a command and of its subcommands.
fn write(command: Vec<String>, lines: &mut String) {
    let text = help(&command);
    *lines += &format!("## {}\n\n{text}\n", [&["packhouse".to_owned()], &command[..]].concat().join(" "));
    for name in listed(&text) {
        write([&command[..], &[name]].concat(), lines);
    }
}

#[test]
fn every_command_says_the_same_about_itself_as_before() {
    let mut lines = String::new();
    write(Vec::new(), &mut lines);
    assert!(lines.matches("## packhouse").count() > 50, "{lines}");
    assert_recorded("help", &lines);
}
