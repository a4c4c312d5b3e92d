//! `cargo xtask dist`: builds the program that is shipped, and makes its packages.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use dist::{Program, Release, compile, verify};
use xtask::cargo;
use xtask::failure::Result;

/// Build the static program, and make its tarball, packages and image
///
/// The first build takes a quarter of an hour on two processors.
#[derive(Parser)]
#[command(name = "cargo xtask dist", bin_name = "cargo xtask dist")]
struct Options {
    /// Package this program instead of building it
    #[arg(long)]
    program: Option<PathBuf>,
    /// The folder for the packages, which is emptied before [default: target/packages]
    #[arg(long)]
    output: Option<PathBuf>,
    /// Sign the checksums with this key of gpg's keyring
    #[arg(long)]
    sign_key: Option<String>,
    /// Only build the newest commit again in another folder, and compare the programs
    #[arg(long, conflicts_with_all = ["program", "output", "sign_key"])]
    verify: bool,
}

fn main() -> ExitCode {
    match run(&Options::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("error: {failure}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Result<()> {
    let root = cargo::workspace_root();
    if options.verify {
        return verify::run(root);
    }
    let program = match &options.program {
        Some(program) => program.clone(),
        None => {
            let built = compile::build(root, &cargo::target_folder()?)?;
            compile::check(&built)?;
            built
        }
    };
    let folder = match &options.output {
        Some(folder) => folder.clone(),
        None => cargo::target_folder()?.join("packages"),
    };
    let mut paths = dist::make(&Release::of(root)?, &Program::read(&program)?, &folder)?;
    match (&options.sign_key, paths.last()) {
        (Some(key), Some(sums)) => paths.push(dist::sign(sums, key, None)?),
        _ => eprintln!("not signed: `--sign-key` names a key"),
    }
    paths.iter().for_each(|path| println!("{}", path.display()));
    Ok(())
}
