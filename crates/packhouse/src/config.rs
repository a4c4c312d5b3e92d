//! `packhouse config`: shows and checks the settings.

use crate::{arguments::ConfigCommand, logging};

pub(crate) fn run(command: &ConfigCommand) -> Result<(), String> {
    match command {
        ConfigCommand::Show(flags) => print!("{}", flags.settings()?.show()),
        ConfigCommand::Check(flags) => {
            logging::filter(&flags.settings()?.log)?;
            println!("the settings are fine");
        }
    }
    Ok(())
}
