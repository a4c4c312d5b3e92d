//! `packhouse config`: what is set.

use crate::arguments::ConfigCommand;

pub(crate) fn run(command: &ConfigCommand) -> Result<(), String> {
    match command {
        ConfigCommand::Show(flags) => print!("{}", flags.settings()?.show()),
        ConfigCommand::Check(flags) => {
            flags.settings()?;
            println!("the settings are fine");
        }
    }
    Ok(())
}
