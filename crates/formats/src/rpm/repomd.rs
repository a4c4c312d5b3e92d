//! The document over the indexes of a metadata root.

use super::xml;

/// A file that the document lists, complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RepomdFile<'a> {
    /// Its type.
    pub kind: &'a str,
    /// Its name without the digest, for example `primary.xml.gz`.
    pub file: &'a str,
    /// Its size.
    pub size_bytes: u64,
    /// Its SHA-256 in hexadecimal digits.
    pub sha256: &'a str,
}

impl RepomdFile<'_> {
    /// Its path below the metadata root, with its digest, so that its content never changes.
    pub fn path(&self) -> String {
        format!("repodata/{}-{}", self.sha256, self.file)
    }
}

/// The text of `repomd.xml`. `at` is in milliseconds since the start of 1970.
pub fn repomd(files: &[RepomdFile<'_>], at: i64) -> String {
    let seconds = at.div_euclid(1_000);
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<repomd xmlns=\"http://linux.duke.edu/metadata/repo\" \
         xmlns:rpm=\"http://linux.duke.edu/metadata/rpm\">\n<revision>{seconds}</revision>\n"
    );
    for file in files {
        text.push_str(&format!(
            "<data type=\"{}\"><checksum type=\"sha256\">{}</checksum><location href=\"{}\"/>\
             <timestamp>{seconds}</timestamp><size>{}</size></data>\n",
            file.kind,
            file.sha256,
            xml::text(&file.path()),
            file.size_bytes,
        ));
    }
    text.push_str("</repomd>\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_lists_the_streams() {
        let file = RepomdFile { kind: "primary", file: "primary.xml.gz", size_bytes: 9312, sha256: "57c4" };
        let expected = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<repomd xmlns=\"http://linux.duke.edu/metadata/repo\" xmlns:rpm=\"http://linux.duke.edu/metadata/rpm\">\n<revision>1763287200</revision>\n<data type=\"primary\"><checksum type=\"sha256\">57c4</checksum><location href=\"repodata/57c4-primary.xml.gz\"/><timestamp>1763287200</timestamp><size>9312</size></data>\n</repomd>\n";
        assert_eq!(repomd(&[file], 1_763_287_200_999), expected);
    }
}
