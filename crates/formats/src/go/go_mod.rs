//! The `module` line of a go.mod.

use super::module_path::ModulePath;
use crate::readers::quoted;

/// The maximum size of a go.mod.
pub const GO_MOD_BYTES: u64 = 16 * 1024 * 1024;

/// Returns the module that a go.mod declares.
pub fn module_of(bytes: &[u8]) -> Result<ModulePath, String> {
    let text = str::from_utf8(bytes).map_err(|_| "go.mod is not UTF-8".to_owned())?;
    let mut found = None;
    for line in text.lines() {
        let line = line.split("//").next().unwrap_or_default().trim();
        let Some(rest) = line.strip_prefix("module").filter(|rest| rest.starts_with([' ', '\t', '"', '`'])) else {
            continue;
        };
        if found.replace(unquoted(rest.trim())?).is_some() {
            return Err("go.mod has two module lines".to_owned());
        }
    }
    ModulePath::parse(found.ok_or("go.mod has no module line")?)
}

/// Removes quotes. Module paths need none, so a quoted text with an escape is refused.
fn unquoted(text: &str) -> Result<&str, String> {
    let invalid = || format!("the module line '{}' of go.mod is not valid", quoted(text));
    let plain = match text.chars().next() {
        Some(quote @ ('"' | '`')) => {
            text[1..].strip_suffix(quote).filter(|inner| !inner.contains([quote, '\\'])).ok_or_else(invalid)?
        }
        _ => text,
    };
    if plain.contains(char::is_whitespace) { Err(invalid()) } else { Ok(plain) }
}

/// The go.mod of a module that has none.
pub fn made_up(module: &ModulePath) -> String {
    format!("module {}\n", module.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_module_line_is_read() {
        for text in [
            "module example.com/a\n\ngo 1.22\n",
            "// comment\r\nmodule\t\"example.com/a\" // here\r\n",
            "module `example.com/a`",
            "\nrequire x.y/z v1.0.0\nmodule example.com/a",
        ] {
            assert_eq!(module_of(text.as_bytes()).expect(text).as_str(), "example.com/a");
        }
        let module = ModulePath::parse("example.com/a").expect("a path");
        assert_eq!(module_of(made_up(&module).as_bytes()), Ok(module));
    }

    #[test]
    fn other_files_are_refused() {
        for bad in [
            "go 1.22\n",
            "module example.com/a\nmodule example.com/b\n",
            "module \"example.com/\\x61\"\n",
            "module \"example.com/a\n",
            "module example.com/a b\n",
            "module (\n",
            "module a//b\n",
            "modules example.com/a\n",
        ] {
            assert!(module_of(bad.as_bytes()).is_err(), "{bad}");
        }
        assert!(module_of(b"module \xff").is_err());
    }
}
