//! The rules of module zips, as `modzip.CheckZip` has them.

use std::collections::HashMap;

use super::{
    elements::check_file_path,
    go_mod::{GO_MOD_BYTES, made_up, module_of},
    module_path::ModulePath,
    version::GoVersion,
};
use crate::readers::{Content, Limits, quoted, zip::Zip, zip_sizes};

/// The maximum size of all files of a module.
const MODULE_BYTES: u64 = 500 * 1024 * 1024;

/// The maximum size of LICENSE.
const LICENSE_BYTES: u64 = 16 * 1024 * 1024;

/// Checks a module zip by its directory and returns its go.mod, or one made up for it.
pub fn inspect(
    content: &mut dyn Content,
    limits: &Limits,
    module: &ModulePath,
    version: &GoVersion,
) -> Result<Vec<u8>, String> {
    let invalid = |reason: String| format!("the module zip is not valid: {reason}");
    module.check_version(version)?;
    let sizes = zip_sizes::sizes(content, limits).map_err(invalid)?;
    let prefix = format!("{}@{}/", module.as_str(), version.as_str());
    check_files(&sizes, &prefix).map_err(invalid)?;
    let limits = Limits { member_bytes: GO_MOD_BYTES, ..limits.clone() };
    let go_mod = Zip::open(content, &limits)?.read(&format!("{prefix}go.mod")).map_err(invalid)?;
    let Some(go_mod) = go_mod else { return Ok(made_up(module).into_bytes()) };
    if version.is_incompatible() {
        return Err(invalid("a version with +incompatible has no go.mod".to_owned()));
    }
    let own = module_of(&go_mod).map_err(invalid)?;
    if own != *module {
        return Err(invalid(format!(
            "its go.mod says module '{}', but its path says '{}'",
            own.as_str(),
            module.as_str()
        )));
    }
    Ok(go_mod)
}

/// Checks the names and sizes of all files.
fn check_files(sizes: &[(String, u64)], prefix: &str) -> Result<(), String> {
    let mut folded = HashMap::new();
    let mut left_bytes = MODULE_BYTES;
    for (name, size_bytes) in sizes {
        let refuse = |reason: &str| Err(format!("entry '{}' {reason}", quoted(name)));
        let Some(path) = name.strip_prefix(prefix) else {
            return refuse(&format!("does not begin with '{}'", quoted(prefix)));
        };
        if let Err(reason) = check_file_path(path) {
            return refuse(&format!("has a path that is not allowed: {reason}"));
        }
        if !check_case(&mut folded, path) {
            return refuse("differs from another one only by letter case");
        }
        let base = path.rsplit('/').next().unwrap_or_default();
        if base.eq_ignore_ascii_case("go.mod") && path != "go.mod" {
            return refuse("is a go.mod that is not at the top or not in lower case");
        }
        let most_bytes = match path {
            "go.mod" => GO_MOD_BYTES,
            "LICENSE" => LICENSE_BYTES,
            _ => MODULE_BYTES,
        };
        if *size_bytes > most_bytes {
            return refuse(&format!("is larger than {most_bytes} bytes"));
        }
        left_bytes = match left_bytes.checked_sub(*size_bytes) {
            Some(left) => left,
            None => return Err("its files are larger than 500 MiB".to_owned()),
        };
    }
    Ok(())
}

/// Records a path and its folders; false if one of them differs from another only in case.
fn check_case<'a>(folded: &mut HashMap<String, &'a str>, path: &'a str) -> bool {
    let ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
    for end in ends {
        let part = &path[..end];
        if *folded.entry(part.to_lowercase()).or_insert(part) != part {
            return false;
        }
    }
    true
}

#[cfg(test)]
#[path = "inspect_tests.rs"]
mod tests;
