//! The entries of `primary`, `filelists` and `other`.

use super::{inspect::RpmFacts, xml};
use crate::indexed::IndexedFile;

/// A stream of a metadata root.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RpmStream {
    /// Names, versions and dependencies.
    Primary,
    /// All files.
    Filelists,
    /// Changelogs.
    Other,
}

impl RpmStream {
    /// All streams.
    pub const ALL: [RpmStream; 3] = [RpmStream::Primary, RpmStream::Filelists, RpmStream::Other];

    /// The name, which `repomd.xml` has as type.
    pub fn name(self) -> &'static str {
        match self {
            RpmStream::Primary => "primary",
            RpmStream::Filelists => "filelists",
            RpmStream::Other => "other",
        }
    }

    /// The text before the entries, with the number of packages.
    pub fn before(self, packages: u64) -> String {
        let common = "http://linux.duke.edu/metadata";
        let root = match self {
            RpmStream::Primary => format!("<metadata xmlns=\"{common}/common\" xmlns:rpm=\"{common}/rpm\""),
            RpmStream::Filelists => format!("<filelists xmlns=\"{common}/filelists\""),
            RpmStream::Other => format!("<otherdata xmlns=\"{common}/other\""),
        };
        format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{root} packages=\"{packages}\">\n")
    }

    /// The text after the entries.
    pub fn after(self) -> &'static str {
        match self {
            RpmStream::Primary => "</metadata>\n",
            RpmStream::Filelists => "</filelists>\n",
            RpmStream::Other => "</otherdata>\n",
        }
    }

    /// The entry of a file whose path is relative to the metadata root, with the line end at its end.
    pub fn entry(self, facts: &RpmFacts, file: &IndexedFile<'_>) -> String {
        let fragments = &facts.fragments;
        let (attributes, pkgid) = (&fragments.attributes, file.sha256);
        match self {
            RpmStream::Primary => primary(facts, file),
            RpmStream::Filelists => {
                format!("<package pkgid=\"{pkgid}\" {attributes}>{}</package>\n", fragments.files)
            }
            RpmStream::Other => {
                format!("<package pkgid=\"{pkgid}\" {attributes}>{}</package>\n", fragments.changelogs)
            }
        }
    }

    /// The entries of a block.
    pub fn block<'a>(self, files: impl IntoIterator<Item = (&'a RpmFacts, IndexedFile<'a>)>) -> String {
        files.into_iter().map(|(facts, file)| self.entry(facts, &file)).collect()
    }
}

fn primary(facts: &RpmFacts, file: &IndexedFile<'_>) -> String {
    let fragments = &facts.fragments;
    format!(
        "<package type=\"rpm\">{}<checksum type=\"sha256\" pkgid=\"YES\">{}</checksum>{}<time file=\"{}\" build=\"{}\"/>\
         <size package=\"{}\" installed=\"{}\" archive=\"{}\"/><location href=\"{}\"/>{}</package>\n",
        fragments.identity,
        file.sha256,
        fragments.description,
        file.published_secs(),
        fragments.build_time,
        file.size_bytes,
        fragments.installed_bytes,
        fragments.archive_bytes,
        xml::text(file.path),
        fragments.format,
    )
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use quick_xml::{Reader, events::Event};

    use super::{
        super::{
            inspect::inspect,
            samples::{Value, hello, rpm, with},
            tags,
        },
        *,
    };
    use crate::{indexed::tests::file, readers::Limits};

    fn facts(bytes: Vec<u8>) -> RpmFacts {
        inspect(&mut Cursor::new(bytes), &Limits::default()).expect("valid")
    }

    fn elements(xml: &str) -> usize {
        let mut reader = Reader::from_str(xml);
        let mut count = 0;
        loop {
            match reader.read_event().expect("well-formed") {
                Event::Start(_) | Event::Empty(_) => count += 1,
                Event::Eof => return count,
                _ => {}
            }
        }
    }

    #[test]
    fn a_package_has_an_entry_in_each_stream() {
        let facts = facts(rpm(&hello()));
        let entry = |stream: RpmStream| stream.entry(&facts, &file("Packages/h/a&b.rpm"));
        let primary = entry(RpmStream::Primary);
        for part in [
            "<name>hello</name><arch>x86_64</arch><version epoch=\"0\" ver=\"2.10\" rel=\"3\"/><checksum type=\"sha256\" pkgid=\"YES\">9f86</checksum><summary>greets</summary><description>a &lt;long&gt; text</description><packager/><url/>",
            "<time file=\"1763287200\" build=\"1763200000\"/><size package=\"1412\" installed=\"120000\" archive=\"121000\"/><location href=\"Packages/h/a&amp;b.rpm\"/>",
            "<rpm:provides><rpm:entry name=\"hello\" flags=\"EQ\" epoch=\"0\" ver=\"2.10\" rel=\"3\"/></rpm:provides><rpm:requires><rpm:entry name=\"/bin/sh\" pre=\"1\"/><rpm:entry name=\"libc.so\" flags=\"GE\" epoch=\"1\" ver=\"2.0\"/></rpm:requires><file>/usr/bin/hello</file></format>",
        ] {
            assert!(primary.contains(part), "{part}\n{primary}");
        }
        let version = "<version epoch=\"0\" ver=\"2.10\" rel=\"3\"/>";
        let start = "<package pkgid=\"9f86\" name=\"hello\" arch=\"x86_64\">";
        let files = "<file>/usr/bin/hello</file><file type=\"dir\">/usr/share/hello</file><file type=\"ghost\">/usr/share/log</file>";
        assert_eq!(entry(RpmStream::Filelists), format!("{start}{version}{files}</package>\n"));
        let changes = "<changelog author=\"A &lt;a@x&gt; 1\" date=\"100\">- first</changelog><changelog author=\"B &lt;b@x&gt; 2\" date=\"200\">- second</changelog>";
        assert_eq!(entry(RpmStream::Other), format!("{start}{version}{changes}</package>\n"));
    }

    #[test]
    fn streams_are_well_formed_whatever_the_texts() {
        let facts = facts(rpm(&with(tags::SUMMARY, Value::Text("</summary><evil/>\x07 ]]> \"'"))));
        let plain = self::facts(rpm(&hello()));
        for stream in RpmStream::ALL {
            let document = |facts: &RpmFacts| {
                let block = stream.block([(facts, file("a")), (facts, file("b"))]);
                [&stream.before(2), &block, stream.after()].concat()
            };
            assert_eq!(elements(&document(&facts)), elements(&document(&plain)), "{}", stream.name());
        }
        assert!(facts.fragments.description.contains("&lt;evil/&gt;?"), "{}", facts.fragments.description);
    }
}
