//! The entries of pacman's databases: folders of a tar with `desc` and `files`.

use super::inspect::ArchFacts;
use crate::{indexed::IndexedFile, tar_text};

/// The maximum size of a signature in the database, in base64.
pub const SIGNATURE_BYTES: usize = 16 * 1024;

/// The end of a database.
pub const AFTER: &[u8] = &tar_text::END;

/// A database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArchDatabase {
    /// Descriptions, `<name>.db`.
    Packages,
    /// Descriptions and file lists, `<name>.files`.
    Files,
}

impl ArchDatabase {
    /// All databases.
    pub const ALL: [Self; 2] = [Self::Packages, Self::Files];

    /// The end of its file name.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Packages => "db",
            Self::Files => "files",
        }
    }
}

/// The text of `desc`. The signature is in base64; one that is too large is left out.
pub fn desc(facts: &ArchFacts, file: &IndexedFile<'_>, signature: Option<&str>) -> String {
    let mut text = String::new();
    block(&mut text, "FILENAME", &[file.name()]);
    block(&mut text, "NAME", &[&facts.name]);
    block(&mut text, "BASE", &[&facts.base]);
    block(&mut text, "VERSION", &[&facts.version]);
    let mut is_file_written = false;
    for (key, values) in &facts.values {
        if !is_file_written && !matches!(key.as_str(), "DESC" | "GROUPS") {
            file_blocks(&mut text, facts, file, signature);
            is_file_written = true;
        }
        block(&mut text, key, &values.iter().map(String::as_str).collect::<Vec<_>>());
    }
    if !is_file_written {
        file_blocks(&mut text, facts, file, signature);
    }
    text
}

fn file_blocks(text: &mut String, facts: &ArchFacts, file: &IndexedFile<'_>, signature: Option<&str>) {
    block(text, "CSIZE", &[&file.size_bytes.to_string()]);
    block(text, "ISIZE", &[&facts.installed_bytes.to_string()]);
    block(text, "SHA256SUM", &[file.sha256]);
    if let Some(signature) = signature.filter(|signature| signature.len() <= SIGNATURE_BYTES) {
        block(text, "PGPSIG", &[signature]);
    }
}

/// The text of `files`.
pub fn files(facts: &ArchFacts) -> String {
    let mut text = "%FILES%\n".to_owned();
    facts.files.iter().for_each(|path| text.extend([path.as_str(), "\n"]));
    text.push('\n');
    text
}

/// The tar entries of a package in a database: its folder and its texts.
pub fn entry(database: ArchDatabase, facts: &ArchFacts, file: &IndexedFile<'_>, signature: Option<&str>) -> Vec<u8> {
    let folder = format!("{}-{}/", facts.name, facts.version);
    let seconds = file.published_secs();
    let mut tar = tar_text::entry(&folder, b"", seconds);
    tar.extend(tar_text::entry(&format!("{folder}desc"), desc(facts, file, signature).as_bytes(), seconds));
    if database == ArchDatabase::Files {
        tar.extend(tar_text::entry(&format!("{folder}files"), files(facts).as_bytes(), seconds));
    }
    tar
}

/// A key, one value a line, and an empty line. Values were checked when the package was read.
fn block(text: &mut String, key: &str, values: &[&str]) {
    text.push_str(&format!("%{key}%\n"));
    values.iter().for_each(|value| text.extend([*value, "\n"]));
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::{
        super::{
            inspect::inspect,
            samples::{PKGINFO, package},
        },
        *,
    };
    use crate::{
        indexed::tests::file,
        readers::{Limits, unpack::Packing, walk},
    };

    fn facts(pkginfo: &str) -> ArchFacts {
        inspect(&mut Cursor::new(package(pkginfo, Packing::Zstd)), &Limits::default()).expect("valid")
    }

    #[test]
    fn a_description_has_its_keys_in_order() {
        let text = desc(&facts(PKGINFO), &file("x86_64/hello-1.0-1-x86_64.pkg.tar.zst"), Some("c2ln"));
        let keys: Vec<&str> = text.lines().filter(|line| line.starts_with('%')).collect();
        let expected = "%FILENAME% %NAME% %BASE% %VERSION% %DESC% %GROUPS% %CSIZE% %ISIZE% %SHA256SUM% %PGPSIG% %URL% \
            %LICENSE% %ARCH% %BUILDDATE% %PACKAGER% %CONFLICTS% %PROVIDES% %DEPENDS% %OPTDEPENDS%";
        assert_eq!(keys, expected.split_whitespace().collect::<Vec<_>>());
        assert!(text.starts_with("%FILENAME%\nhello-1.0-1-x86_64.pkg.tar.zst\n\n%NAME%\nhello\n\n"));
        assert!(text.contains("%DEPENDS%\nglibc>=2\nbash\n\n"));
        let large = "x".repeat(SIGNATURE_BYTES + 1);
        assert!(!desc(&facts(PKGINFO), &file("a"), Some(&large)).contains("PGPSIG"));
        let small = "pkgname = a\npkgver = 1-1\narch = any\n";
        assert!(desc(&facts(small), &file("a"), None).contains("%CSIZE%\n1412\n\n%ISIZE%\n0\n\n%SHA256SUM%\n9f86\n\n"));
    }

    #[test]
    fn a_database_is_a_tar() {
        let facts = facts(PKGINFO);
        for (database, names) in [(ArchDatabase::Packages, &["desc"][..]), (ArchDatabase::Files, &["desc", "files"])] {
            let tar = [entry(database, &facts, &file("a"), None), AFTER.to_vec()].concat();
            let found = walk::collect(&tar[..], &Limits::default(), &|path| path.contains('/')).expect("valid");
            let expected: Vec<String> = names.iter().map(|name| format!("hello-1.0-1/{name}")).collect();
            assert_eq!(found.iter().map(|(path, _)| path.clone()).collect::<Vec<_>>(), expected);
        }
        assert_eq!(files(&facts), "%FILES%\netc/\nusr/\nusr/bin/\nusr/bin/hello\n\n");
    }
}
