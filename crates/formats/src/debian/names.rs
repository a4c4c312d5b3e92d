//! The grammar of Debian's names.

use super::version;
use crate::{indexed::matches, readers::quoted};

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'+' | b'.' | b'-')
}

fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'.' | b'_' | b'-')
}

/// Checks the name of a package.
pub fn check_package(name: &str) -> Result<(), String> {
    let is_valid =
        name.len() >= 2 && matches(name, |byte| byte.is_ascii_lowercase() || byte.is_ascii_digit(), is_name_byte);
    is_valid.then_some(()).ok_or_else(|| format!("'{}' is not the name of a Debian package", quoted(name)))
}

/// Checks a version: `[epoch:]upstream[-revision]`.
pub fn check_version(text: &str) -> Result<(), String> {
    let rest = version::without_epoch(text);
    let is_byte = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'+' | b'~' | b':' | b'-');
    let epoch = text.len() - rest.len();
    let is_valid = matches(rest, |byte| byte.is_ascii_alphanumeric(), is_byte)
        && epoch <= 10
        && (epoch > 0 || !rest.contains(':'))
        && !rest.ends_with(['-', ':']);
    is_valid.then_some(()).ok_or_else(|| format!("'{}' is not a Debian version", quoted(text)))
}

/// Checks the name of a suite, a component or an architecture; `what` says of which.
pub fn check_word(what: &str, text: &str) -> Result<(), String> {
    let is_valid = matches(text, |byte| byte.is_ascii_alphanumeric(), is_word_byte) && !text.contains("..");
    is_valid.then_some(()).ok_or_else(|| format!("'{}' is not the name of {what}", quoted(text)))
}

/// Checks the name of a component, which may have two segments.
pub fn check_component(text: &str) -> Result<(), String> {
    let (first, second) = text.split_once('/').unwrap_or((text, "x"));
    let is_valid = [first, second].iter().all(|segment| check_word("", segment).is_ok());
    is_valid.then_some(()).ok_or_else(|| format!("'{}' is not the name of a component", quoted(text)))
}

/// The path of a file in the pool: `pool/main/h/hello/hello_2.10-3_amd64.deb`.
pub fn pool_path(component: &str, source: &str, file_name: &str) -> String {
    let letters = if source.starts_with("lib") { 4 } else { 1 };
    let prefix = source.get(..letters).unwrap_or(source);
    format!("pool/{component}/{prefix}/{source}/{file_name}")
}

/// The file name of a package: without the epoch, which is not in file names.
pub fn deb_name(package: &str, full_version: &str, architecture: &str) -> String {
    format!("{package}_{}_{architecture}.deb", version::without_epoch(full_version))
}

/// The file name of a source package's control file.
pub fn dsc_name(source: &str, full_version: &str) -> String {
    format!("{source}_{}.dsc", version::without_epoch(full_version))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_a_grammar() {
        for good in ["hello", "0ad", "libstdc++6", "a.b-c"] {
            assert_eq!(check_package(good), Ok(()));
        }
        for bad in ["", "a", "Hello", "../x", "a_b", "-a", "a b", "a\n"] {
            assert!(check_package(bad).is_err(), "{bad}");
        }
        assert_eq!(check_package("../x"), Err("'../x' is not the name of a Debian package".to_owned()));
    }

    #[test]
    fn versions_have_a_grammar() {
        for good in ["1", "1:2.10-3", "1.0~rc1+b2", "1-2-3", "1:1:1", "a1"] {
            assert_eq!(check_version(good), Ok(()), "{good}");
        }
        for bad in ["", "1:", "-1", ":1", "1-", "1 2", "1/2", "a:1", "99999999999:1", "~1", "1:2:"] {
            assert!(check_version(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn suites_and_architectures_are_words() {
        for good in ["stable", "bookworm-updates", "kernel-wedge_2", "amd64"] {
            assert_eq!(check_word("a suite", good), Ok(()));
        }
        for bad in ["../..", "../x", "", ".", "a/b", "a..b", "a b", "-x"] {
            assert!(check_word("a suite", bad).is_err(), "{bad}");
        }
        assert_eq!(check_word("an architecture", "../x"), Err("'../x' is not the name of an architecture".to_owned()));
        assert_eq!(check_component("main"), Ok(()));
        assert_eq!(check_component("updates/main"), Ok(()));
        for bad in ["a/b/c", "/a", "a/", "../a"] {
            assert!(check_component(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_pool_has_folders_for_letters() {
        let name = deb_name("hello", "1:2.10-3", "amd64");
        assert_eq!(pool_path("main", "hello", &name), "pool/main/h/hello/hello_2.10-3_amd64.deb");
        assert_eq!(pool_path("main", "libc", "x.deb"), "pool/main/libc/libc/x.deb");
        assert_eq!(pool_path("main", "lib", "x.deb"), "pool/main/lib/lib/x.deb");
    }
}
