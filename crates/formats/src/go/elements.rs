//! Elements of module paths and of file paths.

/// Names that Windows reserves.
const RESERVED: [&str; 22] = [
    "con", "prn", "aux", "nul", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8", "com9", "lpt1", "lpt2",
    "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9",
];

/// Checks an element of a module path, as `module.CheckPath` does.
pub(super) fn check_module_element(element: &str) -> Result<(), &'static str> {
    check_dots(element)?;
    if element.starts_with('.') {
        return Err("an element begins with a dot");
    }
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_' | '~');
    if !element.chars().all(is_allowed) {
        return Err("elements hold letters, digits, '-', '.', '_' and '~'");
    }
    check_reserved(element)?;
    let stem = element.split('.').next().unwrap_or_default();
    let digits = stem.rsplit_once('~').map_or("", |(_, digits)| digits);
    if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err("an element ends with '~' and digits, like a short name of Windows");
    }
    Ok(())
}

/// Checks a file path in a module, as `module.CheckFilePath` does.
pub(super) fn check_file_path(path: &str) -> Result<(), &'static str> {
    for element in path.split('/') {
        check_dots(element)?;
        let is_allowed = |c: char| match c {
            c if c.is_ascii() => c.is_ascii_alphanumeric() || "!#$%&()+,-.=@[]^_{}~ ".contains(c),
            c => c.is_alphabetic(),
        };
        if !element.chars().all(is_allowed) {
            return Err("it holds a character that file names of modules cannot have");
        }
        check_reserved(element)?;
    }
    Ok(())
}

fn check_dots(element: &str) -> Result<(), &'static str> {
    match element {
        "" => Err("an element is empty"),
        _ if element.bytes().all(|byte| byte == b'.') => Err("an element consists of dots"),
        _ if element.ends_with('.') => Err("an element ends with a dot"),
        _ => Ok(()),
    }
}

fn check_reserved(element: &str) -> Result<(), &'static str> {
    let stem = element.split('.').next().unwrap_or_default();
    if RESERVED.iter().any(|name| name.eq_ignore_ascii_case(stem)) {
        return Err("an element is a name that Windows reserves");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_paths_are_those_of_go() {
        for line in include_str!("../../oracles/go-files.tsv").lines() {
            let (sign, path) = line.split_once('\t').expect("two columns");
            assert_eq!(check_file_path(path).is_ok(), sign == "+", "{path}");
        }
    }

    #[test]
    fn files_have_more_characters_than_modules() {
        for good in ["a b.go", "x/.hidden", "a@b!", "\u{e9}.go", "a~1"] {
            assert_eq!(check_file_path(good), Ok(()), "{good}");
        }
        for bad in ["", "a//b", "..", "a/../b", "a.", "con.go", "a/LPT1", "a:b", "a\"b", "a*b", "a\\b", "a\u{1}"] {
            assert!(check_file_path(bad).is_err(), "{bad}");
        }
    }
}
