//! The entries of `Packages` and `Sources`.

use super::{inspect::DebFacts, source::SourceFacts};
use crate::{indexed::IndexedFile, readers::deb822::write_field};

/// The entry of a .deb in `Packages`, with the empty line at its end.
pub fn packages_entry(facts: &DebFacts, file: &IndexedFile<'_>) -> String {
    let mut text = String::new();
    facts.control.write(&mut text);
    write_field(&mut text, "Filename", file.path);
    write_field(&mut text, "Size", &file.size_bytes.to_string());
    if let Some(md5) = file.md5 {
        write_field(&mut text, "MD5sum", md5);
    }
    write_field(&mut text, "SHA256", file.sha256);
    text.push('\n');
    text
}

/// The entries of a block of `Packages`.
pub fn packages_block<'a>(files: impl IntoIterator<Item = (&'a DebFacts, IndexedFile<'a>)>) -> String {
    files.into_iter().map(|(facts, file)| packages_entry(facts, &file)).collect()
}

/// The entry of a source package in `Sources`: its .dsc and all files that it names, in one folder.
pub fn sources_entry(facts: &SourceFacts, dsc: &IndexedFile<'_>, others: &[IndexedFile<'_>]) -> String {
    let mut text = String::new();
    write_field(&mut text, "Package", &facts.source);
    facts.control.write(&mut text);
    let folder = dsc.path.rsplit_once('/').map_or(".", |(folder, _)| folder);
    write_field(&mut text, "Directory", folder);
    let files = || std::iter::once(dsc).chain(others);
    if files().all(|file| file.md5.is_some()) {
        let lines = files().map(|file| format!("\n {} {} {}", file.md5.unwrap_or(""), file.size_bytes, file.name()));
        write_field(&mut text, "Files", &lines.collect::<String>());
    }
    let lines = files().map(|file| format!("\n {} {} {}", file.sha256, file.size_bytes, file.name()));
    write_field(&mut text, "Checksums-Sha256", &lines.collect::<String>());
    text.push('\n');
    text
}

/// The entries of a block of `Sources`.
pub fn sources_block<'a>(files: impl IntoIterator<Item = (&'a SourceFacts, IndexedFile<'a>)>) -> String {
    files.into_iter().map(|(facts, dsc)| sources_entry(facts, &dsc, &facts.named_files())).collect()
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::{
        super::{inspect, samples, source},
        *,
    };
    use crate::{
        indexed::tests::file,
        readers::{Limits, unpack::Packing},
    };

    fn facts() -> DebFacts {
        let bytes = samples::deb(samples::CONTROL, Packing::Zstd);
        inspect::inspect(&mut Cursor::new(bytes), &Limits::default()).expect("valid")
    }

    #[test]
    fn an_entry_is_the_control_file_and_its_place() {
        let facts = facts();
        let place = "Filename: pool/a.deb\nSize: 1412\nMD5sum: 5d41\nSHA256: 9f86\n\n";
        assert_eq!(packages_entry(&facts, &file("pool/a.deb")), format!("{}{place}", samples::CONTROL));
        let without = IndexedFile { md5: None, ..file("pool/a.deb") };
        assert!(!packages_entry(&facts, &without).contains("MD5sum"));
        let block = packages_block([(&facts, file("pool/a.deb")), (&facts, file("pool/b.deb"))]);
        assert_eq!(block.matches("\n\n").count(), 2);
    }

    #[test]
    fn a_source_package_names_its_files() {
        let facts = source::inspect(source::tests::dsc().as_bytes()).expect("valid");
        let text = sources_entry(&facts, &file("pool/h/hello.dsc"), &[file("pool/h/hello.tar.gz")]);
        let expected = "Package: hello\nFormat: 3.0 (quilt)\nBinary: hello\nArchitecture: any\nVersion: 1:2.10-3\n\
            Directory: pool/h\nFiles:\n 5d41 1412 hello.dsc\n 5d41 1412 hello.tar.gz\n\
            Checksums-Sha256:\n 9f86 1412 hello.dsc\n 9f86 1412 hello.tar.gz\n\n";
        assert_eq!(text, expected);
    }
}
