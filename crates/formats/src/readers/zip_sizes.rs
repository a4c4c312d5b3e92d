//! The names and sizes of all files of a zip, by its directory.

use operations::storage::archive::zip::ZipFile;

use super::{Content, Limits, content::Bounded};

/// Returns the names and the unpacked sizes of all files, sorted by name. No content is read.
pub fn sizes(content: &mut dyn Content, limits: &Limits) -> Result<Vec<(String, u64)>, String> {
    let size_bytes = content.size();
    let bounded = Bounded::new(content, limits)?;
    let file = ZipFile::open(bounded, size_bytes, limits.entries).map_err(|error| error.to_string())?;
    let size = |name: &str| file.sizes(name).map_or(0, |(_, unpacked)| unpacked);
    let mut sizes: Vec<(String, u64)> = file.names().map(|name| (name.to_owned(), size(name))).collect();
    sizes.sort();
    Ok(sizes)
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::{super::samples::zip, *};

    #[test]
    fn all_files_have_a_size() {
        let bytes = zip(&[("b", b"12345"), ("a/c", b"")]);
        let read = sizes(&mut Cursor::new(bytes), &Limits::default()).expect("valid");
        assert_eq!(read, [("a/c".to_owned(), 0), ("b".to_owned(), 5)]);
    }
}
