use model::{digest::Digest, file_path::FilePath, timestamp::Timestamp};

use super::*;

/// A log of lines such as `group -gone,added state`, where the state is the number of files.
struct CountingLog;

impl StreamLog for CountingLog {
    fn label(&self, file: &FileView) -> Option<String> {
        Some(file.path.as_str().to_owned())
    }

    fn state(&self, files: &[FileView]) -> String {
        let size: u64 = files.iter().map(|file| file.size_bytes).sum();
        format!("{}:{size}", files.len())
    }

    fn line(&self, change: &LogChange<'_>) -> Vec<u8> {
        let gone = change.gone.iter().map(|label| format!("-{label}"));
        let words: Vec<String> = gone.chain(change.added.iter().cloned()).collect();
        format!("{} {} {}\n", change.group, words.join(","), change.state).into_bytes()
    }

    fn read(&self, _text: &[u8]) -> BTreeMap<String, LogGroup> {
        BTreeMap::new()
    }
}

fn file(path: &str, published: i64) -> FileView {
    FileView {
        path: FilePath::parse(path).expect("a path"),
        size_bytes: 1,
        sha256: Digest::from_bytes([7; 32]),
        sha1: String::new(),
        md5: None,
        sha512: None,
        published: Timestamp::from_millis(published),
        facts: None,
        about: None,
    }
}

fn written(before: Option<(&[&str], &str)>, new: &[FileView], files: &[FileView]) -> Option<String> {
    let before = before.map(|(labels, state)| LogGroup {
        labels: labels.iter().map(|label| (*label).to_owned()).collect(),
        state: state.to_owned(),
    });
    line(&CountingLog, "g", before, new, files).map(|line| String::from_utf8(line).expect("text"))
}

#[test]
fn a_new_file_is_all_that_a_line_names() {
    let (one, two, three) = (file("1", 1), file("2", 2), file("3", 3));
    let files = [one, two.clone(), three.clone()];
    assert_eq!(written(None, &[three, two], &files).as_deref(), Some("g 2,3 3:3\n"));
}

#[test]
fn a_file_that_may_be_listed_is_compared_with_the_log() {
    let (one, two) = (file("1", 1), file("2", 2));
    let files = [one.clone(), two.clone()];
    // Nothing is different, although something was recorded as changed.
    assert_eq!(written(Some((&["1", "2"], "2:2")), &[], &files), None);
    assert_eq!(written(Some((&["1", "2"], "2:9")), &[], &files).as_deref(), Some("g -1,-2,1,2 2:2\n"));
    assert_eq!(written(Some((&["0", "1"], "2:2")), &[two], &files).as_deref(), Some("g -0,2 2:2\n"));
    assert_eq!(written(Some((&["1"], "1:1")), &[], &[]).as_deref(), Some("g -1 0:0\n"));
}
