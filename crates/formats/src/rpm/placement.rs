//! The metadata root that lists a file.

/// The folder whose `repodata` lists a file: the first `depth` folders of its path, where 0 means the repository. `None`
/// if the file is not that deep, and for files in a `repodata` folder. The folder ends with `/` or is empty.
pub fn metadata_root(path: &str, depth: usize) -> Option<&str> {
    if path.split('/').any(|segment| segment == "repodata") {
        return None;
    }
    let mut end = 0;
    for _ in 0..depth {
        end += path[end..].find('/')? + 1;
    }
    Some(&path[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_depth_decides_on_the_root() {
        assert_eq!(metadata_root("7/x86_64/a.rpm", 0), Some(""));
        assert_eq!(metadata_root("7/x86_64/a.rpm", 2), Some("7/x86_64/"));
        assert_eq!(metadata_root("7/x86_64/Packages/a.rpm", 2), Some("7/x86_64/"));
        assert_eq!(metadata_root("7/a.rpm", 2), None);
        assert_eq!(metadata_root("repodata/a.rpm", 0), None);
    }
}
