//! The names used in an archive. Some systems distinguish fewer names than others, and one reader may see a file where
//! the next sees a folder: an archive that different systems would unpack differently is rejected.

use std::collections::HashMap;

use unicode_normalization::UnicodeNormalization;

/// The maximum number of folders in one archive, including those without an entry of their own.
const FOLDERS: usize = 100_000;

/// The files and folders so far, as a tree.
#[derive(Default)]
pub(super) struct Names {
    /// By the number of the parent folder and by the normalized name, as case-insensitive systems see it.
    known: HashMap<(usize, String), Known>,
    folders: usize,
}

struct Known {
    name: String,
    /// The number of the folder; `None` for a file.
    folder: Option<usize>,
}

impl Names {
    /// Adds the path of a file or a folder; the reason of a rejection continues a sentence.
    pub(super) fn enter(&mut self, path: &str, is_file: bool) -> Result<(), String> {
        let mut folder = 0;
        let mut segments = path.split('/').peekable();
        while let Some(name) = segments.next() {
            let is_last = segments.peek().is_none();
            match self.enter_name(folder, name, is_last && is_file)? {
                Some(inner) => folder = inner,
                None => return Ok(()),
            }
        }
        Ok(())
    }

    /// Adds one name and returns the number of its folder, if it is one.
    fn enter_name(&mut self, within: usize, name: &str, is_file: bool) -> Result<Option<usize>, String> {
        let key = (within, careless(name));
        let Some(known) = self.known.get(&key) else {
            if self.folders >= FOLDERS {
                return Err(format!("brings more than {FOLDERS} folders"));
            }
            self.folders += usize::from(!is_file);
            let folder = (!is_file).then_some(self.folders);
            self.known.insert(key, Known { name: name.to_owned(), folder });
            return Ok(folder);
        };
        match (known.folder, is_file) {
            _ if known.name != name => Err("has a name that differs from another one by letter case or by the \
                composition of its characters only"
                .to_owned()),
            (None, true) => Err("is in the archive twice".to_owned()),
            (None, false) | (Some(_), true) => Err("is in the archive as a file and as a folder".to_owned()),
            (Some(folder), false) => Ok(Some(folder)),
        }
    }
}

/// Normalizes a name like systems that ignore letter case or compose characters.
fn careless(name: &str) -> String {
    name.nfc().collect::<String>().to_lowercase().nfc().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(paths: &[(&str, bool)]) -> Option<String> {
        let mut names = Names::default();
        paths.iter().find_map(|(path, is_file)| names.enter(path, *is_file).err())
    }

    #[test]
    fn files_and_folders_are_told_apart_by_every_system() {
        let fine = [("a", false), ("a/b", true), ("a/c/d", true), ("a/c", false), ("b", true), ("A2", true)];
        assert_eq!(refusal(&fine), None);
        let other =
            "has a name that differs from another one by letter case or by the composition of its characters only";
        for pair in [["a", "A"], ["a/b", "A/c"], ["x/É", "x/e\u{301}"], ["straße", "STRAßE"], ["Σ", "σ"]] {
            assert_eq!(refusal(&pair.map(|path| (path, true))).as_deref(), Some(other), "{pair:?}");
        }
        let both = "is in the archive as a file and as a folder";
        assert_eq!(refusal(&[("a", true), ("a/b", true)]).as_deref(), Some(both));
        assert_eq!(refusal(&[("a/b", true), ("a", true)]).as_deref(), Some(both));
        assert_eq!(refusal(&[("a", false), ("a", true)]).as_deref(), Some(both));
        assert_eq!(refusal(&[("a", true), ("a", true)]).as_deref(), Some("is in the archive twice"));
    }

    #[test]
    fn folders_are_bounded() {
        let deep = |number: usize| format!("{number}{}", "/x".repeat(990));
        let mut names = Names::default();
        let refused = (0..200).find_map(|number| names.enter(&deep(number), true).err());
        assert_eq!(refused.as_deref(), Some("brings more than 100000 folders"));
        assert!(names.known.len() <= FOLDERS + 200);
    }
}
