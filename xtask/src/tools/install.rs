//! Installs missing tools with the package manager of the system, or says how to.

use std::process::{Command, Stdio};

use super::is_on_path;
use super::list::Tool;
use crate::failure::{Attempt, Failure, Result};

/// Finds or installs tools.
pub(super) fn provide(tools: &[&'static Tool]) -> Result<()> {
    let missing = missing(tools);
    if !missing.is_empty() {
        install(&missing)?;
    }
    match self::missing(tools).as_slice() {
        [] => Ok(()),
        still_missing => Err(by_hand(still_missing)),
    }
}

fn missing(tools: &[&'static Tool]) -> Vec<&'static Tool> {
    tools.iter().copied().filter(|tool| !(tool.is_there)()).collect()
}

fn install(missing: &[&Tool]) -> Result<()> {
    let Some(privilege) = privilege().filter(|_| is_on_path("apt-get")) else {
        return Err(by_hand(missing));
    };
    let packages: Vec<_> = missing.iter().map(|tool| tool.debian).collect();
    eprintln!("installing {}", packages.join(", "));
    apt_get(privilege, &["update"], &[]).map_err(|_| by_hand(missing))?;
    let install = ["install", "--yes", "--no-install-recommends"];
    apt_get(privilege, &install, &packages).map_err(|_| by_hand(missing))
}

// Returns the prefix of a command that gives it the right to install packages.
fn privilege() -> Option<&'static [&'static str]> {
    if nix::unistd::geteuid().is_root() {
        return Some(&["env"]);
    }
    let may_sudo = Command::new("sudo")
        .args(["-n", "true"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    may_sudo.then_some(&["sudo", "-n", "env"])
}

fn apt_get(privilege: &[&str], arguments: &[&str], packages: &[&str]) -> Result<()> {
    let status = Command::new(privilege[0])
        .args(&privilege[1..])
        // In run level 1, packages do not start their services.
        .args(["DEBIAN_FRONTEND=noninteractive", "RUNLEVEL=1", "apt-get", "--quiet"])
        .args(arguments)
        .args(packages)
        .stdin(Stdio::null())
        .status()
        .attempt("cannot start `apt-get`")?;
    if status.success() {
        return Ok(());
    }
    Err(Failure::new(format!("`apt-get {}` failed", arguments[0])))
}

/// Returns a message that says how to install tools.
pub(super) fn by_hand(missing: &[&Tool]) -> Failure {
    let what: Vec<_> = missing.iter().map(|tool| tool.what).collect();
    let command = |start: &str, package: fn(&Tool) -> &'static str| {
        let packages: Vec<_> = missing.iter().map(|tool| package(tool)).collect();
        format!("run this, then try again:\n\n    {start} {}", packages.join(" "))
    };
    let hint = if is_on_path("apt-get") {
        command("sudo apt-get update && sudo apt-get install --yes", |tool| tool.debian)
    } else if is_on_path("dnf") {
        command("sudo dnf install --assumeyes", |tool| tool.fedora)
    } else if is_on_path("brew") {
        command("brew install", |tool| tool.homebrew)
    } else {
        "install it with the system's package manager, then try again".to_owned()
    };
    Failure::new(format!("this needs {}; {hint}", what.join(", ")))
}
