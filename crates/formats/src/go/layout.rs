//! Paths below a module proxy.

use super::{
    escape::{escape, unescape},
    module_path::ModulePath,
    version::GoVersion,
};

/// A file or document of a module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GoPath {
    /// `@v/list`.
    List(ModulePath),
    /// `@latest`.
    Latest(ModulePath),
    /// `@v/<version>.info`.
    Info(ModulePath, GoVersion),
    /// `@v/<version>.mod`.
    GoMod(ModulePath, GoVersion),
    /// `@v/<version>.zip`.
    Zip(ModulePath, GoVersion),
}

impl GoPath {
    /// Parses a path below the repository's URL. The error says why a path of a module is not valid; versions that are
    /// branches or commits are `Ok(None)`, and so is everything else.
    pub fn parse(path: &str) -> Result<Option<Self>, String> {
        if let Some(module) = path.strip_suffix("/@latest") {
            return Ok(Some(Self::Latest(parse_module(module)?)));
        }
        let Some((module, file)) = path.rsplit_once("/@v/") else { return Ok(None) };
        let module = parse_module(module)?;
        if file == "list" {
            return Ok(Some(Self::List(module)));
        }
        let Some((version, kind)) = file.rsplit_once('.') else { return Ok(None) };
        let Some(version) = unescape(version).and_then(|version| GoVersion::parse(&version).ok()) else {
            return Ok(None);
        };
        Ok(match kind {
            "info" => Some(Self::Info(module, version)),
            "mod" => Some(Self::GoMod(module, version)),
            "zip" => Some(Self::Zip(module, version)),
            _ => None,
        })
    }
}

fn parse_module(escaped: &str) -> Result<ModulePath, String> {
    let invalid = || format!("module path '{}' is not escaped", crate::readers::quoted(escaped));
    ModulePath::parse(&unescape(escaped).ok_or_else(invalid)?)
}

/// The path of a file of a version; `kind` is `info`, `mod` or `zip`.
pub fn file_path(module: &ModulePath, version: &GoVersion, kind: &str) -> String {
    format!("{}/@v/{}.{kind}", module.escaped(), escape(version.as_str()))
}

/// The path of the list of versions.
pub fn list_path(module: &ModulePath) -> String {
    format!("{}/@v/list", module.escaped())
}

/// The path of the latest version.
pub fn latest_path(module: &ModulePath) -> String {
    format!("{}/@latest", module.escaped())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_paths_are_parsed() {
        let module = ModulePath::parse("github.com/Azure/x").expect("a path");
        let version = GoVersion::parse("v1.0.0-RC.1").expect("a version");
        assert_eq!(file_path(&module, &version, "zip"), "github.com/!azure/x/@v/v1.0.0-!r!c.1.zip");
        for (path, expected) in [
            (list_path(&module), GoPath::List(module.clone())),
            (latest_path(&module), GoPath::Latest(module.clone())),
            (file_path(&module, &version, "info"), GoPath::Info(module.clone(), version.clone())),
            (file_path(&module, &version, "mod"), GoPath::GoMod(module.clone(), version.clone())),
            (file_path(&module, &version, "zip"), GoPath::Zip(module.clone(), version.clone())),
        ] {
            assert_eq!(GoPath::parse(&path), Ok(Some(expected)), "{path}");
        }
    }

    #[test]
    fn other_paths_are_nothing_or_refused() {
        for nothing in
            ["sumdb/sum.golang.org/supported", "a.b/c/@v/main.info", "a.b/c/@v/v1.zip", "a.b/c/@v/v1.0.0.exe"]
        {
            assert_eq!(GoPath::parse(nothing), Ok(None), "{nothing}");
        }
        for bad in ["!Az.b/c/@v/list", "a.b/Az/@v/list", "a.b//c/@v/list", "a.b/@v/x/@v/list", "a.b/../c/@latest"] {
            assert!(GoPath::parse(bad).is_err(), "{bad}");
        }
    }
}
