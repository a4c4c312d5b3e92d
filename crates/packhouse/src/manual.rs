//! `packhouse completions` and `packhouse man`: shell completions and manual pages.

use std::{
    fs,
    io::{self, Write},
    path::Path,
};

use clap::Command;
use clap_mangen::{
    Man,
    roff::{Roff, bold, roman},
};

use crate::{examples, help};

/// The exit codes of commands that work on the server's own data.
const SERVER_CODES: [(&str, &str); 3] =
    [("0", "done"), ("1", "it failed, or a problem was found"), ("2", "the command line is not valid")];

/// The commands that are not client commands.
const SERVER: [&str; 7] = ["serve", "config", "admin", "demo", "upgrade-check", "completions", "man"];

/// Prints completions for a shell.
pub(crate) fn completions(shell: clap_complete::Shell) -> Result<(), String> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut help::command(), "packhouse", &mut text);
    print(&text);
    Ok(())
}

/// Prints the manual page of a command; without a name, that of the program.
pub(crate) fn print_page(names: &[String]) -> Result<(), String> {
    let program = built();
    let mut command = &program;
    for name in names {
        let found = command.find_subcommand(name);
        command = found.ok_or_else(|| {
            format!(
                "there is no command `{}`; `packhouse --help` lists all, and --folder writes all pages",
                names.join(" ")
            )
        })?;
    }
    let path: Vec<&str> = names.iter().map(String::as_str).collect();
    print(&page(command, &path.join(" ")).map_err(|error| error.to_string())?);
    Ok(())
}

/// Writes the manual pages of all commands.
pub(crate) fn write_pages(folder: &Path) -> Result<(), String> {
    let failed = |error: io::Error| format!("{}: {error}", folder.display());
    fs::create_dir_all(folder).map_err(failed)?;
    write(&built(), "", folder).map_err(failed)
}

/// The command line with the full names of all commands.
fn built() -> Command {
    let mut command = help::command().disable_help_subcommand(true);
    command.build();
    command
}

/// Writes the page of a command and those of its subcommands.
fn write(command: &Command, path: &str, folder: &Path) -> io::Result<()> {
    for child in command.get_subcommands().filter(|child| !child.is_hide_set()) {
        write(child, format!("{path} {}", child.get_name()).trim(), folder)?;
    }
    let name = Man::new(command.clone()).get_filename();
    fs::write(folder.join(name), page(command, path)?)
}

/// Returns the page of a command.
fn page(command: &Command, path: &str) -> io::Result<Vec<u8>> {
    let man = Man::new(command.clone());
    let mut text = Vec::new();
    man.render_title(&mut text)?;
    man.render_name_section(&mut text)?;
    man.render_synopsis_section(&mut text)?;
    man.render_description_section(&mut text)?;
    man.render_options_section(&mut text)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut text)?;
    }
    let mut sections = Roff::new();
    let examples: Vec<&examples::Example> = match path {
        "" => examples::EXAMPLES.iter().filter(|(line, _)| line.split(' ').count() == 2).collect(),
        path => examples::of(path).collect(),
    };
    sections.control("SH", ["EXAMPLES"]);
    for (line, meaning) in examples {
        sections.control("TP", []).text([roman(*meaning)]).text([bold(*line)]);
    }
    sections.control("SH", ["EXIT STATUS"]);
    let is_server = SERVER.contains(&path.split(' ').next().unwrap_or_default());
    let codes: &[(&str, &str)] = if is_server { &SERVER_CODES } else { &cli::EXIT_CODES };
    for (code, meaning) in codes {
        sections.control("TP", []).text([bold(*code)]).text([roman(*meaning)]);
    }
    sections.to_writer(&mut text)?;
    if command.get_version().is_some() {
        man.render_version_section(&mut text)?;
    }
    Ok(text)
}

/// Ignores errors, because the reader of the output may stop early.
fn print(text: &[u8]) {
    let _ = io::stdout().write_all(text);
}
