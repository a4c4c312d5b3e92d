//! The program: server, administration and client in one binary.

mod admin;
mod arguments;
mod config;
mod demo;
mod examples;
mod help;
mod logging;
mod manual;
mod names;
mod serve;
mod traces;
mod upgrade;

use std::process::ExitCode;

use arguments::{Arguments, Command};
use clap::FromArgMatches;

fn main() -> ExitCode {
    names::configure();
    let matches = help::command().get_matches_from(help::reorder(std::env::args_os()));
    let arguments = match Arguments::from_arg_matches(&matches) {
        Ok(arguments) => arguments,
        Err(error) => error.format(&mut help::command()).exit(),
    };
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return fail(&format!("starting threads failed: {error}")),
    };
    if let Command::Client(command) = &arguments.command {
        let code = runtime.block_on(cli::run(command));
        // Do not wait for work that the user has interrupted.
        runtime.shutdown_background();
        return ExitCode::from(code);
    }
    // Files that a server creates contain secrets or names of people, so only its own user may read them.
    nix::sys::stat::umask(nix::sys::stat::Mode::from_bits_truncate(0o077));
    let result = match arguments.command {
        Command::Serve(flags) => runtime.block_on(serve::run(&flags)),
        Command::Config(command) => config::run(&command),
        Command::Admin(command) => runtime.block_on(admin::run(&command)),
        Command::Demo(flags) => runtime.block_on(demo::run(&flags)),
        Command::UpgradeCheck(flags) => runtime.block_on(upgrade::run(&flags)),
        Command::Completions { shell } => manual::completions(shell),
        Command::Man { command, folder: None } => manual::print_page(&command),
        Command::Man { folder: Some(folder), .. } => manual::write_pages(&folder),
        Command::Client(_) => unreachable!("it was run before"),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => fail(&message),
    }
}

fn fail(message: &str) -> ExitCode {
    eprintln!("packhouse: {message}");
    ExitCode::FAILURE
}
