//! The folder whose PACKAGES lists a file.

/// The folder of a file, if an index lists files there: that of sources, or of binaries for a system and a version of R.
pub fn index_folder(path: &str) -> Option<&str> {
    let (folder, file) = path.rsplit_once('/')?;
    let segments: Vec<&str> = folder.split('/').collect();
    let is_known = match segments[..] {
        ["src", "contrib"] => file.ends_with(".tar.gz"),
        ["bin", "windows", "contrib", r] => is_version(r) && file.ends_with(".zip"),
        ["bin", "macosx", "contrib", r] => is_version(r) && file.ends_with(".tgz"),
        ["bin", "macosx", system, "contrib", r] => is_word(system) && is_version(r) && file.ends_with(".tgz"),
        _ => false,
    };
    is_known.then_some(folder)
}

/// The path of a source package.
pub fn source_path(file_name: &str) -> String {
    format!("src/contrib/{file_name}")
}

/// The file that a path in the archive of old versions means: `src/contrib/Archive/a/a_1.0.tar.gz`.
pub fn archived(path: &str) -> Option<String> {
    let (package, file) = path.strip_prefix("src/contrib/Archive/")?.split_once('/')?;
    (file.starts_with(&format!("{package}_")) && !file.contains('/')).then(|| source_path(file))
}

fn is_version(text: &str) -> bool {
    let is_number = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    text.split_once('.').is_some_and(|(major, minor)| is_number(major) && is_number(minor))
}

fn is_word(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.')) && !text.contains("..")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_have_indexes() {
        assert_eq!(index_folder("src/contrib/a_1.0.tar.gz"), Some("src/contrib"));
        assert_eq!(index_folder("bin/windows/contrib/4.5/a_1.0.zip"), Some("bin/windows/contrib/4.5"));
        assert_eq!(
            index_folder("bin/macosx/big-sur-arm64/contrib/4.5/a_1.0.tgz"),
            Some("bin/macosx/big-sur-arm64/contrib/4.5")
        );
        for other in ["a.tar.gz", "src/contrib/a.zip", "bin/windows/contrib/x/a.zip", "bin/macosx/../contrib/4.5/a.tgz"]
        {
            assert_eq!(index_folder(other), None, "{other}");
        }
    }

    #[test]
    fn old_versions_have_a_second_path() {
        assert_eq!(archived("src/contrib/Archive/a/a_1.0.tar.gz").as_deref(), Some("src/contrib/a_1.0.tar.gz"));
        assert_eq!(archived("src/contrib/Archive/a/b_1.0.tar.gz"), None);
        assert_eq!(archived("src/contrib/a_1.0.tar.gz"), None);
    }
}
