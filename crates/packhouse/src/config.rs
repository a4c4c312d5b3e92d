//! `packhouse config`: shows and checks the settings.

use std::path::PathBuf;

use settings::Settings;

use crate::{
    arguments::{ConfigAction, ConfigCommand},
    logging,
    serve::tls_files,
};

pub(crate) fn run(command: &ConfigCommand) -> Result<(), String> {
    let settings = command.flags.settings()?;
    match command.action {
        ConfigAction::Show => print!("{}", settings.show()),
        ConfigAction::Check => {
            logging::filter(&settings.log)?;
            let problems = problems(&settings);
            if !problems.is_empty() {
                return Err(problems.join("\n"));
            }
            println!("the settings are fine");
        }
    }
    Ok(())
}

/// The problems that a start would meet, or that would lock everybody out.
fn problems(settings: &Settings) -> Vec<String> {
    let mut problems = missing_files(settings);
    if let Some(Err(error)) = tls_files(settings).map(|files| files.check()) {
        problems.push(format!("`tls.certificate` and `tls.key`: {error}"));
    }
    if refuses_credentials(settings) {
        problems.push(format!(
            "`listen` is `{}` without TLS and without proxies: nobody on another machine can sign in; set \
             `tls.certificate` and `tls.key`, or `trusted_proxies` to the networks of your proxies",
            settings.listen
        ));
    }
    problems
}

/// Whether the server refuses all credentials from other machines: they would travel in the clear.
pub(crate) fn refuses_credentials(settings: &Settings) -> bool {
    let is_reachable = !settings.listen.ip().is_loopback();
    is_reachable && settings.tls.certificate.is_none() && settings.trusted_proxies.is_empty()
}

/// The files that the settings name and that cannot be read, each with the reason.
pub(crate) fn missing_files(settings: &Settings) -> Vec<String> {
    let named: [(&str, &Option<PathBuf>); 4] = [
        ("database.ca_file", &settings.database.ca_file),
        ("geo.database", &settings.geo.database),
        ("mail.password_file", &settings.mail.password_file),
        ("mail.ca_file", &settings.mail.ca_file),
    ];
    let unreadable = named.into_iter().filter_map(|(key, file)| {
        let file = file.as_ref()?;
        let error = std::fs::File::open(file).err()?;
        Some(format!("`{key}` is `{}`: {error}", file.display()))
    });
    unreadable.chain(missing_key_folder(settings)).collect()
}

/// The first start creates the master key, but not its folder.
fn missing_key_folder(settings: &Settings) -> Option<String> {
    let file = settings.master_key_file.as_ref()?;
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty())?;
    let error = std::fs::metadata(folder).err()?;
    Some(format!("`master_key_file` is `{}`: {}: {error}", file.display(), folder.display()))
}
