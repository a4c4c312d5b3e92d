//! Bounds for the indexes of one package.

use operations::format::IndexText;

/// The maximum number of files that the indexes of a package list.
const ENTRIES: usize = 20_000;

/// The maximum size of one index in bytes.
const INDEX_BYTES: usize = 64 * 1024 * 1024;

/// Checks that indexes are small enough to be built again with every publish.
pub(crate) fn check(entries: usize, texts: Vec<IndexText>) -> Result<Vec<IndexText>, String> {
    if entries > ENTRIES {
        return Err(format!("the package has more than {ENTRIES} files"));
    }
    if texts.iter().any(|text| text.content.len() > INDEX_BYTES) {
        return Err(format!("an index of the package would be larger than {INDEX_BYTES} bytes"));
    }
    Ok(texts)
}

#[cfg(test)]
mod tests {
    use model::file_path::FilePath;

    use super::*;

    #[test]
    fn indexes_are_bounded() {
        let text = |bytes: usize| {
            let path = FilePath::parse("a").expect("a path");
            vec![IndexText { path, content: "x".repeat(bytes) }]
        };
        assert_eq!(check(ENTRIES, text(5)), Ok(text(5)));
        assert_eq!(check(ENTRIES + 1, text(5)), Err("the package has more than 20000 files".to_owned()));
        assert!(check(1, text(INDEX_BYTES + 1)).expect_err("too large").contains("larger than 67108864 bytes"));
    }
}
