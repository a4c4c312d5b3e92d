//! The accessibility checker for pages: axe-core, an npm package.

use crate::clients::{ensure_folder, fetch_npm};
use crate::failure::Result;

/// Finds or downloads axe-core. Returns the environment variable that tells tests where it is.
pub(crate) fn ensure() -> Result<(String, String)> {
    let folder = ensure_folder("axe", &["axe-core@4.14.0"], fetch_npm)?;
    Ok(("PACKHOUSE_TEST_AXE".into(), format!("{folder}/node_modules/axe-core/axe.min.js")))
}
