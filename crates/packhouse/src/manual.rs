//! `packhouse completions` and `packhouse man`: shell completions and manual pages.

use std::{fs, io::Write, path::Path};

use clap::CommandFactory;

use crate::arguments::Arguments;

/// Prints completions for a shell.
pub(crate) fn completions(shell: clap_complete::Shell) -> Result<(), String> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "packhouse", &mut text);
    print(&text);
    Ok(())
}

/// Prints the manual page of the program, or writes the pages of all commands.
pub(crate) fn pages(folder: Option<&Path>) -> Result<(), String> {
    let Some(folder) = folder else {
        let mut text = Vec::new();
        clap_mangen::Man::new(Arguments::command()).render(&mut text).map_err(|error| error.to_string())?;
        print(&text);
        return Ok(());
    };
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    fs::create_dir_all(folder).map_err(failed)?;
    clap_mangen::generate_to(Arguments::command(), folder).map_err(failed)
}

/// Ignores errors, because the reader of the output may stop early.
fn print(text: &[u8]) {
    let _ = std::io::stdout().write_all(text);
}
